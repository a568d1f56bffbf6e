package speech

import "strings"

// longestInfo bounds the language of a code block; a longer line after backticks opens none.
const longestInfo = 40

// markdown follows a text grapheme by grapheme and knows which markup is open: a fenced code block, a code span, a
// quoted line. A block opens with a line of three or more backticks and a language, and closes with a line of at least
// as many backticks and nothing else; both may stand in a quotation, a list item or indentation.
type markdown struct {
	fence   fence
	body    bool   // the open block has content in this part
	line    string // the current line, as far as it may be one of backticks
	long    bool   // it is none, and goes on
	run     int    // backticks just read, outside a block
	span    int    // backticks that opened a code span, 0 outside
	stopped bool   // the last character that is no closing mark ended a sentence
	whole   int    // how far into what must stay whole: angle brackets or an address
	scheme  int    // how much of "://" was just read

	emphasis emphasis
}

// fence is an open code block: what stands before its backticks, how many there are, and the language.
type fence struct {
	prefix string
	ticks  int
	info   string
}

const longestLine = 3 * longestInfo

func (m *markdown) feed(g string) {
	if m.long && m.run == 0 && m.whole == 0 && m.scheme == 0 && m.emphasis.char == 0 && letter(g) { // the usual case, and quick
		if m.stopped = false; m.fence.ticks > 0 {
			m.body = true
		} else if m.span == 0 {
			m.emphasis.prev = rune(g[0])
		}
		return
	}
	if newline(g) {
		m.endLine()
		return
	}
	if !strings.Contains(closers, g) {
		m.stopped = strings.Contains(stops+wideStops, g)
	}
	if !m.long {
		m.line += g
		m.long = len(m.line) > longestLine || !strings.Contains(containers, g) && !strings.Contains(m.line, "`")
	}
	if m.keep(g); m.fence.ticks > 0 {
		m.body = m.body || strings.TrimSpace(g) != ""
		return
	}
	if g == "`" {
		if m.run++; m.span == 0 {
			m.emphasis.settle('`')
			m.emphasis.prev = '`'
		}
		return
	}
	m.endRun()
	if m.span == 0 {
		m.emphasis.feed(g)
	}
}

// letter tells whether g is a Latin letter or a digit.
func letter(g string) bool {
	return len(g) == 1 && ('a' <= g[0]|0x20 && g[0]|0x20 <= 'z' || '0' <= g[0] && g[0] <= '9')
}

// longestWhole is how long something may be that is not cut, in graphemes.
const longestWhole = 300

// keep follows what is not cut: a mention, an emoji of a server and the like, and an address.
func (m *markdown) keep(g string) {
	switch {
	case m.scheme < 3 && g == "://"[m.scheme:m.scheme+1]:
		m.scheme++
	case m.scheme < 3:
		m.scheme = 0
	}
	switch {
	case g == ">" || strings.TrimSpace(g) == "" || m.whole > longestWhole:
		m.whole, m.scheme = 0, 0
	case m.whole > 0 || g == "<" || m.scheme == 3:
		m.whole++
	}
}

// endRun judges the backticks that have just ended: they open a code span or close the one of their length.
func (m *markdown) endRun() {
	switch {
	case m.run == 0:
	case m.span == 0:
		m.span = m.run
	case m.span == m.run:
		m.span = 0
	}
	m.run = 0
}

func (m *markdown) endLine() {
	next := markdown{fence: m.fence, body: m.body, emphasis: m.emphasis}
	if next.emphasis.settle('\n'); !m.long && strings.TrimSpace(m.line) == "" {
		next.emphasis.paragraph()
	}
	next.emphasis.prev = '\n'
	if f, ok := m.fenceLine(); ok {
		switch {
		case m.fence.ticks == 0 && !strings.Contains(f.info, "`"):
			next.fence, next.emphasis = f, emphasis{}
		case m.fence.ticks > 0 && f.ticks >= m.fence.ticks && f.info == "":
			next.fence = fence{}
		}
	}
	*m = next
}

// fenceLine reads the current line as one of backticks.
func (m *markdown) fenceLine() (fence, bool) {
	if m.long {
		return fence{}, false
	}
	i := strings.IndexByte(m.line, '`')
	if i < 0 || !container(m.line[:i]) {
		return fence{}, false
	}
	rest := strings.TrimLeft(m.line[i:], "`")
	f := fence{prefix: m.line[:i], ticks: len(m.line) - i - len(rest), info: strings.TrimSpace(rest)}
	return f, f.ticks >= 3 && len(f.info) <= longestInfo
}

// containers are the characters of which what stands before a fence is made.
const containers = " \t>-*+.0123456789"

// container tells whether s is what may stand before a fence: indentation, quotation marks, a list marker.
func container(s string) bool {
	s = strings.TrimLeft(s, " \t>")
	if s == "" {
		return true
	}
	mark, ok := strings.CutSuffix(strings.TrimRight(s, " \t"), ".")
	if ok {
		return mark != "" && strings.Trim(mark, "0123456789") == "" && len(mark) <= 4
	}
	return (mark == "-" || mark == "*" || mark == "+") && mark != s
}

// opening tells whether this is the line that opens a block, or a block that has nothing in it yet: a cut here would
// show an empty one.
func (m *markdown) opening() bool {
	if m.fence.ticks > 0 {
		return !m.body
	}
	return !m.long && strings.HasPrefix(strings.TrimLeft(m.line, " \t>"), "```")
}

// spanning is how many backticks opened the code span here, those just read included.
func (m *markdown) spanning() int {
	s := markdown{run: m.run, span: m.span}
	s.endRun()
	return s.span
}

// closing is what must be added here to close what is open. A closing line that has begun is completed.
func (m *markdown) closing() string {
	if m.fence.ticks == 0 {
		return strings.Repeat("`", m.spanning()) + m.emphasis.settled(false).closing()
	}
	begun := strings.TrimLeft(m.line, " \t>")
	if ticks := strings.TrimRight(begun, " \t\r"); ticks != "" && strings.Trim(ticks, "`") == "" && !m.long {
		if missing := m.fence.ticks - len(ticks); missing <= 0 || ticks == begun {
			return strings.Repeat("`", max(0, missing))
		}
	}
	return "\n" + m.fence.indent() + strings.Repeat("`", m.fence.ticks)
}

// owed is the length of closing.
func (m *markdown) owed() int {
	if m.fence.ticks == 0 {
		return m.spanning() + m.emphasis.owed()
	}
	if m.long {
		return 1 + Units(m.fence.prefix) + m.fence.ticks
	}
	return Units(m.closing())
}

// reopening is what the next part must begin with.
func (m *markdown) reopening() string {
	if m.fence.ticks == 0 {
		return m.rest() + m.emphasis.settled(false).opening() + strings.Repeat("`", m.spanning())
	}
	return m.fence.prefix + strings.Repeat("`", m.fence.ticks) + m.fence.info + "\n" + m.rest()
}

// reopened is the state after reopening. What was added counts, for the part is read as it is shown.
func (m *markdown) reopened() markdown {
	return markdown{fence: m.fence, span: m.spanning(), line: m.rest() + strings.Repeat("`", m.spanning()), emphasis: m.emphasis.settled(false)}
}

// rest is what a line that was cut needs in front of its second half to stay quoted.
func (m *markdown) rest() string {
	if m.fence.ticks > 0 && m.line != "" && strings.Contains(m.fence.prefix, ">") {
		return m.fence.indent()
	}
	if m.fence.ticks == 0 && strings.HasPrefix(m.line, "> ") {
		return "> "
	}
	return ""
}

// indent is the fence's container for the lines after the first: a list marker becomes blanks.
func (f fence) indent() string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, f.prefix)
}
