package store_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// desk is one channel's repositories over the twin, for tests of single transactions.
type desk struct {
	*store.Channels
	t      *testing.T
	kv     kv.Driver
	writes int
}

const (
	ann chat.UserID = "100"
	ben chat.UserID = "200"
)

// atDesk runs a test in a bubble of 2026.
func atDesk(t *testing.T, run func(d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)))
		d := &desk{t: t, kv: kvtest.Memory()}
		d.Channels = store.NewChannels(kvtest.Wrap(d.kv, func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write {
				d.writes++
			}
			return kvtest.None
		}))
		run(d)
	})
}

// pass lets time pass.
func (d *desk) pass(t time.Duration) { time.Sleep(t) }

func (d *desk) ctx() context.Context { return d.t.Context() }

// must ends the test on an error.
func must[T any](v T, err error) func(d *desk) T {
	return func(d *desk) T {
		d.t.Helper()
		if err != nil {
			d.t.Fatal(err)
		}
		return v
	}
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) lost(what string, err error) {
	d.t.Helper()
	if !errors.Is(err, chat.ErrLost) {
		d.t.Errorf("%s of a worker that lost the channel: %v", what, err)
	}
}

// event is something that a person says now.
func (d *desk) event(n int, by chat.UserID) chat.Event {
	at, _ := strconv.ParseUint(chat.Snowflake(time.Now()), 10, 64)
	return chat.Event{What: chat.Said, ID: chat.EventID(strconv.FormatUint(at+uint64(n), 10)), Channel: place, Guild: "1",
		Author: chat.Author{ID: by, Name: "Ann"}, Text: fmt.Sprintf("words of event %d", n), At: time.Now()}
}

func (d *desk) offer(e chat.Event, w chat.Wish) chat.Offered {
	d.t.Helper()
	return must(d.Offer(d.ctx(), e, w))(d)
}

// wish of a message that calls a persona.
func calls() chat.Wish { return chat.Wish{Reply: true, Reason: "non_trigger"} }

func (d *desk) acquire(j chat.Job) *chat.Hold {
	d.t.Helper()
	got := must(d.Acquire(d.ctx(), j, "owner"))(d)
	if got.Hold == nil {
		d.t.Fatalf("%+v is stale", j)
	}
	return got.Hold
}

// speaking grants the channel to an event and brings it to a speaker.
func (d *desk) speaking(e chat.Event, personas ...string) *chat.Hold {
	d.t.Helper()
	return d.acquire(d.planned(d.acquire(*d.offer(e, calls()).Send), personas...))
}

func (d *desk) planned(h *chat.Hold, personas ...string) chat.Job {
	d.t.Helper()
	if len(personas) == 0 {
		personas = []string{"mira"}
	}
	p := chat.Plan{Event: h.Event.ID, At: time.Now(), Charges: []chat.Charge{{Counter: "turns", N: 1}}}
	for _, name := range personas {
		p.Turns = append(p.Turns, chat.Turn{Persona: name, Name: name})
	}
	return must(d.SavePlan(d.ctx(), h, p))(d)
}

func (d *desk) item(sort string) kv.Item {
	d.t.Helper()
	items, err := d.kv.BatchGet(d.ctx(), kv.Key{Space: store.SpaceChannels, Partition: string(place), Sort: sort})
	d.ok(err)
	if len(items) == 0 {
		return kv.Item{}
	}
	return items[0]
}

func (d *desk) row(e chat.Event) chat.Row {
	d.t.Helper()
	return chat.Row(d.item("event#" + string(e.ID)).String("row"))
}

// head demands a phase, who the channel is with, and how many wait.
func (d *desk) head(phase chat.Phase, e chat.EventID, waiting int64) {
	d.t.Helper()
	h := d.item("head")
	if chat.Phase(h.String("phase")) != phase || h.String("event") != string(e) || h.Int("waiting") != waiting {
		d.t.Errorf("head is %s %s with %d waiting, want %s %s with %d", h.String("phase"), h.String("event"), h.Int("waiting"), phase, e, waiting)
	}
}

// rows demands the rows of events.
func (d *desk) rows(want chat.Row, events ...chat.Event) {
	d.t.Helper()
	for i, e := range events {
		if got := d.row(e); got != want {
			d.t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
}

var answered = chat.Ending{Row: chat.Answered, Reason: "stop"}
