package store_test

import (
	"testing"

	"tsumugi/shared/chat"
)

func followsUp() chat.Wish {
	return chat.Wish{Reply: true, FollowUp: true, Reason: "non_trigger"}
}

func TestTheNewestFollowUpWaits(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, b, first, second, third := d.event(0, ann), d.event(1, ben), d.event(2, ann), d.event(3, ann), d.event(4, ann)
		d.speaking(a)
		d.offer(b, calls())
		d.offer(first, followsUp())
		d.offer(second, followsUp())
		d.rows(chat.Superseded, first)
		d.rows(chat.Mailed, b, second)
		d.head(chat.Speaking, a.ID, 2)
		// the front is read after the head, and may have changed before either counts
		late := d.before("head", func() { d.ok(d.Delete(d.ctx(), second)) })
		must(late.Offer(d.ctx(), third, followsUp()))(d)
		d.rows(chat.Gone, second)
		d.rows(chat.Mailed, b, third)
		d.head(chat.Speaking, a.ID, 2)
	})
}

func TestOneStopIsAnswered(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, stop, other, again := d.event(0, ann), d.event(1, ann), d.event(2, ben), d.event(3, ann)
		h := d.speaking(a)
		for _, c := range []struct {
			e    chat.Event
			want chat.Row
		}{{other, chat.Ignored}, {stop, chat.Mailed}, {again, chat.Ignored}} {
			if got := d.offer(c.e, chat.Wish{Stop: true, Reason: "stop"}); got.Row != c.want {
				t.Errorf("%s: %+v", c.e.ID, got)
			}
		}
		d.head(chat.Speaking, a.ID, 1)
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Interrupted}))(d)
		d.head(chat.WaitsPlan, stop.ID, 0)
	})
}

// What a command asked for is a command's also when it had to wait, so that nobody's next words interrupt it.
func TestACommandIsNotFollowedUp(t *testing.T) {
	atDesk(t, func(d *desk) {
		first, second := d.event(0, ann), d.event(1, ann)
		first.Asked, second.Asked = &chat.Asked{Persona: "mira"}, &chat.Asked{}
		h := d.speaking(first)
		if got := d.offer(second, calls()); got.Row != chat.Mailed {
			t.Errorf("a command of who is answered: %+v", got)
		}
		for n, e := range []chat.Event{first, second} {
			if h.Head.Kind != chat.Command || h.Event.Asked == nil || h.Event.Asked.Persona != e.Asked.Persona || h.Sample().Source == chat.SourceMessage {
				t.Errorf("hold %d is %+v of %+v", n, h.Head.Kind, h.Event.Asked)
			}
			if got := d.offer(d.event(5+n, ann), followsUp()); got.Row == chat.Mailed && got.Reason == "locked_follow_up_queued" {
				t.Errorf("hold %d is interrupted: %+v", n, got)
			}
			if next := must(d.EndTurn(d.ctx(), h, answered))(d); n == 0 {
				h = d.acquire(d.planned(d.acquire(*next)))
			}
		}
	})
}
