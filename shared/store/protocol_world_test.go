package store_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
)

// The world of the protocol's tests: real repositories and real workers, and around them a store, queues, Discord and a
// model that the test holds in its hand. Each call of a worker to the outside waits at a gate until the test opens it, so
// at any time at most one process moves; a run is the list of the test's decisions and nothing else.

// place is the one channel of the world.
const place chat.ChannelID = "500000000000000001"

// bounds are one configuration, in the words of the model's README: a letter for each event, and how often an accident may
// happen.
type bounds struct {
	kinds     string // M P B S F X K Z; L is a message whose answer has several parts, E an edit of the event before
	noSweeper bool
	left      map[string]int
}

// parse reads the model's notation: "events=M,S crash=1 stall=1".
func parse(text string) bounds {
	b := bounds{kinds: "M", left: map[string]int{}}
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "events":
			b.kinds = strings.ReplaceAll(value, ",", "")
		case "sweeper":
			b.noSweeper = value == "0"
		default:
			b.left[name] = int(value[0] - '0')
		}
	}
	return b
}

// world is everything outside of the workers, and the workers that run.
type world struct {
	bounds
	change  change // the rule that is turned off, if any
	store   kv.Driver
	queues  map[string]*fifo
	discord *twin
	letters []letter
	judge   judge

	mu      sync.Mutex
	pending []*call
	procs   []*proc
	born    int
	events  []chat.Event
	arrived int
	struck  []string // kinds of the accidents so far
	words   string   // what the model says instead of words of each attempt's own
	written int      // attempts of the model so far; each has words of its own
	trace   []string
}

// inWorld runs a test in a bubble with a fresh world. What panics in it (a failed draw of rapid) panics outside.
func inWorld(t *testing.T, b bounds, c change, run func(w *world)) {
	t.Helper()
	var caught any
	synctest.Test(t, func(*testing.T) {
		time.Sleep(time.Until(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)))
		w := newWorld(b, c)
		defer w.close()
		defer func() { caught = recover() }()
		run(w)
	})
	if caught != nil {
		panic(caught) // as the test would have
	}
}

func newWorld(b bounds, c change) *world {
	b.left = maps.Clone(b.left)
	w := &world{bounds: b, change: c, store: kvtest.Memory(), queues: map[string]*fifo{}}
	for _, name := range []string{ingress, chat.QueueTurns, chat.QueueReplies} {
		w.queues[name] = &fifo{known: map[string]time.Time{}}
	}
	w.discord = &twin{w: w, remember: 95 * time.Second}
	w.judge.begin(w)
	return w
}

// close ends every process. Their time-outs may still have to pass, which costs no time in a bubble.
func (w *world) close() {
	for _, p := range w.procs {
		p.kill()
	}
	for _, p := range w.procs {
		<-p.done
	}
}

func (w *world) note(format string, args ...any) {
	w.trace = append(w.trace, time.Now().Format("15:04:05 ")+fmt.Sprintf(format, args...))
}

// story is the trace with the state at its end, for a failed test.
func (w *world) story() string {
	return strings.Join(append(w.trace, w.state()), "\n")
}

// proc is one process at work: the handler of one delivery, the sweeper, the undertaker or a command.
type proc struct {
	w       *world
	id      int
	name    string
	queue   string // it was delivered from; empty for those that were not
	msg     *message
	receipt int
	job     chat.Job
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{}
	dead    bool // killed: nothing it does has an effect any more
	stalled bool // it does not move
	until   time.Time
	ended   bool
	leaving bool // it was told to hand over

	fence int64 // of its acquire
	late  bool  // the hold was stopped before this process acquired it
	err   error
}

// call is one call to the outside that waits at the gate.
type call struct {
	p     *proc
	label string
	open  chan fate
}

// fate is what becomes of a call.
type fate struct {
	before error         // it fails without an effect
	after  error         // it fails after its effect
	die    bool          // the process ends after the effect
	fly    bool          // a create leaves, and lands later; the caller gets after
	freeze time.Duration // the process stalls after the effect, before it learns of it
}

var (
	errDead  = errors.New("this process was killed")
	errReply = errors.New("injected: the reply was lost")
)

// start runs a process until it ends; what it returns becomes the fate of its message.
func (w *world) start(p *proc, run func(ctx context.Context, p *proc) error) *proc {
	w.born++
	p.w, p.id, p.done = w, w.born, make(chan struct{})
	p.name = fmt.Sprintf("%d:%s", p.id, p.name)
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	w.procs = append(w.procs, p)
	go func() {
		defer close(p.done)
		defer p.cancel(nil)
		p.err = run(p.ctx, p)
		if p.msg != nil {
			p.verdict(p.err)
		}
		w.mu.Lock()
		p.ended = true
		w.mu.Unlock()
	}()
	synctest.Wait()
	return p
}

// enter waits at the gate.
func (p *proc) enter(ctx context.Context, label string) (fate, error) {
	w := p.w
	c := &call{p: p, label: label, open: make(chan fate, 1)}
	w.mu.Lock()
	if p.dead {
		w.mu.Unlock()
		return fate{}, errDead
	}
	w.pending = append(w.pending, c)
	w.mu.Unlock()
	select {
	case f := <-c.open:
		return f, nil
	case <-ctx.Done():
		w.mu.Lock()
		w.pending = slices.DeleteFunc(w.pending, func(x *call) bool { return x == c })
		w.mu.Unlock()
		return fate{}, context.Cause(ctx)
	}
}

// do performs a call with an effect when the gate opens.
func (p *proc) do(ctx context.Context, label string, effect func() error) error {
	f, err := p.enter(ctx, label)
	if err == nil {
		err = f.before
	}
	if err != nil {
		return err
	}
	if f.fly {
		return f.after
	}
	err = effect()
	if f.die {
		p.kill()
		return errDead
	}
	if f.freeze > 0 {
		p.stall(f.freeze)
		if _, late := p.enter(context.WithoutCancel(ctx), "wakes in "+label); late != nil {
			return late
		}
	}
	if err == nil {
		err = f.after
	}
	return err
}

// stall stops the process; it may come back after some time.
func (p *proc) stall(d time.Duration) { p.stalled, p.until = true, time.Now().Add(d) }

// kill ends a process as SIGKILL does: none of its calls has an effect from now on.
func (p *proc) kill() {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	p.dead = true
	p.w.pending = slices.DeleteFunc(p.w.pending, func(c *call) bool {
		if c.p == p {
			c.open <- fate{before: errDead}
		}
		return c.p == p
	})
	p.cancel(errDead)
}

// verdict does with the message what the batch handler and the event source do.
func (p *proc) verdict(err error) {
	ctx := context.WithoutCancel(p.ctx)
	q := p.w.queues[p.queue]
	after, deferred := chat.Deferred(err)
	switch {
	case err == nil, chat.Dropped(err):
		_ = p.do(ctx, "delete", func() error { return q.remove(p.receipt) })
	case deferred:
		_ = p.do(ctx, "hide as deferred", func() error { return q.hide(p.receipt, after) })
	default:
		backoff := min(time.Second<<min(p.msg.receives-1, 6), time.Minute)
		_ = p.do(ctx, "hide after a failure", func() error { return q.hide(p.receipt, backoff) })
	}
}

// calls are the calls that wait, in an order that depends on nothing but the run.
func (w *world) calls(of *proc) []*call {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []*call
	for _, c := range w.pending {
		if of == nil && !c.p.stalled || c.p == of {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *call) int {
		return cmp.Or(cmp.Compare(a.p.id, b.p.id), cmp.Compare(a.label, b.label))
	})
	return out
}

// open lets one call go and waits until everybody waits again.
func (w *world) open(c *call, f fate) {
	how := ""
	switch {
	case f.fly && f.after == nil:
		how = "  CRASH, the create on its way"
	case f.fly:
		how = "  NO ANSWER, the create on its way"
	case f.freeze > 0:
		how = fmt.Sprintf("  then STALLS for %v", f.freeze)
	case f.die:
		how = "  then CRASH"
	case f.before != nil:
		how = "  FAILS: " + f.before.Error()
	case f.after != nil:
		how = "  DONE, BUT FAILS: " + f.after.Error()
	}
	w.note("%s  %s%s", c.p.name, c.label, how)
	w.mu.Lock()
	w.pending = slices.DeleteFunc(w.pending, func(x *call) bool { return x == c })
	w.mu.Unlock()
	c.open <- f
	w.wait()
}

// wait waits until everybody waits, and forgets who has ended.
func (w *world) wait() {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.procs = slices.DeleteFunc(w.procs, func(p *proc) bool {
		if p.ended && p.err != nil && !p.dead {
			w.trace = append(w.trace, fmt.Sprintf("         %s  returned: %v", p.name, p.err))
		}
		return p.ended
	})
}

// crash kills a process before the call it waits for.
func (w *world) crash(p *proc) {
	w.note("%s  CRASH", p.name)
	p.kill()
	w.wait()
}

// alive are the processes that were not killed.
func (w *world) alive() []*proc {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.procs), func(p *proc) bool { return p.dead })
}

// pass lets time pass. Creates on their way land in time.
func (w *world) pass(d time.Duration) {
	end := time.Now().Add(d)
	for {
		next := end
		for _, f := range w.discord.flying {
			if f.deadline.Before(next) {
				next = f.deadline
			}
		}
		time.Sleep(time.Until(next))
		w.wait()
		for len(w.discord.flying) > 0 && !w.discord.flying[0].deadline.After(next) {
			w.discord.land()
		}
		if !next.Before(end) {
			return
		}
	}
}

// get reads an item past all gates.
func (w *world) get(sort string) kv.Item {
	item, err := w.store.Get(context.Background(), kv.Key{Space: "channels", Partition: string(place), Sort: sort})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		panic(err)
	}
	return item
}

// list reads the items of a prefix past all gates.
func (w *world) list(prefix string) []kv.Item {
	page, err := w.store.Query(context.Background(), kv.Query{Space: "channels", Partition: string(place), Prefix: prefix})
	if err != nil {
		panic(err)
	}
	return page.Items
}

func (w *world) phase() chat.Phase {
	return cmp.Or(chat.Phase(w.get("head").String("phase")), chat.Free)
}

// state is one line in the words of the model.
func (w *world) state() string {
	h := w.get("head")
	b := fmt.Sprintf("%s %s.%d fence=%d n=%d next=%v starts=%d", w.phase(), w.name(chat.EventID(h.String("event"))), h.Int("turn"),
		h.Int("fence"), h.Int("n"), h.Has("next"), h.Int("starts"))
	b += " | signal=" + h.String("sigKind")
	for _, m := range w.list("mail#") {
		b += " | " + m.Key.Sort + "=" + w.name(chat.EventID(m.String("event")))
	}
	for _, name := range []string{ingress, chat.QueueTurns, chat.QueueReplies} {
		b += fmt.Sprintf(" | %s %d", name, len(w.queues[name].list))
	}
	for i, e := range w.events[:w.arrived] {
		b += fmt.Sprintf(" | e%d(%c)=%s", i+1, w.kinds[i], w.get("event#"+string(e.ID)).String("row"))
	}
	for _, m := range w.discord.list {
		if m.by != nil && !m.gone {
			b += fmt.Sprintf(" | shown %s: %q", w.turnName(m.of), m.Text)
		}
	}
	return b
}

// name gives an event's name in traces.
func (w *world) name(id chat.EventID) string {
	for i, e := range w.events {
		if e.ID == id {
			return fmt.Sprintf("e%d", i+1)
		}
	}
	return "-"
}

func (w *world) turnName(of turnID) string { return fmt.Sprintf("%s.%d", w.name(of.event), of.turn) }
