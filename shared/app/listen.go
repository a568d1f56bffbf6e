package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/queue"
	"tsumugi/shared/store"
)

// drain is how long the spool still sends when the gateway has ended, which has waited for it already.
const drain = 3 * time.Second

// NewRelays keeps what the relays of one bot leave for each other. They are kept under a name that is made of the token: one
// that was changed begins anew, and from the name nobody finds the token.
func NewRelays(p Ports, token string) chat.Relays {
	sum := sha256.Sum256([]byte(token))
	return store.NewRelays(p.KV, hex.EncodeToString(sum[:6]))
}

// Listen holds the gateway sessions and relays their events until the context ends, through a spool with the given file;
// "" keeps events in memory only. What the spool has then is still sent for a while.
//
// Without the message content intent it goes on with what works, mentions, replies and direct messages, after it has told so
// with the remedy; tell may be nil. Its error is a *discord.Fatal when Discord refuses the bot until somebody changes its
// settings: whoever gets it must not call again unchanged, each attempt costs the token.
func Listen(ctx context.Context, g *discord.Gateway, p Ports, file string, tell func(fix string)) error {
	spool, err := queue.NewSpool(p.Queues, queue.SpoolOptions{Path: file, Drain: drain})
	if err != nil {
		return err
	}
	sending, stop := context.WithCancel(context.WithoutCancel(ctx)) // the gateway waits for it, so it outlives the gateway
	ended := make(chan error, 1)
	go func() { ended <- spool.Run(sending) }()
	err = listen(ctx, g, spool, tell)
	stop()
	return errors.Join(err, <-ended)
}

func listen(ctx context.Context, g *discord.Gateway, spool chat.Spool, tell func(fix string)) error {
	err := g.Run(ctx, spool)
	fatal, ok := errors.AsType[*discord.Fatal](err)
	if !ok || !fatal.Intent {
		return err
	}
	if ctx.Err() != nil {
		return nil // it would have gone on
	}
	slog.WarnContext(ctx, "going on without the message content intent", "fix", fatal.Fix, "error", err)
	if tell != nil {
		tell(fatal.Fix)
	}
	g.MessageContent = false
	return g.Run(ctx, spool)
}
