package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
)

const (
	maxBackoff = time.Minute
	// giveBack is how long the handler may take to make messages visible after its context has ended, all of them together.
	giveBack = 5 * time.Second
)

// Delivery is one delivery of one message to a worker.
type Delivery struct {
	Received
	hider Hider
	queue string
}

// NewDelivery binds a received message to the queue it came from.
func NewDelivery(h Hider, name string, r Received) Delivery {
	return Delivery{Received: r, hider: h, queue: name}
}

// Queue is the name of the queue that the message came from.
func (d Delivery) Queue() string { return d.queue }

// Hide makes the message visible again after the time from now, unless it is deleted before. ErrReceipt says that the
// message is not this worker's any more.
func (d Delivery) Hide(ctx context.Context, after time.Duration) error {
	return d.hider.Hide(ctx, d.queue, d.Receipt, after)
}

// BatchHandler is what an event source calls with a batch, the shape of a Lambda function on SQS that reports the items
// that failed.
type BatchHandler func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Handler makes a worker, which handles one message, into what an event source calls with a batch.
//
// Messages are handled one after the other in the order of the batch. The first failure of a group ends that group for
// this batch: the message and all later ones of its group are reported as failed; other groups go on. Nothing is kept
// between two calls.
//
// The worker's error is its verdict (package chat): nil and Drop are done; Defer hides the message for the time it
// says; ErrNewer, a panic and any other error hide it with a backoff that grows with the number of deliveries. A worker
// that has hidden the message itself returns chat.Defer with the same time. When the context ends, whatever failed or
// was not begun becomes visible at once.
//
// A record of another queue is reported as failed, and no worker sees it.
//
// The worker's context carries the group as the log key channel, and the chain that the message continues.
func Handler(h Hider, name string, do func(context.Context, Delivery) error) BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		b := batch{
			hider: h, name: name, do: do, failed: map[string]bool{},
			response: events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}},
		}
		for _, record := range e.Records {
			if !comesFrom(record, name) {
				b.stray(ctx, record)
				continue
			}
			b.handle(ctx, NewDelivery(h, name, FromRecord(record)))
		}
		return b.response, nil
	}
}

// batch is one call of a handler.
type batch struct {
	hider    Hider
	name     string
	do       func(context.Context, Delivery) error
	failed   map[string]bool // groups that have failed
	response events.SQSEventResponse
	until    time.Time // nothing is made visible any more; zero before the end of the context
}

// handle handles one message, or reports it as failed because it may not be begun.
func (b *batch) handle(ctx context.Context, d Delivery) {
	ctx = chat.InChain(chat.With(ctx, "channel", d.Group), chainOf(d.Message))
	if b.failed[d.Group] || ctx.Err() != nil {
		// It was only delivered with what failed. Its group stays blocked by the failed message, so it may be visible.
		b.fail(b.named(ctx, d), d, 0)
		return
	}
	err := b.run(ctx, d)
	if err == nil {
		return
	}
	ctx = b.named(ctx, d)
	keys := []any{"queue", b.name, "message", d.ID, "receives", d.Receives, "error", err}
	after, deferred := chat.Deferred(err)
	switch {
	case errors.Is(err, ErrNewer): // before Drop: whatever a worker makes of it, a newer body is not lost
		after = backoff(d.Receives)
		slog.WarnContext(ctx, "message waits for a newer program", keys...)
	case chat.Dropped(err):
		slog.WarnContext(ctx, "message dropped", keys...)
		return
	case deferred:
		slog.InfoContext(ctx, "message deferred", append(keys, "after", after.String())...)
	default:
		after = backoff(d.Receives)
		slog.ErrorContext(ctx, "message failed", append(keys, "after", after.String())...)
	}
	if ctx.Err() != nil && !deferred {
		after = 0 // the process leaves; the next one need not wait for it
	}
	b.fail(ctx, d, after)
}

// named adds the log keys that the body tells; it is only read again for the lines of a failure.
func (b *batch) named(ctx context.Context, d Delivery) context.Context {
	var body struct {
		ID    string       `json:"id"` // of an event or a command
		Event chat.EventID `json:"event"`
		Turn  int          `json:"turn"`
	}
	if Decode(d.Body, &body) != nil {
		return ctx
	}
	switch live := strings.TrimSuffix(b.name, DeadSuffix); live {
	case Turns, Replies:
		return chat.WithJob(ctx, chat.Job{Queue: live, Channel: chat.ChannelID(d.Group), Event: body.Event, Turn: body.Turn})
	}
	return chat.With(ctx, "event", body.ID)
}

// stray reports a message of another queue as failed. To this worker it would be malformed, and to drop it would lose it. It
// is not hidden: its receipt is of a queue that this function may have no right to.
func (b *batch) stray(ctx context.Context, m events.SQSMessage) {
	slog.ErrorContext(ctx, "message of another queue", "queue", b.name, "message", m.MessageId, "source", m.EventSourceARN,
		"fix", "connect the function to its own queue alone: deploy the stack again")
	b.response.BatchItemFailures = append(b.response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
}

// run calls the worker. A panic is logged by its type and place only: its value may hold what people wrote.
func (b *batch) run(ctx context.Context, d Delivery) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err = fmt.Errorf("worker panicked with a %T", p)
		if r, ok := p.(runtime.Error); ok {
			err = fmt.Errorf("worker panicked: %w", r)
		}
		slog.ErrorContext(b.named(ctx, d), "worker panicked", "queue", b.name, "message", d.ID, "stack", string(debug.Stack()))
	}()
	return b.do(ctx, d)
}

// fail reports a message as failed and makes it visible after the time. If it cannot be hidden it comes back when its
// time-out ends, later but not lost.
func (b *batch) fail(ctx context.Context, d Delivery, after time.Duration) {
	b.failed[d.Group] = true
	b.response.BatchItemFailures = append(b.response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: d.ID})
	if ctx.Err() != nil {
		if b.until.IsZero() {
			b.until = time.Now().Add(giveBack)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(context.WithoutCancel(ctx), b.until)
		defer cancel()
	}
	if err := d.Hide(ctx, min(max(after, 0), MaxHide)); err != nil {
		slog.WarnContext(ctx, "message could not be given back early", "queue", b.name, "message", d.ID, "error", err)
	}
}

// backoff is how long a message waits after its n-th delivery failed: 1, 2, 4 … 60 s, less up to a half so that messages
// that failed together do not come back together.
func backoff(receives int) time.Duration {
	d := maxBackoff
	if n := max(receives, 1); n <= 6 { // 2^5 s is the last below the maximum
		d = time.Second << (n - 1)
	}
	return d/2 + rand.N(d/2)
}
