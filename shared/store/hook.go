package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
)

// A channel's item "hook" has what is known of its webhook (guild.Hook), and beside it when people were last told why there is none
// (told, toldBy), which is written apart.

var _ guild.Hooks = (*Channels)(nil)

func hookKey(c chat.ChannelID) kv.Key { return key(c, "hook") }

// Hooks reads what is known.
func (s *Channels) Hooks(ctx context.Context, channels ...chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) {
	found := map[chat.ChannelID]guild.Hook{}
	for len(channels) > 0 {
		n := min(len(channels), kv.MaxKeys)
		keys := make([]kv.Key, n)
		for i, c := range channels[:n] {
			keys[i] = hookKey(c)
		}
		var items []kv.Item
		err := patiently(ctx, func() (err error) {
			items, err = s.kv.BatchGet(ctx, keys...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read webhooks: %w", err)
		}
		for _, item := range items {
			if h := hookOf(item); h.Rev > 0 {
				found[chat.ChannelID(item.Key.Partition)] = h
			}
		}
		channels = channels[n:]
	}
	return found, nil
}

func hookOf(item kv.Item) guild.Hook {
	return guild.Hook{Parent: chat.ChannelID(item.String("parent")), ID: chat.HookID(item.String("hook")), Token: item.Bytes("token"),
		Trouble: int(item.Int("trouble")), Since: fromMillis(item.Int("since")), Rev: item.Int("rev")}
}

// SaveHook writes it over what was read.
func (s *Channels) SaveHook(ctx context.Context, c chat.ChannelID, h guild.Hook) error {
	op := kv.Op{Verb: kv.Update, Key: hookKey(c), If: []kv.Cond{kv.Is("rev", h.Rev)},
		Set: kv.Attrs{"parent": string(h.Parent), "hook": string(h.ID), "trouble": int64(h.Trouble), "since": millis(h.Since), "rev": h.Rev + 1}}
	if h.Rev == 0 {
		op.If = []kv.Cond{kv.Missing("rev")}
	}
	if len(h.Token) > 0 {
		op.Set["token"] = []byte(h.Token)
	} else {
		op.Remove = []string{"token"}
	}
	err := patiently(ctx, func() error { return s.kv.Write(ctx, op) })
	if errors.Is(err, kv.ErrCondition) {
		err = chat.ErrRaced
	}
	if err != nil {
		return fmt.Errorf("keep the webhook of channel %s: %w", c, err)
	}
	return nil
}

// TellHook claims the day for the hold's event, or finds that it has done so.
func (s *Channels) TellHook(ctx context.Context, h *chat.Hold) (bool, error) {
	now, mine := time.Now(), string(h.Event.ID)
	told := false
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, h.Channel, "hook")
		if err != nil {
			return nil, err
		}
		item := got["hook"]
		if told = item.String("toldBy") == mine; told || now.Sub(fromMillis(item.Int("told"))).Abs() < chat.TellHookEvery {
			return nil, nil
		}
		told = true
		return []kv.Op{{Verb: kv.Update, Key: hookKey(h.Channel), If: []kv.Cond{as(item, "told")},
			Set: kv.Attrs{"told": now.UnixMilli(), "toldBy": mine}}}, nil
	})
	if err != nil {
		return false, fmt.Errorf("tell of the webhook of channel %s: %w", h.Channel, err)
	}
	return told, nil
}
