package aws

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
)

func TestHandlerEndsBeforeItsInvocation(t *testing.T) {
	for name, c := range map[string]struct{ left, after time.Duration }{
		"long":         {15 * time.Minute, 14*time.Minute + 45*time.Second},
		"just enough":  {time.Minute, 45 * time.Second},
		"short":        {8 * time.Second, 6 * time.Second},
		"already over": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				invocation, done := context.WithTimeout(t.Context(), c.left)
				defer done()
				begin := time.Now()
				h := handOver(func(ctx context.Context, _ events.SQSEvent) (events.SQSEventResponse, error) {
					<-ctx.Done()
					return events.SQSEventResponse{}, context.Cause(ctx)
				})
				_, err := h(invocation, events.SQSEvent{})
				if took := time.Since(begin); took != c.after {
					t.Errorf("told after %s, want %s", took, c.after)
				}
				if c.left > 0 && (!errors.Is(err, chat.ErrHandOver) || invocation.Err() != nil) {
					t.Errorf("told by %v, with the invocation at %v", err, invocation.Err())
				}
			})
		})
	}
}

func TestHandlerWithoutDeadlineIsNotEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, done := before(t.Context())
		time.Sleep(24 * time.Hour)
		if err := ctx.Err(); err != nil {
			t.Error(err)
		}
		done()
		if ctx.Err() == nil {
			t.Error("done does not let go of it")
		}
	})
}
