package discord

import (
	"fmt"
	"strings"
	"time"
)

// ThreadSpec is a thread as a person opens it.
type ThreadSpec struct {
	// Author is the person, by name or id.
	Author string `json:"author"`
	// Name has 1 to 100 characters.
	Name string `json:"name"`
	// Message is the id of the message it stands on; none for "".
	Message string `json:"message"`
	// Private opens a private thread. Invite lets more people, or the bot, into it.
	Private bool     `json:"private"`
	Invite  []string `json:"invite"`
	// Content is the first message of a forum's post, and Tags are its tags by id or name.
	Content string   `json:"content"`
	Tags    []string `json:"tags"`
}

// StartThread opens a thread or a forum's post as a person does, and tells the gateway.
func (s *Server) StartThread(ref string, spec ThreadSpec) (Channel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.guildChannel(ref)
	if err != nil {
		return Channel{}, err
	}
	u := s.user(spec.Author)
	spec.Name = strings.TrimSpace(spec.Name)
	switch {
	case u == nil || u == s.bot:
		return Channel{}, fmt.Errorf("open a thread as %q: author %w", spec.Author, ErrUnknown)
	case checkName(spec.Name) != nil:
		return Channel{}, fmt.Errorf("open a thread without a name of 1 to 100 characters: %w", ErrRefused)
	case c.threadKind() == 0:
		return Channel{}, fmt.Errorf("open a thread in %s: %w", c.name, ErrRefused)
	}
	t, err := s.open(c, u, spec)
	if err != nil {
		return Channel{}, err
	}
	for _, name := range spec.Invite {
		if guest := s.user(name); guest != nil && c.guild.members[guest.ID] != nil {
			s.joinThread(t, guest, time.Now())
		}
	}
	return t.state(), nil
}

func (s *Server) open(c *channel, u *User, spec ThreadSpec) (*channel, error) {
	now := time.Now()
	p := threadPlan{id: s.ids.next(now), parent: c, kind: c.threadKind(), name: spec.Name, owner: u, invites: true}
	need := createPublicThreads
	switch {
	case c.posts():
		need = sendMessages
	case spec.Private:
		need = createPrivateThreads
	}
	if no := s.may(c, u.ID, need); no != nil {
		return nil, worded("open a thread", no)
	}
	switch {
	case c.posts():
		return s.openPost(p, spec, now)
	case spec.Message != "":
		m := c.byID[spec.Message]
		if m == nil || m.Deleted {
			return nil, fmt.Errorf("message %s: %w", spec.Message, ErrUnknown)
		}
		if s.byID[m.ID] != nil || !m.speech() {
			return nil, fmt.Errorf("open a thread on message %s: %w", m.ID, ErrRefused)
		}
		p.id = m.ID
		return s.threadFrom(m, p, now), nil
	case spec.Private && c.kind != channelText:
		return nil, fmt.Errorf("open a private thread in %s: %w", c.name, ErrRefused)
	case spec.Private:
		p.kind = channelPrivateThread
	}
	return s.threadAlone(p, now), nil
}

func (s *Server) openPost(p threadPlan, spec ThreadSpec, now time.Time) (*channel, error) {
	var err error
	if p.tags, err = p.parent.tagged(spec.Tags); err != nil {
		return nil, err
	}
	t, no := s.post(p, now, func(t *channel, m *Message) *reply {
		s.fill(t, m, Saying{Content: spec.Content})
		if m.empty() {
			no := emptyMessage()
			return &no
		}
		s.mention(t, m, nil)
		return nil
	})
	if no != nil {
		return nil, worded("post", no)
	}
	return t, nil
}

// worded is Discord's answer as an error of the control side.
func worded(what string, no *reply) error {
	if f, is := no.body.(failure); is {
		return fmt.Errorf("%s: %s (%d): %w", what, f.Message, f.Code, ErrRefused)
	}
	return fmt.Errorf("%s: %w", what, ErrRefused)
}

// BulkDelete takes messages out of a channel at once, as a moderating bot does. The gateway hears one MESSAGE_DELETE_BULK.
func (s *Server) BulkDelete(ref string, ids []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.guildChannel(ref)
	if err != nil {
		return err
	}
	gone := []string{}
	for _, id := range ids {
		m := c.byID[id]
		if m == nil || m.Deleted {
			return fmt.Errorf("message %s: %w", id, ErrUnknown)
		}
		gone = append(gone, id)
	}
	for _, id := range gone {
		m := c.byID[id]
		m.Deleted = true
		s.keep(c, m)
		s.watch("delete", watched{Channel: c.id, ID: id})
	}
	d := map[string]any{"ids": gone, "channel_id": c.id, "guild_id": c.guild.id}
	s.dispatch("MESSAGE_DELETE_BULK", c, intentGuildMessages, intentDirectMessages, func(*session) any { return d })
	return nil
}
