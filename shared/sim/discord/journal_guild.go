package discord

// keptChannel is a channel or thread in the journal.
type keptChannel struct {
	ID         string      `json:"id"`
	Guild      string      `json:"guild"`
	Kind       int         `json:"kind"`
	Name       string      `json:"name"`
	Position   int         `json:"position,omitempty"`
	Parent     string      `json:"parent,omitempty"`
	Topic      *string     `json:"topic,omitempty"`
	NSFW       bool        `json:"nsfw,omitempty"`
	Slowmode   int         `json:"slowmode,omitempty"`
	Overwrites []overwrite `json:"overwrites,omitempty"`
	Tags       []forumTag  `json:"tags,omitempty"`
	Expiry     int         `json:"expiry"`
	Flags      int         `json:"flags,omitempty"`
	Thread     *keptThread `json:"thread,omitempty"`
	Deleted    bool        `json:"deleted,omitempty"`
}

// keptThread is what a thread has beyond a channel.
type keptThread struct {
	Owner      string         `json:"owner"`
	Created    Time           `json:"created"`
	Archived   bool           `json:"archived,omitempty"`
	ArchivedAt Time           `json:"archived_at"`
	Locked     bool           `json:"locked,omitempty"`
	Invitable  bool           `json:"invitable,omitempty"`
	Members    []threadMember `json:"members"`
	Applied    []string       `json:"applied,omitempty"`
}

// keptGuild is a guild in the journal. Left are people who would be members and are not.
type keptGuild struct {
	ID      string             `json:"id"`
	Name    string             `json:"name"`
	Owner   string             `json:"owner"`
	Locale  string             `json:"locale,omitempty"`
	Roles   []role             `json:"roles"`
	Members map[string]*member `json:"members"`
	Left    []string           `json:"left,omitempty"`
}

func (c *channel) kept() *keptChannel {
	k := &keptChannel{
		ID: c.id, Guild: c.guild.id, Kind: c.kind, Name: c.name, Position: c.position, Topic: c.topic, NSFW: c.nsfw,
		Slowmode: c.slowmode, Overwrites: c.overwrites, Tags: c.tags, Expiry: c.expiry, Flags: c.flags,
	}
	if c.parent != nil {
		k.Parent = c.parent.id
	}
	if t := c.thread; t != nil {
		k.Thread = &keptThread{t.owner, Time{t.created}, t.archived, Time{t.archivedAt}, t.locked, t.invitable, t.members, t.applied}
	}
	return k
}

// keepChannel writes a changed channel to the journal. The lock is held.
func (s *Server) keepChannel(c *channel, deleted bool) {
	c.changed = true
	if s.journal == nil {
		return
	}
	k := c.kept()
	k.Deleted = deleted
	s.note(entry{Channel: k})
}

// keepGuild writes a changed guild to the journal. The lock is held.
func (s *Server) keepGuild(g *guild) {
	g.changed = true
	if s.journal != nil {
		s.note(entry{Guild: s.keptGuild(g)})
	}
}

func (s *Server) keptGuild(g *guild) *keptGuild {
	k := &keptGuild{ID: g.id, Name: g.name, Owner: g.owner, Locale: g.locale, Roles: g.roles, Members: g.members}
	for _, u := range s.users {
		if g.members[u.ID] == nil {
			k.Left = append(k.Left, u.ID)
		}
	}
	return k
}

// restoreGuild takes a guild over. Who is new here since it was written is its member.
func (s *Server) restoreGuild(k *keptGuild) {
	g := s.guildByID(k.ID)
	if g == nil {
		g = s.found(k.ID, k.Name)
	}
	g.name, g.owner, g.locale, g.roles, g.changed = k.Name, k.Owner, k.Locale, k.Roles, true
	for id, m := range k.Members {
		g.members[id] = m
	}
	for _, id := range k.Left {
		delete(g.members, id)
	}
	for _, r := range g.roles {
		s.taken(r.ID)
	}
}

// restoreChannel takes a channel over. One whose guild, or whose thread's parent, is not there is left out.
func (s *Server) restoreChannel(k *keptChannel) {
	g, c, parent := s.guildByID(k.Guild), s.byID[k.ID], s.byID[k.Parent]
	if g == nil || k.Thread != nil && parent == nil {
		return
	}
	s.taken(k.ID)
	if k.Deleted {
		if c != nil {
			s.forget(c)
		} else {
			s.gone = append(s.gone, k.ID)
		}
		return
	}
	if c == nil {
		c = s.addChannel(&channel{id: k.ID})
	}
	c.guild, c.kind, c.name, c.position, c.parent, c.topic, c.nsfw = g, k.Kind, k.Name, k.Position, parent, k.Topic, k.NSFW
	c.slowmode, c.overwrites, c.tags, c.expiry, c.flags, c.changed = k.Slowmode, k.Overwrites, k.Tags, k.Expiry, k.Flags, true
	if t := k.Thread; t != nil {
		c.thread = &thread{t.Owner, t.Created.Time, t.Archived, t.ArchivedAt.Time, t.Locked, t.Invitable, t.Members, t.Applied}
	}
	for _, tag := range k.Tags {
		s.taken(tag.ID)
	}
}

// taken makes sure that an id is not given again.
func (s *Server) taken(id string) {
	if n, isNumber := number(id); isNumber {
		s.ids.last = max(s.ids.last, n)
	}
}

// categorize gives channels their categories, which may have been made after them.
func (s *Server) categorize(entries []entry) {
	for _, e := range entries {
		if e.Channel == nil || e.Channel.Thread != nil {
			continue
		}
		if c := s.byID[e.Channel.ID]; c != nil {
			c.parent = s.byID[e.Channel.Parent]
		}
	}
}

// keptEntries is all that the journal holds when it is shortened: people and guilds first, then channels and threads in their order, then
// the newest messages.
func (s *Server) keptEntries() []entry {
	all := s.keptPeople()
	for _, g := range s.guilds {
		if g.changed {
			all = append(all, entry{Guild: s.keptGuild(g)})
		}
	}
	for _, id := range s.gone {
		if n, isNumber := number(id); isNumber && n < floor<<22 { // others are not made again
			all = append(all, entry{Channel: &keptChannel{ID: id, Guild: s.guildID, Deleted: true}})
		}
	}
	for _, c := range s.channels {
		if c.changed {
			all = append(all, entry{Channel: c.kept()})
		}
	}
	for _, h := range s.hooks {
		all = append(all, entry{Hook: h.kept()})
	}
	for _, c := range s.channels {
		for _, m := range c.messages[max(0, len(c.messages)-keptMessages):] {
			all = append(all, entryOf(c, m))
		}
	}
	return all
}
