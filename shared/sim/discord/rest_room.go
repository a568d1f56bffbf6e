package discord

import (
	"encoding/json"
	"net/http"
	"time"
)

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
	return ok(map[string]any{
		"url": q.gatewayURL(), "shards": s.opt.Shards,
		"session_start_limit": s.startLimit(q.now),
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
	c, no := s.reach(q, viewChannel)
	if no != nil {
		return *no
	}
	return ok(s.view(c))
}

// startTyping is POST /channels/{channel_id}/typing.
func (s *Server) startTyping(q *request) reply {
	c, no := s.reach(q, sendMessages)
	if no == nil {
		no = c.silent()
	}
	if no != nil {
		return *no
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
	g, miss := s.visited(q)
	if miss != nil {
		return *miss
	}
	v := s.guildView(g)
	if q.query.Get("with_counts") == "true" {
		v["approximate_member_count"], v["approximate_presence_count"] = len(g.members), len(g.members)
	}
	return ok(v)
}

// getGuildChannels is GET /guilds/{guild_id}/channels.
func (s *Server) getGuildChannels(q *request) reply {
	g, miss := s.visited(q)
	if miss != nil {
		return *miss
	}
	return ok(s.guildChannels(g))
}
