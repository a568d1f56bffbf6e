package persona

import "strings"

// Cast is who lives in a channel and when they answer there.
type Cast struct {
	Personas []Persona `json:"personas"` // in the order in which an always-on channel lets them speak
	Always   bool      `json:"always"`   // they answer every message of a person, addressed or not
	Round    bool      `json:"round"`    // where nobody in particular is addressed all of them answer, in their order
	// Host is the id of the one who answers where nobody in particular is addressed; empty, or one who left, for the main one.
	Host string `json:"host,omitempty"`
}

// Answers is who answers where nobody in particular is addressed. False when nobody lives here.
func (c Cast) Answers() (Persona, bool) {
	if host, ok := c.ByID(c.Host); ok {
		return host, true
	}
	return c.Main()
}

// Main is the persona that the bot account itself is. False when nobody lives here.
func (c Cast) Main() (Persona, bool) {
	for _, p := range c.Personas {
		if p.Main {
			return p, true
		}
	}
	if len(c.Personas) > 0 {
		return c.Personas[0], true
	}
	return Persona{}, false
}

// Label is what stands before the words of a persona that has no face of its own in Discord: its name on a line of its
// own. The main persona needs none, the bot account is its face.
func (c Cast) Label(p Persona) string {
	if main, ok := c.Main(); ok && main.ID == p.ID {
		return ""
	}
	return "**" + markup.Replace(strings.Join(strings.Fields(p.Name), " ")) + "**\n"
}

// markup takes their meaning from the characters that format a line, mention somebody or make a link.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "`", "\\`", "@", "@\u200b", "<", `\<`, "[", `\[`, "://", `\://`)

// ByID finds a persona of the cast.
func (c Cast) ByID(id string) (Persona, bool) {
	for _, p := range c.Personas {
		if p.ID == id {
			return p, true
		}
	}
	return Persona{}, false
}
