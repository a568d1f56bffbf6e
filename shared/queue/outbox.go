package queue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"time"

	"tsumugi/shared/chat"
)

// Outbox sends jobs to the queues of the channel's workers: group = channel, deduplication id = the job's.
type Outbox struct{ Sender Sender }

// Send puts the job on its queue, unless its chain is too long (chat.MaxHops).
func (o Outbox) Send(ctx context.Context, j chat.Job) error {
	ctx = chat.About(ctx, j.Event)
	if hops := chat.ChainOf(ctx).Hops; hops >= chat.MaxHops {
		chat.Mark(ctx, chat.MarkHops)
		slog.ErrorContext(ctx, "the chain of messages is too long, its next job waits for the sweeper", "queue", j.Queue, "hops", hops)
		return nil
	}
	body, err := Encode(j)
	if err != nil {
		return fmt.Errorf("send job %s: %w", j.Dedup(), err)
	}
	return o.Sender.Send(ctx, j.Queue, Onward(ctx, Message{Group: string(j.Channel), Dedup: j.Dedup(), Body: body}))
}

// Onward is the message as the next of the context's chain.
func Onward(ctx context.Context, m Message) Message {
	c := chat.ChainOf(ctx)
	attrs := map[string]string{AttrHops: strconv.Itoa(c.Hops + 1)}
	if c.Trace != "" {
		attrs[AttrTrace] = c.Trace
	}
	maps.Copy(attrs, m.Attrs)
	m.Attrs = attrs
	return m
}

// chainOf reads the chain of a message. Every delivery of it has the same. What is no number counts as a beginning, and a number
// beyond all bounds as a chain that is too long.
func chainOf(m Message) chat.Chain {
	hops, _ := strconv.Atoi(m.Attrs[AttrHops]) // 0 of no number, and the largest of one beyond it
	return chat.Chain{Hops: min(max(hops, 0), chat.MaxHops), Trace: m.Attrs[AttrTrace]}
}

// OfEvent is the message of the ingress queue that carries an event.
//
// Its group is the event's channel, or the guild that the event is about. Its deduplication id is the same whichever relay
// sends it, so that two relays on one token put an event there once: for a message its id and what happened to it, with the
// time of an edit. Channels and guilds have no number that counts their changes, so theirs has a hash of what is told of
// them; when it was told does not count, for each relay has its own clock. Within Window the same news is therefore told once.
func OfEvent(e chat.Event) (Message, error) {
	body, err := Encode(e)
	if err != nil {
		return Message{}, fmt.Errorf("encode event %s: %w", e.ID, err)
	}
	m := Message{Group: cmp.Or(string(e.Channel), string(e.ID)), Dedup: string(e.ID), Body: body}
	switch e.What {
	case chat.Said:
	case chat.Edited:
		m.Dedup = fmt.Sprintf("%s-edited-%d", e.ID, e.At.UnixMilli())
	case chat.Deleted:
		m.Dedup += "-deleted"
	default:
		e.At, e.Received = time.Time{}, time.Time{}
		told, err := Encode(e)
		if err != nil {
			return Message{}, fmt.Errorf("encode event %s: %w", e.ID, err)
		}
		sum := sha256.Sum256([]byte(told))
		m.Dedup = fmt.Sprintf("%s-%s-%x", e.ID, e.What, sum[:8])
	}
	return m, nil
}

// Events makes a handler of the ingress queue out of what is done with one event.
func Events(do func(context.Context, chat.Event) error) func(context.Context, Delivery) error {
	return func(ctx context.Context, d Delivery) error {
		var e chat.Event
		if err := Decode(d.Body, &e); err != nil {
			return err
		}
		e.Received = time.Now()
		ctx = chat.About(chat.With(ctx, "event", string(e.ID), "channel", string(e.Channel)), e.ID)
		a := chat.Attempt{Queue: Ingress, Event: e.ID, Channel: e.Channel}
		return chat.Trace(ctx, a, func(ctx context.Context) error { return do(ctx, e) })
	}
}

// Jobs makes a handler of the turns or replies queue out of what is done with one job. name is the live queue also where
// the delivery comes from its dead letters.
func Jobs(name string, do func(context.Context, chat.Job, chat.Delivery) error) func(context.Context, Delivery) error {
	return func(ctx context.Context, d Delivery) error {
		j := chat.Job{Queue: name}
		if err := Decode(d.Body, &j); err != nil {
			return err
		}
		if j.Channel == "" || j.Event == "" { // there is no channel that it could be of use to
			return chat.Drop(fmt.Errorf("job of no channel or event: %w", ErrMalformed))
		}
		ctx = chat.About(chat.WithJob(ctx, j), j.Event)
		a := chat.Attempt{Queue: name, Event: j.Event, Channel: j.Channel, Turn: j.Turn}
		return chat.Trace(ctx, a, func(ctx context.Context) error { return do(ctx, j, d) })
	}
}
