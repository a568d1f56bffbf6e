package app_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// ownToken has the form of Discord's: it begins with the bot's id.
const ownToken = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.one"

func contentOn() simdiscord.Options { return simdiscord.Options{MessageContentEnabled: true} }

// Of runs that begin in the same moment one holds the gateway, and the others ask nothing of Discord; also where the store is
// throttled just then.
func TestOneRunOfSeveralHolds(t *testing.T) {
	for name, fault := range map[string]func(*chainRun, kvtest.Call) kvtest.Fault{
		"quiet": nil,
		"contention": func(r *chainRun, c kvtest.Call) kvtest.Fault {
			return []kvtest.Fault{kvtest.None, kvtest.Contention, kvtest.None, kvtest.Throttling}[(c.N*c.N/3+r.n)%4]
		},
		"lost replies": func(r *chainRun, c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write && c.N < 4 {
				return kvtest.LostReply
			}
			return kvtest.None
		},
		"no store for two minutes": func(r *chainRun, c kvtest.Call) kvtest.Fault {
			if r.n < 8 {
				return kvtest.Broken
			}
			return kvtest.None
		},
	} {
		t.Run(name, func(t *testing.T) {
			chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
				w.wire = 20 * time.Millisecond
				for range 4 {
					for range 4 {
						w.tickWith(fault, nil)
					}
					time.Sleep(time.Minute)
				}
				w.say("lounge")
				time.Sleep(time.Second)
				w.judge()
				dialled := 0
				for _, r := range w.all() {
					if r.dialled() > 0 {
						dialled++
					}
				}
				if n := w.begun("READY"); len(w.alive()) != 1 || n != 1 || dialled != 1 {
					t.Errorf("%d runs are alive, %d asked Discord for something, %d sessions were started", len(w.alive()), dialled, n)
				}
			})
		})
	}
}

// A run that nobody follows stays until shortly before its end, and leaves everything to one that begins later.
func TestChainWithoutHeir(t *testing.T) {
	chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
		first := w.tick()
		time.Sleep(10 * time.Second)
		w.talk(lambdaLimit+30*time.Second, time.Second)
		if h := w.health(); !first.isOver() || !h.Left || !h.Wants {
			t.Errorf("%v, and it said %+v", first, h)
		}
		w.tick()
		time.Sleep(10 * time.Second)
		w.orderly()
		if longest := w.judge(); longest > 90*time.Second || w.begun("READY") != 1 || w.begun("RESUMED") != 1 {
			t.Errorf("the longest way took %s; %d sessions started, %d resumed", longest, w.begun("READY"), w.begun("RESUMED"))
		}
	})
}

// A run that is killed is followed when it is taken for dead.
func TestKilledRunIsFollowed(t *testing.T) {
	for second := 1; second < 60; second += 6 {
		t.Run(fmt.Sprint(second), func(t *testing.T) {
			chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
				first := w.tick()
				time.Sleep(time.Minute)
				w.schedule()
				time.Sleep(3*time.Minute + time.Duration(second)*time.Second)
				w.talk(2*time.Second, 100*time.Millisecond)
				first.kill()
				w.talk(4*time.Minute, 250*time.Millisecond)
				w.orderly()
				longest := w.judge()
				if longest > 90*time.Second || w.begun("READY") != 1 || w.begun("RESUMED") != 1 || len(w.alive()) > 2 {
					t.Errorf("the longest way took %s; %d sessions started, %d resumed", longest, w.begun("READY"), w.begun("RESUMED"))
				}
			})
		})
	}
}

// Either side of a hand-over dies at each of its calls of the store, before it is done, or after it where it writes.
func TestCrashAtEveryStoreCallOfAHandOver(t *testing.T) {
	const most = 100
	for side, least := range []int{5, 5} {
		for _, way := range []kvtest.Fault{kvtest.Broken, kvtest.LostReply} {
			n := 1
			for n < most && handOverWithCrash(t, side, n, way) {
				n++
			}
			if t.Logf("side %d, fault %d: %d crashes", side, way, n-1); n <= least || n == most {
				t.Errorf("side %d, fault %d: %d crashes are not every call", side, way, n-1)
			}
		}
	}
}

// handOverWithCrash kills the old run (0) or its heir (1) at the nth of its calls since the old one wants an heir, of those that
// a fault concerns; it tells whether that came.
func handOverWithCrash(t *testing.T, side, n int, way kvtest.Fault) (crashed bool) {
	t.Helper()
	chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
		w.wire = 20 * time.Millisecond
		from, seen := time.Now().Add(10*time.Minute-time.Second), 0
		fault := func(r *chainRun, c kvtest.Call) kvtest.Fault {
			since := time.Since(from)
			if r.n != side || since < 0 || since > 15*time.Second || way == kvtest.LostReply && c.Verb != kvtest.Write {
				return kvtest.None
			}
			w.mu.Lock()
			seen++
			now := seen == n
			crashed = crashed || now
			w.mu.Unlock()
			if now {
				r.kill()
				return way
			}
			return kvtest.None
		}
		w.tickWith(fault, nil)
		time.Sleep(10 * time.Second)
		w.talk(10*time.Minute, 30*time.Second)
		w.scheduleWith(fault, nil)
		w.talk(5*time.Second, 100*time.Millisecond)
		w.talk(3*time.Minute, time.Second)
		time.Sleep(10 * time.Second)
		w.orderly()
		longest := w.judge()
		if longest > 100*time.Second || w.begun("READY") != 1 || len(w.alive()) > 2 {
			t.Errorf("side %d dies at call %d (fault %d): the longest way took %s; %d sessions started, %d resumed, %d runs alive",
				side, n, way, longest, w.begun("READY"), w.begun("RESUMED"), len(w.alive()))
		}
	})
	return crashed
}

// The queue is gone: nothing more is read than fits, and nothing is lost; a run whose end comes leaves in time.
func TestChainWithoutQueue(t *testing.T) {
	chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
		gone := true
		away := func(c queuetest.Call) queuetest.Accident {
			w.mu.Lock()
			defer w.mu.Unlock()
			if gone {
				return queuetest.Before
			}
			return queuetest.Fine
		}
		w.scheduleWith(nil, away)
		time.Sleep(10 * time.Second)
		w.talk(25*time.Minute, 2*time.Second)
		w.mu.Lock()
		gone = false
		w.mu.Unlock()
		w.talk(5*time.Minute, 2*time.Second)
		time.Sleep(time.Minute)
		w.judge()
		for _, r := range w.all() {
			r.mu.Lock()
			late := r.late || r.over && r.took > lambdaLimit-5*time.Second
			r.mu.Unlock()
			if late {
				t.Errorf("%v: Lambda would have ended it", r)
			}
		}
		if n := w.begun("READY"); n > 2 {
			t.Errorf("%d sessions were started", n)
		}
	})
}

// Discord refuses the bot: the chain parks with the remedy, and asks nothing more until its settings change.
func TestChainParks(t *testing.T) {
	for name, c := range map[string]struct {
		options simdiscord.Options
		token   string
		code    int // with which the gateway closes
		says    string
		asks    int // sessions that are asked for while it is refused
		later   bool
	}{
		"the token is wrong":  {options: contentOn(), token: "wrong", says: "Reset Token"},
		"too many shards":     {options: simdiscord.Options{MessageContentEnabled: true, Shards: 5}, says: "infra/relay.Dockerfile", later: true},
		"intents are unknown": {options: contentOn(), code: 4013, says: "update it", asks: 1},
		"the bot has grown":   {options: simdiscord.Options{MessageContentEnabled: true, MinShards: 2}, says: "start the bot again later", later: true},
	} {
		t.Run(name, func(t *testing.T) {
			chained(t, c.options, func(t *testing.T, w *chainWorld) {
				right := w.token
				if c.token != "" {
					w.vault(func() string { return c.token })
				}
				w.tick()
				time.Sleep(10 * time.Second)
				if c.code != 0 {
					if err := w.sim.Fault(simdiscord.Fault{Kind: simdiscord.FaultClose, Code: c.code}); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(20 * time.Second)
				w.orderly()
				h := w.health()
				if len(w.alive()) != 0 || h.Parked == nil || !strings.Contains(h.Parked.Fix, c.says) || h.Parked.Later != c.later {
					t.Fatalf("%d runs are alive, and it says %+v of %+v", len(w.alive()), h, h.Parked)
				}
				calls, asked := len(w.sim.Calls()), w.sim.State().Gateway.Identifies
				w.schedule()
				time.Sleep(20 * time.Minute)
				if n := len(w.sim.Calls()) - calls; n != 0 || asked != w.sim.State().Gateway.Identifies || asked > c.asks {
					t.Errorf("parked, it called Discord %d times and asked for %d sessions", n, asked)
				}
				if h := w.health(); h.Parked == nil || h.Silent(time.Now()) > time.Minute {
					t.Errorf("after twenty minutes it says %+v", h)
				}
				if c.token == "" {
					return
				}
				w.vault(right) // somebody changed the secret
				time.Sleep(time.Minute + 10*time.Second)
				w.say("lounge")
				time.Sleep(time.Second)
				w.judge()
				if h := w.health(); h.Parked != nil || h.Ready != 1 {
					t.Errorf("with the right token it says %+v", h)
				}
			})
		})
	}
}

// What Discord may change by itself is tried again after an hour.
func TestChainThatIsParkedTriesAgainLater(t *testing.T) {
	chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 5}, func(t *testing.T, w *chainWorld) {
		w.schedule()
		time.Sleep(59 * time.Minute)
		calls := len(w.sim.Calls())
		time.Sleep(5 * time.Minute)
		if n := len(w.sim.Calls()) - calls; n == 0 || n > 3 || w.begun("READY") != 0 {
			t.Errorf("after an hour it called Discord %d times, and started %d sessions", n, w.begun("READY"))
		}
	})
}

// Without the content intent the chain goes on with what it may hear, and hands that on.
func TestChainWithoutIntent(t *testing.T) {
	chained(t, simdiscord.Options{}, func(t *testing.T, w *chainWorld) {
		w.schedule()
		time.Sleep(10 * time.Second)
		w.talk(25*time.Minute, time.Second)
		w.orderly()
		if longest := w.judge(); longest > 2*time.Second || w.begun("READY") != 1 || w.begun("RESUMED") != 2 {
			t.Errorf("the longest way took %s; %d sessions started, %d resumed", longest, w.begun("READY"), w.begun("RESUMED"))
		}
	})
}

// The token is reset: what runs goes on with the new one, reads what it missed, and nothing is lost.
func TestChainWhoseTokenIsReset(t *testing.T) {
	for name, delay := range map[string]time.Duration{"the secret is changed at once": 0, "the secret is changed later": 5 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			chained(t, simdiscord.Options{MessageContentEnabled: true, Token: ownToken}, func(t *testing.T, w *chainWorld) {
				old, now := w.sim.Token(), w.token
				w.vault(func() string { return old })
				w.schedule()
				time.Sleep(10 * time.Second)
				w.talk(3*time.Minute, time.Second)
				changed := time.Now()
				w.vault(func() string {
					if time.Since(changed) < delay {
						return old
					}
					return now()
				})
				if err := w.sim.Fault(simdiscord.Fault{Kind: simdiscord.FaultToken}); err != nil {
					t.Fatal(err)
				}
				w.talk(delay/2, time.Second)
				if h := w.health(); (h.Parked != nil) != (delay > 0) {
					t.Errorf("it says %+v", h)
				}
				w.talk(delay/2+3*time.Minute, time.Second)
				time.Sleep(time.Minute)
				w.judge()
				if n := w.begun("READY"); n != 2 {
					t.Errorf("%d sessions were started", n)
				}
			})
		})
	}
}

// The process form parks too, looks each minute for another token, and goes on when there is one.
func TestProcessThatIsParkedGoesOn(t *testing.T) {
	chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
		right := w.token
		w.vault(func() string { return "wrong" })
		r := w.process()
		time.Sleep(10 * time.Minute)
		if h := w.health(); h.Parked == nil || h.Silent(time.Now()) > time.Minute+time.Second {
			t.Errorf("it says %+v", h)
		}
		if n := len(w.sim.Calls()); n > 2 {
			t.Errorf("parked, it called Discord %d times", n)
		}
		w.vault(right)
		time.Sleep(time.Minute + 10*time.Second)
		w.talk(time.Minute, time.Second)
		w.judge()
		if h := w.health(); h.Parked != nil || h.Ready != 1 {
			t.Errorf("it says %+v", h)
		}
		r.stop()
		<-r.ended
		if h := w.health(); r.err != nil || !h.Left {
			t.Errorf("ended with %v, and says %+v", r.err, h)
		}
		synctest.Wait()
	})
}

// A process next to the chain is a spare; it does not take the word, and the chain goes on.
func TestProcessBesideTheChain(t *testing.T) {
	chained(t, contentOn(), func(t *testing.T, w *chainWorld) {
		w.schedule()
		time.Sleep(10 * time.Second)
		w.process()
		time.Sleep(10 * time.Second)
		w.talk(40*time.Minute, time.Second)
		w.orderly()
		if longest := w.judge(); longest > 2*time.Second || w.begun("READY") > 3 {
			t.Errorf("the longest way took %s, %d sessions were started", longest, w.begun("READY"))
		}
	})
}

func TestBotKeepsItsPlaceUnderAnotherToken(t *testing.T) {
	ports := app.Ports{KV: kvtest.Memory()}
	synctest.Test(t, func(t *testing.T) {
		const first, second, other = ownToken, "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gfghij.two", "simulated"
		if err := app.NewRelays(ports, first).Keep(t.Context(), 0, chat.Shard{Owner: "a", Alive: time.Now(), Watermark: "7"}); err != nil {
			t.Fatal(err)
		}
		for token, want := range map[string]chat.MessageID{first: "7", second: "7", other: ""} {
			if s, err := app.NewRelays(ports, token).Shard(t.Context(), 0); err != nil || s.Watermark != want {
				t.Errorf("under %s it is %+v, %v", token, s, err)
			}
		}
	})
}

// What was kept under the name that a token had until 2026-11-30 is found, until something is kept under the bot's own.
func TestBotKeepsItsPlaceOfAnEarlierVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ports := app.Ports{KV: kvtest.Memory()}
		relays := app.NewRelays(ports, ownToken)
		for _, c := range []struct {
			by   chat.Relays
			kept chat.MessageID
			want chat.MessageID
		}{{store.NewRelays(ports.KV, "e8c2b540f515"), "7", "7"}, {relays, "9", "9"}, {store.NewRelays(ports.KV, "e8c2b540f515"), "8", "9"}} {
			if err := c.by.Keep(t.Context(), 0, chat.Shard{Owner: "a", Alive: time.Now(), Watermark: c.kept}); err != nil {
				t.Fatal(err)
			}
			if s, err := relays.Shard(t.Context(), 0); err != nil || s.Watermark != c.want {
				t.Errorf("after %s it is %+v, %v", c.kept, s, err)
			}
		}
	})
}
