package discord

import "net/http"

// maxFollowUps is how many follow-ups an application has for one interaction where it is installed by a user only.
const maxFollowUps = 5

// interactionWebhook answers the calls on /webhooks/{application}/{interaction token}: an interaction's messages are those of a
// webhook that lives for 15 minutes. Whoever knows the token may speak, with or without the bot's own.
func (s *Server) interactionWebhook(q *request) reply {
	i := s.play.byToken[q.vars["webhook_token"]]
	switch {
	case i == nil || q.now.Sub(i.sent) >= tokenLife || i.failure != "" || i.answer == 0 && q.now.Sub(i.sent) >= firstAnswer:
		return fail(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	case i.answer == 0 || i.kind == interactionAutocomplete:
		return fail(http.StatusNotFound, 10015, "Unknown Webhook")
	}
	id, onMessage := q.vars["message_id"]
	if !onMessage {
		if q.method == http.MethodPost {
			return s.followUp(i, q)
		}
		return fail(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
	}
	m := i.original
	if id != original {
		m = i.mine[id]
	}
	if m == nil || m.Deleted {
		return unknownMessage()
	}
	switch q.method {
	case http.MethodGet:
		return ok(s.shown(i.c, m))
	case http.MethodPatch:
		return s.editAnswer(i, m, q)
	case http.MethodDelete:
		s.drop(i.c, m)
		return reply{status: http.StatusNoContent}
	}
	return fail(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
}

// followUp makes another message. Right after a deferral it edits the message that is thinking instead, and whom that one is shown to
// stays as it was.
func (s *Server) followUp(i *interaction, q *request) reply {
	if m := i.original; i.answer == callbackDeferred && m.Flags&flagLoading != 0 && !m.Deleted {
		return s.editAnswer(i, m, q)
	}
	var d draft
	if bad := d.readAnswer(q.body); bad != nil {
		return *bad
	}
	if s.opt.UserInstalled && i.followUps >= maxFollowUps {
		return fail(http.StatusBadRequest, 40094, "This interaction has hit the maximum number of follow up messages")
	}
	flags := 0
	if d.Flags != nil {
		flags = *d.Flags & flagsOfAnswer
	}
	m, bad := s.answerWith(i, &d, flags, q)
	if bad != nil {
		return *bad
	}
	i.followUps++
	s.bring(i.c, m)
	return ok(s.shown(i.c, m))
}

// editAnswer is PATCH on a message of an interaction.
func (s *Server) editAnswer(i *interaction, m *Message, q *request) reply {
	var d draft
	if bad := d.readAnswer(q.body); bad != nil {
		return *bad
	}
	if bad := s.rewrite(i, m, &d, q); bad != nil {
		return *bad
	}
	return ok(s.shown(i.c, m))
}
