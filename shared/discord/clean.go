package discord

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/chat"
)

// Bounds of what is taken over from Discord, in characters. Discord's own are lower or the same; these hold whatever comes.
const (
	maxName    = 80
	maxText    = 4000
	maxIDChars = 20
)

// snowflake tells whether s can be an id of Discord. Zeros before the number would make it larger than it is where ids are
// compared.
func snowflake(s string) bool {
	if s == "" || len(s) > maxIDChars || len(s) > 1 && s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// cleanID is the id, or "" when it is none.
func cleanID(s string) string {
	if !snowflake(s) {
		return ""
	}
	return strings.Clone(s) // not a slice of the whole payload
}

// text cleans the words of a message: valid UTF-8 without control characters but line ends and tabs, at most n characters.
func text(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
	return strings.Clone(first(s, n))
}

// oneLine cleans a name or label: as text, but on one line with single blanks, and without the characters that turn the
// direction of what follows.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0xFEFF:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(first(strings.Join(strings.Fields(s), " "), n))
}

// label is a name inside brackets: it cannot close them.
func label(s string, n int) string {
	return strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(s, n))
}

// first is the first n characters of valid UTF-8.
func first(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// named puts "@Name" for the mentions of people whose names are known. Mentions of others, of roles and of channels stay.
func named(s string, names map[string]string) string {
	if len(names) == 0 || !strings.Contains(s, "<@") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "<@")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		inner, _, closed := strings.Cut(s[2:min(len(s), maxIDChars+4)], ">")
		name, known := names[strings.TrimPrefix(inner, "!")]
		if !closed || !known {
			b.WriteString("<@")
			s = s[2:]
			continue
		}
		b.WriteString("@" + name)
		s = s[2+len(inner)+1:]
	}
}

// authorOf gives who wrote a message, from what of the three is there.
func authorOf(id, webhook, name string, bot bool, us chat.UserID) chat.Author {
	a := chat.Author{ID: chat.UserID(cleanID(id)), Name: name, Bot: bot, Webhook: webhook != ""}
	if a.ID == "" {
		a.ID = chat.UserID(cleanID(webhook))
	}
	if us != "" && a.ID == us {
		a.Us, a.Webhook = true, false
	}
	return a
}
