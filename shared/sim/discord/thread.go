package discord

import (
	"slices"
	"time"
)

// How threads come to be and whom they belong to. REST and the control side both use these. The lock is held.

const (
	maxSlowmode   = 21600
	maxTags       = 5
	flagHasThread = 1 << 5
)

// threadPlan is a thread to be made.
type threadPlan struct {
	id      string
	parent  *channel
	kind    int
	name    string
	owner   *User
	expiry  int // minutes; 0 is the parent's default
	slow    int
	tags    []string
	invites bool
}

// startThread makes a thread that nobody has heard of, with its owner in it.
func (s *Server) startThread(p threadPlan, now time.Time) *channel {
	if p.expiry == 0 {
		p.expiry = p.parent.expiry
	}
	t := &thread{owner: p.owner.ID, created: now, archivedAt: now, invitable: p.invites, applied: p.tags}
	c := &channel{
		id: p.id, guild: p.parent.guild, parent: p.parent, kind: p.kind, name: p.name, expiry: p.expiry, slowmode: p.slow, thread: t,
	}
	if s.userByID(p.owner.ID) != nil { // a webhook is no member
		t.members = []threadMember{{c.id, p.owner.ID, Time{now}, 0}}
	}
	return s.addChannel(c)
}

// threadKind is what a thread in a channel is; 0 where the channel has none.
func (c *channel) threadKind() int {
	switch c.kind {
	case channelText, channelForum, channelMedia:
		return channelPublicThread
	case channelAnnouncement:
		return channelAnnouncementThread
	}
	return 0
}

// threadFrom opens a thread on a message: it has the message's id, and begins with a reference to it.
func (s *Server) threadFrom(m *Message, p threadPlan, now time.Time) *channel {
	c := s.startThread(p, now)
	s.tellChannel(c, "CREATE")
	m.Flags |= flagHasThread
	s.keep(p.parent, m)
	s.dispatchMessage("MESSAGE_UPDATE", p.parent, m, nil)
	s.watch("update", watched{Channel: p.parent.id, Message: s.control(m)})
	first := s.blank(c, p.owner, now)
	first.Type = typeThreadStarter
	first.MessageReference = &Reference{ChannelID: p.parent.id, MessageID: m.ID, GuildID: c.guild.id}
	first.ReferencedMessage = &Referenced{m}
	s.publish(c, first, nil)
	return c
}

// threadAlone opens a thread on no message. All but a private one is told of in the parent.
func (s *Server) threadAlone(p threadPlan, now time.Time) *channel {
	c := s.startThread(p, now)
	s.tellChannel(c, "CREATE")
	if p.kind != channelPrivateThread {
		note := s.blank(p.parent, p.owner, now)
		note.Type, note.Content = typeThreadCreated, p.name
		note.MessageReference = &Reference{ChannelID: c.id, GuildID: c.guild.id}
		s.publish(p.parent, note, nil)
	}
	return c
}

// post opens a thread in a forum. fill makes its first message, which has the thread's id and is in no other channel.
func (s *Server) post(p threadPlan, now time.Time, fill func(*channel, *Message) *reply) (*channel, *reply) {
	c := s.startThread(p, now)
	m := s.blank(c, p.owner, now)
	m.ID = c.id
	if no := fill(c, m); no != nil {
		s.discard(c)
		return nil, no
	}
	s.tellChannel(c, "CREATE")
	s.publish(c, m, nil)
	return c, nil
}

// discard takes back a channel that nobody has heard of.
func (s *Server) discard(c *channel) {
	s.channels = slices.DeleteFunc(s.channels, func(other *channel) bool { return other == c })
	delete(s.byID, c.id)
}

// unthread takes the mark of a thread off the message it stood on.
func (s *Server) unthread(c *channel) {
	m := c.parent.byID[c.id]
	if m == nil || m.Deleted {
		return
	}
	m.Flags &^= flagHasThread
	s.keep(c.parent, m)
	s.dispatchMessage("MESSAGE_UPDATE", c.parent, m, nil)
}

// renamed says in a thread that it has a new name.
func (s *Server) renamed(c *channel, by *User) {
	m := s.blank(c, by, time.Now())
	m.Type, m.Content = typeRenamed, c.name
	s.publish(c, m, nil)
}

// threadOn is the thread that stands on a message, or nil.
func (s *Server) threadOn(m *Message) *channel {
	if m.Flags&flagHasThread == 0 {
		return nil
	}
	return s.byID[m.ID]
}

// enterThread makes one who speaks in a thread its member, and opens an archived thread again. It says no where the thread is
// locked to the speaker.
func (s *Server) enterThread(c *channel, u *User, now time.Time) *reply {
	t := c.thread
	if t == nil {
		return nil
	}
	if t.locked && s.permissions(c, u.ID)&manageThreads == 0 {
		no := fail(400, 160005, "This thread is locked")
		return &no
	}
	s.reopen(c, now)
	s.joinThread(c, u, now)
	return nil
}

// reopen takes a thread that is spoken in out of the archive.
func (s *Server) reopen(c *channel, now time.Time) {
	if c.thread != nil && c.thread.archived {
		c.thread.archived, c.thread.archivedAt = false, now
		s.changedChannel(c)
	}
}

// joinThread makes a user a member of a thread and tells those who may know.
func (s *Server) joinThread(c *channel, u *User, now time.Time) {
	if c.thread.has(u.ID) {
		return
	}
	seen := s.sees(c, s.bot.ID)
	m := threadMember{c.id, u.ID, Time{now}, 0}
	c.thread.members = append(c.thread.members, m)
	s.keepChannel(c, false)
	intents := intentMembers
	if u == s.bot {
		if intents |= intentGuilds; !seen { // a private thread the bot was let into
			s.announce("THREAD_CREATE", c.guild, intentGuilds, s.threadView(c))
		}
	} else if !seen {
		return
	}
	s.announce("THREAD_MEMBERS_UPDATE", c.guild, intents, map[string]any{
		"id": c.id, "guild_id": c.guild.id, "member_count": min(len(c.thread.members), 50), "added_members": []threadMember{m},
	})
}
