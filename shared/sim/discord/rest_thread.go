package discord

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxActiveThreads is how many threads of a guild may be open at once.
const maxActiveThreads = 1000

const flagRequireTag = 1 << 4

// threadForm is the body that opens a thread.
type threadForm struct {
	Name      string          `json:"name"`
	Expiry    *int            `json:"auto_archive_duration"`
	Slowmode  *int            `json:"rate_limit_per_user"`
	Type      *int            `json:"type"`
	Invitable *bool           `json:"invitable"`
	Applied   []string        `json:"applied_tags"`
	Message   json.RawMessage `json:"message"`
}

// threadRoutes lists the calls about threads.
func threadRoutes() []route {
	return []route{
		{method: "POST", pattern: "/channels/{channel_id}/messages/{message_id}/threads", budget: generous, do: (*Server).createThreadOn},
		{method: "POST", pattern: "/channels/{channel_id}/threads", budget: generous, do: (*Server).createThread},
		{method: "GET", pattern: "/guilds/{guild_id}/threads/active", budget: generous, do: (*Server).getActiveThreads},
	}
}

// read decodes the body and checks what needs no channel.
func (f *threadForm) read(body []byte) *reply {
	if json.Unmarshal(body, f) != nil {
		no := badJSON()
		return &no
	}
	f.Name = strings.TrimSpace(f.Name)
	e := checkName(f.Name)
	if e == nil {
		e = checkExpiry("auto_archive_duration", f.Expiry)
	}
	if e == nil {
		e = checkSlowmode(f.Slowmode)
	}
	if e == nil {
		return nil
	}
	no := invalidForm(e)
	return &no
}

// checkName holds the name of a channel or thread to 1 to 100 characters.
func checkName(name string) *fieldError {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return &fieldError{"name", "BASE_TYPE_REQUIRED", "This field is required"}
	case n > 100:
		return &fieldError{"name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."}
	}
	return nil
}

func checkExpiry(path string, minutes *int) *fieldError {
	if minutes == nil || slices.Contains([]int{60, 1440, 4320, 10080}, *minutes) {
		return nil
	}
	return &fieldError{path, "BASE_TYPE_CHOICES", "Value must be one of {60, 1440, 4320, 10080}."}
}

func checkSlowmode(seconds *int) *fieldError {
	if seconds == nil || *seconds >= 0 && *seconds <= maxSlowmode {
		return nil
	}
	return &fieldError{"rate_limit_per_user", "NUMBER_TYPE_MAX", "int value should be less than or equal to 21600."}
}

// plan is the thread that the form asks for, in this channel.
func (s *Server) plan(c *channel, f *threadForm, kind int) threadPlan {
	p := threadPlan{parent: c, kind: kind, name: f.Name, owner: s.bot, invites: true}
	if f.Expiry != nil {
		p.expiry = *f.Expiry
	}
	if f.Slowmode != nil {
		p.slow = *f.Slowmode
	}
	if f.Invitable != nil {
		p.invites = *f.Invitable
	}
	return p
}

// createThreadOn is POST /channels/{channel_id}/messages/{message_id}/threads.
func (s *Server) createThreadOn(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	var f threadForm
	no := s.may(c, s.bot.ID, createPublicThreads)
	if no == nil {
		no = f.read(q.body)
	}
	switch {
	case c.threadKind() == 0 || c.posts():
		return wrongKind()
	case no != nil:
		return *no
	case s.byID[m.ID] != nil:
		return fail(http.StatusBadRequest, 160004, "A thread has already been created for this message")
	case !m.speech():
		return fail(http.StatusBadRequest, 50068, "Invalid message type")
	case len(s.activeThreads(c.guild)) >= maxActiveThreads:
		return fail(http.StatusBadRequest, 160006, "Maximum number of active threads reached")
	}
	p := s.plan(c, &f, c.threadKind())
	p.id = m.ID
	return reply{http.StatusCreated, s.threadView(s.threadFrom(m, p, q.now))}
}

// createThread is POST /channels/{channel_id}/threads: a thread on no message, or a post in a forum. A thread without a type is
// a private one, which Discord says it will change.
func (s *Server) createThread(q *request) reply {
	c, no := s.reach(q, viewChannel)
	if no != nil {
		return *no
	}
	var f threadForm
	if no := f.read(q.body); no != nil {
		return *no
	}
	if c.guild != nil && len(s.activeThreads(c.guild)) >= maxActiveThreads {
		return fail(http.StatusBadRequest, 160006, "Maximum number of active threads reached")
	}
	if c.posts() {
		return s.createPost(q, c, &f)
	}
	kind := channelPrivateThread
	if f.Type != nil {
		kind = *f.Type
	}
	need := createPublicThreads
	switch {
	case c.kind == channelText && kind == channelPrivateThread:
		need = createPrivateThreads
	case c.threadKind() == 0 || kind != c.threadKind():
		return wrongKind()
	}
	if no := s.may(c, s.bot.ID, need); no != nil {
		return *no
	}
	p := s.plan(c, &f, kind)
	p.id = s.ids.next(q.now)
	return reply{http.StatusCreated, s.threadView(s.threadAlone(p, q.now))}
}

// createPost opens a thread in a forum with its first message, which the answer holds.
func (s *Server) createPost(q *request, c *channel, f *threadForm) reply {
	if no := s.may(c, s.bot.ID, sendMessages); no != nil {
		return *no
	}
	applied, err := c.tagged(f.Applied)
	switch {
	case len(f.Message) == 0 || string(f.Message) == "null":
		return invalidForm(&fieldError{"message", "BASE_TYPE_REQUIRED", "This field is required"})
	case len(f.Applied) > maxTags:
		return invalidForm(tooLong("applied_tags", maxTags))
	case err != nil:
		return invalidForm(&fieldError{"applied_tags", "INVALID_FORUM_TAG", "The forum has no tag of this id."})
	case len(f.Applied) == 0 && c.flags&flagRequireTag != 0:
		return fail(http.StatusBadRequest, 40067, "A tag is required to create a forum post in this channel")
	}
	var d draft
	if no := d.read(f.Message); no != nil {
		return *no
	}
	p := s.plan(c, f, channelPublicThread)
	p.id, p.tags = s.ids.next(q.now), applied
	t, no := s.post(p, q.now, func(t *channel, m *Message) *reply { return s.compose(q, t, m, &d) })
	if no != nil {
		return *no
	}
	v := s.threadView(t)
	v["message"] = s.shown(t, t.byID[t.id])
	return reply{http.StatusCreated, v}
}

// getActiveThreads is GET /guilds/{guild_id}/threads/active.
func (s *Server) getActiveThreads(q *request) reply {
	g, miss := s.visited(q)
	if miss != nil {
		return *miss
	}
	all := s.activeThreads(g)
	return ok(map[string]any{"threads": s.threadViews(all), "members": s.followed(all), "has_more": false})
}

// followed is the bot's membership in those of the threads that it is a member of.
func (s *Server) followed(all []*channel) []threadMember {
	mine := []threadMember{}
	for _, c := range all {
		for _, m := range c.thread.members {
			if m.UserID == s.bot.ID {
				mine = append(mine, m)
			}
		}
	}
	return mine
}
