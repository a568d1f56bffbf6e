package prompt

import "strings"

// withoutAsides drops what is not for people: what stands in <think>, <thinking> or <details> tags, whatever their case, nested
// ones with their whole; and what of the model's own format has leaked (see leakAt). Inside such a tag others are text. Tags in a
// code block, and those that stand between backticks, are text. While the text is not whole, it ends before anything that may
// become a tag.
func withoutAsides(text string, whole bool) string {
	a := asides{text: text, whole: whole}
	for a.at < len(text) && a.step() {
	}
	return a.out.String()
}

// asides reads a text once.
type asides struct {
	text   string
	whole  bool
	at     int
	out    strings.Builder
	code   code
	hidden string // the tag that is open
	depth  int    // how often
	opened bool   // thinking was, or was closed
}

// keep copies the next n bytes.
func (a *asides) keep(n int) bool {
	if piece := a.text[a.at : a.at+n]; a.depth == 0 {
		a.code.feedAll(piece)
		a.out.WriteString(piece)
	}
	a.at += n
	return true
}

// step reads up to the next tag, or that; false where the text ends for now.
func (a *asides) step() bool {
	rest := a.text[a.at:]
	if next := strings.IndexAny(rest, "<["); next != 0 {
		if next < 0 {
			next = len(rest)
		}
		return a.keep(next)
	}
	if a.depth == 0 && a.code.inside() {
		return a.keep(1)
	}
	if rest[0] == '<' {
		t, name, n, found := asideAt(rest)
		end := a.at + n
		quoted := a.depth == 0 && a.at > 0 && a.text[a.at-1] == '`'
		switch {
		case found == maybe && (!a.whole || n > 0): // it may become a tag, or is a broken one at the very end
			return false
		case found == yes && quoted && end == len(a.text) && !a.whole:
			return false
		case found == yes && quoted && end < len(a.text) && a.text[end] == '`':
			return a.keep(1)
		case found == yes && (a.depth == 0 || name == a.hidden):
			a.tag(t, name)
			a.at = end
			return true
		}
	}
	if a.depth > 0 || a.code.odd {
		return a.keep(1)
	}
	return a.leak(rest)
}

// tag takes note of a tag.
func (a *asides) tag(t tag, name string) {
	switch {
	case t == opening:
		a.hidden = name
		a.depth++
	case t == closing && a.depth > 0:
		a.depth--
	case t == closing && name == thinking && !a.opened:
		a.out.Reset()
		a.code = code{}
	}
	a.opened = a.opened || name == thinking && t != selfClosing
}

// leak drops what of the model's format stands here.
func (a *asides) leak(rest string) bool {
	l, n, found := leakAt(rest, a.whole)
	switch {
	case found == maybe:
		return false
	case found == no:
		return a.keep(1)
	case l == another && !blank(a.out.String()): // the model goes on as somebody else
		a.at = len(a.text)
		return false
	case l == another:
		role := leadingLetters(rest[n:])
		switch after := rest[n+role:]; {
		case after == "" && !a.whole:
			return false
		case after == "" || after[0] == '\n' || after[0] == '<':
			n += role
		}
	case l == system:
		if out := a.out.String(); (out == "" || strings.HasSuffix(out, "\n")) && strings.HasPrefix(rest[n:], "\n") {
			n++
		}
	}
	a.at += n
	return true
}

type tag int

const (
	opening tag = iota
	closing
	selfClosing
)

// The tags of asides.
const (
	thinking = "think" // or "thinking"
	details  = "details"
)

// asideAt reads a tag of an aside at the start of s, which starts with '<'. With maybe, a length above zero says that the tag's
// name is complete.
func asideAt(s string) (t tag, name string, n int, found verdict) {
	i := 1
	if strings.HasPrefix(s[i:], "/") {
		t = closing
		i++
	}
	start := i
	i += leadingLetters(s[i:])
	name = strings.ToLower(s[start:i])
	complete := name == "think" || name == "thinking" || name == details
	if i == len(s) && (strings.HasPrefix("thinking", name) || strings.HasPrefix(details, name)) {
		if complete {
			n = i
		}
		return t, name, n, maybe
	}
	if !complete {
		return t, name, 0, no
	}
	if name == details {
		for limit := i + 64; i < len(s) && i < limit && s[i] != '>' && s[i] != '<' && (s[i] <= ' ' || i > start+len(name)); {
			i++ // attributes
		}
	} else {
		name = thinking
		for i < len(s) && strings.IndexByte(" \t\n", s[i]) >= 0 && i < 64 {
			i++
		}
	}
	if strings.HasPrefix(s[i:], "/") || name == details && strings.HasSuffix(s[:i], "/") {
		if t == opening {
			t = selfClosing
		}
		if s[i-1] != '/' {
			i++
		}
	}
	switch {
	case i == len(s):
		return t, name, i, maybe
	case s[i] != '>':
		return t, name, 0, no
	}
	return t, name, i + 1, yes
}

// leadingLetters is how many bytes of Latin letters s begins with.
func leadingLetters(s string) int {
	i := 0
	for i < len(s) && ('a' <= s[i]|0x20 && s[i]|0x20 <= 'z') {
		i++
	}
	return i
}

// code follows a text rune by rune and knows whether it is inside a fenced code block. A line that starts with three
// backticks counts as code from there on, before it is known whether it opens a block.
type code struct {
	fence int  // backticks of the open block, 0 outside
	ticks int  // backticks at the start of the line
	past  bool // the line's first other character was met
	tail  bool // there is something other than blanks after the backticks
	again bool // there are backticks in the tail, so that the line opens nothing
	tick  bool // the last character is a backtick
	odd   bool // of the runs of backticks in the line there is one more than pairs
}

func (c *code) inside() bool { return c.fence > 0 || c.ticks >= 3 }

func (c *code) feedAll(s string) {
	for _, r := range s {
		c.feed(r)
	}
}

func (c *code) feed(r rune) {
	if c.odd = c.odd != (r == '`' && !c.tick); r != '\n' {
		c.tick = r == '`'
	}
	switch {
	case r == '\n':
		switch {
		case c.fence == 0 && c.ticks >= 3 && !c.again:
			c.fence = c.ticks
		case c.fence > 0 && c.ticks >= c.fence && !c.tail:
			c.fence = 0
		}
		*c = code{fence: c.fence}
	case !c.past && r == '`':
		c.ticks++
	case !c.past && c.ticks == 0 && (r == ' ' || r == '\t' || r == '>'):
		// indentation and quotation may stand before a fence
	default:
		c.past = true
		c.tail = c.tail || r != ' ' && r != '\t' && r != '\r'
		c.again = c.again || r == '`'
	}
}
