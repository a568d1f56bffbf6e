package discord

import (
	"encoding/json"
	"time"
)

// gatewayMessage is a message as events carry it.
type gatewayMessage struct {
	Message
	GuildID     string      `json:"guild_id,omitempty"`
	Member      *member     `json:"member,omitempty"`
	Mentions    []mentioned `json:"mentions"`
	ChannelType int         `json:"channel_type"`
}

// dispatchMessage sends a message event to every session that asked for such, each with as much content as it may read.
func (s *Server) dispatchMessage(name string, c *channel, m *Message, nonce any) {
	full := s.event(c, withNonce(s.shown(c, m), nonce))
	cut := s.shown(c, m)
	s.withhold(c, &cut)
	short := s.event(c, withNonce(cut, nonce))
	s.dispatch(name, c, intentGuildMessages, intentDirectMessages, func(n *session) any {
		if n.intents&intentContent != 0 {
			return full
		}
		return short
	})
}

// event dresses a message for the gateway.
func (s *Server) event(c *channel, v Message) gatewayMessage {
	e := gatewayMessage{Message: v, GuildID: s.guildOf(c), ChannelType: c.kind, Mentions: []mentioned{}}
	inGuild := c.kind != channelDM
	if inGuild && v.WebhookID == "" {
		e.Member = s.membership()
	}
	for _, u := range v.Mentions {
		m := mentioned{User: u}
		if inGuild {
			m.Member = s.membership()
		}
		e.Mentions = append(e.Mentions, m)
	}
	return e
}

// dispatchDelete sends MESSAGE_DELETE.
func (s *Server) dispatchDelete(c *channel, m *Message) {
	d := map[string]string{"id": m.ID, "channel_id": c.id}
	if guild := s.guildOf(c); guild != "" {
		d["guild_id"] = guild
	}
	s.dispatch("MESSAGE_DELETE", c, intentGuildMessages, intentDirectMessages, func(*session) any { return d })
}

// dispatchTyping sends TYPING_START.
func (s *Server) dispatchTyping(c *channel, u *User, now time.Time) {
	d := map[string]any{"channel_id": c.id, "user_id": u.ID, "timestamp": now.Unix()}
	if guild := s.guildOf(c); guild != "" {
		d["guild_id"], d["member"] = guild, s.memberOf(u)
	}
	s.dispatch("TYPING_START", c, intentGuildTyping, intentDirectTyping, func(*session) any { return d })
}

// dispatch sends an event of a channel to the sessions of its shard that asked for its kind, under the faults that wait for
// it. Equal forms are encoded once.
func (s *Server) dispatch(name string, c *channel, inGuild, inDM int, form func(*session) any) {
	if len(s.gateway.sessions) == 0 {
		return
	}
	times := 1
	switch {
	case s.takeEventFault(FaultMissing, name):
		times = 0
	case s.takeEventFault(FaultDuplicate, name):
		times = 2
	}
	s.expire(time.Now())
	var texts [2][]byte // without and with content
	for _, n := range s.gateway.sessions {
		need := inGuild
		mine := s.owns(n, s.guildID)
		if c.kind == channelDM {
			need, mine = inDM, n.shard[0] == 0
		}
		if n.intents&need == 0 || !mine {
			continue
		}
		kind := min(n.intents&intentContent, 1)
		if texts[kind] == nil {
			text, err := json.Marshal(form(n))
			if err != nil {
				s.opt.Log.Error("encode event", "name", name, "err", err)
				return
			}
			texts[kind] = text
		}
		for range times {
			n.emit(name, texts[kind])
		}
	}
}

// joined is when everybody came to the guild.
func (s *Server) joined() Time { return Time{time.UnixMilli(epoch + fixed)} }

func (s *Server) membership() *member { return &member{Roles: []string{}, JoinedAt: s.joined()} }

// memberOf is a user and the membership, as guild events carry both.
func (s *Server) memberOf(u *User) any {
	return struct {
		member
		User User `json:"user"`
	}{*s.membership(), *u}
}
