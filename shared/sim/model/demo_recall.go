package model

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tsumugi/shared/llm"
)

// told is one sentence and who said it; the speaker is empty where only one person speaks.
type told struct{ speaker, sentence string }

// sentences takes a message of one or several people apart.
func sentences(m llm.Message) []told {
	var all []told
	who := tidy(m.Name)
	for line := range strings.Lines(plain(m.Text)) {
		if prefix := speaker.FindStringSubmatch(line); prefix != nil && m.Name == "" {
			who, line = tidy(prefix[1]), line[len(prefix[0]):]
		}
		for _, s := range ends.Split(joined.ReplaceAllString(line, ". $1"), -1) {
			all = append(all, told{who, strings.TrimSpace(s)})
		}
	}
	return all
}

// A sentence ends behind its mark, so that a question keeps its own.
var (
	ends = regexp.MustCompile(`[.!;。！]+`)
	// "I like rain and my cat is old" is two things.
	joined = regexp.MustCompile(`(?i),? and (i|i'm|i've|my)\b`)
	forget = regexp.MustCompile(`(?i)^(?:please )?forget (?:about |that )?(.+)$`)
	fact   = regexp.MustCompile(`(?i)^(?:and |but |well,? |also,? )?((?:i am|i'm|i was|i like|i love|i hate|i have|i've got|i live|i work|i play|i keep|i collect|i prefer|i come) .+|my [\pL'-]+ [\pL'-]+ ?.+)$`)
)

const (
	factsKept  = 8
	factLength = 80 // characters
)

// factsOf is what the last speaker has told of themselves, the newest factsKept, said to them: "I like rain" becomes "You
// like rain."
func factsOf(all []told) []string {
	if len(all) == 0 {
		return nil
	}
	who := all[len(all)-1].speaker
	var facts []string
	for _, t := range all {
		if gone := forget.FindStringSubmatch(t.sentence); gone != nil && t.speaker == who {
			facts = slices.DeleteFunc(facts, func(f string) bool { return shares(f, gone[1]) })
			continue
		}
		found := fact.FindStringSubmatch(t.sentence)
		if t.speaker != who || found == nil || strings.ContainsAny(t.sentence, "?？") {
			continue
		}
		said := toThem(found[1])
		facts = append(slices.DeleteFunc(facts, func(f string) bool { return strings.EqualFold(f, said) }), said)
	}
	return facts[max(0, len(facts)-factsKept):]
}

// shares tells whether a fact is about something that a text names.
func shares(fact, text string) bool {
	named := hearing{words: words(fact)}
	return slices.ContainsFunc(words(text), func(w string) bool { return len([]rune(w)) > 2 && !isDull(w) && named.has(w) })
}

// asked is a question about something of the speaker's own.
var asked = regexp.MustCompile(`(?i)\b(?:my|do i|am i|did i|i)\b(.*)[?？]`)

// factsAbout are the facts that a question asks for.
func factsAbout(facts []string, question string) (own bool, found []string) {
	about := asked.FindStringSubmatch(question)
	if about == nil {
		return false, nil
	}
	telling := slices.ContainsFunc(words(about[1]), func(w string) bool { return len([]rune(w)) > 2 && !isDull(w) })
	for _, f := range facts {
		if !telling || shares(f, about[1]) {
			found = append(found, f)
		}
	}
	return true, found
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

// about finds the paragraph of a prompt that tells of something said, the topic before all, and that nobody has said yet. One
// that names the persona is about the persona, not about its world, and is not for saying aloud.
func about(prompt string, said []string, already string) string {
	for _, w := range said {
		if p := paragraph(prompt, w, already); len([]rune(w)) > 2 && !isDull(w) && p != "" {
			return p
		}
	}
	return ""
}

func paragraph(prompt, word, already string) string {
	who := player(prompt).name
	for p := range strings.SplitSeq(prompt, "\n\n") {
		if strings.Contains(p, who) || len(p) > 500 || strings.Contains(already, strings.TrimSpace(p)) {
			continue
		}
		known := hearing{words: words(p)}
		if known.has(word, strings.TrimSuffix(word, "s"), word+"s") {
			return strings.TrimSpace(p)
		}
	}
	return ""
}
