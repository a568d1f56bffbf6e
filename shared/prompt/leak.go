package prompt

import (
	"regexp"
	"slices"
	"strings"
)

// leaked is what of a model's own format shows up in its words.
type leaked int

const (
	mark    leaked = iota // a token, or a tag around the words
	another               // a token with which somebody begins to speak
	system                // a note in brackets
)

// longestLeak is how long a token may be, in bytes.
const longestLeak = 48

var (
	formats  = regexp.MustCompile(`^<[|｜][A-Za-z_][A-Za-z0-9_▁ -]{0,39}[|｜]>`)
	notes    = regexp.MustCompile(`(?i)^\[ ?system( [a-z]{1,16})?:`)
	speakers = []string{"<|im_start|>", "<|start_header_id|>", "<|user|>", "<|system|>", "<|assistant|>", "<start_of_turn>", "<|start|>", "<｜User｜>", "<｜Assistant｜>"}
	// bare are tokens that look like tags, and tags that models put around what they say. Other tags are somebody's words.
	bare = []string{"<s>", "</s>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>", "<response>", "</response>", "<reply>", "</reply>", "<message>", "</message>", "<answer>", "</answer>",
		"<output>", "</output>", "<assistant>", "</assistant>", "<final>", "</final>", "<dialogue>", "</dialogue>"}
)

// leakAt reads what has leaked of a model's format at the start of s: a token such as <|im_end|> or </s>, a tag around all it
// says, or a note "[System: …]", which reaches to its bracket or the end of its line.
func leakAt(s string, whole bool) (l leaked, n int, found verdict) {
	if s[0] == '[' {
		return noteAt(s, whole)
	}
	if token := formats.FindString(s); token != "" {
		n = len(token)
	}
	for _, tag := range bare {
		if len(s) >= len(tag) && strings.EqualFold(s[:len(tag)], tag) {
			n = len(tag)
		} else if len(s) < len(tag) && strings.EqualFold(s, tag[:len(s)]) && !whole {
			return mark, 0, maybe
		}
	}
	switch {
	case n > 0 && slices.Contains(speakers, s[:n]):
		return another, n, yes
	case n > 0:
		return mark, n, yes
	case whole || len(s) >= longestLeak:
		return mark, 0, no
	case s == "<" || partly(s):
		return mark, 0, maybe
	}
	return mark, 0, no
}

// partly tells whether s is the beginning of a token.
func partly(s string) bool {
	s, _ = strings.CutPrefix(s, "<")
	for _, bar := range []string{"|", "｜"} {
		if strings.HasPrefix(bar, s) {
			return true
		}
		if name, is := strings.CutPrefix(s, bar); is {
			name = strings.TrimRight(name, "|｜")
			return strings.Trim(name, tokenLetters) == "" && (name == "" || leadingLetters(name) > 0 || name[0] == '_')
		}
	}
	return false
}

const tokenLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_▁ -"

// noteAt reads a note in brackets, with brackets inside.
func noteAt(s string, whole bool) (leaked, int, verdict) {
	if near, _, ended := strings.Cut(s[:min(len(s), longestLeak)], "\n"); !notes.MatchString(near) {
		if !ended && !whole && len(near) < longestLeak && noteBegins(near) {
			return system, 0, maybe
		}
		return system, 0, no
	}
	line, _, ended := strings.Cut(s, "\n")
	deep := 0
	for i := range len(line) {
		switch line[i] {
		case '[':
			deep++
		case ']':
			if deep--; deep == 0 {
				return system, i + 1, yes
			}
		}
	}
	if !ended && !whole {
		return system, 0, maybe
	}
	return system, len(line), yes
}

// noteBegins tells whether a line may become a note.
func noteBegins(line string) bool {
	s := strings.TrimPrefix(strings.ToLower(line[1:]), " ")
	rest, is := strings.CutPrefix(s, "system")
	if !is {
		return strings.HasPrefix("system", s)
	}
	return rest == "" || rest[0] == ' ' && len(rest) <= 17 && leadingLetters(rest[1:]) == len(rest)-1
}
