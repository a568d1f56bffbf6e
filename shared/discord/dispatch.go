package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// maxFirst is the number that a READY may have: it is the first event of its session.
const maxFirst = 1 << 31

// take obeys one payload. An error ends the connection. A payload that is not understood is skipped.
func (l *link) take(ctx context.Context, raw []byte) error {
	began := time.Now()
	l.busy.Store(began.UnixNano())
	defer func() {
		if time.Since(began) >= tookLong {
			l.stalled.Store(true)
		}
		l.busy.Store(0)
	}()
	var p payload
	if err := json.Unmarshal(flat(raw), &p); err != nil {
		slog.WarnContext(ctx, "a gateway payload was not understood", "bytes", len(raw))
		return nil
	}
	switch p.Op {
	case opHeartbeat:
		return l.heartbeat()
	case opAck:
		l.asked.Store(0)
	case opReconnect:
		return errAsked
	case opInvalid:
		var resumable bool
		if json.Unmarshal(p.D, &resumable) != nil || !resumable {
			l.s.lose()
		}
		return errInvalid
	case opDispatch:
		return l.dispatch(ctx, p)
	}
	return nil
}

// dispatch takes an event. It blocks while there is no room for it.
func (l *link) dispatch(ctx context.Context, p payload) error {
	s := l.s
	if p.T == "READY" {
		return l.welcome(ctx, p)
	}
	if s.session.ID == "" {
		return nil // it is of no session that we know
	}
	if p.T == "RESUMED" {
		s.resumes = 0
		l.begin()
	}
	if p.Seq > 0 {
		switch due := s.session.Seq + 1; {
		case p.Seq < due:
			return nil // it came before
		case p.Seq > due:
			return s.gap(ctx, p.Seq-due)
		}
		if p.T != "RESUMED" { // which comes in any case, with or without what did not arrive
			s.gaps = 0
		}
	}
	out := told{}
	var err error
	switch p.T {
	case "GUILD_CREATE":
		err = s.described(p.D)
	case "INTERACTION_CREATE":
		err = l.interaction(ctx, p.D)
	default:
		out, err = translate(p.T, p.D, s.me.ID, s.application(ctx, p.D))
	}
	if err != nil {
		slog.WarnContext(ctx, "a gateway event was not understood", "type", first(strings.ToValidUTF8(p.T, ""), 40), "bytes", len(p.D))
	}
	return l.forward(ctx, max(p.Seq, s.session.Seq), out)
}

// application is the id of our application where a payload is about a webhook's message, which may be ours. An earlier process may
// have been told it; nobody is asked where it does not matter.
func (s *shard) application(ctx context.Context, d json.RawMessage) string {
	if s.app == "" && bytes.Contains(d, []byte(`"webhook_id"`)) {
		s.app, _ = s.r.g.REST.applicationID(ctx) // without, it is a stranger's: nobody answers that either
	}
	return s.app
}

// gap is called when events did not arrive. A resume repeats them. Where it does not, again and again, a new session begins,
// before which they are read from their channels like everything that was missed.
func (s *shard) gap(ctx context.Context, missing int64) error {
	if s.gaps++; s.gaps > maxGaps {
		slog.ErrorContext(ctx, "events of the gateway do not arrive, and resuming does not bring them: a new session begins",
			"shard", s.n, "missing", missing)
		s.lose()
	}
	return errGap
}

// forward hands on what a payload told. The session has come to seq then: what was not handed on is repeated by a resume.
func (l *link) forward(ctx context.Context, seq int64, out told) error {
	s := l.s
	session := s.session
	session.Seq = seq
	st := s.p.add(session, out.message, out.dm)
	for _, e := range out.events {
		if err := s.hand(ctx, e, st); err != nil {
			return err
		}
	}
	s.session.Seq = seq
	l.seq.Store(seq)
	s.p.done(st)
	return nil
}

// welcome notes the new session.
func (l *link) welcome(ctx context.Context, p payload) error {
	var r struct {
		Session string          `json:"session_id"`
		Resume  string          `json:"resume_gateway_url"`
		User    *discordgo.User `json:"user"`
		App     struct {
			ID string `json:"id"`
		} `json:"application"`
		Guilds []struct {
			ID string `json:"id"`
		} `json:"guilds"`
	}
	var odd *json.UnmarshalTypeError // one part is not as documented; the others count
	if err := json.Unmarshal(p.D, &r); err != nil && !errors.As(err, &odd) || r.Session == "" || r.User == nil ||
		!snowflake(r.User.ID) || // without our own id our messages would be news
		p.Seq > maxFirst { // and behind such a number every event would seem old
		return errBadReady
	}
	s := l.s
	s.app = cmp.Or(cleanID(r.App.ID), cleanID(r.User.ID)) // most have one id for both
	s.me = User{ID: chat.UserID(cleanID(r.User.ID)), Name: displayName(r.User, nil)}
	session := chat.Session{ID: strings.Clone(r.Session), Seq: max(p.Seq, 0), Shards: s.of, Intents: int(s.r.g.intents())}
	session.URL, _ = gatewayURL(r.Resume, s.r.secure())
	guilds := make([]string, 0, len(r.Guilds))
	for _, g := range r.Guilds {
		guilds = append(guilds, cleanID(g.ID))
	}
	s.renew(ctx, session, guilds)
	l.seq.Store(session.Seq)
	l.begin()
	return nil
}

// secure tells whether everything is encrypted, as with the real Discord.
func (r *relay) secure() bool { return strings.HasPrefix(r.g.REST.base, "https:") }

// begin is after READY or RESUMED.
func (l *link) begin() {
	l.ready.Store(true)
	l.readyAt = time.Now()
	signal(l.s.force)
	l.s.board.up(l.s.n, l.s.me)
}

// described takes note of the channels of a guild, for what may have been missed there.
func (s *shard) described(d json.RawMessage) error {
	g, err := readGuild(d)
	if err == nil && s.missed != nil {
		s.missed.describe(g)
	}
	return err
}
