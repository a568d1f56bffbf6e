package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// chainShards is how many shards a run of the chain holds at most: all of them change hands within a moment.
const chainShards = 4

// Times of a run of the chain.
const (
	leaveIn   = 30 * time.Second       // to leave in order: what was read goes on the queue, and what is kept is written
	heirEvery = 2 * time.Second        // it looks for its heir
	turnEvery = 100 * time.Millisecond // an heir looks whether it is its turn
	turnLimit = chat.RelayLimit + chat.HealthEvery
)

// Once is one run of the chain; each minute one begins. Where a relay is at work and settled it ends at once, after one read.
// Otherwise it holds the gateway until its context is about to end. When two thirds of that time are over it looks for an
// heir: the next run to begin makes ready, and this one leaves, whereupon the other resumes its sessions. Without an heir it
// stays to the end, and a run that begins later resumes them.
func (r Relay) Once(ctx context.Context) error {
	me, v := rand.Text(), r.Ports.vitals()
	h, err := v.Health(ctx)
	if err != nil || h.Settled(me, time.Now()) {
		return err
	}
	g, settings, err := r.prepare(ctx, chainShards, h.Parked)
	if err != nil {
		return err
	}
	if g == nil {
		r.stayParked(ctx, me, h.Parked)
		return nil
	}
	if !h.Held(me, time.Now()) { // of the runs that find this one goes on, and the others ask nothing of Discord
		if err := r.claim(ctx, me); err != nil {
			return unlessHeld(err)
		}
	}
	g.Owner = me
	g.Before = func(ctx context.Context, shards int) error {
		if err := r.claim(ctx, me); err != nil {
			return err
		}
		return r.vacant(ctx, g, shards)
	}
	return r.serve(ctx, g, settings)
}

// serve holds the gateway until it is time to leave.
func (r Relay) serve(ctx context.Context, g *discord.Gateway, settings string) error {
	from := time.Now().Add(365 * 24 * time.Hour) // without a deadline nobody need follow
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		from = time.Now().Add(left * 2 / 3)
		var done context.CancelFunc
		ctx, done = context.WithDeadlineCause(ctx, end.Add(-min(leaveIn, left/4)), chat.ErrHandOver)
		defer done()
	}
	var looking sync.WaitGroup
	me := g.Owner
	looking.Go(func() { r.look(ctx, me, from); leave(chat.ErrHandOver) })
	err := Listen(ctx, g, r.Ports, Listening{Settings: settings})
	leave(nil)
	looking.Wait()
	if _, refused := errors.AsType[*discord.Fatal](err); refused { // which the relay's health says, until it is mended
		slog.ErrorContext(ctx, "parked until the settings change", "error", err)
		return nil
	}
	return unlessHeld(err)
}

// claim waits until nobody else is at work, and is then at work: at once where nobody was, else when the one who is has left
// for its heir or died. It fails with chat.ErrHeld where another goes on.
func (r Relay) claim(ctx context.Context, me string) error {
	v := r.Ports.vitals()
	for end := time.Now().Add(turnLimit); ; {
		h, err := v.Health(ctx)
		switch now := time.Now(); {
		case err != nil: // the store may be back in a moment
		case !h.Held(me, now):
			if err = v.Say(ctx, chat.Health{Owner: me, Alive: now, Version: Version}); err == nil {
				return nil
			}
		case h.Settled(me, now):
			return chat.ErrHeld
		case h.Heir != me:
			if err = v.Name(ctx, me, now); errors.Is(err, chat.ErrHeld) {
				return err
			}
		}
		if time.Now().After(end) {
			return cmp.Or(err, chat.ErrHeld)
		}
		if err := pause(ctx, turnEvery); err != nil {
			return err
		}
	}
}

// vacant waits until no dead relay holds a shard: next to a holder a session of our own would be started.
func (r Relay) vacant(ctx context.Context, g *discord.Gateway, shards int) error {
	end := time.Now().Add(chat.RelayLimit)
	for i := 0; i < shards && time.Now().Before(end); {
		s, err := g.Relays.Shard(ctx, i)
		if err != nil || !s.Held(g.Owner, time.Now()) {
			i++ // the gateway waits for the store by itself
			continue
		}
		if err := pause(ctx, turnEvery); err != nil {
			return err
		}
	}
	return nil
}

// look returns when it is time to leave: an heir is named whom we have looked for since the time, or another is at work in our
// place.
func (r Relay) look(ctx context.Context, me string, from time.Time) {
	v, mine := r.Ports.vitals(), false
	for pause(ctx, max(heirEvery, min(chat.HealthEvery, time.Until(from)))) == nil {
		h, err := v.Health(ctx)
		now := time.Now()
		switch mine = mine || h.Owner == me; {
		case err != nil:
		case mine && h.Held(me, now):
			slog.WarnContext(ctx, "another relay is at work in place of this one")
			return
		case h.Owner != me || now.Before(from):
		case !h.Wants:
			err = v.Want(ctx, me)
		case h.Heir != "" && now.Sub(h.HeirAt) < chat.RelayLimit:
			slog.InfoContext(ctx, "the next run is ready")
			return
		}
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the relay could not look for its heir", "error", err)
		}
	}
}

// unlessHeld lets a run end in peace where another is at work.
func unlessHeld(err error) error {
	if errors.Is(err, chat.ErrHeld) {
		return nil
	}
	return err
}
