package persona

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestStop is how many characters a stop request may have, mentions apart. Longer texts say something else as well.
const longestStop = 40

// The words of stop requests. English entries match as words whose letters may be drawn out, Japanese ones as they are.
var (
	stopWords = []string{
		"wait", "stop", "enough", "chill", "halt", "pause", "quit",
		"that's enough", "thats enough", "that's good", "thats good", "that's fine", "thats fine",
		"nevermind", "never mind", "cut it out", "tone it down", "knock it off",
		"stop it", "stop that", "stop this", "stop talking", "wait a second", "wait a minute", "wait a moment", "hold on",
		"やめて", "やめろ", "止めて", "止まって", "ストップ", "もういい", "十分", "もう十分", "いいよ", "もうやめて",
		"待って", "ちょっと待って",
	}
	stopLeads = []string{
		"ok", "okay", "alright", "please", "pls", "plz", "hey", "oh", "no", "now", "just", "and", "so", "yeah",
		"ねえ", "ねぇ", "ね", "もう", "ちょっと", "まあ", "お願い", "あの", "はい", "さん", "ちゃん", "くん", "君", "様",
	}
	stopTails = []string{
		"please", "pls", "plz", "now", "ok", "okay", "already", "thanks", "thank you", "for now", "right now", "there", "here",
		"ください", "下さい", "よ", "ね", "な", "お願い", "お願いします", "くれ", "ってば", "です", "だよ", "もう", "から",
		"さん", "ちゃん", "くん", "君", "様", "っ", "ありがとう",
	}
)

// StopRequest tells whether text as a whole asks the speaker to stop: a stop phrase, before it at most a mention, one of
// names or a word like "please", after it at most a few such words. A text that only contains the word ("the bus stop"),
// denies it ("don't stop"), asks something or goes on to say more is none. names are those of the personas that may be
// addressed; without them "mira stop" is no request, for the words before "stop" decide what it means.
func StopRequest(text string, names ...string) bool {
	words, ok := plain(text)
	if !ok || len(words) == 0 || len(words) > longestStop {
		return false
	}
	var called []pattern
	for _, n := range names {
		if runes, ok := plain(n); ok && len(runes) > 0 {
			called = append(called, compile(string(runes)))
		}
	}
	phrases := compileAll(stopWords)
	leads := append(compileAll(stopLeads), called...)
	tails := append(append(compileAll(stopTails), called...), phrases...)

	// before[i] and after[i] tell that the text up to i reads as a request whose phrase is yet to come, or is over. The
	// text is short, so trying every entry at every place costs little and needs no rule of which entry goes first.
	before, after := make([]bool, len(words)+1), make([]bool, len(words)+1)
	before[0] = true
	step := func(i int, entries []pattern, reached []bool) {
		for _, p := range entries {
			if end := p.at(words, i); end > i && opens(words, i) && closes(words, end) {
				reached[end] = true
			}
		}
	}
	for i := range words {
		if words[i] == ' ' {
			before[i+1] = before[i+1] || before[i]
			after[i+1] = after[i+1] || after[i]
			continue
		}
		if before[i] {
			step(i, leads, before)
			step(i, phrases, after)
		}
		if after[i] {
			step(i, tails, after)
		}
	}
	return after[len(words)]
}

func compileAll(words []string) []pattern {
	all := make([]pattern, len(words))
	for i, w := range words {
		all[i] = compile(w)
	}
	return all
}

// plain is text as folded words with single blanks between them: mentions, emoji, punctuation and drawn-out marks are
// gone. It is not ok for a question, a quotation or code, none of which asks anybody to stop.
func plain(text string) ([]rune, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 4096 || strings.HasPrefix(text, ">") || strings.ContainsAny(text, "?？`") {
		return nil, false
	}
	var words []rune
	gap := func() {
		if n := len(words); n > 0 && words[n-1] != ' ' {
			words = append(words, ' ')
		}
	}
	for i := 0; i < len(text); {
		if n := tag(text[i:]); n > 0 {
			gap()
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case r == '\'' || r == '’' || r == '‘':
			words = append(words, '\'')
		case r == 'ー' || r == '〜' || r == '～' || r == 'ｰ' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			// drawn-out sounds and joiners carry no meaning here
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			words = append(words, fold(r))
		default:
			gap()
		}
	}
	if n := len(words); n > 0 && words[n-1] == ' ' {
		words = words[:n-1]
	}
	return words, true
}

// tag is the length of a mention or custom emoji at the start of s, or 0.
func tag(s string) int {
	if !strings.HasPrefix(s, "<@") && !strings.HasPrefix(s, "<:") && !strings.HasPrefix(s, "<a:") {
		return 0
	}
	end := strings.IndexByte(s, '>')
	if end < 0 || end > 80 || strings.ContainsAny(s[:end], " \n") {
		return 0
	}
	return end + 1
}
