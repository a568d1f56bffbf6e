package speech

import (
	"regexp"
	"strings"
)

// stickerTag is how a persona sends a sticker: a model knows stickers of people as the same words (package discord, extras).
var stickerTag = regexp.MustCompile(`(?i)[ \t]*\[sticker:[ \t]*([^\[\]\s](?:[^\[\]\n]{0,78}[^\[\]\s])?)[ \t]*\]`)

// stickerBegun is a tag at the end of a text that grows, as far as it has come.
var stickerBegun = regexp.MustCompile(`(?i)[ \t]*\[(s(t(i(c(k(e(r(:[^\[\]\n]{0,82})?)?)?)?)?)?)?)?$`)

// Sticker takes the tags of stickers out of a text and names the first; "" where there is none. In code they are words. Where
// the text is not whole, a tag that has begun at its end is taken off too: what is left is certain.
func Sticker(text string, whole bool) (words, name string) {
	if !strings.Contains(text, "[") {
		return text, ""
	}
	var out strings.Builder
	at, taken := 0, false
	for _, m := range stickerTag.FindAllStringSubmatchIndex(text, -1) {
		if coded(text[:m[0]]) {
			continue
		}
		if name == "" {
			name = text[m[2]:m[3]]
		}
		out.WriteString(text[at:m[0]])
		at, taken = m[1], true
	}
	out.WriteString(text[at:])
	words = out.String()
	if !whole {
		if m := stickerBegun.FindStringIndex(words); m != nil && !coded(words[:m[0]]) {
			words = words[:m[0]]
		}
	}
	if taken {
		words = strings.TrimSpace(words)
	}
	return words, name
}

// coded tells whether a text ends inside a code block or a code span.
func coded(text string) bool {
	var m markdown
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		m.feed(g)
	}
	return m.fence.ticks > 0 || m.spanning() > 0
}
