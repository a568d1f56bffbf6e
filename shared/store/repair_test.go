package store_test

import (
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

func TestBuryIsExact(t *testing.T) {
	for _, c := range []struct {
		name string
		age  time.Duration // of the beat
		job  func(j chat.Job) chat.Job
		ends bool
	}{
		{"what a dead worker holds", chat.DeadLimit + time.Second, func(j chat.Job) chat.Job { return j }, true},
		{"whatever its send number", chat.DeadLimit + time.Second, func(j chat.Job) chat.Job { j.N = 1; return j }, true},
		{"not what a live worker holds", chat.DeadLimit, func(j chat.Job) chat.Job { return j }, false},
		{"not another turn", time.Hour, func(j chat.Job) chat.Job { j.Turn++; return j }, false},
		{"not another event", time.Hour, func(j chat.Job) chat.Job { j.Event = "77"; return j }, false},
		{"not the plan of the turn", time.Hour, func(j chat.Job) chat.Job { j.Queue = chat.QueueTurns; return j }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			atDesk(t, func(d *desk) {
				a, b := d.event(0, ann), d.event(1, ben)
				h := d.speaking(a)
				d.offer(b, calls())
				d.pass(c.age)
				next := must(d.Bury(d.ctx(), c.job(h.Head.Job(place)), "dead_letter"))(d)
				if !c.ends {
					if next != nil || d.item("dead#"+string(a.ID)).Attrs != nil {
						t.Errorf("buried, next is %+v", next)
					}
					d.rows(chat.Granted, a)
					d.head(chat.Speaking, a.ID, 1)
					return
				}
				if next == nil || next.Event != b.ID {
					t.Errorf("next is %+v", next)
				}
				d.rows(chat.Failed, a)
				d.rows(chat.Granted, b)
				d.head(chat.WaitsPlan, b.ID, 0)
				if d.item("dead#"+string(a.ID)).String("reason") != "dead_letter" {
					t.Error("nothing is left to redrive")
				}
				_, err := d.Beat(d.ctx(), place, a.ID, h.Head.Fence, false)
				d.lost("beat", err) // it was only slow
				d.lost("write", d.Record(d.ctx(), h, 0, chat.Ref{Message: "5"}))
				_, err = d.EndTurn(d.ctx(), h, answered)
				d.lost("end", err)
			})
		})
	}
}

func TestBuryOfWhatWaits(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		j := *d.offer(a, calls()).Send
		must(d.Bury(d.ctx(), j, "dead_letter"))(d)
		d.rows(chat.Failed, a)
		d.head(chat.Free, "", 0)
		if got := must(d.Acquire(d.ctx(), j, "late"))(d); got.Hold != nil {
			t.Error("a late message acquires a free channel")
		}
	})
}

func TestBuryEvent(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, b := d.event(0, ann), d.event(1, ann)
		d.offer(a, calls())
		d.ok(d.BuryEvent(d.ctx(), a, "dead_letter"))
		d.rows(chat.Granted, a) // it was offered after all
		if d.item("dead#"+string(a.ID)).Attrs != nil {
			t.Error("an offered event is kept as dead")
		}
		for range 2 {
			d.ok(d.BuryEvent(d.ctx(), b, "dead_letter"))
			d.rows(chat.Failed, b)
		}
		if len(d.item("dead#"+string(b.ID)).Bytes("body")) == 0 {
			t.Error("there is nothing to redrive")
		}
		if got := d.offer(b, calls()); !got.Repeat || got.Row != chat.Failed {
			t.Errorf("a buried event that comes late: %+v", got)
		}
	})
}

func TestSweeperResends(t *testing.T) {
	overdue := func(d *desk) *chat.Job {
		d.t.Helper()
		listed := must(d.Overdue(d.ctx(), 10))(d)
		if len(listed) == 0 {
			return nil
		}
		return must(d.Resend(d.ctx(), listed[0]))(d)
	}
	t.Run("what waits, later each time", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			n := d.offer(a, calls()).Send.N
			for _, minutes := range []int{1, 2, 4, 8} {
				d.pass(time.Duration(minutes)*time.Minute - time.Second)
				if j := overdue(d); j != nil {
					t.Fatalf("sent %+v too early", j)
				}
				d.pass(time.Second)
				j := overdue(d)
				if n++; j == nil || j.N != n {
					t.Fatalf("after %d min: %+v", minutes, j)
				}
			}
		})
	})
	t.Run("not what a live worker holds", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a := d.event(0, ann)
			h := d.speaking(a)
			for range 9 {
				d.pass(chat.BeatEvery)
				must(d.Beat(d.ctx(), place, a.ID, h.Head.Fence, false))(d)
				if j := overdue(d); j != nil {
					t.Fatalf("sent %+v", j)
				}
			}
			d.pass(2 * chat.DeadLimit)
			j := overdue(d)
			if j == nil || j.N != h.Head.N+1 {
				t.Fatalf("a dead holder: %+v", j)
			}
			if got := d.acquire(*j); got.Head.Fence != h.Head.Fence+1 || got.Fresh {
				t.Errorf("taken over as %+v", got.Head)
			}
		})
	})
	t.Run("not a channel that has moved since it was listed", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			j := *d.offer(d.event(0, ann), calls()).Send
			d.pass(2 * time.Minute)
			listed := must(d.Overdue(d.ctx(), 10))(d)
			d.acquire(j)
			if got := must(d.Resend(d.ctx(), listed[0]))(d); got != nil {
				t.Errorf("sent %+v", got)
			}
		})
	})
	t.Run("after six hours it is the end", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a, b := d.event(0, ann), d.event(1, ben)
			d.offer(a, calls())
			d.offer(b, calls())
			d.pass(6*time.Hour + time.Second)
			if j := overdue(d); j == nil || j.Event != b.ID {
				t.Errorf("next is %+v", j)
			}
			d.rows(chat.Failed, a)
		})
	})
}

func TestAWaitingEventOutlivesItsRow(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, b := d.event(0, ann), d.event(1, ben)
		h := d.speaking(a)
		d.offer(b, calls())
		d.pass(chat.LedgerLife - time.Minute) // b has waited long; a's row is about to go too
		j := must(d.EndTurn(d.ctx(), h, answered))(d)
		d.pass(2 * time.Minute) // past the life that b's row was given when it was offered
		hb := d.acquire(d.planned(d.acquire(*j)))
		must(d.EndTurn(d.ctx(), hb, answered))(d)
		d.rows(chat.Answered, b)
		d.head(chat.Free, "", 0)
	})
}

func TestPopLeavesOutWhatNobodyKnowsAnyMore(t *testing.T) {
	atDesk(t, func(d *desk) {
		a, b := d.event(0, ann), d.event(1, ben)
		h := d.speaking(a)
		d.offer(b, calls())
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Delete, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "event#" + string(b.ID)}}))
		if next := must(d.EndTurn(d.ctx(), h, answered))(d); next != nil {
			t.Errorf("next is %+v", next)
		}
		d.head(chat.Free, "", 0)
		if d.item("mail#2#000000000001").Attrs != nil {
			t.Error("the mail item stays for ever")
		}
	})
}

// A laptop that sleeps over the weekend in the middle of a reply wakes up with a hold whose rows have expired.
func TestAHoldThatOutlivesItsRowIsEnded(t *testing.T) {
	asleep := func(d *desk) (a, b chat.Event, job chat.Job) {
		a, b = d.event(0, ann), d.event(1, ben)
		h := d.speaking(a)
		d.offer(b, calls())
		d.pass(chat.LedgerLife + time.Hour)
		return a, b, h.Head.Job(place)
	}
	t.Run("by the sweeper", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a, _, _ := asleep(d)
			for _, o := range must(d.Overdue(d.ctx(), 10))(d) {
				must(d.Resend(d.ctx(), o))(d)
			}
			d.head(chat.Free, "", 0) // what waited is as old: nobody knows it any more
			d.rows(chat.Failed, a)
		})
	})
	t.Run("by the undertaker", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			a, _, job := asleep(d)
			must(d.Bury(d.ctx(), job, "dead_letter"))(d)
			d.head(chat.Free, "", 0)
			d.rows(chat.Failed, a)
			if got := d.offer(d.event(2, ben), calls()); got.Row != chat.Granted {
				t.Errorf("the channel answers nobody: %+v", got)
			}
		})
	})
	t.Run("kill clears what waits", func(t *testing.T) {
		atDesk(t, func(d *desk) {
			asleep(d)
			if n := must(d.Kill(d.ctx(), place))(d); n != 1 {
				t.Errorf("cleared %d", n)
			}
		})
	})
}
