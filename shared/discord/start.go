package discord

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// identifyEvery is the window in which Discord lets max_concurrency sessions start, one in each bucket of shards (docs,
// events/gateway, "Rate Limiting").
const identifyEvery = 5 * time.Second

// starts keeps the sessions that this process starts apart, bucket by bucket.
type starts struct {
	mu      sync.Mutex
	buckets map[int]*startBucket
}

type startBucket struct {
	turn chan struct{} // holds one while somebody starts a session
	last time.Time     // a session was started; who has the turn may look
}

// turn waits until a session of the bucket may be started. The caller must give it back, and tell whether it sent an
// IDENTIFY.
func (s *starts) turn(ctx context.Context, bucket int) (func(sent bool), error) {
	s.mu.Lock()
	if s.buckets == nil {
		s.buckets = map[int]*startBucket{}
	}
	b := s.buckets[bucket]
	if b == nil {
		b = &startBucket{turn: make(chan struct{}, 1)}
		s.buckets[bucket] = b
	}
	s.mu.Unlock()
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if wait := identifyEvery - time.Since(b.last); wait > 0 {
		if err := pause(ctx, wait); err != nil {
			<-b.turn
			return nil, err
		}
	}
	var once sync.Once
	return func(sent bool) {
		once.Do(func() {
			if sent {
				b.last = time.Now()
			}
			<-b.turn
		})
	}, nil
}

// look asks Discord, without cost, whether a session may be started and would be accepted.
func (g *Gateway) look(ctx context.Context) (GatewayInfo, error) {
	info, err := g.gateway(ctx)
	if err != nil {
		return info, err
	}
	if g.MessageContent {
		app, err := g.REST.Application(ctx)
		switch {
		case unauthorized(err):
			return info, newFatal(closeAuthentication, false)
		case err != nil: // the gateway will say the same, for the price of a session
			slog.WarnContext(ctx, "the application could not be read", "error", err)
		case !app.MessageContent:
			return info, newFatal(closeDisallowed, true)
		}
	}
	if info.Total > 0 && info.Remaining <= 0 {
		slog.ErrorContext(ctx, "discord allows no new session today", "until", time.Now().Add(info.ResetAfter).UTC().Format(time.RFC3339))
		if err := pause(ctx, info.ResetAfter); err != nil {
			return info, err
		}
	}
	return info, nil
}

// prepare finds where to start a session, and waits for the turn to do so.
func (s *shard) prepare(ctx context.Context) (string, func(sent bool), error) {
	info, err := s.r.g.look(ctx)
	if err != nil {
		return "", nil, err
	}
	address, ok := gatewayURL(info.URL, false)
	if !ok {
		return "", nil, errBadURL
	}
	turn, err := s.starts.turn(ctx, s.n%info.MaxConcurrency)
	return address, turn, err
}

var errBadURL = errors.New("the address of the gateway is not a valid URL")

// errUncounted says that a session must not be started now.
type errUncounted struct {
	wait  time.Duration
	cause error // of the store; nil when too many were started
}

// Error gives the reason.
func (e *errUncounted) Error() string {
	if e.cause != nil {
		return "the new gateway session could not be counted: " + e.cause.Error()
	}
	return "too many gateway sessions were started; something ends them"
}

// Unwrap gives the cause.
func (e *errUncounted) Unwrap() error { return e.cause }

// count counts the session that is about to be started.
func (s *shard) count(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, askLimit)
	defer done()
	wait, err := s.r.relays.Start(ctx, time.Now())
	if err != nil || wait > 0 {
		return &errUncounted{wait, err}
	}
	return nil
}
