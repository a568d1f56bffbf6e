package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Opcodes of the gateway.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opAck       = 11
)

// Times of one connection.
const (
	helloLimit = 20 * time.Second
	readyLimit = 2 * time.Minute
	writeLimit = 10 * time.Second
	closeLimit = time.Second // for the peer to take our close frame
	ackMissing = 2           // heartbeats without an answer make a peer dead
)

// Why this side ended a connection.
var (
	errDead     = errors.New("the gateway stopped answering heartbeats")
	errUnready  = errors.New("the gateway gave no session")
	errAsked    = errors.New("the gateway asked for a new connection")
	errInvalid  = errors.New("the gateway session is not valid any more")
	errNoHello  = errors.New("the gateway did not say hello")
	errBadReady = errors.New("the gateway's READY names no session")
)

// payload is a frame of the gateway.
type payload struct {
	Op  int             `json:"op"`
	D   json.RawMessage `json:"d"`
	Seq int64           `json:"s"`
	T   string          `json:"t"`
}

// link is one connection. Its reader is run, its only other goroutine is beat.
type link struct {
	g  *Gateway
	ws *websocket.Conn
	s  *session
	r  *relay

	writing sync.Mutex
	unacked atomic.Int32
	seq     atomic.Int64
	ready   atomic.Bool
	readyAt time.Time

	ending sync.Mutex
	cause  error // why this side ended the connection; nil while it lives
}

// run holds the connection until it ends, and returns why.
func (l *link) run(ctx context.Context) error {
	defer l.ws.Close()
	every, err := l.hello()
	if err != nil {
		return err
	}
	l.seq.Store(l.s.seq)
	if err := l.introduce(); err != nil {
		return err
	}
	over, beaten := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(beaten)
		l.beat(ctx, every, over)
	}()
	defer func() { close(over); <-beaten }()
	for {
		_, raw, err := l.ws.ReadMessage()
		if ended := l.ended(); ended != nil {
			if err != nil {
				return ended
			}
			continue // unread until the peer has taken our close frame; a resume repeats it
		}
		if err != nil {
			return err
		}
		if err := l.take(ctx, raw); err != nil {
			l.end(closeOurs, err)
		}
	}
}

// hello waits for the first payload, which says how often to beat.
func (l *link) hello() (time.Duration, error) {
	if err := l.ws.SetReadDeadline(time.Now().Add(helloLimit)); err != nil {
		return 0, err
	}
	_, raw, err := l.ws.ReadMessage()
	if err != nil {
		return 0, err
	}
	var p payload
	var h struct {
		Interval int64 `json:"heartbeat_interval"`
	}
	if json.Unmarshal(raw, &p) != nil || p.Op != opHello || json.Unmarshal(p.D, &h) != nil || h.Interval <= 0 || h.Interval > 3600_000 {
		return 0, errNoHello
	}
	return max(time.Duration(h.Interval)*time.Millisecond, minBeat), l.ws.SetReadDeadline(time.Time{})
}

// introduce resumes the session, or starts one.
func (l *link) introduce() error {
	if l.s.id != "" {
		return l.send(opResume, map[string]any{"token": l.g.REST.token, "session_id": l.s.id, "seq": l.s.seq})
	}
	l.g.starts = append(l.g.starts, time.Now())
	me := discordgo.Identify{
		Token: l.g.REST.token, Intents: l.g.intents(),
		Properties: discordgo.IdentifyProperties{OS: runtime.GOOS, Browser: "tsumugi", Device: "tsumugi"},
	}
	d := map[string]any{"token": me.Token, "intents": me.Intents, "properties": map[string]string{
		"os": me.Properties.OS, "browser": me.Properties.Browser, "device": me.Properties.Device,
	}}
	if l.g.Shards > 1 {
		d["shard"] = [2]int{l.g.Shard, l.g.Shards}
	}
	return l.send(opIdentify, d)
}

// beat sends heartbeats and ends the connection when the peer is dead or the context is over.
func (l *link) beat(ctx context.Context, every time.Duration, over <-chan struct{}) {
	began := time.Now()
	timer := time.NewTimer(rand.N(every)) // the first at a random point, as Discord demands
	defer timer.Stop()
	for {
		select {
		case <-over:
			return
		case <-ctx.Done():
			l.end(websocket.CloseNormalClosure, context.Cause(ctx))
			return
		case <-timer.C:
		}
		if l.r.blocked.Load() {
			l.unacked.Store(0) // it is us who do not listen
		}
		switch {
		case l.unacked.Load() >= ackMissing:
			l.end(closeOurs, errDead)
			return
		case !l.ready.Load() && time.Since(began) > readyLimit:
			l.end(closeOurs, errUnready)
			return
		}
		if err := l.heartbeat(); err != nil {
			l.end(closeOurs, err)
			return
		}
		timer.Reset(every)
	}
}

func (l *link) heartbeat() error {
	l.unacked.Add(1)
	var seq any
	if n := l.seq.Load(); n > 0 {
		seq = n
	}
	return l.send(opHeartbeat, seq)
}

func (l *link) send(op int, d any) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.ws.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	return l.ws.WriteJSON(struct {
		Op int `json:"op"`
		D  any `json:"d"`
	}{op, d})
}

// end says goodbye with the code and gives the peer a moment to take it. The first cause stays.
func (l *link) end(code int, cause error) {
	l.ending.Lock()
	first := l.cause == nil
	if first {
		l.cause = cause
	}
	l.ending.Unlock()
	if !first {
		return
	}
	until := time.Now().Add(closeLimit)
	// A peer that does not take the frame is cut off by the deadline of the reader.
	_ = l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), until)
	_ = l.ws.NetConn().SetReadDeadline(until)
}

func (l *link) ended() error {
	l.ending.Lock()
	defer l.ending.Unlock()
	return l.cause
}

// take obeys one payload. An error ends the connection. A payload that is not understood is skipped.
func (l *link) take(ctx context.Context, raw []byte) error {
	var p payload
	if err := json.Unmarshal(raw, &p); err != nil {
		slog.WarnContext(ctx, "a gateway payload was not understood", "bytes", len(raw))
		return nil
	}
	switch p.Op {
	case opHeartbeat:
		return l.heartbeat()
	case opAck:
		l.unacked.Store(0)
	case opReconnect:
		return errAsked
	case opInvalid:
		var resumable bool
		if json.Unmarshal(p.D, &resumable) != nil || !resumable {
			*l.s = session{}
		}
		return errInvalid
	case opDispatch:
		if err := l.dispatch(ctx, p); err != nil {
			return err
		}
		if p.Seq > l.s.seq { // only now: what was not handed on is repeated by a resume
			l.s.seq = p.Seq
			l.seq.Store(p.Seq)
		}
	}
	return nil
}

// dispatch takes an event. It blocks while too many wait for the sink.
func (l *link) dispatch(ctx context.Context, p payload) error {
	switch p.T {
	case "READY":
		return l.welcome(p.D)
	case "RESUMED":
		l.begin()
		return nil
	}
	events, err := translate(p.T, p.D, l.s.self.ID)
	if err != nil {
		slog.WarnContext(ctx, "a gateway event was not understood", "type", first(strings.ToValidUTF8(p.T, ""), 40), "bytes", len(p.D))
		return nil
	}
	for _, e := range events {
		if err := l.r.put(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// welcome notes the new session.
func (l *link) welcome(d json.RawMessage) error {
	var r struct {
		Session string          `json:"session_id"`
		Resume  string          `json:"resume_gateway_url"`
		User    *discordgo.User `json:"user"`
	}
	if json.Unmarshal(d, &r) != nil || r.Session == "" || r.User == nil {
		return errBadReady
	}
	*l.s = session{id: r.Session, self: User{ID: chat.UserID(cleanID(r.User.ID)), Name: displayName(r.User, nil)}}
	if back, ok := gatewayURL(r.Resume, strings.HasPrefix(l.g.REST.base, "https:")); ok {
		l.s.url = back
	}
	l.seq.Store(0)
	l.begin()
	return nil
}

func (l *link) begin() {
	l.ready.Store(true)
	l.readyAt = time.Now()
	if l.g.OnReady != nil {
		l.g.OnReady(l.s.self)
	}
}

// translate puts an event of the gateway in our words. Our own messages are no news, and there is one for each edit of a
// reply that grows.
func translate(name string, d json.RawMessage, us chat.UserID) ([]chat.Event, error) {
	var out []chat.Event
	switch name {
	case "MESSAGE_CREATE", "MESSAGE_UPDATE":
		m, err := Decode(d)
		if err != nil {
			return nil, err
		}
		e, ok := FromMessage(m, us), true
		if name == "MESSAGE_UPDATE" {
			e, ok = FromUpdate(m, us)
		}
		if ok && !e.Author.Us {
			out = append(out, e)
		}
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		var del struct {
			ID      string   `json:"id"`
			IDs     []string `json:"ids"`
			Channel string   `json:"channel_id"`
			Guild   string   `json:"guild_id"`
		}
		if err := json.Unmarshal(d, &del); err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, errNoMessage)
		}
		for _, one := range append(del.IDs, del.ID) {
			if e, ok := FromDelete(one, del.Channel, del.Guild); ok {
				out = append(out, e)
			}
		}
	}
	return out, nil
}
