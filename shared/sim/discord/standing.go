package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// inPrivate is what an application may do in direct messages with its bot (docs: Interaction Structure).
const inPrivate = attachFiles | embedLinks | mentionEveryone | useExternalEmojis

// standing is what interactions say that a user may do in a channel.
func (s *Server) standing(c *channel, user string) permission {
	if c.guild == nil {
		return inPrivate
	}
	return s.permissions(c, user)
}

// actor is the member who did something, with what that member may do there.
func (s *Server) actor(c *channel, u *User) any {
	return struct {
		fullMember
		Permissions permission `json:"permissions"`
	}{s.memberOf(c.guild, u), s.standing(c, u.ID)}
}

// partOf is a member as values name one: without the user, who stands beside it. There is none for who is not in the guild.
func (s *Server) partOf(c *channel, u *User) any {
	m := c.membership(u.ID)
	if m == nil {
		return nil
	}
	return map[string]any{
		"roles": m.Roles, "nick": m.Nick, "avatar": m.Avatar, "banner": m.Banner, "joined_at": m.JoinedAt, "premium_since": m.PremiumSince,
		"communication_disabled_until": m.DisabledUntil, "pending": m.Pending, "flags": m.Flags, "permissions": s.standing(c, u.ID),
	}
}

// viewFor is the channel that an interaction comes from, with what the person may do there.
func (s *Server) viewFor(c *channel, u *User) any {
	v := s.view(c)
	if fields, is := v.(map[string]any); is {
		fields["permissions"] = s.standing(c, u.ID)
	}
	return v
}

// ofPartial are the fields of a channel that is a value (docs: Resolved Data Structure); those of threads among them.
var ofPartial = []string{
	"id", "name", "type", "guild_id", "parent_id", "permissions", "nsfw", "topic", "position", "flags", "last_message_id",
	"last_pin_timestamp", "rate_limit_per_user", "thread_metadata",
}

// partial is a channel as values name one, with what the person may do there.
func (s *Server) partial(c *channel, u *User) any {
	whole, is := s.viewFor(c, u).(map[string]any)
	if !is {
		return nil // only channels of guilds are values
	}
	v := map[string]any{}
	for _, name := range ofPartial {
		if value, has := whole[name]; has {
			v[name] = value
		}
	}
	return v
}

// roleView finds a role of the channel's guild by name or id.
func (s *Server) roleView(c *channel, ref string) (string, any) {
	if c.guild == nil {
		return "", nil
	}
	r, err := c.guild.roleNamed(ref)
	if err != nil {
		return "", nil
	}
	return r.ID, *r
}

// decodeNumbers decodes JSON and keeps the digits of numbers whose type is open.
func decodeNumbers(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec.Decode(into)
}

// spoken is a value as a person would type it.
func spoken(value any) string {
	if f, is := value.(float64); is {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
