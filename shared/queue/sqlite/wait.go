package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// bell wakes everybody who waits at a queue.
type bell struct {
	mu    sync.Mutex
	rings map[string]chan struct{} // closed at the next ring
}

// next is closed when the queue rings the next time.
func (b *bell) next(name string) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.rings[name]
	if !ok {
		c = make(chan struct{})
		if b.rings == nil {
			b.rings = map[string]chan struct{}{}
		}
		b.rings[name] = c
	}
	return c
}

// ring wakes those who wait now.
func (b *bell) ring(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.rings[name]; ok {
		close(c)
		delete(b.rings, name)
	}
}

// Wait returns as soon as a group of the queue may be received. When the table cannot be read it waits out d, so that a
// broken file does not make pollers spin.
func (d *Driver) Wait(ctx context.Context, name string, limit time.Duration) {
	end := time.Now().Add(limit)
	for {
		ring := d.bell.next(name) // before the look, so that no change falls between
		left := time.Until(end)
		if free, ok := d.free(ctx, name); ok {
			left = min(left, free)
		}
		if left <= 0 || sleep(ctx, ring, left) != nil {
			return
		}
	}
}

// sleep waits for the ring, for the time, or for the end of the context, whose error it returns.
func sleep(ctx context.Context, ring <-chan struct{}, limit time.Duration) error {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-ring:
		return nil
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// free tells how long it is until a group of the queue may be received; not ok when it holds no message.
func (d *Driver) free(ctx context.Context, name string) (time.Duration, bool) {
	if ctx.Err() != nil {
		return 0, false
	}
	var at sql.NullInt64
	err := d.stmt.next.QueryRowContext(context.WithoutCancel(ctx), name).Scan(&at)
	if err != nil || !at.Valid {
		return 0, false
	}
	return time.Duration(at.Int64 - now()), true
}
