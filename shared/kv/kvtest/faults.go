package kvtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"tsumugi/shared/kv"
)

// Verb names a method of kv.Driver.
type Verb string

// The methods.
const (
	Get      Verb = "get"
	BatchGet Verb = "batch get"
	Query    Verb = "query"
	Write    Verb = "write"
	Due      Verb = "due"
)

// Call is one call of a wrapped driver, as the decision sees it.
type Call struct {
	Verb Verb
	N    int      // 1 for the first call of this wrapper, whatever its verb
	Ops  []kv.Op  // of Write
	Keys []kv.Key // of Get and BatchGet
}

// Fault is what happens to a call.
type Fault int

// The faults. The two that concern a commit turn into Broken for a call that writes nothing.
const (
	None       Fault = iota // the call goes through
	Contention              // kv.ErrContention; nothing was written
	Throttling              // kv.ErrThrottled; nothing was written
	Broken                  // a plain error before the driver was reached: nothing was written, but the caller cannot know
	LostReply               // the driver did the Write; the caller gets a plain error unless the Write was refused
)

// ErrInjected is the plain error of Broken and LostReply.
var ErrInjected = errors.New("injected fault: connection lost")

// Wrap gives a driver that asks decide before each call what is to happen to it. decide may be called concurrently and must
// not keep or change the Call; nil injects nothing.
func Wrap(d kv.Driver, decide func(Call) Fault) *Faults { return &Faults{d: d, decide: decide} }

// Faults is a driver that misbehaves on demand and counts its calls.
type Faults struct {
	d      kv.Driver
	decide func(Call) Fault
	n      atomic.Int64
}

var _ kv.Driver = (*Faults)(nil)

// Calls tells how many calls there were, refused ones included.
func (f *Faults) Calls() int { return int(f.n.Load()) }

// before decides about a call; a nil error lets it through.
func (f *Faults) before(c Call) (Fault, error) {
	c.N = int(f.n.Add(1))
	if f.decide == nil {
		return None, nil
	}
	fault := f.decide(c)
	switch {
	case fault == Contention:
		return fault, fmt.Errorf("%s: %w", c.Verb, kv.ErrContention)
	case fault == Throttling:
		return fault, fmt.Errorf("%s: %w", c.Verb, kv.ErrThrottled)
	case fault == Broken, fault == LostReply && c.Verb != Write:
		return fault, fmt.Errorf("%s: %w", c.Verb, ErrInjected)
	}
	return fault, nil
}

// Get reads through the wrapped driver, or fails.
func (f *Faults) Get(ctx context.Context, key kv.Key) (kv.Item, error) {
	if _, err := f.before(Call{Verb: Get, Keys: []kv.Key{key}}); err != nil {
		return kv.Item{}, err
	}
	return f.d.Get(ctx, key)
}

// BatchGet reads through the wrapped driver, or fails.
func (f *Faults) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	if _, err := f.before(Call{Verb: BatchGet, Keys: keys}); err != nil {
		return nil, err
	}
	return f.d.BatchGet(ctx, keys...)
}

// Query reads through the wrapped driver, or fails.
func (f *Faults) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	if _, err := f.before(Call{Verb: Query}); err != nil {
		return kv.Page{}, err
	}
	return f.d.Query(ctx, q)
}

// Write writes through the wrapped driver, fails before it, or fails after it.
func (f *Faults) Write(ctx context.Context, ops ...kv.Op) error {
	fault, err := f.before(Call{Verb: Write, Ops: ops})
	if err != nil {
		return err
	}
	if err := f.d.Write(ctx, ops...); err != nil || fault != LostReply {
		return err
	}
	return fmt.Errorf("%s: %w", Write, ErrInjected)
}

// Due reads through the wrapped driver, or fails.
func (f *Faults) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	if _, err := f.before(Call{Verb: Due}); err != nil {
		return nil, err
	}
	return f.d.Due(ctx, space, before, limit)
}
