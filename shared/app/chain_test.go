package app_test

import (
	"fmt"
	"testing"
	"time"

	"tsumugi/shared/chat"
	simdiscord "tsumugi/shared/sim/discord"
)

// A day of the chain: one session, which is handed on.
func TestChainForADay(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true}, func(t *testing.T, w *chainWorld) {
		w.schedule()
		pass(10 * time.Second)
		w.talk(24*time.Hour, 7*time.Second)
		longest := w.judge()
		w.orderly()
		started, resumed := w.begun("READY"), w.begun("RESUMED")
		t.Logf("%d sessions were started and %d resumed by %d runs; the longest way of a message took %s", started, resumed, len(w.all()), longest)
		if started != 1 || resumed < 90 || longest > 2*time.Second || len(w.alive()) > 2 {
			t.Error("that is not as it should be")
		}
		if h := w.health(); h.Silent(time.Now()) > chat.HealthEvery || h.Ready != 1 || h.Of != 1 {
			t.Errorf("it says %+v", h)
		}
	})
}

// One hand-over over some distance: how long nothing comes.
func TestChainHandsOverWithinTwoSeconds(t *testing.T) {
	for _, shards := range []int{1, 4} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) {
			chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: shards}, func(t *testing.T, w *chainWorld) {
				w.wire = 200 * time.Millisecond
				w.guilds(8)
				first := w.tick()
				pass(time.Minute)
				w.talk(8*time.Minute+40*time.Second, 10*time.Second)
				w.schedule() // the next run is not wanted yet, and the one after it is the heir
				w.talk(100*time.Second, 20*time.Millisecond)
				longest := w.judge()
				w.orderly()
				t.Logf("with %d shards the longest way of a message took %s", shards, longest)
				if !first.isOver() || w.begun("READY") != shards || w.begun("RESUMED") != shards || longest > 2*time.Second {
					t.Errorf("%v; %d started, %d resumed", first, w.begun("READY"), w.begun("RESUMED"))
				}
			})
		})
	}
}
