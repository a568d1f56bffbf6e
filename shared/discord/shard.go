package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"tsumugi/shared/chat"

	"github.com/gorilla/websocket"
)

// Pace and patience of one shard.
const (
	dialLimit     = 15 * time.Second
	readLimit     = 64 << 20         // bytes of one payload
	steadyAfter   = time.Minute      // a connection this old starts over with the backoff when it ends
	matureAfter   = 10 * time.Minute // a session this old was worth its IDENTIFY
	backoffYoung  = 5 * time.Minute  // the last pause before another session, when they die young: fewer than 500 a day
	resumeTries   = 5                // resumes in a row that lead nowhere
	maxGaps       = 3                // resumes in a row for the sake of the same event that did not arrive
	putAgainAfter = time.Second
)

// shard holds one session after the other. Its fields without a lock belong to the goroutine of run, which is also the
// reader of every connection.
type shard struct {
	r      *relay
	n, of  int
	board  *board
	starts *starts
	p      *progress
	force  chan struct{} // keep the state now; holds one
	tasks  sync.WaitGroup

	me      User
	app     string       // id of the application; "" until a session was told, or it was asked for
	session chat.Session // Seq is the last event taken
	born    time.Time    // of the session
	young   int          // sessions in a row that did not get old
	fails   int          // connections in a row that did not last
	resumes int          // of the session, that lead nowhere
	gaps    int          // times in a row that the next event did not arrive
	kept    chat.Shard   // as it was at the start

	complained time.Time // of the keeper, about the store

	mu     sync.Mutex
	spare  bool        // another relay keeps the shard
	taken  bool        // another relay goes on with the session
	known  string      // the session's id, for the keeper
	self   chat.UserID // who we are, for the catch-up
	missed *catchUp    // of the session; nil before the first
}

func (r *relay) shard(n, of int, kept chat.Shard, b *board, st *starts) *shard {
	return &shard{r: r, n: n, of: of, me: r.me, board: b, starts: st, p: newProgress(kept, &r.g.REST.clock), force: make(chan struct{}, 1), kept: kept}
}

// run holds the shard until the context ends, which gives nil, or Discord refuses it with a *Fatal. What it leaves can be
// resumed at once.
func (s *shard) run(ctx context.Context) error {
	s.claim(ctx)
	working, stop := context.WithCancel(ctx)
	defer stop()
	s.tasks.Go(func() { s.keep(working) })
	err := s.supervise(working)
	stop()
	s.tasks.Wait()
	s.leave(ctx)
	return err
}

// supervise makes one connection after the other.
func (s *shard) supervise(ctx context.Context) error {
	for {
		s.mu.Lock()
		taken := s.taken
		s.mu.Unlock()
		if taken {
			s.lose()
		}
		readyAt, err := s.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if fatal := (*Fatal)(nil); errors.As(err, &fatal) {
			return fatal
		}
		if !readyAt.IsZero() {
			if time.Since(readyAt) >= steadyAfter {
				s.fails = 0
			}
			s.board.down(s.n, err)
		}
		wait := s.patience(err)
		s.fails++
		slog.WarnContext(ctx, "the gateway connection ended", "shard", s.n, "error", err, "resume", s.session.ID != "",
			"again", wait.Round(time.Millisecond).String())
		if pause(ctx, wait) != nil {
			return nil
		}
	}
}

// patience is the pause after a connection ended.
func (s *shard) patience(err error) time.Duration {
	wait := max(backoff(s.fails, backoffLast), after(err))
	if s.session.ID == "" && s.young > 0 {
		wait = max(wait, backoff(s.young-1, backoffYoung))
	}
	var uncounted *errUncounted
	if errors.As(err, &uncounted) {
		wait = max(wait, uncounted.wait)
	}
	if errors.Is(err, errInvalid) {
		wait = max(wait, time.Second+rand.N(4*time.Second)) // as Discord demands
	}
	return wait
}

// lose forgets the session: it cannot be resumed.
func (s *shard) lose() {
	if s.session.ID != "" && !s.born.IsZero() && time.Since(s.born) >= matureAfter {
		s.young = 0
	}
	s.adopt(chat.Session{})
}

// adopt takes a session, or none, for ours.
func (s *shard) adopt(session chat.Session) {
	s.session, s.resumes, s.gaps = session, 0, 0
	s.mu.Lock()
	s.known, s.taken = session.ID, false
	s.mu.Unlock()
}

// connect holds one connection. It returns when the session on it was ready, and why it ended.
func (s *shard) connect(ctx context.Context) (time.Time, error) {
	if s.resumes >= resumeTries {
		s.lose()
	}
	address, turn, err := s.way(ctx)
	if err != nil {
		return time.Time{}, err
	}
	defer turn(false)
	g := s.r.g
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialLimit, NetDialContext: g.Dial}
	ctxDial, done := context.WithTimeout(ctx, dialLimit)
	ws, resp, err := dialer.DialContext(ctxDial, address, http.Header{"User-Agent": {g.REST.agent}})
	done()
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
	if err != nil {
		s.session.URL = "" // the way back may be closed; the front door leads to the session as well
		return time.Time{}, fmt.Errorf("dial the gateway: %w", safeCause(ctx, err))
	}
	ws.SetReadLimit(readLimit)
	ws.SetCloseHandler(func(int, string) error { // to echo 1000 or 1001 would end the session
		_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(closeOurs, ""), time.Now().Add(closeLimit))
		return nil
	})
	l := &link{s: s, ws: ws, turn: turn}
	err = l.run(ctx)
	return l.readyAt, s.explain(ctx, err, l.token)
}

// way is where to connect to: back to the session if there is one, else where Discord says; and the turn to start one.
func (s *shard) way(ctx context.Context) (string, func(sent bool), error) {
	if s.session.ID == "" {
		return s.prepare(ctx)
	}
	free := func(bool) {}
	if s.me.ID == "" { // an earlier process was told who we are
		me, err := s.r.g.REST.Me(ctx)
		if unauthorized(err) {
			err = newFatal(closeAuthentication, false)
		}
		if err != nil {
			return "", nil, err
		}
		s.me = me
	}
	if s.session.URL != "" {
		return s.session.URL, free, nil
	}
	info, err := s.r.g.gateway(ctx)
	if err != nil {
		return "", nil, err
	}
	address, ok := gatewayURL(info.URL, false)
	if !ok {
		return "", nil, errBadURL
	}
	return address, free, nil
}

// explain reads the end of a connection: a fatal code becomes a *Fatal, and the session is forgotten when the code says
// that it is gone. A token that was changed meanwhile is not fatal: its successor starts a session of its own.
func (s *shard) explain(ctx context.Context, err error, token string) error {
	var c *websocket.CloseError
	if !errors.As(err, &c) {
		return err
	}
	if c.Code == closeAuthentication && s.r.g.REST.replaced(ctx, token) {
		s.lose()
		return fmt.Errorf("the gateway closed with code %d: the token was changed", c.Code)
	}
	if fixes[c.Code] != "" {
		return newFatal(c.Code, s.r.g.MessageContent)
	}
	switch c.Code { // of any other Discord may still know the session, and a resume costs nothing
	case closeNotAuthenticated, closeSequence, closeTimedOut:
		s.lose()
	}
	return fmt.Errorf("the gateway closed with code %d", c.Code)
}

// hand gives an event to the spool, behind what is read from its channel if something was missed there. It fails only when
// the context ends.
func (s *shard) hand(ctx context.Context, e chat.Event, st *step) error {
	s.p.expect(st)
	if s.missed != nil {
		held, err := s.missed.hold(ctx, e, st)
		if held || err != nil {
			return err
		}
	}
	return s.put(ctx, e, st)
}

// put gives an event of a step, which is open for it, to the spool.
func (s *shard) put(ctx context.Context, e chat.Event, st *step) error {
	for {
		err := s.r.spool.Put(ctx, e, func() { s.p.done(st) })
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		slog.ErrorContext(ctx, "the spool refused an event", "event", string(e.ID), "channel", string(e.Channel), "error", err)
		if err := pause(ctx, putAgainAfter); err != nil {
			return err
		}
	}
}

// us is the bot's own id.
func (s *shard) us() chat.UserID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.self
}

// renew begins with a new session: what was missed before it is to be read. guilds are those that Discord will describe.
func (s *shard) renew(ctx context.Context, session chat.Session, guilds []string) {
	s.adopt(session)
	s.born = time.Now()
	if s.missed != nil {
		s.missed.end()
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	gate, base := s.p.gate(session)
	s.self = s.me.ID
	c := newCatchUp(s, gate, cancel, guilds, s.missed)
	s.missed = c
	spare := s.spare
	s.mu.Unlock()
	// Also next to a relay that keeps the shard: it may be dead already, and what it did not put on the queue must not come
	// after what this session brings in the same channel. Without a watermark of its we have to wait for it, or for its end.
	if !spare || base != "" {
		c.begin(base)
	}
	s.tasks.Go(func() {
		defer cancel()
		c.run(ctx)
	})
}
