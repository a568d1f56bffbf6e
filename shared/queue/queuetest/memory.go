package queuetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"tsumugi/shared/queue"
)

// Memory gives a driver that keeps its queues in memory: the twin for tests of whoever uses queues. It is safe for
// concurrent use, starts no goroutine and takes the time from package time, so it lives in a synctest bubble.
func Memory(maxReceives int) queue.Driver {
	m := &memory{max: maxReceives, queues: map[string]*line{}}
	for _, name := range queue.Names() {
		m.queues[name] = &line{seen: map[string]time.Time{}, ring: make(chan struct{})}
	}
	return m
}

type memory struct {
	mu     sync.Mutex
	max    int
	serial int
	queues map[string]*line
}

// line is one queue, in order of sending.
type line struct {
	entries []*entry
	seen    map[string]time.Time // when the window of a deduplication id ends
	ring    chan struct{}        // closed and replaced when something may have become available
}

type entry struct {
	queue.Received
	visible time.Time // end of the last time-out
}

func (e *entry) inFlight() bool { return time.Now().Before(e.visible) }

// open locks the driver and finds the queue; the caller unlocks when there is no error.
func (m *memory) open(ctx context.Context, name string) (*line, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := queue.CheckName(name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	return m.queues[name], nil
}

func (l *line) wake() {
	close(l.ring)
	l.ring = make(chan struct{})
}

// Send appends a message.
func (m *memory) Send(ctx context.Context, name string, msg queue.Message) error {
	if err := queue.CheckMessage(msg); err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	l, err := m.open(ctx, name)
	if err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(l.seen[msg.Dedup]) {
		return nil
	}
	l.seen[msg.Dedup] = now.Add(queue.Window)
	m.serial++
	msg.Attrs = cloned(msg.Attrs)
	l.entries = append(l.entries, &entry{Received: queue.Received{Message: msg, ID: strconv.Itoa(m.serial), Sent: now}})
	l.wake()
	return nil
}

// SendBatch appends the messages, all or none.
func (m *memory) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	if err := queue.CheckBatch(name, ms); err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	for _, msg := range ms {
		if err := m.Send(ctx, name, msg); err != nil {
			return err
		}
	}
	return nil
}

// Receive takes messages of free groups, in order.
func (m *memory) Receive(ctx context.Context, name string, max int, d time.Duration) ([]queue.Received, error) {
	if err := queue.CheckReceive(max, d); err != nil {
		return nil, fmt.Errorf("receive from %s: %w", name, err)
	}
	l, err := m.open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("receive from %s: %w", name, err)
	}
	defer m.mu.Unlock()
	blocked := map[string]bool{}
	for _, e := range l.entries {
		blocked[e.Group] = blocked[e.Group] || e.inFlight()
	}
	var out []queue.Received
	for _, e := range slices.Clone(l.entries) {
		switch {
		case blocked[e.Group] || len(out) == max:
		case e.Receives >= m.max && queue.Dead(name) != "":
			m.bury(name, e)
		default:
			e.Receives++
			m.serial++
			e.Receipt = e.ID + "." + strconv.Itoa(m.serial)
			e.visible = time.Now().Add(d)
			got := e.Received
			got.Attrs = cloned(e.Attrs)
			out = append(out, got)
		}
	}
	return out, nil
}

// bury moves an entry to the dead-letter queue, where it has not been received yet.
func (m *memory) bury(name string, e *entry) {
	l, dead := m.queues[name], m.queues[queue.Dead(name)]
	l.entries = slices.DeleteFunc(l.entries, func(other *entry) bool { return other == e })
	letter := &entry{Received: queue.Received{Message: e.Message, ID: e.ID, Sent: time.Now()}}
	dead.entries = append(dead.entries, letter)
	dead.wake()
}

// find gives the entry whose current delivery has this receipt and still runs; else ErrReceipt, or nil when no queue
// holds the message any more.
func (m *memory) find(l *line, receipt string) (*entry, error) {
	for _, e := range l.entries {
		if e.Receipt == receipt && e.inFlight() {
			return e, nil
		}
	}
	for _, other := range m.queues {
		for _, e := range other.entries {
			if len(receipt) > len(e.ID) && receipt[:len(e.ID)+1] == e.ID+"." {
				return nil, queue.ErrReceipt
			}
		}
	}
	return nil, nil
}

// Delete removes a message in flight.
func (m *memory) Delete(ctx context.Context, name, receipt string) error {
	l, err := m.open(ctx, name)
	if err != nil {
		return fmt.Errorf("delete from %s: %w", name, err)
	}
	defer m.mu.Unlock()
	e, err := m.find(l, receipt)
	if err != nil {
		return fmt.Errorf("delete from %s: %w", name, err)
	}
	l.entries = slices.DeleteFunc(l.entries, func(other *entry) bool { return other == e })
	l.wake()
	return nil
}

// Hide changes the visibility time-out of a message in flight.
func (m *memory) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	if err := queue.CheckHide(d); err != nil {
		return fmt.Errorf("hide in %s: %w", name, err)
	}
	l, err := m.open(ctx, name)
	if err != nil {
		return fmt.Errorf("hide in %s: %w", name, err)
	}
	defer m.mu.Unlock()
	e, err := m.find(l, receipt)
	if err == nil && e == nil {
		err = queue.ErrReceipt
	}
	if err != nil {
		return fmt.Errorf("hide in %s: %w", name, err)
	}
	e.visible = time.Now().Add(d)
	l.wake()
	return nil
}

// Waiting counts what is not in flight.
func (m *memory) Waiting(ctx context.Context, name string) (n int, err error) {
	l, err := m.open(ctx, name)
	if err != nil {
		return 0, fmt.Errorf("look at %s: %w", name, err)
	}
	defer m.mu.Unlock()
	for _, e := range l.entries {
		if !e.inFlight() {
			n++
		}
	}
	return n, nil
}

// Wait returns when a free group has a message, or after d.
func (m *memory) Wait(ctx context.Context, name string, d time.Duration) {
	end := time.Now().Add(d)
	for {
		until, ring := end, (chan struct{})(nil)
		if l, err := m.open(ctx, name); err == nil {
			until, ring = earlier(end, l.next()), l.ring
			m.mu.Unlock()
		}
		t := time.NewTimer(time.Until(until))
		select {
		case <-ring:
			t.Stop()
			continue
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
		}
		return
	}
}

// next is when the first group becomes free, never when there is none.
func (l *line) next() time.Time {
	free := map[string]time.Time{}
	for _, e := range l.entries {
		if at, ok := free[e.Group]; !ok || at.Before(e.visible) {
			free[e.Group] = e.visible
		}
	}
	first := time.Now().Add(queue.MaxHide)
	for _, at := range free {
		first = earlier(first, at)
	}
	return first
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// cloned copies attributes, none as nil.
func cloned(attrs map[string]string) map[string]string {
	if len(attrs) == 0 {
		return nil
	}
	return maps.Clone(attrs)
}
