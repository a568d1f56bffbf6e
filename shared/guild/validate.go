package guild

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/persona"
)

// Lengths of what settings name, besides the counts above.
const (
	MaxName   = 80      // characters of a provider's name, as of a persona's
	MaxURL    = 300     // bytes of a provider's address
	MaxModel  = 200     // bytes of a model's name
	MaxReply  = 20_000  // characters that a reply may be limited to, ten messages of Discord
	MaxPast   = 100     // messages that a persona may read, as many as Discord gives at once
	MaxDaily  = 100_000 // turns that a day may be limited to
	MaxReview = 4000    // characters of what a reviewer is told besides, as many as a form of Discord takes
	MaxSends  = 40      // messages of one turn, for every server (chat pipeline, section 4.6)
	maxID     = 64      // bytes of an id
	maxTag    = 16      // bytes of a language's name
	maxSealed = MaxSecret + 4096
)

// Validate tells everything that is wrong with s at once, by what would be right; nil when it may be kept. Each fault wraps
// ErrInvalid, those of a persona wrap persona.ErrInvalid too. The errors name nothing that people wrote.
func (s Settings) Validate() error {
	return errors.Join(slices.Concat(s.personaFaults(), s.providerFaults(), s.otherFaults())...)
}

func fault(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
}

func (s Settings) personaFaults() (faults []error) {
	if len(s.Personas) > MaxPersonas {
		faults = append(faults, fault("%d personas, at most %d are allowed", len(s.Personas), MaxPersonas))
	}
	mains := 0
	for i, p := range s.Personas {
		if err := p.Validate(); err != nil {
			faults = append(faults, fmt.Errorf("%w: persona %d: %w", ErrInvalid, i+1, err))
		}
		if len(p.Triggers) > MaxTriggers {
			faults = append(faults, fault("persona %d: %d triggers, at most %d are allowed", i+1, len(p.Triggers), MaxTriggers))
		}
		for j, other := range s.Personas[:i] {
			if p.ID == other.ID || SameName(p.Name, other.Name) {
				faults = append(faults, fault("personas %d and %d have one name or id", j+1, i+1))
			}
			if slices.ContainsFunc(p.Triggers, func(t string) bool { _, ok := owner([]persona.Persona{other}, t); return ok }) {
				faults = append(faults, fault("personas %d and %d have a trigger in common", j+1, i+1))
			}
		}
		if p.Main {
			mains++
		}
	}
	if len(s.Personas) > 0 && mains != 1 {
		faults = append(faults, fault("%d main personas, exactly one is needed", mains))
	}
	return faults
}

// Owner is the persona that a trigger belongs to; false while it is free. Triggers are compared as names are.
func (s Settings) Owner(trigger string) (persona.Persona, bool) { return owner(s.Personas, trigger) }

func owner(all []persona.Persona, trigger string) (persona.Persona, bool) {
	for _, p := range all {
		if slices.ContainsFunc(p.Triggers, func(t string) bool { return SameName(t, trigger) }) {
			return p, true
		}
	}
	return persona.Persona{}, false
}

func (s Settings) providerFaults() (faults []error) {
	if len(s.Providers) > MaxProviders {
		faults = append(faults, fault("%d providers, at most %d are allowed", len(s.Providers), MaxProviders))
	}
	for i, p := range s.Providers {
		for _, f := range p.faults() {
			faults = append(faults, fault("provider %d: %s", i+1, f))
		}
		for j, other := range s.Providers[:i] {
			if SameName(p.Name, other.Name) {
				faults = append(faults, fault("providers %d and %d have one name", j+1, i+1))
			}
		}
	}
	if s.Provider != "" && s.Uses() == nil {
		faults = append(faults, fault("the provider that speaks is none of the providers"))
	}
	return faults
}

func (p Provider) faults() (faults []string) {
	if !named(p.Name, MaxName) {
		faults = append(faults, fmt.Sprintf("name: 1 to %d visible characters are needed", MaxName))
	}
	if _, ok := KindOf(p.Kind); !ok {
		faults = append(faults, "kind: there is none like this")
	}
	u, err := url.Parse(p.URL)
	if err != nil || len(p.URL) > MaxURL || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		faults = append(faults, fmt.Sprintf("url: an http or https address of at most %d bytes is needed", MaxURL))
	}
	if slices.ContainsFunc(slices.Concat([]string{p.Model}, p.Added, p.Hidden), badModel) {
		faults = append(faults, fmt.Sprintf("model: at most %d bytes on one line are allowed", MaxModel))
	}
	if max(len(p.Added), len(p.Hidden)) > MaxOwnModels {
		faults = append(faults, fmt.Sprintf("models: at most %d are added, and taken out", MaxOwnModels))
	}
	if len(p.Key) > maxSealed || utf8.RuneCountInString(p.Last4) > 4 {
		faults = append(faults, "key: it is too long")
	}
	return faults
}

func badModel(name string) bool {
	return len(name) > MaxModel || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl)
}

// named tells whether s is a name that people can read on a line.
func named(s string, longest int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= longest && strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r)
	}) && !strings.ContainsFunc(s, unicode.IsControl)
}

func (s Settings) otherFaults() (faults []error) {
	if faults = s.styleFaults(); s.Whole && s.Fresh {
		faults = append(faults, fault("fresh: what is shown as a whole does not grow"))
	}
	if len(s.Language) > maxTag || len(s.Locale) > maxTag || !utf8.ValidString(s.Language+s.Locale) {
		faults = append(faults, fault("language: at most %d bytes are allowed", maxTag))
	}
	for _, l := range []struct {
		name     string
		n, limit int
	}{{"reply", s.Limits.Reply, MaxReply}, {"history", s.Limits.History, MaxPast}, {"daily", s.Limits.Daily, MaxDaily},
		{"messages", s.Limits.Messages, MaxSends}} {
		if l.n < 0 || l.n > l.limit {
			faults = append(faults, fault("limit %s: 0 to %d is needed", l.name, l.limit))
		}
	}
	if n := utf8.RuneCountInString(s.Drafting.Instructions); n > MaxReview || !utf8.ValidString(s.Drafting.Instructions) {
		faults = append(faults, fault("drafting: %d characters, at most %d are allowed", n, MaxReview))
	}
	if len(s.Setup.Home) > maxID {
		faults = append(faults, fault("home: it is no id"))
	}
	return append(append(faults, listFaults("whitelist", s.Whitelist, MaxWhitelist)...), listFaults("admins", s.Admins, MaxRoles)...)
}

// listFaults looks at a list of ids.
func listFaults[T ~string](name string, ids []T, most int) (faults []error) {
	if len(ids) > most {
		faults = append(faults, fault("%s: %d entries, at most %d are allowed", name, len(ids), most))
	}
	for i, id := range ids {
		if id == "" || len(id) > maxID || slices.Contains(ids[:i], id) {
			faults = append(faults, fault("%s: entry %d is no id, or stands there twice", name, i+1))
		}
	}
	return faults
}

// Validate is Validate for a channel. The host need not live there: one who left leaves the main persona.
func (c Channel) Validate() error {
	var faults []error
	if n := utf8.RuneCountInString(c.Prompt); n > MaxPrompt || !utf8.ValidString(c.Prompt) {
		faults = append(faults, fault("prompt: %d characters, at most %d are allowed", n, MaxPrompt))
	}
	if len(c.Host) > maxID {
		faults = append(faults, fault("host: it is no id"))
	}
	return errors.Join(faults...)
}
