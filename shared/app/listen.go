package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/queue"
)

// Listen holds the gateway sessions and relays their events until the context ends. Without the message content intent it goes
// on with what works, mentions, replies and direct messages, after it has told so with the remedy; tell may be nil. Its
// error is a *discord.Fatal when Discord refuses the bot until somebody changes its settings: whoever gets it must not call
// again unchanged, each attempt costs the token.
func Listen(ctx context.Context, g *discord.Gateway, s queue.Sender, tell func(fix string)) error {
	spool := straight{NewRelay(s)}
	err := g.Run(ctx, spool)
	fatal, ok := errors.AsType[*discord.Fatal](err)
	if !ok || !fatal.Intent || ctx.Err() != nil {
		return err
	}
	slog.WarnContext(ctx, "going on without the message content intent", "fix", fatal.Fix, "error", err)
	if tell != nil {
		tell(fatal.Fix)
	}
	g.MessageContent = false
	return g.Run(ctx, spool)
}

// straight is a chat.Spool without room: each event is on the queue before the next is taken.
type straight struct {
	send func(context.Context, chat.Event) error
}

// Put sends the event until the queue has it, or refuses it for good.
func (s straight) Put(ctx context.Context, e chat.Event, done func()) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 30*time.Second) {
		err := s.send(ctx, e)
		if err == nil || chat.Dropped(err) {
			if err != nil {
				slog.ErrorContext(ctx, "an event was given up", "event", string(e.ID), "channel", string(e.Channel), "error", err)
			}
			done()
			return nil
		}
		after := wait
		if d, ok := chat.Deferred(err); ok {
			after = max(d, wait)
		}
		slog.WarnContext(ctx, "an event could not be handed on", "event", string(e.ID), "channel", string(e.Channel), "error", err)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(after):
		}
	}
}
