package discord

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ChannelSpec is a channel of a guild as a moderator makes it.
type ChannelSpec struct {
	// Guild is an id or a name; the first guild where it is empty.
	Guild string `json:"guild"`
	// Name has 1 to 100 characters.
	Name string `json:"name"`
	// Type is Discord's: text 0, voice 2, category 4, announcement 5, forum 15, media 16.
	Type int `json:"type"`
	// Parent is the id or name of a category.
	Parent string `json:"parent"`
	Topic  string `json:"topic"`
	NSFW   bool   `json:"nsfw"`
	// Slowmode is how many seconds a person waits between two messages; 0 to 21600.
	Slowmode int `json:"slowmode"`
	// Tags are the names of a forum's tags.
	Tags []string `json:"tags"`
	// Overwrites change what roles and members may do.
	Overwrites []Overwrite `json:"overwrites"`
}

// Overwrite says what a role or a member may do otherwise than the guild says. The permissions have Discord's names.
type Overwrite struct {
	// For is a role or a user, by id or name; "@everyone" is everybody.
	For   string   `json:"for"`
	Allow []string `json:"allow"`
	Deny  []string `json:"deny"`
}

// ChannelChange is what becomes otherwise in a channel or thread; nil leaves a thing as it is. Archived, Locked and Tags are
// a thread's, the others but Name and Slowmode a channel's.
type ChannelChange struct {
	Name     *string   `json:"name"`
	Topic    *string   `json:"topic"`
	NSFW     *bool     `json:"nsfw"`
	Slowmode *int      `json:"slowmode"`
	Position *int      `json:"position"`
	Parent   *string   `json:"parent"` // "" takes it out of its category
	Archived *bool     `json:"archived"`
	Locked   *bool     `json:"locked"`
	Tags     *[]string `json:"tags"`
}

// CreateChannel makes a channel as a moderator does, and tells the gateway.
func (s *Server) CreateChannel(spec ChannelSpec) (Channel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.lay(s.ids.next(time.Now()), spec)
	if err != nil {
		return Channel{}, err
	}
	s.tellChannel(c, "CREATE")
	return c.state(), nil
}

// lay makes a channel that nobody has heard of. The lock is held.
func (s *Server) lay(id string, spec ChannelSpec) (*channel, error) {
	g, err := s.guild(spec.Guild)
	if err != nil {
		return nil, err
	}
	c := &channel{id: id, guild: g, kind: spec.Type, name: spec.Name, nsfw: spec.NSFW, slowmode: spec.Slowmode}
	switch spec.Type {
	case channelText, channelVoice, channelCategory, channelAnnouncement, channelForum, channelMedia:
	default:
		return nil, fmt.Errorf("make a channel of type %d: %w", spec.Type, ErrRefused)
	}
	if n := utf8.RuneCountInString(spec.Name); n < 1 || n > 100 {
		return nil, fmt.Errorf("make a channel with a name of %d characters: %w", n, ErrRefused)
	}
	if spec.Slowmode < 0 || spec.Slowmode > maxSlowmode {
		return nil, fmt.Errorf("make a channel with a slowmode of %d: %w", spec.Slowmode, ErrRefused)
	}
	if spec.Topic != "" {
		c.topic = &spec.Topic
	}
	if c.parent, err = s.category(g, spec.Parent); err != nil {
		return nil, err
	}
	for _, name := range spec.Tags {
		c.tags = append(c.tags, forumTag{ID: s.ids.next(time.Now()), Name: name})
	}
	for _, o := range spec.Overwrites {
		w, err := s.overwriteOf(g, o)
		if err != nil {
			return nil, err
		}
		c.overwrites = append(c.overwrites, w)
	}
	for _, other := range s.channels {
		if other.guild == g && other.thread == nil {
			c.position++
		}
	}
	return s.addChannel(c), nil
}

// category finds a category by id or name; none for "".
func (s *Server) category(g *guild, ref string) (*channel, error) {
	if ref == "" {
		return nil, nil
	}
	for _, c := range s.channels {
		if c.guild == g && c.kind == channelCategory && (c.id == ref || c.name == ref) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("category %q: %w", ref, ErrUnknown)
}

func (s *Server) overwriteOf(g *guild, o Overwrite) (overwrite, error) {
	var w overwrite
	var err error
	if w.ID, w.Type, err = s.subject(g, o.For); err != nil {
		return w, err
	}
	if w.Allow, err = permissionsNamed(o.Allow); err != nil {
		return w, err
	}
	w.Deny, err = permissionsNamed(o.Deny)
	return w, err
}

// subject finds whom an overwrite is for.
func (s *Server) subject(g *guild, ref string) (id string, kind int, err error) {
	if r, err := g.roleNamed(ref); err == nil {
		return r.ID, overwriteRole, nil
	}
	if u := s.user(ref); u != nil {
		return u.ID, overwriteMember, nil
	}
	return "", 0, fmt.Errorf("role or user %q: %w", ref, ErrUnknown)
}

// SetOverwrite changes what a role or a member may do in a channel, in place of what was said of it before. It says nothing
// more about one for whom nothing is allowed and nothing denied.
func (s *Server) SetOverwrite(ref string, o Overwrite) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.guildChannel(ref)
	if err != nil {
		return err
	}
	if c.thread != nil {
		return fmt.Errorf("overwrite permissions of a thread: %w", ErrRefused)
	}
	w, err := s.overwriteOf(c.guild, o)
	if err != nil {
		return err
	}
	s.changeAccess(c.guild, func() {
		c.overwrites = slices.DeleteFunc(slices.Clone(c.overwrites), func(old overwrite) bool { return old.ID == w.ID })
		if w.Allow|w.Deny != 0 {
			c.overwrites = append(c.overwrites, w)
		}
		s.changedChannel(c)
	})
	return nil
}

// ChangeChannel changes a channel or a thread as a moderator does, and tells the gateway.
func (s *Server) ChangeChannel(ref string, change ChannelChange) (Channel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.guildChannel(ref)
	if err != nil {
		return Channel{}, err
	}
	if err := s.change(c, change); err != nil {
		return Channel{}, err
	}
	s.changedChannel(c)
	return c.state(), nil
}

func (s *Server) change(c *channel, change ChannelChange) error {
	next := *c
	if change.Name != nil {
		next.name = strings.TrimSpace(*change.Name)
	}
	if n := utf8.RuneCountInString(next.name); n < 1 || n > 100 {
		return fmt.Errorf("name a channel with %d characters: %w", n, ErrRefused)
	}
	if change.Slowmode != nil {
		next.slowmode = min(max(*change.Slowmode, 0), maxSlowmode)
	}
	ofThread := change.Archived != nil || change.Locked != nil || change.Tags != nil
	ofChannel := change.Topic != nil || change.NSFW != nil || change.Position != nil || change.Parent != nil
	switch {
	case c.thread == nil && ofThread, c.thread != nil && ofChannel:
		return fmt.Errorf("change %s to what it cannot be: %w", c.name, ErrRefused)
	case c.thread != nil:
		if err := s.changeThread(&next, change); err != nil {
			return err
		}
		renamed := next.name != c.name
		*c = next
		if renamed {
			s.renamed(c, s.users[0])
		}
		return nil
	}
	if change.Topic != nil {
		next.topic = change.Topic
	}
	if change.NSFW != nil {
		next.nsfw = *change.NSFW
	}
	if change.Position != nil {
		next.position = *change.Position
	}
	if change.Parent != nil {
		parent, err := s.category(c.guild, *change.Parent)
		if err != nil {
			return err
		}
		next.parent = parent
	}
	*c = next
	return nil
}

func (s *Server) changeThread(c *channel, change ChannelChange) error {
	t := *c.thread
	if change.Archived != nil && *change.Archived != t.archived {
		t.archived, t.archivedAt = *change.Archived, time.Now()
	}
	if change.Locked != nil {
		t.locked = *change.Locked
	}
	if change.Tags != nil {
		ids, err := c.parent.tagged(*change.Tags)
		if err != nil {
			return err
		}
		t.applied = ids
	}
	c.thread = &t
	return nil
}

// tagged finds a forum's tags by id or name.
func (c *channel) tagged(refs []string) ([]string, error) {
	ids := []string{}
	for _, ref := range refs {
		i := slices.IndexFunc(c.tags, func(t forumTag) bool { return t.ID == ref || t.Name == ref })
		if i < 0 {
			return nil, fmt.Errorf("tag %q: %w", ref, ErrUnknown)
		}
		ids = append(ids, c.tags[i].ID)
	}
	return ids, nil
}

// DeleteChannel takes away a channel with its threads, or one thread. Their messages are gone without an event, as on Discord.
func (s *Server) DeleteChannel(ref string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.guildChannel(ref)
	if err != nil {
		return err
	}
	s.deleteChannel(c)
	return nil
}

func (s *Server) deleteChannel(c *channel) {
	for _, other := range slices.Clone(s.channels) {
		switch {
		case other.parent != c:
		case other.thread != nil:
			s.deleteChannel(other)
		default:
			other.parent = nil
			s.changedChannel(other)
		}
	}
	s.tellChannel(c, "DELETE")
	s.forget(c)
	if c.thread != nil {
		s.unthread(c)
	}
}

// forget takes a channel out of the world.
func (s *Server) forget(c *channel) {
	s.channels = slices.DeleteFunc(s.channels, func(other *channel) bool { return other == c })
	delete(s.byID, c.id)
	s.hooks = slices.DeleteFunc(s.hooks, func(h *webhook) bool { return h.channel == c.id })
	s.gone = append(s.gone, c.id)
}

// guildChannel finds a channel or thread of a guild by id or name.
func (s *Server) guildChannel(ref string) (*channel, error) {
	c, err := s.channel(ref)
	if err == nil && c.guild == nil {
		return nil, fmt.Errorf("direct messages %q: %w", ref, ErrRefused)
	}
	return c, err
}
