package aws

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqs"
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

// Admission and commands hide what they got before they look at it: for as long as they may run, so that a crash holds a channel
// up no longer than that.
func TestBatchIsHiddenFirst(t *testing.T) {
	for name, c := range map[string]struct {
		left time.Duration // of the invocation; 0: nobody knows
		want string
	}{
		"a long one":    {5 * time.Minute, `"VisibilityTimeout":300`},
		"a short one":   {10 * time.Second, `"VisibilityTimeout":60`},
		"nobody knows":  {0, `"VisibilityTimeout":60`},
		"and no answer": {time.Minute, `"VisibilityTimeout":60`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				client := awssqs.New(awssqs.Options{Region: "eu-west-1", Credentials: aws.AnonymousCredentials{}, Retryer: aws.NopRetryer{},
					HTTPClient: smithyhttp.ClientDoFunc(func(r *http.Request) (*http.Response, error) {
						body, err := io.ReadAll(r.Body)
						asked = append(asked, r.Header.Get("X-Amz-Target")+" "+string(body))
						if strings.HasPrefix(name, "and no") {
							err = errors.New("connection reset")
						}
						return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"Successful":[],"Failed":[]}`))}, err
					})})
				ctx := t.Context()
				if c.left > 0 {
					var done context.CancelFunc
					ctx, done = context.WithTimeout(ctx, c.left)
					defer done()
				}
				worked := 0
				h := hideFirst(sqs.New(client, "https://queue.invalid/1/house-"), queue.Ingress,
					func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
						worked = len(asked)
						return events.SQSEventResponse{}, nil
					})
				if _, err := h(ctx, events.SQSEvent{Records: []events.SQSMessage{{ReceiptHandle: "r0"}, {ReceiptHandle: "r1"}}}); err != nil {
					t.Fatal(err)
				}
				if len(asked) != 1 || worked != 1 {
					t.Fatalf("asked %q, %d of them before the work", asked, worked)
				}
				for _, want := range []string{"ChangeMessageVisibilityBatch", `"r0"`, `"r1"`, c.want} {
					if !strings.Contains(asked[0], want) {
						t.Errorf("asked %s without %s", asked[0], want)
					}
				}
			})
		})
	}
}
