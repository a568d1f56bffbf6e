package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dress is what a persona says as Discord is to show it. The people of the lexicon are mentioned by "@name", "@{name}",
// "@(name)", "@[name]", "<@name>" and "name|id", upper and lower case being one, the longest name first and only where it is
// one person's; no other mention has an effect, for "everyone", "here", roles and strangers get a zero-width space behind
// their "@". ":name:" becomes the server's emoji (see emojiAt), a table is set as a code block (see table). Code, addresses
// and links are left as they are; a backtick that nothing closes counts as code up to the end of its line.
//
// While the text is not whole, what may still change is held back: an unfinished name, tag, link, address or table. However
// the text goes on, the result is then the start of the result for the whole, up to white space at its end; and it never
// gets shorter while the text grows.
//
// A reply of nothing but emoji that would be dropped keeps them.
func Dress(text string, l Lexicon, whole bool) string {
	shown := ""
	for _, l := range []Lexicon{l, {People: l.People, Emoji: l.Emoji}, {People: l.People}} {
		d := dresser{words: l.words(), whole: whole}
		if shown = d.dress(text); !whole || !Blank(shown) || Blank(text) {
			break
		}
	}
	if !whole {
		shown = strings.TrimRightFunc(shown, unicode.IsSpace)
	}
	return shown
}

// dresser writes a text anew.
type dresser struct {
	*words
	whole   bool
	out     strings.Builder
	held    bool            // the rest may still change
	begin   int             // of the line, in out
	left    bool            // something of the line was left out
	gap     bool            // just now
	head    *table          // of which more rows may follow
	mention func(id string) // is told of everybody mentioned; may be nil
}

func (d *dresser) dress(text string) string {
	var f fence
	for at := 0; at < len(text); {
		end, complete := len(text), d.whole
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end, complete = at+n, true
		}
		d.begin, d.left, d.gap = d.out.Len(), false, false
		t, is := table{}, no
		if f.ticks == 0 {
			t, is = tableAt(text[at:], d.head, d.whole)
		}
		d.head = nil
		switch {
		case is == maybe:
			return d.out.String()
		case is == yes:
			d.table(t)
			end = at + t.length
		case f.ticks > 0:
			d.out.WriteString(text[at:end])
			f = f.after(text[at:end])
		default:
			if d.line(text[at:end], complete); d.held {
				return d.out.String()
			}
			f = f.after(text[at:end])
		}
		if at = end; at < len(text) {
			if at++; !d.left || !Blank(d.out.String()[d.begin:]) { // of a line that was left out no blank one stays
				d.out.WriteByte('\n')
			}
		}
	}
	return d.out.String()
}

// line writes a line that is no code. complete tells that its end has come.
func (d *dresser) line(line string, complete bool) {
	before := '\n' // the character before i
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		shown, length, is := d.at(line[i:], before, complete)
		switch is {
		case maybe:
			d.held = true
			return
		case yes:
			n = length
			if shown == "" {
				d.left, d.gap = true, true
				i += n
				if d.open() && strings.HasPrefix(line[i:], " ") {
					i++
				}
				continue
			}
		default:
			shown = line[i : i+n]
		}
		if d.gap && !d.open() && (inWord(r) || strings.ContainsRune("<@&!#:", r)) {
			d.out.WriteByte(' ')
		}
		d.gap = false
		d.out.WriteString(shown)
		i += n
		before, _ = utf8.DecodeLastRuneInString(line[:i])
	}
}

// open tells whether nothing, or a blank, stands before what is written next.
func (d *dresser) open() bool {
	out := d.out.String()
	return len(out) == d.begin || strings.HasSuffix(out, " ")
}

// at reads what begins here and is more than a character: what is shown for it, and its length.
func (d *dresser) at(rest string, before rune, complete bool) (shown string, n int, is verdict) {
	switch rest[0] {
	case '`':
		return verbatim(rest, span(rest))
	case '\\':
		return verbatim(rest, escaped(rest, complete))
	case '<':
		return d.angle(rest, complete)
	case '@':
		return d.address(rest, before, complete)
	case '[':
		n, is = linkAt(rest, complete)
		return rest[:n], n, is
	case ':':
		return d.emojiAt(rest, before, complete)
	case '*', '_':
		return d.wrapped(rest, complete)
	}
	if inWord(before) {
		return "", 0, no
	}
	if rest[0]|0x20 == 'h' {
		if n, is = addressAt(rest, complete); is != no {
			return rest[:n], n, is
		}
	}
	return d.numbered(rest, complete)
}

func verbatim(rest string, n int) (string, int, verdict) {
	if n == 0 {
		return "", 0, maybe
	}
	return rest[:n], n, yes
}

// span is the length of a code span; one that nothing closes reaches to the end of the line.
func span(rest string) int {
	ticks := len(rest) - len(strings.TrimLeft(rest, "`"))
	for i := ticks; i < len(rest); {
		next := strings.IndexByte(rest[i:], '`')
		if next < 0 {
			break
		}
		i += next
		run := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
		if i += run; run == ticks {
			return i
		}
	}
	return len(rest)
}

// escaped is the length of a backslash and the mark that it takes the meaning of; 0 where that has not come. It does not
// take the meaning of a mention.
func escaped(rest string, complete bool) int {
	switch {
	case len(rest) > 1 && strings.IndexByte("*_~|:[`\\", rest[1]) >= 0:
		return 2
	case len(rest) == 1 && !complete:
		return 0
	}
	return 1
}

const (
	longestText    = 300  // of a link, in bytes
	longestAddress = 1000 // up to which one is held back
)

// linkAt reads a link with a text of its own.
func linkAt(rest string, complete bool) (int, verdict) {
	text := strings.IndexAny(rest[1:min(len(rest), longestText)], "[]")
	switch {
	case text < 0 && len(rest) < longestText && !complete:
		return 0, maybe
	case text < 0 || rest[1+text] == '[':
		return 0, no
	}
	at := text + 2
	switch {
	case at == len(rest) && !complete:
		return 0, maybe
	case at == len(rest) || rest[at] != '(':
		return 0, no
	}
	deep := 0
	for i := at; i < min(len(rest), at+longestAddress); i++ {
		switch rest[i] {
		case '(':
			deep++
		case ')':
			if deep--; deep == 0 {
				return i + 1, yes
			}
		case '[', ' ':
			return 0, no
		}
	}
	if len(rest) < at+longestAddress && !complete {
		return 0, maybe
	}
	return 0, no
}

// addressAt reads an address. It is held back until it has ended: Discord would show, and look up, a wrong one.
func addressAt(rest string, complete bool) (int, verdict) {
	begun := no
	for _, scheme := range []string{"https://", "http://"} {
		n := min(len(scheme), len(rest))
		if !strings.EqualFold(rest[:n], scheme[:n]) {
			continue
		}
		if n == len(scheme) {
			end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"`|」』）】。、", r) })
			if end < 0 {
				if end = len(rest); end < longestAddress && !complete {
					return 0, maybe
				}
			}
			return end, yes
		}
		begun = maybe
	}
	if begun == maybe && !complete {
		return 0, maybe
	}
	return 0, no
}
