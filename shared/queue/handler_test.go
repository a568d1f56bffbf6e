package queue_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

var errWorld = errors.New("the world failed")

// hides records what a handler hides; expired makes it refuse.
type hides struct {
	times   map[string]time.Duration // by receipt
	ctxErrs []error
	expired bool
}

func (h *hides) Hide(ctx context.Context, _, receipt string, d time.Duration) error {
	if h.times == nil {
		h.times = map[string]time.Duration{}
	}
	h.times[receipt] = d
	h.ctxErrs = append(h.ctxErrs, ctx.Err())
	if h.expired {
		return queue.ErrReceipt
	}
	return nil
}

// batchOf makes a batch of messages; a body's first letter is its group, and body, id and receipt are the same.
func batchOf(receives int, bodies ...string) events.SQSEvent {
	var e events.SQSEvent
	for _, b := range bodies {
		e.Records = append(e.Records, queue.Record(queue.Ingress, queue.Received{
			Message: queue.Message{Group: b[:1], Dedup: b, Body: b}, ID: b, Receipt: b, Receives: receives,
		}))
	}
	return e
}

func failedIDs(r events.SQSEventResponse) []string {
	out := []string{}
	for _, f := range r.BatchItemFailures {
		out = append(out, f.ItemIdentifier)
	}
	return out
}

// handle runs one batch and returns what was worked on and what was reported as failed.
func handle(t *testing.T, ctx context.Context, h queue.Hider, e events.SQSEvent, do func(queue.Delivery) error) (worked, failed []string) {
	t.Helper()
	response, err := queue.Handler(h, queue.Ingress, func(_ context.Context, d queue.Delivery) error {
		worked = append(worked, d.Body)
		return do(d)
	})(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	return worked, failedIDs(response)
}

func failing(err error, bodies ...string) func(queue.Delivery) error {
	return func(d queue.Delivery) error {
		if slices.Contains(bodies, d.Body) {
			return err
		}
		return nil
	}
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

// B112: a failure in one group does not stop the others. B118: in a group it stops all that follow.
func TestFailureEndsItsGroupOnly(t *testing.T) {
	h := &hides{}
	worked, failed := handle(t, t.Context(), h, batchOf(1, "a1", "b1", "a2", "b2", "a3", "b3"), failing(errWorld, "a2"))
	equal(t, "worked", worked, []string{"a1", "b1", "a2", "b2", "b3"})
	equal(t, "failed", failed, []string{"a2", "a3"})
	if d, ok := h.times["a3"]; !ok || d != 0 {
		t.Errorf("a3 was hidden for %v, %v: it would block its group for the whole time-out", d, ok)
	}
	if len(h.times) != 2 {
		t.Errorf("hidden: %v", h.times)
	}
}

// B113: a warm instance does not remember a failed group.
func TestNothingIsKeptBetweenBatches(t *testing.T) {
	do := failing(errWorld, "a1")
	handler := queue.Handler(&hides{}, queue.Ingress, func(_ context.Context, d queue.Delivery) error { return do(d) })
	first, _ := handler(t.Context(), batchOf(1, "a1", "a2"))
	equal(t, "first", failedIDs(first), []string{"a1", "a2"})
	do = failing(nil)
	second, _ := handler(t.Context(), batchOf(2, "a1", "a2"))
	equal(t, "second", failedIDs(second), []string{})
}

// A response must be a list even when it is empty.
func TestNoFailuresIsAnEmptyList(t *testing.T) {
	response, err := queue.Handler(&hides{}, queue.Ingress, nil)(t.Context(), events.SQSEvent{})
	if err != nil || response.BatchItemFailures == nil {
		t.Fatalf("response %v, error %v", response, err)
	}
}

func TestVerdicts(t *testing.T) {
	newer := queue.Decode(`{"v":9}`, &turnBody{})
	for name, c := range map[string]struct {
		err      error
		receives int
		failed   bool
		min, max time.Duration
	}{
		"done":                     {nil, 1, false, 0, 0},
		"drop":                     {chat.Drop(errWorld), 1, false, 0, 0},
		"drop, wrapped":            {fmt.Errorf("offer: %w", chat.Drop(errWorld)), 1, false, 0, 0},
		"defer":                    {chat.Defer(errWorld, 7*time.Second), 3, true, 7 * time.Second, 7 * time.Second},
		"defer for nothing":        {chat.Defer(errWorld, 0), 3, true, 0, 0},
		"defer for too long":       {chat.Defer(errWorld, 24*time.Hour), 3, true, queue.MaxHide, queue.MaxHide},
		"defer for less than 0":    {chat.Defer(errWorld, -time.Hour), 3, true, 0, 0},
		"plain, first":             {errWorld, 1, true, time.Second / 2, time.Second},
		"plain, second":            {errWorld, 2, true, time.Second, 2 * time.Second},
		"plain, sixth":             {errWorld, 6, true, 16 * time.Second, 32 * time.Second},
		"plain, seventh":           {errWorld, 7, true, 30 * time.Second, time.Minute},
		"plain, thousandth":        {errWorld, 1000, true, 30 * time.Second, time.Minute},
		"newer body":               {newer, 1, true, time.Second / 2, time.Second},
		"newer body, even if drop": {chat.Drop(newer), 1, true, time.Second / 2, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hides{}
			_, failed := handle(t, t.Context(), h, batchOf(c.receives, "a1"), failing(c.err, "a1"))
			if (len(failed) == 1) != c.failed || (len(h.times) == 1) != c.failed {
				t.Fatalf("failed %v, hidden %v", failed, h.times)
			}
			if d := h.times["a1"]; d < c.min || d > c.max {
				t.Fatalf("hidden for %s, want %s to %s", d, c.min, c.max)
			}
		})
	}
}

// A message whose time has run out is still reported, and the batch goes on.
func TestExpiredReceiptIsNoReasonToStop(t *testing.T) {
	worked, failed := handle(t, t.Context(), &hides{expired: true}, batchOf(1, "a1", "b1"), failing(errWorld, "a1"))
	equal(t, "worked", worked, []string{"a1", "b1"})
	equal(t, "failed", failed, []string{"a1"})
}

// A panic is one message's failure, and neither its value nor the body is logged.
func TestPanicIsAFailureWithoutText(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	h := &hides{}
	e := batchOf(1, "a1", "b1", "c1")
	e.Records[0].Body = "secret body"
	worked, failed := handle(t, t.Context(), h, e, func(d queue.Delivery) error {
		switch d.Group {
		case "a":
			panic("secret: " + d.Body)
		case "b":
			_ = []int{}[len(d.Body)]
		}
		return nil
	})
	equal(t, "worked", worked, []string{"secret body", "b1", "c1"})
	equal(t, "failed", failed, []string{"a1", "b1"})
	if text := log.String(); strings.Contains(text, "secret") || !strings.Contains(text, "handler_test.go") ||
		!strings.Contains(text, "index out of range") {
		t.Errorf("log: %s", text)
	}
	if h.times["a1"] == 0 {
		t.Error("a panic has no backoff")
	}
}

// A shutdown gives back what was not begun and what it broke, at once, through a context that still lives.
func TestShutdownGivesBackAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := &hides{}
	worked, failed := handle(t, ctx, h, batchOf(5, "a1", "b1", "b2", "c1"), func(d queue.Delivery) error {
		if d.Body == "b1" {
			cancel()
			return ctx.Err()
		}
		return nil
	})
	equal(t, "worked", worked, []string{"a1", "b1"})
	equal(t, "failed", failed, []string{"b1", "b2", "c1"})
	for _, body := range failed {
		if d, ok := h.times[body]; !ok || d != 0 {
			t.Errorf("%s hidden for %s, %v", body, d, ok)
		}
	}
	for _, err := range h.ctxErrs {
		if err != nil {
			t.Errorf("hidden with a context that has ended: %v", err)
		}
	}
}

// What is done before a shutdown is done.
func TestShutdownDuringSuccess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, failed := handle(t, ctx, &hides{}, batchOf(1, "a1"), func(queue.Delivery) error { cancel(); return nil })
	equal(t, "failed", failed, []string{})
}

func TestDeliveryHasTheWholeMessage(t *testing.T) {
	driver := queuetest.Memory(5)
	sent := queue.Message{Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{queue.AttrTrace: "Root=1", "k": "v"}}
	if err := driver.Send(t.Context(), queue.Ingress, sent); err != nil {
		t.Fatal(err)
	}
	got, err := driver.Receive(t.Context(), queue.Ingress, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	e := events.SQSEvent{Records: []events.SQSMessage{queue.Record(queue.Ingress, got[0])}}
	handle(t, t.Context(), driver, e, func(d queue.Delivery) error {
		if fmt.Sprint(d.Message) != fmt.Sprint(sent) || d.ID != got[0].ID || d.Receives != 1 || d.Queue() != queue.Ingress ||
			!d.Sent.Equal(got[0].Sent.Truncate(time.Millisecond)) {
			t.Errorf("delivery %+v", d)
		}
		return d.Hide(t.Context(), 0)
	})
	if got, err = driver.Receive(t.Context(), queue.Ingress, 1, time.Minute); err != nil || len(got) != 1 {
		t.Errorf("received %d, error %v", len(got), err)
	}
}

// A record without attributes, as a test event of the console has, is a first delivery.
func TestRecordWithoutAttributes(t *testing.T) {
	e := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "1", ReceiptHandle: "r", Body: "b",
		Attributes: map[string]string{"ApproximateReceiveCount": "many", "SentTimestamp": "yesterday"}}}}
	handle(t, t.Context(), &hides{}, e, func(d queue.Delivery) error {
		if d.Receives != 1 || !d.Sent.IsZero() || d.Attrs != nil {
			t.Errorf("delivery %+v", d)
		}
		return nil
	})
}
