package discord

import (
	"cmp"
	"slices"
)

// Named is a thing with an id and a name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Channel is a channel of a guild, or a thread.
type Channel struct {
	Named
	Type     int    `json:"type"`
	Guild    string `json:"guild"`
	Parent   string `json:"parent,omitempty"` // a thread's channel, a channel's category
	Archived bool   `json:"archived,omitempty"`
	Topic    string `json:"topic,omitempty"`
}

// DM is an open channel of direct messages.
type DM struct {
	ID   string `json:"id"`
	User string `json:"user"`
}

// Welcome tells a newcomer about one channel.
type Welcome struct {
	// Channel is the id or the name of a channel. Title and Text (Discord's markup) say what is to be seen there.
	Channel string `json:"channel"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	// Image is a path on this server, for example an avatar's; "" shows none.
	Image string `json:"image,omitempty"`
	// Try are messages that are worth sending first.
	Try []string `json:"try,omitempty"`
}

// Voice is a name under which the application may speak besides its own: a message of which the first line is this name in bold
// alone is the voice's. Discord knows nothing of it, and neither does anything here but the page.
type Voice struct {
	Name string `json:"name"`
	// Image is a path on this server, for example an avatar's; "" shows none.
	Image string `json:"image,omitempty"`
}

// GatewayState counts what clients did with the gateway since the start.
type GatewayState struct {
	Connections int `json:"connections"`
	Sessions    int `json:"sessions"`
	Identifies  int `json:"identifies"`
	Resumes     int `json:"resumes"`
	// Elsewhere is how many of the resumes came to the address that READY had named for them.
	Elsewhere int `json:"elsewhere"`
	// Remaining is how many IDENTIFYs are left today.
	Remaining int          `json:"remaining"`
	Shards    []ShardState `json:"shards"` // of the sessions there are, by number
}

// ShardState counts the sessions of one shard.
type ShardState struct {
	Shard     int `json:"shard"`
	Of        int `json:"of"`
	Sessions  int `json:"sessions"`
	Connected int `json:"connected"` // of them
}

// RouteName names one REST call, as faults match it.
type RouteName struct {
	Method string `json:"method"`
	Route  string `json:"route"`
}

// State is who and what there is.
type State struct {
	Application Named             `json:"application"`
	Bot         Named             `json:"bot"`
	Guild       Named             `json:"guild"`
	Lounge      string            `json:"lounge"`
	Hall        string            `json:"hall"`
	Guilds      []Named           `json:"guilds"`   // the bot's, the fixture's first
	Channels    []Channel         `json:"channels"` // of every guild, threads too
	DMs         []DM              `json:"dms"`
	Users       []Named           `json:"users"`
	Bots        []Named           `json:"bots"` // others than the bot
	Roles       []Named           `json:"roles"`
	Notice      string            `json:"notice"`
	Welcome     []Welcome         `json:"welcome,omitempty"`
	Voices      []Voice           `json:"voices"`
	Last        map[string]string `json:"last"`     // channel → its newest message, where there is one
	Locale      string            `json:"locale"`   // that the first guild prefers
	Locales     map[string]string `json:"locales"`  // person → the language chosen, where one was
	Faces       map[string]string `json:"faces"`    // account → the path of its picture, where it has one
	Explains    bool              `json:"explains"` // GET /sim/explain knows something
	Gateway     GatewayState      `json:"gateway"`
	Routes      []RouteName       `json:"routes"`
}

// User returns the id of a person or bot by name, "" where there is none.
func (s State) User(name string) string {
	return find(append(append([]Named{s.Bot}, s.Users...), s.Bots...), name)
}

// Channel returns the id of a guild channel by name, "" where there is none.
func (s State) Channel(name string) string {
	for _, c := range s.Channels {
		if c.Name == name {
			return c.ID
		}
	}
	return ""
}

// Role returns the id of a role of the first guild by name, "" where there is none.
func (s State) Role(name string) string { return find(s.Roles, name) }

func find(all []Named, name string) string {
	for _, n := range all {
		if n.Name == name {
			return n.ID
		}
	}
	return ""
}

// State returns who and what there is now.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := State{
		Application: Named{s.appID, s.opt.Persona}, Bot: named(s.bot), Guild: Named{s.guildID, s.guilds[0].name},
		Guilds: []Named{}, Channels: []Channel{}, DMs: []DM{}, Users: []Named{}, Bots: []Named{}, Roles: []Named{}, Notice: s.opt.Notice,
		Welcome: s.opt.Welcome, Voices: append([]Voice{}, s.opt.Voices...), Explains: s.opt.Explain != nil, Last: map[string]string{}, Faces: map[string]string{},
		Gateway: s.gatewayState(), Locale: s.guilds[0].preferred(), Locales: s.chosenLocales(),
	}
	for _, c := range s.channels {
		if id := c.last(s); id != nil {
			v.Last[c.id] = *id
		}
		if c.kind == channelDM {
			v.DMs = append(v.DMs, DM{c.id, c.user})
		} else {
			v.Channels = append(v.Channels, c.state())
		}
	}
	v.Lounge, v.Hall = v.Channel("lounge"), v.Channel("hall")
	for _, u := range s.users {
		if u.Avatar != nil {
			v.Faces[u.ID] = "/avatars/" + u.ID + "/" + *u.Avatar + ".png"
		}
		switch {
		case u == s.bot:
		case u.Bot:
			v.Bots = append(v.Bots, named(u))
		default:
			v.Users = append(v.Users, named(u))
		}
	}
	for _, g := range s.guilds {
		if g.members[s.bot.ID] != nil {
			v.Guilds = append(v.Guilds, Named{g.id, g.name})
		}
	}
	for _, r := range s.guilds[0].roles {
		v.Roles = append(v.Roles, Named{r.ID, r.Name})
	}
	for _, rt := range s.routes {
		v.Routes = append(v.Routes, RouteName{rt.method, rt.pattern})
	}
	return v
}

func (c *channel) state() Channel {
	v := Channel{Named: Named{c.id, c.name}, Type: c.kind, Guild: c.guild.id}
	if c.parent != nil {
		v.Parent = c.parent.id
	}
	if c.topic != nil {
		v.Topic = *c.topic
	}
	v.Archived = c.thread != nil && c.thread.archived
	return v
}

func (s *Server) gatewayState() GatewayState {
	g := GatewayState{
		Connections: len(s.gateway.conns), Sessions: len(s.gateway.sessions), Identifies: s.gateway.identifies,
		Resumes: s.gateway.resumes, Elsewhere: s.gateway.elsewhere, Remaining: s.gateway.remaining, Shards: []ShardState{},
	}
	for _, n := range s.gateway.each() {
		v := ShardState{Shard: int(n.shard[0]), Of: int(n.shard[1])}
		i := slices.IndexFunc(g.Shards, func(o ShardState) bool { return o.Shard == v.Shard && o.Of == v.Of })
		if i < 0 {
			i = len(g.Shards)
			g.Shards = append(g.Shards, v)
		}
		g.Shards[i].Sessions++
		if n.conn != nil {
			g.Shards[i].Connected++
		}
	}
	slices.SortFunc(g.Shards, func(a, b ShardState) int { return cmp.Or(a.Of-b.Of, a.Shard-b.Shard) })
	return g
}

func named(u *User) Named { return Named{u.ID, *u.GlobalName} }
