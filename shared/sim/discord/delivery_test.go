package discord_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// direct is a world without a network, fit for a bubble.
func direct(t *testing.T, o simdiscord.Options) *world {
	sim := simdiscord.New(discordtest.Watch(t, o))
	return &world{sim, t, "http://127.0.0.1", &http.Client{Transport: sim.Direct()}}
}

const enforced = `{"content":"%s","nonce":"turn1","enforce_nonce":true}`

// TestNonce is what a retry can count on, and what not.
func TestNonce(t *testing.T) {
	for name, c := range map[string]struct {
		between func(t *testing.T, w *world, channel, first string)
		body    string
		status  int
		same    bool
	}{
		"at once":                   {body: enforced, status: 200, same: true},
		"after two minutes":         {between: func(*testing.T, *world, string, string) { time.Sleep(2 * time.Minute) }, body: enforced, status: 200, same: true},
		"after the window":          {between: func(*testing.T, *world, string, string) { time.Sleep(4 * time.Minute) }, body: enforced, status: 200},
		"nonce without enforcement": {body: `{"content":"%s","nonce":"turn1"}`, status: 200},
		"another nonce":             {body: `{"content":"%s","nonce":"turn2","enforce_nonce":true}`, status: 200},
		"deleted meanwhile": {between: func(t *testing.T, w *world, channel, first string) {
			if err := w.Delete(channel, first); err != nil {
				t.Error(err)
			}
		}, body: enforced, status: 404},
		"edited meanwhile": {between: func(_ *testing.T, w *world, channel, first string) {
			w.rest("PATCH", messages(channel)+"/"+first, `{"content":"edited"}`)
		}, body: enforced, status: 200, same: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := direct(t, simdiscord.Options{})
				lounge := w.State().Lounge
				first := w.rest("POST", messages(lounge), fmt.Sprintf(enforced, "one")).id()
				if c.between != nil {
					c.between(t, w, lounge, first)
				}
				before := len(w.AllMessages(lounge))
				again := w.rest("POST", messages(lounge), fmt.Sprintf(c.body, "two"))
				if again.status != c.status {
					t.Fatalf("status %d %s", again.status, again.text)
				}
				if c.status == 404 && again.field("code") != "10008" {
					t.Errorf("code %s", again.text)
				}
				made := len(w.AllMessages(lounge)) - before
				if same := again.id() == first; c.status == 200 && (same != c.same || made == 1 == c.same) {
					t.Errorf("same message %v, want %v; %d made", same, c.same, made)
				}
				if hall := w.rest("POST", messages(w.State().Hall), fmt.Sprintf(enforced, "there")); hall.id() == first {
					t.Error("a nonce reached into another channel")
				}
			})
		})
	}
}

func (a answer) number(t *testing.T, header string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(a.header.Get(header), 64)
	if err != nil {
		t.Fatalf("header %s: %v in %v", header, err, a.header)
	}
	return n
}

// TestBuckets: five creates in five seconds a channel, edits counted apart, and headers that tell.
func TestBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{})
		st := w.State()
		var a answer
		for i := range 5 {
			a = w.rest("POST", messages(st.Lounge), `{"content":"x"}`)
			if a.status != 200 || a.number(t, "X-RateLimit-Remaining") != float64(4-i) || a.number(t, "X-RateLimit-Limit") != 5 {
				t.Fatalf("create %d: %d %v", i, a.status, a.header)
			}
			time.Sleep(time.Second / 2)
		}
		if after := a.number(t, "X-RateLimit-Reset-After"); after != 3 {
			t.Errorf("reset after %v, want 3", after)
		}
		edit := w.rest("PATCH", messages(st.Lounge)+"/"+a.id(), `{"content":"y"}`)
		if edit.status != 200 || edit.header.Get("X-RateLimit-Bucket") != a.header.Get("X-RateLimit-Bucket") || edit.number(t, "X-RateLimit-Remaining") != 4 {
			t.Errorf("edit %d %v", edit.status, edit.header)
		}
		if other := w.rest("POST", messages(st.Hall), `{"content":"x"}`); other.status != 200 {
			t.Errorf("another channel: %d", other.status)
		}
		over := w.rest("POST", messages(st.Lounge), `{"content":"x"}`)
		if over.status != 429 || over.field("retry_after") != "2.5" || over.field("global") != "false" ||
			over.header.Get("Retry-After") != "3" || over.header.Get("X-RateLimit-Scope") != "user" {
			t.Fatalf("sixth: %d %s %v", over.status, over.text, over.header)
		}
		time.Sleep(2500 * time.Millisecond)
		if a := w.rest("POST", messages(st.Lounge), `{"content":"x"}`); a.status != 200 {
			t.Errorf("after the wait: %d", a.status)
		}
	})
}

// TestGlobalLimit: fifty calls a second over all routes.
func TestGlobalLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{})
		st := w.State()
		paths := []string{"/gateway", "/users/@me", "/guilds/" + st.Guild.ID}
		for i := range 50 {
			if a := w.rest("GET", paths[i%3], ""); a.status != 200 {
				t.Fatalf("call %d: %d", i, a.status)
			}
		}
		a := w.rest("GET", "/channels/"+st.Hall, "")
		if a.status != 429 || a.field("global") != "true" || a.header.Get("X-RateLimit-Global") != "true" || a.header.Get("X-RateLimit-Scope") != "global" {
			t.Fatalf("call 51: %d %s %v", a.status, a.text, a.header)
		}
		time.Sleep(time.Second)
		if a := w.rest("GET", "/channels/"+st.Hall, ""); a.status != 200 {
			t.Errorf("a second later: %d", a.status)
		}
	})
}

// TestNoLimits: a bench is never refused, and still sees headers.
func TestNoLimits(t *testing.T) {
	w := direct(t, simdiscord.Options{NoLimits: true})
	for range 100 {
		a := w.rest("POST", messages(w.State().Lounge), `{"content":"x"}`)
		if a.status != 200 || a.number(t, "X-RateLimit-Remaining") != 4 {
			t.Fatalf("%d %v", a.status, a.header)
		}
	}
}

// TestMentions asserts who was notified, create and edit alike.
func TestMentions(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	ana, ben, crew := st.User("ana"), st.User("ben"), st.Roles[1].ID
	text := fmt.Sprintf("<@%s> <@!%s> <@&%s> @everyone", ana, ben, crew)
	for name, c := range map[string]struct {
		content, allow string
		reply          bool
		want           []string
	}{
		"absent parses everything":   {content: text, want: []string{ana, ben, crew, "everyone"}},
		"absent pings the replied":   {content: "hi", reply: true, want: []string{ana}},
		"empty parse":                {content: text, reply: true, allow: `{"parse":[]}`},
		"only users":                 {content: text, allow: `{"parse":["users"]}`, want: []string{ana, ben}},
		"one user":                   {content: text, allow: `{"parse":[],"users":["` + ben + `"]}`, want: []string{ben}},
		"one role":                   {content: text, allow: `{"roles":["` + crew + `"]}`, want: []string{crew}},
		"replied user":               {content: "hi", reply: true, allow: `{"parse":[],"replied_user":true}`, want: []string{ana}},
		"here":                       {content: "@here", want: []string{"here"}},
		"in a code span":             {content: "`@everyone <@" + ana + ">` and ```\n@here\n```"},
		"nobody of this id":          {content: "<@4>"},
		"zero width in between":      {content: "@\u200beveryone"},
		"unclosed span still counts": {content: "` @everyone", want: []string{"everyone"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{w.Server, t, w.url, w.http}
			question := w.Say("lounge", "ana", "question")
			allow := ""
			if c.allow != "" {
				allow = `,"allowed_mentions":` + c.allow
			}
			reference := ""
			if c.reply {
				reference = `,"message_reference":{"message_id":"` + question.ID + `"}`
			}
			id := w.rest("POST", messages(st.Lounge), `{"content":`+quoted(c.content)+allow+reference+`}`).id()
			quiet := w.rest("POST", messages(st.Lounge), `{"content":"…","allowed_mentions":{"parse":[]}`+reference+`}`).id()
			w.rest("PATCH", messages(st.Lounge)+"/"+quiet, `{"content":`+quoted(c.content)+allow+`}`)
			for _, m := range w.Messages("lounge") {
				if m.ID != id && m.ID != quiet {
					continue
				}
				got := slices.Clone(m.Pinged)
				slices.Sort(got)
				slices.Sort(c.want)
				if !slices.Equal(got, c.want) {
					t.Errorf("pinged %v, want %v", got, c.want)
				}
				if everyone := slices.Contains(c.want, "everyone") || slices.Contains(c.want, "here"); m.MentionEveryone != everyone {
					t.Errorf("mention_everyone %v", m.MentionEveryone)
				}
			}
		})
	}
}

// TestFaults causes each accident of a call and looks at both sides.
func TestFaults(t *testing.T) {
	const create, one = "/channels/{channel_id}/messages", `{"content":"x"}`
	for name, c := range map[string]struct {
		fault   simdiscord.Fault
		status  int // 0: no answer
		made    int
		inspect func(*testing.T, answer)
	}{
		"lost after commit":      {fault: simdiscord.Fault{Kind: simdiscord.FaultLost}, made: 1},
		"refused before effect":  {fault: simdiscord.Fault{Kind: simdiscord.FaultRefused}},
		"502":                    {fault: simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 502}, status: 502},
		"another method":         {fault: simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 500, Method: "PATCH"}, status: 200, made: 1},
		"another channel":        {fault: simdiscord.Fault{Kind: simdiscord.FaultLost, Channel: "4"}, status: 200, made: 1},
		"the second call":        {fault: simdiscord.Fault{Kind: simdiscord.FaultLost, After: 1}, status: 200, made: 1},
		"slow":                   {fault: simdiscord.Fault{Kind: simdiscord.FaultSlow, DelayMS: 20}, status: 200, made: 1},
		"its own route":          {fault: simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 503, Method: "post", Route: create}, status: 503},
		"never with probability": {fault: simdiscord.Fault{Kind: simdiscord.FaultLost, Probability: 1e-9}, status: 200, made: 1},
		"429": {fault: simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 1.5}, status: 429, inspect: func(t *testing.T, a answer) {
			if a.header.Get("Retry-After") != "2" || a.field("retry_after") != "1.5" || a.header.Get("X-RateLimit-Scope") != "user" {
				t.Errorf("%s %v", a.text, a.header)
			}
		}},
		"429 global": {fault: simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 1, Global: true}, status: 429, inspect: func(t *testing.T, a answer) {
			if a.field("global") != "true" || a.header.Get("X-RateLimit-Global") != "true" || a.header.Get("X-RateLimit-Bucket") != "" {
				t.Errorf("%s %v", a.text, a.header)
			}
		}},
		"429 of a proxy": {fault: simdiscord.Fault{Kind: simdiscord.FaultRateLimit, Bare: true}, status: 429, inspect: func(t *testing.T, a answer) {
			if string(a.text) != "error code: 1015" || a.header.Get("Retry-After") != "" || a.header.Get("Via") != "" {
				t.Errorf("%s %v", a.text, a.header)
			}
		}},
	} {
		for kind, open := range map[string]func(*testing.T, simdiscord.Options) *world{"direct": direct, "network": func(t *testing.T, o simdiscord.Options) *world { return open(t, o) }} {
			t.Run(name+" "+kind, func(t *testing.T) {
				w := open(t, simdiscord.Options{})
				if err := w.Fault(c.fault); err != nil {
					t.Fatal(err)
				}
				r, _ := http.NewRequest("POST", w.url+"/api/v9"+messages(w.State().Lounge), strings.NewReader(one))
				r.Header.Set("Authorization", "Bot simulated")
				r.Header.Set("Content-Type", "application/json")
				r.GetBody = nil // net/http must not send it again by itself
				a := w.do(r)
				if a.status != c.status || (a.err != nil) != (c.status == 0) {
					t.Errorf("status %d, error %v", a.status, a.err)
				}
				if kind == "direct" && c.status == 0 && !errors.Is(a.err, io.ErrUnexpectedEOF) {
					t.Errorf("error %v", a.err)
				}
				if made := len(w.Messages("lounge")); made != c.made {
					t.Errorf("%d messages made, want %d", made, c.made)
				}
				if c.inspect != nil {
					c.inspect(t, a)
				}
				if calls := w.Calls(); len(calls) != 1 || calls[0].Route != create || string(calls[0].Body) != one {
					t.Errorf("calls %+v", calls)
				}
				w.ClearFaults()
				if again := w.rest("POST", messages(w.State().Lounge), one); again.status != 200 {
					t.Errorf("afterwards %d %s", again.status, again.text)
				}
			})
		}
	}
}

// TestIDsGrow: also under a clock that stands in the year 2000, and across the change to a real one.
func TestIDsGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{})
		var last int64
		for i := range 5000 {
			if i == 4000 {
				time.Sleep(26 * 365 * 24 * time.Hour)
			}
			n, err := strconv.ParseInt(w.Say("hall", "ana", "x").ID, 10, 64)
			if err != nil || n <= last {
				t.Fatalf("id %d after %d: %v", n, last, err)
			}
			last = n
		}
		if at := time.UnixMilli(last>>22 + 1420070400000); time.Since(at).Abs() > time.Second {
			t.Errorf("the id's time is %v, now is %v", at, time.Now())
		}
	})
	if a, b := direct(t, simdiscord.Options{}).State(), direct(t, simdiscord.Options{}).State(); a.Lounge != b.Lounge || a.Bot != b.Bot {
		t.Error("two servers differ in the ids that a bot stores")
	}
}
