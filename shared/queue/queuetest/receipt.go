package queuetest

import (
	"testing"

	"tsumugi/shared/queue"
)

// receiptCases are about handles whose time has run out.
func receiptCases() []testCase {
	return []testCase{
		{name: "stale receipt of a visible message changes nothing", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			old := s.take(t, 1, "a1")[0]
			s.expire()
			refused(t, s, queue.Turns, old)
			s.drop(t, s.take(t, 1, "a1")...)
		}},
		{name: "stale receipt after hide 0 changes nothing", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			old := s.take(t, 1, "a1")[0]
			s.putBack(t, old, 0)
			refused(t, s, queue.Turns, old)
			s.drop(t, s.take(t, 1, "a1")...)
		}},
		{name: "stale receipt leaves the message to its new holder", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2")
			old := s.take(t, 1, "a1")[0]
			s.expire()
			holder := s.take(t, 1, "a1")[0]
			refused(t, s, queue.Turns, old)
			s.none(t)
			s.putBack(t, holder, s.hide)
			s.drop(t, holder)
			s.take(t, 10, "a2")
		}},
		{name: "stale receipt of a dead letter changes nothing", limit: 1, run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			old := s.take(t, 1, "a1")[0]
			s.putBack(t, old, 0)
			s.none(t)
			refused(t, s, queue.Turns, old)
			s.takeFrom(t, queue.Turns+queue.DeadSuffix, 1, "a1")
		}},
		{name: "the gauge counts what is not in flight", run: func(t *testing.T, s suite) {
			gauge, ok := s.Driver.(queue.Gauge)
			if !ok {
				t.Fatal("it is no gauge")
			}
			waiting := func(want int) {
				t.Helper()
				if n, err := gauge.Waiting(t.Context(), queue.Turns); err != nil || n != want {
					t.Fatalf("%d wait: %v; want %d", n, err, want)
				}
			}
			waiting(0)
			s.send(t, "a1", "a2", "b1")
			must(t, s.Send(t.Context(), queue.Replies, message("c1")))
			waiting(3)
			got := s.take(t, 1, "a1")[0]
			waiting(2)
			s.putBack(t, got, 0)
			waiting(3)
			s.drop(t, s.take(t, 1, "a1")...)
			waiting(2)
			if _, err := gauge.Waiting(t.Context(), "none"); err == nil {
				t.Fatal("a queue that is none has messages")
			}
		}},
		{name: "a receipt is good in its own queue only", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			got := s.take(t, 1, "a1")[0]
			if err := s.Hide(t.Context(), queue.Replies, got.Receipt, 0); err == nil {
				t.Fatal("hidden through another queue")
			}
			s.none(t)
			s.drop(t, got)
		}},
		{name: "deleting twice is fine, hiding what is deleted is not", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			got := s.take(t, 1, "a1")[0]
			s.drop(t, got)
			s.drop(t, got)
			mustBe(t, s.Hide(t.Context(), queue.Turns, got.Receipt, 0), queue.ErrReceipt)
			s.none(t)
		}},
	}
}

// refused demands that neither Delete nor Hide takes the handle.
func refused(t *testing.T, s suite, name string, old queue.Received) {
	t.Helper()
	mustBe(t, s.Delete(t.Context(), name, old.Receipt), queue.ErrReceipt)
	mustBe(t, s.Hide(t.Context(), name, old.Receipt, s.hide), queue.ErrReceipt)
	mustBe(t, s.Hide(t.Context(), name, old.Receipt, 0), queue.ErrReceipt)
}
