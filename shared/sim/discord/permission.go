package discord

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// permission is a set of Discord's permissions. In JSON it is a decimal number in a string.
type permission uint64

// Discord's permissions by bit, those that decide about text (the table is in its topic "Permissions").
const (
	addReactions         permission = 1 << 6
	administrator        permission = 1 << 3
	manageChannels       permission = 1 << 4
	viewChannel          permission = 1 << 10
	sendMessages         permission = 1 << 11
	sendTTS              permission = 1 << 12
	manageMessages       permission = 1 << 13
	embedLinks           permission = 1 << 14
	attachFiles          permission = 1 << 15
	readHistory          permission = 1 << 16
	mentionEveryone      permission = 1 << 17
	useExternalEmojis    permission = 1 << 18
	connect              permission = 1 << 20
	manageRoles          permission = 1 << 28
	manageWebhooks       permission = 1 << 29
	useCommands          permission = 1 << 31
	manageThreads        permission = 1 << 34
	createPublicThreads  permission = 1 << 35
	createPrivateThreads permission = 1 << 36
	useExternalStickers  permission = 1 << 37
	sendInThreads        permission = 1 << 38
	sendVoiceMessages    permission = 1 << 46
	sendPolls            permission = 1 << 49
	pinMessages          permission = 1 << 51
	bypassSlowmode       permission = 1 << 52
)

const (
	// everything there is, which an owner and an administrator have.
	allPermissions permission = 1<<53 - 1
	// ofEveryone is what a new guild lets all its members do.
	ofEveryone permission = 1071698660929 | sendVoiceMessages | sendPolls
	// ofInvite is what the link that invites a bot asks for: to read, speak, answer, react, keep threads and webhooks.
	ofInvite = viewChannel | sendMessages | sendInThreads | embedLinks | attachFiles | readHistory | mentionEveryone |
		addReactions | useExternalEmojis | useExternalStickers | manageWebhooks | createPublicThreads | createPrivateThreads
	// inDM is what both sides of direct messages may do.
	inDM = viewChannel | sendMessages | embedLinks | attachFiles | readHistory | addReactions | useExternalEmojis |
		useExternalStickers | useCommands | sendVoiceMessages | sendPolls
	// inTimeout is what is left to a member who is timed out.
	inTimeout = viewChannel | readHistory
	// ofSpeech means nothing to one who may not speak: Discord denies it along with speech.
	ofSpeech = mentionEveryone | sendTTS | attachFiles | embedLinks | sendVoiceMessages | sendPolls
)

// permissionNames are Discord's own, for people and tests.
var permissionNames = map[string]permission{
	"ADD_REACTIONS": addReactions, "ADMINISTRATOR": administrator, "MANAGE_CHANNELS": manageChannels, "VIEW_CHANNEL": viewChannel,
	"SEND_MESSAGES": sendMessages, "SEND_TTS_MESSAGES": sendTTS, "MANAGE_MESSAGES": manageMessages, "EMBED_LINKS": embedLinks,
	"ATTACH_FILES": attachFiles, "READ_MESSAGE_HISTORY": readHistory, "MENTION_EVERYONE": mentionEveryone,
	"USE_EXTERNAL_EMOJIS": useExternalEmojis, "MANAGE_ROLES": manageRoles, "MANAGE_WEBHOOKS": manageWebhooks,
	"USE_APPLICATION_COMMANDS": useCommands, "MANAGE_THREADS": manageThreads, "CREATE_PUBLIC_THREADS": createPublicThreads,
	"CREATE_PRIVATE_THREADS": createPrivateThreads, "USE_EXTERNAL_STICKERS": useExternalStickers,
	"SEND_MESSAGES_IN_THREADS": sendInThreads, "SEND_VOICE_MESSAGES": sendVoiceMessages, "SEND_POLLS": sendPolls,
	"PIN_MESSAGES": pinMessages, "BYPASS_SLOWMODE": bypassSlowmode, "CONNECT": connect,
}

// permissionsNamed is the set of these names.
func permissionsNamed(names []string) (permission, error) {
	var p permission
	for _, name := range names {
		bit, known := permissionNames[name]
		if !known {
			return 0, fmt.Errorf("permission %q: %w", name, ErrUnknown)
		}
		p |= bit
	}
	return p, nil
}

// MarshalJSON writes the set as Discord does.
func (p permission) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatUint(uint64(p), 10)), nil
}

// UnmarshalJSON reads a set from a string or, as Discord still does, from a number. Null is none.
func (p *permission) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	if text == "null" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("read permissions: %w", err)
	}
	*p = permission(n)
	return nil
}

// overwrite allows and denies some permissions in one channel, to a role (0) or a member (1).
type overwrite struct {
	ID    string     `json:"id"`
	Type  int        `json:"type"`
	Allow permission `json:"allow"`
	Deny  permission `json:"deny"`
}

const (
	overwriteRole   = 0
	overwriteMember = 1
)

// permissions is what a user may do in a channel. A thread has its parent's, where the permission to send in threads stands for
// that to send: callers ask for sendMessages in every kind of channel. Who cannot see a channel may do nothing in it.
func (s *Server) permissions(c *channel, userID string) permission {
	g := c.guild
	if g == nil {
		if userID == c.user || userID == s.bot.ID {
			return inDM
		}
		return 0
	}
	m := g.members[userID]
	if m == nil {
		return 0
	}
	p := g.granted(m.Roles)
	if userID == g.owner || p&administrator != 0 {
		return allPermissions
	}
	p = c.place().overwritten(p, g.id, m.Roles, userID)
	if m.timedOut(time.Now()) {
		p &= inTimeout
	}
	return c.implied(p, userID)
}

// sees says whether a user sees the channel.
func (s *Server) sees(c *channel, userID string) bool {
	return s.permissions(c, userID)&viewChannel != 0
}

// ofWebhook is what a webhook may do: what the guild lets everybody do in the channel.
func (s *Server) ofWebhook(c *channel) permission {
	if c.guild == nil {
		return 0
	}
	return c.implied(c.place().overwritten(c.guild.granted(nil), c.guild.id, nil, ""), "")
}

// overwritten applies the channel's overwrites in Discord's order: everyone's, those of all roles together, the member's.
func (c *channel) overwritten(p permission, everyone string, roles []string, userID string) permission {
	var ofRoles, ofMember overwrite
	for _, o := range c.overwrites {
		switch {
		case o.ID == everyone:
			p = p&^o.Deny | o.Allow
		case o.Type == overwriteRole && slices.Contains(roles, o.ID):
			ofRoles.Deny |= o.Deny
			ofRoles.Allow |= o.Allow
		case o.Type == overwriteMember && o.ID == userID:
			ofMember = o
		}
	}
	p = p&^ofRoles.Deny | ofRoles.Allow
	return p&^ofMember.Deny | ofMember.Allow
}

// implied takes off what a set denies without saying so.
func (c *channel) implied(p permission, userID string) permission {
	if c.thread != nil {
		p &^= sendMessages
		if p&sendInThreads != 0 {
			p |= sendMessages
		}
		if c.kind == channelPrivateThread && p&manageThreads == 0 && !c.thread.has(userID) {
			return 0
		}
	}
	if p&viewChannel == 0 {
		return 0
	}
	if p&sendMessages == 0 {
		p &^= ofSpeech
	}
	return p
}

// may says nothing where the user has all of need in the channel. Otherwise it is Discord's answer: Missing Access where the
// user cannot see the channel, Missing Permissions where another permission is wanting.
func (s *Server) may(c *channel, userID string, need permission) *reply {
	var no reply
	switch have := s.permissions(c, userID); {
	case have&viewChannel == 0:
		no = missingAccess()
	case have&need == need:
		return nil
	case c.kind == channelDM:
		no = fail(http.StatusForbidden, 50003, "Cannot execute action on a DM channel")
	default:
		no = noPermission()
	}
	return &no
}

// reach finds the channel a path names and says whether the bot may do this in it.
func (s *Server) reach(q *request, need permission) (*channel, *reply) {
	c := s.byID[q.vars["channel_id"]]
	if c == nil {
		miss := unknownChannel()
		return nil, &miss
	}
	if no := s.may(c, s.bot.ID, need); no != nil {
		return nil, no
	}
	s.lapse(c, q.now)
	return c, nil
}
