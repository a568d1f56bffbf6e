package store_test

import (
	"errors"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// said lets a persona say something in a message, and ends its turn.
func (d *desk) said(e chat.Event, m chat.MessageID, text string) {
	d.t.Helper()
	h := d.speaking(e)
	d.ok(d.Intend(d.ctx(), h, 0, chat.Intent{Content: text, Nonce: "n", At: time.Now()}, nil))
	d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Channel: place, Message: m, Hook: "77"}))
	h.Voiced = chat.Voiced{Model: "m", Provider: "p", Tokens: 7}
	must(d.SaveText(d.ctx(), h, text, chat.Ending{Row: chat.Answered, Reason: "stop"}))(d)
	must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Answered}))(d)
}

// redoes brings a turn that does the reply to an event again to a speaker who has taken its messages over.
func (d *desk) redoes(n int, of chat.Event, what chat.Doing) *chat.Hold {
	d.t.Helper()
	redo := &chat.Redo{What: what, Event: of.ID, From: 1}
	e := d.event(n, ben)
	e.Asked = &chat.Asked{Persona: "mira", Redo: redo}
	h := d.acquire(*d.offer(e, calls()).Send)
	h = d.acquire(must(d.SavePlan(d.ctx(), h, chat.Plan{Turns: []chat.Turn{{Persona: "mira", Redo: redo}}}))(d))
	r := must(d.Reply(d.ctx(), place, of.ID, 0))(d)
	h.Reply = &r
	d.ok(d.Adopt(d.ctx(), h, r.Parts))
	return h
}

func TestReplyIsMadeOfWhatItsTurnLeft(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, at := d.event(0, ann), time.Now().Truncate(time.Second)
		d.said(a, "900", "the first")
		r := must(d.ReplyOf(d.ctx(), place, "900"))(d)
		want := chat.Variant{N: 1, Text: "the first", End: chat.Answered, Reason: "stop", By: ann, At: at, Voiced: chat.Voiced{Model: "m", Provider: "p", Tokens: 7}}
		if !r.Shown().At.Equal(at) {
			t.Errorf("said at %s", r.Shown().At)
		}
		if r.Variants[0].At = at; r.Event != a.ID || r.Asker != ann || r.Kind != chat.Ordinary || r.Persona != "mira" || len(r.Variants) != 1 || r.Variants[0] != want {
			t.Errorf("%+v", r)
		}
		if len(r.Parts) != 1 || r.Parts[0].Message != "900" || r.Parts[0].Hook != "77" || r.Speaking || r.Coming {
			t.Errorf("%+v", r)
		}
		if reply := d.item("reply#" + string(a.ID) + "#00"); reply.Attrs != nil {
			t.Error("nobody has done it again, and yet it has an item")
		}
		for _, none := range []chat.MessageID{"901", "", "reply#1"} {
			if _, err := d.ReplyOf(d.ctx(), place, none); !errors.Is(err, chat.ErrMissing) {
				t.Errorf("message %q: %v", none, err)
			}
		}
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Delete, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "event#" + string(a.ID)}}))
		if _, err := d.ReplyOf(d.ctx(), place, "900"); !errors.Is(err, chat.ErrMissing) { // as after its time
			t.Errorf("its event is gone: %v", err)
		}
	})
}

func TestReplyOfOneThatSpeaks(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(0, ann))
		d.ok(d.Intend(d.ctx(), h, 0, chat.Intent{Content: "x", Nonce: "n", At: time.Now()}, nil))
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Channel: place, Message: "900"}))
		if r := must(d.ReplyOf(d.ctx(), place, "900"))(d); !r.Speaking || r.Asker != ann || r.Event != h.Event.ID {
			t.Errorf("%+v", r)
		}
	})
}

// A reply that is done again keeps its messages and gets its item with the end of the turn, never before.
func TestReplyIsDoneAgain(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		d.said(a, "900", "the first")
		h := d.redoes(1, a, chat.Regenerate)
		if r := must(d.ReplyOf(d.ctx(), place, "900"))(d); !r.Coming || r.Speaking {
			t.Errorf("while it is worked on it is %+v", r)
		}
		d.ok(d.Adopt(d.ctx(), h, []chat.Part{{K: 0, Message: "999"}})) // a second attempt has others in mind
		if st := must(d.State(d.ctx(), h))(d); len(st.Parts) != 1 || st.Parts[0].Message != "900" || st.Parts[0].Hook != "77" {
			t.Fatalf("the turn works on %+v", st.Parts)
		}
		d.ok(d.Intend(d.ctx(), h, 1, chat.Intent{Content: "more", Nonce: "n1", At: time.Now()}, nil))
		d.ok(d.Record(d.ctx(), h, 1, chat.Ref{Channel: place, Message: "901"}))
		must(d.SaveText(d.ctx(), h, "the second", chat.Ending{Row: chat.Answered}))(d)
		h.Reply.Keep(chat.Variant{Text: "the second", End: chat.Answered, By: ben})
		if d.item("reply#"+string(a.ID)+"#00").Attrs != nil {
			t.Error("it is kept before its turn has ended")
		}
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Answered}))(d)
		for n, m := range []chat.MessageID{"900", "901"} {
			if o := must(d.Whose(d.ctx(), place, []chat.MessageID{m}))(d)[m]; o.Event != a.ID || o.Part != n || o.Persona != "mira" {
				t.Errorf("message %s is of %+v", m, o)
			}
		}
		r := must(d.ReplyOf(d.ctx(), place, "901"))(d)
		if r.Coming || len(r.Variants) != 2 || r.Shown().Text != "the second" || r.Shown().By != ben || len(r.Parts) != 2 || r.Rev != 1 || r.Asker != ann {
			t.Errorf("%+v", r)
		}

		h = d.redoes(2, a, chat.RemoveReply)
		d.ok(d.Discard(d.ctx(), h, 0))
		d.ok(d.Discard(d.ctx(), h, 1))
		h.Reply.Remove()
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Answered}))(d)
		if r := must(d.ReplyOf(d.ctx(), place, "900"))(d); !r.Deleted || len(r.Variants) != 0 || len(r.Parts) != 0 || r.Rev != 2 {
			t.Errorf("deleted, it is %+v", r)
		}
	})
}

// Who lost the channel changes no reply, and who does one again is no reply to do again.
func TestReplyIsKeptUnderTheFence(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		d.said(a, "900", "the first")
		h := d.redoes(1, a, chat.Regenerate)
		late := *h
		late.Parts = nil
		d.pass(chat.DeadLimit + time.Second)
		d.acquire(h.Head.Job(place))
		h.Reply.Keep(chat.Variant{Text: "late", End: chat.Answered, By: ben})
		_, err := d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Answered})
		d.lost("the end", err)
		d.lost("adopting", d.Adopt(d.ctx(), &late, nil))
		if r := must(d.Reply(d.ctx(), place, a.ID, 0))(d); len(r.Variants) != 1 || r.Rev != 0 {
			t.Errorf("%+v", r)
		}
		if _, err := d.Reply(d.ctx(), place, h.Event.ID, 0); !errors.Is(err, chat.ErrMissing) {
			t.Errorf("the turn that does it again: %v", err)
		}
	})
}

// What a turn that was buried has made for a reply stays that reply's.
func TestReplyOfATurnThatWasBuried(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		d.said(a, "900", "the first")
		h := d.redoes(1, a, chat.Regenerate)
		d.ok(d.Intend(d.ctx(), h, 1, chat.Intent{Content: "more", Nonce: "n1", At: time.Now()}, nil))
		d.ok(d.Record(d.ctx(), h, 1, chat.Ref{Channel: place, Message: "901"}))
		d.pass(chat.DeadLimit + time.Second)
		must(d.Bury(d.ctx(), h.Head.Job(place), "dead_letter"))(d)
		r := must(d.ReplyOf(d.ctx(), place, "901"))(d)
		if len(r.Parts) != 2 || len(r.Variants) != 1 || r.Shown().Text != "the first" || r.Rev != 0 {
			t.Errorf("%+v", r)
		}
		h = d.redoes(2, a, chat.ShowVariant)
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Answered}))(d)
		if r := must(d.ReplyOf(d.ctx(), place, "900"))(d); len(r.Parts) != 2 || r.Rev != 1 {
			t.Errorf("%+v", r)
		}
	})
}

// A stop from a button ends the hold that it stands below, and no other.
func TestStopOfOneEvent(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(0, ann))
		if must(d.Stop(d.ctx(), place, "1", ann, true))(d) {
			t.Error("another answer was stopped")
		}
		if !must(d.Stop(d.ctx(), place, h.Event.ID, ann, false))(d) {
			t.Error("it was not stopped")
		}
	})
}
