package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
)

// Outbox sends jobs to the queues of the channel's workers: group = channel, deduplication id = the job's.
type Outbox struct{ Sender Sender }

// Send puts the job on its queue.
func (o Outbox) Send(ctx context.Context, j chat.Job) error {
	body, err := Encode(j)
	if err != nil {
		return fmt.Errorf("send job %s: %w", j.Dedup(), err)
	}
	return o.Sender.Send(ctx, j.Queue, Message{Group: string(j.Channel), Dedup: j.Dedup(), Body: body})
}

// Relay puts events on the ingress queue: group = channel, or the guild where it is about one, deduplication id = what happened to which message, so two
// relays on one token put an event there once.
type Relay struct{ Sender Sender }

// Send puts the event on the ingress queue.
func (r Relay) Send(ctx context.Context, e chat.Event) error {
	body, err := Encode(e)
	if err != nil {
		return fmt.Errorf("send event %s: %w", e.ID, err)
	}
	dedup := string(e.ID)
	switch e.What {
	case chat.Edited:
		dedup = fmt.Sprintf("%s-edited-%d", e.ID, e.At.UnixMilli())
	case chat.Deleted:
		dedup += "-deleted"
	case chat.ChannelUpdated, chat.ChannelDeleted, chat.GuildUpdated, chat.GuildDeleted: // a thread has the id of its first message
		dedup = fmt.Sprintf("%s-%s-%d", e.ID, e.What, e.At.UnixMilli())
	}
	err = r.Sender.Send(ctx, Ingress, Message{Group: cmp.Or(string(e.Channel), e.Guild), Dedup: dedup, Body: body})
	if errors.Is(err, ErrInvalid) || errors.Is(err, ErrTooLarge) {
		return chat.Drop(err) // it would be refused for ever, and hold up all that comes after it
	}
	return err
}

// Events makes a handler of the ingress queue out of what is done with one event.
func Events(do func(context.Context, chat.Event) error) func(context.Context, Delivery) error {
	return func(ctx context.Context, d Delivery) error {
		var e chat.Event
		if err := Decode(d.Body, &e); err != nil {
			return err
		}
		e.Received = time.Now()
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
		a := chat.Attempt{Queue: name, Event: j.Event, Channel: j.Channel, Turn: j.Turn}
		return chat.Trace(ctx, a, func(ctx context.Context) error { return do(ctx, j, d) })
	}
}
