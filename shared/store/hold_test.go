package store_test

import (
	"errors"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/store"
)

// before is the repositories of a process whose next write of a kind is overtaken by what then runs.
func (d *desk) before(kind string, then func()) *store.Channels {
	return store.NewChannels(bent{Driver: d.kv, write: func(ops []kv.Op) [][]kv.Op {
		if named(ops[0]) == kind && then != nil {
			run := then
			then = nil
			run()
		}
		return [][]kv.Op{ops}
	}})
}

func TestABeatNeverTakesLifeBack(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(0, ann))
		beat := func(c *store.Channels) error {
			_, err := c.Beat(d.ctx(), place, h.Event.ID, h.Head.Fence, true)
			return err
		}
		alive := func() int64 { return d.item("head").Int("aliveAt") }
		d.pass(chat.BeatEvery)
		slow := d.before("head:beat", func() { // it is on its way for a while, and another one arrives before it
			d.pass(chat.Call / 2)
			d.ok(beat(d.Channels))
		})
		d.ok(beat(slow))
		if alive() != time.Now().UnixMilli() {
			t.Errorf("the head says %v ago, the worker relies on now", time.Since(time.UnixMilli(alive())))
		}
		slow = d.before("head:beat", func() { must(d.EndTurn(d.ctx(), h, answered))(d) })
		d.pass(chat.BeatEvery)
		d.ok(beat(slow))
		if d.item("head").Has("aliveAt") {
			t.Error("a hold that has ended is alive")
		}
	})
}

func TestASignalIsSeen(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(0, ann))
		d.pass(time.Second)
		late := d.before("head:beat", func() { must(d.Stop(d.ctx(), place, "", ann, false))(d) })
		if sig := must(late.Beat(d.ctx(), place, h.Event.ID, h.Head.Fence, false))(d); sig.Kind != chat.SignalKill {
			t.Errorf("a beat overlooks the signal that came before it: %+v", sig)
		}
		if sig := must(d.Watch(d.ctx(), place, h.Event.ID, h.Head.Fence))(d); sig.Kind != chat.SignalKill {
			t.Errorf("who only looks overlooks the signal: %+v", sig)
		}
		_, err := d.Watch(d.ctx(), place, h.Event.ID, h.Head.Fence-1)
		d.lost("watch", err)
	})
}

func TestABeatOfALostHoldKeepsNobodyAlive(t *testing.T) {
	atDesk(t, func(d *desk) {
		slow := d.speaking(d.event(0, ann))
		h := d.takenOver(slow)
		since := d.item("head").Int("aliveAt")
		d.pass(chat.BeatEvery)
		_, err := d.Beat(d.ctx(), place, h.Event.ID, slow.Head.Fence, true)
		d.lost("beat", err)
		if d.item("head").Int("aliveAt") != since {
			t.Error("it is a sign of life of its successor, which may be dead")
		}
	})
}

// A beat that arrives while somebody acts on an older one: the holder is alive, and keeps what it holds.
func TestALateBeatIsABeat(t *testing.T) {
	for what, act := range map[string]struct {
		kind string
		do   func(d *desk, late *store.Channels, j chat.Job) bool
	}{
		"taken over": {"head:acquire", func(d *desk, late *store.Channels, j chat.Job) bool {
			return must(late.Acquire(d.ctx(), j, "rival"))(d).Hold != nil
		}},
		"buried": {"head", func(d *desk, late *store.Channels, j chat.Job) bool {
			must(late.Bury(d.ctx(), j, "dead_letter"))(d)
			return d.item("head").String("phase") != string(chat.Speaking)
		}},
		"swept": {"head", func(d *desk, late *store.Channels, _ chat.Job) bool {
			d.pass(chat.DeadLimit)
			return must(late.Resend(d.ctx(), must(d.Overdue(d.ctx(), 1))(d)[0]))(d) != nil
		}},
	} {
		atDesk(t, func(d *desk) {
			h := d.speaking(d.event(0, ann))
			d.pass(chat.DeadLimit + time.Second)
			late := d.before(act.kind, func() { must(d.Beat(d.ctx(), place, h.Event.ID, h.Head.Fence, false))(d) })
			if act.do(d, late, h.Head.Job(place)) {
				t.Errorf("%s while it is alive", what)
			}
		})
	}
}

// Signals are addressed to the hold as it was read, and to no other.
func TestASignalThatComesLate(t *testing.T) {
	stop := func(d *desk) func() { return func() { must(d.Stop(d.ctx(), place, "", ann, false))(d) } }
	signal := func(d *desk) chat.SignalKind { return chat.SignalKind(d.item("head").String("sigKind")) }
	atDesk(t, func(d *desk) { // for who is just acquiring
		j := d.planned(d.acquire(*d.offer(d.event(0, ann), calls()).Send))
		got := must(d.before("head:acquire", stop(d)).Acquire(d.ctx(), j, "owner"))(d)
		if got.Hold == nil || got.Hold.Signal.Kind != chat.SignalKill {
			t.Errorf("who acquires after the stop does not know of it: %+v", got.Hold)
		}
	})
	atDesk(t, func(d *desk) { // for a hold that ends meanwhile
		h := d.speaking(d.event(0, ann))
		b := d.event(1, ann)
		d.offer(b, calls())
		late := d.before("head", func() { must(d.EndTurn(d.ctx(), h, answered))(d) })
		d.ok(late.Delete(d.ctx(), h.Event))
		if got := signal(d); got != "" {
			t.Errorf("the next event is asked to end: %s", got)
		}
		d.head(chat.WaitsPlan, b.ID, 0)
	})
	atDesk(t, func(d *desk) { // a follow-up does not take a stop's place
		d.speaking(d.event(0, ann))
		must(d.before("head", stop(d)).Offer(d.ctx(), d.event(1, ann), chat.Wish{Reply: true, FollowUp: true, Reason: "non_trigger"}))(d)
		if got := signal(d); got != chat.SignalKill {
			t.Errorf("the stop became %q", got)
		}
	})
}

// A hold writes the text of its answer, and then is told of a stop: what is on the screen takes the place of the answer.
func TestWhatWasRefusedGivesWay(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.speaking(a)
		late := d.before("head:text", func() { must(d.Stop(d.ctx(), place, "", ann, false))(d) })
		if _, err := late.SaveText(d.ctx(), h, "the whole answer", answered); !errors.Is(err, chat.ErrSignalled) {
			t.Fatalf("the answer of a turn that was stopped: %v", err)
		}
		stopped := chat.Ending{Row: chat.Interrupted, Reason: "stop"}
		for range 2 { // the second is a repeat after a lost reply, and later words change nothing
			if st := must(d.SaveText(d.ctx(), h, "the who", stopped))(d); st.Text != "the who" || st.Ending != chat.Interrupted {
				t.Errorf("decided is %+v", st)
			}
		}
		if st := must(d.SaveText(d.ctx(), h, "other words", answered))(d); st.Text != "the who" {
			t.Errorf("decided anew: %+v", st)
		}
		h = d.takenOver(h)
		if st := must(d.State(d.ctx(), h))(d); st.Text != "the who" || st.Ending != chat.Interrupted {
			t.Errorf("a successor finds %+v", st)
		}
	})
}

// takenOver is the hold of who takes over from a dead worker.
func (d *desk) takenOver(h *chat.Hold) *chat.Hold {
	d.t.Helper()
	d.pass(chat.DeadLimit + time.Second)
	return d.acquire(h.Head.Job(place))
}

func TestAnEndedTurnIsToldWithWhatWasRecordedLast(t *testing.T) {
	atDesk(t, func(d *desk) { // a holder that only stalled, and who takes over meanwhile
		slow := d.speaking(d.event(0, ann))
		d.ok(d.Intend(d.ctx(), slow, 0, chat.Intent{Content: "one", Nonce: "n1", At: time.Now()}, nil))
		d.pass(chat.DeadLimit + time.Second)
		late := d.before("head:acquire", func() { d.ok(d.Record(d.ctx(), slow, 0, chat.Ref{Message: "555"})) })
		got := must(late.Acquire(d.ctx(), slow.Head.Job(place), "successor"))(d)
		d.ok(d.Intend(d.ctx(), got.Hold, 1, chat.Intent{Content: "two", Nonce: "n2", At: time.Now()}, nil))
		if st := must(d.State(d.ctx(), got.Hold))(d); st.Recorded(0) != "555" {
			t.Errorf("a part is forgotten: %+v", st.Parts)
		}
	})
	atDesk(t, func(d *desk) { // who takes over and ends at once
		slow := d.speaking(d.event(0, ann))
		d.ok(d.Intend(d.ctx(), slow, 0, chat.Intent{Content: "one", Nonce: "n1", At: time.Now()}, nil))
		d.pass(chat.DeadLimit + time.Second)
		late := d.before("head:acquire", func() { d.ok(d.Record(d.ctx(), slow, 0, chat.Ref{Message: "555"})) })
		got := must(late.Acquire(d.ctx(), slow.Head.Job(place), "successor"))(d)
		must(d.EndTurn(d.ctx(), got.Hold, answered))(d)
		if d.item("message#555").Attrs == nil {
			t.Error("nobody knows whose the message is")
		}
	})
	atDesk(t, func(d *desk) { // and who buries it
		slow := d.speaking(d.event(0, ann))
		d.ok(d.Intend(d.ctx(), slow, 0, chat.Intent{Content: "one", Nonce: "n1", At: time.Now()}, nil))
		d.pass(chat.DeadLimit + time.Second)
		late := d.before("head", func() { d.ok(d.Record(d.ctx(), slow, 0, chat.Ref{Message: "555"})) })
		must(late.Bury(d.ctx(), slow.Head.Job(place), "dead_letter"))(d)
		if m := d.item("message#555"); m.String("persona") != "mira" {
			t.Errorf("the message is %v", m.Attrs)
		}
		if d.item("head").Has("parts") {
			t.Error("the parts outlive their turn")
		}
	})
	atDesk(t, func(d *desk) { // the text that is decided meanwhile does not reach the next event
		slow := d.speaking(d.event(0, ann))
		b := d.event(1, ben)
		d.offer(b, calls())
		d.pass(chat.DeadLimit + time.Second)
		late := d.before("head", func() { must(d.SaveText(d.ctx(), slow, "words", answered))(d) })
		must(late.Bury(d.ctx(), slow.Head.Job(place), "dead_letter"))(d)
		d.head(chat.WaitsPlan, b.ID, 0)
		if d.item("head").Has("text") {
			t.Error("the text of one event is named in the hold of another")
		}
	})
}

func TestAHeadThatCannotBeReadIsBuried(t *testing.T) {
	for _, bad := range []string{"plan", "parts"} {
		atDesk(t, func(d *desk) {
			h := d.speaking(d.event(0, ann))
			d.ok(d.Intend(d.ctx(), h, 0, chat.Intent{Content: "one", Nonce: "n1", At: time.Now()}, nil))
			d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555"}))
			d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Update, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "head"}, Set: kv.Attrs{bad: []byte("{")}}))
			d.pass(chat.DeadLimit + time.Second)
			must(d.Bury(d.ctx(), h.Head.Job(place), "dead_letter"))(d)
			d.head(chat.Free, "", 0)
			if bad == "plan" && d.item("message#555").Attrs == nil {
				t.Error("what can be read is lost")
			}
		})
	}
}
