package discord_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// front is a gateway that a test writes down, reached through pipes, with what GET /gateway/bot says of it.
type front struct {
	t    *testing.T
	pipe *simdiscord.Inproc
	rest *discord.Client

	codes chan int                                      // with which the client closed
	serve func(http.ResponseWriter, *http.Request) bool // the rest of Discord; may be nil

	mu         sync.Mutex
	shards     int
	concurrent int
	remaining  int
	reset      time.Duration
	asked      int
	identifies []identify
	resumes    int
}

type identify struct {
	at    time.Time
	shard [2]int
}

// gate runs a test in a bubble. s is called with each connection after HELLO, IDENTIFY or RESUME; fresh tells which.
func gate(t *testing.T, s func(f *front, p *peer, fresh bool, shard int), test func(t *testing.T, f *front)) {
	synctest.Test(t, func(t *testing.T) {
		present()
		f := &front{t: t, pipe: simdiscord.NewInproc(), codes: make(chan int, 10), shards: 1, concurrent: 1, remaining: 1000}
		var count atomic.Int32
		gateway := script(func(p *peer) {
			p.hello(41250)
			fresh, shard, ok := f.introduced(p)
			if ok {
				s(f, p, fresh, shard)
			}
		}).handler(&count)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if f.serve != nil && f.serve(w, r) {
				return
			}
			if !strings.HasSuffix(r.URL.Path, "/gateway/bot") {
				gateway.ServeHTTP(w, r)
				return
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			f.asked++
			fmt.Fprintf(w, `{"url":"ws://%s","shards":%d,"session_start_limit":{"total":1000,"remaining":%d,"reset_after":%d,"max_concurrency":%d}}`,
				r.Host, f.shards, f.remaining, f.reset.Milliseconds(), f.concurrent)
		})}
		var served sync.WaitGroup
		served.Go(func() { _ = server.Serve(f.pipe) })
		transport := f.pipe.Transport()
		f.rest = discord.New(discord.Options{BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})
		test(t, f)
		transport.CloseIdleConnections()
		server.Close()
		f.pipe.Close()
		served.Wait()
	})
}

// introduced reads how the client begins.
func (f *front) introduced(p *peer) (fresh bool, shard int, ok bool) {
	for {
		var m struct {
			Op int `json:"op"`
			D  struct {
				Shard   *[2]int `json:"shard"`
				Seq     int     `json:"seq"`
				Session string  `json:"session_id"`
			} `json:"d"`
		}
		var raw json.RawMessage
		if p.ws.ReadJSON(&raw) != nil {
			return false, 0, false
		}
		if _ = json.Unmarshal(raw, &m); m.Op != 2 && m.Op != 6 {
			continue
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if m.Op == 6 {
			f.resumes++
			p.seq = m.D.Seq
			return false, 0, true
		}
		one := identify{at: time.Now(), shard: [2]int{0, 1}}
		if m.D.Shard != nil {
			one.shard = *m.D.Shard
		}
		f.identifies = append(f.identifies, one)
		return true, one.shard[0], true
	}
}

func (f *front) started() []identify {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.identifies)
}

// session gives a new session its READY, and a resumed one its RESUMED.
func (p *peer) session(fresh bool) {
	if fresh {
		p.readyAt("/")
	} else {
		p.event("RESUMED", "{}")
	}
}

func (p *peer) close(code int) {
	_ = p.ws.WriteControl(8, []byte{byte(code >> 8), byte(code)}, time.Now().Add(time.Second))
	p.code()
}

// A bad day of the worst kind: Discord ends every session, soon or at once, and somebody starts the process again each hour.
func TestABadDayStaysUnderTheLimit(t *testing.T) {
	for name, life := range map[string]time.Duration{"at once": 0, "after a minute": time.Minute, "after eleven minutes": 11 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			gate(t, func(_ *front, p *peer, fresh bool, _ int) {
				p.session(fresh)
				_ = p.ws.SetReadDeadline(time.Now().Add(life))
				p.beatUntilClosed()
				p.write(`{"op":9,"d":false}`)
			}, func(t *testing.T, f *front) {
				f.shards = 2
				b := books(24)
				for hour := range 24 {
					g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial, Relays: b[hour], Owner: fmt.Sprint(hour)}, nil)
					later(time.Hour)
					if err := g.end(); err != nil {
						t.Fatal(err)
					}
				}
				all := f.started()
				if len(all) < 48 {
					t.Errorf("%d sessions", len(all))
				}
				for i := chat.SessionsDaily; i < len(all); i++ { // the restarts take a moment more than a day
					if d := all[i].at.Sub(all[i-chat.SessionsDaily].at); d < 24*time.Hour-time.Second {
						t.Errorf("%d sessions in %v", chat.SessionsDaily+1, d)
					}
				}
			})
		})
	}
}

// Without restarts, sessions that die young are started rarely enough that the count never has to stop them.
func TestYoungSessionsSlowDown(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, _ int) {
		p.session(fresh)
		p.write(`{"op":9,"d":false}`)
		p.code()
	}, func(t *testing.T, f *front) {
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		later(24 * time.Hour)
		g.end()
		all := f.started()
		if len(all) >= chat.SessionsDaily || len(all) < 250 {
			t.Errorf("%d sessions in a day", len(all))
		}
		for i, one := range all[1:] {
			if wait := one.at.Sub(all[i].at); wait < 5*time.Second || wait > 6*time.Minute {
				t.Errorf("session %d came %v after the one before", i+1, wait)
			}
		}
	})
}

// max_concurrency is for each five seconds, shard by shard modulo it.
func TestShardsStartInTurn(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, _ int) {
		p.session(fresh)
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		f.shards, f.concurrent = 6, 2
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		<-g.ready
		last := map[int]time.Time{}
		seen := map[int]bool{}
		for _, one := range f.started() {
			bucket := one.shard[0] % 2
			if wait := one.at.Sub(last[bucket]); wait < 5*time.Second {
				t.Errorf("shard %d came %v after another of its bucket", one.shard[0], wait)
			}
			last[bucket], seen[one.shard[0]] = one.at, true
			if one.shard[1] != 6 {
				t.Errorf("shard of %d", one.shard[1])
			}
		}
		if len(seen) != 6 || len(g.ready) != 0 {
			t.Errorf("started %v, %d times ready too often", seen, len(g.ready))
		}
		g.end()
	})
}

func TestDiscordAllowsNoSessionToday(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, _ int) {
		p.session(fresh)
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		f.remaining, f.reset = 0, 3*time.Hour
		began := time.Now()
		g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
		<-g.ready
		if d := time.Since(began); d < 3*time.Hour {
			t.Errorf("started after %v", d)
		}
		g.end()
	})
}

// Bad token and missing intent are seen where it costs nothing, and nobody knocks again.
func TestAFreeLookBeforeASession(t *testing.T) {
	for name, o := range map[string]simdiscord.Options{"token": {Token: "another"}, "intent": {}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, o, func(t *testing.T, w *world) {
				g := w.process(t, books(1)[0], "a")
				var fatal *discord.Fatal
				if err := g.wait(); !errors.As(err, &fatal) || fatal.Fix == "" || fatal.Intent != (name == "intent") {
					t.Fatalf("ended with %v", err)
				}
				calls := len(w.Calls())
				later(time.Hour)
				if s := w.State().Gateway; s.Identifies != 0 || s.Connections != 0 || len(w.Calls()) != calls {
					t.Errorf("%+v, %d calls", s, len(w.Calls())-calls)
				}
			})
		})
	}
}

func TestShardsAreDiscordsNumber(t *testing.T) {
	o := contentOn()
	o.Shards = 3
	bubble(t, o, func(t *testing.T, w *world) {
		g := w.process(t, books(1)[0], "a")
		<-g.ready
		if s := w.State().Gateway; s.Identifies != 3 || s.Connections != 3 {
			t.Errorf("%+v", s)
		}
		w.Say("lounge", "ana", "guild")
		g.texts(1)
		g.none("a second time")
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultDrop})
		<-g.lost
		<-g.ready
		if s := w.State().Gateway; s.Identifies != 3 || s.Resumes != 3 {
			t.Errorf("%+v", s)
		}
		if err := g.end(); err != nil {
			t.Error(err)
		}
	})
}

// 4011 asks again; when Discord does not know better either, it is the end.
func TestTooFewShards(t *testing.T) {
	for name, grows := range map[string]bool{"Discord has a better number": true, "Discord has none": false} {
		t.Run(name, func(t *testing.T) {
			gate(t, func(f *front, p *peer, fresh bool, _ int) {
				f.mu.Lock()
				enough := f.identifies[len(f.identifies)-1].shard[1] >= 3
				if grows {
					f.shards = 3
				}
				f.mu.Unlock()
				if !enough {
					p.close(4011)
					return
				}
				p.session(fresh)
				p.beatUntilClosed()
			}, func(t *testing.T, f *front) {
				g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil)
				if grows {
					<-g.ready
					if all := f.started(); len(all) != 4 {
						t.Errorf("%v", all)
					}
					g.end()
					return
				}
				var fatal *discord.Fatal
				if err := g.wait(); !errors.As(err, &fatal) || fatal.Code != 4011 || len(f.started()) != 1 {
					t.Errorf("ended with %v after %d sessions", err, len(f.started()))
				}
			})
		})
	}
}

// A number that grows whenever it is used, and is refused each time, does not cost a day's sessions.
func TestNoNumberOfShardsIsEnough(t *testing.T) {
	gate(t, func(f *front, p *peer, _ bool, _ int) {
		f.mu.Lock()
		f.shards++
		f.mu.Unlock()
		p.close(4011)
	}, func(t *testing.T, f *front) {
		var fatal *discord.Fatal
		if err := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil).wait(); !errors.As(err, &fatal) || fatal.Code != 4011 || fatal.Fix == "" {
			t.Errorf("ended with %v", err)
		}
		all := f.started()
		if len(all) != 4 {
			t.Errorf("%d sessions", len(all))
		}
		for i, one := range all[1:] {
			if d := one.at.Sub(all[i].at); d < 5*time.Second {
				t.Errorf("session %d came %v after the one before", i+1, d)
			}
		}
	})
}

// One shard that is refused ends them all.
func TestOneShardIsRefused(t *testing.T) {
	gate(t, func(_ *front, p *peer, fresh bool, shard int) {
		if shard == 1 {
			p.close(4013)
			return
		}
		p.session(fresh)
		p.beatUntilClosed()
	}, func(t *testing.T, f *front) {
		f.shards, f.concurrent = 2, 2
		var fatal *discord.Fatal
		if err := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial}, nil).wait(); !errors.As(err, &fatal) || fatal.Code != 4013 {
			t.Errorf("ended with %v", err)
		}
	})
}

// A process that ends after it kept only some shards under a new number of them, in the middle of the catch-up, leaves no
// shard the chance to begin later than what was put on the queue.
func TestAnUnfinishedChangeOfShardsLosesNothing(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	early, late := chat.MessageID(chat.Snowflake(now.Add(-time.Hour))), chat.MessageID(chat.Snowflake(now.Add(-10*time.Minute)))
	for name, c := range map[string]struct {
		kept []chat.Shard // of the shards from 0
		now  int          // number of shards
	}{
		"two become one":                    {[]chat.Shard{{Watermark: late, Of: 2}, {Watermark: early, Of: 2}}, 1},
		"two become one, of an old program": {[]chat.Shard{{Watermark: late, Session: chat.Session{ID: "x", Shards: 2}}, {Watermark: early}}, 1},
		"one became two, half of it kept":   {[]chat.Shard{{Watermark: early, Of: 2}}, 2},
		"three became two, half of it kept": {[]chat.Shard{{Watermark: early, Of: 2}, {Watermark: late, Of: 3}, {Watermark: early, Of: 3}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			gate(t, func(_ *front, p *peer, fresh bool, _ int) {
				p.event("READY", `{"session_id":"s","user":{"id":"9"},"guilds":[{"id":"1","unavailable":true}]}`)
				p.beatUntilClosed()
			}, func(t *testing.T, f *front) {
				b := books(1)[0]
				for i, s := range c.kept {
					s.Owner = "old"
					if err := b.Relays.Keep(t.Context(), i, s); err != nil {
						t.Fatal(err)
					}
				}
				f.mu.Lock()
				f.shards = c.now
				f.mu.Unlock()
				g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial, Relays: b, Owner: "local"}, nil)
				<-g.ready
				later(2 * time.Second) // killed here, this is what the next process finds
				for i := range c.now {
					s, err := b.Shard(context.Background(), i)
					if err != nil || s.Watermark != early || s.Of != c.now || s.Session.ID != "" {
						t.Errorf("shard %d: %+v, %v", i, s, err)
					}
				}
				g.end()
			})
		})
	}
}

// An id from the future, or one that is none, must not become the watermark: it would hide everything that is lost later.
func TestAMessageOfTheFutureMovesNoWatermark(t *testing.T) {
	for _, id := range []string{"9000000000000000000", "9999999999999999999", "99999999999999999999", "00000000000000000001",
		chat.Snowflake(time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC))} {
		t.Run(id, func(t *testing.T) {
			gate(t, func(_ *front, p *peer, fresh bool, _ int) {
				p.session(fresh)
				p.event("MESSAGE_CREATE", `{"id":"`+id+`","channel_id":"1","content":"x","author":{"id":"5","username":"ana"}}`)
				p.beatUntilClosed()
			}, func(t *testing.T, f *front) {
				b := books(1)[0]
				g := start(t, &discord.Gateway{REST: f.rest, Dial: f.pipe.Dial, Relays: b, Owner: "local"}, nil)
				<-g.ready
				later(time.Minute)
				at, ok := chat.SnowflakeTime(string(b.kept(t).Watermark))
				if !ok || at.After(time.Now()) {
					t.Errorf("kept %q of %v", b.kept(t).Watermark, at)
				}
				g.end()
			})
		})
	}
}
