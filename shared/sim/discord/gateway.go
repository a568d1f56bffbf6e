package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Gateway opcodes.
const (
	opDispatch   = 0
	opHeartbeat  = 1
	opIdentify   = 2
	opPresence   = 3
	opVoice      = 4
	opResume     = 6
	opReconnect  = 7
	opMembers    = 8
	opInvalid    = 9
	opHello      = 10
	opAck        = 11
	opSoundboard = 31
)

// Close codes of the gateway.
const (
	closeUnknownOp        = 4001
	closeDecode           = 4002
	closeNotAuthenticated = 4003
	closeAuthentication   = 4004
	closeAlready          = 4005
	closeSequence         = 4007
	closeRate             = 4008
	closeTimedOut         = 4009
	closeShard            = 4010
	closeSharding         = 4011
	closeVersion          = 4012
	closeIntents          = 4013
	closeDisallowed       = 4014
)

// What the gateway allows a client.
const (
	identifiesPerDay = 1000
	maxPayload       = 4096
	maxSends         = 120 // in any minute
	identifyPause    = 5 * time.Second
)

// heartbeatInterval is what HELLO demands, as Discord does.
const heartbeatInterval = 41250 * time.Millisecond

// resumePath is where READY sends a client that comes to resume. Discord names another host; here the path tells.
const resumePath = "/gateway/resume"

func (q *request) resumeURL() string { return q.gatewayURL() + "/resume" }

// gateway is the gateway's part of the world, under the server's lock.
type gateway struct {
	sessions   map[string]*session
	conns      []*conn
	identifies int
	resumes    int
	elsewhere  int // resumes that came where READY had sent them
	daily      int // identifies of a day
	remaining  int
	renews     time.Time
	nextID     int
	admitted   map[int]time.Time         // the last IDENTIFY by its place in max_concurrency
	waiting    map[*appointment]struct{} // what will be done later
	dispatches []Dispatch
}

func newGateway(o Options) gateway {
	return gateway{
		sessions: map[string]*session{}, daily: o.Identifies, remaining: o.Identifies,
		admitted: map[int]time.Time{}, waiting: map[*appointment]struct{}{},
	}
}

// each lists the sessions in the order in which they began.
func (g *gateway) each() []*session {
	return slices.SortedFunc(maps.Values(g.sessions), func(a, b *session) int { return a.serial - b.serial })
}

// renew gives a new day's identifies when the old day is over.
func (g *gateway) renew(now time.Time) {
	if !now.Before(g.renews) {
		g.renews, g.remaining = now.Add(24*time.Hour), g.daily
	}
}

// admit says whether an IDENTIFY may come now at this place: one in five seconds may.
func (g *gateway) admit(place int, now time.Time) bool {
	if last, before := g.admitted[place]; before && now.Sub(last) < identifyPause {
		return false
	}
	g.admitted[place] = now
	return true
}

// frame is one thing to send: text, or the end with a close code, or the end without one.
type frame struct {
	text  []byte
	close int
	why   string
	drop  bool
}

// conn is one WebSocket. Everything but ws and the channels is under the server's lock.
type conn struct {
	ws      *websocket.Conn
	wake    chan struct{}
	gone    chan struct{}
	request *request
	queue   []frame
	session *session
	// elsewhere says that the client came to resumePath, mute that it gets no events, dead that nothing goes out or is heard any more.
	elsewhere, mute, dead bool

	sent   int // payloads of the client in the minute that began at minute
	minute time.Time
}

// push queues a frame. The lock is held; the writer sends it.
func (c *conn) push(f frame) {
	if c.dead && !f.drop {
		return
	}
	c.queue = append(c.queue, f)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// serveGateway holds one connection until it ends. It is the reader; the writer it starts has ended when it returns.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Get("compress") != "" || q.Get("encoding") != "" && q.Get("encoding") != "json" {
		http.Error(w, "the simulated gateway speaks JSON without transport compression", http.StatusBadRequest)
		return
	}
	up := websocket.Upgrader{}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer ws.Close()
	c := &conn{
		ws: ws, wake: make(chan struct{}, 1), gone: make(chan struct{}),
		request: &request{host: r.Host, tls: r.TLS != nil}, elsewhere: r.URL.Path == resumePath,
	}
	farewell := ws.CloseHandler()
	ws.SetCloseHandler(func(code int, text string) error {
		s.leave(c, code) // first, so that a client that was answered finds its session ended
		return farewell(code, text)
	})
	if !s.attach(c) {
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.write(c)
	}()
	code, why := 0, ""
	if v := r.URL.Query().Get("v"); v != "" && v != "9" && v != "10" {
		code, why = closeVersion, "Invalid API version."
	} else {
		code, why = s.read(c)
	}
	s.detach(c, code)
	if code != 0 {
		s.mu.Lock()
		c.dead = false // whoever was not heard is sent away all the same
		c.push(frame{close: code, why: why})
		s.mu.Unlock()
	} else {
		close(c.gone)
	}
	<-ended
	// The peer reads the close frame only if its own last words do not meet a closed socket.
	for err == nil {
		_, _, err = ws.ReadMessage()
	}
}

// attach registers a connection and greets it.
func (s *Server) attach(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.gateway.conns = append(s.gateway.conns, c)
	hello := func() {
		c.push(control(opHello, map[string]int64{"heartbeat_interval": heartbeatInterval.Milliseconds()}))
	}
	switch slow := s.takeFor(FaultSlowHello, nil); {
	case slow.Kind != "":
		s.later(time.Duration(slow.DelayMS)*time.Millisecond, hello)
	case s.takeFor(FaultNoHello, nil).Kind == "":
		hello()
	}
	return true
}

// detach forgets a connection. Its session waits to be resumed, unless one side ended it with a code that means the end.
func (s *Server) detach(c *conn, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.gateway.conns {
		if other == c {
			s.gateway.conns = append(s.gateway.conns[:i:i], s.gateway.conns[i+1:]...)
			break
		}
	}
	if c.session == nil || c.session.conn != c {
		return
	}
	c.session.conn, c.session.lost = nil, time.Now()
	switch code {
	case closeAuthentication, closeSequence, closeTimedOut, closeShard, closeVersion, closeIntents, closeDisallowed:
		delete(s.gateway.sessions, c.session.id)
	}
}

// write sends what is queued, in order, until the connection ends.
func (s *Server) write(c *conn) {
	for {
		select {
		case <-c.wake:
		case <-c.gone:
			return
		}
		s.mu.Lock()
		queue := c.queue
		c.queue = nil
		s.mu.Unlock()
		for _, f := range queue {
			deadline := time.Now().Add(10 * time.Second)
			switch {
			case f.drop:
				c.ws.NetConn().Close()
				return
			case f.close != 0:
				c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(f.close, f.why), deadline)
				c.ws.SetReadDeadline(time.Now().Add(2 * time.Second))
				return
			}
			c.ws.SetWriteDeadline(deadline)
			if c.ws.WriteMessage(websocket.TextMessage, f.text) != nil {
				c.ws.NetConn().Close()
				return
			}
		}
	}
}

// read obeys the client until it leaves (0) or has to be sent away with a code.
func (s *Server) read(c *conn) (code int, why string) {
	patience := heartbeatInterval * 3 / 2
	c.ws.SetReadDeadline(time.Now().Add(patience))
	for {
		_, text, err := c.ws.ReadMessage()
		var timeout net.Error
		switch {
		case err == nil:
		case errors.As(err, &timeout) && timeout.Timeout():
			return closeTimedOut, "Session timed out."
		default:
			return 0, ""
		}
		var p payload
		if len(text) > maxPayload || json.Unmarshal(text, &p) != nil {
			return closeDecode, "Error while decoding payload."
		}
		if p.Op == opHeartbeat {
			c.ws.SetReadDeadline(time.Now().Add(patience))
		}
		if code, why = s.obey(c, p); code != 0 {
			return code, why
		}
	}
}

// payload is what a client sends.
type payload struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
}

// leave ends the session of a client that closed with 1000 or 1001; any other code keeps it for a RESUME.
func (s *Server) leave(c *conn, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.session != nil && (code == websocket.CloseNormalClosure || code == websocket.CloseGoingAway) {
		delete(s.gateway.sessions, c.session.id)
	}
}

// obey does what one payload asks.
func (s *Server) obey(c *conn, p payload) (code int, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.dead {
		return 0, ""
	}
	now := time.Now()
	if now.Sub(c.minute) >= time.Minute {
		c.minute, c.sent = now, 0
	}
	if c.sent++; c.sent > maxSends && !s.opt.NoLimits {
		return closeRate, "You are being rate limited."
	}
	switch p.Op {
	case opHeartbeat:
		if s.takeFor(FaultWithholdAcks, c.session).Kind == "" {
			c.push(control(opAck, nil))
		}
	case opIdentify:
		return s.identify(c, p.D, now)
	case opResume:
		return s.resume(c, p.D, now)
	case opPresence, opVoice, opMembers, opSoundboard:
		if c.session == nil {
			return closeNotAuthenticated, "Not authenticated."
		}
	default:
		return closeUnknownOp, "Unknown opcode."
	}
	return 0, ""
}

// control is a frame that is no event.
func control(op int, d any) frame {
	text, err := json.Marshal(map[string]any{"op": op, "d": d, "s": nil, "t": nil})
	if err != nil {
		text = fmt.Appendf(nil, `{"op":%d,"d":null}`, op)
	}
	return frame{text: text}
}

// bare takes "Bot " off a token, which the gateway accepts with and without.
func bare(token string) string { return strings.TrimPrefix(token, "Bot ") }
