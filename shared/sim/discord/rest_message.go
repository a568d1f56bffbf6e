package discord

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// What Discord lets a bot put into one message.
const (
	maxContent = 2000
	maxEmbeds  = 10
	maxNonce   = 25
)

// nonceWindow is how long an enforced nonce returns the earlier message; Discord says "in the past few minutes" (docs: Create Message).
const nonceWindow = 3 * time.Minute

// draft is the body of a create or edit. A nil pointer or slice was absent or null.
type draft struct {
	Content         *string            `json:"content"`
	Embeds          *[]json.RawMessage `json:"embeds"`
	Components      *[]json.RawMessage `json:"components"`
	StickerIDs      []string           `json:"sticker_ids"`
	Attachments     []json.RawMessage  `json:"attachments"`
	Poll            *pollForm          `json:"poll"`
	Flags           *int               `json:"flags"`
	TTS             bool               `json:"tts"`
	Nonce           any                `json:"nonce"`
	EnforceNonce    bool               `json:"enforce_nonce"`
	AllowedMentions *allowedMentions   `json:"allowed_mentions"`
	Reference       *struct {
		Type      int    `json:"type"`
		MessageID string `json:"message_id"`
		ChannelID string `json:"channel_id"`
		GuildID   string `json:"guild_id"`
		Fail      *bool  `json:"fail_if_not_exists"`
	} `json:"message_reference"`
}

// read decodes a body and checks what needs no channel.
func (d *draft) read(body []byte) *reply {
	if err := decodeNumbers(body, d); err != nil {
		answer := badJSON()
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
			answer = invalidForm(&fieldError{wrong.Field, "BASE_TYPE_CONVERT", "Could not interpret " + wrong.Value + "."})
		}
		return &answer
	}
	if e := d.check(); e != nil {
		answer := invalidForm(e)
		return &answer
	}
	return nil
}

func (d *draft) check() *fieldError {
	if d.Content != nil && utf8.RuneCountInString(*d.Content) > maxContent {
		return tooLong("content", maxContent)
	}
	if d.Embeds != nil && len(*d.Embeds) > maxEmbeds {
		return tooLong("embeds", maxEmbeds)
	}
	if e := checkEmbeds(d.Embeds); e != nil {
		return e
	}
	if nonce, given := d.nonce(); given && utf8.RuneCountInString(nonce) > maxNonce {
		return tooLong("nonce", maxNonce)
	}
	switch d.Nonce.(type) {
	case nil, string, json.Number:
	default:
		return &fieldError{"nonce", "NONCE_TYPE_INVALID", "Nonce must be a string or an integer."}
	}
	if e := d.checkContent(); e != nil {
		return e
	}
	return d.AllowedMentions.check()
}

// checkEmbeds holds embeds to Discord's lengths, in code points, and to 6000 over all of a message.
func checkEmbeds(list *[]json.RawMessage) *fieldError {
	if list == nil {
		return nil
	}
	type text struct {
		Text string `json:"text"`
		Name string `json:"name"`
	}
	total := 0
	for i, raw := range *list {
		var e struct {
			Title       string `json:"title"`
			Description string `json:"description"`
			Footer      text   `json:"footer"`
			Author      text   `json:"author"`
			Fields      []struct {
				Name  string `json:"name"`
				Value string `json:"value"`
			} `json:"fields"`
		}
		at := "embeds." + strconv.Itoa(i)
		if json.Unmarshal(raw, &e) != nil {
			return &fieldError{at, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"}
		}
		type limit struct {
			path, value string
			max         int
		}
		limits := []limit{{".title", e.Title, 256}, {".description", e.Description, 4096}, {".footer.text", e.Footer.Text, 2048}, {".author.name", e.Author.Name, 256}}
		for j, f := range e.Fields {
			field := ".fields." + strconv.Itoa(j)
			if strings.TrimSpace(f.Name) == "" || strings.TrimSpace(f.Value) == "" {
				return &fieldError{at + field, "BASE_TYPE_REQUIRED", "This field is required"}
			}
			limits = append(limits, limit{field + ".name", f.Name, 256}, limit{field + ".value", f.Value, 1024})
		}
		if len(e.Fields) > 25 {
			return tooLong(at+".fields", 25)
		}
		for _, l := range limits {
			n := utf8.RuneCountInString(strings.TrimSpace(l.value)) // Discord trims before it measures
			if total += n; n > l.max {
				return tooLong(at+l.path, l.max)
			}
		}
	}
	if total > 6000 {
		return &fieldError{"embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000"}
	}
	return nil
}

// nonce is the nonce as text; numbers and strings of the same digits are the same nonce.
func (d *draft) nonce() (string, bool) {
	switch n := d.Nonce.(type) {
	case string:
		return n, n != ""
	case json.Number:
		return n.String(), true
	}
	return "", false
}

// apply puts the parts that the draft carries into the message. Discord takes white space off both ends of a text.
func (d *draft) apply(m *Message) {
	if d.Content != nil {
		m.Content = strings.TrimSpace(*d.Content)
	}
	if d.Embeds != nil {
		m.Embeds = rich(distinct(*d.Embeds))
	}
	if d.Components != nil {
		next := 1
		m.Components = numbered(*d.Components, &next)
	}
}

// createMessage is POST /channels/{channel_id}/messages.
func (s *Server) createMessage(q *request) reply {
	c, no := s.speakable(q)
	if no != nil {
		return *no
	}
	var d draft
	if bad := d.read(q.body); bad != nil {
		return *bad
	}
	if nonce, given := d.nonce(); given && d.EnforceNonce {
		if m := c.nonces[s.bot.ID+" "+nonce]; m != nil && q.now.Sub(m.Timestamp.Time) < nonceWindow {
			if m.Deleted {
				return unknownMessage()
			}
			return ok(withNonce(s.shown(c, m), d.Nonce))
		}
	}
	m := s.blank(c, s.bot, q.now)
	if no := s.compose(q, c, m, &d); no != nil {
		return *no
	}
	if no := s.enterThread(c, s.bot, q.now); no != nil {
		return *no
	}
	if nonce, given := d.nonce(); given {
		s.remember(c, nonce, m)
	}
	s.publish(c, m, d.Nonce)
	return ok(withNonce(s.shown(c, m), d.Nonce))
}

// remember keeps a nonce for as long as it counts; old ones are swept when there are many.
func (s *Server) remember(c *channel, nonce string, m *Message) {
	if len(c.nonces) >= 1024 {
		for key, old := range c.nonces {
			if m.Timestamp.Sub(old.Timestamp.Time) >= nonceWindow {
				delete(c.nonces, key)
			}
		}
	}
	c.nonces[s.bot.ID+" "+nonce] = m
}

// refer makes the message a reply. Where the target is gone the caller's fail_if_not_exists decides, and without it Discord
// fails.
func (s *Server) refer(c *channel, m *Message, d *draft) *reply {
	if d.Reference == nil {
		return nil
	}
	var e *fieldError
	target := c.byID[d.Reference.MessageID]
	switch {
	case d.Reference.Type == referenceForward:
		return s.forward(c, m, d)
	case d.Reference.Type != 0:
		e = &fieldError{"message_reference.type", "BASE_TYPE_CHOICES", "Value must be one of (0, 1)."}
	case d.Reference.ChannelID != "" && d.Reference.ChannelID != c.id:
		e = &fieldError{"message_reference", "REPLIES_CANNOT_REPLY_OTHER_CHANNEL", "Cannot reply to a message in a different channel"}
	case target == nil || target.Deleted:
		e = &fieldError{"message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"}
	case !target.speech():
		e = &fieldError{"message_reference", "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to a system message"}
	default:
		s.reply(c, m, target)
		return nil
	}
	if d.Reference.Fail != nil && !*d.Reference.Fail {
		return nil
	}
	answer := invalidForm(e)
	return &answer
}

// editMessage is PATCH on a message: only one's own, and every edit is parsed for mentions anew.
func (s *Server) editMessage(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	if m.Author.ID != s.bot.ID {
		return fail(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	var d draft
	if bad := d.read(q.body); bad != nil {
		return *bad
	}
	if c.thread != nil && (c.thread.archived || c.thread.locked) {
		return *archivedThread()
	}
	changed := *m
	d.apply(&changed)
	if bad := s.refurnish(c, m, &changed, &d, q); bad != nil {
		return *bad
	}
	if changed.empty() {
		return emptyMessage()
	}
	if no := s.oldEdit(c, m, q.now); no != nil {
		return *no
	}
	s.revise(c, m, changed, d.AllowedMentions)
	return ok(s.shown(c, m))
}

// deleteMessage is DELETE on a message: the bot's own, or with the permission to manage messages.
func (s *Server) deleteMessage(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	if m.undeletable() {
		return fail(http.StatusForbidden, 50021, "Cannot execute action on a system message")
	}
	if m.Author.ID != s.bot.ID {
		if no := s.may(c, s.bot.ID, manageMessages); no != nil {
			return *no
		}
	}
	s.remove(c, m)
	return reply{status: http.StatusNoContent}
}

// getMessage is GET on a message.
func (s *Server) getMessage(q *request) reply {
	c, m, miss := s.locate(q)
	if miss == nil {
		miss = s.may(c, s.bot.ID, readHistory)
	}
	if miss != nil {
		return *miss
	}
	return ok(s.withheld(c, m))
}

// locate finds the message a path names, in a channel that the bot sees.
func (s *Server) locate(q *request) (*channel, *Message, *reply) {
	c, no := s.reach(q, viewChannel)
	if no != nil {
		return nil, nil, no
	}
	m := c.byID[q.vars["message_id"]]
	if m == nil || m.Deleted {
		miss := unknownMessage()
		return nil, nil, &miss
	}
	return c, m, nil
}

// listMessages is GET /channels/{channel_id}/messages: newest first, whichever way the window was chosen.
func (s *Server) listMessages(q *request) reply {
	c, no := s.reach(q, viewChannel)
	switch {
	case no != nil:
		return *no
	case c.silent() != nil:
		return wrongKind()
	case s.permissions(c, s.bot.ID)&readHistory == 0:
		return ok([]Message{}) // Discord shows nothing, and does not say why
	}
	limit, bad := q.limit(50, 100)
	if bad != nil {
		return *bad
	}
	alive := make([]*Message, 0, len(c.messages))
	for _, m := range c.messages {
		if !m.Deleted {
			alive = append(alive, m)
		}
	}
	from, to := 0, len(alive)
	for _, name := range []string{"around", "before", "after"} {
		text := q.query.Get(name)
		if text == "" {
			continue
		}
		id, numeric := number(text)
		if !numeric {
			return invalidForm(notSnowflake(name, text))
		}
		from, to = span(alive, name, id, limit)
		break
	}
	if to-from > limit {
		from = to - limit
	}
	list := make([]Message, 0, to-from)
	for _, m := range slices.Backward(alive[from:to]) {
		list = append(list, s.withheld(c, m))
	}
	return ok(list)
}

// span returns the messages before, after or around an id as positions in a list, oldest first.
func span(list []*Message, how string, id int64, limit int) (from, to int) {
	at, exact := slices.BinarySearchFunc(list, id, func(m *Message, id int64) int {
		n, _ := number(m.ID)
		return int(min(max(n-id, -1), 1))
	})
	past := at
	if exact {
		past++
	}
	switch how {
	case "before":
		return max(0, at-limit), at
	case "after":
		return past, min(len(list), past+limit)
	}
	from = max(0, at-limit/2)
	return from, min(len(list), max(from+limit, past))
}

// rich gives each embed the type that Discord gives those of bots.
func rich(embeds []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, 0, len(embeds))
	for _, raw := range embeds {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			continue
		}
		fields["type"] = json.RawMessage(`"rich"`)
		inline(fields)
		text, err := json.Marshal(fields)
		if err != nil {
			continue
		}
		out = append(out, text)
	}
	return out
}

// inline says of each field of an embed whether it stands beside others, which the bot may have left out.
func inline(embed map[string]json.RawMessage) {
	var fields []map[string]json.RawMessage
	if json.Unmarshal(embed["fields"], &fields) != nil || len(fields) == 0 {
		return
	}
	for _, f := range fields {
		if f != nil && f["inline"] == nil {
			f["inline"] = json.RawMessage(`false`)
		}
	}
	if text, err := json.Marshal(fields); err == nil {
		embed["fields"] = text
	}
}

// numbered gives each component that has no id the next free one, in the order of the tree, as Discord does.
func numbered(components []json.RawMessage, next *int) []json.RawMessage {
	out := make([]json.RawMessage, 0, len(components))
	for _, raw := range components {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			continue
		}
		if _, has := fields["id"]; !has {
			fields["id"] = json.RawMessage(strconv.Itoa(*next))
		}
		*next++
		var children []json.RawMessage
		if json.Unmarshal(fields["components"], &children) == nil && children != nil {
			if text, err := json.Marshal(numbered(children, next)); err == nil {
				fields["components"] = text
			}
		}
		completed(fields, next)
		if text, err := json.Marshal(fields); err == nil {
			out = append(out, text)
		}
	}
	return out
}
