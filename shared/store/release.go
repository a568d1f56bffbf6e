package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// release builds the transaction that ends a hold: the ledger's final row, and the channel free or given to the front of the
// mailbox. It is conditional on the mailbox as it was read, so nothing that arrives meanwhile is left behind. was is the
// head as read, conds what is demanded of it, fence what the head's fence becomes, row the operation that gives the event
// its final row. The first operation is on the head, the second on the row.
func (s *Channels) release(ctx context.Context, c chat.ChannelID, was chat.Head, fence int64, row kv.Op, conds ...kv.Cond) (chat.Head, []kv.Op, error) {
	base := was
	base.Fence = fence
	is, popped, err := s.pop(ctx, c, base, time.Now())
	if err != nil {
		return was, nil, err
	}
	conds = append(conds, kv.Is("box", was.Box), sending(was))
	return is, append([]kv.Op{over(changes(c, was, is, conds...)), row}, popped...), nil
}

// over takes what is the hold's alone off its head. No signal outlives its hold.
func over(head kv.Op) kv.Op {
	head.Remove = append(head.Remove, ofTheHold...)
	return head
}

// pop gives the channel to the front of the mailbox, or frees it. A mail item whose event is no longer mailed in the ledger
// (its row outlived) waits for nothing and is cleared away with it.
func (s *Channels) pop(ctx context.Context, c chat.ChannelID, h chat.Head, now time.Time) (chat.Head, []kv.Op, error) {
	if h.Waiting == 0 {
		return freed(h), nil, nil
	}
	mail, err := s.mailbox(ctx, c)
	if err != nil {
		return h, nil, err
	}
	var ops []kv.Op
	for _, m := range mail {
		id := chat.EventID(m.String("event"))
		h.Box++
		h.Waiting--
		ops = append(ops, kv.Op{Verb: kv.Delete, Key: m.Key, If: []kv.Cond{kv.Is("event", string(id))}})
		got, err := s.read(ctx, c, "event#"+string(id))
		if err != nil {
			return h, nil, err
		}
		row := got["event#"+string(id)]
		if chat.Row(row.String("row")) != chat.Mailed {
			continue
		}
		ops = append(ops, kv.Op{Verb: kv.Update, Key: row.Key, // it lives on from now, or a long wait would end its row under its turn
			Set:    kv.Attrs{"row": string(chat.Granted), kv.TTL: now.Add(chat.LedgerLife).Unix()},
			Remove: []string{"mail"}, If: []kv.Cond{kv.Is("row", string(chat.Mailed))}})
		is := granted(h, id, chat.UserID(row.String("user")), chat.Kind(row.String("kind")), now)
		is.Boxed = true
		return is, ops, nil
	}
	h.Waiting = 0 // nobody was left among the items that the counter promised
	return freed(h), ops, nil
}

// next is the job in a head's outbox.
func next(c chat.ChannelID, h chat.Head) *chat.Job {
	if !h.Next {
		return nil
	}
	j := h.Job(c)
	return &j
}

// EndPlan ends the hold without a turn.
func (s *Channels) EndPlan(ctx context.Context, h *chat.Hold, end chat.Ending) (*chat.Job, error) {
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		return s.release(ctx, h.Channel, was, was.Fence, disposed(h.Channel, was.Event, chat.Granted, end.Row, end.Reason, time.Now()), holding(was)...)
	})
	if err != nil {
		return nil, fmt.Errorf("end the plan of event %s: %w", h.Event.ID, err)
	}
	return next(h.Channel, h.Head), nil
}

// EndTurn saves the turn, and hands over or releases. How the turn ended is kept in the row of its event, with the plan once
// all is over; its messages get their items.
func (s *Channels) EndTurn(ctx context.Context, h *chat.Hold, end chat.Ending) (*chat.Job, error) {
	plan, err := encode(kept(*h.Plan))
	if err != nil {
		return nil, err
	}
	persona, _, _ := owned(h.Head, h.Plan)
	again, err := s.again(h)
	if err != nil {
		return nil, err
	}
	err = s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		is, ops, err := s.afterTurn(ctx, h.Channel, was, end)
		if err != nil {
			return was, nil, err
		}
		head, row, n := &ops[0], &ops[1], numbered(was)
		is.LastPersona = persona
		head.Set["lastPersona"], head.If = persona, append(head.If, kv.Is("rev", was.Rev)) // the parts are as they are known
		row.Set["turn"+n], row.Set["by"+n], row.If = string(end.Row), h.Head.Fence, append(row.If, kv.Missing("turn"+n))
		if was.Text != 0 {
			row.Set["text"+n] = was.Text
		}
		if again == nil && was.Text != 0 {
			if row.Set["parts"+n], err = encodeParts(shownParts(h.Parts)); err != nil {
				return was, nil, err
			}
		}
		if row.Set["row"] != nil {
			row.Set["plan"] = plan
		}
		return is, slices.Concat(ops, messages(h.Channel, was, h.Plan, h.Parts), again), nil
	})
	if err != nil && !s.ended(ctx, h, err) {
		return nil, fmt.Errorf("end turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	h.Parts = nil
	return next(h.Channel, h.Head), nil
}

// numbered ends the names under which the row of an event keeps how each turn ended (turn), the fence that ended it (by) and
// the fence that wrote its text (text).
func numbered(h chat.Head) string { return fmt.Sprintf("#%02d", h.Turn) }

// ended tells whether a turn whose end failed was ended by this hold after all, the reply to its write lost: the row then
// carries its fence. The hold's head becomes what the channel has made of it since.
func (s *Channels) ended(ctx context.Context, h *chat.Hold, err error) bool {
	if errors.Is(err, chat.ErrLost) {
		return false
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), chat.Call) // also when the process is leaving
	defer done()
	got, err := s.read(ctx, h.Channel, "head", "event#"+string(h.Event.ID))
	if err != nil || got["event#"+string(h.Event.ID)].Int("by"+numbered(h.Head)) != h.Head.Fence {
		return false
	}
	h.Head = headOf(got["head"])
	return true
}

// afterTurn is what follows a turn: the next one, or the end of the hold.
func (s *Channels) afterTurn(ctx context.Context, c chat.ChannelID, was chat.Head, end chat.Ending) (chat.Head, []kv.Op, error) {
	if end.Row != chat.Answered || was.Turn+1 >= was.Turns {
		return s.release(ctx, c, was, was.Fence, disposed(c, was.Event, chat.Granted, end.Row, end.Reason, time.Now()), holding(was)...)
	}
	now := time.Now()
	is := turned(waits(was, chat.WaitsTurn, now), was.Turn+1, now)
	head := changes(c, was, is, append(holding(was), sending(was))...)
	head.Remove = append(head.Remove, ofTheTurn...)
	row := kv.Op{Verb: kv.Update, Key: eventKey(c, was.Event), Set: kv.Attrs{}, If: []kv.Cond{kv.Is("row", string(chat.Granted))}}
	return is, []kv.Op{head, row}, nil
}

// messages keeps whose the messages of a turn are. Until the turn ends the head knows them.
func messages(c chat.ChannelID, h chat.Head, plan *chat.Plan, parts []chat.Part) []kv.Op {
	persona, e, turn := owned(h, plan)
	var ops []kv.Op
	for _, p := range parts {
		if p.Message == "" {
			continue
		}
		op := kv.Op{Verb: kv.Put, Key: messageKey(c, p.Message), Attrs: kv.Attrs{"event": string(e), "turn": int64(turn),
			"part": int64(p.K), "persona": persona, kv.TTL: time.Now().Add(messageLife).Unix()}}
		if p.Hook != "" {
			op.Attrs["hook"] = string(p.Hook)
		}
		if p.Dropped {
			op.Attrs["dropped"] = int64(1)
		}
		ops = append(ops, op)
	}
	return ops
}
