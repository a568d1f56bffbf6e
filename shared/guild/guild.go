// Package guild holds the words of what a server has set: who lives there, in which channels they answer and how, whose
// model speaks, and who changed what. Guild is Discord's word for a server; the guild "" is the installation itself, whose
// settings count in direct messages and where a server has none of its own. What lives here: those words, their limits, how
// they come together to a Place, and the contracts of keeping them. What must not live here: a store (package store), a way
// to encrypt (package seal and below), and what people are told (packages command and locale).
package guild

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/persona"
)

// Limits of a guild's settings. They keep the settings of a guild in one item of the store, which every turn reads.
const (
	MaxPersonas  = 20 // of one guild (chat pipeline, section 6)
	MaxTriggers  = 10 // trigger words of one persona that people set (the same)
	MaxProviders = 5
	MaxOwnModels = 20 // models that people added to what a provider offers, and as many that they took out
	MaxWhitelist = 100
	MaxRoles     = 20
	MaxPrompt    = 4000 // characters of a channel's prompt, as many as a form of Discord takes
	MaxSettings  = 350 << 10
)

// Settings are what a guild has set. Zero values mean that nothing was: the installation's then counts.
type Settings struct {
	// Own tells that the guild has personas of its own, be it none. Until then the installation's live there.
	Own      bool              `json:"own,omitempty"`
	Personas []persona.Persona `json:"personas,omitempty"` // in the order in which they were made

	Providers []Provider `json:"providers,omitempty"`
	Provider  string     `json:"provider,omitempty"` // name of the one that speaks; "" for the installation's own model

	Language  string    `json:"language,omitempty"`  // of what everybody reads; "" for Locale's
	Locale    string    `json:"locale,omitempty"`    // that Discord last named as the guild's
	Humanizer Humanizer `json:"humanizer,omitempty"` // "" for the default
	Custom    Toggles   `json:"custom,omitzero"`     // of the humanizer Custom
	// Styles are those of personas, by their ids, that have one of their own.
	Styles   map[string]Style `json:"styles,omitempty"`
	Whole    bool             `json:"whole,omitempty"` // replies are shown when they are complete, not while they grow
	Fresh    bool             `json:"fresh,omitempty"` // a message that has grown for long is posted anew when it is complete, so that it counts as unread
	Limits   Limits           `json:"limits,omitzero"`
	Drafting Drafting         `json:"drafting,omitzero"`
	Controls bool             `json:"controls,omitempty"` // buttons stand below replies
	// Expressions lets personas use the server's emoji and stickers.
	Expressions bool `json:"expressions,omitempty"`

	Whitelist []chat.ChannelID `json:"whitelist,omitempty"` // where personas answer at all; empty for everywhere
	Admins    []string         `json:"admins,omitempty"`    // roles whose members may change settings, besides those who manage the server

	Setup Setup `json:"setup,omitzero"`
}

// Setup is what people have settled with the guide (/setup) and that cannot be seen otherwise: they were content with what was so
// already.
type Setup struct {
	Model     bool `json:"model,omitempty"`
	Personas  bool `json:"personas,omitempty"`
	Channel   bool `json:"channel,omitempty"`
	Humanizer bool `json:"humanizer,omitempty"`
	// Home is the channel in which everything was to be answered; "" when personas were to wait until somebody calls them.
	Home chat.ChannelID `json:"home,omitempty"`
}

// Limits bound what one guild gets; 0 for the installation's.
type Limits struct {
	Reply   int `json:"reply,omitempty"`   // characters of one reply
	History int `json:"history,omitempty"` // messages that a persona reads
	Daily   int `json:"daily,omitempty"`   // turns in a day, of UTC
	// Messages are what one turn may send; what a persona has to say beyond them is not said, and nobody is told.
	Messages int `json:"messages,omitempty"`
}

// Drafting is the review of replies before anybody sees them.
type Drafting struct {
	On           bool   `json:"on,omitempty"`
	Instructions string `json:"instructions,omitempty"` // what to look at besides what is always looked at
}

// Channel is what is set for one channel.
type Channel struct {
	Always bool   `json:"always,omitempty"` // every message of a person is answered, addressed or not
	Round  bool   `json:"round,omitempty"`  // where nobody in particular is addressed all personas answer, in their order
	Host   string `json:"host,omitempty"`   // id of the persona that answers where nobody in particular is addressed
	Prompt string `json:"prompt,omitempty"` // what every persona is told here, besides its card
}

// Provider is a model server that a guild pays for.
type Provider struct {
	Name   string    `json:"name"` // unique in its guild
	Kind   string    `json:"kind"` // an ID of Kinds
	URL    string    `json:"url"`  // base address
	Model  string    `json:"model,omitempty"`
	Key    Sealed    `json:"key,omitempty"`   // sealed in KeyContext; empty where none is wanted
	Last4  string    `json:"last4,omitempty"` // of the key: all of it that anybody is shown
	Tested time.Time `json:"tested,omitzero"` // when it last answered

	Added  []string `json:"added,omitempty"`  // models that people may choose from though the server does not list them
	Hidden []string `json:"hidden,omitempty"` // models that it lists and that people do not want to choose from
}

// Persona finds a persona by its id.
func (s Settings) Persona(id string) (persona.Persona, bool) {
	return persona.Cast{Personas: s.Personas}.ByID(id)
}

// PersonaNamed finds a persona by its name, whatever the case and the blanks around it; names are unique in that sense.
func (s Settings) PersonaNamed(name string) (persona.Persona, bool) {
	for _, p := range s.Personas {
		if SameName(p.Name, name) {
			return p, true
		}
	}
	return persona.Persona{}, false
}

// SameName tells whether two names are one to people.
func SameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// Uses is the provider that speaks; nil for the installation's own model.
func (s Settings) Uses() *Provider { return s.ProviderNamed(s.Provider) }

// ProviderNamed finds a provider by its name; nil when there is none.
func (s Settings) ProviderNamed(name string) *Provider {
	for i, p := range s.Providers {
		if name != "" && SameName(p.Name, name) {
			return &s.Providers[i]
		}
	}
	return nil
}

// Closed tells whether the guild has a whitelist, and a channel is not on it.
func (s Settings) Closed(id chat.ChannelID) bool {
	return len(s.Whitelist) > 0 && !slices.Contains(s.Whitelist, id)
}

// Place is a channel as it is for those who work on its messages: its own settings, its guild's and the installation's, come
// together.
type Place struct {
	persona.Cast                  // who lives there, and when they answer
	Prompt       string           // of the channel
	Closed       bool             // the guild has a whitelist, and the channel is not on it
	Provider     *Provider        // that speaks; nil for the installation's own model
	Language     string           // of what everybody reads, as Discord names languages; "" for the default
	Humanizer    Humanizer        // "" for the default
	Custom       Toggles          // of the humanizer Custom
	Styles       map[string]Style // of personas that have their own
	Whole        bool             // replies are shown when they are complete
	Fresh        bool             // what has grown for long is posted anew
	Controls     bool             // buttons stand below replies
	Drafting     Drafting
	Expressions  bool   // personas use the server's emoji and stickers
	Limits       Limits // 0 for the installation's
	Refusing     int    // the code with which Discord lately refused to let us write there; 0 for none
}

// At brings the settings of a channel together. Direct messages have the installation's alone.
func At(installation, g Settings, id chat.ChannelID, c Channel) Place {
	personas := installation.Personas
	if g.Own {
		personas = g.Personas
	}
	style := g.Style()
	if style.Humanizer == "" {
		style = installation.Style()
	}
	return Place{
		Cast:        persona.Cast{Personas: personas, Always: c.Always, Round: c.Round, Host: c.Host},
		Prompt:      c.Prompt,
		Closed:      g.Closed(id),
		Provider:    g.Uses(),
		Language:    cmp.Or(g.Language, g.Locale, installation.Language),
		Humanizer:   style.Humanizer,
		Custom:      style.Custom,
		Styles:      g.Styles,
		Whole:       g.Whole || installation.Whole && !g.Fresh,
		Fresh:       g.Fresh || installation.Fresh && !g.Whole,
		Drafting:    cmp.Or(g.Drafting, installation.Drafting),
		Controls:    g.Controls || installation.Controls,
		Expressions: g.Expressions,
		Limits: Limits{cmp.Or(g.Limits.Reply, installation.Limits.Reply), cmp.Or(g.Limits.History, installation.Limits.History),
			cmp.Or(g.Limits.Daily, installation.Limits.Daily), cmp.Or(g.Limits.Messages, installation.Limits.Messages)},
	}
}
