package discord

import (
	"slices"
	"time"
)

// Channel types.
const (
	channelText               = 0
	channelDM                 = 1
	channelVoice              = 2
	channelCategory           = 4
	channelAnnouncement       = 5
	channelAnnouncementThread = 10
	channelPublicThread       = 11
	channelPrivateThread      = 12
	channelForum              = 15
	channelMedia              = 16
)

// channel is a channel of a guild, a thread of such, or a user's direct messages with the bot.
type channel struct {
	id, name string
	guild    *guild // nil in direct messages
	kind     int
	position int
	user     string   // the other side of direct messages
	parent   *channel // a thread's channel, a channel's category, or nil

	topic      *string
	nsfw       bool
	slowmode   int // seconds between two messages of a person
	overwrites []overwrite
	tags       []forumTag // of a forum
	expiry     int        // minutes without a message after which a new thread is archived
	flags      int
	thread     *thread // nil for what is no thread
	changed    bool    // it differs from how New makes it, so the journal must hold it

	messages []*Message
	byID     map[string]*Message
	nonces   map[string]*Message  // "author nonce" → message
	spoke    map[string]time.Time // person → when the last message came, for slowmode
	oldEdits []time.Time          // when the bot edited messages older than an hour
}

// forumTag is a label that a forum's posts may carry.
type forumTag struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Moderated bool    `json:"moderated"`
	EmojiID   *string `json:"emoji_id"`
	EmojiName *string `json:"emoji_name"`
}

// thread is what a thread has beyond a channel.
type thread struct {
	owner      string
	created    time.Time
	archived   bool
	archivedAt time.Time // when archived last changed
	locked     bool
	invitable  bool
	members    []threadMember
	applied    []string // tags of a forum's post
}

// threadMember is a user who follows a thread.
type threadMember struct {
	ThreadID string `json:"id"`
	UserID   string `json:"user_id"`
	Joined   Time   `json:"join_timestamp"`
	Flags    int    `json:"flags"`
}

func (t *thread) has(userID string) bool {
	return slices.ContainsFunc(t.members, func(m threadMember) bool { return m.UserID == userID })
}

// place is the channel whose overwrites count: a thread's parent, or the channel.
func (c *channel) place() *channel {
	if c.thread != nil {
		return c.parent
	}
	return c
}

// posts says whether the channel holds nothing but threads.
func (c *channel) posts() bool { return c.kind == channelForum || c.kind == channelMedia }

// silent is Discord's refusal to put messages into a channel that holds none.
func (c *channel) silent() *reply {
	var no reply
	switch {
	case c.posts():
		no = fail(400, 40058, "Cannot send a message in a forum channel")
	case c.kind == channelCategory:
		no = fail(400, 50008, "Cannot send messages in a non-text channel")
	default:
		return nil
	}
	return &no
}

// last returns the id of the newest message that still exists, or nil. A forum's is its newest post.
func (c *channel) last(s *Server) *string {
	if c.posts() {
		for _, t := range slices.Backward(s.channels) {
			if t.parent == c {
				return &t.id
			}
		}
	}
	for i := len(c.messages) - 1; i >= 0; i-- {
		if m := c.messages[i]; !m.Deleted {
			return &m.ID
		}
	}
	return nil
}

// view is the channel as REST and the gateway show it.
func (s *Server) view(c *channel) any {
	switch {
	case c.kind == channelDM:
		v := dmChannel{ID: c.id, Type: channelDM, LastMessageID: c.last(s), Recipients: []User{}}
		if u := s.userByID(c.user); u != nil {
			v.Recipients = append(v.Recipients, *u)
		}
		return v
	case c.thread != nil:
		return s.threadView(c)
	}
	v := map[string]any{
		"id": c.id, "type": c.kind, "guild_id": c.guild.id, "name": c.name, "position": c.position, "parent_id": c.parentID(),
		"permission_overwrites": list(c.overwrites), "nsfw": c.nsfw, "flags": c.flags,
	}
	if c.kind == channelCategory {
		return v
	}
	v["topic"], v["last_message_id"], v["last_pin_timestamp"] = c.topic, c.last(s), nil
	v["rate_limit_per_user"], v["default_auto_archive_duration"] = c.slowmode, c.expiry
	if c.kind == channelVoice {
		v["bitrate"], v["user_limit"], v["rtc_region"] = 64000, 0, nil
	}
	if c.posts() {
		v["available_tags"], v["default_reaction_emoji"], v["default_sort_order"] = list(c.tags), nil, nil
		v["default_forum_layout"], v["default_thread_rate_limit_per_user"] = 0, 0
	}
	return v
}

func (c *channel) parentID() *string {
	if c.parent == nil {
		return nil
	}
	return &c.parent.id
}

// dmChannel is a user's direct messages with the bot as Discord shows them.
type dmChannel struct {
	ID            string  `json:"id"`
	Type          int     `json:"type"`
	LastMessageID *string `json:"last_message_id"`
	Flags         int     `json:"flags"`
	Recipients    []User  `json:"recipients"`
}

// threadMetadata is the part of a thread's view that says whether it is open.
type threadMetadata struct {
	Archived  bool  `json:"archived"`
	ArchiveAt Time  `json:"archive_timestamp"`
	Expiry    int   `json:"auto_archive_duration"`
	Locked    bool  `json:"locked"`
	Created   Time  `json:"create_timestamp"`
	Invitable *bool `json:"invitable,omitempty"` // private threads only
}

// threadView shows a thread, with the bot's membership where it has one.
func (s *Server) threadView(c *channel) map[string]any {
	t := c.thread
	meta := threadMetadata{
		Archived: t.archived, ArchiveAt: Time{t.archivedAt}, Expiry: c.expiry, Locked: t.locked, Created: Time{t.created},
	}
	if c.kind == channelPrivateThread {
		meta.Invitable = &t.invitable
	}
	now, ever := 0, 0
	for _, m := range c.messages {
		if m.ID == c.id || m.Type == typeThreadStarter {
			continue
		}
		ever++
		if !m.Deleted {
			now++
		}
	}
	v := map[string]any{
		"id": c.id, "type": c.kind, "guild_id": c.guild.id, "name": c.name, "parent_id": c.parentID(), "owner_id": t.owner,
		"last_message_id": c.last(s), "last_pin_timestamp": nil, "rate_limit_per_user": c.slowmode, "flags": c.flags,
		"thread_metadata": meta, "message_count": now, "total_message_sent": ever, "member_count": min(len(t.members), 50),
	}
	if c.parent.posts() {
		v["applied_tags"] = list(t.applied)
	}
	for _, m := range t.members {
		if m.UserID == s.bot.ID {
			v["member"] = m
		}
	}
	return v
}

func (s *Server) threadViews(all []*channel) []any {
	views := []any{}
	for _, c := range all {
		views = append(views, s.threadView(c))
	}
	return views
}

// activeThreads is the guild's threads that are not archived and that the bot sees, newest first.
func (s *Server) activeThreads(g *guild) []*channel {
	var all []*channel
	for _, c := range slices.Backward(s.channels) {
		if c.guild != g || c.thread == nil {
			continue
		}
		if s.lapse(c, time.Now()); !c.thread.archived && s.sees(c, s.bot.ID) {
			all = append(all, c)
		}
	}
	return all
}

// lapse archives a thread that nobody has written to for longer than its time, which Discord does on its own.
func (s *Server) lapse(c *channel, now time.Time) {
	t := c.thread
	if t == nil || t.archived {
		return
	}
	active := t.created
	if t.archivedAt.After(active) { // it was opened again
		active = t.archivedAt
	}
	if n := len(c.messages); n > 0 && c.messages[n-1].Timestamp.After(active) {
		active = c.messages[n-1].Timestamp.Time
	}
	if now.Sub(active) >= time.Duration(c.expiry)*time.Minute {
		t.archived, t.archivedAt = true, now
		s.changedChannel(c)
	}
}
