package discord

import (
	"encoding/json"
	"net/http"
	"time"
)

// guildChannel is a text channel as Discord shows it.
type guildChannel struct {
	ID                string   `json:"id"`
	Type              int      `json:"type"`
	GuildID           string   `json:"guild_id"`
	Name              string   `json:"name"`
	Topic             *string  `json:"topic"`
	Position          int      `json:"position"`
	ParentID          *string  `json:"parent_id"`
	LastMessageID     *string  `json:"last_message_id"`
	RateLimitPerUser  int      `json:"rate_limit_per_user"`
	PermissionWrites  []string `json:"permission_overwrites"`
	NSFW              bool     `json:"nsfw"`
	Flags             int      `json:"flags"`
	LastPinTimestamp  *string  `json:"last_pin_timestamp"`
	DefaultAutoExpiry int      `json:"default_auto_archive_duration"`
}

// dmChannel is a user's direct messages with the bot as Discord shows them.
type dmChannel struct {
	ID            string  `json:"id"`
	Type          int     `json:"type"`
	LastMessageID *string `json:"last_message_id"`
	Flags         int     `json:"flags"`
	Recipients    []User  `json:"recipients"`
}

// view is the channel as REST and the gateway show it.
func (s *Server) view(c *channel) any {
	if c.kind == channelDM {
		v := dmChannel{ID: c.id, Type: channelDM, LastMessageID: c.last(), Recipients: []User{}}
		if u := s.userByID(c.user); u != nil {
			v.Recipients = append(v.Recipients, *u)
		}
		return v
	}
	return guildChannel{
		ID: c.id, Type: c.kind, GuildID: s.guildID, Name: c.name, Position: c.position, LastMessageID: c.last(),
		PermissionWrites: []string{}, DefaultAutoExpiry: 1440,
	}
}

// getGateway is GET /gateway.
func (s *Server) getGateway(q *request) reply {
	return ok(map[string]string{"url": q.gatewayURL()})
}

// gatewayURL names this same server; clients add their version to it.
func (q *request) gatewayURL() string {
	if q.tls {
		return "wss://" + q.host + "/gateway"
	}
	return "ws://" + q.host + "/gateway"
}

// getGatewayBot is GET /gateway/bot.
func (s *Server) getGatewayBot(q *request) reply {
	s.gateway.renew(q.now)
	return ok(map[string]any{
		"url": q.gatewayURL(), "shards": s.opt.Shards,
		"session_start_limit": map[string]int{
			"total": identifiesPerDay, "remaining": s.gateway.remaining, "max_concurrency": 1,
			"reset_after": int(max(0, s.gateway.renews.Sub(q.now)).Milliseconds()),
		},
	})
}

// self is the bot's own account, which shows more than others'.
type self struct {
	User
	MFA      bool    `json:"mfa_enabled"`
	Locale   string  `json:"locale"`
	Email    *string `json:"email"`
	Verified bool    `json:"verified"`
}

// getMe is GET /users/@me.
func (s *Server) getMe(*request) reply {
	return ok(self{User: *s.bot, Locale: "en-US", Verified: true})
}

// openDM is POST /users/@me/channels.
func (s *Server) openDM(q *request) reply {
	var body struct {
		Recipient string `json:"recipient_id"`
	}
	if json.Unmarshal(q.body, &body) != nil {
		return badJSON()
	}
	u := s.userByID(body.Recipient)
	switch {
	case body.Recipient == "":
		return invalidForm(&fieldError{"recipient_id", "BASE_TYPE_REQUIRED", "This field is required"})
	case u == nil:
		return unknownUser()
	case u.Bot:
		return fail(http.StatusBadRequest, 50007, "Cannot send messages to this user")
	}
	return ok(s.view(s.dm(u)))
}

// getChannel is GET /channels/{channel_id}.
func (s *Server) getChannel(q *request) reply {
	c := s.byID[q.vars["channel_id"]]
	if c == nil {
		return unknownChannel()
	}
	return ok(s.view(c))
}

// startTyping is POST /channels/{channel_id}/typing.
func (s *Server) startTyping(q *request) reply {
	c := s.byID[q.vars["channel_id"]]
	if c == nil {
		return unknownChannel()
	}
	s.typing(c, s.bot, q.now)
	return reply{status: http.StatusNoContent}
}

func (s *Server) typing(c *channel, u *User, now time.Time) {
	s.dispatchTyping(c, u, now)
	s.watch("typing", watched{Channel: c.id, User: u.ID})
}

// getGuild is GET /guilds/{guild_id}.
func (s *Server) getGuild(q *request) reply {
	if q.vars["guild_id"] != s.guildID {
		return unknownGuild()
	}
	return ok(s.guild())
}

// getGuildChannels is GET /guilds/{guild_id}/channels.
func (s *Server) getGuildChannels(q *request) reply {
	if q.vars["guild_id"] != s.guildID {
		return unknownGuild()
	}
	return ok(s.guildChannels())
}

func (s *Server) guildChannels() []any {
	views := []any{}
	for _, c := range s.channels {
		if c.kind != channelDM {
			views = append(views, s.view(c))
		}
	}
	return views
}

// guild is the guild's own fields; most of them Discord always sends and a bot never reads.
func (s *Server) guild() map[string]any {
	return map[string]any{
		"id": s.guildID, "name": s.opt.Guild, "owner_id": s.users[0].ID, "roles": s.roles, "features": []string{},
		"emojis": []any{}, "stickers": []any{}, "region": "us-west", "afk_timeout": 300, "system_channel_flags": 0,
		"widget_enabled": false, "verification_level": 0, "default_message_notifications": 0, "mfa_level": 0,
		"explicit_content_filter": 0, "max_members": 500000, "max_stage_video_channel_users": 50,
		"max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0, "preferred_locale": "en-US",
		"premium_progress_bar_enabled": false, "nsfw": false, "nsfw_level": 0, "max_presences": nil, "icon": nil,
		"description": nil, "home_header": nil, "splash": nil, "discovery_splash": nil, "banner": nil,
		"application_id": nil, "afk_channel_id": nil, "system_channel_id": nil, "widget_channel_id": nil,
		"vanity_url_code": nil, "rules_channel_id": nil, "safety_alerts_channel_id": nil,
		"public_updates_channel_id": nil, "incidents_data": nil,
	}
}

// Flags of an application that may use the message content intent in any number of guilds, or in few.
const flagContentLimited = 1 << 19

func (s *Server) appFlags() int {
	if s.opt.MessageContentEnabled {
		return flagContentLimited
	}
	return 0
}

// getApplication is GET /applications/@me, and its older name under oauth2.
func (s *Server) getApplication(*request) reply {
	return ok(map[string]any{
		"id": s.appID, "name": s.opt.Persona, "icon": nil, "description": "", "type": nil, "flags": s.appFlags(),
		"flags_new": "0", "verify_key": "0000000000000000000000000000000000000000000000000000000000000000",
		"redirect_uris": []string{}, "interactions_endpoint_url": nil, "role_connections_verification_url": nil,
		"owner": *s.users[0], "bot": *s.bot, "bot_public": false, "bot_require_code_grant": false,
		"approximate_guild_count": 1, "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
		"explicit_content_filter": 0, "team": nil, "eligible_oauth2_scopes": []string{},
	})
}
