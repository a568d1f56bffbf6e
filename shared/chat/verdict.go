package chat

import (
	"errors"
	"time"
)

// Nearly every caller of a worker is a queue, so an error is a verdict on the message that was delivered:
//
//	nil            done, or done before: the queue deletes it
//	plain error    the world failed: the queue delivers again, and keeps a dead letter in the end
//	Drop(err)      it can never succeed: the queue deletes it, and it is logged
//	Defer(err, d)  not now: the queue delivers again after d
type verdict struct {
	err   error
	drop  bool
	after time.Duration
}

// Error gives the cause.
func (v *verdict) Error() string { return v.err.Error() }

// Unwrap gives the cause.
func (v *verdict) Unwrap() error { return v.err }

// Drop says that the message can never succeed. A nil err stays nil.
func Drop(err error) error {
	if err == nil {
		return nil
	}
	return &verdict{err: err, drop: true}
}

// Defer says that the message is to come back after d. It is never used because a channel is busy: each delivery counts,
// and waiting that way would walk a good message into the dead letters (DESIGN section 5, rule 8).
func Defer(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &verdict{err: err, after: d}
}

// Dropped tells whether err is a Drop.
func Dropped(err error) bool {
	var v *verdict
	return errors.As(err, &v) && v.drop
}

// Deferred tells whether err is a Defer, and for how long.
func Deferred(err error) (time.Duration, bool) {
	var v *verdict
	if !errors.As(err, &v) || v.drop {
		return 0, false
	}
	return v.after, true
}

// Errors that the contracts of this package return.
var (
	// ErrLost is the refusal of a fenced write: another worker holds the channel. Whoever gets it stops, and touches
	// neither the store nor Discord again.
	ErrLost = errors.New("the channel is held by another worker")
	// ErrHandOver ends a context because this process is asked to leave: the turn goes back to the channel and is
	// continued by a fresh invocation.
	ErrHandOver = errors.New("this process is leaving, the turn is handed over")
	// ErrRaced means that a decision kept being overtaken by others; nothing was written.
	ErrRaced = errors.New("the channel changed while it was decided on")
	// ErrSignalled is the refusal to go on as if nothing had been asked: a signal for the hold was accepted before.
	ErrSignalled = errors.New("the hold is asked to end")
	// ErrTooOld is the refusal to stamp a create under a nonce that Discord may have forgotten.
	ErrTooOld = errors.New("the intent is older than its nonce may be trusted")
	// ErrTaken is the refusal to record a Discord message that a part of some turn has recorded.
	ErrTaken = errors.New("the message belongs to a turn already")
	// ErrMissing means that an item which the protocol promises is not there.
	ErrMissing = errors.New("an item of the channel is missing")
)
