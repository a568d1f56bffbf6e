package speech

import (
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Casual is text as somebody types it in passing: small letters but for what is written in capitals, single letters and the
// expressions of chats; no full stop at the end of a paragraph, which with Sentences goes for each sentence, a line break standing
// for it; no semicolons, and fewer commas, the same ones each time. Code, addresses, links, mentions, emoji and a speaker's label
// at the start of a line stay as they are, and so do the stops in quotations, brackets and emphasis.
//
// While the text is not whole, what is not decided yet is held back: however it goes on, the result is the start of the result
// for the whole. It is for the whole text of a reply, before Divide.
func Casual(text string, by Grain, whole bool) string {
	c := casual{by: by}
	var f fence
	for at := 0; at < len(text) && !c.held; {
		line, broken := firstLine(text[at:], false)
		complete := broken || whole
		if strings.TrimSpace(line) == "" {
			c.markup.paragraph()
		}
		switch {
		case f.ticks > 0, strings.HasPrefix(strings.TrimLeft(line, " \t>"), "```"):
			c.out.WriteString(line)
		default:
			c.line(line, complete)
		}
		f = f.after(line)
		if at += len(line); broken && !c.held {
			c.out.WriteByte('\n')
			at++
		}
	}
	return c.out.String()
}

// casual writes a text anew.
type casual struct {
	by     Grain
	out    strings.Builder
	markup emphasis // that is open
	held   bool     // the rest may still change
	prose  bool     // the line may be divided
	words  uint64   // of the line, so far
}

var (
	labels     = regexp.MustCompile(`^[*_]{0,3}\p{Lu}[\p{L}\p{N}'’.-]{0,32}( \p{Lu}[\p{L}\p{N}'’.-]{0,32}){0,2} ?[*_]{0,3}[:：][*_]{0,3}`)
	labelBegun = regexp.MustCompile(`^[*_]{0,3}(\p{Lu}[\p{L}\p{N}'’.-]{0,32}( (\p{Lu}[\p{L}\p{N}'’.-]{0,32})?){0,2} ?[*_]{0,3}([:：][*_]{0,2})?)?$`)
)

func (c *casual) line(line string, complete bool) {
	if !complete && (strings.TrimSpace(line) == "" || labelBegun.MatchString(line) || digits.FindString(line) == line) {
		c.held = true // it may become a label, or an item of a list
		return
	}
	c.prose, c.words = kindOf(line) == prose && !strings.HasPrefix(line, "  "), 0
	at := len(labels.FindString(line))
	c.copy(line[:at])
	for at < len(line) && !c.held {
		shown, n, is := c.at(line, at, complete)
		switch is {
		case maybe:
			c.held = true
			return
		case no:
			_, n = utf8.DecodeRuneInString(line[at:])
			shown = line[at : at+n]
		}
		c.out.WriteString(shown)
		c.follow(line[at : at+n])
		at += n
	}
	c.markup.settle('\n')
	c.markup.prev = '\n'
}

// copy writes what stays as it is.
func (c *casual) copy(text string) {
	c.out.WriteString(text)
	c.follow(text)
}

// follow knows what markup is open after a piece of the source.
func (c *casual) follow(text string) {
	for g, rest := grapheme(text); g != ""; g, rest = grapheme(rest) {
		c.markup.feed(g)
	}
}

// at reads what stands at a place of the line: what is shown for it, and its length.
func (c *casual) at(line string, at int, complete bool) (string, int, verdict) {
	rest := line[at:]
	r, _ := utf8.DecodeRuneInString(rest)
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	n, is := 0, no
	switch {
	case r == '`':
		n, is = span(rest), yes
	case r == '[':
		n, is = linkAt(rest, complete)
	case r == '<':
		n, is = tagAt(rest, complete)
	case r == ':':
		n, is = codeAt(rest, complete)
	case r == '@':
		n, is = 1+wordLength(rest[1:]), yes
		if n == len(rest) && !complete {
			is = maybe
		}
	case r == ',' || r == ';':
		return c.comma(line, at, complete)
	case r == '.' || r == '。':
		return c.stop(line, at, complete)
	case inWord(r) && (at == 0 || !inWord(before)):
		if r == 'h' || r == 'H' {
			n, is = addressAt(rest, complete)
		}
		if is == no {
			return c.word(rest, complete)
		}
	}
	return rest[:n], n, is
}

// tagAt reads a tag: a mention, an emoji, a time.
func tagAt(rest string, complete bool) (int, verdict) {
	end := strings.IndexAny(rest[:min(len(rest), 64)], "> ")
	switch {
	case end > 0 && rest[end] == '>':
		return end + 1, yes
	case end < 0 && len(rest) < 64 && !complete:
		return 0, maybe
	}
	return 0, no
}

// codeAt reads ":name:".
func codeAt(rest string, complete bool) (int, verdict) {
	n := 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], emojiLetters))
	switch {
	case n > 33, n < len(rest) && rest[n] != ':':
		return 0, no
	case n == len(rest) && !complete:
		return 0, maybe
	case n == len(rest) || n == 1:
		return 0, no
	}
	return n, yes
}

// wordLength is the length of the word that s begins with, apostrophes inside included.
func wordLength(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) && r != '\'' && r != '’' })
	if n < 0 {
		return len(s)
	}
	return n
}

// expressions are written in capitals or not, as their writer likes.
const expressions = " lol rofl lmao lmfao wtf btw omg iirc afaik tbh imo imho fyi idk brb afk ttyl rn smh tysm "

// word makes a word small.
func (c *casual) word(rest string, complete bool) (string, int, verdict) {
	n := wordLength(rest)
	if n == len(rest) && !complete {
		return "", 0, maybe
	}
	c.words++
	word := rest[:n]
	bare := strings.TrimRight(word, "'’")
	switch small := strings.ToLower(word); {
	case utf8.RuneCountInString(bare) == 1, !strings.ContainsFunc(word, unicode.IsLower), strings.Contains(expressions, " "+small+" "):
		return word, n, yes
	default:
		return small, n, yes
	}
}

// comma thins commas and semicolons between words: of five commas two go, and one more becomes a line break where sentences are
// messages. Which ones depends on the words before them alone.
func (c *casual) comma(line string, at int, complete bool) (string, int, verdict) {
	mark, rest := line[at], line[at+1:]
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	switch {
	case rest == "" && !complete:
		return "", 0, maybe
	case !inWord(before) || rest != "" && rest[0] != ' ':
		return "", 0, no
	case mark == ';':
		return "", 1, yes
	case rest == "":
		return "", 0, no
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(line[max(0, at-12):at])))
	switch (uint64(h.Sum32()) + c.words) % 5 {
	case 0, 1:
		return "", 1, yes
	case 2:
		if c.by != Sentences || !c.prose || c.inside(rest) {
			return "", 0, no
		}
		n := len(rest) - len(strings.TrimLeft(rest, " "))
		next, _ := utf8.DecodeRuneInString(rest[n:])
		switch {
		case n == len(rest) && !complete:
			return "", 0, maybe
		case !unicode.IsLetter(next):
			return "", 0, no
		}
		return "\n", 1 + n, yes
	}
	return "", 0, no
}

// inside tells whether something is open before after.
func (c *casual) inside(after string) bool {
	m := c.markup
	r, _ := utf8.DecodeRuneInString(after)
	m.settle(r)
	return m.n > 0
}

// stop drops a single full stop that ends a paragraph, or a sentence.
func (c *casual) stop(line string, at int, complete bool) (string, int, verdict) {
	r, size := utf8.DecodeRuneInString(line[at:])
	rest := line[at+size:]
	before, _ := utf8.DecodeLastRuneInString(line[:at])
	trimmed := strings.TrimLeft(rest, " ")
	switch {
	case trimmed == "" && !complete:
		return "", 0, maybe
	case !inWord(before) || c.inside(" "):
		return "", 0, no
	case trimmed == "":
		if last := lastWord(line[:at]); r == '.' && (shortened(line[:at], 'a') && strings.Contains(last, ".") || !c.prose) {
			return "", 0, no // as in "etc.", and in lists
		}
		return "", size, yes
	case c.by != Sentences || !c.prose:
		return "", 0, no
	case r == '.' && trimmed == rest:
		return "", 0, no
	}
	next, _ := utf8.DecodeRuneInString(trimmed)
	if !spoken(next) || r == '.' && (unicode.IsLower(next) || shortened(line[:at], next)) {
		return "", 0, no
	}
	return "\n", size + len(rest) - len(trimmed), yes
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }
