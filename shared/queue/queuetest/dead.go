package queuetest

import (
	"maps"
	"testing"
	"time"

	"tsumugi/shared/queue"
)

const deadTurns = queue.Turns + queue.DeadSuffix

// deadCases are about messages that were delivered too often.
func deadCases() []testCase {
	return []testCase{
		{name: "a dead letter moves whole and frees its group", limit: 2, run: func(t *testing.T, s suite) {
			m := message("a1")
			m.Attrs = map[string]string{queue.AttrTrace: "Root=1-2-3", "k": "v"}
			must(t, s.Send(t.Context(), queue.Turns, m))
			s.send(t, "a2", "a3")
			s.putBack(t, s.take(t, 1, "a1")[0], 0)
			s.take(t, 1, "a1")
			s.takeFrom(t, deadTurns, 10) // received as often as allowed, but still in flight
			s.expire()
			s.take(t, 10, "a2", "a3")
			got := s.takeFrom(t, deadTurns, 10, "a1")[0]
			if got.Group != "a" || !maps.Equal(got.Attrs, m.Attrs) || got.ID == "" {
				t.Fatalf("group %q, attributes %v", got.Group, got.Attrs)
			}
		}},
		{name: "dead letters keep their order", limit: 1, run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2", "b1")
			s.take(t, 10, "a1", "a2", "b1")
			s.send(t, "a3")
			s.expire()
			s.take(t, 10, "a3")
			s.takeFrom(t, deadTurns, 10, "a1", "a2", "b1")
		}},
		{name: "the last delivery may still be deleted", limit: 1, run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2")
			s.drop(t, s.take(t, 1, "a1")...)
			s.drop(t, s.take(t, 1, "a2")...)
			s.expire()
			s.none(t)
			s.takeFrom(t, deadTurns, 10)
		}},
		{name: "a dead-letter queue is a queue", limit: 1, run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a2")
			s.putBack(t, s.take(t, 1, "a1")[0], 0)
			s.putBack(t, s.take(t, 1, "a2")[0], 0)
			s.none(t)
			first := s.takeFrom(t, deadTurns, 1, "a1")[0]
			s.takeFrom(t, deadTurns, 10)
			must(t, s.Hide(t.Context(), deadTurns, first.Receipt, 0))
			for range 5 { // it has no dead-letter queue of its own
				first = s.takeFrom(t, deadTurns, 1, "a1")[0]
				must(t, s.Hide(t.Context(), deadTurns, first.Receipt, 0))
			}
			first = s.takeFrom(t, deadTurns, 1, "a1")[0]
			must(t, s.Delete(t.Context(), deadTurns, first.Receipt))
			s.takeFrom(t, deadTurns, 1, "a2")
		}},
		{name: "a dead letter wakes who waits for it", limit: 1, long: true, run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			s.putBack(t, s.take(t, 1, "a1")[0], 0)
			done := make(chan struct{})
			go func() {
				defer close(done)
				time.Sleep(time.Second)
				s.none(t)
			}()
			within(t, 2*time.Second, func() { s.Wait(t.Context(), deadTurns, time.Hour) })
			<-done
			s.takeFrom(t, deadTurns, 1, "a1")
		}},
	}
}
