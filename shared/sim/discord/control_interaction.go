package discord

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// maxInvocation is how large an invocation may be: the files of one message, written in base64.
const maxInvocation = maxBody*4/3 + 1<<20

// controlInteractions answers what the control API has about the application; false means that the path is none of it.
func (s *Server) controlInteractions(w http.ResponseWriter, r *http.Request, where string) bool {
	switch where {
	case "GET commands":
		all, err := s.commandsFor(r.URL.Query().Get("channel"), r.URL.Query().Get("user"))
		settle(w, all, err)
	case "GET signed":
		show(w, http.StatusOK, s.signedPing())
	case "POST interactions":
		var in Invocation
		if understandUpTo(maxInvocation, w, r, &in) {
			in.base = "http://" + r.Host
			out, err := s.Interact(r.Context(), in)
			settle(w, out, err)
		}
	default:
		return false
	}
	return true
}

// commandsFor returns the commands that a user sees in a channel, as Discord writes them; with no user, those that may be seen there.
func (s *Server) commandsFor(channel, user string) ([]json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return nil, err
	}
	u := s.user(user)
	if user != "" && u == nil {
		return nil, fmt.Errorf("user %q: %w", user, ErrUnknown)
	}
	all := []json.RawMessage{}
	for _, k := range s.usable(c, u) {
		text, err := json.Marshal(k)
		if err != nil {
			return nil, fmt.Errorf("encode command %s: %w", k.ID, err)
		}
		all = append(all, text)
	}
	return all, nil
}

// seen is a channel's history with the ephemeral messages that a user sees there, by id. Without a user it has none of them.
func (s *Server) seen(channel, user string, deleted bool) []Message {
	all := s.history(channel, deleted)
	if user == "" {
		return all
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	u := s.user(user)
	if err != nil || u == nil {
		return all
	}
	for _, m := range s.play.private {
		if m.ChannelID == c.id && m.EphemeralTo == u.ID && (deleted || !m.Deleted) {
			all = append(all, s.shown(c, m))
		}
	}
	slices.SortStableFunc(all, func(a, b Message) int { return compareIDs(a.ID, b.ID) })
	return all
}

// MessagesAs is Messages with the ephemeral messages that a user sees among them.
func (s *Server) MessagesAs(channel, user string) []Message { return s.seen(channel, user, false) }
