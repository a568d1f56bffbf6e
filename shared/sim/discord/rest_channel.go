package discord

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// channelForm is the body of PATCH on a channel or thread. What is absent stays; null is the default.
type channelForm struct {
	Name       given[string]      `json:"name"`
	Type       given[int]         `json:"type"`
	Position   given[int]         `json:"position"`
	Topic      given[string]      `json:"topic"`
	NSFW       given[bool]        `json:"nsfw"`
	Slowmode   given[int]         `json:"rate_limit_per_user"`
	Parent     given[string]      `json:"parent_id"`
	Overwrites given[[]overwrite] `json:"permission_overwrites"`
	Default    given[int]         `json:"default_auto_archive_duration"`
	Flags      given[int]         `json:"flags"`
	Tags       given[[]tagForm]   `json:"available_tags"`

	Archived  given[bool]     `json:"archived"`
	Locked    given[bool]     `json:"locked"`
	Invitable given[bool]     `json:"invitable"`
	Expiry    given[int]      `json:"auto_archive_duration"`
	Applied   given[[]string] `json:"applied_tags"`
}

type tagForm struct {
	ID        *string `json:"id"`
	Name      string  `json:"name"`
	Moderated bool    `json:"moderated"`
	EmojiID   *string `json:"emoji_id"`
	EmojiName *string `json:"emoji_name"`
}

// given is a field that knows whether the body had it. Null is had, with the zero value.
type given[T any] struct {
	had   bool
	value T
}

// UnmarshalJSON reads the field.
func (g *given[T]) UnmarshalJSON(b []byte) error {
	g.had = true
	return json.Unmarshal(b, &g.value)
}

// into sets a field where the body had it.
func (g given[T]) into(field *T) {
	if g.had {
		*field = g.value
	}
}

func wrongKind() reply {
	return fail(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
}

// patchChannel is PATCH /channels/{channel_id}.
func (s *Server) patchChannel(q *request) reply {
	c, no := s.reach(q, viewChannel)
	if no != nil {
		return *no
	}
	var f channelForm
	if json.Unmarshal(q.body, &f) != nil {
		return badJSON()
	}
	f.Name.value = strings.TrimSpace(f.Name.value)
	if e := f.check(c); e != nil {
		return invalidForm(e)
	}
	switch {
	case c.kind == channelDM:
		return fail(http.StatusForbidden, 50003, "Cannot execute action on a DM channel")
	case c.thread != nil:
		no = s.patchThread(c, &f, q.now)
	default:
		no = s.patchPlace(c, &f, q.now)
	}
	if no != nil {
		return *no
	}
	return ok(s.view(c))
}

// check holds the fields to their lengths and choices.
func (f *channelForm) check(c *channel) *fieldError {
	if f.Name.had {
		if e := checkName(f.Name.value); e != nil {
			return e
		}
	}
	most := 1024
	if c.posts() {
		most = 4096
	}
	if utf8.RuneCountInString(f.Topic.value) > most {
		return tooLong("topic", most)
	}
	if len(f.Applied.value) > maxTags {
		return tooLong("applied_tags", maxTags)
	}
	if len(f.Tags.value) > 20 {
		return tooLong("available_tags", 20)
	}
	for _, e := range []*fieldError{
		checkSlowmode(&f.Slowmode.value), expiryGiven("auto_archive_duration", f.Expiry),
		expiryGiven("default_auto_archive_duration", f.Default),
	} {
		if e != nil {
			return e
		}
	}
	return nil
}

func expiryGiven(path string, minutes given[int]) *fieldError {
	if !minutes.had || minutes.value == 0 { // null
		return nil
	}
	return checkExpiry(path, &minutes.value)
}

// patchThread changes a thread. Who opened it may rename, archive and open it again, as long as it is not locked; all else is for
// those who manage threads. Anybody who may speak in it opens it again. An archived thread must be opened to be changed.
func (s *Server) patchThread(c *channel, f *channelForm, now time.Time) *reply {
	t := *c.thread
	may := s.permissions(c, s.bot.ID)
	manages, owns := may&manageThreads != 0, t.owner == s.bot.ID
	beyond := f.Locked.had || f.Slowmode.had || f.Flags.had
	others := f.Name.had || f.Expiry.had || f.Invitable.had || f.Applied.had || f.Archived.had && f.Archived.value
	var no reply
	switch {
	case !manages && (beyond || t.locked || others && !owns || may&sendMessages == 0):
		no = noPermission()
		return &no
	case t.archived && !f.Archived.had && !f.Locked.had:
		return archivedThread()
	}
	if f.Applied.had {
		applied, err := c.parent.tagged(f.Applied.value)
		if err != nil {
			no = invalidForm(&fieldError{"applied_tags", "INVALID_FORUM_TAG", "The forum has no tag of this id."})
			return &no
		}
		t.applied = applied
	}
	if f.Archived.had && f.Archived.value != t.archived {
		t.archived, t.archivedAt = f.Archived.value, now
	}
	f.Locked.into(&t.locked)
	f.Invitable.into(&t.invitable)
	renamed := f.Name.had && f.Name.value != c.name
	f.Name.into(&c.name)
	f.Slowmode.into(&c.slowmode)
	f.Flags.into(&c.flags)
	if f.Expiry.value != 0 {
		c.expiry = f.Expiry.value
	}
	c.thread = &t
	s.changedChannel(c)
	if renamed && !t.archived {
		s.renamed(c, s.bot)
	}
	return nil
}

// archivedThread is the refusal of what is not done in an archived or locked thread.
func archivedThread() *reply {
	no := fail(http.StatusBadRequest, 50083, "Thread is archived")
	return &no
}

// patchPlace changes a channel of a guild, which needs the permission to manage it.
func (s *Server) patchPlace(c *channel, f *channelForm, now time.Time) *reply {
	need := manageChannels
	if f.Overwrites.had {
		need |= manageRoles
	}
	if no := s.may(c, s.bot.ID, need); no != nil {
		return no
	}
	next := *c
	if no := s.moved(&next, f); no != nil {
		return no
	}
	f.Name.into(&next.name)
	f.Position.into(&next.position)
	f.NSFW.into(&next.nsfw)
	f.Slowmode.into(&next.slowmode)
	f.Overwrites.into(&next.overwrites)
	f.Flags.into(&next.flags)
	if next.expiry = f.Default.value; next.expiry == 0 {
		next.expiry = c.expiry
	}
	if f.Topic.had {
		if next.topic = nil; f.Topic.value != "" {
			next.topic = &f.Topic.value
		}
	}
	if f.Tags.had && c.posts() {
		next.tags = nil
		for _, tag := range f.Tags.value {
			next.tags = append(next.tags, s.tag(tag, now))
		}
	}
	s.changeAccess(c.guild, func() {
		*c = next
		s.changedChannel(c)
	})
	return nil
}

// moved gives the channel its type and category. Only text and announcement channels become each other.
func (s *Server) moved(c *channel, f *channelForm) *reply {
	if f.Type.had && f.Type.value != c.kind {
		convertible := []int{channelText, channelAnnouncement}
		if !slices.Contains(convertible, c.kind) || !slices.Contains(convertible, f.Type.value) {
			no := wrongKind()
			return &no
		}
		c.kind = f.Type.value
	}
	if !f.Parent.had {
		return nil
	}
	parent, err := s.category(c.guild, f.Parent.value)
	if err != nil || parent != nil && c.kind == channelCategory {
		no := invalidForm(&fieldError{"parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist"})
		return &no
	}
	c.parent = parent
	return nil
}

// tag is a forum's tag as the body has it, under its old id or a new one.
func (s *Server) tag(f tagForm, now time.Time) forumTag {
	t := forumTag{Name: f.Name, Moderated: f.Moderated, EmojiID: f.EmojiID, EmojiName: f.EmojiName}
	if f.ID != nil {
		t.ID = *f.ID
	} else {
		t.ID = s.ids.next(now)
	}
	return t
}
