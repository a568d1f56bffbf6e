package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/queue"
	"tsumugi/shared/store"
)

// drain is how long the spool still sends when the gateway has ended, which has waited for it already.
const drain = 3 * time.Second

// NewRelays keeps what the relays of one bot leave for each other, under the id of the bot, which is the first part of its token:
// with a new token the same bot goes on where it was. What is no token of Discord's is made a name of that does not tell it.
// Until 2026-11-30 that was the name of every token; what was kept under it has ended by 2027-06-01, when Formerly may go.
func NewRelays(p Ports, token string) chat.Relays {
	sum := sha256.Sum256([]byte(token))
	name := hex.EncodeToString(sum[:6])
	first, _, _ := strings.Cut(token, ".")
	if id, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(first, "=")); err == nil {
		if _, ok := chat.SnowflakeTime(string(id)); ok {
			return store.NewRelays(p.KV, string(id)).Formerly(name)
		}
	}
	return store.NewRelays(p.KV, name)
}

// Settings is a fingerprint of what Discord may refuse: the token, and what is asked for with it. From it nobody finds the
// token.
func Settings(token string, g *discord.Gateway) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %t %d %d %s", token, g.MessageContent, g.Shards, g.MaxShards, Version))
	return hex.EncodeToString(sum[:6])
}

// Listening is how Listen listens.
type Listening struct {
	File     string           // of the spool; "" keeps events in memory only
	Settings string           // fingerprint of the settings, for whoever finds the relay parked
	Tell     func(fix string) // is told what is missing, and how to get it; nil: nobody is
}

// Listen holds the gateway sessions and relays their events until the context ends, and says how it is meanwhile. What the
// spool has then is still sent for a while.
//
// Without the message content intent it goes on with what works, mentions, replies and direct messages, after it has told so
// with the remedy. Its error is a *discord.Fatal when Discord refuses the bot until somebody changes its settings: whoever
// gets it must not call again unchanged, each attempt costs the token.
func Listen(ctx context.Context, g *discord.Gateway, p Ports, o Listening) error {
	spool, err := queue.NewSpool(p.Queues, queue.SpoolOptions{Path: o.File, Drain: drain})
	if err != nil {
		return err
	}
	g.Owner = cmp.Or(g.Owner, rand.Text())
	health := newPulse(p.vitals(), g.Owner)
	g.OnShards = health.shards
	sending, stop := context.WithCancel(context.WithoutCancel(ctx)) // the gateway waits for it, so it outlives the gateway
	defer stop()
	ended, silent := make(chan error, 1), make(chan struct{})
	go func() { ended <- spool.Run(sending) }()
	go func() { health.run(sending); close(silent) }()
	err = listen(ctx, g, spool, o.Tell)
	stop()
	<-silent
	err = errors.Join(err, <-ended)
	health.end(ctx, err, o.Settings)
	return err
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
