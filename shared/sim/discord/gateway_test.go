package discord_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

const (
	guildsAndMessages = 1<<0 | 1<<9 | 1<<12
	withContent       = guildsAndMessages | 1<<15
)

// raw is a gateway client that nobody's library shapes.
type raw struct {
	t   *testing.T
	ws  *websocket.Conn
	seq int64
}

// got is a payload that came in.
type got struct {
	Op int             `json:"op"`
	T  string          `json:"t"`
	S  int64           `json:"s"`
	D  json.RawMessage `json:"d"`
}

func (g got) field(path string) string { return answer{text: g.D}.field(path) }

func dial(t *testing.T, url string, d *websocket.Dialer) *raw {
	t.Helper()
	ws, _, err := d.Dial(url+"/gateway?v=10&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &raw{t: t, ws: ws}
}

func (w *world) gateway() *raw {
	w.t.Helper()
	c := dial(w.t, strings.Replace(w.url, "http", "ws", 1), websocket.DefaultDialer)
	if hello := c.next(); hello.Op != 10 {
		w.t.Fatalf("hello %+v", hello)
	}
	return c
}

func (c *raw) send(text string) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *raw) next() got {
	c.t.Helper()
	_, text, err := c.ws.ReadMessage()
	if err != nil {
		c.t.Fatalf("gateway: %v", err)
	}
	var g got
	if err := json.Unmarshal(text, &g); err != nil {
		c.t.Fatal(err)
	}
	if g.S > 0 {
		c.seq = g.S
	}
	return g
}

// until reads on to an event of this name.
func (c *raw) until(name string) got {
	c.t.Helper()
	for {
		if g := c.next(); g.T == name {
			return g
		}
	}
}

// ending reads to the end and returns the close code, 0 where there was none.
func (c *raw) ending() int {
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure {
				return closed.Code
			}
			return 0
		}
	}
}

func identify(token string, intents int) string {
	b, _ := json.Marshal(map[string]any{"op": 2, "d": map[string]any{
		"token": token, "intents": intents, "properties": map[string]string{"os": "x", "browser": "x", "device": "x"}}})
	return string(b)
}

func resume(session string, seq int64) string {
	b, _ := json.Marshal(map[string]any{"op": 6, "d": map[string]any{"token": "simulated", "session_id": session, "seq": seq}})
	return string(b)
}

// login identifies and returns the session.
func (c *raw) login(intents int) string {
	c.t.Helper()
	c.send(identify("simulated", intents))
	return c.until("READY").field("session_id")
}

func TestHandshake(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	st := w.State()
	c := w.gateway()
	c.send(identify("Bot simulated", withContent))
	ready := c.next()
	if ready.T != "READY" || ready.S != 1 || ready.field("user.id") != st.Bot.ID || ready.field("guilds.0.unavailable") != "true" ||
		ready.field("application.id") != st.Application.ID || !strings.HasPrefix(ready.field("resume_gateway_url"), "ws://") {
		t.Fatalf("ready %s", ready.D)
	}
	if g := c.next(); g.T != "GUILD_CREATE" || g.field("id") != st.Guild.ID || g.field("channels.0.name") != "lounge" {
		t.Fatalf("guild %s %s", g.T, g.D)
	}
	c.send(`{"op":1,"d":2}`)
	if ack := c.next(); ack.Op != 11 {
		t.Fatalf("ack %+v", ack)
	}
	if st.Gateway.Identifies != 0 || w.State().Gateway.Identifies != 1 || w.State().Gateway.Connections != 1 {
		t.Errorf("counts %+v", w.State().Gateway)
	}
}

func TestCloseCodes(t *testing.T) {
	w := open(t, simdiscord.Options{})
	session := w.gateway().login(guildsAndMessages)
	for name, c := range map[string]struct {
		say  []string
		code int
	}{
		"wrong token":              {[]string{identify("wrong", guildsAndMessages)}, 4004},
		"content not enabled":      {[]string{identify("simulated", withContent)}, 4014},
		"members are privileged":   {[]string{identify("simulated", 1<<1)}, 4014},
		"unknown intents":          {[]string{identify("simulated", 1<<30)}, 4013},
		"bad shard":                {[]string{`{"op":2,"d":{"token":"simulated","intents":1,"shard":[2,2]}}`}, 4010},
		"unknown op":               {[]string{`{"op":99}`}, 4001},
		"no JSON":                  {[]string{`{"op":`}, 4002},
		"too large":                {[]string{`{"op":3,"d":"` + strings.Repeat("x", 4096) + `"}`}, 4002},
		"presence before identify": {[]string{`{"op":3,"d":{}}`}, 4003},
		"identify twice":           {[]string{identify("simulated", 1), identify("simulated", 1)}, 4005},
		"resume from the future":   {[]string{resume(session, 1000)}, 4007},
		"too many payloads":        {strings.Split(strings.Repeat(`{"op":1}`+"\n", 121), "\n")[:121], 4008},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{w.Server, t, w.url, w.http}
			g := w.gateway()
			for _, text := range c.say {
				g.send(text)
			}
			if code := g.ending(); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
		})
	}
}

func TestResumeReplaysWhatWasMissed(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	c := w.gateway()
	session := c.login(withContent)
	w.Say("lounge", "ana", "one")
	c.until("MESSAGE_CREATE")
	if err := w.Fault(simdiscord.Fault{Kind: simdiscord.FaultDrop}); err != nil {
		t.Fatal(err)
	}
	if code := c.ending(); code != 0 {
		t.Fatalf("dropped with close code %d", code)
	}
	w.Say("lounge", "ana", "two")
	w.Say("hall", "ben", "three")
	again := w.gateway()
	again.send(resume(session, c.seq))
	for _, want := range []string{"two", "three"} {
		if g := again.next(); g.field("content") != want || g.S != c.seq+1 {
			t.Fatalf("replayed %+v, want %q", g, want)
		}
		c.seq++
	}
	if g := again.next(); g.T != "RESUMED" {
		t.Fatalf("after the replay %+v", g)
	}
	w.Say("hall", "ben", "four")
	if g := again.next(); g.field("content") != "four" {
		t.Fatalf("live again: %+v", g)
	}
	if w.State().Gateway.Resumes != 1 || w.State().Gateway.Identifies != 1 {
		t.Errorf("counts %+v", w.State().Gateway)
	}
}

// TestSessionEnds: 1000 ends a session, 4000 does not, and an unknown one gets op 9, after which IDENTIFY is welcome.
func TestSessionEnds(t *testing.T) {
	w := open(t, simdiscord.Options{})
	for code, resumable := range map[int]bool{1000: false, 1001: false, 4000: true} {
		c := w.gateway()
		session := c.login(guildsAndMessages)
		c.until("GUILD_CREATE")
		c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
		c.ending()
		again := w.gateway()
		again.send(resume(session, c.seq))
		g := again.next()
		if resumable != (g.T == "RESUMED") {
			t.Errorf("after close %d: %+v", code, g)
		}
		if !resumable {
			if g.Op != 9 || string(g.D) != "false" {
				t.Errorf("after close %d: %+v, want op 9 false", code, g)
			}
			again.login(guildsAndMessages)
		}
	}
}

func TestContentWithheldOnGateway(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	st := w.State()
	with, without := w.gateway(), w.gateway()
	with.login(withContent)
	without.login(guildsAndMessages)
	mine := w.rest("POST", messages(st.Hall), `{"content":"mine"}`).id()
	post := func(channel string, say simdiscord.Saying) {
		t.Helper()
		if _, err := w.Post(channel, say); err != nil {
			t.Fatal(err)
		}
	}
	picture := []simdiscord.Attachment{{Filename: "a.png", Size: 5}}
	post("hall", simdiscord.Saying{Author: "ana", Content: "private", Attachments: picture})
	post("hall", simdiscord.Saying{Author: "ana", Content: "@tsumugi look", Attachments: picture})
	post("hall", simdiscord.Saying{Author: "ana", Content: "reply", ReplyTo: mine})
	post("hall", simdiscord.Saying{Author: "ana", Content: "quiet reply", ReplyTo: mine, Quiet: true})
	post("dm:ana", simdiscord.Saying{Author: "ana", Content: "direct"})
	for _, want := range []struct {
		content  string
		readable bool
	}{{"mine", true}, {"private", false}, {"<@" + st.Bot.ID + "> look", true}, {"reply", true}, {"quiet reply", false}, {"direct", true}} {
		if g := with.until("MESSAGE_CREATE"); g.field("content") != want.content {
			t.Errorf("with the intent: %s, want %s", g.field("content"), want.content)
		}
		g := without.until("MESSAGE_CREATE")
		if readable := g.field("content") == want.content; readable != want.readable {
			t.Errorf("without the intent %q reads %q", want.content, g.field("content"))
		}
		if !want.readable && g.field("attachments") != "[]" {
			t.Errorf("attachments of %q are not withheld: %s", want.content, g.field("attachments"))
		}
		if want.content == "direct" && (g.field("guild_id") != "" || g.field("member") != "") {
			t.Errorf("a direct message has a guild: %s", g.D)
		}
	}
}

// TestEventsOfAMessage sees create with nonce, typing, update and delete, and none that was not asked for.
func TestEventsOfAMessage(t *testing.T) {
	w := open(t, simdiscord.Options{})
	st := w.State()
	c, deaf := w.gateway(), w.gateway()
	c.login(guildsAndMessages | 1<<11)
	deaf.login(1)
	deaf.until("GUILD_CREATE")
	c.until("GUILD_CREATE")
	w.rest("POST", "/channels/"+st.Hall+"/typing", "")
	id := w.rest("POST", messages(st.Hall), `{"content":"a","nonce":"n1"}`).id()
	w.rest("PATCH", messages(st.Hall)+"/"+id, `{"content":"ab"}`)
	if err := w.Delete("hall", id); err != nil {
		t.Fatal(err)
	}
	if g := c.next(); g.T != "TYPING_START" || g.field("user_id") != st.Bot.ID {
		t.Errorf("%s %s", g.T, g.D)
	}
	if g := c.next(); g.T != "MESSAGE_CREATE" || g.field("nonce") != "n1" || g.field("guild_id") != st.Guild.ID || g.field("member.roles.0") == "" {
		t.Errorf("%s %s", g.T, g.D)
	}
	if g := c.next(); g.T != "MESSAGE_UPDATE" || g.field("content") != "ab" || g.field("edited_timestamp") == "null" {
		t.Errorf("%s %s", g.T, g.D)
	}
	if g := c.next(); g.T != "MESSAGE_DELETE" || g.field("id") != id {
		t.Errorf("%s %s", g.T, g.D)
	}
	deaf.send(`{"op":1}`)
	if g := deaf.next(); g.Op != 11 {
		t.Errorf("a session without message intents got %s", g.T)
	}
}

func TestGatewayFaults(t *testing.T) {
	w := open(t, simdiscord.Options{})
	arm := func(f simdiscord.Fault) {
		t.Helper()
		if err := w.Fault(f); err != nil {
			t.Fatal(err)
		}
	}
	c := w.gateway()
	c.login(guildsAndMessages)
	c.until("GUILD_CREATE")
	arm(simdiscord.Fault{Kind: simdiscord.FaultDuplicate, Event: "MESSAGE_CREATE"})
	id := w.Say("hall", "ana", "twice").ID
	if a, b := c.next(), c.next(); a.field("id") != id || b.field("id") != id || b.S != a.S+1 {
		t.Errorf("duplicate: %+v %+v", a, b)
	}
	arm(simdiscord.Fault{Kind: simdiscord.FaultMissing})
	w.Say("hall", "ana", "never")
	id = w.Say("hall", "ana", "after").ID
	if g := c.next(); g.field("id") != id {
		t.Errorf("missing: %+v", g)
	}
	arm(simdiscord.Fault{Kind: simdiscord.FaultWithholdAcks})
	c.send(`{"op":1}`)
	arm(simdiscord.Fault{Kind: simdiscord.FaultReconnect})
	if g := c.next(); g.Op != 7 {
		t.Errorf("withheld ack, then op 7: %+v", g)
	}
	arm(simdiscord.Fault{Kind: simdiscord.FaultInvalid})
	if g := c.next(); g.Op != 9 || string(g.D) != "false" {
		t.Errorf("op 9: %+v", g)
	}
	c.login(guildsAndMessages)
	arm(simdiscord.Fault{Kind: simdiscord.FaultClose, Code: 4000})
	if code := c.ending(); code != 4000 {
		t.Errorf("closed with %d", code)
	}
	if err := w.Fault(simdiscord.Fault{Kind: "flood"}); !errors.Is(err, simdiscord.ErrUnknown) {
		t.Errorf("an unknown fault was armed: %v", err)
	}
}

// TestZombieIsClosed runs in a bubble, without a network: a client that stops its heartbeat is sent away with 4009.
func TestZombieIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{}))
		listener := simdiscord.NewInproc()
		server := &http.Server{Handler: sim}
		ended := make(chan error)
		go func() { ended <- server.Serve(listener) }()
		c := dial(t, "ws://localhost", &websocket.Dialer{NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return listener.Dial(ctx, network, addr)
		}})
		c.next()
		start := time.Now()
		c.login(guildsAndMessages)
		c.until("GUILD_CREATE")
		time.Sleep(40 * time.Second)
		c.send(`{"op":1}`)
		if code := c.ending(); code != 4009 {
			t.Errorf("closed with %d", code)
		}
		if waited := time.Since(start); waited < 80*time.Second || waited > 150*time.Second {
			t.Errorf("closed after %v", waited)
		}
		c.ws.Close()
		sim.Close()
		server.Close()
		<-ended
	})
}
