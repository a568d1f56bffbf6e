package discord

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Saying is what a person (or another bot) says, and how.
type Saying struct {
	// Author is a name or an id.
	Author string `json:"author"`
	// Content may hold "@Name", which becomes a mention, and any of Discord's markup.
	Content string `json:"content"`
	// ReplyTo is the id of a message of the same channel. Quiet replies without notifying its author.
	ReplyTo string `json:"reply_to"`
	Quiet   bool   `json:"quiet"`
	// Stickers are names.
	Stickers    []string     `json:"stickers"`
	Attachments []Attachment `json:"attachments"`
	// Forward makes this a forwarded message: it has the snapshot and no content of its own.
	Forward *Saying `json:"forward"`
	// Type is a message type other than speech, for example 7 for a join; Content is then the system's.
	Type  int `json:"type"`
	Flags int `json:"flags"`
	// Nonce is echoed to the gateway, as those of Discord's own client are.
	Nonce string `json:"nonce"`
}

// Say posts plain text. It returns the zero Message where channel or author do not exist; Post says why.
func (s *Server) Say(channel, author, text string) Message {
	m, err := s.Post(channel, Saying{Author: author, Content: text})
	if err != nil {
		return Message{}
	}
	return m
}

// Post posts what a person says; the event goes out before it returns. A person may write 4,000 code points.
func (s *Server) Post(channel string, say Saying) (Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return Message{}, err
	}
	u := s.user(say.Author)
	switch {
	case u == nil:
		return Message{}, fmt.Errorf("post as %q: author %w", say.Author, ErrUnknown)
	case u == s.bot:
		return Message{}, fmt.Errorf("post as the bot under test: %w", ErrRefused)
	case c.kind == channelDM && c.user != u.ID:
		return Message{}, fmt.Errorf("post into another user's direct messages: %w", ErrRefused)
	case len([]rune(say.Content)) > 4000:
		return Message{}, fmt.Errorf("post more than 4000 characters: %w", ErrRefused)
	}
	now := time.Now()
	s.lapse(c, now)
	if err := s.hears(c, u, say, now); err != nil {
		return Message{}, err
	}
	m := s.blank(c, u, now)
	s.fill(c, m, say)
	if say.ReplyTo != "" {
		target := c.byID[say.ReplyTo]
		if target == nil || target.Deleted {
			return Message{}, fmt.Errorf("reply to message %s: %w", say.ReplyTo, ErrUnknown)
		}
		s.reply(c, m, target)
	}
	if m.empty() && m.Type == typeDefault {
		return Message{}, fmt.Errorf("post an empty message: %w", ErrRefused)
	}
	allow := everything()
	allow.RepliedUser = !say.Quiet
	s.mention(c, m, allow)
	if say.Type == typeDefault {
		if err := s.enterAs(c, u, now); err != nil {
			return Message{}, err
		}
	}
	var nonce any
	if say.Nonce != "" {
		nonce = say.Nonce
	}
	s.publish(c, m, nonce)
	return s.shown(c, m), nil
}

// fill puts a saying's own parts into a message.
func (s *Server) fill(c *channel, m *Message, say Saying) {
	m.Content = s.addressed(strings.TrimSpace(say.Content))
	m.Type, m.Flags = say.Type, say.Flags
	for _, name := range say.Stickers {
		m.StickerItems = append(m.StickerItems, Sticker{ID: s.ids.next(m.Timestamp.Time), Name: name, Format: 1})
	}
	for _, a := range say.Attachments {
		a.ID = s.ids.next(m.Timestamp.Time)
		if a.URL == "" {
			a.URL = "https://attachments.invalid/" + c.id + "/" + a.ID
		}
		a.ProxyURL = a.URL
		m.Attachments = append(m.Attachments, a)
	}
	if say.Forward == nil {
		return
	}
	inner := s.blank(c, &m.Author, m.Timestamp.Time)
	s.fill(c, inner, Saying{Content: say.Forward.Content, Stickers: say.Forward.Stickers, Attachments: say.Forward.Attachments})
	m.MessageReference = &Reference{Type: 1, ChannelID: c.id, MessageID: inner.ID, GuildID: s.guildOf(c)}
	m.Snapshots = []Snapshot{{SnapshotMessage{
		Content: inner.Content, Mentions: inner.Mentions, MentionRoles: inner.MentionRoles, Attachments: inner.Attachments,
		Embeds: list(inner.Embeds), Timestamp: inner.Timestamp, Components: list(inner.Components), StickerItems: inner.StickerItems,
	}}}
}

// Edit changes a person's message, as its author.
func (s *Server) Edit(channel, id, text string) (Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, m, err := s.message(channel, id)
	if err != nil {
		return Message{}, err
	}
	if m.Author.ID == s.bot.ID {
		return Message{}, fmt.Errorf("edit the bot's message %s: %w", id, ErrRefused)
	}
	if s.lapse(c, time.Now()); c.thread != nil && (c.thread.archived || c.thread.locked) {
		return Message{}, fmt.Errorf("edit message %s in an archived thread: %w", id, ErrRefused)
	}
	changed := *m
	if changed.Content = s.addressed(strings.TrimSpace(text)); changed.empty() {
		return Message{}, fmt.Errorf("edit message %s to nothing: %w", id, ErrRefused)
	}
	s.revise(c, m, changed, nil)
	return s.shown(c, m), nil
}

// Delete removes anybody's message, as its author or a moderator does.
func (s *Server) Delete(channel, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, m, err := s.message(channel, id)
	if err != nil {
		return err
	}
	s.remove(c, m)
	return nil
}

// OpenDM returns the channel of direct messages between a user and the bot.
func (s *Server) OpenDM(user string) (channel string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel("dm:" + user)
	if err != nil {
		return "", err
	}
	return c.id, nil
}

// Type shows that a person is typing.
func (s *Server) Type(channel, user string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return err
	}
	u := s.user(user)
	if u == nil {
		return fmt.Errorf("type as %q: user %w", user, ErrUnknown)
	}
	s.typing(c, u, time.Now())
	return nil
}

// Messages returns what a channel shows now, oldest first, with edits and pings. An unknown channel has none.
func (s *Server) Messages(channel string) []Message {
	return s.history(channel, false)
}

// AllMessages is Messages with the deleted ones among them.
func (s *Server) AllMessages(channel string) []Message {
	return s.history(channel, true)
}

func (s *Server) history(channel string, deleted bool) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return nil
	}
	var all []Message
	for _, m := range c.messages {
		if deleted || !m.Deleted {
			all = append(all, s.shown(c, m))
		}
	}
	return all
}

// channel finds a channel by id, name or "dm:<user>", which opens it. The lock is held.
func (s *Server) channel(ref string) (*channel, error) {
	if c := s.byID[ref]; c != nil {
		return c, nil
	}
	if name, isDM := strings.CutPrefix(ref, "dm:"); isDM {
		if u := s.user(name); u != nil && !u.Bot {
			return s.dm(u), nil
		}
	}
	i := slices.IndexFunc(s.channels, func(c *channel) bool { return c.name != "" && c.name == ref })
	if i < 0 {
		return nil, fmt.Errorf("channel %q: %w", ref, ErrUnknown)
	}
	return s.channels[i], nil
}

// user finds a user by id or name. The lock is held.
func (s *Server) user(ref string) *User {
	for _, u := range s.users {
		if u.ID == ref || strings.EqualFold(u.Username, ref) || strings.EqualFold(*u.GlobalName, ref) {
			return u
		}
	}
	return nil
}

func (s *Server) message(ref, id string) (*channel, *Message, error) {
	c, err := s.channel(ref)
	if err != nil {
		return nil, nil, err
	}
	m := c.byID[id]
	if m == nil || m.Deleted {
		return nil, nil, fmt.Errorf("message %s: %w", id, ErrUnknown)
	}
	return c, m, nil
}
