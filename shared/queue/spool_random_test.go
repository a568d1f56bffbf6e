package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// A spool through everything at once: a queue that fails, loses answers, takes parts of batches, refuses, is away, and
// processes that end and are killed. Discord is a list of events, of which a new process is told again from the first that
// was not acknowledged on, as a resumed session is.

// discordList is what happened, in order, and how far it was acknowledged without a gap.
type discordList struct {
	mu    sync.Mutex
	names []string
	acked map[int]bool
	first int // that is not acknowledged
	per   map[string]int
}

func (d *discordList) happen(channel string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.per[channel]++
	d.names = append(d.names, fmt.Sprint(channel, d.per[channel]))
}

// at gives the i-th event, if it has happened.
func (d *discordList) at(i int) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i >= len(d.names) {
		return "", false
	}
	return d.names[i], true
}

func (d *discordList) ack(i int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.acked[i] = true
	for d.acked[d.first] {
		d.first++
	}
}

// life is one process.
type life struct {
	spool *queue.Spool
	stop  context.CancelFunc
	ended chan error
	fed   chan struct{}
	mu    sync.Mutex
	dead  bool
	calls map[int]int // of done
}

func (l *life) isDead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// trial is one run of the property.
type trial struct {
	t       *testing.T
	inner   queue.Driver
	discord *discordList
	dir     string
	files   int
	o       queue.SpoolOptions
	life    *life

	mu     sync.Mutex
	dice   *rand.Rand
	away   bool
	faults int // of ten sends
	wrong  []string
}

// decide makes accidents happen. A dead process reaches nobody.
func (r *trial) decide(l *life) func(queuetest.Call) queuetest.Accident {
	return func(c queuetest.Call) queuetest.Accident {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case l.isDead() || r.away && c.Op == queuetest.Batch:
			return queuetest.Before
		case r.dice.IntN(10) < r.faults:
			return []queuetest.Accident{queuetest.Before, queuetest.After}[r.dice.IntN(2)]
		}
		return queuetest.Fine
	}
}

// begin starts a process: its spool, and the gateway that feeds it.
func (r *trial) begin() {
	l := &life{ended: make(chan error, 1), fed: make(chan struct{}), calls: map[int]int{}}
	s, err := queue.NewSpool(queuetest.NewUnreliable(r.inner, brake(r.fault, r.decide(l))), r.o)
	if err != nil {
		r.t.Fatal(err)
	}
	l.spool, r.life = s, l
	var ctx context.Context
	ctx, l.stop = context.WithCancel(r.t.Context())
	go func() { l.ended <- s.Run(ctx) }()
	r.discord.mu.Lock()
	next := r.discord.first
	r.discord.mu.Unlock()
	go func() {
		defer close(l.fed)
		for ; ctx.Err() == nil; time.Sleep(250 * time.Millisecond) {
			for name, ok := r.discord.at(next); ok && ctx.Err() == nil; name, ok = r.discord.at(next) {
				i := next
				if s.Put(ctx, happened(name), func() { r.done(l, i) }) == nil {
					next++
				}
			}
		}
	}()
}

func (r *trial) done(l *life, i int) {
	if l.isDead() {
		return
	}
	l.mu.Lock()
	l.calls[i]++
	if l.calls[i] > 1 {
		r.fault("done of event %d was called %d times", i, l.calls[i])
	}
	l.mu.Unlock()
	r.discord.ack(i)
}

func (r *trial) fault(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

// kill ends the process as it stands: its successor finds a copy of its file as it was then, perhaps with a torn end.
func (r *trial) kill(torn bool) {
	l := r.life
	l.mu.Lock()
	l.dead = true
	l.mu.Unlock()
	text, err := os.ReadFile(r.o.Path)
	if err != nil {
		r.t.Fatal(err)
	}
	if torn {
		text = append(text, "1 0000"...)
	}
	if err := os.RemoveAll(filepath.Dir(r.o.Path)); err != nil { // so that it does not take its time to leave anything
		r.t.Fatal(err)
	}
	r.place()
	if err := os.WriteFile(r.o.Path, text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	l.stop() // what it still does reaches nobody
	<-l.ended
	<-l.fed
	r.begin()
}

// place makes the directory of the next process that does not inherit a file.
func (r *trial) place() {
	r.files++
	r.o.Path = filepath.Join(r.dir, fmt.Sprint(r.files), "spool")
	if err := os.MkdirAll(filepath.Dir(r.o.Path), 0o700); err != nil {
		r.t.Fatal(err)
	}
}

// restart ends the process in order.
func (r *trial) restart() {
	r.life.stop()
	<-r.life.fed
	if err := <-r.life.ended; err != nil {
		r.fault("the process ended with %v", err)
	}
	r.begin()
}

// judge lets everything come to its end, and looks at what is on the queue: each event, and for the first time in order.
func (r *trial) judge() {
	r.mu.Lock()
	r.away, r.faults = false, 0
	r.mu.Unlock()
	time.Sleep(30 * time.Second)
	synctest.Wait()
	r.discord.mu.Lock()
	if n := len(r.discord.names); r.discord.first != n {
		r.wrong = append(r.wrong, fmt.Sprintf("%d of %d events are acknowledged", r.discord.first, n))
	}
	r.discord.mu.Unlock()
	r.life.stop()
	<-r.life.fed
	if err := <-r.life.ended; err != nil {
		r.fault("the last process ended with %v", err)
	}
	seen, next := map[string]bool{}, map[string]int{}
	for _, name := range on(r.t, r.inner) {
		if seen[name] {
			continue // the window of the deduplication id was over; the ledger knows it
		}
		seen[name] = true
		next[name[:1]]++
		if want := fmt.Sprint(name[:1], next[name[:1]]); name != want {
			r.fault("on the queue is %s, want %s", name, want)
			return
		}
	}
	for channel, n := range r.discord.per {
		if next[channel] != n {
			r.fault("%d of %d events of channel %s are on the queue", next[channel], n, channel)
		}
	}
}

func TestSpoolThroughAccidents(t *testing.T) {
	hush(t)
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		bubble(t, func(t *testing.T) {
			runs++
			w := &trial{t: t, inner: queuetest.Memory(50), dir: filepath.Join(dir, fmt.Sprint(runs)),
				discord: &discordList{acked: map[int]bool{}, per: map[string]int{}},
				dice:    rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0)),
				o: queue.SpoolOptions{Events: rapid.IntRange(1, 8).Draw(r, "memory"), Lanes: rapid.IntRange(1, 3).Draw(r, "lanes"),
					MaxFile: int64(rapid.IntRange(200, 4000).Draw(r, "file")), Drain: time.Second}}
			w.place()
			w.begin()
			r.Repeat(map[string]func(*rapid.T){
				"happen": func(r *rapid.T) {
					for _, channel := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 8).Draw(r, "channels") {
						w.discord.happen(channel)
					}
				},
				"faults": func(r *rapid.T) {
					n, away := rapid.IntRange(0, 6).Draw(r, "faults"), rapid.Bool().Draw(r, "away")
					w.mu.Lock()
					defer w.mu.Unlock()
					w.faults, w.away = n, away
				},
				"time":    func(r *rapid.T) { time.Sleep(time.Duration(rapid.IntRange(1, 3000).Draw(r, "ms")) * time.Millisecond) },
				"hours":   func(*rapid.T) { time.Sleep(queue.Window + time.Second) },
				"kill":    func(r *rapid.T) { w.kill(rapid.Bool().Draw(r, "torn")) },
				"restart": func(*rapid.T) { w.restart() },
			})
			w.judge()
			for _, wrong := range w.wrong {
				r.Errorf("%s", wrong)
			}
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

// hush keeps the log of thousands of accidents out of the test's output.
func hush(t *testing.T) {
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(old) })
}

// The identity of an event on the queue is the same for every relay.
func TestEventsOnTheQueue(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		e            chat.Event
		group, dedup string
	}{
		"said":           {chat.Event{What: chat.Said, ID: "7", Channel: "1", Text: "x"}, "1", "7"},
		"edited":         {chat.Event{What: chat.Edited, ID: "7", Channel: "1", At: at}, "1", "7-edited-1772366400000"},
		"deleted":        {chat.Event{What: chat.Deleted, ID: "7", Channel: "1"}, "1", "7-deleted"},
		"channel gone":   {chat.Event{What: chat.ChannelDeleted, ID: "1", Channel: "1", Guild: "9", At: at}, "1", ""},
		"guild gone":     {chat.Event{What: chat.GuildDeleted, ID: "9", Guild: "9", At: at}, "9", ""},
		"guild updated":  {chat.Event{What: chat.GuildUpdated, ID: "9", Guild: "9"}, "9", ""},
		"thread renamed": {chat.Event{What: chat.ChannelUpdated, ID: "1", Channel: "1", Text: "new name"}, "1", ""},
	} {
		m, err := queue.OfEvent(c.e)
		if err != nil || m.Group != c.group || c.dedup != "" && m.Dedup != c.dedup || queue.CheckMessage(m) != nil {
			t.Errorf("%s: group %s, deduplication id %s, error %v", name, m.Group, m.Dedup, err)
		}
		if c.e.What.OfMessage() {
			continue
		}
		later, other := c.e, c.e
		later.At, other.Text = at.Add(time.Second), "other words"
		a, errA := queue.OfEvent(later)
		b, errB := queue.OfEvent(other)
		if errA != nil || errB != nil || a.Dedup != m.Dedup || b.Dedup == m.Dedup {
			t.Errorf("%s: %s, told later %s, with other words %s", name, m.Dedup, a.Dedup, b.Dedup)
		}
	}
}
