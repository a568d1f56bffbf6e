// Package persona holds the words of a persona: its card, what calls it, and what asks it to be silent. Everything here
// is pure and stands on the standard library. What must not live here: choosing who speaks (package plan), the making of
// prompts (package prompt), and anything that fetches or stores.
package persona

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits that Validate enforces. Names follow Discord's for webhooks, so that a persona can always show its own.
const (
	MaxName     = 80     // runes of a name
	MaxTriggers = 50     // triggers of one persona
	MaxTrigger  = 100    // runes of a trigger
	MaxText     = 65_536 // bytes of one text field of the card
	maxID       = 64     // bytes of an ID; it becomes part of store keys
)

// ErrInvalid is what every error of Validate wraps.
var ErrInvalid = errors.New("invalid persona")

// Persona is a character that speaks in channels.
type Persona struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Description  string   `json:"description,omitempty"`
	Personality  string   `json:"personality,omitempty"`
	Scenario     string   `json:"scenario,omitempty"`
	FirstMessage string   `json:"first_message,omitempty"`
	SystemPrompt string   `json:"system_prompt,omitempty"` // replaces the house's main prompt when it is not blank
	PostHistory  string   `json:"post_history,omitempty"`  // instructions placed after the history
	Triggers     []string `json:"triggers,omitempty"`
	Lore         []Lore   `json:"lore,omitempty"` // in the order in which it stands in a prompt
	Main         bool     `json:"main,omitempty"` // it speaks with the bot account's own face
	// Avatar is its picture: a link of https, or the name of a picture that its guild keeps; "" for none.
	Avatar string `json:"avatar,omitempty"`
}

// Validate tells everything that is wrong with p at once, each fault with its field and what would be right. The errors
// name no content of the card.
func (p Persona) Validate() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...))
	}
	if !validID(p.ID) {
		fault("id: 1 to %d letters, digits, '-' or '_' are needed", maxID)
	}
	switch n := utf8.RuneCountInString(strings.TrimSpace(p.Name)); {
	case n == 0:
		fault("name: it is empty")
	case n > MaxName:
		fault("name: %d characters, at most %d are allowed", n, MaxName)
	case strings.ContainsFunc(p.Name, unicode.IsControl):
		fault("name: it holds a line break or another control character")
	case !visible(p.Name):
		fault("name: it shows nothing")
	}
	for _, f := range p.texts() {
		if len(f.text) > MaxText {
			fault("%s: %d bytes, at most %d are allowed", f.field, len(f.text), MaxText)
		}
		if !utf8.ValidString(f.text) {
			fault("%s: it is not valid UTF-8", f.field)
		}
	}
	if len(p.Triggers) > MaxTriggers {
		fault("triggers: %d, at most %d are allowed", len(p.Triggers), MaxTriggers)
	}
	for i, t := range p.Triggers {
		switch n := utf8.RuneCountInString(t); {
		case strings.TrimSpace(t) == "":
			fault("trigger %d: it is empty and would never match", i+1)
		case n > MaxTrigger:
			fault("trigger %d: %d characters, at most %d are allowed", i+1, n, MaxTrigger)
		case !utf8.ValidString(t):
			fault("trigger %d: it is not valid UTF-8", i+1)
		}
	}
	if p.Avatar != "" && !PictureName(p.Avatar) && !ValidLink(p.Avatar) {
		fault("avatar: a link of https of at most %d bytes, or the name of a picture is needed", MaxLink)
	}
	faults = append(faults, p.loreFaults()...)
	return errors.Join(faults...)
}

func (p Persona) loreFaults() (faults []error) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...))
	}
	if len(p.Lore) > MaxLore {
		fault("lore: %d entries, at most %d are allowed", len(p.Lore), MaxLore)
	}
	for i, l := range p.Lore {
		switch {
		case strings.TrimSpace(l.Text) == "":
			fault("lore %d: its text is empty", i+1)
		case len(l.Text) > MaxLoreText:
			fault("lore %d: %d bytes, at most %d are allowed", i+1, len(l.Text), MaxLoreText)
		case !utf8.ValidString(l.Text) || !utf8.ValidString(strings.Join(l.Keys, "")):
			fault("lore %d: it is not valid UTF-8", i+1)
		}
		if len(l.Keys) == 0 || len(l.Keys) > MaxTriggers {
			fault("lore %d: %d keys, 1 to %d are needed", i+1, len(l.Keys), MaxTriggers)
		}
		for j, k := range l.Keys {
			if n := utf8.RuneCountInString(k); strings.TrimSpace(k) == "" || n > MaxTrigger {
				fault("lore %d: key %d: %d characters, 1 to %d are needed", i+1, j+1, n, MaxTrigger)
			}
		}
	}
	return faults
}

type field struct{ field, text string }

func (p Persona) texts() []field {
	return []field{
		{"name", p.Name}, {"description", p.Description}, {"personality", p.Personality}, {"scenario", p.Scenario},
		{"first_message", p.FirstMessage}, {"system_prompt", p.SystemPrompt}, {"post_history", p.PostHistory},
	}
}

func validID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for _, r := range id {
		ok := r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !ok {
			return false
		}
	}
	return true
}

// visible tells whether anything of s can be seen: a name of format characters alone would be an empty face.
func visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\u2800' && r != '\u3164'
	})
}

// MaxLink is the longest link to a picture in bytes; Discord takes no longer one.
const MaxLink = 2048

// PictureName tells whether the name can be of a kept picture: 32 hexadecimal digits of its bytes' hash, and its kind.
func PictureName(s string) bool {
	digits, kind, _ := strings.Cut(s, ".")
	return len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == "" && (kind == "png" || kind == "jpg")
}

// ValidLink tells whether a picture may be at an address: one of https, of a name that people can look up, without a password.
// Discord fetches it, and nobody else.
func ValidLink(s string) bool {
	u, err := url.Parse(s)
	return err == nil && len(s) <= MaxLink && u.Scheme == "https" && u.Host != "" && u.User == nil && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// NameOfPicture is the name of a picture that is kept.
func NameOfPicture(picture []byte) string {
	sum := sha256.Sum256(picture)
	kind := ".png"
	if http.DetectContentType(picture) == "image/jpeg" {
		kind = ".jpg"
	}
	return hex.EncodeToString(sum[:16]) + kind
}
