package store_test

import (
	"testing"
	"time"

	"tsumugi/shared/chat"
)

// TestFound replays what these tests have found, and what the model leaves out.
func TestFound(t *testing.T) {
	for _, c := range []struct {
		name, bounds string
		run          func(w *world)
	}{
		// Burying raised the fence of the head alone; the beat's stayed, so the worker's next beat succeeded and it edited.
		{"a worker that was buried alive learns it from its beat", "events=M", func(w *world) {
			p := w.begin()
			w.freeze(p, "stores the text")
			w.pass(chat.Visibility + 10*time.Second)
			w.moveToDead(chat.QueueReplies)
			w.finish(w.undertake())
			w.wake(p)
		}},
		{"and also when the channel waits for somebody else", "events=M,B", func(w *world) {
			p := w.begin()
			w.offer()
			w.freeze(p, "stores the text")
			w.pass(chat.Visibility + 10*time.Second)
			w.moveToDead(chat.QueueReplies)
			w.finish(w.undertake())
			w.wake(p)
		}},
		// Ready trusted the beat that it had just made, however long it took to learn of it.
		{"a beat that was learned of late permits nothing", "events=M", func(w *world) {
			p := w.begin()
			w.freeze(p, "stores the text")
			w.pass(chat.DeadLimit + 5*time.Second)
			w.wake(p)
			w.now(p, "wakes")
			for _, c := range w.calls(p) { // both beats, Keep's and Ready's
				w.open(c, fate{})
			}
			for _, c := range w.calls(p) {
				w.open(c, fate{freeze: 1000 * time.Hour})
			}
			w.past(w.again(), "acquires")
			w.wake(p)
		}},
		// The edit had happened, its reply was lost; the stop then saved what the worker believed to be on the screen.
		{"a stop after an edit without an answer saves what people see", "events=M,S", func(w *world) {
			p := w.begin()
			w.past(p, "creates")
			w.past(p, "goes on")
			w.pass(3 * time.Second) // the pace of edits
			w.now(p, "comes to its end")
			w.at(p, "edits", fate{after: errReply})
			w.offer()
		}},
		{"and a successor that finds the edit", "events=M,S", func(w *world) {
			p := w.begin()
			w.past(p, "creates")
			w.past(p, "goes on")
			w.pass(3 * time.Second)
			w.dies(p, "edits")
			w.offer()
		}},
		// The create landed, its reply was lost, and the stop came before the retry.
		{"a stop after a create without an answer adopts the message", "events=M,S", func(w *world) {
			p := w.begin()
			w.at(p, "creates", fate{after: errReply})
			w.finish(p)
			w.offer()
		}},
		{"the lost reply of the last write hands over by redelivery", "events=M,B sweeper=0", func(w *world) {
			p := w.begin()
			w.offer()
			w.at(p, "ends the turn", fate{after: errReply})
		}},
		{"the lost reply of an acquire costs nothing", "events=M sweeper=0", func(w *world) {
			w.offer()
			w.planIt()
			w.at(w.speaker(), "acquires", fate{after: errReply})
		}},
		// The text was written, the stop accepted, the head refused to name the text; then the same hold's words for the stop
		// met the item of the answer, adopted it, and showed it in full.
		{"a stop between the text and its being named", "events=M,S", func(w *world) {
			p := w.begin()
			w.to(p, "stores the text")
			w.offer()
		}},
		{"a follow-up between the text and its being named", "events=M,F", func(w *world) {
			p := w.begin()
			w.to(p, "stores the text")
			w.offer()
		}},
		{"a crash between the text and its being named", "events=M sweeper=0", func(w *world) {
			w.deadBefore(w.begin(), "stores the text")
		}},
		{"a crash and a stop between the text and its being named", "events=M,S", func(w *world) {
			w.deadBefore(w.begin(), "stores the text")
			w.offer()
		}},
		{"a takeover between the text and its being named", "events=M", func(w *world) {
			p := w.begin()
			w.to(p, "stores the text")
			p.stall(1000 * time.Hour)
			q := w.again()
			w.past(q, "edits")
			w.wake(p)
			w.finish(p)
		}},
		{"a takeover before the text, which is written when another's is named", "events=M", func(w *world) {
			p := w.begin()
			w.to(p, "writes the text")
			p.stall(1000 * time.Hour)
			q := w.again()
			w.past(q, "stores the text")
			w.wake(p)
			w.past(p, "writes the text")
			w.finish(p)
		}},
		{"a stop between the look and the first intent", "events=M,S", func(w *world) {
			p := w.begin()
			w.to(p, "stores an intent")
			w.offer()
		}},
		// Burying read the parts; before it wrote, the holder that had only stalled recorded a message, which then no record
		// knew.
		{"a message that is recorded while its turn is buried", "events=M", func(w *world) {
			p := w.begin()
			w.freeze(p, "creates")
			w.pass(chat.Visibility + 10*time.Second)
			w.moveToDead(chat.QueueReplies)
			u := w.undertake()
			w.to(u, "writes")
			w.wake(p)
			w.past(p, "records")
			w.crash(p)
			w.finish(u)
		}},
		{"a turn that is started too often ends with a notice", "events=M,B", func(w *world) {
			w.offer()
			w.planIt()
			w.offer()
			for range chat.Poison {
				w.deadBefore(w.speaker(), "stores the text")
				w.pass(chat.Visibility + time.Second)
			}
		}},
		{"planning that is started too often gives the channel on", "events=M,B", func(w *world) {
			w.offer()
			w.offer()
			for range chat.Poison {
				w.deadBefore(w.deliver(chat.QueueTurns), "saves the plan")
				w.pass(chat.Visibility + time.Second)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 5 { // a worker chooses as Go does among what is ready at once
				inWorld(t, parse(c.bounds), change{}, func(w *world) {
					c.run(w)
					w.rest()
					if len(w.judge.faults) > 0 {
						t.Errorf("I%d: %s\n%s", w.judge.faults[0].n, w.judge.faults[0].why, w.story())
					}
				})
			}
		})
	}
}
