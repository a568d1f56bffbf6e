package queuetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/queue"
)

// randomCases look for what nobody thought of.
func randomCases() []testCase {
	return []testCase{
		{name: "random calls against a model", long: true, rounds: againstModel},
		{name: "consumers that fail lose nothing and keep the order", run: consumers},
	}
}

const (
	crews   = 8
	groups  = 6
	perCrew = 20 // messages of a group
)

// ledger is what the consumers of one run have seen.
type ledger struct {
	mu     sync.Mutex
	holder map[string]int // consumer + 1 that has messages of the group
	done   map[string]int // messages of the group that are deleted
	faults []string
}

func (l *ledger) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// begin notes a delivery to a consumer and looks for violations.
func (l *ledger) begin(who int, got []queue.Received) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := map[string]int{}
	for _, r := range got {
		if _, ok := next[r.Group]; !ok {
			if other := l.holder[r.Group]; other != 0 {
				l.fault("group %s has two holders", r.Group)
			}
			next[r.Group] = l.done[r.Group]
		}
		if want := fmt.Sprintf("%s%d", r.Group, next[r.Group]); r.Body != want {
			l.fault("received %s, want %s", r.Body, want)
		}
		next[r.Group]++
	}
	for g := range next {
		l.holder[g] = who + 1
	}
}

// end notes that a consumer has let go of a group, with so many messages deleted.
func (l *ledger) end(group string, deleted int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder[group] = 0
	l.done[group] += deleted
}

func (l *ledger) finished() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := 0
	for _, n := range l.done {
		sum += n
	}
	return sum >= groups*perCrew || len(l.faults) > 0
}

// consumers runs 8 consumers that fail at random over 6 groups: one holder a group, strict order, nothing lost.
func consumers(t *testing.T, s suite) {
	for i := range perCrew {
		for g := range groups {
			s.send(t, fmt.Sprintf("%c%d", 'a'+g, i))
		}
	}
	l := &ledger{holder: map[string]int{}, done: map[string]int{}}
	var wg sync.WaitGroup
	for who := range crews {
		wg.Go(func() { s.consume(t, l, who) })
	}
	wg.Wait()
	for _, f := range l.faults {
		t.Error(f)
	}
	s.expire()
	s.none(t)
}

// consume works until everything is done. Of each group it deletes some, and gives the rest back, by hand or by expiry.
func (s suite) consume(t *testing.T, l *ledger, who int) {
	dice := rand.New(rand.NewPCG(uint64(who), 7))
	for !l.finished() {
		got, err := s.Receive(t.Context(), queue.Turns, 1+dice.IntN(5), s.hide)
		if err != nil {
			t.Errorf("receive: %v", err)
			return
		}
		if len(got) == 0 {
			s.Wait(t.Context(), queue.Turns, s.hide/2)
			continue
		}
		l.begin(who, got)
		time.Sleep(time.Duration(dice.IntN(3)) * time.Millisecond)
		for _, batch := range split(got) {
			if err := s.work(t.Context(), l, dice, batch); err != nil {
				t.Errorf("settle: %v", err)
				return
			}
		}
	}
}

// work deletes the first k messages of one group. The ledger is told just before the call that frees the group.
func (s suite) work(ctx context.Context, l *ledger, dice *rand.Rand, batch []queue.Received) error {
	k := dice.IntN(len(batch) + 1)
	for i, r := range batch[:k] {
		if i == len(batch)-1 {
			l.end(r.Group, k)
		}
		if err := s.Delete(ctx, queue.Turns, r.Receipt); err != nil {
			return err
		}
	}
	rest := batch[k:]
	if len(rest) > 0 && dice.IntN(6) == 0 {
		l.end(rest[0].Group, k) // left to expiry; nobody gets the group before
		return nil
	}
	for i, r := range rest {
		if i == len(rest)-1 {
			l.end(r.Group, k)
		}
		if err := s.Hide(ctx, queue.Turns, r.Receipt, 0); err != nil {
			return err
		}
	}
	return nil
}

// split parts a receive by group, in order of appearance.
func split(got []queue.Received) (out [][]queue.Received) {
	at := map[string]int{}
	for _, r := range got {
		i, ok := at[r.Group]
		if !ok {
			i = len(out)
			at[r.Group] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}
