package discord

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
)

// How often what is kept is written.
const (
	keepChanged = time.Second
	keepAlive   = 20 * time.Second
	keepSpare   = 10 * time.Second // a relay that does not keep the shard looks this often after the one that does
)

// claim takes the shard before the first connection, unless another relay that is alive has it: then a session of our own
// is started next to its. A session is resumed only under the terms under which it was started.
func (s *shard) claim(ctx context.Context) {
	if s.kept.Held(s.r.owner, time.Now()) {
		s.stepBack()
		return
	}
	was := s.kept.Session
	if was.Shards == s.of && was.Intents == int(s.r.g.intents()) {
		if was.URL != "" {
			was.URL, _ = gatewayURL(was.URL, s.r.secure())
		}
		s.adopt(was)
	}
	s.keepOnce(ctx)
	if s.isSpare() {
		s.lose()
	}
}

// isSpare tells whether another relay keeps the shard.
func (s *shard) isSpare() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spare
}

// stepBack leaves the shard to another relay.
func (s *shard) stepBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = true
}

// keep writes what is to be kept until the context ends: at once when asked, soon after a change, and now and then to say
// that this relay is alive. A store that is away is tried again and stops nothing.
func (s *shard) keep(ctx context.Context) {
	for s.untilDue(ctx) {
		s.keepOnce(ctx)
	}
}

// untilDue waits until the state is to be kept; false when the context has ended.
func (s *shard) untilDue(ctx context.Context) bool {
	change, every := s.p.change, keepAlive
	if s.isSpare() {
		change, every = nil, keepSpare
	}
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-s.force:
			return true
		case <-timer.C:
			return true
		case <-change:
			change = nil // what else changes until then is kept with it
			timer.Reset(keepChanged)
		}
	}
}

// keepOnce writes once, or, where another relay keeps the shard, looks whether it still does.
func (s *shard) keepOnce(ctx context.Context) {
	ctx, done := context.WithTimeout(ctx, askLimit)
	defer done()
	spare := s.isSpare()
	var before chat.Shard
	if spare {
		var err error
		if before, err = s.r.relays.Shard(ctx, s.n); err != nil {
			slog.WarnContext(ctx, "what another relay keeps could not be read", "shard", s.n, "error", err)
			return
		}
		if before.Held(s.r.owner, time.Now()) {
			s.yieldTo(before)
			return
		}
	}
	state := s.p.state()
	if spare && s.p.gated() {
		state.Session, state.Watermark = before.Session, before.Watermark
	}
	err := s.write(ctx, state, time.Now())
	switch {
	case errors.Is(err, chat.ErrHeld):
		s.stepBack()
		if now, err := s.r.relays.Shard(ctx, s.n); err == nil {
			s.yieldTo(now)
		}
		slog.InfoContext(ctx, "another relay keeps the shard", "shard", s.n)
	case err != nil && ctx.Err() == nil:
		signal(s.p.change) // it is still to be written
		if time.Since(s.complained) >= keepAlive {
			s.complained = time.Now()
			slog.WarnContext(ctx, "the state of the shard could not be kept", "shard", s.n, "error", err)
		}
	case err == nil && spare:
		s.takeOver(before)
		slog.InfoContext(ctx, "keeping the shard after another relay", "shard", s.n)
	}
}

// write keeps a state as ours; with the zero time as of one who leaves.
func (s *shard) write(ctx context.Context, state chat.Shard, alive time.Time) error {
	state.Owner, state.Alive, state.Of = s.r.owner, alive, s.of
	return s.r.relays.Keep(ctx, s.n, state)
}

// yieldTo takes note of what the relay that keeps the shard does. If it goes on with our session, that is no longer ours.
func (s *shard) yieldTo(other chat.Shard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known != "" && other.Session.ID == s.known {
		s.taken = true
	}
	if s.missed != nil {
		s.missed.narrow(other.Watermark)
	}
}

// takeOver goes on where the relay that kept the shard stopped: what it had not put on the queue before our session began
// is read from the channels.
func (s *shard) takeOver(before chat.Shard) {
	s.mu.Lock()
	base := s.p.rebase(before)
	s.spare = false
	c := s.missed
	s.mu.Unlock()
	if c != nil {
		c.begin(base)
	}
}

// leave waits for what was taken to get on the queue, and keeps the state as one that the next relay may go on with at
// once.
func (s *shard) leave(ctx context.Context) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), leaveLimit)
	defer done()
	for !s.p.gated() && s.p.waiting() && ctx.Err() == nil {
		select {
		case <-s.p.moved:
		case <-ctx.Done():
			slog.WarnContext(ctx, "leaving with events that are not on the queue; they are given again to whoever resumes", "shard", s.n)
		}
	}
	if s.isSpare() {
		return
	}
	ctx, done = context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer done()
	if err := s.write(ctx, s.p.state(), time.Time{}); err != nil && !errors.Is(err, chat.ErrHeld) {
		slog.WarnContext(ctx, "the state of the shard could not be kept at the end", "shard", s.n, "error", err)
	}
}
