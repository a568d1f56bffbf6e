package discord_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// told is a message that the gateway brings now.
func (h *history) told(ch string, n int, text string) string {
	return fmt.Sprintf(`{"id":%q,"channel_id":%q,"guild_id":"1","content":%q,"author":{"id":"5","username":"ana"}}`, h.id(n), ch, text)
}

// The gateway works and nothing can be read, for longer than any number of tries that was thought enough. While it lasts the
// watermark must not pass what was not read.
func TestAnOutageOfRESTLosesNothingThatWasMissed(t *testing.T) {
	for _, d := range []time.Duration{15 * time.Minute, 45 * time.Minute} {
		t.Run(d.String(), func(t *testing.T) {
			h := &history{t: t, messages: map[string][]string{"11": {"a"}, "77": {"dm"}}}
			h.create = h.guild(noThreads, "11")
			var once sync.Once
			var began time.Time
			h.refuse = func(string, int) int {
				once.Do(func() { began = time.Now() })
				if time.Since(began) < d {
					return 503
				}
				return 0
			}
			h.relive(func(g *running, b *book) {
				later(d - time.Minute)
				if s := b.kept(t); s.Watermark != h.mark() || s.Session.ID != "" {
					t.Errorf("kept %+v before anything was read", s)
				}
				g.texts(2)
				later(time.Minute)
				if s := b.kept(t); s.Session.ID != "s1" {
					t.Errorf("the catch-up did not end: %+v", s)
				}
			})
		})
	}
}

// The same where the account cannot be read either, for half a day: nobody can tell then whether a channel is at fault.
func TestAnOutageOfAllOfRESTIsNotCountedAgainstAChannel(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}}}
	h.create = h.guild(noThreads, "11")
	var ill atomic.Bool
	ill.Store(true)
	h.refuse = func(string, int) int {
		if ill.Load() {
			return 502
		}
		return 0
	}
	h.away = ill.Load
	h.relive(func(g *running, _ *book) {
		later(12 * time.Hour)
		g.none("while REST is away")
		ill.Store(false)
		g.texts(1)
	})
}

// A proxy, or a token that is being changed: a status without a code of Discord's own is about a moment, not a channel.
func TestAMomentOf4xxLosesNothingThatWasMissed(t *testing.T) {
	for _, status := range []int{401, 403, 404} {
		for _, say := range []string{`{"code":0,"message":"no"}`, `<html>no</html>`, `{"code":40333,"message":"internal network error"}`} {
			t.Run(fmt.Sprint(status, " ", say), func(t *testing.T) {
				h := &history{t: t, messages: map[string][]string{"11": {"a"}, "12": {"b"}, "13": {"c"}}, say: say}
				h.create = h.guild(noThreads, "11", "12", "13")
				h.refuse = func(_ string, n int) int {
					if n <= 4 {
						return status
					}
					return 0
				}
				h.relive(func(g *running, _ *book) { g.texts(3) })
			})
		}
	}
}

// One channel never works, and somebody talks there: the others are read before it is tried again.
func TestAFailingChannelDoesNotStarveTheOthers(t *testing.T) {
	for _, status := range []int{500, 429} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			h := &history{t: t, messages: map[string][]string{"11": {"a"}, "12": {"b"}, "13": {"c"}}}
			h.create = h.guild(noThreads, "11", "12", "13")
			h.refuse = func(ch string, _ int) int { return map[string]int{"11": status}[ch] }
			h.live = func(p *peer) {
				p.event("MESSAGE_CREATE", h.told("11", 5000, "live 11"))
				p.event("MESSAGE_CREATE", h.told("12", 5001, "live 12"))
			}
			h.relive(func(g *running, b *book) {
				began := time.Now()
				g.texts(3)
				if d := time.Since(began); d > 10*time.Second {
					t.Errorf("the others waited %v", d)
				}
				if e := g.next(); e.Text != "live 11" { // a 429 of one channel is bounded too
					t.Errorf("got %q", e.Text)
				}
				later(2 * time.Second)
				if s := b.kept(t); s.Session.ID != "s1" {
					t.Errorf("the catch-up did not end: %+v", s)
				}
			})
		})
	}
}

// A limit for all calls stops the catch-up altogether.
func TestAGlobalLimitStopsTheCatchUp(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}, "12": {"b"}}, say: `{"message":"no","retry_after":30,"global":true}`}
	h.create = h.guild(noThreads, "11", "12")
	h.refuse = func(_ string, n int) int { return map[int]int{1: 429}[n] }
	h.relive(func(g *running, _ *book) {
		g.texts(2)
		if d := h.at[1].Sub(h.at[0]); d < 30*time.Second {
			t.Errorf("called again after %v", d)
		}
	})
}

// Thousands of channels that may not be read must not bring the bot near Discord's limit of invalid requests, and the next
// session does not ask them again.
func TestForbiddenChannelsLeaveTheBotItsRequests(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"1": {"x"}}}
	var channels []string
	for i := range 700 {
		channels = append(channels, fmt.Sprint(100000+i))
		h.messages[channels[i]] = []string{"x"}
	}
	h.create = h.guild(noThreads, append(channels, "1")...)
	h.refuse = func(ch string, _ int) int { return map[bool]int{true: 403}[len(ch) == 6] }
	h.live = func(p *peer) {
		for beats := 1; p.n == 1 && p.op(1) != nil; beats++ {
			p.write(`{"op":11}`)
			if beats == 40 { // after 27 minutes
				p.write(`{"op":9,"d":false}`)
			}
		}
	}
	h.relive(func(g *running, b *book) {
		later(5 * time.Minute)
		if n := len(h.calls); n < 400 || n > 501 {
			t.Errorf("%d calls in five minutes", n)
		}
		if _, err := g.REST.Me(context.Background()); err != nil {
			t.Errorf("the bot itself: %v", err)
		}
		later(20 * time.Minute)
		g.texts(1)
		later(20 * time.Minute)
		asked := map[string]int{}
		for _, c := range h.calls {
			asked[strings.Fields(c)[0]]++
		}
		for _, ch := range channels {
			if asked[ch] != 1 {
				t.Fatalf("channel %s was asked %d times", ch, asked[ch])
			}
		}
	})
}

// A session is lost while events wait behind a room. The next one reads that room at once, while its guild is described: it
// is read once, from one place to the end. Under -race this is also the test of who may touch a room.
func TestARoomThatIsBeingReadIsNotBegunAgain(t *testing.T) {
	for range 10 {
		h := &history{t: t, messages: map[string][]string{"11": make([]string, 300)}}
		for i := range h.messages["11"] {
			h.messages["11"][i] = fmt.Sprint(i)
		}
		var sessions atomic.Int32
		h.create = func() string {
			if sessions.Add(1) > 1 {
				later(20 * time.Millisecond)
			}
			return h.guild(noThreads, "11")()
		}
		h.refuse = func(string, int) int {
			if sessions.Load() < 2 {
				return 500
			}
			later(20 * time.Millisecond)
			return 0
		}
		h.live = func(p *peer) {
			p.event("MESSAGE_CREATE", h.told("11", 5000+p.n, "live"))
			if p.n == 1 {
				later(5 * time.Second)
				p.write(`{"op":9,"d":false}`)
			}
		}
		h.relive(func(g *running, _ *book) {
			later(5 * time.Minute)
			if n := len(g.events); n != 302 {
				t.Errorf("%d events", n)
			}
		})
	}
}
