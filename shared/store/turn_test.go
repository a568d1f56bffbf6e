package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

func TestPlanIsAdoptedAndChargedOnce(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.acquire(*d.offer(a, calls()).Send)
		d.planned(h, "mira", "tomo")
		// an attempt whose reply was lost finds the head moved on, and a takeover of planning finds the plan
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Update, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "head"}, Set: kv.Attrs{"phase": string(chat.WaitsPlan)}}))
		j := d.planned(d.acquire(chat.Job{Queue: chat.QueueTurns, Channel: place, Event: a.ID}), "somebody else")
		if p := d.acquire(j).Plan; len(p.Turns) != 2 || p.Turns[1].Persona != "tomo" {
			t.Errorf("the plan became %+v", p)
		}
		if n := d.item("head").Int("count#turns"); n != 1 {
			t.Errorf("charged %d times", n)
		}
	})
}

func TestTurnsFollowEachOther(t *testing.T) {
	for _, c := range []struct {
		row  chat.Row
		next bool
	}{{chat.Answered, true}, {chat.Interrupted, false}, {chat.Failed, false}} {
		t.Run(string(c.row), func(t *testing.T) {
			atDesk(t, func(d *desk) {
				a := d.event(0, ann)
				j := must(d.EndTurn(d.ctx(), d.speaking(a, "mira", "tomo"), chat.Ending{Row: c.row}))(d)
				if (j != nil) != c.next {
					t.Fatalf("next is %+v", j)
				}
				if !c.next {
					d.rows(c.row, a)
					return
				}
				h := d.acquire(*j)
				if j.Turn != 1 || h.Head.LastPersona != "mira" || !h.Fresh {
					t.Errorf("the second turn begins as %+v", h.Head)
				}
			})
		})
	}
}

func TestPoisonIsCounted(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.speaking(a)
		j := h.Head.Job(place)
		for start := 2; start <= chat.Poison+1; start++ {
			d.pass(chat.DeadLimit + time.Second)
			if h = d.acquire(j); h.Failing != (start > chat.Poison) {
				t.Fatalf("start %d: failing is %v", start, h.Failing)
			}
		}
		must(d.Yield(d.ctx(), h, chat.Retry, time.Second))(d) // a retry is no start without an end
		if h = d.acquire(j); !h.Failing || h.Head.Starts != chat.Poison+1 {
			t.Errorf("after a retry: %d starts", h.Head.Starts)
		}
		must(d.Yield(d.ctx(), h, chat.HandOver, 0))(d)
		if h = d.acquire(j); h.Failing || h.Head.Starts != 1 {
			t.Errorf("after a hand-over: %d starts", h.Head.Starts)
		}
	})
}

func TestPartsOfATurn(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.speaking(a)
		at := time.Now()
		first := chat.Intent{Content: "one", Nonce: "n1", At: at, Tried: at}
		d.ok(d.Intend(d.ctx(), h, 0, first, nil))
		d.ok(d.Intend(d.ctx(), h, 0, first, nil)) // its own, of a lost reply
		other := chat.Intent{Content: "two", Nonce: "n2", At: at, Tried: at}
		if err := d.Intend(d.ctx(), h, 0, other, nil); !errors.Is(err, kv.ErrCondition) {
			t.Errorf("an intent replaces one that it does not know: %v", err)
		}
		d.pass(chat.NonceTrust)
		d.ok(d.Stamp(d.ctx(), h, 0, time.Now()))
		d.pass(time.Millisecond)
		if err := d.Stamp(d.ctx(), h, 0, time.Now()); !errors.Is(err, chat.ErrTooOld) {
			t.Errorf("a stamp on an old intent: %v", err)
		}
		d.ok(d.Intend(d.ctx(), h, 0, other, &first))
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555"}))
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555"}))
		if err := d.Record(d.ctx(), h, 1, chat.Ref{Message: "555"}); !errors.Is(err, chat.ErrTaken) {
			t.Errorf("one message is two parts: %v", err)
		}
		if err := d.Intend(d.ctx(), h, 0, first, &other); !errors.Is(err, kv.ErrCondition) {
			t.Errorf("an intent for a part that has a message: %v", err)
		}
		must(d.SaveText(d.ctx(), h, "decided", answered))(d)
		st := must(d.SaveText(d.ctx(), h, "other words", chat.Ending{Row: chat.Failed}))(d)
		if st.Text != "decided" || st.Ending != chat.Answered {
			t.Errorf("the text was decided twice: %+v", st)
		}
		d.ok(d.Discard(d.ctx(), h, 0))
		st = must(d.State(d.ctx(), h))(d)
		if got := fmt.Sprintln(st.HasText, len(st.Parts), st.Recorded(0), st.Parts[0].Dropped, st.Parts[0].Intent); got != "true 1 555 true <nil>\n" {
			t.Errorf("state %s", got)
		}
	})
}

// TestWhatDiscordRefusesToShow is a text that is replaced by what people see, and a message that loses its place.
func TestWhatDiscordRefusesToShow(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.speaking(a)
		intend := func(k int, nonce, message string) {
			d.ok(d.Intend(d.ctx(), h, k, chat.Intent{Content: nonce, Nonce: nonce, At: time.Now(), Tried: time.Now()}, nil))
			d.ok(d.Record(d.ctx(), h, k, chat.Ref{Message: chat.MessageID(message)}))
		}
		intend(0, "n1", "555")
		must(d.SaveText(d.ctx(), h, "all of it", answered))(d)
		d.pass(chat.DeadLimit + time.Second)
		slow, h2 := *h, d.acquire(h.Head.Job(place))
		h = h2
		d.ok(d.Revise(d.ctx(), h, "what is there", chat.Ending{Row: chat.Failed, Reason: "edit_refused"}))
		d.lost("a revision under an old fence", d.Revise(d.ctx(), &slow, "late", answered))
		d.lost("a retirement under an old fence", d.Retire(d.ctx(), &slow, 0))
		st := must(d.State(d.ctx(), h))(d)
		if got := fmt.Sprintln(st.Text, st.Ending, st.Reason); got != "what is there failed edit_refused\n" {
			t.Errorf("the text is %s", got)
		}
		d.ok(d.Retire(d.ctx(), h, 0))
		d.ok(d.Retire(d.ctx(), h, 0)) // its reply was lost
		intend(0, "n2", "556")
		d.ok(d.Retire(d.ctx(), h, 0))
		intend(0, "n3", "557")
		d.ok(d.Discard(d.ctx(), h, chat.Retired))
		st = must(d.State(d.ctx(), h))(d)
		if st.Recorded(0) != "557" || st.Recorded(chat.Retired) != "555" || st.Recorded(chat.Retired+1) != "556" {
			t.Errorf("the parts are %+v", st.Parts)
		}
		must(d.EndTurn(d.ctx(), h, chat.Ending{Row: chat.Failed, Reason: "edit_refused"}))(d)
		if old := d.item("message#555"); !old.Has("dropped") || old.Int("part") != chat.Retired {
			t.Errorf("the message that lost its place is kept as %v", old.Attrs)
		}
		if row := d.item("event#" + string(a.ID)); row.Int("text#00") != slow.Head.Fence+1 {
			t.Errorf("the row does not name the text: %v", row.Attrs)
		}
	})
}

func TestAHeadOfAnEarlierVersion(t *testing.T) {
	atDesk(t, func(d *desk) {
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Put, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "head"}, Attrs: kv.Attrs{
			"phase": string(chat.Free), "turn": int64(0), "fence": int64(7), "n": int64(9), "box": int64(3), "waiting": int64(0)}}))
		h := d.speaking(d.event(0, ann))
		d.ok(d.Intend(d.ctx(), h, 0, chat.Intent{Content: "one", Nonce: "n1", At: time.Now()}, nil))
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555"}))
		must(d.SaveText(d.ctx(), h, "one", answered))(d)
		must(d.EndTurn(d.ctx(), h, answered))(d)
		d.head(chat.Free, "", 0)
	})
	atDesk(t, func(d *desk) { // and one that was held when the version changed
		a := d.event(0, ann)
		j := *d.offer(a, calls()).Send
		d.acquire(j)
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Update, Key: kv.Key{Space: "channels", Partition: string(place), Sort: "head"}, Remove: []string{"aliveAt", "progressAt"}}))
		d.acquire(j)
	})
}

func TestWhoseMessagesAre(t *testing.T) {
	atDesk(t, func(d *desk) {
		var asked []chat.MessageID
		want := map[chat.MessageID]chat.EventID{}
		for n := range 12 {
			d.pass(time.Minute)
			a := d.event(0, ann)
			h := d.speaking(a)
			for k := range 2 {
				id := chat.MessageID(fmt.Sprint(1000 + 10*n + k))
				d.ok(d.Intend(d.ctx(), h, k, chat.Intent{Content: "words", Nonce: string(id), At: time.Now()}, nil))
				d.ok(d.Record(d.ctx(), h, k, chat.Ref{Message: id}))
				if n%3 == k { // some in between are not asked for, nor the oldest
					asked, want[id] = append(asked, id), a.ID
				}
			}
			must(d.EndTurn(d.ctx(), h, answered))(d)
			asked = append(asked, chat.MessageID(fmt.Sprint(1005+10*n))) // a person's
		}
		for _, n := range []int{1, few, few + 1, len(asked)} {
			some := asked[len(asked)-n:]
			owners := must(d.Whose(d.ctx(), place, some))(d)
			for _, id := range some {
				if owner, is := owners[id]; owner.Event != want[id] || is != (want[id] != "") || is && owner.Persona != "mira" {
					t.Errorf("of %d asked for, %s is %+v", n, id, owner)
				}
			}
		}
	})
}

// few is up to how many messages are asked for one by one.
const few = 4

func TestAStopIsSeenByWhoGoesOn(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		h := d.speaking(a)
		if !must(d.Stop(d.ctx(), place, "", ann, false))(d) {
			t.Fatal("nobody was asked to stop")
		}
		in := chat.Intent{Content: "one", Nonce: "n1", At: time.Now(), Tried: time.Now()}
		if err := d.Intend(d.ctx(), h, 0, in, nil); !errors.Is(err, chat.ErrSignalled) {
			t.Errorf("the first post of a turn that was stopped: %v", err)
		}
		if _, err := d.SaveText(d.ctx(), h, "an answer", answered); !errors.Is(err, chat.ErrSignalled) {
			t.Errorf("the answer of a turn that was stopped: %v", err)
		}
		if st := must(d.State(d.ctx(), h))(d); st.HasText || len(st.Parts) > 0 {
			t.Errorf("refused, and yet stored: %+v", st)
		}
	})
	atDesk(t, func(d *desk) { // what is on the screen stays, and later parts belong to a post that is there
		h := d.speaking(d.event(0, ann))
		in := chat.Intent{Content: "one", Nonce: "n1", At: time.Now(), Tried: time.Now()}
		d.ok(d.Intend(d.ctx(), h, 0, in, nil))
		d.ok(d.Record(d.ctx(), h, 0, chat.Ref{Message: "555"}))
		must(d.Stop(d.ctx(), place, "", ann, false))(d)
		in.Nonce = "n2"
		d.ok(d.Intend(d.ctx(), h, 1, in, nil))
		must(d.SaveText(d.ctx(), h, "as far as it got", chat.Ending{Row: chat.Interrupted}))(d)
	})
}

func TestTheTextThatCountsIsTheHolders(t *testing.T) {
	atDesk(t, func(d *desk) {
		a := d.event(0, ann)
		slow := d.speaking(a)
		d.pass(chat.DeadLimit + time.Second)
		h := d.acquire(slow.Head.Job(place))
		_, err := d.SaveText(d.ctx(), slow, "words of the one that was slow", answered)
		d.lost("text", err)
		if st := must(d.State(d.ctx(), h))(d); st.HasText {
			t.Errorf("decided by a worker that lost the channel: %+v", st)
		}
		must(d.SaveText(d.ctx(), h, "the holder's words", answered))(d)
		must(d.EndTurn(d.ctx(), h, answered))(d)
		n := d.item("event#" + string(a.ID)).Int("text#00")
		if text := d.item(fmt.Sprintf("turn#%s#00#%d", a.ID, n)).String("text"); text != "the holder's words" {
			t.Errorf("kept is %q, of fence %d", text, n)
		}
	})
}

func TestTheDueTimeIsChangedWhenItIsFarOffOnly(t *testing.T) {
	atDesk(t, func(d *desk) {
		due := func() int64 { return d.item("head").Int(kv.DueAt) }
		j := d.offer(d.event(0, ann), calls()).Send
		granted := due()
		h := d.acquire(*j)
		if due() != granted {
			t.Error("the sweeper would look at much the same time, and the index is written twice")
		}
		d.pass(chat.SweepAfter/2 + time.Second)
		if must(d.SavePlan(d.ctx(), h, chat.Plan{Turns: []chat.Turn{{Persona: "mira"}}}))(d); due() != time.Now().Add(chat.SweepAfter).UnixMilli() {
			t.Error("the sweeper would look at a channel that has just moved")
		}
		h = d.acquire(h.Head.Job(place))
		j2 := must(d.Yield(d.ctx(), h, chat.Retry, time.Hour))(d) // and it comes back early
		if d.acquire(j2); due() != time.Now().Add(chat.SweepAfter).UnixMilli() {
			t.Error("the sweeper would look in an hour at a channel that has just moved")
		}
	})
}
