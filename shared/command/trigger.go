package command

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// readTriggers reads the words that call a persona, one a line or between commas. One that stands there twice counts once.
func readTriggers(text string) []string {
	var list []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ',' || r == '，' || r == '、' }) {
		word = strings.Join(strings.Fields(word), " ")
		if word != "" && !slices.ContainsFunc(list, func(t string) bool { return guild.SameName(t, word) }) {
			list = append(list, word)
		}
	}
	return list
}

// sane tells whether a word would call a persona when it is meant, and not all the time. One letter does for a script in which
// it can be a word; one sign that shows something, like an animal, does too.
func sane(trigger string) bool {
	shows := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) }
	if !strings.ContainsFunc(trigger, shows) {
		return false
	}
	if utf8.RuneCountInString(trigger) > 1 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(trigger)
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.So)
}

// triggerFaults says what is wrong with the words of a persona that lives with others, a line each.
func (u *use) triggerFaults(words []string, others []persona.Persona) (faults []string) {
	if len(words) > guild.MaxTriggers {
		faults = append(faults, u.say.Say("persona.triggers.many", "n", len(words), "most", guild.MaxTriggers))
	}
	for _, w := range words {
		if n := utf8.RuneCountInString(w); n > persona.MaxTrigger {
			faults = append(faults, u.say.Say("persona.triggers.long", "word", shown(w, 60), "n", n, "most", persona.MaxTrigger))
		} else if !sane(w) {
			faults = append(faults, u.say.Say("persona.triggers.vague", "word", shown(w, 60)))
		}
		if owner, ok := (guild.Settings{Personas: others}).Owner(w); ok {
			faults = append(faults, u.say.Say("persona.triggers.taken", "word", shown(w, 60), "name", shown(owner.Name, maxShown)))
		}
	}
	return faults
}
