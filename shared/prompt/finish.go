package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reply is what a persona says.
type Reply struct {
	Text  string
	Empty bool // nothing of Text can be seen: the model gave no answer
	// Other is what the model wrote as somebody else, where it began so and Text is therefore empty, without that label. It is
	// better than nothing when the model does no better.
	Other string
}

// Finish is stage 13: what the model wrote becomes what the persona says. Thinking and details go, and what has leaked of the
// model's format; the persona's own name in front goes, as often as it stands there, and where it is all of the last line;
// the text ends where a line begins with another speaker's label; runs of blank lines shrink to one. Code blocks are left as
// they are.
//
// Thinking that is not closed reaches to the end. A closing tag that nothing opened, which models send whose template
// opened it for them, drops all that stands before it.
func Finish(p Prompt, raw string) Reply {
	text, other := said(p, raw, true)
	if !blank(text) {
		other = ""
	}
	return Reply{Text: text, Empty: blank(text), Other: other}
}

// Visible is the part of a reply that is certain while raw is still growing. It holds back whatever may turn out to be
// part of a tag or a label, so that nothing is shown which Finish would take away: however raw goes on, Visible is the
// start of Finish's text. The one exception is a closing tag of thinking that nothing opened, which nobody can foresee.
func Visible(p Prompt, raw string) string {
	for range utf8.UTFMax - 1 { // a rune may be on its way
		if r, n := utf8.DecodeLastRuneInString(raw); r != utf8.RuneError || n != 1 {
			break
		}
		raw = raw[:len(raw)-1]
	}
	text, _ := said(p, raw, false)
	return text
}

// said also gives what is said behind another speaker's label at the start.
func said(p Prompt, raw string, whole bool) (text, other string) {
	text = strings.TrimLeftFunc(withoutAsides(raw, whole), unicode.IsSpace)
	if text = withoutOwnName(text, p.Self, whole); whole {
		for _, name := range p.Others {
			if n, found := labelled(text, name, true, true); found == yes && !strings.EqualFold(name, p.Self) {
				other = strings.TrimLeftFunc(text[n:], unicode.IsSpace)
			}
		}
	}
	return spoken(p, text, whole), spoken(p, other, whole)
}

// spoken is the persona's part of a text, and nothing of others.
func spoken(p Prompt, text string, whole bool) string {
	text = untilOthers(text, p.Self, p.Others, whole)
	return strings.TrimSpace(tidy(withoutLastLabel(text, p.Self, whole)))
}

// withoutLastLabel takes off a last line that is the persona's label and no more.
func withoutLastLabel(text, self string, whole bool) string {
	at := strings.LastIndexByte(strings.TrimRightFunc(text, unicode.IsSpace), '\n') + 1
	n, found := labelled(strings.TrimLeft(text[at:], " \t"), self, true, whole)
	if at == 0 || found == no || found == yes && strings.TrimSpace(strings.TrimLeft(text[at:], " \t")[n:]) != "" {
		return text
	}
	var c code
	if c.feedAll(text[:at]); c.inside() {
		return text
	}
	return text[:at]
}

// withoutOwnName takes the persona's label off the start, repeatedly: "Mira: Mira: hi" is only "hi".
func withoutOwnName(text, self string, whole bool) string {
	for {
		n, found := labelled(text, self, false, whole)
		switch found {
		case no:
			return text
		case maybe:
			return ""
		}
		text = strings.TrimLeftFunc(text[n:], unicode.IsSpace)
	}
}

// untilOthers ends text before the first line in which somebody else would speak.
func untilOthers(text, self string, others []string, whole bool) string {
	var c code
	for start := 0; start < len(text); {
		if !c.inside() {
			line := strings.TrimLeft(text[start:], " \t")
			for _, name := range others {
				if strings.EqualFold(name, self) {
					continue
				}
				if _, found := labelled(line, name, true, whole); found != no {
					return text[:start]
				}
			}
		}
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			break
		}
		for _, r := range text[start : start+end+1] {
			c.feed(r)
		}
		start += end + 1
	}
	return text
}

// tidy leaves at most one blank line in a row outside code blocks.
func tidy(text string) string {
	var out strings.Builder
	var c code
	gap := 0
	for line := range strings.Lines(text) {
		body, broken := strings.CutSuffix(line, "\n")
		if c.inside() || strings.TrimSpace(body) != "" {
			if out.Len() > 0 {
				out.WriteString(strings.Repeat("\n", gap))
			}
			out.WriteString(body)
			gap = 0
		}
		for _, r := range line {
			c.feed(r)
		}
		if broken {
			gap++
			if !c.inside() {
				gap = min(gap, 2)
			}
		}
	}
	return out.String()
}

// verdict is what can be said about a text that may still grow.
type verdict int

const (
	no verdict = iota
	yes
	maybe // more text is needed to tell
)

// labelled tells whether s starts with name as a speaker's label ("Ana:", "**Ana:**", "*Ana*:"), and its length. A strict
// label has a blank or nothing after it, which tells the speaker "http" from an address.
func labelled(s, name string, strict, whole bool) (int, verdict) {
	if name == "" {
		return 0, no
	}
	for _, mark := range []string{"", "***", "**", "*", "__", "_"} {
		if n, found := labelledBy(mark, s, name, strict); found == yes || found == maybe && !whole {
			return n, found
		} else if found == maybe && n > 0 { // all is there but the blank that a strict label wants
			return n, yes
		}
	}
	return 0, no
}

// labelledBy is labelled for one kind of emphasis. With maybe, a length above zero says that the label is complete if
// the text ends here.
func labelledBy(mark, s, name string, strict bool) (int, verdict) {
	rest, found := take(s, mark+name)
	if found != yes {
		return 0, found
	}
	marked := false
	if mark != "" {
		if after, found := take(rest, mark); found == maybe {
			return 0, maybe
		} else if found == yes {
			rest, marked = after, true
		}
	}
	rest = strings.TrimPrefix(rest, " ")
	after, found := take(rest, ":")
	if wide, alt := take(rest, "："); found == no {
		after, found = wide, alt
	}
	if found != yes {
		return 0, found
	}
	rest = after
	if mark != "" && !marked {
		if rest, found = take(rest, mark); found != yes {
			return 0, found
		}
	}
	n := len(s) - len(rest)
	if strict {
		if rest == "" {
			return n, maybe
		}
		if !strings.ContainsAny(rest[:1], " \t\r\n") {
			return 0, no
		}
	}
	return n, yes
}

// take gives what of s follows want, ignoring case.
func take(s, want string) (string, verdict) {
	for _, w := range want {
		if s == "" {
			return "", maybe
		}
		r, n := utf8.DecodeRuneInString(s)
		if r != w && !strings.EqualFold(string(r), string(w)) {
			return s, no
		}
		s = s[n:]
	}
	return s, yes
}
