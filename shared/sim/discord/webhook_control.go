package discord

import (
	"fmt"
	"net/http"
	"time"
)

// NewWebhook is a webhook with its token, for who made it.
type NewWebhook struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// CreateWebhook makes a webhook as a person does in the channel's settings: it belongs to no application.
func (s *Server) CreateWebhook(channel, user, name string) (NewWebhook, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return NewWebhook{}, err
	}
	u := s.user(user)
	switch {
	case u == nil:
		return NewWebhook{}, fmt.Errorf("create a webhook as %q: user %w", user, ErrUnknown)
	case c.guild == nil || !c.hooked():
		return NewWebhook{}, fmt.Errorf("create a webhook in a channel that has none: %w", ErrRefused)
	case s.hookRoom(c) != nil:
		return NewWebhook{}, fmt.Errorf("create another webhook of the channel: %w", ErrRefused)
	}
	if e := hookName("name", name); e != nil {
		return NewWebhook{}, fmt.Errorf("create webhook %q: %s: %w", name, e.message, ErrRefused)
	}
	h := &webhook{name: name, channel: c.id, guild: c.guild.id, creator: u.ID}
	s.addHook(h, time.Now())
	return NewWebhook{h.id, h.token}, nil
}

// controlHooks is POST /sim/channels/{channel}/webhooks.
func (s *Server) controlHooks(w http.ResponseWriter, r *http.Request, ref string) {
	if r.Method != http.MethodPost {
		refuse(w, http.StatusMethodNotAllowed, "POST only")
		return
	}
	var body struct{ User, Name string }
	if understand(w, r, &body) {
		made, err := s.CreateWebhook(ref, body.User, body.Name)
		settle(w, made, err)
	}
}
