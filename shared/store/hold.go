package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Acquire takes the head when it waits for exactly the job, or is held for exactly it by a dead fence.
func (s *Channels) Acquire(ctx context.Context, j chat.Job, owner string) (chat.Acquired, error) {
	var out chat.Acquired
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, j.Channel, "head", "event#"+string(j.Event))
		if err != nil {
			return nil, err
		}
		now := time.Now()
		was := headOf(got["head"])
		switch {
		case !was.Names(j), was.Phase.Held() && !beatOf(got["head"]).Dead(was.Fence, now):
			if out = (chat.Acquired{}); was.Next {
				next := was.Job(j.Channel)
				out.Send = &next
			}
			return nil, nil
		}
		if out.Hold, err = holdOf(j, was, got); err != nil {
			return nil, err
		}
		if was.Waiting > 0 { // before the write: a read that fails after it would leave a channel that is held by nobody
			if out.Hold.Waiting, err = s.waiting(ctx, j.Channel); err != nil {
				return nil, err
			}
		}
		out.Hold.Head = acquired(was, owner, now)
		return acquire(j.Channel, was, out.Hold.Head, got["head"], now), nil
	})
	if err != nil && !s.owned(ctx, j, owner, &out) {
		return chat.Acquired{}, fmt.Errorf("acquire channel %s: %w", j.Channel, err)
	}
	if out.Hold != nil && earlier(out.Hold.Head) {
		if err := s.adopt(ctx, out.Hold); err != nil {
			return chat.Acquired{}, err
		}
	}
	return out, nil
}

// owned tells whether an acquire that failed was done after all, its reply lost: the head then carries this invocation's
// id.
func (s *Channels) owned(ctx context.Context, j chat.Job, owner string, out *chat.Acquired) bool {
	if out.Hold == nil {
		return false
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), chat.Call) // also when the process is leaving
	defer done()
	got, err := s.read(ctx, j.Channel, "head")
	if err != nil {
		return false
	}
	h := headOf(got["head"])
	if h.Owner != owner || !h.Phase.Held() || !h.Names(j) {
		return false
	}
	out.Hold.Head = h
	return true
}

// holdOf is what the worker will work with.
func holdOf(j chat.Job, was chat.Head, got map[string]kv.Item) (*chat.Hold, error) {
	e, err := decode[chat.Event](got["event#"+string(j.Event)], "body")
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", j.Event, err)
	}
	h := &chat.Hold{Channel: j.Channel, Head: was, Event: e, Fresh: !was.Begun, Failing: was.Starts+1 > chat.Poison,
		First: chat.Firsts{Asked: was.Asked, Heard: was.Heard}}
	if err := knows(h, got["head"]); err != nil {
		return nil, err
	}
	if earlier(was) {
		return h, nil
	}
	if err := planned(h); err != nil {
		return nil, err
	}
	return h, nil
}

// planned refuses a turn without a plan.
func planned(h *chat.Hold) error {
	if h.Plan == nil && h.Head.Phase.Queue() == chat.QueueReplies {
		return fmt.Errorf("event %s has no plan: %w", h.Event.ID, chat.ErrMissing)
	}
	return nil
}

// knows brings what a worker knows of its hold up to the head as it was read.
func knows(h *chat.Hold, head kv.Item) (err error) {
	if head.Has("plan") {
		p, err := decode[chat.Plan](head, "plan")
		if err != nil {
			return err
		}
		p.Event = h.Event.ID
		h.Plan = &p
	}
	if sig := beatOf(head).Signal; sig.For(h.Event.ID) {
		h.Signal = sig
	}
	h.Parts, err = partsOf(head)
	return err
}

func acquired(h chat.Head, owner string, now time.Time) chat.Head {
	h.Phase, h.Owner, h.Next, h.Begun = takenPhase(h.Phase), owner, false, true
	h.Fence++
	h.Starts++
	h.Due = soon(h.Due, now)
	return h
}

func takenPhase(p chat.Phase) chat.Phase {
	if p.Waiting() {
		return p.Taken()
	}
	return p // a takeover
}

// acquire is the compare-and-set on the head, with the first beat of the new fence. The signal is as it was read, so that
// whoever acquires after an accepted stop knows of it.
func acquire(c chat.ChannelID, was, is chat.Head, head kv.Item, now time.Time) []kv.Op {
	conds := append(signalAs(head), holding(was)...)
	switch {
	case !was.Phase.Held():
	case head.Has("aliveAt"):
		conds = append(conds, kv.Under("aliveAt", now.Add(-chat.DeadLimit).UnixMilli()))
	default: // held by an earlier version, which kept its beat elsewhere
		conds = append(conds, kv.Missing("aliveAt"))
	}
	op := changes(c, was, is, conds...)
	op.Set["aliveAt"], op.Set["progressAt"] = now.UnixMilli(), now.UnixMilli()
	return []kv.Op{op}
}

// waiting lists the events in the mailbox.
func (s *Channels) waiting(ctx context.Context, c chat.ChannelID) ([]chat.EventID, error) {
	mail, err := s.mailbox(ctx, c)
	if err != nil {
		return nil, err
	}
	ids := make([]chat.EventID, len(mail))
	for i, m := range mail {
		ids[i] = chat.EventID(m.String("event"))
	}
	return ids, nil
}

// page reads one page.
func (s *Channels) page(ctx context.Context, q kv.Query) (page kv.Page, err error) {
	err = patiently(ctx, func() (err error) {
		page, err = s.kv.Query(ctx, q)
		return err
	})
	return page, err
}

// mailbox reads the mailbox in its order. It is small: chat.MailboxCap items of a few bytes.
func (s *Channels) mailbox(ctx context.Context, c chat.ChannelID) ([]kv.Item, error) {
	var all []kv.Item
	q := kv.Query{Space: SpaceChannels, Partition: string(c), Prefix: "mail#"}
	for {
		page, err := s.page(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("read the mailbox of channel %s: %w", c, err)
		}
		all = append(all, page.Items...)
		if page.Next == "" {
			return all, nil
		}
		q.After = page.Next
	}
}

// Beat writes the sign of life under its fence, then reads the signal, so that a signal written before it is seen. Two beats
// may be under way; the earlier must not undo the later, on which the worker relies. Nor does one bring life back to a hold
// that has ended. Either refusal is told from a lost fence by the read.
func (s *Channels) Beat(ctx context.Context, c chat.ChannelID, e chat.EventID, fence int64, progress bool) (chat.Signal, error) {
	now := time.Now().UnixMilli()
	op := kv.Op{Verb: kv.Update, Key: key(c, "head"), Set: kv.Attrs{"aliveAt": now},
		If: []kv.Cond{kv.Is("fence", fence), kv.Under("aliveAt", now)}}
	if progress {
		op.Set["progressAt"] = now
	}
	err := patiently(ctx, func() error { return s.kv.Write(ctx, op) })
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return chat.Signal{}, fmt.Errorf("beat of channel %s: %w", c, err)
	}
	return s.Watch(ctx, c, e, fence)
}

// Watch reads the signal.
func (s *Channels) Watch(ctx context.Context, c chat.ChannelID, e chat.EventID, fence int64) (chat.Signal, error) {
	got, err := s.read(ctx, c, "head")
	if err != nil {
		return chat.Signal{}, err
	}
	b := beatOf(got["head"])
	if b.Fence != fence {
		return chat.Signal{}, chat.ErrLost
	}
	if !b.Signal.For(e) {
		return chat.Signal{}, nil
	}
	return b.Signal, nil
}

// Yield gives the head back to its waiting phase.
func (s *Channels) Yield(ctx context.Context, h *chat.Hold, kind chat.YieldKind, backoff time.Duration) (chat.Job, error) {
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		now := time.Now()
		is := waits(was, was.Phase.GivenBack(), now)
		is.Asked, is.Heard = h.First.Asked, h.First.Heard
		switch kind {
		case chat.Retry: // it comes back by itself after the backoff; the sweeper only if that is lost
			is.Starts, is.Retries = max(was.Starts-1, 0), was.Retries+1
			is.Due = now.Add(backoff + chat.SweepAfter)
		case chat.HandOver:
			is.Starts = 0
		}
		return is, []kv.Op{changes(h.Channel, was, is, append(holding(was), sending(was))...)}, nil
	})
	if err != nil {
		return chat.Job{}, fmt.Errorf("yield channel %s: %w", h.Channel, err)
	}
	return h.Head.Job(h.Channel), nil
}

// fenced writes what build makes of the hold's head, as long as condition F holds. The first operation is on the head: when
// it is refused, the head is read again, and either it is still ours (a send number, the mailbox or the signal moved, or an
// earlier try was done after all) and build decides again, or ErrLost. A refusal of another operation is the caller's to
// judge. Without an operation there is nothing left to do. After a lost reply the head may have moved on by our own hand;
// then the unknown outcome is the error, and the redelivery sends what is in the outbox.
func (s *Channels) fenced(ctx context.Context, h *chat.Hold, build func(chat.Head) (chat.Head, []kv.Op, error)) error {
	was := h.Head
	var unsure error
	for try := range attempts {
		is, ops, err := build(was)
		if err != nil {
			return err
		}
		if len(ops) > 0 {
			err = s.kv.Write(ctx, ops...)
		}
		var refused *kv.ConditionError
		switch {
		case err == nil:
			h.Head = is
			return nil
		case errors.As(err, &refused) && refused.Op != 0:
			if unsure != nil {
				err = errors.Join(err, unsure)
			}
			return err
		case !errors.Is(err, kv.ErrCondition) && !kv.Retryable(err):
			unsure = err
		}
		if err := pause(ctx, try); err != nil {
			return errors.Join(err, unsure)
		}
		got, err := s.read(ctx, h.Channel, "head")
		if err != nil {
			return errors.Join(err, unsure)
		}
		fresh := headOf(got["head"])
		if !sameHold(fresh, h.Head) {
			if unsure != nil {
				return unsure
			}
			return chat.ErrLost
		}
		if err := knows(h, got["head"]); err != nil {
			return err
		}
		was = fresh
	}
	if unsure != nil {
		return unsure
	}
	return chat.ErrRaced
}
