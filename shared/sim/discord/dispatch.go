package discord

import (
	"encoding/json"
	"slices"
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
		e.Member = c.membership(v.Author.ID)
	}
	for _, u := range v.Mentions {
		m := mentioned{User: u}
		if inGuild {
			m.Member = c.membership(u.ID)
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
		d["guild_id"], d["member"] = guild, s.memberOf(c.guild, u)
	}
	s.dispatch("TYPING_START", c, intentGuildTyping, intentDirectTyping, func(*session) any { return d })
}

// dispatch sends an event of a channel that the bot sees to the sessions of its shard that asked for its kind.
func (s *Server) dispatch(name string, c *channel, inGuild, inDM int, form func(*session) any) {
	if len(s.gateway.sessions) == 0 || c.guild != nil && c.guild.outage || !s.sees(c, s.bot.ID) {
		return
	}
	s.deliver(name, func(n *session) bool {
		if c.kind == channelDM {
			return n.intents&inDM != 0 && n.shard[0] == 0
		}
		return n.intents&inGuild != 0 && s.owns(n, c.guild.id)
	}, form)
}

// deliver sends an event to the sessions that get it, under the faults that wait for it. Equal forms are encoded once.
func (s *Server) deliver(name string, gets func(*session) bool, form func(*session) any) {
	s.expire(time.Now())
	to := slices.DeleteFunc(s.gateway.each(), func(n *session) bool { return !gets(n) })
	if len(to) == 0 {
		return
	}
	fate := s.decide(name, to)
	var texts [2][]byte // without and with content
	for _, n := range to {
		kind := min(n.intents&intentContent, 1)
		if texts[kind] == nil {
			text, err := json.Marshal(form(n))
			if err != nil {
				s.opt.Log.Error("encode event", "name", name, "err", err)
				return
			}
			texts[kind] = text
		}
		s.hand(n, name, texts[kind], fate)
	}
}
