package guild

import (
	"cmp"
	"maps"
)

// Humanizer is how a reply is divided into messages and how they arrive (DESIGN section 8, delivery): the name of some Toggles.
type Humanizer string

// The humanizers.
const (
	None   Humanizer = "none"   // one message, grown by edits
	Light  Humanizer = "light"  // a message a paragraph
	Medium Humanizer = "medium" // the same, and typing before each
	Heavy  Humanizer = "heavy"  // a message a sentence, typing before each, and written as in passing
	Custom Humanizer = "custom" // whatever else toggles are
)

// Humanizers are those that have a name of their own, the plainest first.
var Humanizers = []Humanizer{None, Light, Medium, Heavy}

// Portion is what becomes one message.
type Portion string

// The portions.
const (
	ByReply     Portion = "" // all of it
	ByParagraph Portion = "paragraph"
	BySentence  Portion = "sentence"
)

// Toggles are what a humanizer is made of.
type Toggles struct {
	By     Portion `json:"by,omitempty"`
	Typing bool    `json:"typing,omitempty"` // each further message is awaited for as long as somebody types it, with the sign of it
	Casual bool    `json:"casual,omitempty"` // written as in passing: small letters, few signs
}

// Style is how replies arrive: a humanizer, and its toggles where that is Custom.
type Style struct {
	Humanizer Humanizer `json:"humanizer,omitempty"` // "" where nothing is set
	Custom    Toggles   `json:"custom,omitzero"`
}

// presets are the toggles of the humanizers that have a name of their own.
var presets = map[Humanizer]Toggles{
	None:   {},
	Light:  {By: ByParagraph},
	Medium: {By: ByParagraph, Typing: true},
	Heavy:  {By: BySentence, Typing: true, Casual: true},
}

// Toggles are what the style comes to; where nothing is set, those of None.
func (s Style) Toggles() Toggles {
	if s.Humanizer == Custom {
		return s.Custom
	}
	return presets[s.Humanizer]
}

// Style is the style of these toggles: the humanizer that has exactly them, or Custom.
func (t Toggles) Style() Style {
	for _, h := range Humanizers {
		if presets[h] == t {
			return Style{Humanizer: h}
		}
	}
	return Style{Custom, t}
}

// Style is what a guild has set for everybody.
func (s Settings) Style() Style { return Style{s.Humanizer, s.Custom} }

// StyleOf is the style of a persona in this place: its own, or everybody's.
func (p Place) StyleOf(persona string) Style {
	if s, ok := p.Styles[persona]; ok {
		return s
	}
	return Style{cmp.Or(p.Humanizer, None), p.Custom}
}

// faults tells what is wrong with a style.
func (s Style) faults() (faults []error) {
	if _, ok := presets[s.Humanizer]; !ok && s.Humanizer != "" && s.Humanizer != Custom {
		faults = append(faults, fault("humanizer: there is none like this"))
	}
	switch s.Custom.By {
	case ByReply, ByParagraph, BySentence:
	default:
		faults = append(faults, fault("custom: there is no such portion"))
	}
	if s.Humanizer != Custom && s.Custom != (Toggles{}) {
		faults = append(faults, fault("custom: %s has toggles of its own", cmp.Or(s.Humanizer, "the default")))
	}
	return faults
}

// Forget drops the styles of personas that are gone.
func (s *Settings) Forget() {
	if !s.Own {
		return // they are the installation's
	}
	maps.DeleteFunc(s.Styles, func(id string, _ Style) bool { _, ok := s.Persona(id); return !ok })
}

func (s Settings) styleFaults() []error {
	faults := s.Style().faults()
	if len(s.Styles) > MaxPersonas {
		faults = append(faults, fault("styles: %d, at most %d are allowed", len(s.Styles), MaxPersonas))
	}
	for id, style := range s.Styles {
		if id == "" || len(id) > maxID || style.Humanizer == "" {
			faults = append(faults, fault("styles: there is one of nobody, or one that says nothing"))
		}
		faults = append(faults, style.faults()...)
	}
	return faults
}
