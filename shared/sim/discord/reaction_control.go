package discord

import (
	"fmt"
	"net/http"
)

// React adds a person's reaction to a message: a unicode emoji, or "name:id" of one of the guild's.
func (s *Server) React(channel, id, user, emoji string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, m, u, e, err := s.reactor(channel, id, user, emoji)
	if err != nil {
		return err
	}
	if m.reaction(e) < 0 && len(m.Reactions) >= maxReactions {
		return fmt.Errorf("react to message %s with more than %d emoji: %w", id, maxReactions, ErrRefused)
	}
	s.react(c, m, u, e)
	return nil
}

// takeBack takes a person's reaction back; there must be one.
func (s *Server) takeBack(channel, id, user, emoji string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, m, u, e, err := s.reactor(channel, id, user, emoji)
	if err != nil {
		return err
	}
	if !s.unreact(c, m, u.ID, e) {
		return fmt.Errorf("reaction %s to message %s: %w", emoji, id, ErrUnknown)
	}
	return nil
}

// ClearReactions takes every reaction from a message, as a moderator does.
func (s *Server) ClearReactions(channel, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, m, err := s.message(channel, id)
	if err != nil {
		return err
	}
	s.unreactAll(c, m)
	return nil
}

// reactor finds everything a person's reaction needs. The bot under test reacts by REST only.
func (s *Server) reactor(ref, id, user, text string) (*channel, *Message, *User, ReactionEmoji, error) {
	c, m, err := s.message(ref, id)
	if err != nil {
		return nil, nil, nil, ReactionEmoji{}, err
	}
	u := s.user(user)
	e, known := s.emoji(text)
	switch {
	case u == nil:
		err = fmt.Errorf("react as %q: user %w", user, ErrUnknown)
	case u == s.bot:
		err = fmt.Errorf("react as the bot under test: %w", ErrRefused)
	case c.kind == channelDM && c.user != u.ID:
		err = fmt.Errorf("react in another user's direct messages: %w", ErrRefused)
	case !known:
		err = fmt.Errorf("react with %q: emoji %w", text, ErrUnknown)
	}
	return c, m, u, e, err
}

// controlReactions answers for the reactions of one message.
func (s *Server) controlReactions(w http.ResponseWriter, r *http.Request, ref, id string) {
	switch r.Method {
	case http.MethodPost:
		var body struct{ User, Emoji string }
		if understand(w, r, &body) {
			settle(w, nil, s.React(ref, id, body.User, body.Emoji))
		}
	case http.MethodDelete:
		query := r.URL.Query()
		if query.Get("user") == "" && query.Get("emoji") == "" {
			settle(w, nil, s.ClearReactions(ref, id))
			return
		}
		settle(w, nil, s.takeBack(ref, id, query.Get("user"), query.Get("emoji")))
	default:
		refuse(w, http.StatusMethodNotAllowed, "POST and DELETE only")
	}
}
