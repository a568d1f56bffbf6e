// Package speech shapes text for Discord: parts that Discord accepts, a first post that says something, and the pace of
// edits. Everything here is pure; times come in as arguments. What must not live here: calls to Discord (package discord),
// what a persona may say (package prompt), and the order of a turn (package turn).
//
// # Lengths
//
// Discord's limits are checked here in UTF-16 units, of which a text never has fewer than code points, so that both ways
// of counting are satisfied.
package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Limit is how long Discord lets the content of a message be.
const Limit = 2000

// Units is the length of text in UTF-16 units. A byte that is not valid UTF-8 counts as the one unit of its replacement.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += units(r)
	}
	return n
}

func units(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// Safe is text as Discord can take it: line ends are "\n", control characters other than line breaks and tabs are gone,
// and what is not valid UTF-8, lone surrogates included, is U+FFFD.
func Safe(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// Blank tells whether nothing of text can be seen. Discord refuses such a message.
func Blank(text string) bool { return !strings.ContainsFunc(text, seen) }

func seen(r rune) bool {
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0': // fillers, which show nothing
		return false
	}
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Variation_Selector)
}

// Cap bounds text to n UTF-16 units. If something must go, it goes at the end, on the edge of a grapheme, and "…" stands
// for it.
func Cap(text string, n int) string {
	if Units(text) <= n {
		return text
	}
	if n < 1 {
		return ""
	}
	var b strings.Builder
	left := n - 1
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		if left -= Units(g); left < 0 {
			break
		}
		b.WriteString(g)
	}
	return strings.TrimRightFunc(b.String(), unicode.IsSpace) + "…"
}

// longestGrapheme is how far a grapheme is read, in bytes: more than any part can hold. Without a bound a text of nothing
// but combining marks would be read to its end for each part.
const longestGrapheme = 16 << 10

// grapheme takes the first grapheme off text; it is empty at the end. Because text begins at an edge, no state is needed.
func grapheme(text string) (g, rest string) {
	switch {
	case text == "":
		return "", ""
	case len(text) > 1 && text[0] < utf8.RuneSelf && text[1] < utf8.RuneSelf && text[0] != '\r': // the usual case, and quick
		return text[:1], text[1:]
	}
	g, _, _, _ = uniseg.FirstGraphemeClusterInString(text[:min(len(text), longestGrapheme)], -1)
	return g, text[len(g):]
}

// firstPost is how many graphemes a first post has when it does not end a sentence.
const firstPost = 40

// Ready tells whether the text so far is worth a first post, so that the notification it causes says something: about 40
// graphemes, or a finished sentence or line.
func Ready(text string) bool {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if strings.HasPrefix(text, "```") { // the line that opens a code block says nothing yet
		_, code, _ := strings.Cut(text, "\n")
		text = strings.TrimLeftFunc(code, unicode.IsSpace)
	}
	if Blank(text) {
		return false
	}
	said := false // there is something that a stop could end
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case telling(r):
			said = true
		case !said:
		case r == '\n', strings.ContainsRune(wideStops, r):
			return true
		case strings.ContainsRune(stops, r):
			after := strings.TrimLeft(text[i:], stops+closers)
			if after == "" || strings.ContainsAny(after[:1], " \n\t") {
				return true
			}
		}
	}
	return uniseg.GraphemeClusterCount(strings.TrimSpace(text)) >= firstPost
}

// telling tells whether r says something: a letter, a number or an emoji rather than a mark.
func telling(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r)
}

// What ends a sentence: before a blank in scripts that have them, anywhere in those that do not.
const (
	stops     = ".!?…"
	wideStops = "。！？｡"
	closers   = "\"'”’)]*_~」』）"
)
