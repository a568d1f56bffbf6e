package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

const day = "2026-12-07"

// bill is what the n-th event is charged with.
func bill(n, turns int, caps guild.Caps) guild.Bill {
	return guild.Bill{Guild: server, Event: chat.EventID(fmt.Sprint(100 + n)), Day: day, Turns: turns, Caps: caps}
}

func TestWithoutCapsNothingIsCounted(t *testing.T) {
	calls := kvtest.Wrap(kvtest.Memory(), nil)
	got, err := store.NewMeter(calls).Charge(t.Context(), bill(0, 3, guild.Caps{}))
	if err != nil || got != (guild.Granted{Turns: 3}) || calls.Calls() != 0 {
		t.Errorf("granted %+v with %d calls, %v", got, calls.Calls(), err)
	}
}

func TestChargesEndAtTheCap(t *testing.T) {
	for name, c := range map[string]struct {
		caps guild.Caps
		want []int
		over string
	}{
		"the guild's own limit":           {guild.Caps{Guild: 4}, []int{2, 2, 0, 0}, guild.DailyLimit},
		"what is left counts":             {guild.Caps{Guild: 5}, []int{2, 2, 1, 0}, guild.DailyLimit},
		"the operator's for a guild":      {guild.Caps{OperatorGuild: 3}, []int{2, 1, 0, 0}, guild.SpendCap},
		"the operator's for all":          {guild.Caps{Operator: 2}, []int{2, 0, 0, 0}, guild.SpendCap},
		"the tightest of all":             {guild.Caps{Guild: 9, OperatorGuild: 3, Operator: 100}, []int{2, 1, 0, 0}, guild.SpendCap},
		"the guild's own is named before": {guild.Caps{Guild: 2, OperatorGuild: 2, Operator: 2}, []int{2, 0, 0, 0}, guild.DailyLimit},
	} {
		m := store.NewMeter(kvtest.Memory())
		for range 2 { // all of it again: nothing is counted twice
			for n, want := range c.want {
				got, err := m.Charge(t.Context(), bill(n, 2, c.caps))
				over := ""
				if want == 0 {
					over = c.over
				}
				if err != nil || got != (guild.Granted{Turns: want, Over: over}) {
					t.Errorf("%s: event %d is granted %+v, want %d (%v)", name, n, got, want, err)
				}
			}
		}
	}
}

func TestEachGuildAndDayIsCountedByItself(t *testing.T) {
	m := store.NewMeter(kvtest.Memory())
	spend := func(n int, change func(*guild.Bill), want int) {
		t.Helper()
		b := bill(n, 1, guild.Caps{OperatorGuild: 1, Operator: 4})
		change(&b)
		if got, err := m.Charge(t.Context(), b); err != nil || got.Turns != want {
			t.Errorf("charge %d is granted %+v, %v", n, got, err)
		}
	}
	same := func(*guild.Bill) {}
	dms := func(b *guild.Bill) { b.Guild = guild.DirectMessages }
	spend(0, same, 1)
	spend(1, same, 0)
	spend(2, dms, 1)
	spend(3, dms, 0)
	spend(4, func(b *guild.Bill) { b.Guild = "901" }, 1)
	spend(5, func(b *guild.Bill) { b.Guild, b.Caps.OperatorGuild = "902", 0 }, 1) // the last of all
	spend(6, func(b *guild.Bill) { b.Guild = "903" }, 0)
	spend(7, func(b *guild.Bill) { b.Day = "2026-12-08" }, 1)
	spend(8, func(b *guild.Bill) { b.Caps = guild.Caps{Guild: 1} }, 1) // its own limit counts from when it is set
}

// Whatever dies, is delivered again or comes at the same time: each event is granted one number, and the grants are what the
// counters say, which is never more than the caps.
func TestChargesAreExactWhateverHappens(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { chargesExact(t, seed) })
		})
	}
}

func chargesExact(t *testing.T, seed uint64) {
	d, tr := kvtest.Memory(), newTrouble(seed)
	some := func() int { return tr.draw(2) * (1 + tr.draw(12)) }
	caps := guild.Caps{Guild: 1 + tr.draw(12), OperatorGuild: some(), Operator: some()}
	events := 2 + tr.draw(8)
	got := make([][3]guild.Granted, events)
	var all sync.WaitGroup
	for n := range events {
		b := bill(n, 1+tr.draw(3), caps)
		for again := range 3 {
			all.Go(func() {
				for try := 0; ; try++ {
					time.Sleep(time.Duration(tr.draw(20)) * time.Millisecond)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+tr.draw(60))*time.Millisecond)
					g, err := store.NewMeter(tr.over(d)).Charge(ctx, b)
					cancel()
					if got[n][again] = g; err == nil {
						return
					}
					if try == 200 {
						t.Errorf("event %d was never charged: %v", n, err)
						return
					}
				}
			})
		}
	}
	all.Wait()
	sum := 0
	for n, grants := range got {
		if grants[0].Turns != grants[1].Turns || grants[0].Turns != grants[2].Turns {
			t.Errorf("event %d is granted %+v", n, grants)
		}
		sum += grants[0].Turns
	}
	limit := caps.Guild
	for _, c := range []int{caps.OperatorGuild, caps.Operator} {
		if c > 0 {
			limit = min(limit, c)
		}
	}
	for _, c := range []struct {
		partition, attr string
		cap             int
	}{{"guild#" + server, "all", caps.Guild}, {"guild#" + server, "operator", caps.OperatorGuild}, {"installation", "operator", caps.Operator}} {
		item, err := d.Get(t.Context(), kv.Key{Space: store.SpaceMemory, Partition: c.partition, Sort: "turns#" + day})
		counted := item.Int(c.attr)
		if c.cap > 0 && (err != nil || counted != int64(sum) || counted > int64(limit)) || c.cap == 0 && counted != 0 {
			t.Errorf("%s of %s counts %d, %d were granted of %+v (%v)", c.attr, c.partition, counted, sum, caps, err)
		}
	}
}

func TestPeopleAreToldOnceAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := kvtest.Memory()
		tells := func(driver kv.Driver, c chat.ChannelID, e chat.EventID, reason string) bool {
			told, err := store.NewMeter(driver).Tell(t.Context(), server, c, e, reason)
			return err == nil && told
		}
		lost := kvtest.Wrap(d, func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write {
				return kvtest.LostReply
			}
			return kvtest.None
		})
		if tells(lost, "5", "1", guild.SpendCap) || !tells(d, "5", "1", guild.SpendCap) {
			t.Error("a lost reply silences the event that it was for")
		}
		if tells(d, "5", "2", guild.SpendCap) || !tells(d, "5", "2", guild.DailyLimit) || !tells(d, "6", "2", guild.SpendCap) {
			t.Error("another event, reason or channel is taken for the first one's, or not")
		}
		time.Sleep(time.Hour + time.Second)
		if !tells(d, "5", "2", guild.SpendCap) {
			t.Error("after an hour nobody is told")
		}
	})
}
