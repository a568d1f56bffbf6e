package model

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tsumugi/shared/llm"
)

// telling is one sentence and who said it; the speaker is empty where only one person speaks.
type telling struct{ speaker, sentence string }

// tellings takes a message of one or several people apart.
func tellings(m llm.Message) []telling {
	var all []telling
	who := tidy(m.Name)
	for line := range strings.Lines(plain(m.Text)) {
		if prefix := speaker.FindStringSubmatch(line); prefix != nil && m.Name == "" {
			who, line = tidy(prefix[1]), line[len(prefix[0]):]
		}
		for _, s := range ends.Split(line, -1) {
			all = append(all, telling{who, strings.TrimSpace(s)})
		}
	}
	return all
}

// A sentence ends behind its mark, so that a question keeps its own.
var (
	ends = regexp.MustCompile(`[.!;。！]+`)
	fact = regexp.MustCompile(`(?i)^(?:and |but |well,? |also,? )?((?:i am|i'm|i was|i like|i love|i hate|i have|i've got|i live|i work|i play|i keep|i collect|i prefer|i come) .+|my [\pL'-]+(?: [\pL'-]+){0,2} (?:is|are|was) .+)$`)
)

const (
	factsKept  = 4
	factLength = 80 // characters
)

// factsOf is what the last speaker has told of themselves, the newest factsKept, said to them: "I like rain" becomes "You
// like rain."
func factsOf(all []telling) []string {
	if len(all) == 0 {
		return nil
	}
	who := all[len(all)-1].speaker
	var facts []string
	for _, t := range all {
		found := fact.FindStringSubmatch(t.sentence)
		if t.speaker != who || found == nil || strings.ContainsAny(t.sentence, "?？") {
			continue
		}
		said := toThem(found[1])
		facts = append(slices.DeleteFunc(facts, func(f string) bool { return strings.EqualFold(f, said) }), said)
	}
	return facts[max(0, len(facts)-factsKept):]
}

// them turns a speaker's words round.
var them = map[string]string{
	"i": "you", "i'm": "you are", "i've": "you have", "i'd": "you would", "am": "are", "my": "your", "mine": "yours", "me": "you", "myself": "yourself",
}

// toThem says a sentence to the one who said it. Only words are left of it.
func toThem(sentence string) string {
	all := strings.FieldsFunc(sentence, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r) && r != '\'' && r != '-'
	})
	for i, w := range all {
		if turned, ok := them[strings.ToLower(w)]; ok {
			all[i] = turned
		}
		if i > 0 && all[i-1] == "you" && strings.EqualFold(w, "was") {
			all[i] = "were"
		}
	}
	text := strings.Join(all, " ")
	return capital(strings.TrimSpace(text[:cut(text, factLength)])) + "."
}

// about finds the paragraph of a prompt that tells of something said, the topic before all. One that names the persona is
// about the persona, not about its world, and is not for saying aloud.
func about(prompt string, said []string) string {
	for _, w := range said {
		if p := paragraph(prompt, w); len([]rune(w)) > 2 && !isDull(w) && p != "" {
			return p
		}
	}
	return ""
}

func paragraph(prompt, word string) string {
	who := player(prompt).name
	for p := range strings.SplitSeq(prompt, "\n\n") {
		if strings.Contains(p, who) || len(p) > 500 {
			continue
		}
		known := hearing{words: words(p)}
		if known.has(word, strings.TrimSuffix(word, "s"), word+"s") {
			return strings.TrimSpace(p)
		}
	}
	return ""
}
