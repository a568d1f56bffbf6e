package command

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// What people typed is shown inside our own texts: a name in a sentence, a trigger in a list. There it must be one line, mention
// nobody, format nothing, lead nowhere, and not turn around what stands beside it.

// shown is what somebody typed, for an answer: of at most so many characters, on one line, and without any power over the text
// around it. What is refused altogether is not this function's matter.
func shown(text string, most int) string {
	text = plain(text, most)
	var b strings.Builder
	for i, r := range text {
		switch {
		case strings.ContainsRune("\\*_~|`<>[]", r),
			i == 0 && strings.ContainsRune("#-+", r), // a heading, a list, small print
			r == '.' && ordinal(text[:i]),            // a list with numbers
			r == ':' && strings.HasPrefix(text[i:], "://"):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@': // Discord notifies nobody for it, but it would look as if
			b.WriteString("@\u200b")
		default:
			b.WriteRune(r)
		}
	}
	if strings.ContainsFunc(text, leftward) {
		return "\u2068" + b.String() + "\u2069" // an isolate: the rest of the line keeps its order
	}
	return b.String()
}

// ordinal tells whether a line that begins like this, with a dot behind it, is an item of a list with numbers.
func ordinal(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// leftward tells whether r belongs to a script that is written from right to left.
func leftward(r rune) bool {
	return r >= 0x0590 && (unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF)
}

// plain is what somebody typed for places that Discord does not format: labels of menus and buttons, choices, what a form holds.
func plain(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case r == '\u200d' || r == '\u200c' || 0xE0020 <= r && r <= 0xE007F: // they hold emoji and Persian words together
			return r
		case unicode.Is(unicode.Cf, r): // invisible, and some turn the text around
			return -1
		}
		return r
	}, text)
	return cut(strings.Join(strings.Fields(text), " "), most)
}

// units is the length of a text in UTF-16 units, of which it never has fewer than characters: however Discord counts, a text that
// is short enough in them is short enough.
func units(text string) (n int) {
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// cut bounds a text. What must go goes at the end, between what people see as characters, and "…" stands for it.
func cut(text string, most int) string {
	if units(text) <= most {
		return text
	}
	if most < 1 {
		return ""
	}
	kept, room, state := 0, most-1, -1
	for rest := text; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if room -= units(cluster); room < 0 {
			break
		}
		kept += len(cluster)
	}
	return strings.TrimRightFunc(text[:kept], unicode.IsSpace) + "…"
}

// lines puts lines together while they fit into an answer; the last word is how many do not, said by more.
func lines(list []string, most int, more func(left int) string) string {
	var b strings.Builder
	used := 0
	for n, line := range list {
		room := most - used - units(line) - 1
		if left := len(list) - n - 1; left > 0 {
			room -= units(more(left)) + 1
		}
		if room < 0 {
			b.WriteString(more(len(list) - n))
			return b.String()
		}
		b.WriteString(line + "\n")
		used += units(line) + 1
	}
	return strings.TrimSuffix(b.String(), "\n")
}
