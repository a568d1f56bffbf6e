package app_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv/kvtest"
	simdiscord "tsumugi/shared/sim/discord"
)

// mostStarted is the largest number of sessions that were started in 24 hours.
func (w *chainWorld) mostStarted() int {
	var starts []time.Time
	most := 0
	for _, d := range w.sim.Dispatches() {
		if d.Event != "READY" {
			continue
		}
		starts = append(starts, d.Time)
		for d.Time.Sub(starts[0]) >= 24*time.Hour {
			starts = starts[1:]
		}
		most = max(most, len(starts))
	}
	return most
}

// Discord knows no session that a run finds, for more than a day: each costs another, as many as may be started, and nothing is
// lost.
func TestChainWhoseSessionsAreNeverKept(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 4}, func(t *testing.T, w *chainWorld) {
		w.wire, w.gone = 20*time.Millisecond, true
		w.schedule()
		pass(time.Minute)
		w.talk(25*time.Hour, 20*time.Second)
		pass(30 * time.Minute)
		longest := w.judge()
		w.orderly()
		t.Logf("the longest way took %s; at most %d sessions were started in a day", longest, w.mostStarted())
		if n := w.mostStarted(); n > chat.SessionsDaily || n < 400 || longest > time.Hour {
			// Four shards share a session each 3¼ minutes, and whose turn it is is drawn.
			t.Error("that is not as it should be")
		}
	})
}

// One shard of four gets no session for hours: the others go on, its own messages are read when it gets one, and what it asks
// for stays within the count.
func TestChainWithAShardThatGetsNoSession(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 4}, func(t *testing.T, w *chainWorld) {
		w.guilds(8)
		w.schedule()
		pass(time.Minute)
		w.talk(5*time.Minute, 20*time.Second)
		stuck := 3
		for _, f := range []simdiscord.Fault{{Kind: simdiscord.FaultNoReady, Shard: &stuck, Count: -1}, {Kind: simdiscord.FaultInvalid, Shard: &stuck}} {
			if err := w.sim.Fault(f); err != nil {
				t.Fatal(err)
			}
		}
		w.talk(12*time.Hour, 20*time.Second)
		if h := w.health(); h.Ready != 3 || h.Of != 4 {
			t.Errorf("it says %+v", h)
		}
		w.sim.ClearFaults()
		w.talk(10*time.Minute, 20*time.Second)
		pass(10 * time.Minute)
		w.judge()
		w.orderly()
		if n, h := w.sim.State().Gateway.Identifies, w.health(); n > 300 || h.Ready != 4 {
			t.Errorf("%d sessions were asked for, and it says %+v", n, h)
		}
	})
}

// The schedule is late, stops for ten minutes now and then, and comes three times at once.
func TestChainOfABadSchedule(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 2}, func(t *testing.T, w *chainWorld) {
		w.wire = 20 * time.Millisecond
		w.scheduled.Go(func() {
			for i := 0; ; i++ {
				for range 1 + i%3 {
					w.tick()
				}
				wait := time.Minute + time.Duration(i%7)*3*time.Second
				if i%20 == 19 {
					wait = 10 * time.Minute
				}
				select {
				case <-time.After(wait):
				case <-w.ending:
					return
				}
			}
		})
		pass(10 * time.Second)
		w.talk(6*time.Hour, 3*time.Second)
		pass(10 * time.Minute)
		longest := w.judge()
		w.orderly()
		if n := w.begun("READY"); n != 2 || longest > 10*time.Minute {
			t.Errorf("the longest way took %s, %d sessions were started", longest, n)
		}
	})
}

// A run is frozen, another goes on in its place where it is taken for dead, and it is thawed.
func TestFrozenRunIsThawed(t *testing.T) {
	for _, long := range []time.Duration{30 * time.Second, 61 * time.Second, 90 * time.Second, 5 * time.Minute} {
		t.Run(long.String(), func(t *testing.T) {
			chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 2}, func(t *testing.T, w *chainWorld) {
				w.wire = 20 * time.Millisecond
				first := w.tick()
				pass(30 * time.Second)
				w.schedule()
				w.talk(4*time.Minute+7*time.Second, time.Second)
				first.freeze(long)
				w.talk(20*time.Minute, time.Second)
				pass(10 * time.Second)
				longest := w.judge()
				w.orderly()
				if n := w.begun("READY"); n > 4 || longest > 90*time.Second || !first.isOver() || len(w.alive()) > 2 {
					t.Errorf("the longest way took %s, %d sessions were started; %v", longest, n, first)
				}
			})
		})
	}
}

// Most calls of the store fail for hours, in every way: nothing is lost, and sessions stay within their count.
func TestChainOverAStoreThatMostlyFails(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 2}, func(t *testing.T, w *chainWorld) {
		w.wire = 20 * time.Millisecond
		from, until := time.Now().Add(2*time.Minute), time.Now().Add(3*time.Hour)
		faults := []kvtest.Fault{kvtest.Throttling, kvtest.Contention, kvtest.LostReply, kvtest.Broken}
		dice := rand.New(rand.NewPCG(1, 2))
		w.scheduleWith(func(*chainRun, kvtest.Call) kvtest.Fault {
			w.mu.Lock()
			defer w.mu.Unlock()
			if now := time.Now(); now.Before(from) || now.After(until) || dice.IntN(10) >= 7 {
				return kvtest.None
			}
			return faults[dice.IntN(len(faults))]
		}, nil)
		pass(2 * time.Minute)
		w.talk(3*time.Hour+20*time.Minute, 10*time.Second)
		pass(5 * time.Minute)
		longest := w.judge()
		t.Logf("the longest way took %s; %d sessions started, %d resumed", longest, w.begun("READY"), w.begun("RESUMED"))
		if n := w.begun("READY"); n > chat.SessionsBurst+60 || len(w.alive()) > 2 {
			t.Errorf("%d sessions were started, %d runs are alive", n, len(w.alive()))
		}
	})
}

// The token is reset about a hand-over, and the secret says so at once or later.
func TestTokenIsResetDuringAHandOver(t *testing.T) {
	for _, at := range []time.Duration{-time.Second, 0, 30 * time.Millisecond, 200 * time.Millisecond, time.Second, 3 * time.Second} {
		for _, delay := range []time.Duration{0, 3 * time.Second, 2 * time.Minute} {
			chained(t, simdiscord.Options{MessageContentEnabled: true, Token: ownToken, Shards: 2}, func(t *testing.T, w *chainWorld) {
				w.wire = 100 * time.Millisecond
				old, now, reset := w.sim.Token(), w.token, time.Now().Add(10*time.Minute+at)
				w.vault(func() string {
					if time.Since(reset) < delay {
						return old
					}
					return now()
				})
				w.schedule()
				pass(30 * time.Second)
				w.talk(time.Until(reset)-time.Second, time.Second)
				pass(time.Until(reset))
				if err := w.sim.Fault(simdiscord.Fault{Kind: simdiscord.FaultToken}); err != nil {
					t.Fatal(err)
				}
				w.talk(15*time.Minute, time.Second)
				pass(2 * time.Minute)
				if longest, n := w.judge(), w.begun("READY"); n != 4 || longest > delay+90*time.Second {
					t.Errorf("%s from the hand-over, %s before the secret: the longest way took %s, %d sessions were started", at, delay, longest, n)
				}
			})
		}
	}
}
