package discord

import (
	"context"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// forgetful is chat.Relays for a gateway that was given none: it lasts as long as the process.
type forgetful struct {
	mu     sync.Mutex
	shards map[int]chat.Shard
	starts []time.Time // the oldest first
}

var _ chat.Relays = (*forgetful)(nil)

// Shard reads what is kept.
func (f *forgetful) Shard(_ context.Context, n int) (chat.Shard, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shards[n], nil
}

// Keep writes it.
func (f *forgetful) Keep(_ context.Context, n int, s chat.Shard) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shards == nil {
		f.shards = map[int]chat.Shard{}
	}
	s.Watermark = newer(s.Watermark, f.shards[n].Watermark)
	f.shards[n] = s
	return nil
}

// Start counts a session.
func (f *forgetful) Start(_ context.Context, now time.Time) (time.Duration, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.starts) > 0 && now.Sub(f.starts[0]) >= 24*time.Hour {
		f.starts = f.starts[1:]
	}
	if len(f.starts) >= chat.SessionsDaily {
		return f.starts[0].Add(24 * time.Hour).Sub(now), nil
	}
	f.starts = append(f.starts, now)
	return 0, nil
}
