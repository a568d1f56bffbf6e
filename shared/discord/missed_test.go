package discord_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
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

// history is a Discord whose first session was lost an hour ago: a gateway that gives each connection a new session, and the
// channels behind it.
type history struct {
	t      *testing.T
	create func() string // the GUILD_CREATE
	live   func(p *peer)
	hold   bool                         // the spool reports nothing done
	refuse func(call string, n int) int // the status of a call
	away   func() bool                  // the account cannot be read
	say    string                       // what a refused call says; "" for a channel that may not be read
	ahead  time.Duration                // of our clock
	kept   chat.MessageID               // the watermark, in place of an hour ago
	none   bool                         // nothing was kept

	mu       sync.Mutex
	messages map[string][]string // texts by channel, a second after each other, since the watermark
	calls    []string
	at       []time.Time
	began    time.Time
}

// mark is the watermark that the last process left.
func (h *history) mark() chat.MessageID { return chat.MessageID(chat.Snowflake(h.began)) }

func (h *history) id(i int) string {
	return chat.Snowflake(h.began.Add(time.Duration(i+1) * time.Second))
}

func (h *history) serve(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, "/api/v10")
	if path == "/applications/@me" {
		fmt.Fprint(w, `{"id":"8","flags":524288}`)
		return true
	}
	if path == "/users/@me" && h.away != nil && h.away() {
		http.Error(w, "away", http.StatusBadGateway)
		return true
	}
	parts := strings.Split(path, "/")
	if len(parts) < 4 || parts[1] != "channels" && parts[1] != "guilds" {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	call := parts[2] + " after " + r.URL.Query().Get("after")
	h.calls, h.at = append(h.calls, call), append(h.at, time.Now())
	if h.refuse != nil {
		if status := h.refuse(parts[2], len(h.calls)); status != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprint(w, cmp.Or(h.say, `{"code":50001,"message":"no","retry_after":30}`))
			return true
		}
	}
	if parts[1] == "guilds" {
		fmt.Fprintf(w, `{"threads":[{"id":"14","type":11,"last_message_id":%q}],"members":[]}`, h.id(0))
		return true
	}
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	page := []json.RawMessage{}
	for i, text := range h.messages[parts[2]] {
		if id, _ := strconv.ParseInt(h.id(i), 10, 64); id > after && len(page) < 100 {
			page = append(page, fmt.Appendf(nil, `{"id":"%d","channel_id":%q,"content":%q,"author":{"id":"5","username":"a","global_name":"Ana"}}`, id, parts[2], text))
		}
	}
	slices.Reverse(page) // as Discord gives them
	_ = json.NewEncoder(w).Encode(page)
	return true
}

// relive starts a relay that finds the watermark of an earlier one.
func (h *history) relive(test func(g *running, b *book)) {
	synctest.Test(h.t, func(t *testing.T) {
		present()
		h.began = time.Now().Add(-h.ahead - time.Hour)
		b := books(1)[0]
		direct := []chat.ChannelID{"77"}
		if !h.none {
			if err := b.Relays.Keep(t.Context(), 0, chat.Shard{Watermark: cmp.Or(h.kept, h.mark()), Direct: direct, Owner: "old", Of: 1}); err != nil {
				t.Fatal(err)
			}
		}
		var count atomic.Int32
		pipe := simdiscord.NewInproc()
		gateway := script(func(p *peer) {
			p.hello(41250)
			if p.op(2) == nil {
				return
			}
			p.event("READY", fmt.Sprintf(`{"session_id":"s%d","resume_gateway_url":"ws://%s","user":{"id":"9","username":"bot"},"guilds":[{"id":"1","unavailable":true}]}`, p.n, p.host))
			p.event("GUILD_CREATE", h.create())
			if h.live != nil {
				h.live(p)
			}
			p.beatUntilClosed()
		}).handler(&count)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(-h.ahead).UTC().Format(http.TimeFormat))
			if !h.serve(w, r) {
				gateway.ServeHTTP(w, r)
			}
		})}
		var served sync.WaitGroup
		served.Go(func() { _ = server.Serve(pipe) })
		transport := pipe.Transport()
		rest := discord.New(discord.Options{BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})
		g := prepared(t, &discord.Gateway{REST: rest, MessageContent: true, Dial: pipe.Dial, Relays: b}, nil)
		g.spool.keep = h.hold
		g.begin()
		<-g.ready
		test(g, b)
		g.end()
		transport.CloseIdleConnections()
		server.Close()
		pipe.Close()
		served.Wait()
	})
}

// sorted are the texts of the next n events by channel.
func (r *running) sorted(n int) map[chat.ChannelID]string {
	out := map[chat.ChannelID]string{}
	for range n {
		e := r.next()
		out[e.Channel] += e.Text + " "
	}
	return out
}

// guild describes text channels by their last messages; threads, if not empty, is the rest of the payload.
func (h *history) guild(threads string, channels ...string) func() string {
	return func() string {
		var list []string
		for _, ch := range channels {
			list = append(list, fmt.Sprintf(`{"id":%q,"type":0,"last_message_id":%q}`, ch, h.id(len(h.messages[ch])-1)))
		}
		return `{"id":"1","channels":[` + strings.Join(list, ",") + `]` + threads + `}`
	}
}

const noThreads = `,"threads":[]`

func TestWhatWasMissedIsRead(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a", "b"}, "12": {"quiet"}, "13": {"c"}, "14": {"post"}, "77": {"d", "e"}}}
	h.create = func() string {
		return fmt.Sprintf(`{"id":"1","channels":[{"id":"10","type":4},{"id":"11","type":0,"last_message_id":%q},{"id":"12","type":0,"last_message_id":%q},
			{"id":"15","type":15,"last_message_id":%q},{"id":"16","type":0,"last_message_id":null},{"id":"x","last_message_id":7}],
			"threads":[{"id":"14","type":11,"last_message_id":%q},{"id":"13","type":12,"last_message_id":%q}]}`,
			h.id(1), chat.Snowflake(h.began.Add(-time.Hour)), h.id(1), h.id(0), h.id(0))
	}
	h.relive(func(g *running, b *book) {
		want := map[chat.ChannelID]string{"11": "a b ", "13": "c ", "14": "post ", "77": "d e "}
		if got := g.sorted(6); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		g.none("after what was missed")
		for i, c := range h.calls {
			if !slices.Contains([]string{"11", "13", "14", "77"}, c[:2]) {
				t.Errorf("read %s: nothing is new there", c)
			}
			if i > 0 && h.at[i].Sub(h.at[i-1]) < 200*time.Millisecond {
				t.Errorf("call %d came %v after the one before", i, h.at[i].Sub(h.at[i-1]))
			}
		}
		later(2 * time.Second)
		if s := b.kept(t); s.Session.ID != "s1" {
			t.Errorf("kept %+v", s)
		}
	})
}

// What was missed is measured by Discord's clock: ours may be a day off.
func TestWhatWasMissedUnderAWrongClock(t *testing.T) {
	for _, ahead := range []time.Duration{-36 * time.Hour, -10 * time.Minute, time.Minute, 25 * time.Hour, 400 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			h := &history{t: t, ahead: ahead, messages: map[string][]string{"11": {"a", "b"}, "77": {"c"}}}
			h.create = h.guild(noThreads, "11")
			h.live = func(p *peer) {
				p.event("MESSAGE_CREATE", fmt.Sprintf(`{"id":%q,"channel_id":"12","content":"live","author":{"id":"5","username":"ana"}}`, h.id(3599)))
			}
			h.relive(func(g *running, b *book) {
				if got, want := fmt.Sprint(g.sorted(4)), fmt.Sprint(map[chat.ChannelID]string{"11": "a b ", "12": "live ", "77": "c "}); got != want {
					t.Errorf("got %v, want %v", got, want)
				}
				later(2 * time.Second)
				if s := b.kept(t); s.Watermark != chat.MessageID(h.id(3599)) {
					t.Errorf("kept %+v", s)
				}
			})
		})
	}
}

// The first watermark of all is of Discord's clock too.
func TestFirstWatermarkUnderAWrongClock(t *testing.T) {
	for _, ahead := range []time.Duration{-36 * time.Hour, 0, 25 * time.Hour} {
		h := &history{t: t, ahead: ahead, none: true}
		h.create = h.guild(noThreads)
		h.relive(func(_ *running, b *book) {
			later(2 * time.Second)
			at, _ := chat.SnowflakeTime(string(b.kept(t).Watermark))
			if d := time.Now().Add(-ahead).Sub(at); d < time.Minute || d > 2*time.Minute {
				t.Errorf("with a clock %s ahead the watermark is %s before now", ahead, d)
			}
		})
	}
}

// A watermark that a clock of ours has left in the future says that a day is to be read, and gives way to the first message.
func TestWatermarkOfTheFutureIsReplaced(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a", "b"}}, kept: chat.MessageID(chat.Snowflake(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)))}
	h.create = h.guild(noThreads, "11")
	h.live = func(p *peer) {
		p.event("MESSAGE_CREATE", fmt.Sprintf(`{"id":%q,"channel_id":"12","content":"live","author":{"id":"5","username":"ana"}}`, h.id(3599)))
	}
	h.relive(func(g *running, b *book) {
		if got, want := fmt.Sprint(g.sorted(3)), fmt.Sprint(map[chat.ChannelID]string{"11": "a b ", "12": "live "}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		later(2 * time.Second)
		if s := b.kept(t); s.Watermark != chat.MessageID(h.id(3599)) {
			t.Errorf("kept %+v", s)
		}
	})
}

// Messages that are read name neither guild nor member.
func TestWhatWasMissedLooksLikeNews(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}, "77": {"b"}}}
	h.create = h.guild(noThreads, "11")
	h.relive(func(g *running, _ *book) {
		for range 2 {
			e := g.next()
			guild := map[chat.ChannelID]string{"11": "1", "77": ""}[e.Channel]
			if e.What != chat.Said || e.Guild != guild || e.DM != (guild == "") || e.Author.Name != "Ana" || e.ID != chat.EventID(h.id(0)) || e.Withheld {
				t.Errorf("got %+v", e)
			}
		}
	})
}

func TestMissedMessagesAreReadByPages(t *testing.T) {
	var want []string
	for i := range 250 {
		want = append(want, fmt.Sprint(i))
	}
	h := &history{t: t, messages: map[string][]string{"11": want}}
	h.create = h.guild(noThreads, "11")
	h.relive(func(g *running, _ *book) {
		if got := g.texts(250); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
		later(time.Minute)
		if n := len(h.calls); n != 4 { // three pages, and the direct channel
			t.Errorf("%d calls: %v", n, h.calls)
		}
	})
}

func TestTooMuchWasMissed(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": make([]string, 2500)}}
	h.create = h.guild(noThreads, "11")
	h.relive(func(g *running, b *book) {
		g.texts(2000)
		later(time.Minute)
		g.none("beyond the bound")
		if s := b.kept(t); s.Session.ID != "s1" {
			t.Errorf("the catch-up did not end: %+v", s)
		}
	})
}

// Live events of a channel wait behind what is read from it; those of others do not. What both bring comes once.
func TestNewsWaitBehindWhatWasMissed(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a", "b", "both"}}}
	h.create = h.guild(noThreads, "11")
	h.live = func(p *peer) {
		say := func(ch, id, text string) {
			p.event("MESSAGE_CREATE", fmt.Sprintf(`{"id":%q,"channel_id":%q,"guild_id":"1","content":%q,"author":{"id":"5","username":"ana"}}`, id, ch, text))
		}
		say("12", h.id(1000), "elsewhere")
		say("11", h.id(2), "both")
		say("11", h.id(1001), "c")
		p.event("MESSAGE_UPDATE", fmt.Sprintf(`{"id":%q,"channel_id":"11","guild_id":"1","content":"a2","edited_timestamp":"2026-11-30T12:00:00Z","author":{"id":"5"}}`, h.id(0)))
	}
	first := true
	h.refuse = func(string, int) int {
		if first {
			first = false
			return http.StatusInternalServerError
		}
		return 0
	}
	h.relive(func(g *running, b *book) {
		if got := g.texts(6); !slices.Equal(got, []string{"elsewhere", "a", "b", "both", "c", "a2"}) {
			t.Errorf("got %v", got)
		}
		later(time.Minute)
		g.none("twice")
		if s := b.kept(t); s.Session.Seq != 6 || string(s.Watermark) != h.id(1001) {
			t.Errorf("kept %+v", s)
		}
	})
}

func TestReadingWhatWasMissedGivesWay(t *testing.T) {
	for name, c := range map[string]struct {
		refuse func(ch string, n int) int
		want   map[chat.ChannelID]string
		calls  int // at most 65 more where tries are many and their pauses drawn
		after  time.Duration
	}{
		"no permission":         {func(ch string, _ int) int { return map[string]int{"11": 403}[ch] }, map[chat.ChannelID]string{"12": "b "}, 3, 0},
		"gone":                  {func(ch string, _ int) int { return map[string]int{"11": 404}[ch] }, map[chat.ChannelID]string{"12": "b "}, 3, 0},
		"Discord asks to wait":  {func(_ string, n int) int { return map[bool]int{true: 429}[n <= 3] }, map[chat.ChannelID]string{"11": "a ", "12": "b "}, 6, 29 * time.Second},
		"Discord is ill":        {func(_ string, n int) int { return map[bool]int{true: 502}[n < 6] }, map[chat.ChannelID]string{"11": "a ", "12": "b "}, 8, time.Second},
		"a channel never works": {func(ch string, _ int) int { return map[string]int{"11": 500}[ch] }, map[chat.ChannelID]string{"12": "b "}, 65, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := &history{t: t, messages: map[string][]string{"11": {"a"}, "12": {"b"}}, refuse: c.refuse}
			h.create = h.guild(noThreads, "11", "12")
			h.relive(func(g *running, b *book) {
				began := time.Now()
				if got := g.sorted(len(c.want)); fmt.Sprint(got) != fmt.Sprint(c.want) {
					t.Errorf("got %v", got)
				}
				if time.Since(began) < c.after {
					t.Errorf("after %v", time.Since(began))
				}
				later(2 * time.Hour)
				if n := len(h.calls); n < c.calls || n > c.calls && c.calls < 60 || n > c.calls+65 {
					t.Errorf("%d calls: %v", n, h.calls)
				}
				if s := b.kept(t); s.Session.ID != "s1" {
					t.Errorf("the catch-up did not end: %+v", s)
				}
			})
		})
	}
}

// A process that ends in the middle leaves everything as it found it, and the next one reads it all again.
func TestAnUnfinishedCatchUpIsRepeated(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}, "12": {"b"}}}
	h.create = h.guild(noThreads, "11", "12")
	h.refuse = func(ch string, _ int) int { return map[string]int{"12": 500}[ch] }
	h.relive(func(g *running, b *book) {
		g.texts(1)
		later(time.Minute)
		if s := b.kept(t); s.Session.ID != "" || s.Watermark != h.mark() {
			t.Errorf("kept %+v", s)
		}
		g.end()
		if s := b.kept(t); s.Session.ID != "" || s.Watermark != h.mark() || !s.Alive.IsZero() {
			t.Errorf("left %+v", s)
		}
	})
}

// What is read is not on the queue before the queue says so.
func TestTheCatchUpWaitsForTheQueue(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}}}
	h.create = h.guild(noThreads, "11")
	h.hold = true
	h.relive(func(g *running, b *book) {
		g.texts(1)
		later(5 * time.Minute)
		if s := b.kept(t); s.Session.ID != "" || s.Watermark != h.mark() {
			t.Errorf("kept %+v", s)
		}
		g.spool.release()
		later(2 * time.Second)
		if s := b.kept(t); s.Session.ID != "s1" {
			t.Errorf("kept %+v", s)
		}
	})
}

func TestThreadsAreAskedForWhereTheGuildDoesNotTell(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}, "14": {"post"}}}
	h.create = h.guild("", "11")
	h.relive(func(g *running, _ *book) {
		want := map[chat.ChannelID]string{"11": "a ", "14": "post "}
		if got := g.sorted(2); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v", got)
		}
	})
}

// Discord describes a guild that had an outage later, and one that was joined since too.
func TestOnlyGuildsOfTheBeginningMissedSomething(t *testing.T) {
	h := &history{t: t, messages: map[string][]string{"11": {"a"}, "21": {"strange"}}}
	h.create = func() string { return `{"id":"1","unavailable":true}` }
	h.live = func(p *peer) {
		p.event("GUILD_CREATE", strings.Replace(h.guild(noThreads, "21")(), `"id":"1"`, `"id":"2"`, 1))
		for beats := 1; p.op(1) != nil; beats++ {
			p.write(`{"op":11}`)
			if beats == 4 {
				p.event("GUILD_CREATE", h.guild(noThreads, "11")())
			}
		}
	}
	h.relive(func(g *running, b *book) {
		later(40 * time.Second)
		if s := b.kept(t); s.Session.ID != "s1" {
			t.Errorf("one guild's outage holds all up: %+v", s)
		}
		if got := g.texts(1); got[0] != "a" {
			t.Errorf("got %v", got)
		}
		g.none("of a guild that was joined")
	})
}
