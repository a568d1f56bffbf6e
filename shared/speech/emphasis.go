package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The markup that a part may leave open, and after it what is open only to a reader: quotations and brackets.
const (
	italic byte = iota + 1
	bold
	boldItalic
	italicLine // the same with "_"
	boldLine
	boldItalicLine
	struck
	hidden // a spoiler
	straight
	curly
	low
	round
	corner
	doubleCorner
	wideRound
)

// opens and closes are how each of them is written.
var (
	opens  = [...]string{"", "*", "**", "***", "_", "__", "___", "~~", "||", `"`, "“", "„", "(", "「", "『", "（"}
	closes = [...]string{"", "*", "**", "***", "_", "__", "___", "~~", "||", `"`, "”", "“", ")", "」", "』", "）"}
)

// emphasis follows a paragraph grapheme by grapheme and knows what of its markup is open. What opens something must stand where
// a word begins, so that a product, a face or a name with underscores opens nothing.
type emphasis struct {
	stack [8]byte // what is open, the outermost first
	n     int8    // how many
	char  byte    // of the run of marks just read, 0 where there is none
	run   int8    // its length
	front rune    // what stands before it
	prev  rune    // the last character
}

const marks = "*_~|"

func (e *emphasis) feed(g string) {
	if len(g) == 1 && strings.Contains(marks, g) && e.prev != '\\' {
		if e.char == g[0] {
			e.run = min(e.run+1, 100)
			return
		}
		e.settle(rune(g[0]))
		e.char, e.run, e.front, e.prev = g[0], 1, e.prev, rune(g[0])
		return
	}
	first, _ := utf8.DecodeRuneInString(g)
	e.settle(first)
	e.quote(g)
	e.prev, _ = utf8.DecodeLastRuneInString(g)
}

// settle judges the run of marks that ends before after; 0 stands for the end of the text.
func (e *emphasis) settle(after rune) {
	if e.char == 0 {
		return
	}
	what, run := byte(0), e.run
	switch {
	case e.char == '|' && run == 2:
		what = hidden
	case e.char == '~' && run == 2:
		what = struck
	case e.char == '*' && run <= 3:
		what = italic + byte(run) - 1
	case e.char == '_' && run <= 3:
		what = italicLine + byte(run) - 1
	}
	inside := e.char == '_' && spoken(after)
	closes := what == hidden || !unicode.IsSpace(e.front) && e.front != 0 && !inside
	opens := beginning(e.front) && after != 0 && !unicode.IsSpace(after)
	e.char = 0
	switch {
	case what == 0:
	case closes && e.end(what):
	case closes && what <= boldItalicLine && e.endPartly(what):
	case opens:
		e.begin(what)
	}
}

// beginning tells whether a word begins after a character; 0 stands for the start of the text.
func beginning(r rune) bool {
	return r == 0 || unicode.IsSpace(r) || pairs[r] != 0 || strings.ContainsRune("*_~|—–-\"", r)
}

func (e *emphasis) begin(what byte) {
	if int(e.n) < len(e.stack) {
		e.stack[e.n] = what
		e.n++
	}
}

// end closes what is open, and all inside it.
func (e *emphasis) end(what byte) bool {
	for i := e.n - 1; i >= 0; i-- {
		if e.stack[i] == what {
			e.n = i
			return true
		}
	}
	return false
}

// endPartly closes one half of three marks, or with three marks two that are open.
func (e *emphasis) endPartly(what byte) bool {
	first := italic
	if what >= italicLine {
		first = italicLine
	}
	run := what - first + 1
	if n := e.n; run == 3 && n >= 2 && e.stack[n-1] != e.stack[n-2] && max(e.stack[n-1], e.stack[n-2]) == first+1 && min(e.stack[n-1], e.stack[n-2]) == first {
		e.n -= 2
		return true
	}
	if run < 3 && e.end(first+2) {
		e.begin(first + 2 - run)
		return true
	}
	return false
}

// quote reads a quotation mark or a bracket.
func (e *emphasis) quote(g string) {
	switch g {
	case `"`:
		if !e.end(straight) && beginning(e.prev) {
			e.begin(straight)
		}
	case "(":
		if !strings.ContainsRune(":;=-", e.prev) || e.prev == 0 { // those are faces
			e.begin(round)
		}
	case "“":
		if !e.end(low) {
			e.begin(curly)
		}
	case "”":
		_ = e.end(curly) || e.end(low)
	case "„":
		e.begin(low)
	case "「":
		e.begin(corner)
	case "『":
		e.begin(doubleCorner)
	case "（":
		e.begin(wideRound)
	case ")":
		e.end(round)
	case "」":
		e.end(corner)
	case "』":
		e.end(doubleCorner)
	case "）":
		e.end(wideRound)
	}
}

// paragraph is what stays open where a paragraph ends: a spoiler.
func (e *emphasis) paragraph() {
	spoiler := e.end(hidden)
	if *e = (emphasis{}); spoiler {
		e.begin(hidden)
	}
}

// settled is what is open if the text, or a part of it, ends here. Quotations do not count where markup is asked for.
func (e emphasis) settled(quotes bool) emphasis {
	e.settle(0)
	if quotes {
		return e
	}
	all := e.stack[:e.n]
	e.n, e.prev = 0, 0
	for _, what := range all {
		if what <= hidden {
			e.stack[e.n] = what
			e.n++
		}
	}
	return e
}

// closing closes what is open, the innermost first.
func (e emphasis) closing() string {
	if e.n == 0 {
		return ""
	}
	var b strings.Builder
	for i := e.n - 1; i >= 0; i-- {
		b.WriteString(closes[e.stack[i]])
	}
	return b.String()
}

func (e emphasis) opening() string {
	if e.n == 0 {
		return ""
	}
	var b strings.Builder
	for _, what := range e.stack[:e.n] {
		b.WriteString(opens[what])
	}
	return b.String()
}

// owed is the length of the markup's closing.
func (e *emphasis) owed() int {
	if e.n == 0 {
		return 0
	}
	n := 0
	for _, what := range e.stack[:e.n] {
		if what <= hidden {
			n += len(closes[what])
		}
	}
	return n
}
