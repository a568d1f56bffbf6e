package persona

import (
	"slices"
	"strings"
	"unicode"
)

// Matches tells whether text calls p by one of its triggers, and where: the byte index of the earliest match.
//
// A trigger is matched in one of three ways. A mention (`<@id>`) matches that mention. One with characters of a script
// that is written without spaces (Hiragana, Katakana, Han, Thai, ...) matches as a substring, as it is. Any other
// matches as a word, ignoring case, and each ASCII letter may be drawn out ("TOMOOOO" for "tomo"); blanks match any run
// of blanks, everything else matches itself. A blank trigger never matches.
//
// The cost is at most len(text) × the length of the triggers; no text makes it worse.
func (p Persona) Matches(text string) (index int, ok bool) {
	return p.match(text, unfold(text))
}

// Order gives those of the cast that text calls, the one called first in front; ties keep the order of the cast.
func Order(cast []Persona, text string) []Persona {
	type call struct {
		at  int
		who Persona
	}
	var calls []call
	folded := unfold(text)
	for _, p := range cast {
		if at, ok := p.match(text, folded); ok {
			calls = append(calls, call{at, p})
		}
	}
	slices.SortStableFunc(calls, func(a, b call) int { return a.at - b.at })
	called := make([]Persona, len(calls))
	for i, c := range calls {
		called[i] = c.who
	}
	return called
}

func (p Persona) match(text string, folded letters) (index int, ok bool) {
	index = -1
	for _, trigger := range p.Triggers {
		at := find(strings.TrimSpace(trigger), text, folded)
		if at >= 0 && (index < 0 || at < index) {
			index = at
		}
	}
	return index, index >= 0
}

func find(trigger, text string, folded letters) int {
	switch {
	case trigger == "":
		return -1
	case mention(trigger) != "":
		id := mention(trigger)
		at := strings.Index(text, "<@"+id+">")
		nick := strings.Index(text, "<@!"+id+">") // the older form, which clients still send
		if at < 0 || nick >= 0 && nick < at {
			return nick
		}
		return at
	case strings.ContainsFunc(trigger, unspaced):
		return strings.Index(text, trigger)
	default:
		return compile(trigger).find(folded)
	}
}

// mention is the id in a trigger of the form <@id>, or "".
func mention(trigger string) string {
	id, ok := strings.CutPrefix(trigger, "<@")
	if !ok || !strings.HasSuffix(id, ">") {
		return ""
	}
	id = strings.TrimPrefix(strings.TrimSuffix(id, ">"), "!")
	if strings.ContainsFunc(id, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return id
}

// letters is a text as folded runes, each with its byte index in the original: folding may change a letter's length
// ("İ"), so indexes in a lower-cased copy would be wrong.
type letters struct {
	runes []rune
	at    []int
}

func unfold(text string) letters {
	l := letters{runes: make([]rune, 0, len(text)), at: make([]int, 0, len(text))}
	for i, r := range text {
		l.runes = append(l.runes, fold(r))
		l.at = append(l.at, i)
	}
	return l
}

// fold gives one representative of all letters that differ from r in case only.
func fold(r rune) rune {
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' { // the Kelvin sign, the long s
		least += 'a' - 'A'
	}
	return least
}

// pattern is a word trigger as runs of one rune. Because neighbouring runs differ, taking each run greedily is exact, and
// matching needs no backtracking.
type pattern []run

type run struct {
	r     rune
	least int  // times it must stand there
	drawn bool // it may stand there more often
}

func compile(word string) pattern {
	var p pattern
	for _, r := range word {
		r = fold(r)
		if unicode.IsSpace(r) {
			r = ' '
		}
		if n := len(p); n > 0 && p[n-1].r == r {
			if r != ' ' {
				p[n-1].least++
			}
			continue
		}
		p = append(p, run{r, 1, r == ' ' || 'a' <= r && r <= 'z'})
	}
	return p
}

func (p pattern) find(l letters) int {
	for i, r := range l.runes {
		if r != p[0].r || !opens(l.runes, i) { // first, for a drawn-out letter is then read from its start only
			continue
		}
		if end := p.at(l.runes, i); end >= 0 && closes(l.runes, end) {
			return l.at[i]
		}
	}
	return -1
}

// at gives the end of a match that starts at i, or -1; edges are the caller's matter.
func (p pattern) at(text []rune, i int) int {
	for _, run := range p {
		n := 0
		for i < len(text) && (run.drawn || n < run.least) && (text[i] == run.r || run.r == ' ' && unicode.IsSpace(text[i])) {
			i++
			n++
		}
		if n < run.least {
			return -1
		}
	}
	return i
}

// opens tells whether a word that starts at i is not the rest of another.
func opens(text []rune, i int) bool {
	if i == 0 || i >= len(text) || !binds(text[i]) || !binds(text[i-1]) {
		return true
	}
	return unicode.Is(unicode.Hangul, text[i-1]) != unicode.Is(unicode.Hangul, text[i])
}

// closes tells whether a word that ends before i does not go on. Korean particles are written onto the word they follow,
// so Hangul never makes a word go on.
func closes(text []rune, i int) bool {
	if i == 0 || i >= len(text) || !binds(text[i-1]) || !binds(text[i]) {
		return true
	}
	return unicode.Is(unicode.Hangul, text[i])
}

// binds tells whether r joins its neighbours into one word. Characters of unspaced scripts do not: a Latin name between
// Japanese ones is a word of its own.
func binds(r rune) bool {
	return r == '_' || (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unspaced(r)
}

// unspaced tells whether r belongs to a script that is written without spaces between words.
func unspaced(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return r == 'ー' || r == 'ｰ' || unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
