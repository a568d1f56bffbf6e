package discord

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Types of first answers.
const (
	callbackPong           = 1
	callbackMessage        = 4
	callbackDeferred       = 5
	callbackDeferredUpdate = 6
	callbackUpdate         = 7
	callbackChoices        = 8
	callbackModal          = 9
)

// flagsOfAnswer are the flags that an answer may set (docs: Interaction Callback Data Structure, Messages).
const flagsOfAnswer = flagsOnCreate | flagEphemeral

func unknownInteraction() reply { return fail(http.StatusNotFound, 10062, "Unknown interaction") }

// createCallback is POST /interactions/{interaction_id}/{interaction_token}/callback.
func (s *Server) createCallback(q *request) reply {
	i := s.play.byID[q.vars["interaction_id"]]
	if i == nil || i.token != q.vars["interaction_token"] {
		return unknownInteraction()
	}
	if bad := s.acknowledge(i, q); bad != nil {
		return *bad
	}
	if flag := q.query.Get("with_response"); flag != "true" && flag != "1" {
		return reply{status: http.StatusNoContent}
	}
	return ok(s.callbackView(i))
}

// callbackView is what came of a first answer.
func (s *Server) callbackView(i *interaction) any {
	what := map[string]any{"id": i.id, "type": i.kind, "channel_id": i.c.id}
	if guild := s.guildOf(i.c); guild != "" {
		what["guild_id"] = guild
	}
	view := map[string]any{"interaction": what}
	if m := i.original; m != nil {
		what["response_message_id"] = m.ID
		what["response_message_loading"] = m.Flags&flagLoading != 0
		what["response_message_ephemeral"] = m.EphemeralTo != ""
		if i.answer == callbackMessage || i.answer == callbackUpdate {
			view["resource"] = map[string]any{"type": i.answer, "message": s.shown(i.c, m)}
		}
	}
	return view
}

// answers are the types that an interaction may be answered with.
func (i *interaction) answers() []int {
	switch {
	case i.kind == interactionAutocomplete:
		return []int{callbackChoices}
	case i.kind == interactionComponent:
		return []int{callbackMessage, callbackDeferred, callbackDeferredUpdate, callbackUpdate, callbackModal}
	case i.kind == interactionModal && i.source != nil:
		return []int{callbackMessage, callbackDeferred, callbackDeferredUpdate, callbackUpdate}
	case i.kind == interactionModal:
		return []int{callbackMessage, callbackDeferred}
	}
	return []int{callbackMessage, callbackDeferred, callbackModal}
}

// acknowledge takes an application's first answer, whichever way it came. It returns Discord's refusal, or nil.
func (s *Server) acknowledge(i *interaction, q *request) *reply {
	var refusal reply
	var first struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	switch {
	case i.answer != 0:
		refusal = fail(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	case i.failure != "" || q.now.Sub(i.sent) >= firstAnswer:
		refusal = unknownInteraction()
	case json.Unmarshal(q.body, &first) != nil:
		refusal = badJSON()
	case !slices.Contains(i.answers(), first.Type):
		kinds := strings.Trim(strings.ReplaceAll(fmt.Sprint(i.answers()), " ", ", "), "[]")
		refusal = invalidForm(&fieldError{"type", "BASE_TYPE_CHOICES", "Value must be one of {" + kinds + "}."})
	default:
		bad := s.fulfil(i, first.Type, first.Data, q)
		if bad == nil {
			s.act(i, first.Type)
		}
		return bad
	}
	return &refusal
}

// fulfil does what a first answer asks.
func (s *Server) fulfil(i *interaction, kind int, data []byte, q *request) *reply {
	switch kind {
	case callbackChoices:
		return s.offer(i, data)
	case callbackModal:
		return s.openModal(i, data)
	}
	if len(data) == 0 || string(data) == "null" {
		data = []byte("{}")
	}
	var d draft
	if bad := d.readAnswer(data); bad != nil {
		return within("data", bad)
	}
	flags := 0
	if d.Flags != nil {
		flags = *d.Flags
	}
	if kind == callbackDeferred && flags&^flagEphemeral != 0 || flags&^flagsOfAnswer != 0 {
		answer := invalidForm(&fieldError{"data.flags", "MESSAGE_FLAGS_INVALID", "These message flags cannot be set here."})
		return &answer
	}
	switch kind {
	case callbackMessage:
		m, bad := s.answerWith(i, &d, flags, q)
		if bad != nil {
			return within("data", bad)
		}
		i.original = m
		s.bring(i.c, m)
	case callbackDeferred:
		m := s.sheet(i, flags|flagLoading, q.now)
		i.original = m
		s.bring(i.c, m)
	case callbackUpdate, callbackDeferredUpdate:
		i.original = i.source
		if kind == callbackUpdate {
			return within("data", s.rewrite(i, i.source, &d, q))
		}
	}
	return nil
}

// within puts the complaints of a refusal below a field.
func within(field string, bad *reply) *reply {
	if bad == nil {
		return nil
	}
	if f, is := bad.body.(failure); is && f.Errors != nil {
		f.Errors = map[string]any{field: f.Errors}
		return &reply{bad.status, f}
	}
	return bad
}

// sheet is an empty message that answers the interaction.
func (s *Server) sheet(i *interaction, flags int, now time.Time) *Message {
	m := s.blank(i.c, s.bot, now)
	m.WebhookID, m.ApplicationID, m.Flags = s.appID, s.appID, flags
	m.InteractionMetadata = s.metadata(i, i.answer != 0)
	if flags&flagEphemeral != 0 {
		m.EphemeralTo = i.user.ID
	}
	target := i.source
	switch {
	case i.answer != 0:
		target = i.original
	case i.command != nil && i.command.Type == commandChat:
		m.Type = typeChatCommand
	case i.command != nil:
		m.Type = typeContextMenu
	}
	if i.command != nil && i.answer == 0 {
		m.Interaction = &invoked{ID: i.id, Type: i.kind, Name: i.named(), User: *i.user}
	}
	if target != nil && !target.Deleted {
		s.reply(i.c, m, target)
		if target.EphemeralTo != "" && m.EphemeralTo == "" {
			m.ReferencedMessage = nil // what one user saw is shown to nobody else
		}
	}
	i.mine[m.ID] = m
	return m
}

// answerWith is a message that answers the interaction, with what the draft says.
func (s *Server) answerWith(i *interaction, d *draft, flags int, q *request) (*Message, *reply) {
	m := s.sheet(i, flags, q.now)
	m.TTS = d.TTS
	d.apply(m)
	bad := s.furnish(i.c, m, d, q)
	if bad == nil && m.empty() {
		answer := emptyMessage()
		bad = &answer
	}
	if bad != nil {
		delete(i.mine, m.ID)
		return nil, bad
	}
	s.mention(i.c, m, d.AllowedMentions)
	return m, nil
}

// readAnswer reads the body of an interaction's message. It mentions users unless it says so itself (docs: Allowed Mentions); a
// nonce, a reference or stickers are not looked at.
func (d *draft) readAnswer(body []byte) *reply {
	if bad := d.read(body); bad != nil {
		return bad
	}
	if d.AllowedMentions == nil {
		d.AllowedMentions = &allowedMentions{Parse: []string{"users"}}
	}
	d.Nonce, d.EnforceNonce, d.Reference, d.StickerIDs = nil, false, nil, nil
	return nil
}

// rewrite changes a message of the interaction as the draft says.
func (s *Server) rewrite(i *interaction, m *Message, d *draft, q *request) *reply {
	if m.Deleted {
		answer := unknownMessage()
		return &answer
	}
	changed := *m
	d.apply(&changed)
	if bad := s.refurnish(i.c, m, &changed, d, q); bad != nil {
		return bad
	}
	if changed.empty() {
		answer := emptyMessage()
		return &answer
	}
	s.amend(i.c, m, changed, d.AllowedMentions)
	return nil
}

// offer takes the choices of an autocomplete.
func (s *Server) offer(i *interaction, data []byte) *reply {
	var body struct {
		Choices *[]Choice `json:"choices"`
	}
	var bad *fieldError
	if err := decodeNumbers(data, &body); err != nil {
		bad = wrongType(err)
	} else if body.Choices == nil {
		bad = &fieldError{"choices", "BASE_TYPE_REQUIRED", "This field is required"}
	} else {
		bad = checkChoices("choices", i.focus, *body.Choices)
	}
	if bad != nil {
		bad.path = dotted("data", bad.path)
		answer := invalidForm(bad)
		return &answer
	}
	i.choices = list(*body.Choices)
	return nil
}

// openModal takes a form and shows it to the user.
func (s *Server) openModal(i *interaction, data []byte) *reply {
	var body struct {
		CustomID   string            `json:"custom_id"`
		Title      string            `json:"title"`
		Components []json.RawMessage `json:"components"`
	}
	var bad *fieldError
	if err := json.Unmarshal(data, &body); err != nil {
		bad = wrongType(err)
	} else {
		bad = first(between("custom_id", body.CustomID, 1, 100), between("title", body.Title, 1, 45))
	}
	if n := len(body.Components); bad == nil && (n < 1 || n > 5) {
		bad = &fieldError{"components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."}
	}
	if bad == nil {
		v := newInspection(true)
		bad = v.top(body.Components, "components", 5)
	}
	if bad != nil {
		bad.path = dotted("data", bad.path)
		answer := invalidForm(bad)
		return &answer
	}
	next := 1
	i.modal = &Modal{
		Channel: i.c.id, User: i.user.ID, Interaction: i.id, Title: body.Title, CustomID: body.CustomID,
		Components: numbered(body.Components, &next),
	}
	s.watch("modal", watched{Channel: i.c.id, User: i.user.ID, Modal: i.modal})
	return nil
}
