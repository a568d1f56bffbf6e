package discord_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// line is a simulated Discord on a fake clock, with a gateway.
type line struct {
	*world
	dialer *websocket.Dialer
	open   []*raw
}

// bubble plays a test on a fake clock, and lets go of everything at its end.
func bubble(t *testing.T, o simdiscord.Options, test func(t *testing.T, l *line)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.MessageContentEnabled = true
		sim := simdiscord.New(discordtest.Watch(t, o))
		pipe := simdiscord.NewInproc()
		server := &http.Server{Handler: sim}
		ended := make(chan error)
		go func() { ended <- server.Serve(pipe) }()
		transport := pipe.Transport()
		l := &line{
			world:  &world{sim, t, "http://localhost", &http.Client{Transport: transport}},
			dialer: &websocket.Dialer{NetDialContext: pipe.Dial},
		}
		test(t, l)
		for _, c := range l.open {
			c.ws.NetConn().Close()
		}
		transport.CloseIdleConnections()
		sim.Close()
		server.Close()
		pipe.Close()
		<-ended
	})
}

// dial connects to a path of the gateway and waits for nothing.
func (l *line) dial(path string) *raw {
	l.t.Helper()
	ws, _, err := l.dialer.Dial("ws://localhost"+path, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	c := &raw{t: l.t, ws: ws}
	l.open = append(l.open, c)
	return c
}

// gateway connects and takes HELLO.
func (l *line) gateway() *raw {
	l.t.Helper()
	c := l.dial("/gateway?v=10&encoding=json")
	if hello := c.next(); hello.Op != 10 {
		l.t.Fatalf("hello %+v", hello)
	}
	return c
}

// session connects, identifies as a shard, and takes what READY brings.
func (l *line) session(shard, of int) *raw {
	l.t.Helper()
	c := l.gateway()
	c.send(identifyAs("simulated", withContent, shard, of))
	c.until("READY")
	return c
}

func (l *line) arm(f simdiscord.Fault) {
	l.t.Helper()
	if err := l.Fault(f); err != nil {
		l.t.Fatal(err)
	}
}

// silent says whether nothing comes for a while. The connection cannot be read afterwards.
func (c *raw) silent(d time.Duration) bool {
	c.ws.SetReadDeadline(time.Now().Add(d))
	_, _, err := c.ws.ReadMessage()
	timeout, is := err.(interface{ Timeout() bool })
	return is && timeout.Timeout()
}

// contents reads so many messages.
func (c *raw) contents(n int) []string {
	c.t.Helper()
	var all []string
	for range n {
		all = append(all, c.until("MESSAGE_CREATE").field("content"))
	}
	return all
}

// pass lets time pass on the clock of the bubble, which costs nothing.
func pass(d time.Duration) { time.Sleep(d) }
