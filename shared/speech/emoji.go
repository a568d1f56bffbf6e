package speech

import (
	"regexp"
	"strings"
)

var (
	emojiTags  = regexp.MustCompile(`^<a?:([A-Za-z0-9_]{2,32}):([0-9]{15,20})>`)
	brokenTags = regexp.MustCompile(`^<(a?:)?:?([A-Za-z0-9_]{2,32}?):?([0-9]{15,20})?(>|$|[ \t])`)
	emojiNames = regexp.MustCompile(`^:([A-Za-z0-9_]{2,32}):(?:([0-9]{15,20})>)?`)
	openNames  = regexp.MustCompile(`^:([A-Za-z0-9_]{2,32})$|^:([A-Za-z0-9_]{2,32})[^A-Za-z0-9_:]`)
)

var anyEmoji = regexp.MustCompile(`<a?:([A-Za-z0-9_]{2,32}):[0-9]{15,20}>`)

// longestEmoji is more than the markup of an emoji has; expressions are not given more, for what they cost grows with it.
const longestEmoji = 80

// Emoji are the names of the emoji of servers that a text shows.
func Emoji(text string) []string {
	var names []string
	for _, m := range anyEmoji.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// emojiTag reads an emoji of a server in angle brackets, also one whose brackets, colons or number are missing.
func (d *dresser) emojiTag(rest string, complete bool) (string, int, verdict) {
	near := rest[:min(len(rest), longestEmoji)]
	if m := emojiTags.FindStringSubmatch(near); m != nil {
		return d.emojiShown(m[1], m[0]), len(m[0]), yes
	}
	if d.emoji == nil {
		return "", 0, no
	}
	if !complete && len(rest) < longestTag && !strings.ContainsAny(rest, "> \t") {
		return "", 0, maybe
	}
	m := brokenTags.FindStringSubmatch(near)
	if m == nil {
		return "", 0, no
	}
	n := len(m[0])
	if m[4] != ">" {
		n -= len(m[4])
	}
	sure := m[3] != "" && strings.Contains(m[0], ":") // nothing else looks like that
	if d.markup(m[2]) == "" && !sure || !strings.Contains(rest[:n], ":") {
		return "", 0, no
	}
	return d.emojiShown(m[2], ""), n, yes
}

// emojiAt reads ":name:", which is shown as the server's emoji of that name. Also one of whose markup only the beginning is
// missing, and, where a word begins, one that lacks its last colon.
func (d *dresser) emojiAt(rest string, before rune, complete bool) (string, int, verdict) {
	if d.emoji == nil {
		return "", 0, no
	}
	word := rest[1:]
	n := len(word) - len(strings.TrimLeft(word, emojiLetters))
	switch after := word[n:]; {
	case complete:
	case after == "" && n <= 32:
		return "", 0, maybe
	case n >= 2 && n <= 32 && strings.HasPrefix(after, ":") && len(after) <= 21 && strings.Trim(after[1:], "0123456789") == "":
		return "", 0, maybe
	}
	if n < 2 || n > 32 {
		return "", 0, no
	}
	near := rest[:min(len(rest), longestEmoji)]
	if m := emojiNames.FindStringSubmatch(near); m != nil {
		if d.markup(m[1]) != "" || m[2] != "" {
			return d.emojiShown(m[1], ""), len(m[0]), yes
		}
		return "", 0, no
	}
	if m := openNames.FindStringSubmatch(near); m != nil && !inWord(before) && before != ':' {
		if name := m[1] + m[2]; d.markup(name) != "" {
			return d.emojiShown(name, ""), 1 + len(name), yes
		}
	}
	return "", 0, no
}

const emojiLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// markup is what shows the server's emoji of a name; "" where it has none.
func (w *words) markup(name string) string {
	if m := w.emoji[name]; m != "" {
		return m
	}
	return w.emoji[strings.ToLower(name)]
}

// emojiShown is what is shown for an emoji; "" leaves it out. tag is its own markup, which stays where those of the server are not
// known.
func (d *dresser) emojiShown(name, tag string) string {
	switch m := d.markup(name); {
	case d.recent[name]:
		return ""
	case d.emoji == nil:
		return tag
	default:
		return m
	}
}

// wrapped reads emoji in bold or italic, which are shown without.
func (d *dresser) wrapped(rest string, complete bool) (string, int, verdict) {
	run := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	mark := rest[:run]
	if run == len(rest) && !complete && run <= 3 {
		return "", 0, maybe
	}
	if run > 3 || run == len(rest) || rest[run] != '<' && rest[run] != ':' {
		return mark, run, yes
	}
	var out strings.Builder
	for i, some := run, false; i < len(rest) && i < 20*longestTag; {
		switch {
		case rest[i] == ' ' && some:
			out.WriteByte(' ')
			i++
			continue
		case rest[i] == mark[0]:
			end := strings.HasPrefix(rest[i:], mark)
			if len(rest)-i < run+1 && strings.Trim(rest[i:], mark[:1]) == "" && !complete {
				return "", 0, maybe
			}
			if !some || !end || strings.HasPrefix(rest[i+run:], mark[:1]) {
				return mark, run, yes
			}
			return strings.TrimSpace(out.String()), i + run, yes
		}
		shown, n, is := "", 0, no
		switch rest[i] {
		case '<':
			shown, n, is = d.emojiTag(rest[i:], complete)
			if end := strings.IndexAny(rest[i:min(len(rest), i+longestTag)], "> "); is == no && end < 0 && !complete && len(rest)-i < longestTag {
				is = maybe
			}
		case ':':
			shown, n, is = d.emojiAt(rest[i:], 'a', complete)
		}
		switch is {
		case maybe:
			return "", 0, maybe
		case no:
			return mark, run, yes
		}
		out.WriteString(shown)
		i, some = i+n, true
	}
	if complete {
		return mark, run, yes
	}
	return "", 0, maybe
}
