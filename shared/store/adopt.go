package store

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Until 2026-11-30 the plan, the beat with the signal, and the parts and the text of a turn were items of their own. Whoever
// acquires a hold of that time takes them into its head, once; a reply that is on the screen thus goes on where it was. Nobody
// else need know of them: an undertaker frees a channel without, and a message had its own item as soon as it was recorded.
// The beat is not asked for: those versions ran under the lock of a data directory, so their holders are dead.
//
// This file, the call in Acquire, and the word "earlier" in holdOf may go on 2027-06-01. Who goes on with a data directory that
// was left in the middle of a reply for longer than that loses this reply.

// earlier tells whether a hold is of that time: the heads of later ones have a revision.
func earlier(h chat.Head) bool { return h.Rev == 0 }

// adopt takes the items into the head of a hold. The acquire has raised the fence, so nobody writes them any more. It is one
// write: a worker that dies before it leaves everything to the next.
func (s *Channels) adopt(ctx context.Context, h *chat.Hold) error {
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, h.Channel, "head", "beat", "plan#"+string(h.Event.ID), turnItem(h))
		if err != nil {
			return nil, err
		}
		head := got["head"]
		was := headOf(head)
		if !sameHold(was, h.Head) {
			return nil, chat.ErrLost
		}
		var ops []kv.Op
		if earlier(was) { // or it is done, and the reply to it was lost
			if ops, err = s.adoption(ctx, h, was, got); err != nil {
				return nil, err
			}
			maps.Copy(head.Attrs, ops[0].Set)
		}
		h.Head = headOf(head)
		return ops, knows(h, head)
	})
	if err != nil {
		return fmt.Errorf("adopt the hold of event %s: %w", h.Event.ID, err)
	}
	return planned(h)
}

func turnItem(h *chat.Hold) string { return fmt.Sprintf("turn#%s#%02d", h.Event.ID, h.Head.Turn) }

// adoption is the write: what the head gets, and the text under the fence by which the head names it.
func (s *Channels) adoption(ctx context.Context, h *chat.Hold, was chat.Head, got map[string]kv.Item) ([]kv.Op, error) {
	head, turn, plan := got["head"], got[turnItem(h)], got["plan#"+string(h.Event.ID)]
	parts, err := s.partItems(ctx, h.Channel, turnItem(h)+"#")
	if err != nil {
		return nil, err
	}
	is := was
	is.Rev = 1
	if turn.Has("text") {
		is.Text = is.Fence
	}
	ops := []kv.Op{changes(h.Channel, was, is, append(holding(was), as(head, "rev"))...)}
	if turn.Has("text") {
		ops = append(ops, kv.Op{Verb: kv.Put, Key: key(h.Channel, textSort(h.Event.ID, is.Turn, is.Text)), Attrs: turn.Attrs})
	}
	if len(parts) > 0 {
		ops[0].Set["parts"] = parts
	}
	if plan.Has("plan") {
		ops[0].Set["plan"] = plan.Bytes("plan")
	}
	if sig := beatOf(got["beat"]).Signal; sig.For(h.Event.ID) && !beatOf(head).Signal.For(h.Event.ID) {
		signal(&ops[0], sig, head)
	}
	return ops, nil
}

// partItems reads the parts of a turn as the head keeps them; nil when there are none.
func (s *Channels) partItems(ctx context.Context, c chat.ChannelID, prefix string) ([]byte, error) {
	var parts []chat.Part
	q := kv.Query{Space: SpaceChannels, Partition: string(c), Prefix: prefix}
	for {
		page, err := s.page(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			k, err := strconv.Atoi(strings.TrimPrefix(item.Key.Sort, prefix))
			if err != nil {
				return nil, fmt.Errorf("key of part %s: %w", item.Key, err)
			}
			p := chat.Part{K: k, Message: chat.MessageID(item.String("message")), Dropped: item.Has("dropped"), Late: fromMillis(item.Int("late"))}
			if p.Message == "" && item.Has("nonce") { // with the message, the intent was done with
				p.Intent = &chat.Intent{Content: item.String("content"), Nonce: item.String("nonce"), At: fromMillis(item.Int("at")), Tried: fromMillis(item.Int("tried"))}
			}
			parts = append(parts, p)
		}
		switch {
		case page.Next != "":
			q.After = page.Next
		case len(parts) == 0:
			return nil, nil
		default:
			return encodeParts(parts)
		}
	}
}
