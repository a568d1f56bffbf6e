package discord

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

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
	closeLimit = time.Second            // for the peer to take our close frame
	emptyAfter = time.Millisecond       // of waiting for a frame: there was none
	tookLong   = time.Second            // for a payload to be taken: until then nobody reads what the peer answers
	minBeat    = 100 * time.Millisecond // Discord asks for about 41 s; less than this is a mistake or malice
)

// Why this side ended a connection.
var (
	errDead     = errors.New("the gateway stopped answering heartbeats")
	errUnready  = errors.New("the gateway gave no session")
	errAsked    = errors.New("the gateway asked for a new connection")
	errInvalid  = errors.New("the gateway session is not valid any more")
	errNoHello  = errors.New("the gateway did not say hello")
	errBadReady = errors.New("the gateway's READY names no session that can be")
	errGap      = errors.New("an event of the gateway did not arrive")
)

// payload is a frame of the gateway.
type payload struct {
	Op  int             `json:"op"`
	D   json.RawMessage `json:"d"`
	Seq int64           `json:"s"`
	T   string          `json:"t"`
}

// link is one connection. Its reader is run, which waits for the two others: beat, and what ends it with the context.
type link struct {
	s    *shard
	ws   *websocket.Conn
	turn func(sent bool) // to start a session

	token string // that it introduced itself with

	writing sync.Mutex
	asked   atomic.Int64 // when the oldest heartbeat without an answer was sent, in nanoseconds; 0 when there is none
	busy    atomic.Int64 // since when a payload is being read and handed on; 0 when none is
	stalled atomic.Bool  // that took long since the last heartbeat
	seq     atomic.Int64
	ready   atomic.Bool
	readyAt time.Time
	idle    time.Time // when there was nothing to read last; the reader's

	ending sync.Mutex
	cause  error // why this side ended the connection; nil while it lives
}

// run holds the connection until it ends, and returns why.
func (l *link) run(ctx context.Context) error {
	defer l.ws.Close()
	told := make(chan struct{})
	untell := context.AfterFunc(ctx, func() {
		defer close(told)
		l.end(closeOurs, context.Cause(ctx))
	})
	defer func() {
		if !untell() {
			<-told
		}
	}()
	every, err := l.hello()
	if err != nil {
		return err
	}
	l.seq.Store(l.s.session.Seq)
	if err := l.introduce(ctx); err != nil {
		l.end(closeOurs, err)
		return err
	}
	over, beaten := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(beaten)
		l.beat(every, over)
	}()
	defer func() { close(over); <-beaten }()
	for {
		asked := time.Now()
		_, raw, err := l.ws.ReadMessage()
		if time.Since(asked) > emptyAfter {
			l.idle = time.Now()
		}
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
	if err := l.readUntil(time.Now().Add(helloLimit)); err != nil {
		return 0, err
	}
	_, raw, err := l.ws.ReadMessage()
	if ended := l.ended(); ended != nil {
		return 0, ended
	}
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
	return max(time.Duration(h.Interval)*time.Millisecond, minBeat), l.readUntil(time.Time{})
}

// readUntil bounds how long is read; with the zero time nothing does. It fails when the connection was ended meanwhile, whose
// own bound it may have replaced.
func (l *link) readUntil(t time.Time) error {
	if err := l.ws.SetReadDeadline(t); err != nil {
		return err
	}
	return l.ended()
}

// introduce resumes the session, or starts one.
func (l *link) introduce(ctx context.Context) error {
	g, session := l.s.r.g, &l.s.session
	var err error
	if l.token, err = g.REST.token(ctx, ""); err != nil {
		return err
	}
	if session.ID != "" {
		l.s.resumes++
		return l.send(opResume, map[string]any{"token": l.token, "session_id": session.ID, "seq": session.Seq})
	}
	if err := l.s.count(ctx); err != nil {
		return err
	}
	defer l.turn(true)
	l.s.young++
	d := map[string]any{"token": l.token, "intents": g.intents(), "properties": map[string]string{
		"os": runtime.GOOS, "browser": "tsumugi", "device": "tsumugi",
	}}
	if l.s.of > 1 {
		d["shard"] = [2]int{l.s.n, l.s.of}
	}
	return l.send(opIdentify, d)
}

// beat sends heartbeats, and ends the connection when the peer is dead or gives no session. A session that there is is kept,
// for us or for the next process.
func (l *link) beat(every time.Duration, over <-chan struct{}) {
	timer := time.NewTimer(rand.N(every)) // the first at a random point, as Discord demands
	defer timer.Stop()
	unready := time.NewTimer(readyLimit) // of its own: the peer says how often to beat, and may say every hour
	defer unready.Stop()
	for {
		select {
		case <-over:
			return
		case <-unready.C:
			if l.ready.Load() {
				continue
			}
			if l.busy.Load() == 0 {
				l.end(closeOurs, errUnready)
				return
			}
			unready.Reset(readyLimit) // it is us who do not listen
			continue
		case <-timer.C:
		}
		if l.stalled.Swap(false) || l.busy.Load() != 0 {
			l.asked.Store(0) // likewise
		}
		if asked := l.asked.Load(); asked != 0 && time.Since(time.Unix(0, asked)) >= every {
			l.end(closeOurs, errDead)
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
	l.asked.CompareAndSwap(0, time.Now().UnixNano())
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
