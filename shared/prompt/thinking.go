package prompt

import "strings"

// withoutThinking drops what stands in <think> or <thinking> tags, whatever their case, nested ones with their whole.
// Tags in a code block, and those that stand between backticks, are text. While the text is not whole, it ends before
// anything that may become a tag.
func withoutThinking(text string, whole bool) string {
	var out strings.Builder
	var c code
	depth, opened := 0, false
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			next = len(text) - i
		}
		if next > 0 {
			if depth == 0 {
				c.feedAll(text[i : i+next])
				out.WriteString(text[i : i+next])
			}
			i += next
			continue
		}
		t, n, found := think(text[i:])
		quoted := depth == 0 && i > 0 && text[i-1] == '`'
		switch {
		case depth == 0 && c.inside():
			found = no
		case found == maybe && (!whole || n > 0): // it may become a tag, or is a broken one at the very end
			return out.String()
		case found == yes && quoted && i+n == len(text) && !whole:
			return out.String()
		case found == yes && quoted && i+n < len(text) && text[i+n] == '`':
			found = no
		}
		if found != yes {
			if depth == 0 {
				c.feed('<')
				out.WriteByte('<')
			}
			i++
			continue
		}
		switch {
		case t == opening:
			depth++
			opened = true
		case t == closing && depth > 0:
			depth--
		case t == closing && !opened:
			out.Reset()
			c, opened = code{}, true
		}
		i += n
	}
	return out.String()
}

type tag int

const (
	opening tag = iota
	closing
	selfClosing
)

// think reads a tag of thinking at the start of s, which starts with '<'. With maybe, a length above zero says that the
// tag's name is complete.
func think(s string) (t tag, n int, found verdict) {
	i := 1
	if strings.HasPrefix(s[i:], "/") {
		t = closing
		i++
	}
	start := i
	for i < len(s) && ('a' <= s[i]|0x20 && s[i]|0x20 <= 'z') {
		i++
	}
	name := strings.ToLower(s[start:i])
	complete := name == "think" || name == "thinking"
	if i == len(s) && strings.HasPrefix("thinking", name) {
		if complete {
			n = i
		}
		return t, n, maybe
	}
	if !complete {
		return t, 0, no
	}
	for i < len(s) && strings.IndexByte(" \t\n", s[i]) >= 0 && i < 64 {
		i++
	}
	if strings.HasPrefix(s[i:], "/") {
		if t == opening {
			t = selfClosing
		}
		i++
	}
	switch {
	case i == len(s):
		return t, i, maybe
	case s[i] != '>':
		return t, 0, no
	}
	return t, i + 1, yes
}

// code follows a text rune by rune and knows whether it is inside a fenced code block. A line that starts with three
// backticks counts as code from there on, before it is known whether it opens a block.
type code struct {
	fence int  // backticks of the open block, 0 outside
	ticks int  // backticks at the start of the line
	past  bool // the line's first other character was met
	tail  bool // there is something other than blanks after the backticks
	again bool // there are backticks in the tail, so that the line opens nothing
}

func (c *code) inside() bool { return c.fence > 0 || c.ticks >= 3 }

func (c *code) feedAll(s string) {
	for _, r := range s {
		c.feed(r)
	}
}

func (c *code) feed(r rune) {
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
