package queue

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"tsumugi/shared/chat"
)

// lane sends the events of some groups, one batch after the other. All but wake is under the spool's mu.
type lane struct {
	s       *Spool
	entries []*entry
	fails   int              // batches in a row of which nothing arrived
	pause   time.Time        // until when the queue is left alone
	again   map[string]retry // groups whose last message failed while others arrived
	wake    chan struct{}
}

// retry is when a group is tried again.
type retry struct {
	fails int
	at    time.Time
}

// ring wakes the lane.
func (l *lane) ring() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// all lists the entries in memory in the order in which they were put. Under mu.
func (s *Spool) all() []*entry {
	var all []*entry
	for _, l := range s.lanes {
		all = append(all, l.entries...)
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(a.serial, b.serial) })
	return all
}

// run sends until the context ends, or until the spool is closed and empty.
func (l *lane) run(ctx context.Context) {
	t := time.NewTimer(0)
	defer t.Stop()
	for ctx.Err() == nil {
		batch, wait, over := l.next()
		switch {
		case over:
			return
		case len(batch) > 0:
			l.send(ctx, batch)
			continue
		}
		t.Reset(wait)
		select {
		case <-l.wake:
		case <-t.C:
		case <-ctx.Done():
		}
	}
}

// next chooses what to send now, in order and without groups that have to wait; or tells how long there is nothing to do.
func (l *lane) next() (batch []*entry, wait time.Duration, over bool) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	now := time.Now()
	if len(l.entries) == 0 {
		return nil, complainEvery, l.s.closed && !l.s.left()
	}
	if d := l.pause.Sub(now); d > 0 {
		return nil, d, false
	}
	first, size := complainEvery, 0
	passed := map[string]bool{} // groups that wait: what is behind waits too
	for _, e := range l.entries {
		if d := l.again[e.Group].at.Sub(now); d > 0 {
			passed[e.Group] = true
			first = min(first, d)
		}
		if passed[e.Group] {
			continue
		}
		if size += len(e.Body); len(batch) > 0 && size > MaxBody || len(batch) == MaxBatch {
			break
		}
		batch = append(batch, e)
	}
	if len(batch) == 0 {
		return nil, first, false
	}
	if d := batch[0].came.Add(spoolLinger).Sub(now); d > 0 && len(batch) < MaxBatch && size <= MaxBody && !l.s.closed {
		return nil, min(d, first), false
	}
	return batch, 0, false
}

// send tries a batch and settles it.
func (l *lane) send(ctx context.Context, batch []*entry) {
	ms := make([]Message, len(batch))
	for i, e := range batch {
		ms[i] = e.Message
	}
	limited, done := context.WithTimeout(ctx, sendLimit)
	each := outcomes(limited, l.s.sender, Ingress, ms)
	done()
	l.settle(batch, each)
	for i, e := range batch {
		if each[i] != nil && !Refused(each[i]) {
			continue
		}
		if each[i] != nil {
			giveUp(chat.Event{ID: e.event, Channel: chat.ChannelID(e.Group)}, each[i])
		}
		if e.done != nil {
			e.done()
		}
	}
}

// settle takes out what is over, and notes when the rest is tried again.
func (l *lane) settle(batch []*entry, each []error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	now, over, failed := time.Now(), map[*entry]bool{}, map[string]bool{}
	var last error
	for i, e := range batch {
		if each[i] != nil && !Refused(each[i]) {
			failed[e.Group], last = true, each[i]
			continue
		}
		over[e] = true
		l.s.count--
		l.s.bytes -= e.size()
		if !e.filed {
			l.s.unfiled--
		}
		delete(l.again, e.Group)
	}
	l.entries = slices.DeleteFunc(l.entries, func(e *entry) bool { return over[e] })
	if len(over) == 0 && len(failed) > 1 { // not a fault of one group
		l.pause = now.Add(spoolBackoff(l.fails))
		l.fails++
	} else {
		l.fails = 0
		for group := range failed {
			n := l.again[group].fails
			l.again[group] = retry{n + 1, now.Add(spoolBackoff(n))}
		}
	}
	if last != nil {
		l.s.away = true
		l.s.complain("the queue does not take them", last)
	}
	if len(over) > 0 {
		l.s.changed()
	}
}

// back notes that no lane has trouble any more. Under mu.
func (s *Spool) back() {
	for _, l := range s.lanes {
		if l.fails > 0 || len(l.again) > 0 {
			return
		}
	}
	s.away = false
	slog.Info("the queue takes events again", "memory", s.count, "file", len(s.tail))
}

// spoolBackoff is the pause after the n-th failure in a row, less up to a half, so that lanes and relays do not come back
// together.
func spoolBackoff(n int) time.Duration {
	d := min(spoolFirst<<min(n, 10), spoolLast)
	return d/2 + rand.N(d/2)
}
