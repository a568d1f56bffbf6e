// Package queuetest holds a queue.Driver to the contract of package queue. What lives here: the conformance suite, an
// in-memory twin that passes it, and a wrapper that makes accidents happen. What must not live here: tests of one engine
// (in its own package) and anything that production code imports.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/queue"
)

// Harness tells the suite how to open a driver and what the driver cannot do. Gaps are written down, not passed over.
type Harness struct {
	// Open gives a driver with empty queues that dead-letters a message after so many deliveries. What must be closed
	// is closed with t.Cleanup.
	Open func(t testing.TB, maxReceives int) queue.Driver
	// RealClock says that the driver keeps its time outside of this process: cases wait for it, with short time-outs,
	// and those that would take minutes are skipped.
	RealClock bool
	// Short says that a Receive may give less than there is, as SQS does.
	Short bool
	// Gaps names cases that this driver is known to fail, with the reason. A name that the suite does not have fails.
	Gaps map[string]string
}

// testCase is one promise of the contract.
type testCase struct {
	name   string
	long   bool // needs minutes: only with a fake clock
	run    func(t *testing.T, s suite)
	limit  int                           // deliveries before a message is dead-lettered; 0 means 50
	rounds func(t *testing.T, h Harness) // in place of run: opens its own drivers and bubbles
}

// Run runs the suite, each case on a driver of its own and in a bubble of its own.
func Run(t *testing.T, h Harness) {
	unknown := maps.Clone(h.Gaps)
	for _, c := range slices.Concat(orderCases(), receiptCases(), sendCases(), deadCases(), randomCases()) {
		delete(unknown, c.name)
		t.Run(c.name, func(t *testing.T) {
			if reason, ok := h.Gaps[c.name]; ok {
				t.Skipf("known gap of this driver: %s", reason)
			}
			if h.RealClock && c.long {
				t.Skip("needs minutes on a real clock")
			}
			switch {
			case c.rounds != nil:
				c.rounds(t, h)
			case h.RealClock:
				c.run(t, newSuite(t, h, c.limit))
			default:
				synctest.Test(t, func(t *testing.T) { c.run(t, newSuite(t, h, c.limit)) })
			}
		})
	}
	for name := range unknown {
		t.Errorf("declared gap %q is no case of the suite", name)
	}
}

// newSuite opens a driver for one case.
func newSuite(t *testing.T, h Harness, limit int) suite {
	if limit == 0 {
		limit = 50
	}
	s := suite{Driver: h.Open(t, limit), h: h, hide: 30 * time.Second}
	if h.RealClock {
		s.hide = 2 * time.Second
	}
	return s
}

// suite is the driver under test with the words that the cases are written in. Cases use queue.Turns unless they say
// otherwise.
type suite struct {
	queue.Driver
	h    Harness
	hide time.Duration // the time-out that cases receive with
}

// expire lets every time-out of the cases run out.
func (s suite) expire() { time.Sleep(s.hide + time.Second) }

// send sends one message a body; its group is the letters before the digits: a1, a2, b1.
func (s suite) send(t testing.TB, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		must(t, s.Send(t.Context(), queue.Turns, message(body)))
	}
}

func message(body string) queue.Message {
	return queue.Message{Group: groupOf(body), Dedup: "dedup-" + body, Body: body}
}

func groupOf(body string) string {
	for i, r := range body {
		if r >= '0' && r <= '9' {
			return body[:i]
		}
	}
	return body
}

// take receives and demands exactly these bodies, in order within each group.
func (s suite) take(t testing.TB, max int, bodies ...string) []queue.Received {
	t.Helper()
	return s.takeFrom(t, queue.Turns, max, bodies...)
}

func (s suite) takeFrom(t testing.TB, name string, max int, bodies ...string) []queue.Received {
	t.Helper()
	got, err := s.Receive(t.Context(), name, max, s.hide)
	must(t, err)
	for tries := 0; s.h.Short && len(got) < len(bodies) && tries < 10; tries++ {
		s.Wait(t.Context(), name, time.Second)
		more, err := s.Receive(t.Context(), name, max-len(got), s.hide)
		must(t, err)
		got = append(got, more...)
	}
	if want, have := byGroup(bodies), byGroup(bodiesOf(got)); fmt.Sprint(want) != fmt.Sprint(have) {
		t.Fatalf("received from %s: %v, want %v", name, have, want)
	}
	return got
}

// none demands that nothing can be received.
func (s suite) none(t testing.TB) {
	t.Helper()
	s.take(t, 10)
}

// drop deletes messages in flight.
func (s suite) drop(t testing.TB, got ...queue.Received) {
	t.Helper()
	for _, r := range got {
		must(t, s.Delete(t.Context(), queue.Turns, r.Receipt))
	}
}

// put back makes a message visible after d.
func (s suite) putBack(t testing.TB, r queue.Received, d time.Duration) {
	t.Helper()
	must(t, s.Hide(t.Context(), queue.Turns, r.Receipt, d))
}

func bodiesOf(got []queue.Received) []string {
	var out []string
	for _, r := range got {
		out = append(out, r.Body)
	}
	return out
}

// byGroup makes lists comparable whatever the order of the groups.
func byGroup(bodies []string) map[string][]string {
	out := map[string][]string{}
	for _, b := range bodies {
		out[groupOf(b)] = append(out[groupOf(b)], b)
	}
	return out
}

// fataler is what testing.TB and rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

func mustBe(t fataler, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

// within runs f and demands that it returns in less than limit of the clock. Only for a fake clock, where it is exact.
func within(t testing.TB, limit time.Duration, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took >= limit {
		t.Fatalf("took %s, want less than %s", took, limit)
	}
}

// waitFor waits at the queue while f runs beside it after a second.
func (s suite) waitFor(ctx context.Context, limit time.Duration, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(time.Second)
		f()
	}()
	s.Wait(ctx, queue.Turns, limit)
	<-done
}
