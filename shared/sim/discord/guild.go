package discord

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// guild is one guild with its members and roles; its channels are among the Server's. The lock guards it.
type guild struct {
	id, name, owner string
	roles           []role // the first is @everyone, whose id is the guild's
	members         map[string]*member
	locale          string // "" is the usual one
	outage          bool   // Discord cannot reach it: no events, and unavailable
	changed         bool   // it differs from how New makes it, so the journal must hold it
}

// role is a role of a guild.
type role struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Permissions permission `json:"permissions"`
	Position    int        `json:"position"`
	Color       int        `json:"color"`
	Colors      roleColors `json:"colors"`
	Hoist       bool       `json:"hoist"`
	Managed     bool       `json:"managed"`
	Mentionable bool       `json:"mentionable"`
	Icon        *string    `json:"icon"`
	Emoji       *string    `json:"unicode_emoji"`
	Flags       int        `json:"flags"`
	Tags        *roleTags  `json:"tags,omitempty"`
}

type roleColors struct {
	Primary   int  `json:"primary_color"`
	Secondary *int `json:"secondary_color"`
	Tertiary  *int `json:"tertiary_color"`
}

// roleTags say whose a managed role is.
type roleTags struct {
	BotID string `json:"bot_id"`
}

// member is a user's part in a guild, without the user.
type member struct {
	Roles         []string `json:"roles"`
	Nick          *string  `json:"nick"`
	Avatar        *string  `json:"avatar"`
	Banner        *string  `json:"banner"`
	JoinedAt      Time     `json:"joined_at"`
	PremiumSince  *Time    `json:"premium_since"`
	DisabledUntil *Time    `json:"communication_disabled_until"` // a time in the past is as good as none
	Deaf          bool     `json:"deaf"`
	Mute          bool     `json:"mute"`
	Pending       bool     `json:"pending"`
	Flags         int      `json:"flags"`
}

func (m *member) timedOut(now time.Time) bool {
	return m.DisabledUntil != nil && now.Before(m.DisabledUntil.Time)
}

// fullMember is a member with the user, as REST and guild events carry it.
type fullMember struct {
	member
	User User `json:"user"`
}

// memberOf is a user and the membership; a user who is not in the guild gets an empty one.
func (s *Server) memberOf(g *guild, u *User) fullMember {
	if m := g.members[u.ID]; m != nil {
		return fullMember{*m, *u}
	}
	return fullMember{member{Roles: []string{}, JoinedAt: s.joined()}, *u}
}

// membership is a user's part in the channel's guild; nil in direct messages and for one who is not in it.
func (c *channel) membership(userID string) *member {
	if c.guild == nil {
		return nil
	}
	return c.guild.members[userID]
}

// joined is when everybody of the fixture came to their guild.
func (s *Server) joined() Time { return Time{time.UnixMilli(epoch + fixed)} }

// granted is what roles give a member, with what everyone has.
func (g *guild) granted(roles []string) permission {
	var p permission
	for _, r := range g.roles {
		if r.ID == g.id || slices.Contains(roles, r.ID) {
			p |= r.Permissions
		}
	}
	return p
}

// role finds a role by id.
func (g *guild) role(id string) *role {
	for i := range g.roles {
		if g.roles[i].ID == id {
			return &g.roles[i]
		}
	}
	return nil
}

// roleNamed finds a role by id or name.
func (g *guild) roleNamed(ref string) (*role, error) {
	i := slices.IndexFunc(g.roles, func(r role) bool { return r.ID == ref || r.Name == ref })
	if i < 0 {
		return nil, fmt.Errorf("role %q: %w", ref, ErrUnknown)
	}
	return &g.roles[i], nil
}

// guild finds a guild by id or name, the first for "". The lock is held.
func (s *Server) guild(ref string) (*guild, error) {
	for _, g := range s.guilds {
		if ref == "" || g.id == ref || g.name == ref {
			return g, nil
		}
	}
	return nil, fmt.Errorf("guild %q: %w", ref, ErrUnknown)
}

// roster is the guild's members, by user id.
func (s *Server) roster(g *guild) []fullMember {
	all := []fullMember{}
	for id := range g.members {
		if u := s.userByID(id); u != nil {
			all = append(all, s.memberOf(g, u))
		}
	}
	slices.SortFunc(all, func(a, b fullMember) int { return compareIDs(a.User.ID, b.User.ID) })
	return all
}

func compareIDs(a, b string) int {
	n, _ := number(a)
	m, _ := number(b)
	return cmp.Compare(n, m)
}

// invite lets the bot in with a role of its own, as the link that invites a bot does.
func (s *Server) invite(g *guild, roleID string, may permission, at Time) {
	g.roles = append(g.roles, role{
		ID: roleID, Name: s.opt.Persona, Permissions: may, Position: len(g.roles), Managed: true, Tags: &roleTags{s.bot.ID},
	})
	g.members[s.bot.ID] = &member{Roles: []string{roleID}, JoinedAt: at}
}

// found makes a guild in which everybody but the bot is, owned by the first person.
func (s *Server) found(id, name string) *guild {
	g := &guild{id: id, name: name, owner: s.users[0].ID, members: map[string]*member{}}
	g.roles = append(g.roles, role{ID: id, Name: "@everyone", Permissions: ofEveryone})
	for _, u := range s.users {
		if u != s.bot {
			g.members[u.ID] = &member{Roles: []string{}, JoinedAt: s.joined()}
		}
	}
	s.guilds = append(s.guilds, g)
	return g
}

// guildByID finds a guild; nil where there is none.
func (s *Server) guildByID(id string) *guild {
	for _, g := range s.guilds {
		if g.id == id {
			return g
		}
	}
	return nil
}

// visited finds the guild a path names, if the bot is in it.
func (s *Server) visited(q *request) (*guild, *reply) {
	g := s.guildByID(q.vars["guild_id"])
	if g == nil || g.members[s.bot.ID] == nil {
		miss := unknownGuild()
		return nil, &miss
	}
	return g, nil
}

// guildView is the guild's own fields; most of them Discord always sends and a bot never reads.
func (s *Server) guildView(g *guild) map[string]any {
	return map[string]any{
		"id": g.id, "name": g.name, "owner_id": g.owner, "roles": g.roles, "features": []string{"NEWS"},
		"emojis": s.emojis, "stickers": s.stickers, "region": "us-west", "afk_timeout": 300, "system_channel_flags": 0,
		"widget_enabled": false, "verification_level": 0, "default_message_notifications": 0, "mfa_level": 0,
		"explicit_content_filter": 0, "max_members": 500000, "max_stage_video_channel_users": 50,
		"max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0, "preferred_locale": g.preferred(),
		"premium_progress_bar_enabled": false, "nsfw": false, "nsfw_level": 0, "max_presences": nil, "icon": nil,
		"description": nil, "home_header": nil, "splash": nil, "discovery_splash": nil, "banner": nil,
		"application_id": nil, "afk_channel_id": nil, "system_channel_id": nil, "widget_channel_id": nil,
		"vanity_url_code": nil, "rules_channel_id": nil, "safety_alerts_channel_id": nil,
		"public_updates_channel_id": nil, "incidents_data": nil,
	}
}

// guildChannels is what a guild shows of its channels; threads are none of them.
func (s *Server) guildChannels(g *guild) []any {
	views := []any{}
	for _, c := range s.channels {
		if c.guild == g && c.thread == nil {
			views = append(views, s.view(c))
		}
	}
	return views
}

// createdGuild is the body of GUILD_CREATE: the guild with the bot's membership, its channels and the threads the bot sees.
func (s *Server) createdGuild(g *guild) map[string]any {
	v := s.guildView(g)
	bot := s.memberOf(g, s.bot)
	v["joined_at"], v["large"], v["unavailable"] = bot.JoinedAt, len(g.members) > 50, false
	v["member_count"], v["channels"], v["threads"] = len(g.members), s.guildChannels(g), s.threadViews(s.activeThreads(g))
	v["members"] = []any{bot}
	for _, empty := range []string{"voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds"} {
		v[empty] = []any{}
	}
	return v
}

// accountName is a name in the form of a username.
func accountName(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "_")) }
