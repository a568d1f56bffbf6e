package speech

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline is what is open, and what was said last, within a paragraph.
type inline struct {
	quotes  []rune // what closes the quotations and brackets that are open
	marks   []mark // emphasis
	span    int    // backticks that opened a code span
	spoiler bool

	stop     stop
	from     int  // where in the line the sentence's stop begins
	dots     bool // the stop leaves something open
	enclosed bool // what was closed last ended with a stop
	gap      bool // white space follows
}

// mark is a run of characters that begins emphasis.
type mark struct {
	char string
	n    int
}

// stop is what has ended a sentence, or may have.
type stop int

const (
	none stop = iota
	narrow
	wide // which needs no blank after it
)

// open tells whether a sentence that ends here is part of something.
func (in *inline) open() bool {
	return len(in.quotes) > 0 || len(in.marks) > 0 || in.span > 0 || in.spoiler
}

const narrowStops = stops + "।؟۔"

// pairs are quotations and brackets.
var pairs = map[rune]rune{'“': '”', '„': '“', '«': '»', '‹': '›', '(': ')', '[': ']', '{': '}',
	'「': '」', '『': '』', '（': '）', '【': '】', '《': '》', '〈': '〉', '［': '］', '｛': '｝'}

// sentences divides a line of prose. It looks ahead only as far as a sentence's end depends on it: the next word.
func (d *divider) sentences(start int, line string, complete bool) {
	d.span, d.stop, d.inline.gap = 0, none, false
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		if unicode.IsSpace(r) {
			d.inline.gap = true
			i += n
			continue
		}
		if r == '|' && !strings.HasPrefix(line[i:], "||") { // it is a row of a table
			d.tellAll(start+i, line[i:])
			return
		}
		if d.stop != none && !d.open() {
			skip, known := d.decide(start, line, i, complete)
			if !known {
				d.tellAll(start+i, line[i:])
				return
			}
			if skip > 0 {
				i += skip
				continue
			}
		}
		i += d.consume(start, line, i)
		d.inline.gap = false
	}
}

// decide tells what the word at i of the line is to the sentence that has ended before it: more of its end, which is skipped,
// or something else, perhaps the next sentence. known is false where more of the word must have come.
func (d *divider) decide(start int, line string, i int, complete bool) (skip int, known bool) {
	r, n := utf8.DecodeRuneInString(line[i:])
	if !d.inline.gap {
		switch {
		case strings.ContainsRune(narrowStops+wideStops, r):
			return 0, true
		case strings.ContainsRune("\")]’'”」』）", r), emoji(r):
			d.tellAll(start+i, line[i:i+n])
			return n, true
		case d.stop == wide && (!d.enclosed || pairs[r] != 0):
			d.cut(start+i, start+i+n)
		}
		d.stop = none
		return 0, true
	}
	word := line[i:]
	if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
		word, complete = word[:end], true
	}
	switch follows(word, complete) {
	case aside:
		d.tellAll(start+i, word)
		return len(word), true
	case unknown:
		return 0, false
	}
	if at := strings.IndexFunc(word, spoken); at >= 0 {
		first, n := utf8.DecodeRuneInString(word[at:])
		known := start + i + at + n
		if signs(word) {
			known = start + i + len(word) + 1
		}
		if d.ended(line, first) {
			d.cut(start+i, known)
		}
	}
	d.stop = none
	return 0, true
}

// consume reads what stands at i of the line, and returns how long it is.
func (d *divider) consume(start int, line string, i int) int {
	r, n := utf8.DecodeRuneInString(line[i:])
	switch {
	case r == '`':
		n = len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		switch d.span {
		case 0:
			d.span = n
		case n:
			d.span = 0
		}
		d.stop = none
		return n
	case d.span > 0:
	case r == '\\' && i+1 < len(line):
		_, escaped := utf8.DecodeRuneInString(line[i+1:])
		n += escaped
	case strings.HasPrefix(line[i:], "||"):
		d.spoiler = !d.spoiler
		return 2
	case r == '*' || r == '_' || r == '~':
		n = len(line[i:]) - len(strings.TrimLeft(line[i:], string(r)))
		d.emphasis(line, i, n)
		return n
	case strings.ContainsRune(narrowStops, r):
		if d.stop == none {
			d.stop, d.from, d.dots, d.enclosed = narrow, i, false, false
		}
		d.dots = d.dots || r == '…' || strings.HasSuffix(line[:i], ".")
		return n
	case strings.ContainsRune(wideStops, r):
		d.stop, d.from, d.enclosed = wide, i, false
		return n
	case d.quotation(line, i, r):
		return n
	}
	if strings.ContainsFunc(line[i:i+n], telling) {
		d.tell(start + i + n)
	}
	d.stop = none
	return n
}

// quotation reads a quotation mark or a bracket.
func (d *divider) quotation(line string, i int, r rune) bool {
	switch last := len(d.quotes) - 1; {
	case last >= 0 && r == d.quotes[last]:
		d.quotes, d.enclosed = d.quotes[:last], d.stop != none
		return true
	case r == '"' && begins(line[:i]):
		d.quotes, d.stop = append(d.quotes, r), none
		return true
	case r == '(' && i > 0 && strings.ContainsRune(":;=-", rune(line[i-1])): // a face
		return false
	case pairs[r] != 0:
		d.quotes, d.stop = append(d.quotes, pairs[r]), none
		return true
	}
	return false
}

// begins tells whether a word begins after what stands before it.
func begins(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(r) || pairs[r] != 0 || strings.ContainsRune("*_~|—–-", r)
}

// emphasis reads n characters that begin or end it.
func (d *divider) emphasis(line string, i, n int) {
	m := mark{line[i : i+1], n}
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	after, _ := utf8.DecodeRuneInString(line[i+n:])
	inWord := i+n < len(line) && spoken(after)
	at := slices.Index(d.marks, m)
	switch last := len(d.marks) - 1; {
	case at >= 0 && i > 0 && !unicode.IsSpace(before) && (m.char != "_" || !inWord):
		d.marks, d.enclosed = d.marks[:at], d.stop != none
	case n == 3 && last >= 1 && d.marks[last].n+d.marks[last-1].n == 3:
		d.marks, d.enclosed = d.marks[:last-1], d.stop != none
	case i+n < len(line) && !unicode.IsSpace(after) && (begins(line[:i]) || m.char != "_" && inWord):
		d.marks, d.stop = append(d.marks, m), none
	default:
		d.stop = none
	}
}

// next is what a word is to the sentence before it.
type next int

const (
	another next = iota // a word of another sentence, or of the same
	aside               // it goes with the sentence: an emoji, a face, a dash
	unknown             // more of it must have come
)

// follows judges the word after a stop and a blank; complete tells that its end has come.
func follows(word string, complete bool) next {
	sign := signs(word)
	named := strings.HasPrefix(word, "<:") || strings.HasPrefix(word, "<a:") // an emoji of a server
	face := sign && word[0] != '<' && utf8.RuneCountInString(word) <= 4
	switch {
	case sign && !complete:
		return unknown
	case named && strings.HasSuffix(word, ">"), face:
		return aside
	case strings.ContainsFunc(word, spoken):
		return another
	case !complete:
		return unknown
	case strings.ContainsAny(word, "*_~|`\"") || strings.ContainsFunc(word, func(r rune) bool { return pairs[r] != 0 }):
		return another
	}
	return aside
}

// spoken tells whether r is of a word: a letter or a number.
func spoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// signs tells whether a word begins as a face or an emoji of a server does: only its end tells what it is.
func signs(word string) bool { return strings.IndexByte(":;=<", word[0]) >= 0 }

// ended tells whether the sentence ends at its stop, where a word follows after a blank. first is the word's first letter.
func (d *divider) ended(line string, first rune) bool {
	switch {
	case d.enclosed && unicode.IsLower(first):
		return false
	case d.stop == wide:
		return true
	case d.dots:
		return !unicode.IsLower(first)
	case line[d.from] == '.':
		return !shortened(line[:d.from], first)
	}
	return true
}

// Words that a stop shortens: before which more must follow, before which a number must, and before which a small letter must
// for the stop to be part of them.
const (
	titles  = " mr mrs ms mx dr prof rev hon gen col sgt capt lt st mt fr hr vs ca z.b "
	counted = " no nr vol fig ch p pp art sec "
	others  = " etc approx jr sr inc ltd co corp al est dept bzw usw "
)

// shortened tells whether the stop after before belongs to its last word, and next begins the word after it.
func shortened(before string, next rune) bool {
	at := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || pairs[r] != 0 || strings.ContainsRune("*_~\"'’", r) })
	_, n := utf8.DecodeRuneInString(before[max(at, 0):])
	word := before
	if at >= 0 {
		word = before[at+n:]
	}
	low := " " + strings.ToLower(word) + " "
	switch {
	case word == "I" || word == "i":
		return false
	case utf8.RuneCountInString(word) == 1 && !unicode.Is(unicode.Han, []rune(word)[0]), strings.Contains(titles, low):
		return true // an initial, or a number; or a title
	case strings.Contains(word, ".") && !strings.Contains(word, "/"):
		return !strings.ContainsFunc(word, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) }) && utf8.RuneCountInString(word) <= 5
	case len(word) == 2 && strings.Trim(word, "0123456789") == "":
		return true
	case strings.Contains(counted, low):
		return unicode.IsNumber(next)
	case strings.Contains(others, low):
		return unicode.IsLower(next) || unicode.IsNumber(next)
	}
	return false
}
