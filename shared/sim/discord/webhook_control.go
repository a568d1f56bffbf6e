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

// DeleteWebhook removes a webhook as a moderator does in the channel's settings; its messages stay.
func (s *Server) DeleteWebhook(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.webhookByID(id)
	if h == nil {
		return fmt.Errorf("delete webhook %s: %w", id, ErrUnknown)
	}
	s.dropHook(h)
	return nil
}

// MoveWebhook gives a webhook to another channel of its guild, as the settings can.
func (s *Server) MoveWebhook(id, channel string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.webhookByID(id)
	c, err := s.channel(channel)
	switch {
	case h == nil:
		return fmt.Errorf("move webhook %s: %w", id, ErrUnknown)
	case err != nil:
		return err
	case s.guildOf(c) != h.guild || !c.hooked() || s.hookRoom(c) != nil:
		return fmt.Errorf("move webhook %s: %w", id, ErrRefused)
	}
	from := h.channel
	h.channel = c.id
	s.keepHook(h, false)
	s.hooksChanged(from)
	s.hooksChanged(c.id)
	return nil
}

// Webhook is a webhook as the settings of its channel show it, with what the simulator knows of who may use it.
type Webhook struct {
	ID, Name string
	Ours     bool // the application made it
}

// Webhooks lists those of a channel.
func (s *Server) Webhooks(channel string) ([]Webhook, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.channel(channel)
	if err != nil {
		return nil, err
	}
	var all []Webhook
	for _, h := range s.hooks {
		if h.channel == c.id {
			all = append(all, Webhook{h.id, h.name, h.application == s.appID})
		}
	}
	return all, nil
}

func (s *Server) webhookByID(id string) *webhook {
	for _, h := range s.hooks {
		if h.id == id {
			return h
		}
	}
	return nil
}
