package queue

import (
	"cmp"
	"context"
	"fmt"

	"tsumugi/shared/chat"
)

// Errands puts interactions on the commands queue. The group is the server, in direct messages the person: one that keeps the
// workers waiting (with a provider that hardly answers) keeps nobody else's commands. The deduplication id is the interaction's.
type Errands struct{ Sender Sender }

var _ chat.Errands = Errands{}

// Defer puts the interaction on its queue, with the token that its answer needs.
func (e Errands) Defer(ctx context.Context, i chat.Interaction) error {
	body, err := Encode(i)
	if err != nil {
		return fmt.Errorf("defer interaction %s: %w", i.ID, err)
	}
	return e.Sender.Send(ctx, Commands, Onward(ctx, Message{Group: cmp.Or(i.Guild, string(i.User)), Dedup: string(i.ID), Body: body}))
}

// Entrance puts events on the ingress queue, as the relay does.
type Entrance struct{ Sender Sender }

var _ chat.Ingress = Entrance{}

// Enter puts the event on its queue.
func (e Entrance) Enter(ctx context.Context, event chat.Event) error {
	m, err := OfEvent(event)
	if err != nil {
		return err
	}
	return e.Sender.Send(ctx, Ingress, Onward(ctx, m))
}

// Interactions makes a handler of the commands queue out of what is done with one interaction.
func Interactions(do func(context.Context, chat.Interaction) error) func(context.Context, Delivery) error {
	return func(ctx context.Context, d Delivery) error {
		var i chat.Interaction
		if err := Decode(d.Body, &i); err != nil {
			return err
		}
		a := chat.Attempt{Queue: Commands, Event: i.ID, Channel: i.Channel}
		ctx = chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel))
		return chat.Trace(ctx, a, func(ctx context.Context) error { return do(ctx, i) })
	}
}
