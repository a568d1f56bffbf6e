package store_test

import (
	"testing"

	"tsumugi/shared/chat"
)

func TestKillClearsAFullMailboxInOneTransaction(t *testing.T) {
	atDesk(t, func(d *desk) {
		e := d.event(0, ann)
		h := d.speaking(e)
		var waiting []chat.Event
		for n := range chat.MailboxCap {
			waiting = append(waiting, d.event(n+1, ben))
			if got := d.offer(waiting[n], calls()); got.Row != chat.Mailed {
				t.Fatalf("event %d: %+v", n+1, got)
			}
		}
		stop, full := d.event(98, ann), d.event(99, ben)
		if got := d.offer(full, calls()); got.Row != chat.Refused || got.Reason != "mailbox_full" {
			t.Errorf("a full mailbox takes one more: %+v", got)
		}
		if got := d.offer(stop, chat.Wish{Stop: true}); got.Row != chat.Mailed { // its place is its own
			t.Errorf("a full mailbox refuses a stop: %+v", got)
		}
		d.head(chat.Speaking, e.ID, chat.MailboxCap+1)
		d.writes = 0
		if n := must(d.Kill(d.ctx(), place))(d); n != chat.MailboxCap+1 {
			t.Errorf("cleared %d", n)
		}
		if d.writes != 1 {
			t.Errorf("%d writes: somebody could see the mailbox half cleared", d.writes)
		}
		d.rows(chat.Cleared, append(waiting, stop)...)
		d.head(chat.Speaking, e.ID, 0)
		sig := must(d.Beat(d.ctx(), place, e.ID, h.Head.Fence, false))(d)
		if sig.Kind != chat.SignalKill {
			t.Errorf("the speaker sees %q", sig.Kind)
		}
		if next := must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Interrupted, Reason: "kill"}))(d); next != nil {
			t.Errorf("sent %+v after a kill", next)
		}
		d.head(chat.Free, "", 0)
		if n := must(d.Kill(d.ctx(), place))(d); n != 0 {
			t.Errorf("a free channel had %d to clear", n)
		}
	})
}

func TestDelete(t *testing.T) {
	t.Run("one that waits is not answered", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a, b, c := d.event(0, ann), d.event(1, ben), d.event(2, ben)
			h := d.speaking(a)
			d.offer(b, calls())
			d.offer(c, calls())
			for range 2 { // the second changes nothing
				d.ok(d.Delete(d.ctx(), b))
				d.rows(chat.Gone, b)
				d.head(chat.Speaking, a.ID, 1)
			}
			next := must(d.EndTurn(d.ctx(), h, answered))(d)
			if next == nil || next.Event != c.ID {
				t.Errorf("next is %+v", next)
			}
		})
	})
	t.Run("one that is answered is interrupted", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			h := d.speaking(a)
			d.ok(d.Delete(d.ctx(), a))
			if sig := must(d.Beat(d.ctx(), place, a.ID, h.Head.Fence, false))(d); sig.Kind != chat.SignalDeleted {
				t.Errorf("the speaker sees %q", sig.Kind)
			}
			d.rows(chat.Granted, a)
		})
	})
	t.Run("a stop stays a stop", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			h := d.speaking(a)
			d.offer(d.event(1, ann), chat.Wish{Stop: true})
			d.ok(d.Delete(d.ctx(), a))
			if sig := must(d.Beat(d.ctx(), place, a.ID, h.Head.Fence, false))(d); sig.Kind != chat.SignalStop {
				t.Errorf("the speaker sees %q", sig.Kind)
			}
		})
	})
	t.Run("one that was never offered is known when it comes", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			d.ok(d.Delete(d.ctx(), a))
			if got := d.offer(a, calls()); !got.Repeat || got.Row != chat.Gone {
				t.Errorf("a late delivery of a deleted message: %+v", got)
			}
		})
	})
	t.Run("one that was answered keeps its row", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			must(d.EndTurn(d.ctx(), d.speaking(a), answered))(d)
			d.ok(d.Delete(d.ctx(), a))
			d.rows(chat.Answered, a)
		})
	})
	t.Run("the follow-up that waits", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a, f := d.event(0, ann), d.event(1, ann)
			h := d.speaking(a)
			d.offer(f, chat.Wish{Reply: true, FollowUp: true})
			d.ok(d.Delete(d.ctx(), f))
			d.head(chat.Speaking, a.ID, 0)
			if next := must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Interrupted}))(d); next != nil {
				t.Errorf("next is %+v", next)
			}
		})
	})
}

func TestEdit(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, b, never := d.event(0, ann), d.event(1, ben), d.event(2, ben)
		h := d.speaking(a)
		d.offer(b, calls())
		b.Text, never.Text = "other words", "nobody's"
		d.ok(d.Edit(d.ctx(), b))
		d.ok(d.Edit(d.ctx(), never))
		if d.row(never) != "" {
			t.Error("an edit of an unknown message left a row")
		}
		next := must(d.EndTurn(d.ctx(), h, answered))(d)
		a.Text = "too late"
		d.ok(d.Edit(d.ctx(), a))
		if d.item("event#" + string(a.ID)).Has("body") {
			t.Error("an answered event has a body again")
		}
		if got := d.acquire(*next).Event.Text; got != "other words" {
			t.Errorf("answered will be %q", got)
		}
	})
}

func TestStop(t *testing.T) {
	atDesk(t, func(d *desk) {
		if must(d.Stop(d.ctx(), place, "", ann, true))(d) {
			t.Error("stopped a free channel")
		}
		a := d.event(0, ann)
		h := d.speaking(a)
		if must(d.Stop(d.ctx(), place, "", ben, false))(d) {
			t.Error("stopped somebody else's turn")
		}
		for _, by := range []chat.UserID{ann, ben} {
			if !must(d.Stop(d.ctx(), place, "", by, by == ben))(d) {
				t.Errorf("%s could not stop", by)
			}
		}
		if sig := must(d.Beat(d.ctx(), place, a.ID, h.Head.Fence, false))(d); sig.Kind != chat.SignalKill {
			t.Errorf("the speaker sees %q", sig.Kind)
		}
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Interrupted}))(d)
		if beat := d.item("head"); beat.Has("sigHold") || beat.Has("sigKind") {
			t.Error("the signal outlived its hold")
		}
	})
}
