package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"tsumugi/shared/chat"
)

// Sets of permissions that go together (Discord, Permissions).
const (
	every chat.Permissions = 1<<64 - 1 // of owners and administrators
	// speech are those that mean nothing to one who may not speak: to mention everybody, to be read aloud, files, embeds, voice
	// messages, polls.
	speech = 1<<17 | 1<<12 | chat.AttachFiles | chat.EmbedLinks | 1<<46 | 1<<49
	// timedOut is what is left to a member in a time-out.
	timedOut = chat.ViewChannel | chat.ReadHistory
)

// overwriteMember is the type of an overwrite for one member; the other is for a role.
const overwriteMember = 1

type (
	guildData struct {
		Owner string     `json:"owner_id"`
		Roles []roleData `json:"roles"`
	}
	roleData struct {
		ID          string `json:"id"`
		Permissions string `json:"permissions"`
	}
	memberData struct {
		Roles []string   `json:"roles"`
		Until *time.Time `json:"communication_disabled_until"`
	}
	placeData struct {
		ID         string          `json:"id"`
		Parent     string          `json:"parent_id"`
		Overwrites []overwriteData `json:"permission_overwrites"`
	}
	overwriteData struct {
		ID    string `json:"id"`
		Type  int    `json:"type"`
		Allow string `json:"allow"`
		Deny  string `json:"deny"`
	}
)

// Rights is what the bot may do in these channels of a guild, threads among them, where SendMessages tells whether it may send in
// the thread. A channel that is gone, and a thread that is archived or that the bot does not see, is not in it. It makes three calls, and one more where a thread is asked for; all of
// them together take chat.Call at most.
func (c *Client) Rights(ctx context.Context, guild string, channels []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	if err := id(guild); err != nil {
		return nil, &chat.Failure{Op: "read rights", Kind: chat.Rejected, Err: err}
	}
	us, err := c.Self(ctx)
	if err != nil {
		return nil, err
	}
	var g guildData
	var m memberData
	var all []placeData
	err = errors.Join(c.ofGuild(ctx, "read guild", guild, "", "", &g),
		c.ofGuild(ctx, "read the bot's membership", guild, "/members/{user}", "/members/"+string(us), &m),
		c.ofGuild(ctx, "read channels", guild, "/channels", "/channels", &all))
	if err != nil {
		return nil, err
	}
	places := map[chat.ChannelID]placeData{}
	for _, p := range all {
		places[chat.ChannelID(cleanID(p.ID))] = p
	}
	inside, err := c.threads(ctx, guild, channels, places)
	if err != nil {
		return nil, err
	}
	base, rights := g.base(guild, us, m.Roles), map[chat.ChannelID]chat.Permissions{}
	for _, ch := range channels {
		parent, thread := inside[ch]
		if p, there := places[cmp.Or(parent, ch)]; there {
			rights[ch] = standing(base, p.Overwrites, guild, us, m, thread)
		}
	}
	return rights, nil
}

// ofGuild reads something of a guild.
func (c *Client) ofGuild(ctx context.Context, op, guild, route, path string, out any) error {
	return c.call(ctx, request{op: op, method: http.MethodGet, route: "/guilds/{guild}" + route, major: guild, path: "/guilds/" + guild + path}, out)
}

// threads tells which of the channels are threads, and in which channel each is, whose overwrites count in it.
func (c *Client) threads(ctx context.Context, guild string, channels []chat.ChannelID, places map[chat.ChannelID]placeData) (map[chat.ChannelID]chat.ChannelID, error) {
	if !slices.ContainsFunc(channels, func(ch chat.ChannelID) bool { _, known := places[ch]; return !known }) {
		return nil, nil
	}
	var d struct {
		Threads []placeData `json:"threads"`
	}
	err := c.ofGuild(ctx, "read active threads", guild, "/threads/active", "/threads/active", &d)
	inside := map[chat.ChannelID]chat.ChannelID{}
	for _, t := range d.Threads {
		inside[chat.ChannelID(cleanID(t.ID))] = chat.ChannelID(cleanID(t.Parent))
	}
	return inside, err
}

// base is what a member of these roles may do in the guild.
func (g guildData) base(guild string, us chat.UserID, roles []string) (may chat.Permissions) {
	if g.Owner == string(us) {
		return every
	}
	for _, r := range g.Roles {
		if r.ID == guild || slices.Contains(roles, r.ID) { // the role of everybody has the guild's id
			may |= permissions(r.Permissions)
		}
	}
	if may&chat.Administrator != 0 {
		return every
	}
	return may
}

// standing is what is left of it in a channel, by Discord's algorithm: overwrites for everybody, for roles together, and for the
// member, each denying before it allows.
func standing(may chat.Permissions, overwrites []overwriteData, guild string, us chat.UserID, m memberData, thread bool) chat.Permissions {
	if may == every {
		return every
	}
	var everybody, ofRoles, own struct{ allow, deny chat.Permissions }
	for _, o := range overwrites {
		into := &ofRoles
		switch {
		case o.Type == overwriteMember && o.ID == string(us):
			into = &own
		case o.Type == overwriteMember:
			continue
		case o.ID == guild:
			into = &everybody
		case !slices.Contains(m.Roles, o.ID):
			continue
		}
		into.allow |= permissions(o.Allow)
		into.deny |= permissions(o.Deny)
	}
	for _, o := range []struct{ allow, deny chat.Permissions }{everybody, ofRoles, own} {
		may = may&^o.deny | o.allow
	}
	if m.Until != nil && time.Now().Before(*m.Until) {
		may &= timedOut
	}
	if thread {
		may &^= chat.SendMessages
		if may&chat.SendInThreads != 0 {
			may |= chat.SendMessages
		}
	}
	switch {
	case may&chat.ViewChannel == 0:
		return 0
	case may&chat.SendMessages == 0:
		may &^= speech
	}
	return may
}
