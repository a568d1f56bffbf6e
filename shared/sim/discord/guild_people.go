package discord

import (
	"fmt"
	"slices"
	"time"
)

// GuildChange is what becomes otherwise in a guild; nil leaves a thing as it is.
type GuildChange struct {
	Name  *string `json:"name"`
	Owner *string `json:"owner"` // a member, by id or name
	// Locale is the language that the guild prefers.
	Locale *string `json:"locale"`
	// Outage is whether Discord itself cannot reach the guild; nothing of it is heard meanwhile.
	Outage *bool `json:"outage"`
}

// CreateGuild makes one more guild with everybody in it, a channel "general" of its own, and the bot invited. Neighbouring guilds
// are of different shards.
func (s *Server) CreateGuild(name string) (Named, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == "" {
		return Named{}, fmt.Errorf("make a guild without a name: %w", ErrRefused)
	}
	now := time.Now()
	g := s.found(fixture(1999999+len(s.guilds)), name)
	general, err := s.lay(s.ids.next(now), ChannelSpec{Guild: g.id, Name: "general"})
	if err != nil {
		return Named{}, err
	}
	s.admit(g, ofInvite, now)
	s.keepChannel(general, false)
	return Named{g.id, g.name}, nil
}

// admit invites the bot and tells it.
func (s *Server) admit(g *guild, may permission, now time.Time) {
	s.invite(g, s.ids.next(now), may, Time{now})
	s.keepGuild(g)
	s.announce("GUILD_CREATE", g, intentGuilds, s.createdGuild(g))
}

// ChangeGuild changes a guild, and tells the gateway: of a new name, owner or locale with GUILD_UPDATE, of an outage with GUILD_DELETE that says
// unavailable, of its end with GUILD_CREATE.
func (s *Server) ChangeGuild(ref string, change GuildChange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(ref)
	if err != nil {
		return err
	}
	if change.Owner != nil {
		u := s.user(*change.Owner)
		if u == nil || g.members[u.ID] == nil {
			return fmt.Errorf("give guild %s to %q: member %w", g.id, *change.Owner, ErrUnknown)
		}
		g.owner = u.ID
	}
	if change.Name != nil {
		g.name = *change.Name
	}
	if change.Locale != nil {
		if !locales[*change.Locale] {
			return fmt.Errorf("locale %q: %w", *change.Locale, ErrUnknown)
		}
		g.locale = *change.Locale
	}
	if change.Owner != nil || change.Name != nil || change.Locale != nil {
		s.keepGuild(g)
		s.announce("GUILD_UPDATE", g, intentGuilds, s.guildView(g))
	}
	if change.Outage != nil && *change.Outage != g.outage {
		if *change.Outage {
			s.announce("GUILD_DELETE", g, intentGuilds, map[string]any{"id": g.id, "unavailable": true})
			g.outage = true
		} else {
			g.outage = false
			s.announce("GUILD_CREATE", g, intentGuilds, s.createdGuild(g))
		}
	}
	return nil
}

// RemoveBot takes the bot and its role out of a guild. Its sessions hear GUILD_DELETE and nothing more of the guild.
func (s *Server) RemoveBot(ref string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(ref)
	if err != nil {
		return err
	}
	if g.members[s.bot.ID] == nil {
		return fmt.Errorf("remove the bot from guild %s: member %w", g.id, ErrUnknown)
	}
	s.announce("GUILD_DELETE", g, intentGuilds, map[string]any{"id": g.id})
	g.roles = slices.DeleteFunc(slices.Clone(g.roles), func(r role) bool { return r.Managed })
	s.depart(g, s.bot.ID)
	return nil
}

// InviteBot lets the bot into a guild, with the permissions that the link asked for; those of a normal invitation where nil.
func (s *Server) InviteBot(ref string, permissions []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(ref)
	if err != nil {
		return err
	}
	if g.members[s.bot.ID] != nil {
		return fmt.Errorf("invite the bot to guild %s, where it is: %w", g.id, ErrRefused)
	}
	may := ofInvite
	if permissions != nil {
		if may, err = permissionsNamed(permissions); err != nil {
			return err
		}
	}
	s.admit(g, may, time.Now())
	return nil
}

// depart takes a member out of a guild and its threads.
func (s *Server) depart(g *guild, userID string) {
	delete(g.members, userID)
	s.keepGuild(g)
	for _, c := range s.channels {
		if c.guild != g || c.thread == nil || !c.thread.has(userID) {
			continue
		}
		c.thread.members = slices.DeleteFunc(slices.Clone(c.thread.members), func(m threadMember) bool { return m.UserID == userID })
		s.keepChannel(c, false)
	}
}

// MemberChange is what becomes otherwise in a member; nil leaves a thing as it is.
type MemberChange struct {
	Nick   *string `json:"nick"`   // "" is none
	Avatar *string `json:"avatar"` // the hash of an avatar in this guild; "" is none
	// Roles are all the roles there are to be, by id or name, without @everyone.
	Roles *[]string `json:"roles"`
	// Timeout is for how many seconds the member may not speak; 0 ends it.
	Timeout *int `json:"timeout"`
}

// ChangeMember changes a member as a moderator does. The bot hears of its own membership always, and of others' with the intent.
func (s *Server) ChangeMember(guildRef, user string, change MemberChange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, u, err := s.someone(guildRef, user)
	if err != nil {
		return err
	}
	m := g.members[u.ID]
	if m == nil {
		return fmt.Errorf("change %q: member %w", user, ErrUnknown)
	}
	next := *m
	if change.Nick != nil {
		next.Nick = filled(*change.Nick)
	}
	if change.Avatar != nil {
		next.Avatar = filled(*change.Avatar)
	}
	if change.Timeout != nil {
		if next.DisabledUntil = nil; *change.Timeout > 0 {
			next.DisabledUntil = &Time{time.Now().Add(time.Duration(*change.Timeout) * time.Second)}
		}
	}
	if change.Roles != nil {
		next.Roles = []string{}
		for _, ref := range *change.Roles {
			r, err := g.roleNamed(ref)
			if err != nil {
				return err
			}
			next.Roles = append(next.Roles, r.ID)
		}
	}
	s.changeAccess(g, func() {
		*m = next
		s.keepGuild(g)
		s.tellMember("GUILD_MEMBER_UPDATE", g, u)
	})
	return nil
}

func filled(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// someone finds a guild and a user.
func (s *Server) someone(guildRef, user string) (*guild, *User, error) {
	g, err := s.guild(guildRef)
	if err != nil {
		return nil, nil, err
	}
	u := s.user(user)
	if u == nil {
		return nil, nil, fmt.Errorf("user %q: %w", user, ErrUnknown)
	}
	return g, u, nil
}

// Join makes a user a member of a guild. The bot is invited instead.
func (s *Server) Join(guildRef, user string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, u, err := s.someone(guildRef, user)
	if err != nil {
		return err
	}
	if u == s.bot || g.members[u.ID] != nil {
		return fmt.Errorf("let %q join: %w", user, ErrRefused)
	}
	g.members[u.ID] = &member{Roles: []string{}, JoinedAt: Time{time.Now()}}
	s.keepGuild(g)
	s.tellMember("GUILD_MEMBER_ADD", g, u)
	return nil
}

// Leave takes a user out of a guild. The bot is removed instead.
func (s *Server) Leave(guildRef, user string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, u, err := s.someone(guildRef, user)
	if err != nil {
		return err
	}
	if u == s.bot || g.members[u.ID] == nil {
		return fmt.Errorf("let %q leave: %w", user, ErrRefused)
	}
	s.depart(g, u.ID)
	s.announce("GUILD_MEMBER_REMOVE", g, intentMembers, map[string]any{"guild_id": g.id, "user": *u})
	return nil
}

// tellMember sends an event of a member.
func (s *Server) tellMember(name string, g *guild, u *User) {
	intents := intentMembers
	if u == s.bot {
		intents = intentsKnown
	}
	s.announce(name, g, intents, struct {
		fullMember
		GuildID string `json:"guild_id"`
	}{s.memberOf(g, u), g.id})
}

// CloseDMs says whether a person takes no direct messages of the bot.
func (s *Server) CloseDMs(user string, closed bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.user(user)
	if u == nil || u.Bot {
		return fmt.Errorf("person %q: %w", user, ErrUnknown)
	}
	s.shut[u.ID] = closed
	return nil
}

// mutual says whether the bot and a user meet in a guild.
func (s *Server) mutual(userID string) bool {
	return slices.ContainsFunc(s.guilds, func(g *guild) bool { return g.members[userID] != nil && g.members[s.bot.ID] != nil })
}

// unreachable is Discord's refusal to bring a direct message to one who takes none.
func (s *Server) unreachable(c *channel) *reply {
	var no reply
	switch {
	case c.kind != channelDM:
		return nil
	case s.shut[c.user]:
		no = fail(403, 50007, "Cannot send messages to this user")
	case !s.mutual(c.user):
		no = fail(403, 50278, "Cannot send messages to this user due to having no mutual guilds")
	default:
		return nil
	}
	return &no
}
