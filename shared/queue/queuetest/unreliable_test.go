package queuetest_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// An Unreliable to which nothing happens is a driver like any other.
func TestUnreliableConforms(t *testing.T) {
	queuetest.Run(t, queuetest.Harness{
		Open: func(_ testing.TB, maxReceives int) queue.Driver {
			return queuetest.NewUnreliable(queuetest.Memory(maxReceives), nil)
		},
	})
}

func accidents(t *testing.T, accident queuetest.Accident, when func(queuetest.Call) bool) *queuetest.Unreliable {
	t.Helper()
	return queuetest.NewUnreliable(queuetest.Memory(10), func(c queuetest.Call) queuetest.Accident {
		if when(c) {
			return accident
		}
		return queuetest.Fine
	})
}

func receive(t *testing.T, d queue.Driver) []queue.Received {
	t.Helper()
	got, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var message = queue.Message{Group: "g", Dedup: "d", Body: "b"}

func TestSendFailsAfterItWasDone(t *testing.T) {
	u := accidents(t, queuetest.After, func(c queuetest.Call) bool { return c.Op == queuetest.Send && c.N == 1 })
	if err := u.Send(t.Context(), queue.Turns, message); !errors.Is(err, queuetest.ErrAccident) {
		t.Fatalf("error %v", err)
	}
	if err := u.Send(t.Context(), queue.Turns, message); err != nil || u.Calls(queuetest.Send) != 2 {
		t.Fatalf("second send: %v after %d calls", err, u.Calls(queuetest.Send))
	}
	if n := len(receive(t, u)); n != 1 {
		t.Fatalf("received %d", n)
	}
}

func TestSendFailsBeforeItWasDone(t *testing.T) {
	u := accidents(t, queuetest.Before, func(c queuetest.Call) bool { return c.Op == queuetest.Send })
	if err := u.Send(t.Context(), queue.Turns, message); !errors.Is(err, queuetest.ErrAccident) {
		t.Fatalf("error %v", err)
	}
	if n := len(receive(t, u)); n != 0 {
		t.Fatalf("received %d", n)
	}
}

func TestReceivedButNobodyIsTold(t *testing.T) {
	for name, accident := range map[string]queuetest.Accident{"lost message": queuetest.Lost, "lost answer": queuetest.After} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := accidents(t, accident, func(c queuetest.Call) bool {
					return c.Op == queuetest.Receive && c.N == 1 && (c.Received != nil) == (accident == queuetest.Lost)
				})
				if err := u.Send(t.Context(), queue.Turns, message); err != nil {
					t.Fatal(err)
				}
				if got, err := u.Receive(t.Context(), queue.Turns, 1, time.Minute); len(got) != 0 || (err != nil) != (accident == queuetest.After) {
					t.Fatalf("received %d, error %v", len(got), err)
				}
				if n := len(receive(t, u)); n != 0 {
					t.Fatal("in flight and received again")
				}
				time.Sleep(time.Minute)
				if got := receive(t, u); len(got) != 1 || got[0].Receives != 2 {
					t.Fatalf("after the time-out: %d messages", len(got))
				}
			})
		})
	}
}

func TestHandedOutTwiceWhileInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := accidents(t, queuetest.Twice, func(c queuetest.Call) bool { return c.Received != nil })
		done := make(chan []queue.Received)
		go func() {
			u.Wait(t.Context(), queue.Turns, time.Hour) // woken by the send
			first := receive(t, u)
			done <- first
		}()
		synctest.Wait()
		if err := u.Send(t.Context(), queue.Turns, message); err != nil {
			t.Fatal(err)
		}
		first := <-done
		second := receive(t, u)
		if len(first) != 1 || len(second) != 1 || first[0].Receipt != second[0].Receipt {
			t.Fatalf("received %d and %d", len(first), len(second))
		}
		if err := u.Delete(t.Context(), queue.Turns, first[0].Receipt); err != nil {
			t.Fatal(err)
		}
		if err := u.Delete(t.Context(), queue.Turns, second[0].Receipt); err != nil {
			t.Fatal(err)
		}
	})
}
