package model

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/llm"
)

// hearing is what the demo voice makes of a request.
type hearing struct {
	text    string   // the last user message, without markup
	words   []string // of text, in lower case
	name    string   // of the speaker, if known
	named   bool     // the speaker has just given it
	topic   string   // a word or two of what was said; never empty
	first   bool     // nobody has said anything before
	earlier string   // a topic of the speaker's message before
	stopped bool     // the prompt says that the speaker asked for silence
	prompt  string   // what the system messages say
	lore    string   // a paragraph of them about what was said that nobody has said yet, "" where there is none
	facts   []string // what the speaker has told of themselves, as whole sentences to them
}

// Mentions, channel links, custom emoji, addresses and formatting are no words.
var (
	markup  = regexp.MustCompile(`<[@#:][^>\s]*>|<a:[^>\s]*>|https?://\S+|@(everyone|here)\b|[*_~|` + "`" + `]+`)
	speaker = regexp.MustCompile(`^([\pL][\pL\pN_.\-]{0,31}):\s+`)
	naming  = regexp.MustCompile(`(?i)\b(?:my name is|call me|my name's|i am called)\s+([\pL][\pL'\-]{0,23})`)
)

// opening stands for a person's words where a persona's greeting comes first (package prompt).
const opening = "(The conversation begins.)"

func hear(r llm.Request) hearing {
	h := hearing{}
	asked := 0
	var said strings.Builder
	var all []told
	for _, m := range r.Messages {
		switch m.Role {
		case llm.System:
			h.prompt += m.Text + "\n\n"
			h.stopped = h.stopped || strings.Contains(m.Text, "to stop speaking")
		case llm.Assistant:
			said.WriteString(m.Text)
		case llm.User:
			said.WriteString(m.Text) // other personas' words too
			h.take(m)
			if m.Text != opening {
				asked++
			}
			all = append(all, sentences(m)...)
		}
	}
	h.lore = about(h.prompt, append(words(h.topic), h.words...), said.String())
	h.facts, h.first = factsOf(all), asked < 2
	if h.topic == "" {
		h.topic = "evening" // without an article: lines have theirs
	}
	return h
}

// take hears one message; the last one counts, the ones before leave a name and a topic.
func (h *hearing) take(m llm.Message) {
	h.earlier, h.topic, h.named = h.topic, "", false
	text := newest(plain(m.Text))
	if prefix := speaker.FindStringSubmatch(text); prefix != nil {
		text = text[len(prefix[0]):]
		h.name = prefix[1]
	}
	if m.Name != "" {
		h.name = tidy(m.Name)
	}
	if given := naming.FindStringSubmatch(text); given != nil {
		h.name, h.named = capital(given[1]), true
	}
	h.text, h.words = text, words(text)
	h.topic = topic(h.words)
}

func plain(text string) string { return strings.TrimSpace(markup.ReplaceAllString(text, " ")) }

// newest is the last of several people's lines in one message; each begins with a name, so a message whose first line has
// none is one person's.
func newest(text string) string {
	if !speaker.MatchString(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		if speaker.MatchString(lines[i]) {
			return strings.Join(lines[i:], "\n")
		}
	}
	return text
}

func tidy(name string) string {
	name = strings.Join(words(name), " ")
	return capital(name[:cut(name, 24)])
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r) && r != '\'' && r != '-'
	})
}

// topic is the one or two most telling words: the longest that is not a function word, and a neighbour of its kind.
func topic(all []string) string {
	best, length := -1, 2
	for i, w := range all {
		if n := utf8.RuneCountInString(w); n > length && !isDull(w) {
			best, length = i, n
		}
	}
	if best < 0 {
		return ""
	}
	found := all[best][:cut(all[best], 24)]
	if next := best + 1; next < len(all) && len(all[next]) > 2 && len(all[next]) < 24 && !isDull(all[next]) {
		found += " " + all[next]
	}
	return strings.Trim(found, "'-")
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// has tells whether one of the phrases stands in the text, at word boundaries.
func (h hearing) has(phrases ...string) bool {
	text := " " + strings.Join(h.words, " ") + " "
	for _, p := range phrases {
		if strings.Contains(text, " "+p+" ") {
			return true
		}
	}
	return false
}

// begins tells whether the text starts with one of the phrases.
func (h hearing) begins(phrases ...string) bool {
	text := strings.Join(h.words, " ") + " "
	for _, p := range phrases {
		if strings.HasPrefix(text, p+" ") {
			return true
		}
	}
	return false
}

func (h hearing) question() bool {
	return strings.HasSuffix(strings.TrimSpace(h.text), "?") || strings.HasSuffix(strings.TrimSpace(h.text), "？") ||
		h.begins("who", "what", "where", "when", "why", "how", "which", "do you", "are you", "can you", "is there", "have you", "would you")
}

// dull are words that say nothing about the topic, each between blanks.
const dull = " " +
	"the and but for not you your yours are was were have has had with from this that these those what who whom " +
	"where when why how which can could would should will shall may might must does did doing done its it's i'm " +
	"i've i'll you're don't didn't can't isn't let's about into over under than then there here they them their our " +
	"ours his her hers him she he's she's some any all every each just very really quite tell told say said says " +
	"please hello hey good morning evening afternoon night mira fenn quill called name names instead bit thanks thank like want know think get got give make " +
	"made see look one two much many more most also too yes no okay hmm well sure maybe something anything " +
	"everything someone anyone long story stories tale lol haha heh wow "

func isDull(word string) bool { return strings.Contains(dull, " "+word+" ") }
