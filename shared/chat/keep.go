package chat

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Work is what a worker of turns or replies does with a delivered job: hide it, acquire, keep the hold alive while do
// runs, and let go. A stale job sends what is still in the outbox again and is done. A worker that lost its fence is done
// too: the message it holds says nothing that the new holder does not know.
func Work(ctx context.Context, holds Holds, out Outbox, j Job, d Delivery, do func(context.Context, *Keeper) error) error {
	ctx = WithJob(ctx, j)
	begin := time.Now() // before the first beat, which acquire writes
	got, err := lock(ctx, holds, out, j, d)
	if err != nil || got.Hold == nil {
		return err
	}
	ctx = With(ctx, "fence", got.Hold.Head.Fence)
	k := &Keeper{Hold: got.Hold, holds: holds, delivery: d, out: out, alive: begin, hidden: begin,
		event: got.Hold.Head.Event, fence: got.Hold.Head.Fence}
	err = k.keep(ctx, do)
	if errors.Is(err, ErrLost) {
		slog.InfoContext(ctx, "the channel went to another worker")
		return nil
	}
	return err
}

// lock hides the message and acquires the head. A stale job is done here.
func lock(ctx context.Context, holds Holds, out Outbox, j Job, d Delivery) (got Acquired, err error) {
	ctx, end := Stage(ctx, StageLock)
	defer end(&err)
	hidden := make(chan error, 1)
	go func() { hidden <- d.Hide(ctx, Visibility) }() // first act; beside the read, which it does not depend on
	got, err = holds.Acquire(ctx, j, rand.Text())     // the owner's name is unique to the invocation
	if hideErr := <-hidden; hideErr != nil && err == nil && got.Hold == nil {
		err = hideErr
	}
	if err != nil || got.Hold != nil {
		return got, err
	}
	Detail(ctx, "stale")
	if got.Send != nil {
		err = out.Send(ctx, *got.Send)
	}
	return got, err
}

// Keeper keeps a hold alive while its worker runs.
type Keeper struct {
	Hold *Hold // the worker's own; the beat beside it uses event and fence only

	event    EventID
	fence    int64
	holds    Holds
	delivery Delivery
	out      Outbox
	signal   chan struct{} // closed when a signal has been seen
	cancel   context.CancelCauseFunc
	poke     chan struct{}

	mu        sync.Mutex
	alive     time.Time // begin of the last successful beat
	hidden    time.Time
	seen      Signal
	streaming bool
	pausing   bool
	progress  bool
}

// keep runs do under the hold's beat. When the fence is lost the context of do ends with ErrLost.
func (k *Keeper) keep(ctx context.Context, do func(context.Context, *Keeper) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	k.cancel, k.signal, k.poke = cancel, make(chan struct{}), make(chan struct{}, 1)
	k.see(k.Hold.Signal)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		k.run(context.WithoutCancel(ctx), stop)
	}()
	err := careful(ctx, k, do)
	close(stop)
	<-stopped
	if errors.Is(context.Cause(ctx), ErrLost) {
		return ErrLost
	}
	return err
}

// careful runs do; a panic counts as a crash: the head keeps the start without an end, and the message comes back when the
// beat is dead. A panic is logged by its type and place only: its value may hold what people wrote.
func careful(ctx context.Context, k *Keeper, do func(context.Context, *Keeper) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.ErrorContext(ctx, "worker panicked", "stack", string(debug.Stack()))
			err = Defer(fmt.Errorf("%w with a %T", errPanicked, p), Visibility)
		}
	}()
	return do(ctx, k)
}

// Retry gives the head back and asks the queue to deliver again after a backoff that doubles with every retry up to
// BackoffMax. The head is given back first, or the message would come back while this worker's beat is fresh and be taken
// for stale; where that fails it comes back only when the beat is dead. A hold that moved on by itself (the reply to its last
// write was lost) is left as it is: the redelivery sends what is in its outbox.
func (k *Keeper) Retry(ctx context.Context, err error) error {
	if errors.Is(err, ErrLost) {
		return err
	}
	d := min(time.Second<<min(k.Hold.Head.Retries, 6), BackoffMax)
	var f *Failure
	if errors.As(err, &f) {
		d = max(d, min(f.After, BackoffMax))
	}
	if after, ok := Deferred(err); ok {
		d = max(d, min(after, BackoffMax))
	}
	var yieldErr error
	ctx, end := Stage(ctx, StageRelease)
	defer end(&yieldErr)
	Detail(ctx, "retry")
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), Call)
	defer done()
	switch _, yieldErr = k.holds.Yield(ctx, k.Hold, Retry, d); {
	case errors.Is(yieldErr, ErrLost):
		slog.InfoContext(ctx, "the channel has moved on", "error", yieldErr)
	case yieldErr != nil:
		slog.WarnContext(ctx, "the channel was not given back", "error", yieldErr)
		d = Visibility // as after a crash
	}
	return Defer(err, d)
}

// HandOver gives the head back for a fresh invocation to continue at once.
func (k *Keeper) HandOver(ctx context.Context) (err error) {
	ctx, end := Stage(ctx, StageRelease)
	defer end(&err)
	Detail(ctx, "handover")
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), Call)
	defer done()
	j, err := k.holds.Yield(ctx, k.Hold, HandOver, 0)
	switch {
	case errors.Is(err, ErrLost): // or ended by our own last write, its job not sent: the redelivery sends what is in the outbox
		return Defer(ErrHandOver, 0)
	case err != nil:
		return Defer(err, Visibility) // as after a crash; at once it would meet its own beat and be taken for stale
	}
	return k.out.Send(ctx, j)
}

// run keeps the hold until stop is closed. It beats every ten seconds; while text streams it also looks for a signal every
// second, which costs a fifth of a beat, and in a pause four times as often.
func (k *Keeper) run(ctx context.Context, stop <-chan struct{}) {
	beaten, looked := time.Now(), time.Now()
	for {
		next := beaten.Add(BeatEvery)
		k.mu.Lock()
		if watch := looked.Add(WatchEvery); k.streaming && watch.Before(next) {
			next = watch
		}
		if watch := looked.Add(PauseEvery); k.pausing && watch.Before(next) {
			next = watch
		}
		k.mu.Unlock()
		timer := time.NewTimer(time.Until(next))
		select {
		case <-stop:
			timer.Stop()
			return
		case <-k.poke: // the pace changed
			timer.Stop()
			looked = time.Now()
			continue
		case <-timer.C:
		}
		due, look := time.Since(beaten) >= BeatEvery, k.watch
		if due {
			look = k.beat
		}
		if err := look(ctx); errors.Is(err, ErrLost) {
			return
		} else if err != nil {
			slog.WarnContext(ctx, "the hold was not looked after", "beat", due, "error", err)
		}
		if looked = time.Now(); due {
			beaten = looked
		}
	}
}

// watch looks for a signal. It must not hold up the next beat for long.
func (k *Keeper) watch(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, Call/2)
	defer done()
	sig, err := k.holds.Watch(ctx, k.Hold.Channel, k.event, k.fence)
	if errors.Is(err, ErrLost) {
		k.cancel(ErrLost)
	}
	if err == nil {
		k.see(sig)
	}
	return err
}

// beat writes one beat and, after it and never before, extends the message's visibility: an ordinary redelivery must find
// the beat dead.
func (k *Keeper) beat(ctx context.Context) error {
	ctx, done := context.WithTimeout(ctx, Call)
	defer done()
	k.mu.Lock()
	progress := k.progress
	k.progress = false
	k.mu.Unlock()
	begin := time.Now()
	sig, err := k.holds.Beat(ctx, k.Hold.Channel, k.event, k.fence, progress)
	if errors.Is(err, ErrLost) {
		k.cancel(ErrLost)
	}
	if err != nil {
		return err
	}
	k.mu.Lock()
	if begin.After(k.alive) { // two beats may be under way
		k.alive = begin
	}
	hide := begin.Sub(k.hidden) >= BeatEvery
	if hide {
		k.hidden = begin
	}
	k.mu.Unlock()
	k.see(sig)
	if hide {
		if err := k.delivery.Hide(ctx, Visibility); err != nil {
			slog.WarnContext(ctx, "visibility was not extended", "error", err) // the fence covers a redelivery
		}
	}
	return nil
}

// see keeps a signal that is for this hold. A stop replaces a follow-up, nothing replaces a stop.
func (k *Keeper) see(s Signal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !s.For(k.event) || k.seen.Kind.Final() {
		return
	}
	if k.seen.Kind == NoSignal {
		close(k.signal)
	}
	k.seen = s
}

// Signal is the signal seen so far.
func (k *Keeper) Signal() Signal {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seen
}

// Signalled is closed when a signal has been seen.
func (k *Keeper) Signalled() <-chan struct{} { return k.signal }

// Look beats now, so that a signal written before the call is seen after it. ErrLost when the hold is gone.
func (k *Keeper) Look(ctx context.Context) error { return k.beat(ctx) }

// Ready makes sure that a call of Discord which starts now ends before anybody may judge this worker dead; it beats first
// when its last beat is too old, and again when the process paused before it learned of that beat. No call of Discord
// starts without it. ErrLost when the hold is gone.
func (k *Keeper) Ready(ctx context.Context) error {
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		k.mu.Lock()
		fresh := time.Since(k.alive) <= Fresh
		k.mu.Unlock()
		if fresh {
			return nil
		}
		if err := k.beat(ctx); err != nil {
			return err
		}
	}
}

// Streaming tells whether text streams, so that a signal is looked for.
func (k *Keeper) Streaming(on bool) {
	k.mu.Lock()
	k.streaming = on
	k.mu.Unlock()
	select {
	case k.poke <- struct{}{}:
	default:
	}
}

// Pausing tells whether the work waits although it could go on, so that a signal ends the pause at once.
func (k *Keeper) Pausing(on bool) {
	k.mu.Lock()
	same := k.pausing == on
	k.pausing = on
	k.mu.Unlock()
	if same {
		return
	}
	select {
	case k.poke <- struct{}{}:
	default:
	}
}

// Progress notes that the work moved on; the next beat carries it.
func (k *Keeper) Progress() {
	k.mu.Lock()
	k.progress = true
	k.mu.Unlock()
}
