package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"pgregory.net/rapid"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

// B112: whatever four groups do in one batch, each group stops at its own first failure, which is returned with what
// follows in its group; everything else is worked on, once and in the order of the batch.
func TestBatchOfFourGroups(t *testing.T) {
	newer := queue.Decode(`{"v":9}`, &turnBody{})
	verdicts := map[string]struct {
		err      error
		failed   bool
		min, max time.Duration
	}{
		"done":   {},
		"drop":   {err: chat.Drop(errWorld)},
		"plain":  {errWorld, true, time.Second, 2 * time.Second}, // the second delivery
		"newer":  {newer, true, time.Second, 2 * time.Second},
		"defer":  {chat.Defer(errWorld, 7*time.Second), true, 7 * time.Second, 7 * time.Second},
		"hidden": {chat.Defer(errWorld, 0), true, 0, 0},
	}
	rapid.Check(t, func(rt *rapid.T) {
		var bodies, wantWorked, wantFailed []string
		plan, stopped := map[string]string{}, map[string]bool{}
		for i := range rapid.IntRange(0, 10).Draw(rt, "size") {
			group := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "group")
			body := fmt.Sprint(group, i)
			bodies = append(bodies, body)
			if stopped[group] {
				wantFailed = append(wantFailed, body)
				continue
			}
			plan[body] = rapid.SampledFrom([]string{"done", "done", "drop", "plain", "newer", "defer", "hidden"}).Draw(rt, "verdict")
			wantWorked = append(wantWorked, body)
			if verdicts[plan[body]].failed {
				stopped[group] = true
				wantFailed = append(wantFailed, body)
			}
		}
		h := &hides{}
		worked, failed := handle(t, t.Context(), h, batchOf(2, bodies...), func(d queue.Delivery) error { return verdicts[plan[d.Body]].err })
		if !slices.Equal(worked, wantWorked) || !slices.Equal(failed, append([]string{}, wantFailed...)) {
			rt.Fatalf("worked on %v and returned %v, want %v and %v", worked, failed, wantWorked, wantFailed)
		}
		for _, body := range failed {
			v := verdicts[plan[body]] // zero for what was not begun: it is visible again at once
			if d, ok := h.times[body]; !ok || d < v.min || d > v.max {
				rt.Fatalf("%s (%s) is hidden for %s, %v", body, plan[body], d, ok)
			}
		}
		if len(h.times) != len(failed) {
			rt.Fatalf("hidden %v, returned %v", h.times, failed)
		}
	})
}

// B118: one at a time, in order. Two at once would let a channel's second message overtake its first.
func TestBatchIsHandledOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var busy, most atomic.Int64
		var began []string
		begin := time.Now()
		handler := queue.Handler(&hides{}, queue.Ingress, func(_ context.Context, d queue.Delivery) error {
			most.Store(max(most.Load(), busy.Add(1)))
			began = append(began, fmt.Sprint(d.Body, " ", time.Since(begin)))
			time.Sleep(time.Second)
			busy.Add(-1)
			return nil
		})
		if _, err := handler(t.Context(), batchOf(1, "a1", "b1", "a2")); err != nil {
			t.Fatal(err)
		}
		if most.Load() != 1 || !slices.Equal(began, []string{"a1 0s", "b1 1s", "a2 2s"}) {
			t.Errorf("%d at once: %v", most.Load(), began)
		}
	})
}

// B113, the other half: two invocations at once in one process share nothing either.
func TestTwoInvocationsInOneProcess(t *testing.T) {
	start, meet := make(chan struct{}), make(chan struct{})
	handler := queue.Handler(noHider{}, queue.Ingress, func(_ context.Context, d queue.Delivery) error {
		<-start
		if strings.HasPrefix(d.Dedup, "fails") {
			close(meet)
			return errWorld
		}
		<-meet // the other invocation's group "a" has failed
		return nil
	})
	batch := func(dedup string) events.SQSEvent {
		var e events.SQSEvent
		for i := range 2 {
			id := fmt.Sprint(dedup, i)
			e.Records = append(e.Records, queue.Record(queue.Ingress, queue.Received{Message: queue.Message{Group: "a", Dedup: id, Body: id}, ID: id}))
		}
		return e
	}
	got := map[string][]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range []string{"fails", "works"} {
		wg.Go(func() {
			r, err := handler(t.Context(), batch(name))
			mu.Lock()
			defer mu.Unlock()
			if got[name] = failedIDs(r); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	equal(t, "the one that fails returned", got["fails"], []string{"fails0", "fails1"})
	equal(t, "the one that works returned", got["works"], []string{})
}

type noHider struct{}

func (noHider) Hide(context.Context, string, string, time.Duration) error { return nil }

// A record of another queue stays there: to this worker it would be malformed, and dropped.
func TestRecordOfAnotherQueueIsNotTouched(t *testing.T) {
	for arn, ours := range map[string]bool{
		"arn:aws:sqs:eu-west-1:123456789012:house-ingress.fifo": true,
		"arn:aws:sqs:eu-west-1:123456789012:ingress.fifo":       true,
		"": true, // a test event of the console
		"arn:aws:sqs:eu-west-1:123456789012:house-turns.fifo":        false,
		"arn:aws:sqs:eu-west-1:123456789012:house-ingress-dead.fifo": false,
		"arn:aws:sqs:eu-west-1:123456789012:house-ingress":           false,
		"arn:aws:kinesis:eu-west-1:123456789012:stream/ingress":      false,
	} {
		h := &hides{}
		e := batchOf(1, "a1", "a2", "b1")
		e.Records[1].EventSourceARN = arn
		worked, failed := handle(t, t.Context(), h, e, failing(chat.Drop(errWorld), "a2"))
		if ours {
			equal(t, arn+": worked", worked, []string{"a1", "a2", "b1"})
			equal(t, arn+": failed", failed, []string{})
			continue
		}
		equal(t, arn+": worked", worked, []string{"a1", "b1"})
		equal(t, arn+": failed", failed, []string{"a2"})
		if len(h.times) != 0 {
			t.Errorf("%s: hidden in our own queue: %v", arn, h.times)
		}
	}
}

// A poisoned record, without attributes and with no body that anybody understands, is dropped and holds up nobody: not even
// its like, though they have one group, the empty one.
func TestPoisonedRecordsAreDropped(t *testing.T) {
	var done []chat.EventID
	handler := queue.Handler(&hides{}, queue.Turns, queue.Jobs(queue.Turns, func(_ context.Context, j chat.Job, _ chat.Delivery) error {
		done = append(done, j.Event)
		return nil
	}))
	good, err := queue.Encode(chat.Job{Queue: queue.Turns, Channel: "1", Event: "2"})
	if err != nil {
		t.Fatal(err)
	}
	var e events.SQSEvent
	for i, body := range []string{"", "null", "[]", `{"v":1`, `{"v":"one"}`, `{"v":0}`, good, `{"v":1,"event":{}}`, "\xff"} {
		e.Records = append(e.Records, events.SQSMessage{MessageId: fmt.Sprint(i), Body: body})
	}
	response, err := handler(t.Context(), e)
	if err != nil || len(response.BatchItemFailures) != 0 || !slices.Equal(done, []chat.EventID{"2"}) {
		t.Errorf("did %v, returned %v, %v", done, failedIDs(response), err)
	}
}

// hanging is a queue that answers nobody.
type hanging struct{}

func (hanging) Hide(ctx context.Context, _, _ string, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}

// Ten messages are given back to a queue that does not answer, at the end of an invocation: all together have five seconds, or
// the invocation is ended before it says what is done.
func TestGivingBackEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		begin := time.Now()
		var bodies []string
		for _, group := range "abcdefghij" {
			bodies = append(bodies, string(group)+"1")
		}
		handler := queue.Handler(hanging{}, queue.Ingress, func(ctx context.Context, d queue.Delivery) error {
			if d.Group == "a" {
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		})
		r, err := handler(ctx, batchOf(1, bodies...))
		if took := time.Since(begin); err != nil || len(r.BatchItemFailures) != 9 || took > 7*time.Second {
			t.Errorf("after %s: %d failed, %v", took, len(r.BatchItemFailures), err)
		}
	})
}
