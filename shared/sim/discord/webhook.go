package discord

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// What Discord allows of webhooks.
const (
	maxHooks      = 15   // of a channel
	maxGuildHooks = 1000 // of a guild
	maxName       = 80
)

// original is the id in a path that stands for the first answer to an interaction.
const original = "@original"

// webhook is a voice that anybody who has the token can speak with. The token is never shown but to its makers.
type webhook struct {
	id, token, name string
	channel, guild  string
	avatar          *string // a hash
	creator         string
	application     string // whose it is, where a bot made it
}

// hookRoutes lists the calls of webhooks and, at the same paths, of what follows an interaction: there the first id is the
// application's and the token the interaction's.
func hookRoutes() []route {
	const hook = "/webhooks/{webhook_id}"
	const open = hook + "/{webhook_token}"
	const message = open + "/messages/{message_id}"
	const first = open + "/messages/" + original
	return []route{
		{method: "GET", pattern: "/channels/{channel_id}/webhooks", budget: generous, do: (*Server).listHooks},
		{method: "POST", pattern: "/channels/{channel_id}/webhooks", budget: generous, do: (*Server).createHook},
		{method: "GET", pattern: hook, budget: generous, do: (*Server).getHook},
		{method: "PATCH", pattern: hook, budget: generous, do: (*Server).editHook},
		{method: "DELETE", pattern: hook, budget: generous, do: (*Server).deleteHook},
		{method: "GET", pattern: open, budget: generous, open: true, do: (*Server).getHook},
		{method: "PATCH", pattern: open, budget: generous, open: true, do: (*Server).editHook},
		{method: "DELETE", pattern: open, budget: generous, open: true, do: (*Server).deleteHook},
		{method: "POST", pattern: open, budget: hookSpeech, open: true, do: ofHook((*Server).executeHook)},
		{method: "GET", pattern: first, budget: reads, open: true, do: ofHook((*Server).getHookMessage)},
		{method: "PATCH", pattern: first, budget: hookEdits, open: true, do: ofHook((*Server).editHookMessage)},
		{method: "DELETE", pattern: first, budget: hookDeletes, open: true, do: ofHook((*Server).deleteHookMessage)},
		{method: "GET", pattern: message, budget: reads, open: true, do: ofHook((*Server).getHookMessage)},
		{method: "PATCH", pattern: message, budget: hookEdits, open: true, do: ofHook((*Server).editHookMessage)},
		{method: "DELETE", pattern: message, budget: hookDeletes, open: true, do: ofHook((*Server).deleteHookMessage)},
	}
}

// ofHook gives a call to the webhook its path names, or to the interaction if the path names the application.
func ofHook(do func(*Server, *request, *webhook) reply) func(*Server, *request) reply {
	return func(s *Server, q *request) reply {
		if strings.HasSuffix(q.pattern, "/"+original) {
			q.vars["message_id"] = original
		}
		if q.interaction {
			return s.interactionWebhook(q)
		}
		h, miss := s.hook(q)
		if miss != nil {
			return *miss
		}
		return do(s, q, h)
	}
}

// hook finds the webhook a path names. A token in the path must be its own; without one the bot needs the right to manage
// webhooks.
func (s *Server) hook(q *request) (*webhook, *reply) {
	var miss reply
	i := slices.IndexFunc(s.hooks, func(h *webhook) bool { return h.id == q.vars["webhook_id"] })
	if i < 0 {
		miss = fail(http.StatusNotFound, 10015, "Unknown Webhook")
		return nil, &miss
	}
	h := s.hooks[i]
	if token, given := q.vars["webhook_token"]; given && token != h.token {
		miss = fail(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
		return nil, &miss
	} else if !given {
		if no := s.may(s.byID[h.channel], s.bot.ID, manageWebhooks); no != nil {
			return nil, no
		}
	}
	return h, nil
}

// crowded is the channel whose webhooks share a budget for this call, or "".
func (s *Server) crowded(q *request) string {
	if q.interaction || q.method != http.MethodPost || q.vars["webhook_token"] == "" {
		return ""
	}
	for _, h := range s.hooks {
		if h.id == q.vars["webhook_id"] {
			return h.channel
		}
	}
	return ""
}

// hookView is a webhook as Discord shows it: its creator, token and link only to a bot that manages webhooks, the token
// alone to who has it.
func (s *Server) hookView(h *webhook, q *request) map[string]any {
	v := map[string]any{
		"id": h.id, "type": 1, "name": h.name, "avatar": h.avatar, "channel_id": h.channel, "guild_id": h.guild,
		"application_id": nil, "token": h.token, "url": q.base() + "/api/webhooks/" + h.id + "/" + h.token,
	}
	if h.application != "" {
		v["application_id"] = h.application
		if h.application != s.appID {
			delete(v, "token")
			delete(v, "url")
		}
	}
	if u := s.userByID(h.creator); u != nil && q.vars["webhook_token"] == "" {
		v["user"] = *u
	}
	return v
}

// base is where the caller found this server.
func (q *request) base() string {
	if q.tls {
		return "https://" + q.host
	}
	return "http://" + q.host
}

// listHooks is GET /channels/{channel_id}/webhooks.
func (s *Server) listHooks(q *request) reply {
	c, bad := s.hookChannel(q)
	if bad != nil {
		return *bad
	}
	views := []any{}
	for _, h := range s.hooks {
		if h.channel == c.id {
			views = append(views, s.hookView(h, q))
		}
	}
	return ok(views)
}

// hookChannel finds the channel of a path whose webhooks the bot may manage.
func (s *Server) hookChannel(q *request) (*channel, *reply) {
	c := s.byID[q.vars["channel_id"]]
	var bad reply
	switch {
	case c == nil:
		bad = unknownChannel()
	case s.guildOf(c) == "":
		bad = fail(http.StatusForbidden, 50003, "Cannot execute action on a DM channel")
	case !c.hooked():
		bad = fail(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	default:
		return c, s.may(c, s.bot.ID, manageWebhooks)
	}
	return nil, &bad
}

// hooked says whether the channel is of a kind that has webhooks.
func (c *channel) hooked() bool {
	switch c.kind {
	case channelText, channelVoice, channelAnnouncement, channelForum, channelMedia:
		return true
	}
	return false
}

// hookForm is the body of a webhook's create and edit. Nil was absent, and so is the null that deletes an avatar.
type hookForm struct {
	Name    *string         `json:"name"`
	Avatar  json.RawMessage `json:"avatar"`
	Channel *string         `json:"channel_id"`
}

// createHook is POST /channels/{channel_id}/webhooks.
func (s *Server) createHook(q *request) reply {
	c, bad := s.hookChannel(q)
	if bad != nil {
		return *bad
	}
	var form hookForm
	if json.Unmarshal(q.body, &form) != nil {
		return badJSON()
	}
	if form.Name == nil {
		return invalidForm(&fieldError{"name", "BASE_TYPE_REQUIRED", "This field is required"})
	}
	if bad := s.hookRoom(c); bad != nil {
		return *bad
	}
	h := &webhook{channel: c.id, guild: s.guildOf(c), creator: s.bot.ID, application: s.appID}
	if e := s.fillHook(h, form); e != nil {
		return invalidForm(e)
	}
	s.addHook(h, q.now)
	return ok(s.hookView(h, q))
}

// hookRoom says whether a channel takes another webhook.
func (s *Server) hookRoom(c *channel) *reply {
	here, all := 0, 0
	for _, h := range s.hooks {
		if h.guild == s.guildOf(c) {
			all++
		}
		if h.channel == c.id {
			here++
		}
	}
	var full reply
	switch {
	case here >= maxHooks:
		full = fail(http.StatusBadRequest, 30007, fmt.Sprintf("Maximum number of webhooks reached (%d)", maxHooks))
	case all >= maxGuildHooks:
		full = fail(http.StatusBadRequest, 30058, fmt.Sprintf("Maximum number of webhooks per server reached (%d)", maxGuildHooks))
	default:
		return nil
	}
	return &full
}

func (s *Server) addHook(h *webhook, now time.Time) {
	secret := make([]byte, 51)
	rand.Read(secret) // never fails
	h.id, h.token = s.ids.next(now), base64.RawURLEncoding.EncodeToString(secret)
	s.hooks = append(s.hooks, h)
	s.keepHook(h, false)
	s.hooksChanged(h.channel)
}

// fillHook puts what a form carries into a webhook.
func (s *Server) fillHook(h *webhook, form hookForm) *fieldError {
	if form.Name != nil {
		name := strings.TrimSpace(*form.Name)
		if e := hookName("name", name); e != nil {
			return e
		}
		h.name = name
	}
	if form.Avatar != nil {
		hash, e := s.picture(form.Avatar)
		if e != nil {
			return e
		}
		h.avatar = hash
	}
	return nil
}

// hookName holds the name of a webhook to Discord's rules: 1 to 80 code points, and not Discord's own names.
func hookName(path, name string) *fieldError {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
		return &fieldError{path, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between 1 and %d in length.", maxName)}
	}
	return unnamed(path, name, "clyde", "discord")
}

// unnamed refuses names that contain one of the words, in any case.
func unnamed(path, name string, words ...string) *fieldError {
	for _, word := range words {
		if strings.Contains(strings.ToLower(name), word) {
			return &fieldError{path, "USERNAME_INVALID_CONTAINS", `Username cannot contain "` + word + `"`}
		}
	}
	return nil
}

// getHook is GET on a webhook, by the bot or by its token.
func (s *Server) getHook(q *request) reply {
	h, miss := s.hook(q)
	if miss != nil {
		return *miss
	}
	return ok(s.hookView(h, q))
}

// editHook is PATCH on a webhook. Only the bot may move it to another channel; by its token the field is not looked at.
func (s *Server) editHook(q *request) reply {
	h, miss := s.hook(q)
	if miss != nil {
		return *miss
	}
	var form hookForm
	if json.Unmarshal(q.body, &form) != nil {
		return badJSON()
	}
	changed := *h
	if form.Channel != nil && q.vars["webhook_token"] == "" {
		c := s.byID[*form.Channel]
		if c == nil || s.guildOf(c) != h.guild || !c.hooked() {
			return unknownChannel()
		}
		if no := s.may(c, s.bot.ID, manageWebhooks); no != nil {
			return *no
		}
		if full := s.hookRoom(c); full != nil && c.id != h.channel {
			return *full
		}
		changed.channel = c.id
	}
	if e := s.fillHook(&changed, form); e != nil {
		return invalidForm(e)
	}
	from := h.channel
	*h = changed
	s.keepHook(h, false)
	s.hooksChanged(h.channel)
	if from != h.channel {
		s.hooksChanged(from)
	}
	return ok(s.hookView(h, q))
}

// deleteHook is DELETE on a webhook; its messages stay.
func (s *Server) deleteHook(q *request) reply {
	h, miss := s.hook(q)
	if miss != nil {
		return *miss
	}
	s.dropHook(h)
	return reply{status: http.StatusNoContent}
}

func (s *Server) dropHook(h *webhook) {
	s.hooks = slices.DeleteFunc(s.hooks, func(other *webhook) bool { return other == h })
	s.keepHook(h, true)
	s.hooksChanged(h.channel)
}

// hooksChanged tells the gateway that the webhooks of a channel are not as they were; it never says how.
func (s *Server) hooksChanged(channelID string) {
	c := s.byID[channelID]
	d := map[string]string{"guild_id": s.guildOf(c), "channel_id": c.id}
	s.dispatch("WEBHOOKS_UPDATE", c, intentGuildWebhooks, 0, func(*session) any { return d })
}
