package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// run starts a source in the bubble. stop ends its context, waits for it and returns its error.
func run(t *testing.T, s queue.Source) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

func send(t *testing.T, d queue.Driver, bodies ...string) {
	t.Helper()
	for _, b := range bodies {
		if err := d.Send(t.Context(), queue.Turns, queue.Message{Group: b[:1], Dedup: b, Body: b}); err != nil {
			t.Fatal(err)
		}
	}
}

// seen collects bodies from several goroutines.
type seen struct {
	mu     sync.Mutex
	bodies []string
}

func (s *seen) add(body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, body)
}

func (s *seen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// worker is a handler that runs do for each message.
func worker(d queue.Hider, do func(context.Context, queue.Delivery) error) queue.BatchHandler {
	return queue.Handler(d, queue.Turns, do)
}

func TestSourceDeletesWhatIsDoneAndRetriesTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, got := queuetest.Memory(5), &seen{}
		send(t, d, "a1", "a2", "b1")
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Batch: 10, Handler: worker(d,
			func(_ context.Context, m queue.Delivery) error {
				got.add(fmt.Sprint(m.Body, "#", m.Receives))
				if m.Body == "a1" && m.Receives == 1 {
					return errWorld
				}
				return nil
			})})
		time.Sleep(10 * time.Minute)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		equal(t, "worked", got.bodies, []string{"a1#1", "b1#1", "a1#2", "a2#2"})
	})
}

// The poison message ends in the dead-letter queue, which a source reads as any other.
func TestSourceOfDeadLetters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, got := queuetest.Memory(2), &seen{}
		send(t, d, "a1", "a2")
		turns := run(t, queue.Source{Driver: d, Queue: queue.Turns, Handler: worker(d,
			func(_ context.Context, m queue.Delivery) error {
				got.add(m.Body)
				if m.Body == "a1" {
					return errWorld
				}
				return nil
			})})
		dead := run(t, queue.Source{Driver: d, Queue: queue.Turns + queue.DeadSuffix, Handler: queue.Handler(d, queue.Turns+queue.DeadSuffix,
			func(_ context.Context, m queue.Delivery) error { got.add("dead " + m.Body); return nil })})
		time.Sleep(10 * time.Minute)
		if err := errors.Join(turns(), dead()); err != nil {
			t.Fatal(err)
		}
		slices.Sort(got.bodies)
		equal(t, "worked", got.bodies, []string{"a1", "a1", "a2", "dead a1"})
	})
}

// An error or a panic of the handler, or a failure that names no message of the batch, fails the whole batch.
func TestSourceFailsTheWholeBatch(t *testing.T) {
	for name, handler := range map[string]queue.BatchHandler{
		"error": func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
			return events.SQSEventResponse{}, errWorld
		},
		"panic": func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) { panic("no") },
		"unknown id": func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
			return events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{{ItemIdentifier: ""}}}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := queuetest.Memory(5)
				send(t, d, "a1", "b1")
				stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Batch: 10, Handler: handler})
				time.Sleep(time.Second)
				if err := stop(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(queue.DefaultVisibility)
				got, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute)
				if err != nil || len(got) != 2 {
					t.Fatalf("%d messages left, error %v", len(got), err)
				}
			})
		})
	}
}

// No more calls at once than allowed, and as many as allowed.
func TestSourceConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := queuetest.Memory(5)
		send(t, d, "a1", "b1", "c1", "d1", "e1", "f1", "g1")
		var mu sync.Mutex
		now, most, all := 0, 0, 0
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Concurrency: 3, Handler: worker(d,
			func(context.Context, queue.Delivery) error {
				mu.Lock()
				now, all = now+1, all+1
				most = max(most, now)
				mu.Unlock()
				time.Sleep(time.Second)
				mu.Lock()
				now--
				mu.Unlock()
				return nil
			})})
		time.Sleep(10 * time.Second)
		if err := stop(); err != nil || most != 3 || all != 7 {
			t.Fatalf("%d at once, %d in all, error %v", most, all, err)
		}
	})
}

// The end of the context stops the receiving; the handler that runs finishes undisturbed, and its message is deleted.
func TestSourceLetsHandlersFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, got := queuetest.Memory(5), &seen{}
		send(t, d, "a1", "b1")
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Handler: worker(d,
			func(ctx context.Context, m queue.Delivery) error {
				time.Sleep(15 * time.Second)
				got.add(m.Body)
				return ctx.Err()
			})})
		time.Sleep(time.Second)
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		equal(t, "worked", got.bodies, []string{"a1"})
		left, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute)
		if err != nil || len(left) != 1 || left[0].Body != "b1" || left[0].Receives != 1 {
			t.Fatalf("left %d, error %v", len(left), err)
		}
	})
}

// A handler that takes too long is told to stop when the time to drain is over; its message is visible at once.
func TestSourceStopsHandlersAfterDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := queuetest.Memory(5)
		send(t, d, "a1")
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Drain: 5 * time.Second, Visibility: time.Hour, Handler: worker(d,
			func(ctx context.Context, _ queue.Delivery) error { <-ctx.Done(); return ctx.Err() })})
		time.Sleep(time.Minute)
		start := time.Now()
		if err := stop(); !errors.Is(err, queue.ErrDrained) {
			t.Fatalf("error %v", err)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Fatalf("drained for %s", took)
		}
		if left, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute); err != nil || len(left) != 1 {
			t.Fatalf("left %d, error %v", len(left), err)
		}
	})
}

// What is done when the time to drain is over is deleted all the same.
func TestSourceDeletesAfterDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := queuetest.Memory(5)
		send(t, d, "a1")
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Drain: time.Second, Handler: worker(d,
			func(ctx context.Context, _ queue.Delivery) error { <-ctx.Done(); return nil })})
		time.Sleep(time.Second)
		if err := stop(); !errors.Is(err, queue.ErrDrained) {
			t.Fatalf("error %v", err)
		}
		time.Sleep(time.Hour)
		if left, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute); err != nil || len(left) != 0 {
			t.Fatalf("left %d, error %v", len(left), err)
		}
	})
}

// What a Receive brings when the context has just ended is given back, not begun.
func TestSourceGivesBackWhatItDoesNotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		inner := queuetest.Memory(5)
		d := queuetest.NewUnreliable(inner, func(c queuetest.Call) queuetest.Accident {
			if c.Received != nil {
				cancel()
			}
			return queuetest.Fine
		})
		send(t, inner, "a1")
		err := queue.Source{Driver: d, Queue: queue.Turns, Visibility: time.Hour, Handler: worker(d,
			func(context.Context, queue.Delivery) error { t.Error("begun"); return nil })}.Run(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if left, err := inner.Receive(t.Context(), queue.Turns, 10, time.Minute); err != nil || len(left) != 1 {
			t.Fatalf("left %d, error %v", len(left), err)
		}
	})
}

// A queue that cannot be read is asked again with pauses, not in a tight loop.
func TestSourceSurvivesReceiveErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, got := queuetest.Memory(5), &seen{}
		d := queuetest.NewUnreliable(inner, func(c queuetest.Call) queuetest.Accident {
			if c.Op == queuetest.Receive && c.Received == nil && c.N <= 4 {
				return queuetest.Before
			}
			return queuetest.Fine
		})
		send(t, inner, "a1")
		stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Handler: worker(d,
			func(_ context.Context, m queue.Delivery) error { got.add(m.Body); return nil })})
		time.Sleep(14 * time.Second) // pauses of 1, 2, 4 and 8 seconds
		if n := d.Calls(queuetest.Receive); n != 4 || got.count() != 0 {
			t.Errorf("%d receives, %d messages", n, got.count())
		}
		time.Sleep(2 * time.Second)
		if err := stop(); err != nil || got.count() != 1 {
			t.Fatalf("%d messages, error %v", got.count(), err)
		}
	})
}

func TestSourceRefusesWhatCannotWork(t *testing.T) {
	d := queuetest.Memory(5)
	h := worker(d, func(context.Context, queue.Delivery) error { return nil })
	for name, s := range map[string]queue.Source{
		"unknown queue": {Driver: d, Handler: h, Queue: "nowhere"},
		"batch of 11":   {Driver: d, Handler: h, Queue: queue.Turns, Batch: 11},
		"no driver":     {Handler: h, Queue: queue.Turns},
		"no handler":    {Driver: d, Queue: queue.Turns},
		"visibility":    {Driver: d, Handler: h, Queue: queue.Turns, Visibility: 24 * time.Hour},
	} {
		if err := s.Run(t.Context()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Through every accident each message is handled in the end, and for the first time in order.
func TestAccidentsLoseNothing(t *testing.T) {
	for name, c := range map[string]struct {
		batch int
		extra []queuetest.Accident // what may happen to a message
	}{
		"one by one, also twice": {1, []queuetest.Accident{queuetest.Twice, queuetest.Lost}},
		"batches":                {4, []queuetest.Accident{queuetest.Lost}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { accidents(t, c.batch, c.extra) })
		})
	}
}

func accidents(t *testing.T, batch int, extra []queuetest.Accident) {
	dice := rand.New(rand.NewPCG(1, 2)) // of the driver, which asks for one decision at a time
	d := queuetest.NewUnreliable(queuetest.Memory(1000), func(c queuetest.Call) queuetest.Accident {
		if dice.IntN(4) > 0 {
			return queuetest.Fine
		}
		if c.Received != nil {
			return extra[dice.IntN(len(extra))]
		}
		return []queuetest.Accident{queuetest.Before, queuetest.After}[dice.IntN(2)]
	})
	var want []string
	for i := range 20 {
		for _, g := range "abc" {
			body := fmt.Sprintf("%c%02d", g, i)
			want = append(want, body)
			m := queue.Message{Group: body[:1], Dedup: body, Body: body}
			for d.Send(t.Context(), queue.Turns, m) != nil { // the same id again, as a sender does
			}
		}
	}
	var mu sync.Mutex
	first, tries := map[string][]string{}, 0
	stop := run(t, queue.Source{Driver: d, Queue: queue.Turns, Batch: batch, Concurrency: 3, Handler: worker(d,
		func(_ context.Context, m queue.Delivery) error {
			mu.Lock()
			defer mu.Unlock()
			if tries++; tries%5 == 0 {
				return errWorld
			}
			if !slices.Contains(first[m.Group], m.Body) {
				first[m.Group] = append(first[m.Group], m.Body)
			}
			return nil
		})})
	time.Sleep(12 * time.Hour)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(first["a"], first["b"], first["c"])
	if slices.Sort(want); !slices.Equal(all, want) {
		t.Fatalf("first handled: %v", all)
	}
}
