package discord

import (
	"fmt"
	"maps"
)

// usual is the language of who has chosen none: Discord's own.
const usual = "en-US"

// SetLocale chooses the language of a person's client. Interactions carry it, and the page shows commands in it.
func (s *Server) SetLocale(user, locale string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.user(user)
	switch {
	case u == nil || u.Bot:
		return fmt.Errorf("person %q: %w", user, ErrUnknown)
	case !locales[locale]:
		return fmt.Errorf("locale %q: %w", locale, ErrUnknown)
	}
	s.tongues[u.ID] = locale
	if s.journal != nil {
		s.note(entry{Person: &keptPerson{u.ID, locale}})
	}
	s.watch("state", watched{})
	return nil
}

// keptPerson is what the journal holds of a person.
type keptPerson struct {
	ID     string `json:"id"`
	Locale string `json:"locale"`
}

// localeOf is the language of a person's client.
func (s *Server) localeOf(userID string) string {
	if chosen := s.tongues[userID]; chosen != "" {
		return chosen
	}
	return usual
}

// preferred is the language that a guild says is its own.
func (g *guild) preferred() string {
	if g.locale == "" {
		return usual
	}
	return g.locale
}

// keptPeople are the people who chose a language.
func (s *Server) keptPeople() []entry {
	var all []entry
	for _, u := range s.users {
		if locale := s.tongues[u.ID]; locale != "" {
			all = append(all, entry{Person: &keptPerson{u.ID, locale}})
		}
	}
	return all
}

// restorePerson takes over what a person chose.
func (s *Server) restorePerson(k *keptPerson) {
	if s.userByID(k.ID) != nil && locales[k.Locale] {
		s.tongues[k.ID] = k.Locale
	}
}

// chosenLocales are the languages by person, of those who chose one.
func (s *Server) chosenLocales() map[string]string { return maps.Clone(s.tongues) }
