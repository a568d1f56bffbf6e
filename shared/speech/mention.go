package speech

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// quiet stands behind an "@" that is to have no effect.
const quiet = "\u200b"

// longestTag is how far something in angle brackets is held back, in bytes.
const longestTag = longestName

var mentions = regexp.MustCompile(`^<@([!&]?)([0-9]{1,20})>$`)

// angle reads what "<" begins: a mention, an emoji of the server, or something else that must have come as a whole.
func (d *dresser) angle(rest string, complete bool) (string, int, verdict) {
	near := rest[:min(len(rest), longestTag)]
	end := strings.IndexAny(near, "> \n\t")
	if strings.HasPrefix(rest, "<@") && end >= 0 && rest[end] != '>' { // a name may have blanks
		if end = strings.IndexByte(near, '>'); end < 0 && (complete || len(rest) >= longestTag || !d.begins(rest[2:])) {
			return "<@", 2, yes
		}
	}
	switch {
	case end < 0 && len(rest) < longestTag && !complete:
		return "", 0, maybe
	case strings.HasPrefix(rest, "<@"):
		if end > 0 {
			if shown, is := d.mentioned(rest[:end+1]); is {
				return shown, end + 1, yes
			}
		}
		return "<@", 2, yes
	case strings.HasPrefix(rest, "<#"), strings.HasPrefix(rest, "<t:"), strings.HasPrefix(rest, "</"), strings.HasPrefix(rest, "<id:"):
		if end > 0 && rest[end] == '>' { // a channel, a time, a command
			return rest[:end+1], end + 1, yes
		}
	}
	return d.emojiTag(rest, complete)
}

// begins tells whether s may become somebody in angle brackets.
func (w *words) begins(s string) bool {
	s = strings.TrimPrefix(s, "!")
	for _, k := range w.names {
		switch n, is := take(s, k.name); {
		case is == maybe:
			return true
		case is == yes && strings.Trim(strings.TrimPrefix(s[n:], "|"), "0123456789") == "":
			return true
		}
	}
	return false
}

// mentioned is what is shown for a mention in angle brackets.
func (d *dresser) mentioned(tag string) (string, bool) {
	if m := mentions.FindStringSubmatch(tag); m != nil {
		if d.ids[m[2]] > 0 && m[1] != "&" {
			if d.mention != nil {
				d.mention(m[2])
			}
			return mention(m[2]), true
		}
		return "<@" + quiet + strings.TrimPrefix(m[1], "!") + m[2] + ">", true
	}
	id, _, ok := d.whose(strings.TrimPrefix(tag[2:len(tag)-1], "!"))
	return mention(id), ok
}

// whose reads a name, or "name|id", of one person.
func (w *words) whose(s string) (id, name string, ok bool) {
	name, id, numbered := strings.Cut(s, "|")
	runes := folded(name)
	for _, k := range w.names {
		if slices.Equal(k.name, runes) {
			if numbered {
				return id, name, w.ids[id] > 0
			}
			return k.id, name, k.id != ""
		}
	}
	return "", name, false
}

func mention(id string) string { return "<@" + id + ">" }

var closing = map[byte]string{'{': "}", '(': ")", '[': "]"}

// everybody are the words that mention all.
var everybody = []string{"everyone", "here"}

func all(handle string) bool {
	return slices.ContainsFunc(everybody, func(all string) bool {
		_, is := take(strings.TrimLeft(handle, " "), []rune(all))
		return is == yes
	})
}

// address reads what "@" begins.
func (d *dresser) address(rest string, before rune, complete bool) (string, int, verdict) {
	id, n, is := "", 0, no
	if len(rest) > 1 && !inWord(before) {
		if closer := closing[rest[1]]; closer != "" {
			return d.bracketed(rest, closer, complete)
		}
		if id, n, is = d.named(rest[1:], complete); is == maybe {
			return "", 0, maybe
		}
	}
	if is == no {
		return noneOf(rest, complete)
	}
	if m, more := d.idAt(rest[1+n:], complete); more == maybe {
		return "", 0, maybe
	} else if more == yes {
		id, n = rest[1+n+1:1+n+m], n+m
	}
	if id == "" {
		return rest[:1+n], 1 + n, yes
	}
	return mention(id), 1 + n, yes
}

// noneOf reads an "@" that mentions nobody known. One of everybody is one even inside a word.
func noneOf(rest string, complete bool) (string, int, verdict) {
	for _, all := range everybody {
		switch n, is := take(rest[1:], []rune(all)); {
		case is == yes:
			return "@" + quiet + rest[1:1+n], 1 + n, yes
		case is == maybe && !complete:
			return "", 0, maybe
		}
	}
	return "", 0, no
}

// bracketed reads "@{name}" and the like. A handle that is nobody's, or several people's, is shown as "@name".
func (d *dresser) bracketed(rest, closer string, complete bool) (string, int, verdict) {
	end := strings.Index(rest[:min(len(rest), longestName+3)], closer)
	switch {
	case end < 0 && len(rest) < longestName+3 && !complete:
		return "", 0, maybe
	case end < 0:
		return "", 0, no
	}
	inner := rest[2:end]
	if id, _, ok := d.whose(strings.TrimSpace(inner)); ok {
		return mention(id), end + 1, yes
	}
	if closer != "}" {
		return "", 0, no
	}
	if end+1 == len(rest) && !complete {
		return "", 0, maybe
	}
	plain := strings.TrimSpace(inner) != "" && !strings.ContainsFunc(inner, func(r rune) bool { return !inWord(r) && r != ' ' && r != '.' && r != '-' && r != '\'' })
	if !plain || all(inner) || end+1 < len(rest) && joins(rest[end+1:]) {
		return "", 0, no
	}
	return "@" + inner, end + 1, yes
}

// joins tells whether rest goes on with a word.
func joins(rest string) bool { return strings.IndexFunc(rest, inWord) == 0 }

// numbered reads "name|id".
func (d *dresser) numbered(rest string, complete bool) (string, int, verdict) {
	_, n, is := d.named(rest, complete)
	if is != yes {
		return "", 0, is
	}
	m, is := d.idAt(rest[n:], complete)
	if is != yes {
		return "", 0, is
	}
	return mention(rest[n+1 : n+m]), n + m, yes
}

// idAt reads "|" and the id of somebody known.
func (w *words) idAt(rest string, complete bool) (int, verdict) {
	if !strings.HasPrefix(rest, "|") {
		return 0, no
	}
	n := 1
	for n < len(rest) && n <= 21 && unicode.IsDigit(rune(rest[n])) {
		n++
	}
	switch {
	case n == len(rest) && n <= 21 && !complete:
		return 0, maybe
	case w.ids[rest[1:n]] > 0:
		return n, yes
	}
	return 0, no
}
