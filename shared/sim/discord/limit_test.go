package discord_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// clocked runs a test on a world without a network under a fake clock.
func clocked(t *testing.T, o simdiscord.Options, test func(t *testing.T, w *world)) {
	if err := discordtest.Available(); err != nil { // its lazy parts must not be made inside the bubble
		t.Log(err)
	}
	synctest.Test(t, func(t *testing.T) { test(t, direct(t, o)) })
}

// limited fails unless a call was refused for that long, in Discord's own words.
func (a answer) limited(t *testing.T, wait, header, scope, message string) {
	t.Helper()
	if a.status != 429 || a.field("retry_after") != wait || a.header.Get("Retry-After") != header ||
		a.header.Get("X-RateLimit-Scope") != scope || a.field("message") != message || a.header.Get("Via") == "" {
		t.Errorf("%d %s %v, want a wait of %s of scope %s", a.status, a.text, a.header, wait, scope)
	}
}

const (
	beingLimited   = "You are being rate limited."
	sharedResource = "The resource is being rate limited."
)

// TestWebhookBucket: five in two seconds for each webhook; its edits have a budget of their own.
func TestWebhookBucket(t *testing.T) {
	clocked(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		lounge := w.State().Lounge
		h, other := w.hook(lounge, "Aki"), w.hook(lounge, "Beni")
		var a answer
		for i := range 5 {
			a = h.say("?wait=true", `{"content":"x"}`)
			if a.status != 200 || a.number(t, "X-RateLimit-Remaining") != float64(4-i) || a.number(t, "X-RateLimit-Limit") != 5 {
				t.Fatalf("%d: %d %v", i, a.status, a.header)
			}
			time.Sleep(100 * time.Millisecond)
		}
		h.say("?wait=true", `{"content":"x"}`).limited(t, "1.5", "2", "user", beingLimited)
		if b := other.say("?wait=true", `{"content":"x"}`); b.status != 200 || b.header.Get("X-RateLimit-Bucket") != a.header.Get("X-RateLimit-Bucket") {
			t.Errorf("another webhook of the channel: %d", b.status)
		}
		if b := w.rest("POST", messages(lounge), `{"content":"x"}`); b.status != 200 {
			t.Errorf("the bot itself: %d", b.status)
		}
		for i := range 5 {
			if e := h.call("PATCH", "/messages/"+a.id(), `{"content":"y"}`); e.status != 200 || e.header.Get("X-RateLimit-Bucket") == a.header.Get("X-RateLimit-Bucket") {
				t.Fatalf("edit %d: %d", i, e.status)
			}
		}
		if e := h.call("PATCH", "/messages/"+a.id(), `{"content":"y"}`); e.status != 429 {
			t.Errorf("sixth edit: %d", e.status)
		}
		time.Sleep(1500 * time.Millisecond)
		if a := h.say("?wait=true", `{"content":"x"}`); a.status != 200 {
			t.Errorf("after the wait: %d", a.status)
		}
	})
}

// TestHiddenLimitOfAChannel: all webhooks of a channel have thirty a minute together, and no header tells of it until the 429
// that does not count as an invalid request.
func TestHiddenLimitOfAChannel(t *testing.T) {
	clocked(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		st := w.State()
		hooks := []hooked{w.hook(st.Lounge, "Aki"), w.hook(st.Lounge, "Beni"), w.hook(st.Lounge, "Chiaki")}
		elsewhere := w.hook(st.Hall, "Daichi")
		for i := range 30 {
			if a := hooks[i%3].say("", `{"content":"x"}`); a.status != 204 || a.number(t, "X-RateLimit-Limit") != 5 || a.number(t, "X-RateLimit-Remaining") < 3 {
				t.Fatalf("%d: %d %v", i, a.status, a.header)
			}
			time.Sleep(600 * time.Millisecond)
		}
		a := hooks[0].say("", `{"content":"x"}`)
		a.limited(t, "42", "42", "shared", sharedResource)
		if a.field("global") != "false" || a.number(t, "X-RateLimit-Remaining") == 0 {
			t.Errorf("the bucket's own headers still promise calls: %s %v", a.text, a.header)
		}
		if w.Limits().Invalid != 0 {
			t.Errorf("a shared 429 counts as invalid: %+v", w.Limits())
		}
		if a := elsewhere.say("", `{"content":"x"}`); a.status != 204 {
			t.Errorf("another channel: %d", a.status)
		}
		if a := hooks[0].call("GET", "", ""); a.status != 200 {
			t.Errorf("another call: %d", a.status)
		}
		time.Sleep(42 * time.Second)
		if a := hooks[1].say("", `{"content":"x"}`); a.status != 204 {
			t.Errorf("after the wait: %d", a.status)
		}
	})
}

// TestReactionBucket: one in a quarter of a second a channel, adding and taking back together.
func TestReactionBucket(t *testing.T) {
	clocked(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		st := w.State()
		m := w.Say("lounge", "ana", "hello")
		if a := w.rest("PUT", at(st.Lounge, m.ID, "👍"), ""); a.status != 204 || a.number(t, "X-RateLimit-Limit") != 1 || a.number(t, "X-RateLimit-Reset-After") != 0.25 {
			t.Fatalf("%d %v", a.status, a.header)
		}
		w.rest("DELETE", at(st.Lounge, m.ID, "👍"), "").limited(t, "0.25", "1", "user", beingLimited)
		time.Sleep(250 * time.Millisecond)
		if a := w.rest("DELETE", at(st.Lounge, m.ID, "👍"), ""); a.status != 204 {
			t.Errorf("%d", a.status)
		}
	})
}

// TestWhoseGlobalLimit: a call without a bot token counts for its address and not for the bot, one of an interaction for nobody.
func TestWhoseGlobalLimit(t *testing.T) {
	clocked(t, simdiscord.Options{Limits: simdiscord.Limits{Global: 3}}, func(t *testing.T, w *world) {
		h := w.hook(w.State().Lounge, "Aki")
		for range 2 {
			w.rest("GET", "/users/@me", "")
		}
		w.rest("GET", "/users/@me", "").limited(t, "1", "1", "global", beingLimited)
		for i := range 3 {
			if a := h.call("GET", "", ""); a.status != 200 {
				t.Fatalf("without a token %d: %d", i, a.status)
			}
		}
		h.call("GET", "", "").limited(t, "1", "1", "global", beingLimited)
		h.id = w.State().Application.ID
		for range 4 {
			if a := h.call("GET", "/messages/@original", ""); a.status != 401 {
				t.Errorf("of an interaction: %d", a.status)
			}
		}
	})
}

// TestOwnNumbers: tests and benches set the numbers they need.
func TestOwnNumbers(t *testing.T) {
	limits := simdiscord.Limits{Budgets: map[string]simdiscord.Budget{"create": {Calls: 1, Per: time.Hour}}}
	clocked(t, simdiscord.Options{Limits: limits}, func(t *testing.T, w *world) {
		st := w.State()
		a := w.rest("POST", messages(st.Lounge), `{"content":"x"}`)
		if a.number(t, "X-RateLimit-Limit") != 1 || a.number(t, "X-RateLimit-Reset-After") != 3600 {
			t.Errorf("%v", a.header)
		}
		w.rest("POST", messages(st.Lounge), `{"content":"x"}`).limited(t, "3600", "3600", "user", beingLimited)
		if e := w.rest("PATCH", messages(st.Lounge)+"/"+a.id(), `{"content":"y"}`); e.status != 200 || e.number(t, "X-RateLimit-Limit") != 5 {
			t.Errorf("edits are another budget: %d %v", e.status, e.header)
		}
		v := w.sim("GET", "/limits", "")
		want := fmt.Sprintf(`{"budget":"create","route":"POST /channels/{channel_id}/messages","resource":%q,"used":1,"calls":1,"reset_after":3600}`, st.Lounge)
		if got := v.field("buckets.0"); got != want || v.field("global") != "3" || v.field("invalid") != "1" {
			t.Errorf("limits %s, want %s", v.text, want)
		}
	})
}

// TestInvalidRequests: 401, 403 and 429 count, a refusal of any other kind does not; too many within the window and Cloudflare
// answers in Discord's place, which has no JSON and no Via.
func TestInvalidRequests(t *testing.T) {
	limits := simdiscord.Limits{Invalid: 4, Global: 1000}
	clocked(t, simdiscord.Options{Limits: limits}, func(t *testing.T, w *world) {
		st := w.State()
		theirs := w.Say("lounge", "ana", "hello")
		stranger := func() answer {
			r, _ := http.NewRequest("GET", w.url+"/api/v10/users/@me", nil)
			r.Header.Set("Authorization", "Bot wrong")
			return w.do(r)
		}
		forbidden := func() answer { return w.rest("DELETE", messages(st.Lounge)+"/"+theirs.ID, "") }
		for range 3 {
			stranger()
		}
		w.rest("GET", messages(st.Lounge)+"/4", "")
		w.rest("POST", messages(st.Lounge), `{}`)
		if got := w.Limits().Invalid; got != 3 {
			t.Errorf("counted %d", got)
		}
		time.Sleep(10 * time.Minute) // the window is over
		for range 3 {
			if a := forbidden(); a.status != 403 {
				t.Fatalf("%d", a.status)
			}
		}
		if err := w.Fault(simdiscord.Fault{Kind: simdiscord.FaultRateLimit, Shared: true, RetryAfter: 1}); err != nil {
			t.Fatal(err)
		}
		if a := w.rest("GET", "/users/@me", ""); a.status != 429 {
			t.Fatalf("%d", a.status)
		}
		if a := w.rest("GET", "/users/@me", ""); a.status != 200 {
			t.Fatalf("three and a shared one are not four: %d", a.status)
		}
		if a := stranger(); a.status != 401 {
			t.Fatalf("the fourth is still answered: %d", a.status)
		}
		for _, path := range []string{"/users/@me", "/gateway", "/nothing"} {
			a := w.rest("GET", path, "")
			if a.status != 429 || string(a.text) != "error code: 1015" || a.header.Get("Via") != "" || a.header.Get("Content-Type") != "text/html" ||
				a.header.Get("X-RateLimit-Scope") != "" || a.header.Get("Retry-After") != "3600" {
				t.Errorf("%s while banned: %d %s %v", path, a.status, a.text, a.header)
			}
		}
		if w.Limits().Banned != 3600 {
			t.Errorf("%+v", w.Limits())
		}
		time.Sleep(time.Hour)
		if a := w.rest("GET", "/users/@me", ""); a.status != 200 {
			t.Errorf("after the ban: %d", a.status)
		}
	})
}
