package store_test

import (
	"strings"
	"time"

	"tsumugi/shared/chat"
)

// The words of a scripted run, in which the test decides each step itself.

// calledAs says how a worker's step is called at the gate; %s is the event.
var calledAs = map[string]string{
	"writes":           "kv write",
	"saves the plan":   "kv write head:plan",
	"acquires":         "kv write head:acquire",
	"stores an intent": "kv write head:intent",
	"creates":          "discord create",
	"records":          "kv write head:record",
	"writes the text":  "kv write turn#",
	"stores the text":  "kv write head:text",
	"edits":            "discord edit",
	"lists a message":  "kv write message#", // by itself
	"ends the turn":    "kv write head ",    // and the rest of the transaction
	"sends":            "send",
	"generates":        "model begins",
	"goes on":          "model goes on",
	"comes to its end": "model ends",
	"wakes":            "wakes in",
}

// is tells whether a call is the step.
func (c *call) is(step string) bool {
	id := string(c.p.job.Event)
	if c.p.queue == ingress {
		id = string(c.p.msg.event.ID)
	}
	form, known := calledAs[step]
	if !known {
		panic("there is no step " + step)
	}
	form = strings.ReplaceAll(form, "%s", id)
	return strings.HasPrefix(c.label, form)
}

// to lets a process go on until it is about to take a step. It is nil when the process ends before: a worker that finds its
// message stale takes no further step, and a scenario runs with and without the rule.
func (w *world) to(p *proc, step string) *call {
	for range 5000 {
		waiting := w.calls(p)
		for _, c := range waiting {
			if c.is(step) {
				return c
			}
		}
		switch {
		case p.ended:
			return nil
		case len(waiting) > 0:
			w.open(waiting[0], fate{})
		default:
			w.pass(100 * time.Millisecond)
		}
	}
	panic(p.name + " never " + step + "\n" + w.story())
}

// at lets a process go on to a step, which then meets its fate.
func (w *world) at(p *proc, step string, f fate) {
	if c := w.to(p, step); c != nil {
		w.open(c, f)
	}
}

// now opens a call that waits, before others that do.
func (w *world) now(p *proc, step string) {
	for _, c := range w.calls(p) {
		if c.is(step) {
			w.open(c, fate{})
			return
		}
	}
	panic(p.name + " does not wait to " + step + "\n" + w.story())
}

// past lets a process go on until it has taken a step.
func (w *world) past(p *proc, step string) { w.at(p, step, fate{}) }

// dies kills a process right after a step.
func (w *world) dies(p *proc, step string) { w.at(p, step, fate{die: true}) }

// deadBefore kills a process right before a step.
func (w *world) deadBefore(p *proc, step string) {
	if w.to(p, step) != nil {
		w.crash(p)
	}
}

// finish lets a process go on to its end.
func (w *world) finish(p *proc) {
	for range 2000 {
		if p.ended {
			return
		}
		if waiting := w.calls(p); len(waiting) > 0 {
			w.open(waiting[0], fate{})
		} else {
			w.pass(100 * time.Millisecond)
		}
	}
	panic(p.name + " does not end\n" + w.story())
}

// offer lets the next event happen and admits it.
func (w *world) offer() {
	if p := w.arrive(); p != nil {
		w.finish(p)
		return
	}
	w.finish(w.deliver(ingress))
}

// planIt lets the current event be planned.
func (w *world) planIt() { w.finish(w.deliver(chat.QueueTurns)) }

// speaker delivers the next reply.
func (w *world) speaker() *proc { return w.deliver(chat.QueueReplies) }

// begin brings the next event to its first speaker.
func (w *world) begin() *proc {
	w.offer()
	w.planIt()
	return w.speaker()
}

// again redelivers a reply whose worker is gone, after its visibility.
func (w *world) again() *proc {
	w.pass(chat.Visibility + time.Second)
	return w.speaker()
}

// soon redelivers a reply as soon as its beat is dead, before its visibility ends.
func (w *world) soon() *proc {
	w.pass(chat.DeadLimit + 2*time.Second)
	w.lose(chat.QueueReplies)
	return w.speaker()
}

// lose ends the visibility of the message in flight.
func (w *world) lose(name string) {
	w.note("visibility in %s ends EARLY", name)
	w.queues[name].expire()
}

// freeze stops a process after a step, before it learns how it went.
func (w *world) freeze(p *proc, step string) { w.at(p, step, fate{freeze: 1000 * time.Hour}) }

// wake lets a process that stalls go on.
func (w *world) wake(p *proc) {
	w.note("%s  comes back", p.name)
	p.stalled = false
}

// rest lets everything come to rest without a further accident, first things first, and judges.
func (w *world) rest() {
	w.settle(func(int) int { return 0 })
	w.judge.rest()
}
