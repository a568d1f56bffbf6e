package app

import (
	"context"
	"errors"
	"log/slog"

	"tsumugi/shared/discord"
	"tsumugi/shared/queue"
)

// Listen holds a gateway session and relays its events until the context ends. Without the message content intent it goes
// on with what works, mentions, replies and direct messages, after it has told so with the remedy; tell may be nil. Its
// error is a *discord.Fatal when Discord refuses the bot until somebody changes its settings: whoever gets it must not call
// again unchanged, each attempt costs the token.
func Listen(ctx context.Context, g *discord.Gateway, s queue.Sender, tell func(fix string)) error {
	relay := NewRelay(s)
	err := g.Run(ctx, relay)
	fatal, ok := errors.AsType[*discord.Fatal](err)
	if !ok || !fatal.Intent || ctx.Err() != nil {
		return err
	}
	slog.WarnContext(ctx, "going on without the message content intent", "fix", fatal.Fix, "error", err)
	if tell != nil {
		tell(fatal.Fix)
	}
	g.MessageContent = false
	return g.Run(ctx, relay)
}
