package store

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Edit gives a waiting event, or one whose turn has not begun, its new words.
func (s *Channels) Edit(ctx context.Context, e chat.Event) error {
	sort := "event#" + string(e.ID)
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, e.Channel, "head", sort)
		if err != nil {
			return nil, err
		}
		if h := headOf(got["head"]); h.Event == e.ID && h.Phase.Queue() == chat.QueueReplies && (h.Begun || h.Turn > 0) {
			return nil, nil // it is being answered as it read
		}
		row := got[sort]
		old, err := decode[chat.Event](row, "body")
		if err != nil { // over, or never offered: there is nothing to change
			return nil, nil //nolint:nilerr // an absent body is the answer
		}
		old.Text, old.Extras = e.Text, e.Extras
		body, err := encode(old)
		if err != nil {
			return nil, err
		}
		return []kv.Op{{Verb: kv.Update, Key: row.Key, Set: kv.Attrs{"body": body}, If: []kv.Cond{as(row, "row")}}}, nil
	})
	if err != nil {
		return fmt.Errorf("edit event %s: %w", e.ID, err)
	}
	return nil
}

// Delete takes a deleted message out of the channel.
func (s *Channels) Delete(ctx context.Context, e chat.Event) error {
	sort := "event#" + string(e.ID)
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, e.Channel, "head", sort)
		if err != nil {
			return nil, err
		}
		now := time.Now()
		h, row := headOf(got["head"]), got[sort]
		switch state := chat.Row(row.String("row")); {
		case state == "":
			op, err := ledgerRow(e, chat.Gone, chat.Ordinary, "deleted", now)
			return []kv.Op{op}, err
		case state == chat.Mailed:
			is := h
			is.Box++
			is.Waiting--
			mail := kv.Op{Verb: kv.Delete, Key: key(e.Channel, row.String("mail")), If: []kv.Cond{kv.Is("event", string(e.ID))}}
			return []kv.Op{changes(e.Channel, h, is, kv.Is("box", h.Box)), mail,
				disposed(e.Channel, e.ID, chat.Mailed, chat.Gone, "deleted", now)}, nil
		case h.Phase != chat.Free && h.Event == e.ID:
			return s.ask(e.Channel, h, got["head"], chat.Signal{Hold: e.ID, Kind: chat.SignalDeleted, At: now}), nil
		}
		return nil, nil
	})
	if err != nil {
		return fmt.Errorf("delete event %s: %w", e.ID, err)
	}
	return nil
}

// ask addresses a signal to the current hold; nothing when one that ends it is pending.
func (s *Channels) ask(c chat.ChannelID, h chat.Head, head kv.Item, sig chat.Signal) []kv.Op {
	if pending := beatOf(head).Signal; pending.For(h.Event) && pending.Kind.Final() {
		return nil
	}
	op := changes(c, h, h, kv.Is("event", string(h.Event)))
	signal(&op, sig, head)
	return []kv.Op{op}
}

// Stop asks the current hold to end.
func (s *Channels) Stop(ctx context.Context, c chat.ChannelID, e chat.EventID, by chat.UserID, force bool) (bool, error) {
	asked := false
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, c, "head")
		if err != nil {
			return nil, err
		}
		h := headOf(got["head"])
		if asked = h.Phase != chat.Free && (e == "" || e == h.Event) && (force || h.User == by); !asked {
			return nil, nil
		}
		return s.ask(c, h, got["head"], chat.Signal{Hold: h.Event, Kind: chat.SignalKill, At: time.Now()}), nil
	})
	if err != nil {
		return false, fmt.Errorf("stop channel %s: %w", c, err)
	}
	return asked, nil
}

// Kill ends the current hold and clears the mailbox in one transaction; the mailbox's cap keeps it under kv.MaxOps.
func (s *Channels) Kill(ctx context.Context, c chat.ChannelID) (int, error) {
	cleared := 0
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, c, "head")
		if err != nil {
			return nil, err
		}
		now := time.Now()
		h := headOf(got["head"])
		if cleared = 0; h.Phase == chat.Free {
			return nil, nil
		}
		mail, err := s.mailbox(ctx, c)
		if err != nil {
			return nil, err
		}
		sorts := make([]string, len(mail))
		for i, m := range mail {
			sorts[i] = "event#" + m.String("event")
		}
		rows, err := s.read(ctx, c, sorts...)
		if err != nil {
			return nil, err
		}
		is := h
		is.Box, is.Waiting = h.Box+1, 0
		cleared = len(mail)
		op := changes(c, h, is, kv.Is("event", string(h.Event)), kv.Is("box", h.Box))
		signal(&op, chat.Signal{Hold: h.Event, Kind: chat.SignalKill, At: now}, got["head"])
		ops := []kv.Op{op}
		for _, m := range mail {
			id := m.String("event")
			ops = append(ops, kv.Op{Verb: kv.Delete, Key: m.Key, If: []kv.Cond{kv.Is("event", id)}})
			if _, kept := rows["event#"+id]; kept { // a row may end before its wait
				ops = append(ops, disposed(c, chat.EventID(id), chat.Mailed, chat.Cleared, "channel_queue_cleared", now))
			}
		}
		return ops, nil
	})
	if err != nil {
		return 0, fmt.Errorf("kill channel %s: %w", c, err)
	}
	return cleared, nil
}
