package store

import (
	"context"
	"fmt"
	"maps"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Offer decides on the channel as it is read and writes under the condition that it still is so.
func (s *Channels) Offer(ctx context.Context, e chat.Event, w chat.Wish) (chat.Offered, error) {
	var out chat.Offered
	err := s.contend(ctx, func() ([]kv.Op, error) {
		got, err := s.read(ctx, e.Channel, "head", "event#"+string(e.ID))
		if err != nil {
			return nil, err
		}
		if row, ok := got["event#"+string(e.ID)]; ok {
			out = repeated(e.Channel, headOf(got["head"]), row)
			return nil, nil
		}
		if h := headOf(got["head"]); h.Phase != chat.Free && h.User == e.Author.ID { // only who is answered may get to the front
			front, err := s.read(ctx, e.Channel, mailStop, mailFollowUp)
			if err != nil {
				return nil, err
			}
			maps.Copy(got, front)
		}
		o := offer{e: e, w: w, now: time.Now(), head: headOf(got["head"]), got: got}
		ops, err := o.ops()
		out = o.out
		return ops, err
	})
	if err != nil {
		return chat.Offered{}, fmt.Errorf("offer event %s: %w", e.ID, err)
	}
	return out, nil
}

// repeated answers an offer that was made before: the stored row stands, and what is still in the outbox is sent again.
func repeated(c chat.ChannelID, h chat.Head, row kv.Item) chat.Offered {
	out := chat.Offered{Row: chat.Row(row.String("row")), Reason: row.String("reason"), Repeat: true}
	if h.Next {
		j := h.Job(c)
		out.Send = &j
	}
	return out
}

// offer is one attempt to place an event.
type offer struct {
	e    chat.Event
	w    chat.Wish
	now  time.Time
	head chat.Head
	got  map[string]kv.Item
	out  chat.Offered
}

func (o *offer) ops() ([]kv.Op, error) {
	_, stopWaits := o.got[mailStop]
	move, reason := chat.Decide(o.head, beatOf(o.got["head"]), stopWaits, o.e, o.w, o.now)
	o.out = chat.Offered{Row: chat.Mailed, Reason: reason}
	switch move {
	case chat.MoveGrant:
		return o.grant(reason)
	case chat.MoveMail:
		h := o.head
		h.Tail++
		return o.mail(h, o.e.Kind(), mailTail(h.Tail), reason)
	case chat.MoveStop:
		ops, err := o.mail(o.head, chat.StopAsk, mailStop, reason)
		if err != nil {
			return nil, err
		}
		ops[1].Attrs["target"] = string(o.head.Event)
		o.signal(&ops[0], chat.SignalStop)
		return ops, nil
	case chat.MoveFollowUp:
		return o.followUp(reason)
	}
	return o.none(reason)
}

// none writes the row alone: a statement about this event, whatever the channel does meanwhile.
func (o *offer) none(reason string) ([]kv.Op, error) {
	o.out.Row = chat.Ignored
	if chat.RefusalOf(reason, o.w) {
		o.out.Row = chat.Refused
	}
	row, err := ledgerRow(o.e, o.out.Row, chat.Ordinary, reason, o.now)
	ops := []kv.Op{row}
	if reason == "mailbox_full" { // unless room was made meanwhile
		ops = append(ops, kv.Op{Verb: kv.Check, Key: key(o.e.Channel, "head"), If: []kv.Cond{kv.Is("box", o.head.Box)}})
	}
	return ops, err
}

func (o *offer) grant(reason string) ([]kv.Op, error) {
	o.out.Row = chat.Granted
	o.measure()
	row, err := ledgerRow(o.e, chat.Granted, o.e.Kind(), reason, o.now)
	if err != nil {
		return nil, err
	}
	h := granted(o.head, o.e.ID, o.e.Author.ID, o.e.Kind(), o.now)
	h.Guild = o.e.Guild
	if !o.e.Received.IsZero() {
		h.From = o.e.Received
	}
	j := h.Job(o.e.Channel)
	o.out.Send = &j
	return []kv.Op{changes(o.e.Channel, o.head, h, kv.Missing("event"), as(o.got["head"], "n")), row}, nil
}

// measure notes with the event how long it took to decide on it.
func (o *offer) measure() {
	if !o.e.Received.IsZero() {
		o.e.Admission = o.now.Sub(o.e.Received)
	}
}

// mail puts the event into the mailbox of a channel that is busy with what was decided on. The head comes first, so that
// a lost race is told by it.
func (o *offer) mail(h chat.Head, kind chat.Kind, sort, reason string, old ...kv.Cond) ([]kv.Op, error) {
	o.measure()
	ops, err := mailed(o.e, kind, sort, reason, o.now, old...)
	if err != nil {
		return nil, err
	}
	h.Box++
	h.Waiting++
	head := changes(o.e.Channel, o.head, h, kv.Is("event", string(o.head.Event)), kv.Is("box", o.head.Box))
	return append([]kv.Op{head}, ops...), nil
}

// followUp takes the place of an earlier follow-up and asks the hold to end, unless a stop asks that already.
func (o *offer) followUp(reason string) ([]kv.Op, error) {
	h := o.head
	h.FollowUps++
	old, waits := o.got[mailFollowUp]
	var conds []kv.Cond
	if waits {
		h.Waiting--
		conds = []kv.Cond{as(old, "event")}
	}
	ops, err := o.mail(h, chat.FollowUp, mailFollowUp, reason, conds...)
	if err != nil {
		return nil, err
	}
	if waits {
		ops = append(ops, disposed(o.e.Channel, chat.EventID(old.String("event")), chat.Mailed, chat.Superseded, "superseded_follow_up", o.now))
	}
	if pending := beatOf(o.got["head"]).Signal; !pending.For(o.head.Event) || !pending.Kind.Final() {
		o.signal(&ops[0], chat.SignalFollowUp)
	}
	return ops, nil
}

// signal asks the hold to end, in the operation on its head.
func (o *offer) signal(head *kv.Op, kind chat.SignalKind) {
	signal(head, chat.Signal{Hold: o.head.Event, Kind: kind, By: o.e.ID, At: o.now}, o.got["head"])
}
