package speech

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Grain is how finely a reply is divided into messages.
type Grain int

// The grains, from the coarsest.
const (
	Whole      Grain = iota // one message, until it is full
	Paragraphs              // a message a paragraph
	Sentences               // a message a sentence, where it is prose
)

// Divide is a reply as its messages: head, which may be empty, and text, divided at the grain and cut so that each part has at
// most limit UTF-16 units (see Split). head goes with the first words. The parts are trimmed, as Discord does it, none is
// blank, and without white space they are the text.
//
// Lists, tables and code blocks stay whole. A heading, and a line that ends with a colon, belongs to what follows; small print
// belongs to what stands before it; and what says nothing, as a line of dashes, is no message of its own. Nothing is divided
// inside a spoiler.
//
// A part that another follows depends on nothing that comes after it: for a text that grows, all parts but the last stay as
// they are. So where it is not yet known whether something begins a part it goes with the last one; and where it had to be cut
// off by length before it was known, it stays so.
func Divide(head, text string, by Grain, limit int) []string {
	var parts []string
	for _, m := range messages(head, text, by, limit) {
		parts = append(parts, m.shown)
	}
	return parts
}

// Fit is as much of text as the first most of its parts show, and whether that is all of it. Divided in the same way, what fits
// has exactly these parts, but for odd rows of tables: there it may have fewer, with the same words. Where a code block was cut,
// it ends with what closes the block.
func Fit(head, text string, by Grain, limit, most int) (fits string, all bool) {
	list := messages(head, text, by, limit)
	if len(list) <= max(most, 0) {
		return text, true
	}
	for ; most > 0; most-- {
		fits = text[:list[most-1].end] + list[most-1].closed
		n, closed := len(messages(head, fits, by, limit)), len(messages(head, fits+"\n", by, limit))
		switch { // that the last part begins where it does, the end of a line may have to tell
		case n == most:
			return fits, false
		case closed == most:
			return fits + "\n", false
		case n < most:
			return fits, false
		}
	}
	return "", false
}

// message is a part as Discord shows it. end is where it ends in the text, closed is what was added there.
type message struct {
	shown  string
	end    int
	closed string
}

// messages are the parts of a text.
func messages(head, text string, by Grain, limit int) []message {
	var list []message
	at := 0
	for _, c := range cuts(text, by) {
		if c.known > len(text) {
			continue
		}
		piece := shown(head, text[:c.at], at, limit)
		if len(piece) == len(shown(head, text[:c.known], at, limit)) {
			list = append(list, piece...)
			head, at = "", c.at
		}
	}
	return append(list, shown(head, text, at, limit)...)
}

// shown cuts a text from a place on into what Discord will show, after head.
func shown(head, text string, at, limit int) []message {
	var list []message
	for _, p := range cut(head+text[at:], limits(limit)) {
		if m := strings.TrimSpace(p.open + p.text + p.close); !Blank(p.text) && !Blank(m) {
			list = append(list, message{m, max(at, at+p.end-len(head)), p.close})
		}
	}
	return list
}

// border is a place where a piece of a text ends and the next one begins. known is how much of the text has to be there for
// that to be so.
type border struct{ at, known int }

// cuts are the borders in a text.
func cuts(text string, by Grain) []border {
	if by == Whole {
		return nil
	}
	d := divider{by: by}
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		d.line(at, text[at:end], end < len(text))
		at = end + 1
	}
	return d.cuts
}

// kind is what a line is.
type kind int

const (
	nothing kind = iota // there is no line
	prose
	heading
	item  // of a list
	row   // of a table
	loose // row, without a border
	quote
	code
	small // print
)

// divider reads a text line by line.
type divider struct {
	by      Grain
	cuts    []border
	pending *border // that counts when something is said after it
	said    bool    // the piece says something
	least   int     // that is known where the line has a border

	fence fence  // that is open
	was   kind   // of the line before
	last  string // that line
	gap   bool   // it was followed by blank ones
	list  bool   // the piece is in a list
	shut  bool   // nothing is divided any more
	inline
}

// line reads a line; complete tells that its end has come.
func (d *divider) line(at int, line string, complete bool) {
	if d.fence.ticks > 0 {
		d.tellAll(at, line)
		d.fence = d.fence.after(line)
		d.was, d.last = code, line
		return
	}
	if strings.TrimSpace(line) == "" {
		d.gap, d.inline = true, inline{spoiler: d.spoiler}
		return
	}
	is := kindOf(line)
	switch d.least = 0; {
	case d.was == loose && !d.gap:
		d.least = at + len(line) + 1
	case d.list:
		d.least = at + len(digits.FindString(line)) + 1
	}
	if d.ends(is, line, complete) {
		d.cut(at, at)
		d.list = false
	}
	gap := d.gap
	d.gap, d.list = false, d.list || is == item
	if is == prose && d.by == Sentences && (d.was != loose || gap || complete) { // see ends
		d.sentences(at, line, complete)
	} else {
		d.tellAll(at, line)
	}
	if complete {
		d.fence = d.fence.after(line)
	}
	if is == prose && strings.Contains(strings.ReplaceAll(line, "||", ""), "|") {
		is = loose
	}
	if d.was, d.last = is, line; d.fence.ticks > 0 {
		d.was = code
	}
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">>> ") { // it quotes all that follows
		d.shut = true
	}
}

// ends tells whether a line begins another piece than the one before it.
func (d *divider) ends(is kind, line string, complete bool) bool {
	switch {
	case d.was == nothing, d.was == heading, is == small, d.shut, d.spoiler, leadsIn(d.last):
		return false
	case d.list && (is == item || indented(line) || !complete && digits.FindString(line) == line): // a digit may begin an item
		return false
	case d.gap:
		return true
	case d.by != Sentences, d.open():
		return false
	case d.was == loose: // the next one may show only at its end that it is none
		return complete && is == prose && !strings.Contains(line, "|")
	case is == item, is == row, is == quote, is == code:
		return is != d.was
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(d.last))
	return !strings.ContainsRune(",;、，；", last)
}

// cut ends the piece at a place, if something is said before it and after it. known is how much of the text tells of the place.
func (d *divider) cut(at, known int) {
	if d.said && d.pending == nil && !d.shut {
		d.pending = &border{at, max(known, d.least)}
	}
}

// tell notes that what ends at a place says something.
func (d *divider) tell(end int) {
	if d.pending != nil {
		d.cuts, d.pending = append(d.cuts, border{d.pending.at, max(d.pending.known, end)}), nil
	}
	d.said = true
}

// tellAll notes words that are not divided.
func (d *divider) tellAll(at int, words string) {
	if i := strings.IndexFunc(words, telling); i >= 0 {
		_, n := utf8.DecodeRuneInString(words[i:])
		d.tell(at + i + n)
	}
	if d.fence.ticks == 0 && !strings.HasPrefix(strings.TrimLeft(words, " \t"), "```") && strings.Count(words, "||")%2 == 1 {
		d.spoiler = !d.spoiler
	}
}

var (
	headings = regexp.MustCompile(`^#{1,6}[ \t]+\S`)
	items    = regexp.MustCompile(`^([-*+]|[0-9]{1,9}[.)])[ \t]`)
	digits   = regexp.MustCompile(`^[ \t]*[0-9]{1,9}[.)]?`)
)

// kindOf tells what a line is that is not in a code block. Each is known before the line says something; a digit says
// something, and is asked about by itself.
func kindOf(line string) kind {
	line = strings.TrimLeft(line, " \t")
	switch {
	case strings.HasPrefix(line, "```"):
		return code
	case strings.HasPrefix(line, "-# "):
		return small
	case headings.MatchString(line):
		return heading
	case items.MatchString(line):
		return item
	case strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "||"):
		return row
	case strings.HasPrefix(line, ">"):
		return quote
	}
	return prose
}

// leadsIn tells whether a line announces what follows.
func leadsIn(line string) bool {
	line = strings.TrimRight(line, " \t*_~")
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")
}

// indented tells whether a line goes on with the item of a list above it.
func indented(line string) bool {
	return strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
}

// after is the code block that is open after a line (see markdown.endLine).
func (f fence) after(line string) fence {
	if len(line) > longestLine {
		return f
	}
	m := markdown{line: line}
	is, ok := m.fenceLine()
	switch {
	case !ok:
		return f
	case f.ticks == 0 && !strings.Contains(is.info, "`"):
		return is
	case f.ticks > 0 && is.ticks >= f.ticks && is.info == "":
		return fence{}
	}
	return f
}

// emoji tells whether r is one, or goes with one.
func emoji(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk, unicode.M, unicode.Cf)
}
