package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Split cuts text into parts for Discord, each of at most limit UTF-16 units (and so of code points), none blank. It
// prefers to cut between paragraphs, then lines, sentences and words, and never cuts a grapheme that fits a part. A code
// block that is cut is closed and opened again with its language; a code span, emphasis, a spoiler and a quoted line likewise.
// Mentions, emoji of servers and addresses stay whole where they fit. The parts,
// without what was added and up to blanks at the cuts, are the text.
//
// Where a part ends depends on nothing that comes after it: for a text that grows, all parts but the last stay as they
// are. The last part may have an open code block, as the text has; there is room to close it (see Open).
//
// A limit below 2 is taken as 2, for some characters have two units, and one above 4000 as 4000. Blank text has no parts.
func Split(text string, limit int) []string {
	var parts []string
	for _, p := range cut(text, limits(limit)) {
		if shown := p.open + p.text + p.close; !Blank(p.text) {
			parts = append(parts, shown)
		}
	}
	return parts
}

// limits is what Split takes a limit for.
func limits(limit int) int { return min(max(limit, 2), 2*Limit) }

// Open is a part as it is to be shown while it grows: what markup is still open is closed, so that a block is displayed as
// one and a spoiler hides what it is to hide. The final text of a part has nothing added.
func Open(text string) string {
	text, m := read(text)
	if m.fence.ticks > 0 {
		return text + m.closing()
	}
	return text + m.emphasis.settled(false).closing() // a backtick may as well be meant as one
}

// Close is a whole text with what is open at its end closed: a code block, emphasis, a spoiler, the address of a link, a
// quotation or a bracket.
func Close(text string) string {
	text, m := read(text)
	if m.fence.ticks > 0 {
		return text + m.closing()
	}
	return text + strings.Repeat("`", m.spanning()) + m.emphasis.settled(true).closing()
}

// read gives the text without white space at its end, and what is open there.
func read(text string) (string, markdown) {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	var m markdown
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		m.feed(g)
	}
	return text, m
}

// part is one part of a text: a piece of the text, and what was added around it.
type part struct {
	open, text, close string
	start, end        int // of the piece in the source
}

// cut does the work of Split. It reads the text once for each part, from where the last one ended.
func cut(text string, limit int) []part {
	var parts []part
	var left markdown // what the cut before left open
	for at := 0; ; {
		at = resume(text, at, &left)
		if at >= len(text) {
			return parts
		}
		open := left.reopening()
		if strings.HasSuffix(open, "`") && text[at] == '`' {
			open += " " // or they would be one run
		}
		if Units(open) > limit/4 { // so small a part has no room for markup
			open, left = "", markdown{}
		}
		end, m := fit(text[at:], left.reopened(), limit-Units(open))
		piece := strings.TrimRightFunc(text[at:at+end], unicode.IsSpace)
		p := part{open: open, text: piece, start: at, end: at + len(piece)}
		if at+end < len(text) {
			p.close = m.closing()
		}
		parts = append(parts, p)
		at += end
		left = m
	}
}

// resume gives the start of the next part, with white space skipped: in a code block only the line break of the cut,
// elsewhere all of it but the indentation of the line that begins. left learns of the line that ended.
func resume(text string, at int, left *markdown) int {
	if rest := text[at:]; strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") {
		left.endLine()
		at += strings.IndexByte(rest, '\n') + 1
	}
	if left.fence.ticks > 0 {
		return at
	}
	rest := text[at:]
	blank := leading(rest)
	if line := strings.LastIndexByte(rest[:blank], '\n'); line >= 0 {
		left.endLine()
		if blank < len(rest) {
			return at + line + 1
		}
	} else if at == 0 || text[at-1] == '\n' {
		return at
	}
	return at + blank
}

// leading is the length of the white space that text begins with. A blank that carries a combining mark is none.
func leading(text string) int {
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		if strings.TrimSpace(g) != "" {
			return len(text) - len(rest) - len(g)
		}
	}
	return len(text)
}

// The ranks of places to cut, the worst first.
const (
	insideRun  = iota // between two backticks, and beside other marks, where a cut changes the markup; in a mention or an address
	anywhere          // between two graphemes
	insideCode        // at a blank in a code span
	atBlank
	atSentence
	atLine
	atParagraph
	ranks
)

// place is where a part may end, and what is open there.
type place struct {
	end, units int
	m          markdown
}

// fit gives the end of the piece of text that makes the next part, and what is open there. room is what the piece may
// take with what closes it; all of text is taken if it fits. m is what the part begins with.
func fit(text string, m markdown, room int) (end int, at markdown) {
	var best [ranks]place
	used, solid, prev := 0, 0, "" // units so far, those up to the last character that is no white space
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		here := len(text) - len(rest) - len(g)
		before := m
		if solid > 0 && solid+m.owed() <= room {
			best[rank(prev, g, &m)] = place{here, used, m}
		}
		prev = g
		m.feed(g)
		used += Units(g)
		if strings.TrimSpace(g) == "" {
			continue
		}
		if solid = used; solid+m.owed() <= room {
			continue
		}
		if p, ok := choose(best, room); ok {
			return p.end, p.m
		}
		if here > 0 { // only white space so far, or markup that has no room
			return here, markdown{}
		}
		return hard(g, room-before.owed()), before
	}
	return len(text), m
}

// choose gives the best place. One in the first half of the room would leave a short part and is taken only if no place
// of its kind or a lower one is further on; before a word, line or sentence is cut, even an eighth will do.
func choose(best [ranks]place, room int) (place, bool) {
	for _, least := range []int{room / 2, room / 8} {
		for r := atParagraph; r > anywhere; r-- {
			if best[r].end > 0 && best[r].units >= least {
				return best[r], true
			}
		}
	}
	for _, r := range []int{anywhere, insideRun} {
		if best[r].end > 0 {
			return best[r], true
		}
	}
	return place{}, false
}

// hard cuts a grapheme that no part can hold: the runes that fit, and at least one.
func hard(grapheme string, room int) int {
	used := 0
	for i, r := range grapheme {
		if used += units(r); used > room && i > 0 {
			return i
		}
	}
	return len(grapheme)
}

// rank tells how good a cut between the graphemes prev and next is. Of next only the first rune counts, for the rest may
// not have come yet.
func rank(prev, next string, m *markdown) int {
	if m.long && m.whole == 0 && m.fence.ticks == 0 && letter(prev) && letter(next) { // the usual case, and quick
		return anywhere
	}
	first, _ := utf8.DecodeRuneInString(next)
	space := unicode.IsSpace(first)
	switch {
	case m.opening() || first == '`' && (prev == "`" || m.span > 0) || prev == "`" && m.spanning() > 0:
		return insideRun
	case m.fence.ticks == 0 && m.span == 0 && (marked(prev) && !space || first < utf8.RuneSelf && marked(string(first)) && strings.TrimSpace(prev) != ""), m.whole > 0 && !space:
		return insideRun
	case first == '\n' && newline(prev) && m.fence.ticks == 0:
		return atParagraph
	case first == '\n' || first == '\r':
		return atLine
	case strings.TrimSpace(prev) == "":
		return anywhere
	case m.span > 0 || m.fence.ticks > 0:
		if space {
			return insideCode
		}
		return anywhere
	case space && endsSentence(prev, m):
		return atSentence
	case space:
		return atBlank
	case strings.Contains(wideStops, prev) && !strings.ContainsRune(wideStops+closers+stops, first):
		return atSentence
	}
	return anywhere
}

func endsSentence(prev string, m *markdown) bool {
	return strings.Contains(stops+wideStops, prev) || m.stopped && strings.Contains(closers, prev)
}

func marked(g string) bool { return len(g) == 1 && strings.Contains(marks, g) }

func newline(g string) bool { return g == "\n" || g == "\r\n" }
