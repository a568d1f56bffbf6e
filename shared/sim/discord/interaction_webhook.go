package discord

import "net/http"

// interactionWebhook answers the calls under /webhooks/{application}/{token}: the first answer to an interaction and what
// follows it. q.method and q.pattern say which call it is, q.vars["message_id"] may be original. No token is known that no
// interaction has.
func (s *Server) interactionWebhook(*request) reply {
	return fail(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
}
