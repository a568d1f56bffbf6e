package aws

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqs"
)

// margin is the time kept at the end of an invocation, for a worker to give its channel back and for the messages to be made
// visible. Of a short invocation no more than a quarter is kept.
const margin = 15 * time.Second

// before ends the context ahead of its deadline, with the cause chat.ErrHandOver. Lambda stops the process at the deadline,
// wherever it is: a long turn then waits for its beat to be found dead, while one that is told can hand itself over.
func before(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, end.Add(-min(margin, time.Until(end)/4)), chat.ErrHandOver)
}

// handOver makes a handler end before its invocation is ended.
func handOver(h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		ctx, done := before(ctx)
		defer done()
		return h(ctx, e)
	}
}

// hideFirst makes a handler whose worker does not hide its messages do so as its first act, for as long as the invocation may
// last. The queues' own time-out is six times that (AWS's advice), and a channel would wait it out after a crash.
func hideFirst(q *sqs.Driver, name string, h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		lasts := chat.Visibility
		if end, ok := ctx.Deadline(); ok {
			lasts = max(lasts, time.Until(end))
		}
		var receipts []string
		for _, m := range e.Records {
			receipts = append(receipts, m.ReceiptHandle)
		}
		if len(receipts) > 0 {
			if err := q.HideBatch(ctx, name, receipts, lasts); err != nil {
				slog.WarnContext(ctx, "messages stay hidden for the queue's own time-out", "queue", name, "error", err)
			}
		}
		return h(ctx, e)
	}
}
