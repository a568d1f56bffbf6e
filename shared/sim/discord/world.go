package discord

import (
	"encoding/json"
	"slices"
	"time"
)

// The few ways in which messages come to be, change and go. REST and the control side both use these, so that the gateway,
// the page and the history never disagree. The lock is held.

// blank is a message with nothing in it yet.
func (s *Server) blank(c *channel, author *User, now time.Time) *Message {
	return &Message{
		ID: s.ids.next(now), ChannelID: c.id, Author: *author, Timestamp: Time{now},
		Mentions: []User{}, MentionRoles: []string{}, Attachments: []Attachment{},
		Embeds: nil, Components: nil,
	}
}

// reply makes m an answer to target.
func (s *Server) reply(c *channel, m, target *Message) {
	m.Type = typeReply
	m.MessageReference = &Reference{ChannelID: c.id, MessageID: target.ID, GuildID: s.guildOf(c)}
	m.ReferencedMessage = &Referenced{target}
}

// publish adds a message to its channel and tells everybody. The nonce goes out with the event only.
func (s *Server) publish(c *channel, m *Message, nonce any) {
	c.messages = append(c.messages, m)
	c.byID[m.ID] = m
	s.keep(c, m)
	s.dispatchMessage("MESSAGE_CREATE", c, m, nonce)
	s.watch("create", watched{Channel: c.id, Message: s.control(m)})
}

// revise replaces a message by its changed form and keeps the earlier content.
func (s *Server) revise(c *channel, m *Message, changed Message, allow *allowedMentions) {
	now := Time{time.Now()}
	if changed.Content != m.Content {
		written := m.Timestamp
		if m.EditedTimestamp != nil {
			written = *m.EditedTimestamp
		}
		changed.Edits = append(m.Edits, Edit{Content: m.Content, At: written})
	}
	changed.EditedTimestamp = &now
	s.mention(c, &changed, allow)
	*m = changed
	s.keep(c, m)
	s.dispatchMessage("MESSAGE_UPDATE", c, m, nil)
	s.watch("update", watched{Channel: c.id, Message: s.control(m)})
}

// remove takes a message out of Discord; replies to it then refer to nothing.
func (s *Server) remove(c *channel, m *Message) {
	m.Deleted = true
	s.keep(c, m)
	s.dispatchDelete(c, m)
	s.watch("delete", watched{Channel: c.id, ID: m.ID})
}

// guildOf is the guild of a channel, or "" for direct messages.
func (s *Server) guildOf(c *channel) string {
	if c.guild == nil {
		return ""
	}
	return c.guild.id
}

// shown is a copy of a message as its reader gets it now: lists are never null, a deleted target is null, and the target of
// a target is left out.
func (s *Server) shown(c *channel, m *Message) Message {
	v := *m
	s.dressed(&v)
	if t := s.threadOn(m); t != nil {
		v.Thread = s.threadView(t)
	}
	if r := m.ReferencedMessage; r != nil {
		v.ReferencedMessage = &Referenced{}
		if target := r.Message; target != nil && !target.Deleted {
			t := *target
			s.dressed(&t)
			t.ReferencedMessage = nil
			v.ReferencedMessage.Message = &t
		}
	}
	return v
}

// dressed gives a message what depends on the time of reading: lists that are never null, links that hold, the state of a poll.
func (s *Server) dressed(v *Message) {
	v.Embeds, v.Components = list(v.Embeds), list(v.Components)
	v.Attachments = s.signed(v.Attachments)
	v.Poll = v.Poll.at(time.Now())
	if len(v.Snapshots) > 0 {
		v.Snapshots = slices.Clone(v.Snapshots)
		v.Snapshots[0].Message.Attachments = s.signed(v.Snapshots[0].Message.Attachments)
	}
}

// withheld is shown without what REST keeps from a bot that has no message content intent.
func (s *Server) withheld(c *channel, m *Message) Message {
	v := s.shown(c, m)
	if !s.opt.MessageContentEnabled {
		s.withhold(c, &v)
	}
	return v
}

// withhold empties a message's content unless the bot may read it anyway: its own, in direct messages, or notifying it. What
// a reply refers to is judged by itself.
func (s *Server) withhold(c *channel, v *Message) {
	if c.kind == channelDM {
		return
	}
	if !s.concerns(v) {
		v.Content, v.Embeds, v.Attachments, v.Components = "", []json.RawMessage{}, []Attachment{}, []json.RawMessage{}
		v.Snapshots, v.Poll = nil, nil
	}
	if r := v.ReferencedMessage; r != nil && r.Message != nil {
		t := *r.Message
		s.withhold(c, &t)
		v.ReferencedMessage = &Referenced{&t}
	}
}

// concerns says whether a message is the bot's own or mentions it; a reply that notifies the bot mentions it too.
func (s *Server) concerns(m *Message) bool {
	if m.Author.ID == s.bot.ID {
		return true
	}
	for _, u := range m.Mentions {
		if u.ID == s.bot.ID {
			return true
		}
	}
	return false
}

// list is never nil, so that JSON shows [] and not null.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// withNonce echoes the nonce of a create to its caller.
func withNonce(m Message, nonce any) Message {
	m.Nonce = nonce
	return m
}
