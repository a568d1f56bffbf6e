package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Overdue lists channels for the sweeper.
func (s *Channels) Overdue(ctx context.Context, limit int) ([]chat.Overdue, error) {
	var items []kv.Item
	err := patiently(ctx, func() (err error) {
		items, err = s.kv.Due(ctx, SpaceChannels, time.Now(), limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list overdue channels: %w", err)
	}
	var out []chat.Overdue
	for _, item := range items {
		if item.Key.Sort == "head" {
			out = append(out, chat.Overdue{Channel: chat.ChannelID(item.Key.Partition), Head: headOf(item)})
		}
	}
	return out, nil
}

// Resend renews what an overdue channel waits for. A live holder's channel is only looked at again later.
func (s *Channels) Resend(ctx context.Context, o chat.Overdue) (*chat.Job, error) {
	now := time.Now()
	was := o.Head
	if now.Sub(was.Since) > ageLimit {
		if job, err := s.bury(ctx, o.Channel, was.Job(o.Channel), "age_limit"); err != nil || job.ended {
			return job.send, err
		}
	}
	is := was
	conds := []kv.Cond{kv.Is("phase", string(was.Phase)), kv.Is("event", string(was.Event)), kv.Is("turn", int64(was.Turn)),
		kv.Is("fence", was.Fence), sending(was)}
	if was.Phase.Held() {
		got, err := s.read(ctx, o.Channel, "head") // what is due may have been listed a while ago
		if err != nil {
			return nil, err
		}
		conds = append(conds, as(got["head"], "aliveAt"))
		if !beatOf(got["head"]).Dead(was.Fence, now) {
			is.Due = now.Add(chat.DeadLimit)
			_, err := s.unlessMoved(ctx, o.Channel, changes(o.Channel, was, is, conds...))
			return nil, err
		}
	} else {
		is.Next = true
	}
	is.N++
	is.Sweeps++
	is.Due = now.Add(min(chat.SweepAfter<<min(was.Sweeps+1, 6), chat.SweepAtMost))
	if done, err := s.unlessMoved(ctx, o.Channel, changes(o.Channel, was, is, conds...)); err != nil || !done {
		return nil, err
	}
	j := is.Job(o.Channel)
	return &j, nil
}

// unlessMoved writes and tells whether it did: a channel that is no longer as it was listed needs nothing. After a lost
// reply the channel has moved, and is listed again when it is due.
func (s *Channels) unlessMoved(ctx context.Context, c chat.ChannelID, op kv.Op) (bool, error) {
	err := patiently(ctx, func() error { return s.kv.Write(ctx, op) })
	if errors.Is(err, kv.ErrCondition) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("sweep channel %s: %w", c, err)
	}
	return true, nil
}

// Bury ends the hold that a dead job names exactly.
func (s *Channels) Bury(ctx context.Context, j chat.Job, reason string) (*chat.Job, error) {
	b, err := s.bury(ctx, j.Channel, j, reason)
	return b.send, err
}

type buried struct {
	ended bool
	send  *chat.Job
	turn  *chat.Sample // the turn that ended with the hold
	fence int64        // of whoever had begun it
}

// cutShort is what is known of a turn that somebody had begun when its hold was ended.
func cutShort(was chat.Head, got map[string]kv.Item) *chat.Sample {
	h := chat.Hold{Head: was, First: chat.Firsts{Asked: was.Asked, Heard: was.Heard}}
	if e, err := decode[chat.Event](got["event#"+string(was.Event)], "body"); err == nil {
		h.Event = e
	} else {
		h.Event.ID = was.Event
	}
	_ = knows(&h, got["head"]) // as far as it can be read
	h.First.Shown, _ = chat.SnowflakeTime(string(chat.TurnState{Parts: h.Parts}.Recorded(0)))
	s := h.Sample()
	return &s
}

// bury is the undertaker's transaction. The fence is raised, so a worker that was only slow changes nothing any more.
func (s *Channels) bury(ctx context.Context, c chat.ChannelID, j chat.Job, reason string) (buried, error) {
	var out buried
	err := s.contend(ctx, func() ([]kv.Op, error) {
		out = buried{}
		got, err := s.read(ctx, c, "head", "event#"+string(j.Event))
		if err != nil {
			return nil, err
		}
		now := time.Now()
		was := headOf(got["head"])
		if !was.Names(j) || was.Phase.Held() && !beatOf(got["head"]).Dead(was.Fence, now) {
			out.send = next(c, was) // as for any stale message: an undertaker may have died before it sent this
			return nil, nil
		}
		row := disposed(c, was.Event, chat.Granted, chat.Failed, reason, now)
		if _, kept := got["event#"+string(j.Event)]; !kept { // the hold outlived its row, or the channel would never be free
			row = kv.Op{Verb: kv.Put, Key: eventKey(c, was.Event), If: []kv.Cond{kv.Missing("")}, Attrs: kv.Attrs{
				"row": string(chat.Failed), "reason": reason, "at": now.UnixMilli(), kv.TTL: now.Add(chat.LedgerLife).Unix()}}
		}
		is, ops, err := s.release(ctx, c, was, was.Fence+1, row, holding(was)...)
		if err != nil {
			return nil, err
		}
		ops[0].If = append(ops[0].If, as(got["head"], "rev")) // a holder that only stalled may have recorded a message meanwhile
		if was.Phase.Held() {                                 // and the holder is as dead as it was read
			ops[0].If = append(ops[0].If, as(got["head"], "aliveAt"))
		}
		ops = append(ops, current(c, got["head"])...)
		out = buried{ended: true, send: next(c, is)}
		if was.Turns > 0 && was.Begun {
			out.turn, out.fence = cutShort(was, got), was.Fence
		}
		return append(ops, deadItem(c, j.Event, j.Queue, reason, got["event#"+string(j.Event)].Bytes("body"), now)), nil
	})
	if err != nil {
		return buried{}, fmt.Errorf("bury event %s: %w", j.Event, err)
	}
	if out.turn != nil {
		chat.Ended(chat.With(ctx, "fence", out.fence), *out.turn)
	}
	return out, nil
}

// deadItem keeps what could not be handled for an admin to redrive.
func deadItem(c chat.ChannelID, e chat.EventID, queue, reason string, body []byte, now time.Time) kv.Op {
	return kv.Op{Verb: kv.Put, Key: key(c, "dead#"+string(e)), Attrs: kv.Attrs{"queue": queue, "reason": reason,
		"body": append([]byte{}, body...), "at": now.UnixMilli(), kv.TTL: now.Add(deadLife).Unix()}}
}

// BuryEvent records an event that was never offered.
func (s *Channels) BuryEvent(ctx context.Context, e chat.Event, reason string) error {
	now := time.Now()
	body, err := encode(e)
	if err != nil {
		return err
	}
	row, err := ledgerRow(e, chat.Failed, chat.Ordinary, reason, now)
	if err != nil {
		return err
	}
	err = patiently(ctx, func() error {
		return s.kv.Write(ctx, row, deadItem(e.Channel, e.ID, "ingress", reason, body, now))
	})
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return fmt.Errorf("bury event %s: %w", e.ID, err)
	}
	return nil
}
