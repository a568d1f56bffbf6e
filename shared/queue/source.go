package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"tsumugi/shared/chat"

	"github.com/aws/aws-lambda-go/events"
)

// Defaults of a Source, and the pace of its polling.
const (
	DefaultDrain      = 20 * time.Second
	DefaultVisibility = time.Minute
	longPoll          = 20 * time.Second // as SQS's longest poll
	firstPause        = time.Second      // after a Receive that failed; doubled up to longPause
	longPause         = 30 * time.Second
)

// ErrDrained is what Run returns when handlers did not end in the time of Drain and were told to stop.
var ErrDrained = errors.New("handlers were stopped before they had finished")

// Source is the local event source: what Lambda's event source mapping is in the cloud. It takes batches from one queue,
// also a dead-letter queue, and hands them to the handler; it deletes what the handler does not report as failed, and
// leaves the rest to its visibility time-out.
type Source struct {
	Driver      Driver
	Queue       string
	Handler     BatchHandler
	Batch       int           // messages of one call, 1 to 10; 0 means 1
	Concurrency int           // calls at once; 0 means 1
	Visibility  time.Duration // 0 means DefaultVisibility
	Drain       time.Duration // 0 means DefaultDrain
}

// Run works until the context ends, and then returns nil.
//
// The end of the context stops the receiving only. Handlers that run go on, with a context that keeps the values of
// this one but ends on its own: when Drain has passed. Run waits for them in any case, also for one that takes no notice
// of its context (its cause is chat.ErrHandOver), and returns ErrDrained when it had to end theirs. What was received but not begun is made visible at
// once. An error of its own, before anything is received, says that the Source is set up wrongly.
func (s Source) Run(ctx context.Context) error {
	if err := s.complete(); err != nil {
		return fmt.Errorf("event source of %s: %w", s.Queue, err)
	}
	handlers, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	p := pump{Source: s, slots: make(chan struct{}, s.Concurrency)}
	p.poll(ctx, handlers)

	drained := make(chan struct{})
	timer := time.AfterFunc(s.Drain, func() {
		defer close(drained)
		stop(chat.ErrHandOver) // a worker that can gives its turn to a fresh invocation
	})
	p.running.Wait()
	if timer.Stop() {
		return nil
	}
	<-drained
	return fmt.Errorf("event source of %s: %w", s.Queue, ErrDrained)
}

// complete fills in the defaults and refuses what cannot work.
func (s *Source) complete() error {
	s.Batch, s.Concurrency = max(s.Batch, 1), max(s.Concurrency, 1)
	if s.Visibility == 0 {
		s.Visibility = DefaultVisibility
	}
	if s.Drain == 0 {
		s.Drain = DefaultDrain
	}
	if s.Driver == nil || s.Handler == nil {
		return fmt.Errorf("%w: a driver and a handler are needed", ErrInvalid)
	}
	return errors.Join(CheckName(s.Queue), CheckReceive(s.Batch, s.Visibility))
}

// pump is a Source at work.
type pump struct {
	Source
	slots   chan struct{} // one for each call that runs
	running sync.WaitGroup
}

// poll receives while the context lives, and starts a call for each batch.
func (p *pump) poll(ctx, handlers context.Context) {
	pause := firstPause
	for {
		select {
		case p.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		if ctx.Err() != nil {
			return
		}
		got, err := p.Driver.Receive(ctx, p.Queue, p.Batch, p.Visibility)
		switch {
		case err != nil && ctx.Err() != nil:
			return
		case err != nil:
			slog.ErrorContext(ctx, "receive failed", "queue", p.Queue, "error", err, "pause", pause)
			wait(ctx, pause)
			pause = min(2*pause, longPause)
			<-p.slots
		case len(got) == 0:
			pause = firstPause
			p.Driver.Wait(ctx, p.Queue, longPoll)
			<-p.slots
		case ctx.Err() != nil:
			p.giveBack(handlers, got)
			return
		default:
			pause = firstPause
			p.running.Go(func() {
				defer func() { <-p.slots }()
				p.call(handlers, got)
			})
		}
	}
}

// call hands one batch to the handler and deletes what is done, in order.
func (p *pump) call(ctx context.Context, got []Received) {
	var e events.SQSEvent
	for _, r := range got {
		e.Records = append(e.Records, Record(p.Queue, r))
	}
	response, err := p.invoke(ctx, e)
	if err != nil {
		slog.ErrorContext(ctx, "batch failed", "queue", p.Queue, "messages", len(got), "error", err)
		return
	}
	failed, err := failures(response, got)
	if err != nil {
		slog.ErrorContext(ctx, "batch failed", "queue", p.Queue, "messages", len(got), "error", err)
		return
	}
	var done []string
	for _, r := range got {
		if !failed[r.ID] {
			done = append(done, r.Receipt)
		}
	}
	if len(done) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx) // what is done is done, also when the drain is over
	if err := DeleteAll(ctx, p.Driver, p.Queue, done); err != nil {
		slog.WarnContext(ctx, "messages are done but not all could be deleted, they will be delivered again",
			"queue", p.Queue, "messages", len(done), "error", err)
	}
}

// invoke calls the handler; a panic fails the batch, as it fails a Lambda invocation.
func (p *pump) invoke(ctx context.Context, e events.SQSEvent) (response events.SQSEventResponse, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("handler panicked with a %T", r)
			slog.ErrorContext(ctx, "handler panicked", "queue", p.Queue, "stack", string(debug.Stack()))
		}
	}()
	return p.Handler(ctx, e)
}

// failures are the ids that a response reports. One that is not of the batch makes the whole batch fail, as Lambda does.
func failures(response events.SQSEventResponse, got []Received) (map[string]bool, error) {
	failed := map[string]bool{}
	for _, r := range got {
		failed[r.ID] = false
	}
	for _, f := range response.BatchItemFailures {
		if _, ok := failed[f.ItemIdentifier]; !ok {
			return nil, errors.New("response names a message that was not in the batch")
		}
		failed[f.ItemIdentifier] = true
	}
	return failed, nil
}

// giveBack makes messages visible that will not be handled.
func (p *pump) giveBack(ctx context.Context, got []Received) {
	for _, r := range got {
		if err := p.Driver.Hide(ctx, p.Queue, r.Receipt, 0); err != nil {
			slog.WarnContext(ctx, "message could not be given back early", "queue", p.Queue, "message", r.ID, "error", err)
		}
	}
}

// wait lets the time pass, or less when the context ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
