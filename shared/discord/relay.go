package discord

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"tsumugi/shared/chat"
)

// Bounds of the hand-over from the gateway to the sink.
const (
	spoolSize  = 10_000
	drainLimit = 10 * time.Second
	retryFirst = 100 * time.Millisecond
	retryLast  = 30 * time.Second
)

// relay keeps events in order between the reader of the gateway and the sink.
type relay struct {
	events  chan chat.Event
	sink    func(context.Context, chat.Event) error
	blocked atomic.Bool // the reader waits for room
}

func newRelay(sink func(context.Context, chat.Event) error) *relay {
	return &relay{events: make(chan chat.Event, spoolSize), sink: sink}
}

// put adds an event, and waits for room when there is none.
func (r *relay) put(ctx context.Context, e chat.Event) error {
	select {
	case r.events <- e:
		return nil
	default:
	}
	slog.ErrorContext(ctx, "the relay is full: events cannot be handed on, so none are read", "waiting", spoolSize)
	r.blocked.Store(true)
	defer r.blocked.Store(false)
	select {
	case r.events <- e:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// deliver hands on until the events end. The error counts what was left when the context ended.
func (r *relay) deliver(ctx context.Context) error {
	left := 0
	for e := range r.events {
		if !r.hand(ctx, e) {
			left++
		}
	}
	if left > 0 {
		return fmt.Errorf("%d events of the gateway were not handed on", left)
	}
	return nil
}

// hand offers one event until it is taken; false when the context ended first.
func (r *relay) hand(ctx context.Context, e chat.Event) bool {
	wait := retryFirst
	for ctx.Err() == nil {
		err := r.sink(ctx, e)
		switch {
		case err == nil:
			return true
		case chat.Dropped(err):
			slog.ErrorContext(ctx, "an event was given up", "event", string(e.ID), "channel", string(e.Channel), "error", err)
			return true
		}
		after := wait
		if d, ok := chat.Deferred(err); ok {
			after = max(d, retryFirst)
		}
		slog.WarnContext(ctx, "an event could not be handed on", "event", string(e.ID), "channel", string(e.Channel), "error", err)
		if pause(ctx, after) != nil {
			return false
		}
		wait = min(wait*2, retryLast)
	}
	return false
}
