package discord

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// flagsOfHook are the flags of a message that a webhook may set.
const flagsOfHook = flagSuppressEmbeds | flagSuppressNotifications | flagComponentsV2

// hookDraft is what a webhook's message has beyond a bot's.
type hookDraft struct {
	Username    *string  `json:"username"`
	AvatarURL   *string  `json:"avatar_url"`
	ThreadName  *string  `json:"thread_name"`
	AppliedTags []string `json:"applied_tags"`
}

// noUse are the fields of a bot's message that Discord does not look at in a webhook's: it can neither reply nor be told apart
// by a nonce, so that a repeated call always posts again.
var noUse = []string{"nonce", "enforce_nonce", "message_reference", "sticker_ids"}

// readHook reads the body of a webhook's create or edit.
func (q *request) readHook(d *draft, more *hookDraft) *reply {
	var fields map[string]json.RawMessage
	body := q.body
	if json.Unmarshal(body, &fields) == nil {
		for _, name := range noUse {
			delete(fields, name)
		}
		if stripped, err := json.Marshal(fields); err == nil {
			body = stripped
		}
	}
	if bad := d.read(body); bad != nil {
		return bad
	}
	if d.AllowedMentions == nil {
		d.AllowedMentions = &allowedMentions{Parse: []string{"users"}} // unlike a bot's, which pings all
	}
	var bad reply
	if json.Unmarshal(body, more) != nil {
		bad = badJSON()
		return &bad
	}
	if e := more.check(); e != nil {
		bad = invalidForm(e)
		return &bad
	}
	return nil
}

// check holds the name to the rules of a webhook's own name and to those that people found for the name of one message: a
// "here" or "everyone" anywhere in it is refused too.
func (d *hookDraft) check() *fieldError {
	if d.Username != nil {
		name := strings.TrimSpace(*d.Username)
		if e := hookName("username", name); e != nil {
			return e
		}
		if e := unnamed("username", name, "here", "everyone"); e != nil {
			return e
		}
		d.Username = &name
	}
	if d.AvatarURL != nil && *d.AvatarURL != "" {
		u, err := url.Parse(*d.AvatarURL)
		switch {
		case utf8.RuneCountInString(*d.AvatarURL) > 2048:
			return tooLong("avatar_url", 2048)
		case err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "":
			return &fieldError{"avatar_url", "URL_TYPE_INVALID_URL", "Not a well formed URL."}
		case u.Scheme != "http" && u.Scheme != "https":
			return &fieldError{"avatar_url", "URL_TYPE_INVALID_SCHEME",
				`Scheme "` + u.Scheme + `" is not supported. Scheme must be one of ('http', 'https').`}
		}
	}
	if d.ThreadName != nil && utf8.RuneCountInString(*d.ThreadName) > 100 {
		return tooLong("thread_name", 100)
	}
	return nil
}

// flag reads a parameter that is true or false.
func (q *request) flag(name string) (set bool, bad *reply) {
	text := q.query.Get(name)
	if text == "" {
		return false, nil
	}
	set, err := strconv.ParseBool(text)
	if err != nil {
		answer := invalidForm(&fieldError{name, "BASE_TYPE_CHOICES", "Must be either true or false."})
		return false, &answer
	}
	return set, nil
}

// executeHook is POST on a webhook. Without wait=true nobody hears what came of it: 204, and no id.
func (s *Server) executeHook(q *request, h *webhook) reply {
	wait, bad := q.flag("wait")
	if bad != nil {
		return *bad
	}
	var d draft
	var more hookDraft
	if bad := q.readHook(&d, &more); bad != nil {
		return *bad
	}
	if bad := s.hookComponents(q, h, &d); bad != nil {
		return *bad
	}
	c, bad := s.hookPlace(q, h, &more)
	if bad != nil {
		return *bad
	}
	fill := func(c *channel, m *Message) *reply { return s.fillHookMessage(q, h, c, m, &d) }
	var m *Message
	if who := s.voice(q, h, &more); c.posts() {
		if c, m, bad = s.hookPost(q, c, who, &more, fill); bad != nil {
			return *bad
		}
	} else {
		m = s.blank(c, who, q.now)
		if bad := fill(c, m); bad != nil {
			return *bad
		}
		if bad := s.enterByHook(c, q.now); bad != nil {
			return *bad
		}
		s.publish(c, m, nil)
	}
	if !wait {
		return reply{status: http.StatusNoContent}
	}
	return ok(s.shown(c, m))
}

// fillHookMessage puts a draft into a new message of a webhook.
func (s *Server) fillHookMessage(q *request, h *webhook, c *channel, m *Message, d *draft) *reply {
	m.WebhookID, m.ApplicationID, m.TTS = h.id, h.application, d.TTS
	if d.Flags != nil {
		m.Flags = *d.Flags & flagsOfHook
	}
	d.apply(m)
	if bad := s.furnish(c, m, d, q); bad != nil {
		return bad
	}
	if m.empty() {
		no := emptyMessage()
		return &no
	}
	s.mention(c, m, d.AllowedMentions)
	return nil
}

// hookPost opens a post in a forum with a webhook's message.
func (s *Server) hookPost(q *request, forum *channel, who *User, more *hookDraft, fill func(*channel, *Message) *reply) (*channel, *Message, *reply) {
	tags, err := forum.tagged(more.AppliedTags)
	if err != nil {
		bad := fail(http.StatusBadRequest, 10087, "Unknown tag")
		return nil, nil, &bad
	}
	plan := threadPlan{
		id: s.ids.next(q.now), parent: forum, kind: forum.threadKind(), name: strings.TrimSpace(*more.ThreadName), owner: who, tags: tags,
	}
	c, bad := s.post(plan, q.now, fill)
	if bad != nil {
		return nil, nil, bad
	}
	return c, c.messages[0], nil
}

// enterByHook opens an archived thread for a new message of a webhook. A locked one stays shut.
func (s *Server) enterByHook(c *channel, now time.Time) *reply {
	if c.thread != nil && c.thread.locked {
		no := fail(http.StatusBadRequest, 160005, "This thread is locked")
		return &no
	}
	s.reopen(c, now)
	return nil
}

// voice is who a message of a webhook seems to be from.
func (s *Server) voice(q *request, h *webhook, more *hookDraft) *User {
	u := &User{ID: h.id, Username: h.name, Avatar: h.avatar, Discriminator: "0000", Bot: true}
	if more.Username != nil {
		u.Username = *more.Username
	}
	if more.AvatarURL != nil && *more.AvatarURL != "" {
		u.Avatar = s.fetched(q, *more.AvatarURL)
	}
	return u
}

// hookPlace is the channel or thread that a webhook's message is for. A forum takes no message without a thread, old or new.
func (s *Server) hookPlace(q *request, h *webhook, more *hookDraft) (*channel, *reply) {
	c := s.byID[h.channel]
	thread := q.query.Get("thread_id")
	named := more.ThreadName != nil && strings.TrimSpace(*more.ThreadName) != ""
	var bad reply
	switch {
	case c.posts() && thread == "" && !named:
		bad = fail(http.StatusBadRequest, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id")
	case c.posts() && thread != "" && named:
		bad = fail(http.StatusBadRequest, 220002, "Webhooks posted to forum channels cannot have both a thread_name and thread_id")
	case !c.posts() && named:
		bad = fail(http.StatusBadRequest, 220003, "Webhooks can only create threads in forum channels")
	case thread == "":
		return c, nil
	default:
		return s.threadOf(c, thread)
	}
	return nil, &bad
}

// threadOf finds a thread of a webhook's channel; any other channel is unknown to it.
func (s *Server) threadOf(c *channel, id string) (*channel, *reply) {
	var bad reply
	if _, numeric := number(id); !numeric {
		bad = invalidForm(notSnowflake("thread_id", id))
		return nil, &bad
	}
	t := s.byID[id]
	if t == nil || t.thread == nil || t.parent != c {
		bad = unknownChannel()
		return nil, &bad
	}
	s.lapse(t, time.Now())
	return t, nil
}

// hookMessage finds a message that this webhook made, where the path and its thread_id say.
func (s *Server) hookMessage(q *request, h *webhook) (*channel, *Message, *reply) {
	c := s.byID[h.channel]
	if id := q.query.Get("thread_id"); id != "" {
		t, bad := s.threadOf(c, id)
		if bad != nil {
			return nil, nil, bad
		}
		c = t
	}
	m := c.byID[q.vars["message_id"]]
	if m == nil || m.Deleted || m.WebhookID != h.id {
		miss := unknownMessage()
		return nil, nil, &miss
	}
	return c, m, nil
}

// getHookMessage is GET on a message of a webhook; who has the token reads all of it.
func (s *Server) getHookMessage(q *request, h *webhook) reply {
	c, m, miss := s.hookMessage(q, h)
	if miss != nil {
		return *miss
	}
	return ok(s.shown(c, m))
}

// editHookMessage is PATCH on a message of a webhook. The name and the picture it was posted with stay.
func (s *Server) editHookMessage(q *request, h *webhook) reply {
	c, m, miss := s.hookMessage(q, h)
	if miss != nil {
		return *miss
	}
	if bad := s.writable(c); bad != nil {
		return *bad
	}
	var d draft
	if bad := q.readHook(&d, &hookDraft{}); bad != nil {
		return *bad
	}
	if bad := s.hookComponents(q, h, &d); bad != nil {
		return *bad
	}
	changed := *m
	d.apply(&changed)
	if bad := s.refurnish(c, m, &changed, &d, q); bad != nil {
		return *bad
	}
	if changed.empty() {
		return emptyMessage()
	}
	s.revise(c, m, changed, d.AllowedMentions)
	return ok(s.shown(c, m))
}

// deleteHookMessage is DELETE on a message of a webhook.
func (s *Server) deleteHookMessage(q *request, h *webhook) reply {
	c, m, miss := s.hookMessage(q, h)
	if miss != nil {
		return *miss
	}
	if bad := s.writable(c); bad != nil {
		return *bad
	}
	s.remove(c, m)
	return reply{status: http.StatusNoContent}
}

// writable refuses changes in a thread that is archived; only a new message opens it again.
func (s *Server) writable(c *channel) *reply {
	if c.thread == nil || !c.thread.archived {
		return nil
	}
	return archivedThread()
}
