package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// release builds the transaction that ends a hold: the ledger's final row, the signal gone, and the channel free or given
// to the front of the mailbox. It is conditional on the mailbox as it was read, so nothing that arrives meanwhile is left
// behind. was is the head as read, conds what is demanded of it, fence what the head's fence becomes, row the operation
// that gives the event its final row.
func (s *Channels) release(ctx context.Context, c chat.ChannelID, was chat.Head, fence int64, row kv.Op, conds ...kv.Cond) (chat.Head, []kv.Op, error) {
	base := was
	base.Fence = fence
	is, popped, err := s.pop(ctx, c, base, time.Now())
	if err != nil {
		return was, nil, err
	}
	conds = append(conds, kv.Is("box", was.Box), sending(was))
	ops := []kv.Op{changes(c, was, is, conds...), row, unsignal(c)}
	return is, append(ops, popped...), nil
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

// EndTurn saves the turn, and hands over or releases.
func (s *Channels) EndTurn(ctx context.Context, h *chat.Hold, end chat.Ending) (*chat.Job, error) {
	turn := kv.Op{Verb: kv.Update, Key: key(h.Channel, turnSort(h.Event.ID, h.Head.Turn)), If: []kv.Cond{kv.Missing("status")},
		Set: kv.Attrs{"status": string(end.Row), "reason": end.Reason, "by": h.Head.Fence, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	persona := h.Plan.Turns[h.Head.Turn].Persona
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		is, ops, err := s.afterTurn(ctx, h.Channel, was, end)
		if err != nil {
			return was, nil, err
		}
		is.LastPersona = persona
		ops[0] = changes(h.Channel, was, is, ops[0].If...)
		return is, append(ops, turn), nil
	})
	if err != nil && !s.ended(ctx, h, err) {
		return nil, fmt.Errorf("end turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	return next(h.Channel, h.Head), nil
}

// ended tells whether a turn whose end failed was ended by this hold after all, the reply to its write lost: the turn then
// carries its fence. The hold's head becomes what the channel has made of it since.
func (s *Channels) ended(ctx context.Context, h *chat.Hold, err error) bool {
	if errors.Is(err, chat.ErrLost) {
		return false
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), chat.Call) // also when the process is leaving
	defer done()
	turn := turnSort(h.Event.ID, h.Head.Turn)
	got, err := s.read(ctx, h.Channel, "head", turn)
	if err != nil || !got[turn].Has("status") || got[turn].Int("by") != h.Head.Fence {
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
	return is, []kv.Op{changes(c, was, is, append(holding(was), sending(was))...)}, nil
}
