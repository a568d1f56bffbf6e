package discord

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Intents by name.
const (
	intentGuilds          = 1 << 0
	intentMembers         = 1 << 1
	intentGuildWebhooks   = 1 << 5
	intentPresences       = 1 << 8
	intentGuildMessages   = 1 << 9
	intentGuildReactions  = 1 << 10
	intentGuildTyping     = 1 << 11
	intentDirectMessages  = 1 << 12
	intentDirectReactions = 1 << 13
	intentDirectTyping    = 1 << 14
	intentContent         = 1 << 15
	intentsKnown          = 1<<26 - 1
)

// session is one logical gateway session; it outlives its connection. It is under the server's lock.
type session struct {
	id      string
	serial  int // sessions are served in the order in which they began
	intents int
	shard   [2]int64
	seq     int64
	replay  []event // the newest events, oldest first
	keep    int     // so many of them
	held    []held  // wait to be overtaken
	late    int     // are delayed
	conn    *conn   // nil while nobody is connected
	lost    time.Time
}

// event is a dispatch as it was sent.
type event struct {
	seq  int64
	text []byte
}

// emit gives the session its next event and returns its number. A lost one does not reach the connection.
func (n *session) emit(name string, d []byte, lost bool) int64 {
	n.seq++
	text := fmt.Appendf(make([]byte, 0, len(d)+80), `{"op":0,"t":%q,"s":%d,"d":%s}`, name, n.seq, d)
	n.replay = append(n.replay, event{n.seq, text})
	if len(n.replay) >= 2*n.keep {
		n.replay = append([]event(nil), n.replay[len(n.replay)-n.keep:]...)
	}
	if n.conn != nil && !n.conn.mute && !lost {
		n.conn.push(frame{text: text})
	}
	return n.seq
}

// replayed returns the events after a number, and false where some of them are not kept any more.
func (n *session) replayed(seq int64) ([]event, bool) {
	kept := n.replay[max(0, len(n.replay)-n.keep):]
	missing := n.seq - seq
	if missing > int64(len(kept)) {
		return nil, false
	}
	return kept[int64(len(kept))-missing:], true
}

// identify begins a session.
func (s *Server) identify(c *conn, d []byte, now time.Time) (code int, why string) {
	if c.session != nil {
		return closeAlready, "Already authenticated."
	}
	var ask struct {
		Token   string   `json:"token"`
		Intents *int     `json:"intents"`
		Shard   *[]int64 `json:"shard"`
	}
	if json.Unmarshal(d, &ask) != nil {
		return closeDecode, "Error while decoding payload."
	}
	if bare(ask.Token) != s.opt.Token {
		return closeAuthentication, "Authentication failed."
	}
	shard := [2]int64{0, 1}
	if ask.Shard != nil {
		if len(*ask.Shard) != 2 || (*ask.Shard)[1] < 1 || (*ask.Shard)[0] < 0 || (*ask.Shard)[0] >= (*ask.Shard)[1] {
			return closeShard, "Invalid shard."
		}
		shard = [2]int64(*ask.Shard)
	}
	if shard[1] < int64(s.opt.MinShards) {
		return closeSharding, "Sharding required."
	}
	if ask.Intents == nil || *ask.Intents < 0 || *ask.Intents&^intentsKnown != 0 {
		return closeIntents, "Invalid intent(s)."
	}
	if *ask.Intents&^s.allowedIntents() != 0 {
		return closeDisallowed, "Disallowed intent(s)."
	}
	if s.opt.MaxConcurrency > 0 && !s.gateway.admit(int(shard[0])%s.opt.MaxConcurrency, now) {
		c.push(control(opInvalid, false))
		return 0, ""
	}
	if s.gateway.renew(now); s.gateway.remaining <= 0 && !s.opt.NoLimits {
		s.resetToken()
		return closeAuthentication, "Authentication failed."
	}
	s.gateway.remaining = max(0, s.gateway.remaining-1)
	s.gateway.identifies++
	s.gateway.nextID++
	n := &session{
		id: "session" + strconv.Itoa(s.gateway.nextID), serial: s.gateway.nextID, intents: *ask.Intents, shard: shard,
		keep: s.opt.ReplayKept, conn: c,
	}
	s.gateway.sessions[n.id], c.session = n, n
	c.mute = s.takeFor(FaultNoReady, n).Kind != ""
	s.welcome(n, ask.Shard != nil)
	return 0, ""
}

// allowedIntents is every intent but the privileged ones that the application may not use.
func (s *Server) allowedIntents() int {
	may := intentsKnown &^ (intentMembers | intentPresences | intentContent)
	if s.opt.GuildMembersEnabled {
		may |= intentMembers
	}
	if s.opt.MessageContentEnabled {
		may |= intentContent
	}
	return may
}

// welcome sends READY, and the guilds to those who asked for guilds.
func (s *Server) welcome(n *session, sharded bool) {
	guilds := []map[string]any{}
	mine := s.guildsOf(n)
	for _, g := range mine {
		guilds = append(guilds, map[string]any{"id": g.id, "unavailable": true})
	}
	ready := map[string]any{
		"v": 10, "user": self{User: *s.bot, Locale: "en-US", Verified: true}, "guilds": guilds, "session_id": n.id,
		"resume_gateway_url": n.conn.request.resumeURL(), "session_type": "normal",
		"private_channels": []any{}, "relationships": []any{}, "user_settings": map[string]any{},
		"application": map[string]any{"id": s.appID, "flags": s.appFlags()},
	}
	if sharded {
		ready["shard"] = n.shard
	}
	s.emit(n, "READY", ready)
	if n.intents&intentGuilds == 0 {
		return
	}
	for _, g := range mine {
		if !g.outage {
			s.emit(n, "GUILD_CREATE", s.createdGuild(g))
		}
	}
}

// resume gives a session back to a client, with what it missed.
func (s *Server) resume(c *conn, d []byte, now time.Time) (code int, why string) {
	var ask struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}
	if json.Unmarshal(d, &ask) != nil {
		return closeDecode, "Error while decoding payload."
	}
	if bare(ask.Token) != s.opt.Token {
		return closeAuthentication, "Authentication failed."
	}
	if c.session != nil {
		return closeAlready, "Already authenticated."
	}
	s.expire(now)
	n := s.gateway.sessions[ask.Session]
	if n != nil && (ask.Seq > n.seq || ask.Seq < 0) {
		return closeSequence, "Invalid seq."
	}
	if n == nil {
		c.push(control(opInvalid, false))
		return 0, ""
	}
	missed, kept := n.replayed(ask.Seq)
	if !kept {
		c.push(control(opInvalid, false))
		return 0, ""
	}
	if n.conn != nil {
		n.conn.session = nil
		n.conn.push(frame{drop: true})
	}
	n.conn, c.session = c, n
	s.gateway.resumes++
	if c.elsewhere {
		s.gateway.elsewhere++
	}
	for _, e := range missed {
		c.push(frame{text: e.text})
	}
	s.emit(n, "RESUMED", map[string]any{})
	return 0, ""
}

// expire forgets sessions that nobody came back for.
func (s *Server) expire(now time.Time) {
	for id, n := range s.gateway.sessions {
		if n.conn == nil && now.Sub(n.lost) > s.opt.ResumeWindow {
			delete(s.gateway.sessions, id)
		}
	}
}

// resetToken ends every session and gives the application another token, as Discord does with a bot that identifies too often. The
// lock is held.
func (s *Server) resetToken() {
	first, _, form := strings.Cut(s.opt.Token, ".") // in Discord's form it is the application's id, which stays
	if s.opt.Token = fmt.Sprintf("reset-%016x", s.random.Uint64()); form {
		s.opt.Token = first + "." + s.opt.Token
	}
	for _, c := range s.gateway.conns {
		if c.session != nil {
			c.session.conn, c.session = nil, nil
			c.push(frame{close: closeAuthentication, why: "Authentication failed."})
		}
	}
	clear(s.gateway.sessions)
}

// Token is the bot's token now.
func (s *Server) Token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opt.Token
}

// startLimit is what GET /gateway/bot says about IDENTIFYs. The lock is held.
func (s *Server) startLimit(now time.Time) map[string]int {
	s.gateway.renew(now)
	limit := map[string]int{
		"total": s.opt.Identifies, "remaining": s.gateway.remaining, "max_concurrency": max(1, s.opt.MaxConcurrency),
		"reset_after": int(max(0, s.gateway.renews.Sub(now)).Milliseconds()),
	}
	if f := s.takeFor(FaultNoSessions, nil); f.Kind != "" {
		limit["remaining"], limit["reset_after"] = 0, f.DelayMS
	}
	return limit
}

// owns says whether a guild's events belong to the session's shard.
func (s *Server) owns(n *session, guild string) bool {
	id, _ := number(guild)
	return (id>>22)%n.shard[1] == n.shard[0]
}

func (s *Server) emit(n *session, name string, d any) {
	text, err := json.Marshal(d)
	if err != nil {
		s.opt.Log.Error("encode event", "name", name, "err", err)
		return
	}
	s.tally(n, name, text, n.emit(name, text, false), WaySent)
}
