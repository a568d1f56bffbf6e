package queuetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tsumugi/shared/queue"
)

const modelLimit = 4 // deliveries before a message is dead

// model is what the contract says that a queue holds.
type model struct {
	s       suite
	n       int
	lines   map[string][]*known // messages that live, by group, in order
	dead    map[string][]string // bodies that were delivered too often, by group
	seen    map[string]time.Time
	handles []handle
	gone    map[string]bool // deleted bodies
}

type known struct {
	body     string
	receives int
	visible  time.Time
	receipt  string
}

type handle struct {
	receipt string
	m       *known
	group   string
}

func (k *known) inFlight() bool { return time.Now().Before(k.visible) }

// againstModel plays random calls and steps of time, and compares every answer with the model. Each round has a driver and
// a bubble of its own.
func againstModel(t *testing.T, h Harness) {
	rapid.Check(t, func(r *rapid.T) {
		bubble(t, func(t *testing.T) {
			m := &model{s: newSuite(t, h, modelLimit), lines: map[string][]*known{}, dead: map[string][]string{},
				seen: map[string]time.Time{}, gone: map[string]bool{}}
			r.Repeat(map[string]func(*rapid.T){
				"send":    func(r *rapid.T) { m.send(r, t) },
				"receive": func(r *rapid.T) { m.receive(r, t, rapid.IntRange(1, 10).Draw(r, "max")) },
				"delete":  func(r *rapid.T) { m.delete(r, t) },
				"hide":    func(r *rapid.T) { m.hide(r, t) },
				"time":    func(r *rapid.T) { time.Sleep(time.Duration(rapid.IntRange(1, 45).Draw(r, "seconds")) * time.Second) },
			})
			m.finish(r, t)
		})
	})
}

// bubble runs f in a bubble and brings its panic out, for rapid ends a round by a panic in its own goroutine.
func bubble(t *testing.T, f func(*testing.T)) {
	var thrown any
	synctest.Test(t, func(t *testing.T) {
		defer func() { thrown = recover() }()
		f(t)
	})
	if thrown != nil {
		panic(thrown)
	}
}

func (m *model) send(r *rapid.T, t *testing.T) {
	group := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "group")
	dedup := fmt.Sprint("d", rapid.IntRange(0, 40).Draw(r, "dedup"))
	m.n++
	body := fmt.Sprint("m", m.n)
	must(r, m.s.Send(t.Context(), queue.Turns, queue.Message{Group: group, Dedup: dedup, Body: body}))
	if time.Now().Before(m.seen[dedup]) {
		return
	}
	m.seen[dedup] = time.Now().Add(queue.Window)
	m.lines[group] = append(m.lines[group], &known{body: body})
}

// free lists the messages of a group that a Receive may give now; those that were delivered too often die on the way.
func (m *model) free(group string) []*known {
	line := m.lines[group]
	if slices.ContainsFunc(line, (*known).inFlight) {
		return nil
	}
	for len(line) > 0 && line[0].receives >= modelLimit {
		m.dead[group] = append(m.dead[group], line[0].body)
		line = line[1:]
	}
	m.lines[group] = line
	return line
}

func (m *model) receive(r *rapid.T, t *testing.T, max int) int {
	hide := time.Duration(rapid.IntRange(0, 60).Draw(r, "hide")) * time.Second
	got, err := m.s.Receive(t.Context(), queue.Turns, max, hide)
	must(r, err)
	if len(got) > max {
		r.Fatalf("received %d of at most %d", len(got), max)
	}
	free, taken := map[string][]*known{}, map[string]int{}
	available := 0
	for group := range m.lines {
		free[group] = m.free(group)
		available += len(free[group])
	}
	for _, x := range got {
		i := taken[x.Group]
		if i >= len(free[x.Group]) {
			r.Fatalf("group %s gives %s, but has nothing to give", x.Group, x.Body)
		}
		k := free[x.Group][i]
		if k.body != x.Body || k.receives+1 != x.Receives {
			r.Fatalf("received %s for the %d. time, want %s for the %d.", x.Body, x.Receives, k.body, k.receives+1)
		}
		taken[x.Group]++
		k.receives++
		k.visible, k.receipt = time.Now().Add(hide), x.Receipt
		m.handles = append(m.handles, handle{x.Receipt, k, x.Group})
	}
	if !m.s.h.Short && len(got) != min(max, available) {
		r.Fatalf("received %d, want %d", len(got), min(max, available))
	}
	return len(got)
}

// pick draws a handle that was given out at any time, and says whether it is still good.
func (m *model) pick(r *rapid.T) (handle, bool) {
	if len(m.handles) == 0 {
		r.Skip("no handle yet")
	}
	first := max(0, len(m.handles)-8) // mostly young ones
	h := m.handles[rapid.IntRange(first, len(m.handles)-1).Draw(r, "handle")]
	return h, h.m.receipt == h.receipt && h.m.inFlight() && !m.gone[h.m.body]
}

func (m *model) delete(r *rapid.T, t *testing.T) {
	h, good := m.pick(r)
	err := m.s.Delete(t.Context(), queue.Turns, h.receipt)
	switch {
	case good:
		must(r, err)
		m.gone[h.m.body] = true
		m.lines[h.group] = slices.DeleteFunc(m.lines[h.group], func(k *known) bool { return k == h.m })
	case m.gone[h.m.body]:
		if err != nil && !errors.Is(err, queue.ErrReceipt) {
			r.Fatalf("delete again: %v", err)
		}
	default:
		mustBe(r, err, queue.ErrReceipt)
	}
}

func (m *model) hide(r *rapid.T, t *testing.T) {
	h, good := m.pick(r)
	d := time.Duration(rapid.SampledFrom([]int{0, 0, 5, 60}).Draw(r, "for")) * time.Second
	err := m.s.Hide(t.Context(), queue.Turns, h.receipt, d)
	if !good {
		mustBe(r, err, queue.ErrReceipt)
		return
	}
	must(r, err)
	h.m.visible = time.Now().Add(d)
}

// finish receives until everything is dead or deleted, and demands that the dead letters are those of the model.
func (m *model) finish(r *rapid.T, t *testing.T) {
	for left := 1; left > 0; {
		time.Sleep(time.Hour)
		left = m.receive(r, t, 10)
	}
	got := map[string][]string{}
	for {
		letters, err := m.s.Receive(t.Context(), deadTurns, 10, time.Minute)
		must(r, err)
		if len(letters) == 0 {
			break
		}
		for _, x := range letters {
			got[x.Group] = append(got[x.Group], x.Body)
			must(r, m.s.Delete(t.Context(), deadTurns, x.Receipt))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(m.dead) {
		r.Fatalf("dead letters %v, want %v", got, m.dead)
	}
}
