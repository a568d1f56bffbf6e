package app

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// parkEvery is how often a process that is parked looks for other settings.
const parkEvery = time.Minute

// Relay is the relay of an installation, which runs in two forms: as a process (Run), and as a chain of short runs, of which
// one holds the gateway (Once). Both may be at work; the later one is a spare.
type Relay struct {
	Ports Ports
	// Token gives the bot's token: for "" the current one, and for one that was refused another, or the same when there is none.
	Token func(ctx context.Context, refused string) (string, error)
	// Gateway makes a gateway that only lacks what Relay sets: what it asks for, and what it keeps.
	Gateway func() *discord.Gateway
}

// Run holds the gateway until the context ends. When Discord refuses the bot it parks: to leave would make whatever runs the
// process start it again, and each start costs the token. It goes on when the settings have changed. Its spool has no file: a
// container's disk goes with the container, and what was not put on the queue is asked of Discord again.
func (r Relay) Run(ctx context.Context) error {
	owner, parked := rand.Text(), (*chat.Parked)(nil)
	for first := true; ; first = false {
		h, err := r.Ports.vitals().Health(ctx)
		if err != nil { // it is said to nobody else either, and what waits for the store is the gateway
			slog.WarnContext(ctx, "the relay's health could not be read", "error", err)
		}
		if h.Parked != nil {
			parked = h.Parked
		}
		g, settings, err := r.prepare(ctx, 0, parked)
		switch {
		case err != nil && first:
			return err
		case err != nil:
			slog.WarnContext(ctx, "the settings could not be read again", "error", err)
		case g == nil:
			r.stayParked(ctx, owner, parked)
		default:
			g.Owner = owner
			err := Listen(ctx, g, r.Ports, Listening{Settings: settings})
			fatal, refused := errors.AsType[*discord.Fatal](err)
			if !refused || ctx.Err() != nil {
				return err
			}
			slog.ErrorContext(ctx, "parked until the settings change", "error", err)
			parked = parkedBy(fatal, settings)
		}
		if pause(ctx, parkEvery) != nil {
			return nil
		}
	}
}

// prepare makes a gateway under the current settings, and gives their fingerprint; no gateway when a relay was parked under
// them. Then the token is asked for again, somebody may have changed it.
func (r Relay) prepare(ctx context.Context, most int, parked *chat.Parked) (*discord.Gateway, string, error) {
	token, err := r.Token(ctx, "")
	if err != nil {
		return nil, "", err
	}
	g := r.Gateway()
	g.MessageContent, g.MaxShards = true, most
	settings := Settings(token, g)
	if parked.Holds(settings, time.Now()) {
		if token, err = r.Token(ctx, token); err != nil {
			return nil, "", err
		}
		if settings = Settings(token, g); parked.Holds(settings, time.Now()) {
			return nil, "", nil
		}
	}
	g.Relays = NewRelays(r.Ports, token)
	return g, settings, nil
}

// stayParked says that somebody still looks for other settings.
func (r Relay) stayParked(ctx context.Context, owner string, parked *chat.Parked) {
	slog.WarnContext(ctx, "still parked", "fix", parked.Fix)
	newPulse(r.Ports.vitals(), owner).say(ctx, func(h *chat.Health) { h.Parked = parked })
}

// pause waits; it fails when the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
