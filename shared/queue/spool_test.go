package queue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// happened is an event named by its channel, a letter, and a number: a1.
func happened(name string) chat.Event {
	return chat.Event{What: chat.Said, ID: chat.EventID(name), Channel: chat.ChannelID(name[:1]), Text: "words of " + name}
}

// spooling is a spool at work in a bubble.
type spooling struct {
	*queue.Spool
	t     *testing.T
	inner queue.Driver
	ended chan error
	stop  context.CancelFunc

	mu   sync.Mutex
	done []string
}

// spool starts a spool over the twin; decide makes accidents happen to its sends.
func spool(t *testing.T, inner queue.Driver, o queue.SpoolOptions, decide func(queuetest.Call) queuetest.Accident) *spooling {
	t.Helper()
	s, err := queue.NewSpool(queuetest.NewUnreliable(inner, brake(t.Errorf, decide)), o)
	if err != nil {
		t.Fatal(err)
	}
	r := &spooling{Spool: s, t: t, inner: inner, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(t.Context())
	go func() { r.ended <- s.Run(ctx) }()
	return r
}

// brake ends a lane that asks the queue without a pause, and says so: in a bubble it would go on for ever, for the clock stands
// as long as anybody is busy.
func brake(fault func(string, ...any), decide func(queuetest.Call) queuetest.Accident) func(queuetest.Call) queuetest.Accident {
	var at time.Time
	n := 0
	return func(c queuetest.Call) queuetest.Accident {
		if now := time.Now(); now != at {
			at, n = now, 0
		}
		if n++; n > 5000 {
			fault("the spool asks the queue without a pause")
			runtime.Goexit()
		}
		if decide == nil {
			return queuetest.Fine
		}
		return decide(c)
	}
}

func (s *spooling) put(names ...string) {
	s.t.Helper()
	for _, n := range names {
		if err := s.Put(s.t.Context(), happened(n), func() { s.over(n) }); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *spooling) over(n string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, n)
}

// finished lists what was done, when everything stands still.
func (s *spooling) finished() []string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.done)
}

// close ends the spool and gives Run's error.
func (s *spooling) close() error {
	s.stop()
	return <-s.ended
}

// on lists what is on the queue, in order, and takes it off.
func on(t *testing.T, d queue.Driver) []string {
	t.Helper()
	var got []string
	for {
		some, err := d.Receive(t.Context(), queue.Ingress, 10, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return got
		}
		for _, r := range some {
			var e chat.Event
			if err := queue.Decode(r.Body, &e); err != nil {
				t.Fatal(err)
			}
			got = append(got, string(e.ID))
			if err := d.Delete(t.Context(), queue.Ingress, r.Receipt); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// numbered gives a1, a2 …
func numbered(channel string, from, to int) []string {
	var all []string
	for i := from; i <= to; i++ {
		all = append(all, fmt.Sprint(channel, i))
	}
	return all
}

func TestSpoolSendsInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		seen := func() string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return fmt.Sprint(sizes)
		}
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Lanes: 1}, func(c queuetest.Call) queuetest.Accident {
			mu.Lock()
			defer mu.Unlock()
			if c.Op == queuetest.Batch {
				sizes = append(sizes, 0)
			}
			if c.Op == queuetest.Send {
				sizes[len(sizes)-1]++
			}
			return queuetest.Fine
		})
		s.put("a1")
		time.Sleep(19 * time.Millisecond)
		if seen() != "[]" {
			t.Error("an event did not wait for others")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		equal(t, "done after 20 ms", s.finished(), []string{"a1"})
		names := append(numbered("b", 1, 12), numbered("a", 2, 14)...)
		s.put(names...)
		synctest.Wait()
		if got := seen(); got != "[1 10 10]" {
			t.Errorf("full batches did not go at once: %s", got)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if got := seen(); got != "[1 10 10 5]" {
			t.Errorf("batches of %s", got)
		}
		equal(t, "on the queue", on(t, s.inner), append([]string{"a1"}, names...))
		equal(t, "done", s.finished(), append([]string{"a1"}, names...))
	})
}

// A message that fails holds up its own group, and nobody else.
func TestSpoolRetriesAGroupInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fail atomic.Bool
		fail.Store(true)
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Lanes: 1}, func(c queuetest.Call) queuetest.Accident {
			if fail.Load() && c.Message.Dedup == "a2" {
				return queuetest.Before
			}
			return queuetest.Fine
		})
		s.put("a1", "a2", "b1", "a3", "b2")
		time.Sleep(5 * time.Second)
		s.put("b3", "a4", "c1")
		time.Sleep(5 * time.Second)
		equal(t, "done while one group fails", s.finished(), []string{"a1", "b1", "b2", "b3", "c1"})
		fail.Store(false)
		time.Sleep(10 * time.Second)
		equal(t, "done", s.finished(), []string{"a1", "b1", "b2", "b3", "c1", "a2", "a3", "a4"})
		equal(t, "on the queue", on(t, s.inner), s.finished())
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	})
}

// Lanes do not wait for each other, and while the queue is away it is asked ever more rarely.
func TestSpoolBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var away atomic.Bool
		var calls atomic.Int64
		away.Store(true)
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Lanes: 1}, func(c queuetest.Call) queuetest.Accident {
			if c.Op == queuetest.Batch {
				calls.Add(1)
				if away.Load() {
					return queuetest.After // it arrives, and nobody learns of it
				}
			}
			return queuetest.Fine
		})
		s.put("a1", "b1", "a2")
		time.Sleep(2 * time.Minute)
		if n := calls.Load(); len(s.finished()) != 0 || n < 15 || n > 40 {
			t.Errorf("%d calls in two minutes, done %v", n, s.finished())
		}
		away.Store(false)
		time.Sleep(11 * time.Second)
		equal(t, "done", s.finished(), []string{"a1", "b1", "a2"})
		equal(t, "on the queue once", on(t, s.inner), []string{"a1", "b1", "a2"})
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	})
}

// accidentWhile makes every batch fail while it is set.
type accidentWhile struct{ away atomic.Bool }

func gone() *accidentWhile {
	a := &accidentWhile{}
	a.away.Store(true)
	return a
}

func (a *accidentWhile) decide(c queuetest.Call) queuetest.Accident {
	if a.away.Load() && c.Op == queuetest.Batch {
		return queuetest.Before
	}
	return queuetest.Fine
}

func TestSpoolGoesToTheFileAndBack(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		path, queues := filepath.Join(dir, "spool"), gone()
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Path: path, Events: 4, Lanes: 2}, queues.decide)
		var want []string
		for round := range 3 { // the file is used again after it was used up
			queues.away.Store(true)
			names := append(numbered("a", 30*round, 30*round+20), numbered("b", 30*round, 30*round+9)...)
			s.put(names...)
			want = append(want, names...)
			if size(t, path) == 0 {
				t.Error("nothing is in the file")
			}
			queues.away.Store(false)
			time.Sleep(time.Minute)
			if n := size(t, path); n != 0 {
				t.Errorf("the file has %d bytes after all was sent", n)
			}
		}
		ordered(t, on(t, s.inner), want)
		ordered(t, s.finished(), want)
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if _, err := filepath.Glob(path + "*"); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(path + "*"); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// When everything is full the caller waits; the first place that is free lets it go on.
func TestSpoolBlocksWhenFull(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		queues := gone()
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Path: filepath.Join(dir, "spool"), Events: 3, MaxFile: 700}, queues.decide)
		fits := 0
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errWorld)
		defer cancel()
		var err error
		for err == nil {
			fits++
			err = s.Put(ctx, happened(fmt.Sprint("a", fits)), func() {})
		}
		if !errors.Is(err, errWorld) || fits < 5 || fits > 20 {
			t.Fatalf("the %dth did not fit: %v", fits, err)
		}
		time.AfterFunc(time.Minute, func() { queues.away.Store(false) })
		s.put(fmt.Sprint("a", fits), "b1")
		time.Sleep(time.Minute)
		ordered(t, on(t, s.inner), append(numbered("a", 1, fits), "b1"))
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), happened("a99"), func() {}); !errors.Is(err, queue.ErrClosed) {
			t.Errorf("put after the end: %v", err)
		}
	})
}

// What the time did not suffice for is sent by the next process, before what that one is told.
func TestSpoolLeavesTheRestToTheNext(t *testing.T) {
	for name, events := range map[string]int{"from memory": 100, "from memory and file": 5} {
		dir := t.TempDir()
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path, queues := filepath.Join(dir, "spool"), gone()
				o := queue.SpoolOptions{Path: path, Events: events}
				s := spool(t, queuetest.Memory(5), o, queues.decide)
				names := append(numbered("a", 1, 8), numbered("b", 1, 8)...)
				s.put(names...)
				began := time.Now()
				if err := s.close(); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != 10*time.Second {
					t.Errorf("the end took %s", took)
				}
				if len(s.finished()) != 0 || len(on(t, s.inner)) != 0 {
					t.Error("something was sent")
				}
				next := spool(t, s.inner, o, nil)
				next.put("a9", "b9")
				time.Sleep(time.Minute)
				ordered(t, on(t, s.inner), append(names, "a9", "b9"))
				ordered(t, next.finished(), []string{"a9", "b9"})
				if err := next.close(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestSpoolWithoutFileSaysWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queues := gone()
		s := spool(t, queuetest.Memory(5), queue.SpoolOptions{}, queues.decide)
		s.put("a1", "b1")
		if err := s.close(); !errors.Is(err, queue.ErrLeft) || !strings.Contains(err.Error(), "2 events") {
			t.Errorf("error %v", err)
		}
	})
}

// refusing is a queue that refuses one message for ever, and so every batch that has it.
type refusing struct {
	queue.Driver
	never string
}

func (r refusing) Send(ctx context.Context, name string, m queue.Message) error {
	if m.Dedup == r.never {
		return queue.ErrTooLarge
	}
	return r.Driver.Send(ctx, name, m)
}

func (r refusing) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	for _, m := range ms {
		if m.Dedup == r.never {
			return queue.ErrTooLarge
		}
	}
	return queue.SendAll(ctx, r.Driver, name, ms)
}

func TestSpoolGivesUpWhatNoQueueTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := spool(t, refusing{queuetest.Memory(5), "a2"}, queue.SpoolOptions{Lanes: 1}, nil)
		s.put("a1", "a2", "a3", "b1")
		huge, nameless := happened("c1"), happened("c2")
		huge.Text, nameless.ID = strings.Repeat("x", queue.MaxBody), "two words"
		for _, e := range []chat.Event{huge, nameless} {
			if err := s.Put(t.Context(), e, func() { s.over("c") }); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "given up at once", s.finished(), []string{"c", "c"})
		time.Sleep(time.Second)
		equal(t, "done", s.finished(), []string{"c", "c", "a1", "a2", "a3", "b1"})
		equal(t, "on the queue", on(t, s.inner), []string{"a1", "a3", "b1"})
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	})
}

// ordered demands exactly these names, those of one letter in order.
func ordered(t *testing.T, got, want []string) {
	t.Helper()
	split := func(names []string) map[string][]string {
		by := map[string][]string{}
		for _, n := range names {
			by[n[:1]] = append(by[n[:1]], n)
		}
		return by
	}
	if have, all := fmt.Sprint(split(got)), fmt.Sprint(split(want)); have != all {
		t.Errorf("got %s\nwant %s", have, all)
	}
}
