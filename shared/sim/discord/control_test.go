package discord_test

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestControl walks through the control API as a test of the product does.
func TestControl(t *testing.T) {
	w := open(t, simdiscord.Options{Persona: "Mira", Notice: "demo voice"})
	st := w.sim("GET", "/state", "")
	if st.field("bot.name") != "Mira" || st.field("notice") != "demo voice" || st.field("users.0.name") != "ana" || st.field("hall") == "" {
		t.Fatalf("state %s", st.text)
	}
	said := w.sim("POST", "/channels/hall/messages", `{"author":"BEN","content":"@mira and @Miranda, @clockwork","stickers":["wave"],
		"attachments":[{"filename":"a.txt","size":3}]}`)
	want := "<@" + st.field("bot.id") + "> and @Miranda, <@" + w.State().User("clockwork") + ">"
	if said.status != 200 || said.field("content") != want || said.field("sticker_items.0.name") != "wave" || said.field("attachments.0.filename") != "a.txt" {
		t.Fatalf("said %d %s", said.status, said.text)
	}
	at := "/channels/" + st.field("hall") + "/messages"
	if e := w.sim("PATCH", at+"/"+said.id(), `{"content":"changed"}`); e.field("content") != "changed" || e.field("edits.0.content") != want {
		t.Errorf("edited %s", e.text)
	}
	mine := w.rest("POST", messages(st.field("hall")), `{"content":"mine"}`).id()
	if e := w.sim("PATCH", at+"/"+mine, `{"content":"not yours"}`); e.status != 400 {
		t.Errorf("a person edited the bot's message: %d", e.status)
	}
	if d := w.sim("DELETE", at+"/"+mine, ""); d.status != 204 {
		t.Errorf("moderator's delete: %d %s", d.status, d.text)
	}
	if l := w.sim("GET", at, ""); l.field("0.edits.0.at") == "" || strings.Contains(string(l.text), "mine") {
		t.Errorf("history %s", l.text)
	}
	if l := w.sim("GET", at+"?deleted=1", ""); !strings.Contains(string(l.text), `"deleted":true`) {
		t.Errorf("history with the deleted %s", l.text)
	}
	dm := w.sim("POST", "/dms", `{"user":"chiyo"}`)
	if s := w.sim("POST", "/channels/"+dm.id()+"/messages", `{"author":"chiyo","content":"hi"}`); s.status != 200 {
		t.Errorf("direct message %s", s.text)
	}
	if s := w.sim("POST", "/channels/"+dm.id()+"/messages", `{"author":"ana","content":"hi"}`); s.status != 400 {
		t.Errorf("ana speaks in chiyo's direct messages: %s", s.text)
	}
	if c := w.sim("GET", "/calls", ""); c.field("0.route") != "/channels/{channel_id}/messages" || c.field("0.status") != "200" || c.field("0.bytes") != "18" {
		t.Errorf("calls %s", c.text)
	}
	if f := w.sim("POST", "/faults", `{"kind":"status","status":503,"count":2}`); f.status != 204 || w.sim("GET", "/faults", "").field("0.status") != "503" {
		t.Errorf("fault %d %s", f.status, f.text)
	}
	if f := w.sim("POST", "/faults", `{"kind":"off"}`); f.status != 204 || w.sim("GET", "/faults", "").field("0.kind") != "" {
		t.Errorf("faults off %d", f.status)
	}
	if y := w.sim("POST", "/typing", `{"channel":"lounge","user":"ana"}`); y.status != 204 {
		t.Errorf("typing %d %s", y.status, y.text)
	}
}

// TestBadControl: what cannot be is refused with words, and nothing is made.
func TestBadControl(t *testing.T) {
	w := open(t, simdiscord.Options{})
	for name, c := range map[string]struct {
		method, path, body string
		status             int
	}{
		"unknown channel": {"POST", "/channels/cellar/messages", `{"author":"ana","content":"x"}`, 404},
		"unknown author":  {"POST", "/channels/hall/messages", `{"author":"zoe","content":"x"}`, 404},
		"as the bot":      {"POST", "/channels/hall/messages", `{"author":"Tsumugi","content":"x"}`, 400},
		"nothing":         {"POST", "/channels/hall/messages", `{"author":"ana","content":" "}`, 400},
		"4001 characters": {"POST", "/channels/hall/messages", `{"author":"ana","content":"` + strings.Repeat("é", 4001) + `"}`, 400},
		"misspelt field":  {"POST", "/channels/hall/messages", `{"author":"ana","contents":"x"}`, 400},
		"reply to none":   {"POST", "/channels/hall/messages", `{"author":"ana","content":"x","reply_to":"4"}`, 404},
		"unknown message": {"DELETE", "/channels/hall/messages/4", ``, 404},
		"unknown history": {"GET", "/channels/cellar/messages", ``, 404},
		"unknown fault":   {"POST", "/faults", `{"kind":"flood"}`, 404},
		"unknown route":   {"POST", "/faults", `{"kind":"lost","route":"/nowhere"}`, 404},
		"huge frame":      {"POST", "/faults", `{"kind":"oversized","bytes":2000000000}`, 400},
		"negative frame":  {"POST", "/faults", `{"kind":"oversized","bytes":-1,"after":1}`, 400},
		"no control":      {"GET", "/nothing", ``, 404},
		"short path":      {"GET", "/channels/hall", ``, 404},
	} {
		if a := w.sim(c.method, c.path, c.body); a.status != c.status || a.field("error") == "" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	if ms := w.AllMessages("hall"); len(ms) != 0 {
		t.Errorf("made %v", ms)
	}
}

// TestOtherSitesMayNotControl: a page of another origin, a form, and a rebound name are all refused.
func TestOtherSitesMayNotControl(t *testing.T) {
	w := open(t, simdiscord.Options{})
	host := strings.TrimPrefix(w.url, "http://")
	const path, body = "/channels/hall/messages", `{"author":"ana","content":"x"}`
	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"another origin":       {[]string{"Origin", "http://evil.example"}, 403},
		"opaque origin":        {[]string{"Origin", "null"}, 403},
		"another port":         {[]string{"Origin", "http://127.0.0.1:1"}, 403},
		"a form":               {[]string{"Content-Type", "text/plain"}, 403},
		"a rebound name":       {[]string{"Host", "evil.example"}, 403},
		"a name that looks so": {[]string{"Host", "127.0.0.1.evil.example"}, 403},
		"same origin":          {[]string{"Origin", w.url, "Content-Type", "application/json; charset=utf-8"}, 200},
		"localhost":            {[]string{"Host", "localhost" + host[strings.LastIndex(host, ":"):]}, 200},
	} {
		if a := w.sim("POST", path, body, c.header...); a.status != c.status {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	if a := w.sim("GET", "/state", "", "Host", "evil.example"); a.status != 403 {
		t.Errorf("a rebound name reads the state: %d", a.status)
	}
}

// TestEventStream follows one reply as the page does.
func TestEventStream(t *testing.T) {
	w := open(t, simdiscord.Options{})
	st := w.State()
	resp, err := w.http.Get(w.url + "/sim/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	next := func() string {
		t.Helper()
		for name := ""; ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if text, is := strings.CutPrefix(line, "event: "); is {
				name = strings.TrimSpace(text)
			}
			if text, is := strings.CutPrefix(line, "data: "); is {
				a := answer{text: []byte(text)}
				return fmt.Sprint(name, " ", a.field("channel") == st.Hall, " ", a.field("message.content"), a.field("id"), a.field("user"))
			}
		}
	}
	if line, _ := lines.ReadString('\n'); line != "retry: 500\n" {
		t.Fatalf("first line %q", line)
	}
	w.rest("POST", "/channels/"+st.Hall+"/typing", "")
	id := w.rest("POST", messages(st.Hall), `{"content":"a"}`).id()
	w.rest("PATCH", messages(st.Hall)+"/"+id, `{"content":"ab"}`)
	w.rest("DELETE", messages(st.Hall)+"/"+id, "")
	for _, want := range []string{"typing true " + st.Bot.ID, "create true a", "update true ab", "delete true " + id} {
		if got := next(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCloseEndsEverything: connections, streams and delayed answers are over when Close returns, and nothing starts after.
func TestCloseEndsEverything(t *testing.T) {
	w := open(t, simdiscord.Options{})
	c := w.gateway()
	c.login(guildsAndMessages)
	stream, err := w.http.Get(w.url + "/sim/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if err := w.Fault(simdiscord.Fault{Kind: simdiscord.FaultSlow, DelayMS: 3600_000}); err != nil {
		t.Fatal(err)
	}
	slow := make(chan answer)
	go func() { slow <- w.rest("GET", "/users/@me", "") }()
	for len(w.Armed()) > 0 { // until the slow call has met its fault
	}
	w.Close()
	if a := <-slow; a.err == nil {
		t.Errorf("the delayed call was answered: %d", a.status)
	}
	if code := c.ending(); code != 0 {
		t.Errorf("close code %d", code)
	}
	if a := w.sim("GET", "/state", ""); a.status != 503 {
		t.Errorf("after Close: %d", a.status)
	}
}
