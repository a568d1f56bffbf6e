package store_test

import (
	"context"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// atOnce is how many processes may run at the same time.
const atOnce = 4

// step is something that may happen next; an accident costs one of its budget.
type step struct {
	cost string
	do   func()
	at   string // the call that it happens to
}

// fair lists what happens if nothing more goes wrong. Time passes when nobody can move, or as one choice among others.
func (w *world) fair() []step {
	var out []step
	for _, c := range w.calls(nil) {
		out = append(out, step{do: func() { w.open(c, fate{}) }})
	}
	alive := w.alive()
	for _, name := range []string{ingress, chat.QueueTurns, chat.QueueReplies} {
		if w.queues[name].ready() && len(alive) < atOnce {
			out = append(out, step{do: func() { w.deliver(name) }})
		}
	}
	if w.arrived < len(w.kinds) {
		out = append(out, step{do: func() { w.arrive() }})
	}
	if len(w.discord.flying) > 0 {
		out = append(out, step{do: w.discord.land})
	}
	sweeps, buries := false, false
	for _, p := range alive {
		sweeps = sweeps || strings.HasSuffix(p.name, "sweeper")
		buries = buries || strings.HasSuffix(p.name, "undertaker")
		if p.stalled && !time.Now().Before(p.until) {
			out = append(out, step{do: func() {
				w.note("%s  comes back", p.name)
				p.stalled = false
			}})
		}
	}
	if len(w.letters) > 0 && !buries {
		out = append(out, step{do: func() { w.undertake() }})
	}
	if due := w.get("head").Int(kv.DueAt); due > 0 && due <= time.Now().UnixMilli() && !sweeps && !w.noSweeper {
		out = append(out, step{do: func() { w.sweep() }})
	}
	return out
}

// tick lets a little time pass; more when nobody is at work.
func (w *world) tick() {
	for _, p := range w.alive() {
		if !p.stalled {
			w.pass(time.Second)
			return
		}
	}
	w.pass(11 * time.Second)
}

// pauses are how long a process may stall: shorter and longer than the dead-limit and the visibility, and for ever so long.
func pauses() []time.Duration {
	return []time.Duration{20 * time.Second, 50 * time.Second, 70 * time.Second, 5 * time.Minute}
}

// accidents lists what the adversary may do now, and can pay for.
func (w *world) accidents() []step {
	var out []step
	at := ""
	may := func(cost string, do func()) {
		if w.left[cost] > 0 {
			out = append(out, step{cost, do, at})
		}
	}
	for _, c := range w.calls(nil) {
		at = c.label
		may("crash", func() { w.crash(c.p) })
		may("crash", func() { w.open(c, fate{die: true}) })
		for _, d := range pauses() {
			if c.p.fence > 0 && !strings.HasPrefix(c.label, "wakes") {
				may("stall", func() { w.open(c, fate{freeze: d}) })
			}
		}
		unknown := fate{fly: true, after: errReply}
		switch {
		case c.label == "discord create":
			may("crash", func() { w.open(c, fate{fly: true}) })
			may("retry", func() { w.open(c, unknown) })
			may("retry", func() { w.open(c, fate{after: errReply}) })
		case strings.HasPrefix(c.label, "discord"):
			may("retry", func() { w.open(c, fate{after: errReply}) })
			may("retry", func() {
				w.open(c, fate{before: &chat.Failure{Op: c.label, Kind: chat.Throttled, Status: 429, After: 20 * time.Second}})
			})
		case strings.HasPrefix(c.label, "model"):
			may("retry", func() { w.open(c, fate{before: errOutage}) })
		case strings.HasPrefix(c.label, "kv write"):
			may("fault", func() { w.open(c, fate{before: kv.ErrContention}) })
			may("fault", func() { w.open(c, fate{after: kvtest.ErrInjected}) })
			may("fault", func() { w.open(c, fate{before: kvtest.ErrInjected}) })
		case strings.HasPrefix(c.label, "kv"):
			may("fault", func() { w.open(c, fate{before: kv.ErrThrottled}) })
			may("fault", func() { w.open(c, fate{before: kvtest.ErrInjected}) })
		default: // a queue
			may("fault", func() { w.open(c, fate{after: errReply}) })
			may("fault", func() { w.open(c, fate{before: errReply}) })
		}
	}
	at = ""
	for _, p := range w.alive() {
		if !p.stalled && p.fence > 0 {
			for _, d := range pauses() {
				may("stall", func() { w.note("%s  STALLS for %v", p.name, d); p.stall(d) })
			}
		}
		if !p.leaving && (p.queue == chat.QueueReplies || p.queue == chat.QueueTurns) {
			may("handover", func() { w.leave(p) })
		}
	}
	for i := range w.arrived {
		if w.kinds[i] != 'K' {
			may("dup", func() { w.note("event e%d arrives ONCE MORE", i+1); w.repeat(i) })
		}
	}
	if w.phase() != chat.Free {
		may("sweep", func() { w.resend() })
	}
	for _, name := range []string{ingress, chat.QueueTurns, chat.QueueReplies} {
		w.accidentsOf(name, may)
	}
	return out
}

func (w *world) accidentsOf(name string, may func(string, func())) {
	q := w.queues[name]
	if q.valid(q.receipt) {
		cost := "early"
		for _, p := range w.alive() {
			if p.queue == name && p.receipt == q.receipt {
				cost = "lose"
			}
		}
		may(cost, func() { w.note("visibility in %s ends EARLY", name); q.expire() })
	}
	if len(q.list) > 0 && q.list[0].receives > 0 { // its visibility ends, and it was received too often
		may("dead", func() { w.moveToDead(name) })
	}
	if len(q.known) > 0 {
		may("window", func() { w.note("%s FORGETS its deduplication ids", name); clear(q.known) })
	}
}

// leave asks the process to hand over.
func (w *world) leave(p *proc) {
	w.note("%s  is asked to LEAVE", p.name)
	p.leaving = true
	p.cancel(chat.ErrHandOver)
	w.wait()
}

// hurried lists channels before they are due: the index of the store is a hint.
type hurried struct{ kv.Driver }

// Due lists what will be due.
func (h hurried) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	return h.Driver.Due(ctx, space, before.Add(24*time.Hour), limit)
}

// resend is a sweeper that comes although the channel is not due.
func (w *world) resend() *proc {
	w.note("the sweeper comes EARLY")
	return w.start(&proc{name: "sweeper"}, func(ctx context.Context, p *proc) error {
		_, err := chat.Sweep(ctx, store.NewChannels(hurried{gatedKV{p}}), p.outbox())
		return err
	})
}

// goals are parts of calls that an adversary may lie in wait for; the empty one is none in particular.
func goals() []string {
	return []string{"", "", "discord create", "head:record", "discord edit", "head:plan", "turn#", "head:text", "send", "head:acquire", "head:intent", "message#", "discord read after"}
}

// run lets the adversary choose until it has nothing left, then lets everything come to rest, and judges. How soon the
// adversary strikes, and what it lies in wait for, is drawn too, so that late steps see as many accidents as early ones.
func (w *world) run(pick func(n int) int) {
	patience, goal := []int{6, 16, 40, 100}[pick(4)], goals()[pick(len(goals()))]
	for range 600 {
		steps := append(w.fair(), step{do: w.tick})
		bad := w.accidents()
		if w.arrived == len(w.kinds) && (w.spent() || w.atRest() && pick(4) == 0) {
			break
		}
		lured := slices.DeleteFunc(slices.Clone(bad), func(s step) bool { return goal == "" || !strings.Contains(s.at, goal) })
		switch {
		case len(lured) > 0 && pick(3) == 0:
			steps = w.oneKind(lured, pick)
		case len(bad) > 0 && pick(patience) == 0:
			steps = w.oneKind(bad, pick)
		}
		s := steps[pick(len(steps))]
		if s.cost != "" {
			w.left[s.cost]--
			w.struck = append(w.struck, s.cost)
		}
		s.do()
	}
	w.settle(pick)
	w.judge.rest()
}

// spent tells that the adversary has nothing left.
func (w *world) spent() bool {
	for _, n := range w.left {
		if n > 0 {
			return false
		}
	}
	return true
}

// oneKind chooses a kind of accident first, or those of which there are many would be chosen always.
func (w *world) oneKind(bad []step, pick func(n int) int) []step {
	var kinds []string
	for _, s := range bad {
		if !slices.Contains(kinds, s.cost) {
			kinds = append(kinds, s.cost)
		}
	}
	kind := kinds[pick(len(kinds))]
	return slices.DeleteFunc(slices.Clone(bad), func(s step) bool { return s.cost != kind })
}

// settle lets everything come to rest: I7 when it does not.
func (w *world) settle(pick func(n int) int) {
	end := time.Now().Add(6 * time.Hour)
	for range 5000 {
		if w.atRest() {
			return
		}
		steps := w.fair()
		switch {
		case len(steps) > 0:
			steps[pick(len(steps))].do()
		case time.Now().After(end):
			return // judged as stuck
		case w.noSweeper && w.idle():
			return
		default:
			w.tick()
		}
	}
	w.judge.broke(7, "it does not come to rest")
}

// idle tells that nothing but the sweeper could move anything.
func (w *world) idle() bool {
	for _, q := range w.queues {
		if len(q.list) > 0 {
			return false
		}
	}
	return len(w.procs) == 0 && len(w.discord.flying) == 0
}
