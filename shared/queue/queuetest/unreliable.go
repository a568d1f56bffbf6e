package queuetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/queue"
)

// ErrAccident is the error of a call that an Unreliable made fail.
var ErrAccident = errors.New("accident of the test")

// Accident is what happens to a call.
type Accident int

// The accidents.
const (
	Fine   Accident = iota
	Before          // the call fails and has done nothing
	After           // the call is done, and fails
	Twice           // receive: the message is also handed to the next Receive, while the first holder works on it
	Lost            // receive: nobody is told of the message and of those of its group behind it; they come back when their time-out ends
)

// Op is a method of a driver.
type Op string

// The methods that accidents happen to.
const (
	Send    Op = "send"
	Batch   Op = "send batch" // as a whole; each of its messages is asked for as a Send of its own
	Receive Op = "receive"
	Delete  Op = "delete"
	Hide    Op = "hide"
)

// Call is one call, or for Receive also one message of its result.
type Call struct {
	Op       Op
	Queue    string
	N        int             // how many calls of this method there were, this one included; messages are counted apart
	Message  queue.Message   // of Send
	Received *queue.Received // of Receive, when it is asked about a message; nil when it is asked about the call
}

// Unreliable is a driver to which accidents happen. The caller decides about each call: Receive is asked once with no
// message (Before and After apply) and once for every message that it got (Twice and Lost apply).
type Unreliable struct {
	inner  queue.Driver
	decide func(Call) Accident

	mu     sync.Mutex
	counts map[Op]int
	seen   int
	again  map[string][]queue.Received // what the next Receive of a queue hands out first
	wakers map[*context.CancelFunc]string
}

var (
	_ queue.Driver      = (*Unreliable)(nil)
	_ queue.BatchSender = (*Unreliable)(nil)
	_ queue.Gauge       = (*Unreliable)(nil)
)

// NewUnreliable wraps a driver. decide may be called from several goroutines, but never from two at once; nil means that
// nothing happens and calls are counted only.
func NewUnreliable(inner queue.Driver, decide func(Call) Accident) *Unreliable {
	if decide == nil {
		decide = func(Call) Accident { return Fine }
	}
	return &Unreliable{
		inner: inner, decide: decide, counts: map[Op]int{},
		again: map[string][]queue.Received{}, wakers: map[*context.CancelFunc]string{},
	}
}

// Calls tells how often a method was called.
func (u *Unreliable) Calls(op Op) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.counts[op]
}

// ask counts a call and decides about it.
func (u *Unreliable) ask(c Call) Accident {
	u.mu.Lock()
	defer u.mu.Unlock()
	if c.Received == nil {
		u.counts[c.Op]++
		c.N = u.counts[c.Op]
	} else {
		u.seen++
		c.N = u.seen
	}
	return u.decide(c)
}

// perform runs a call that has no result but its error.
func (u *Unreliable) perform(c Call, call func() error) error {
	accident := u.ask(c)
	if accident == Before {
		return ErrAccident
	}
	if err := call(); err != nil {
		return err
	}
	if accident == After {
		return ErrAccident
	}
	return nil
}

// Send sends, unless an accident happens.
func (u *Unreliable) Send(ctx context.Context, name string, m queue.Message) error {
	return u.perform(Call{Op: Send, Queue: name, Message: m}, func() error { return u.inner.Send(ctx, name, m) })
}

// SendBatch sends, unless an accident happens to the call, or to some of its messages: then the error is a
// *queue.BatchError, and what is behind such a message in its group is not sent.
func (u *Unreliable) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	if err := queue.CheckBatch(name, ms); err != nil {
		return err
	}
	accident := u.ask(Call{Op: Batch, Queue: name})
	if accident == Before {
		return ErrAccident
	}
	each, failed, some := make([]error, len(ms)), map[string]bool{}, false
	for i, m := range ms {
		if each[i] = ErrAccident; !failed[m.Group] {
			each[i] = u.Send(ctx, name, m)
		}
		failed[m.Group] = each[i] != nil && !queue.Refused(each[i])
		some = some || each[i] != nil
	}
	switch {
	case accident == After:
		return ErrAccident
	case some:
		return &queue.BatchError{Each: each}
	}
	return nil
}

// Hide hides, unless an accident happens.
func (u *Unreliable) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	return u.perform(Call{Op: Hide, Queue: name}, func() error { return u.inner.Hide(ctx, name, receipt, d) })
}

// Delete deletes, unless an accident happens.
func (u *Unreliable) Delete(ctx context.Context, name, receipt string) error {
	return u.perform(Call{Op: Delete, Queue: name}, func() error { return u.inner.Delete(ctx, name, receipt) })
}

// Receive receives, unless an accident happens. Messages that are handed out twice come first, and alone.
func (u *Unreliable) Receive(ctx context.Context, name string, max int, d time.Duration) ([]queue.Received, error) {
	accident := u.ask(Call{Op: Receive, Queue: name})
	if accident == Before {
		return nil, ErrAccident
	}
	if again := u.repeat(name, max); len(again) > 0 {
		return again, nil
	}
	got, err := u.inner.Receive(ctx, name, max, d)
	if err != nil {
		return nil, err
	}
	if accident == After {
		return nil, ErrAccident // what was received stays in flight
	}
	lost := map[string]bool{}
	return slices.DeleteFunc(got, func(r queue.Received) bool {
		if lost[r.Group] {
			return true
		}
		switch u.ask(Call{Op: Receive, Queue: name, Received: &r}) {
		case Lost:
			lost[r.Group] = true
		case Twice:
			u.stash(name, r)
		}
		return lost[r.Group]
	}), nil
}

// stash keeps a message for the next Receive and wakes who waits for one.
func (u *Unreliable) stash(name string, r queue.Received) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.again[name] = append(u.again[name], r)
	for wake, of := range u.wakers {
		if of == name {
			(*wake)()
		}
	}
}

// repeat takes what is handed out twice.
func (u *Unreliable) repeat(name string, limit int) []queue.Received {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := min(max(limit, 0), len(u.again[name]))
	again := slices.Clone(u.again[name][:n])
	u.again[name] = u.again[name][n:]
	return again
}

// Waiting is the driver's: no accidents happen to who only looks.
func (u *Unreliable) Waiting(ctx context.Context, name string) (int, error) {
	gauge, ok := u.inner.(queue.Gauge)
	if !ok {
		return 0, fmt.Errorf("look at %s: %w", name, errors.ErrUnsupported)
	}
	return gauge.Waiting(ctx, name)
}

// Wait waits at the driver, or for a message that is handed out twice.
func (u *Unreliable) Wait(ctx context.Context, name string, d time.Duration) {
	ctx, wake := context.WithCancel(ctx)
	defer wake()
	u.mu.Lock()
	ready := len(u.again[name]) > 0
	u.wakers[&wake] = name
	u.mu.Unlock()
	if !ready {
		u.inner.Wait(ctx, name, d)
	}
	u.mu.Lock()
	delete(u.wakers, &wake)
	u.mu.Unlock()
}
