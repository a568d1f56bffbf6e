package discord_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"

	"github.com/gorilla/websocket"
)

// script is a gateway that does what a test writes down, for what the simulator is too well-behaved to do.
type script func(peer *peer)

type peer struct {
	ws   *websocket.Conn
	host string
	n    int // of this connection, from 1
	path string
	seq  int
}

func (s script) handler(count *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/gateway/bot") {
			fmt.Fprintf(w, `{"url":"ws://%s","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`, r.Host)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/users/@me") {
			fmt.Fprint(w, `{"id":"9","username":"bot"}`)
			return
		}
		up := websocket.Upgrader{}
		ws, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		s(&peer{ws: ws, host: r.Host, n: int(count.Add(1)), path: r.URL.Path})
	})
}

func (p *peer) write(text string) { _ = p.ws.WriteMessage(websocket.TextMessage, []byte(text)) }

func (p *peer) hello(ms int) { p.write(fmt.Sprintf(`{"op":10,"d":{"heartbeat_interval":%d}}`, ms)) }

func (p *peer) event(name, d string) {
	p.seq++
	p.write(fmt.Sprintf(`{"op":0,"s":%d,"t":%q,"d":%s}`, p.seq, name, d))
}

func (p *peer) readyAt(path string) {
	p.event("READY", fmt.Sprintf(`{"session_id":"s%d","resume_gateway_url":"ws://%s%s","user":{"id":"9","username":"bot"}}`, p.n, p.host, path))
}

func (p *peer) say(id int, text string) {
	p.event("MESSAGE_CREATE", fmt.Sprintf(`{"id":"%d","channel_id":"1","content":%q,"author":{"id":"5","username":"ana"}}`, id, text))
}

// op waits for the client's next payload of this opcode, or returns nil at the end.
func (p *peer) op(op int) json.RawMessage {
	for {
		var m struct {
			Op int             `json:"op"`
			D  json.RawMessage `json:"d"`
		}
		if p.ws.ReadJSON(&m) != nil {
			return nil
		}
		if m.Op == op {
			return m.D
		}
	}
}

// code reads until the end and returns the close code.
func (p *peer) code() int {
	for {
		if _, _, err := p.ws.ReadMessage(); err != nil {
			if c, ok := err.(*websocket.CloseError); ok {
				return c.Code
			}
			return 0
		}
	}
}

// loopback runs the script on real sockets.
func loopback(t *testing.T, s script) *running {
	var count atomic.Int32
	server := httptest.NewServer(s.handler(&count))
	t.Cleanup(server.Close)
	return start(t, &discord.Gateway{REST: discord.New(discord.Options{BaseURL: server.URL + "/api/v10"})}, nil)
}

func get[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(30 * time.Second):
		t.Fatalf("no %s", what)
	}
	var none T
	return none
}

func TestGatewaySkipsWhatItDoesNotUnderstand(t *testing.T) {
	g := loopback(t, func(p *peer) {
		p.hello(41250)
		p.op(2)
		p.readyAt("/")
		for _, s := range []string{
			"", "null", "[]", "7", `"x"`, "{", `{"op":"0"}`, `{"op":99}`, `{}`, `{"op":0,"t":5}`, "\x00\xff", `{"op":0,"t":"NEW_THING","s":null,"d":[1]}`,
			`{"op":11,"d":{}}`, `{"op":10,"d":null}`, `{"op":0,"s":-5,"t":"MESSAGE_CREATE","d":null}`,
		} {
			p.write(s)
		}
		_ = p.ws.WriteMessage(websocket.BinaryMessage, []byte{0x78, 0x9c, 1})
		for _, name := range []string{"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "GUILD_CREATE", "VOICE_STATE_UPDATE", "INTERACTION_CREATE"} {
			for _, d := range []string{"null", "[]", "5", `{}`, `{"id":5}`, `{"id":"x","channel_id":"y"}`, `{"id":"1"}`, `{"ids":[null,""]}`, `{"guilds":[null]}`} {
				p.event(name, d)
			}
		}
		p.event("MESSAGE_CREATE", `{"id":"1","channel_id":"1","content":"a","author":{"id":"5"},"components":[{"type":99}]}`)
		p.event("MESSAGE_CREATE", `{"id":"2","channel_id":"1","content":"b","author":{"id":"5"},"embeds":"?","type":4711,"channel_type":88}`)
		p.event("MESSAGE_CREATE", `{"id":"3","channel_id":"1","content":"c","author":null,"mentions":[null],"attachments":[null],"message_snapshots":[{}],"poll":{"answers":[{}]}}`)
		p.event("MESSAGE_DELETE_BULK", `{"ids":["4","5"],"channel_id":"1","guild_id":"2"}`)
		p.op(99)
	})
	get(t, g.ready, "ready")
	for _, want := range []string{"said 1 a", "said 2 b", "said 3 c", "deleted 4 ", "deleted 5 "} {
		e := get(t, g.events, "event")
		if got := fmt.Sprint(e.What, " ", e.ID, " ", e.Text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := g.end(); err != nil {
		t.Error(err)
	}
	select {
	case err := <-g.lost:
		t.Errorf("lost: %v", err)
	default:
	}
}

// The codes this side closes with: the end of the program too leaves the session to the next one.
func TestGatewayCloseCodes(t *testing.T) {
	codes, opened := make(chan int, 3), make(chan string, 3)
	resumed := make(chan json.RawMessage, 1)
	g := loopback(t, func(p *peer) {
		opened <- p.path
		switch p.n {
		case 1: // a dead peer: heartbeats are never answered
			p.hello(20)
			p.op(2)
			p.readyAt("/resume/here")
			p.say(1, "a")
			codes <- p.code()
		case 2:
			p.hello(41250)
			resumed <- p.op(6)
			p.event("RESUMED", "{}")
			codes <- p.code()
		}
	})
	get(t, g.ready, "ready")
	get(t, g.events, "event")
	if c := get(t, codes, "close code"); c != 4000 {
		t.Errorf("a dead peer was closed with %d", c)
	}
	if s := string(get(t, resumed, "resume")); s != `{"seq":2,"session_id":"s1","token":""}` {
		t.Errorf("resumed with %s", s)
	}
	get(t, g.ready, "ready again")
	g.end()
	if c := get(t, codes, "close code"); c != 4000 {
		t.Errorf("the end closed with %d", c)
	}
	if a, b := <-opened, <-opened; a != "/" || b != "/resume/here" {
		t.Errorf("opened %q, then %q", a, b)
	}
}

func TestGatewayComesThroughTheFrontDoorWhenTheWayBackIsClosed(t *testing.T) {
	asked := make(chan string, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	g := loopback(t, func(p *peer) {
		p.hello(41250)
		if p.n == 1 {
			p.op(2)
			p.event("READY", fmt.Sprintf(`{"session_id":"s","resume_gateway_url":"ws://%s","user":{"id":"9"}}`, l.Addr()))
			return // cut off
		}
		asked <- string(p.op(6))
		p.op(99)
	})
	if s := get(t, asked, "resume"); !strings.Contains(s, `"session_id":"s"`) {
		t.Errorf("resumed with %s", s)
	}
	g.end()
}

func TestGatewayEndsOn4014After4003(t *testing.T) {
	pipes(t, func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
		g := play(func(p *peer) {
			p.hello(41250)
			p.op(2)
			code := 4003
			if p.n > 1 {
				code = 4014
			}
			_ = p.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
			p.code()
		}, nil)
		if err := g.wait(); err == nil || !strings.Contains(err.Error(), "4014") {
			t.Errorf("ended with %v", err)
		}
	})
}

// pipes runs a test inside a bubble, where a script is reached over pipes without buffers.
func pipes(t *testing.T, test func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running)) {
	synctest.Test(t, func(t *testing.T) {
		present()
		var count atomic.Int32
		var served sync.WaitGroup
		pipe := simdiscord.NewInproc()
		transport := pipe.Transport()
		server := &http.Server{}
		var g *running
		test(t, func(s script, sink func(context.Context, chat.Event) error) *running {
			server.Handler = s.handler(&count)
			served.Go(func() { _ = server.Serve(pipe) })
			rest := discord.New(discord.Options{BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})
			g = start(t, &discord.Gateway{REST: rest, Dial: pipe.Dial}, sink)
			return g
		})
		g.end()
		transport.CloseIdleConnections()
		server.Close()
		pipe.Close()
		served.Wait()
	})
}

// As long as the relay is full nobody reads the answers to heartbeats; the peer is not dead for that.
func TestGatewayIsPatientWhileFull(t *testing.T) {
	const all = 100
	pipes(t, func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
		open, done, n := make(chan struct{}), make(chan struct{}), 0
		g := play(func(p *peer) {
			p.hello(41250)
			p.op(2)
			p.readyAt("/")
			beats := make(chan struct{}, 1000)
			var reading sync.WaitGroup
			reading.Go(func() {
				defer close(beats)
				for p.op(1) != nil {
					beats <- struct{}{}
				}
			})
			for i := range all {
				p.say(i+1, "x")
			}
			for range beats {
				p.write(`{"op":11}`)
			}
			reading.Wait()
		}, func(context.Context, chat.Event) error {
			<-open
			if n++; n == all {
				close(done)
			}
			return nil
		})
		<-g.ready
		<-time.After(10 * time.Minute)
		close(open)
		<-done
		<-time.After(10 * time.Minute)
		select {
		case err := <-g.lost:
			t.Errorf("lost: %v", err)
		default:
		}
	})
}

func TestGatewayGivesUpOnSilence(t *testing.T) {
	for name, greeting := range map[string]string{"no hello": "", "something else than hello": `{"op":0}`, "hello without an interval": `{"op":10,"d":{}}`} {
		t.Run(name, func(t *testing.T) {
			pipes(t, func(_ *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
				opened := make(chan struct{}, 10)
				play(func(p *peer) {
					opened <- struct{}{}
					if greeting != "" {
						p.write(greeting)
					}
					p.code()
				}, nil)
				<-opened
				<-opened
			})
		})
	}
	t.Run("no session", func(t *testing.T) {
		pipes(t, func(t *testing.T, play func(script, func(context.Context, chat.Event) error) *running) {
			codes := make(chan int, 10)
			play(func(p *peer) {
				p.hello(41250)
				codes <- p.beatUntilClosed()
			}, nil)
			if c := <-codes; c != 4000 {
				t.Errorf("closed with %d", c)
			}
		})
	})
}

// beatUntilClosed answers heartbeats until the client closes, and returns its code.
func (p *peer) beatUntilClosed() int {
	for {
		var m struct {
			Op int `json:"op"`
		}
		if err := p.ws.ReadJSON(&m); err != nil {
			if c, ok := err.(*websocket.CloseError); ok {
				return c.Code
			}
			return 0
		}
		if m.Op == 1 {
			p.write(`{"op":11}`)
		}
	}
}
