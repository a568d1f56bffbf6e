package queuetest

import (
	"testing"
	"time"

	"tsumugi/shared/queue"
)

// orderCases are about what a Receive gives, and when.
func orderCases() []testCase {
	return []testCase{
		{name: "order in a group", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2", "a3")
			for _, want := range []string{"a1", "a2", "a3"} {
				s.drop(t, s.take(t, 1, want)...)
			}
			s.none(t)
		}},
		{name: "a group in flight gives nothing, others flow", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2")
			first := s.take(t, 1, "a1")
			s.send(t, "a3", "b1")
			s.drop(t, s.take(t, 10, "b1")...)
			s.none(t)
			s.drop(t, first...)
			s.take(t, 10, "a2", "a3")
		}},
		{name: "several messages of a group come in order", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "b1", "a2", "b2", "a3")
			s.drop(t, s.take(t, 10, "a1", "a2", "a3", "b1", "b2")...)
			s.none(t)
		}},
		{name: "partial delete keeps the block", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2", "a3", "a4")
			got := s.take(t, 3, "a1", "a2", "a3")
			s.drop(t, got[0], got[2])
			s.none(t)
			s.drop(t, got[1])
			s.take(t, 10, "a4")
		}},
		{name: "hide 0 redelivers in order", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2", "a3")
			got := s.take(t, 2, "a1", "a2")
			s.putBack(t, got[1], 0)
			s.none(t)
			s.putBack(t, got[0], 0)
			s.take(t, 10, "a1", "a2", "a3")
		}},
		{name: "hide prolongs", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2")
			got := s.take(t, 1, "a1")
			s.putBack(t, got[0], 3*s.hide)
			s.expire()
			s.none(t)
			time.Sleep(2 * s.hide)
			s.take(t, 10, "a1", "a2")
		}},
		{name: "expiry redelivers in order", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2", "a3")
			s.take(t, 2, "a1", "a2")
			s.expire()
			s.drop(t, s.take(t, 1, "a1")...)
			s.take(t, 10, "a2", "a3")
		}},
		{name: "a delivery is counted and keeps its id", run: func(t *testing.T, s suite) {
			before := time.Now()
			s.send(t, "a1")
			first := s.take(t, 1, "a1")[0]
			s.putBack(t, first, 0)
			second := s.take(t, 1, "a1")[0]
			s.expire()
			third := s.take(t, 1, "a1")[0]
			if first.Receives != 1 || second.Receives != 2 || third.Receives != 3 {
				t.Fatalf("receives %d %d %d", first.Receives, second.Receives, third.Receives)
			}
			if first.ID == "" || first.ID != second.ID || first.Receipt == second.Receipt || second.Receipt == third.Receipt {
				t.Fatal("ids must stay and receipts must change")
			}
			if d := third.Sent.Sub(before); d < -time.Minute || d > time.Minute || !third.Sent.Equal(first.Sent) {
				t.Fatalf("sent is off by %s", d)
			}
			s.none(t)
		}},
		{name: "receive max bounds", run: func(t *testing.T, s suite) {
			for i := range 12 {
				s.send(t, string(rune('a'+i))+"1")
			}
			for _, max := range []int{0, -1, 11} {
				_, err := s.Receive(t.Context(), queue.Turns, max, s.hide)
				mustBe(t, err, queue.ErrInvalid)
			}
			got, err := s.Receive(t.Context(), queue.Turns, 10, s.hide)
			must(t, err)
			if len(got) > 10 || !s.h.Short && len(got) != 10 {
				t.Fatalf("received %d", len(got))
			}
		}},
		{name: "hide bounds", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			for _, d := range []time.Duration{-time.Second, queue.MaxHide + time.Second} {
				_, err := s.Receive(t.Context(), queue.Turns, 1, d)
				mustBe(t, err, queue.ErrInvalid)
			}
			got := s.take(t, 1, "a1")[0]
			mustBe(t, s.Hide(t.Context(), queue.Turns, got.Receipt, -time.Second), queue.ErrInvalid)
			mustBe(t, s.Hide(t.Context(), queue.Turns, got.Receipt, queue.MaxHide+time.Second), queue.ErrInvalid)
			s.drop(t, got)
		}},
		{name: "a busy group does not starve the others", run: func(t *testing.T, s suite) {
			for i := range 30 {
				s.send(t, "a"+string(rune('0'+i/10))+string(rune('0'+i%10)))
			}
			s.send(t, "b1")
			for range 4 {
				got, err := s.Receive(t.Context(), queue.Turns, 10, s.hide)
				must(t, err)
				s.drop(t, got...)
				for _, r := range got {
					if r.Body == "b1" {
						return
					}
				}
			}
			t.Fatal("b1 was not received")
		}},
		{name: "wait wakes on send, hide, delete and expiry", long: true, run: waits},
	}
}

// waits runs on a fake clock, where nothing takes time but waiting.
func waits(t *testing.T, s suite) {
	ctx := t.Context()
	within(t, 2*time.Second, func() { s.waitFor(ctx, time.Hour, func() { s.send(t, "a1", "a2") }) })
	within(t, time.Second, func() { s.Wait(ctx, queue.Turns, time.Hour) }) // a1 is there already
	got := s.take(t, 1, "a1")[0]
	within(t, 2*time.Second, func() { s.waitFor(ctx, time.Hour, func() { s.putBack(t, got, 0) }) })
	got = s.take(t, 1, "a1")[0]
	within(t, 2*time.Second, func() { s.waitFor(ctx, time.Hour, func() { s.drop(t, got) }) })
	s.take(t, 1, "a2")
	within(t, s.hide+time.Second, func() { s.Wait(ctx, queue.Turns, time.Hour) })
	s.drop(t, s.take(t, 1, "a2")...)
	within(t, time.Minute+1, func() { s.Wait(ctx, queue.Turns, time.Minute) })
}
