package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
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
	closeVersion          = 4012
	closeIntents          = 4013
	closeDisallowed       = 4014
)

// What the gateway allows a client.
const (
	identifiesPerDay = 1000
	maxPayload       = 4096
	maxSends         = 120 // in any minute
)

// gateway is the gateway's part of the world, under the server's lock.
type gateway struct {
	sessions   map[string]*session
	conns      []*conn
	identifies int
	resumes    int
	remaining  int
	renews     time.Time
	nextID     int
}

// renew gives a new day's identifies when the old day is over.
func (g *gateway) renew(now time.Time) {
	if !now.Before(g.renews) {
		g.renews, g.remaining = now.Add(24*time.Hour), identifiesPerDay
	}
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
	sent    int // payloads of the client in the minute that began at minute
	minute  time.Time
}

// push queues a frame. The lock is held; the writer sends it.
func (c *conn) push(f frame) {
	c.queue = append(c.queue, f)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// serveGateway holds one connection until it ends. It is the reader; the writer it starts has ended when it returns.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer ws.Close()
	c := &conn{
		ws: ws, wake: make(chan struct{}, 1), gone: make(chan struct{}),
		request: &request{host: r.Host, tls: r.TLS != nil},
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
	c.push(control(opHello, map[string]int64{"heartbeat_interval": s.opt.HeartbeatInterval.Milliseconds()}))
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
	patience := s.opt.HeartbeatInterval * 3 / 2
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
	now := time.Now()
	if now.Sub(c.minute) >= time.Minute {
		c.minute, c.sent = now, 0
	}
	if c.sent++; c.sent > maxSends && !s.opt.NoLimits {
		return closeRate, "You are being rate limited."
	}
	switch p.Op {
	case opHeartbeat:
		if s.take(func(f *Fault) bool { return f.Kind == FaultWithholdAcks }).Kind == "" {
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

// disturb causes an accident on every connection, now. The lock is held.
func (s *Server) disturb(f Fault) {
	for _, c := range s.gateway.conns {
		switch f.Kind {
		case FaultDrop:
			c.push(frame{drop: true})
		case FaultReconnect:
			c.push(control(opReconnect, nil))
		case FaultClose:
			c.push(frame{close: f.Code, why: "fault"})
		case FaultInvalid:
			c.push(control(opInvalid, f.Resumable))
			if c.session != nil && !f.Resumable {
				delete(s.gateway.sessions, c.session.id)
				c.session.conn, c.session = nil, nil
			}
		}
	}
}

// bare takes "Bot " off a token, which the gateway accepts with and without.
func bare(token string) string { return strings.TrimPrefix(token, "Bot ") }
