package speech_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/speech"
)

// divided is a text with | where it is to be divided.
func divided(text string) (source string, parts []string) {
	for _, p := range strings.Split(text, "¦") {
		parts = append(parts, strings.TrimSpace(p))
	}
	return strings.ReplaceAll(text, "¦", ""), parts
}

func TestDivideByParagraph(t *testing.T) {
	for name, text := range map[string]string{
		"one":                       "Hello there. How are you?",
		"two":                       "Hello.\n\n¦How are you?",
		"many blank lines":          "Hello.\n \n\n\t\n¦How are you?\n\n",
		"line breaks":               "Roses are red,\nviolets are blue.\n\n¦The end.",
		"heading":                   "# Tea\n\nBoil water.\n\n¦## Coffee\nNo.\n\n¦Done.",
		"lead-in":                   "Here it is:\n\n```go\nfunc main() {\n\n}\n```\n\n¦Done.",
		"lead-in in bold":           "**Note:**\n\nIt rains.\n\n¦Yes.",
		"lead-in in Japanese":       "材料：\n\n- 水\n- 茶\n\n¦以上です。",
		"code with blank lines":     "Look.\n\n¦```\na\n\nb\n\n- c\n```\n\n¦Done.",
		"code that does not end":    "Look.\n\n¦```\na\n\nb\n\nc",
		"code in a quotation":       "Look.\n\n¦> ```\n> a\n> ```\n\n¦Done.",
		"list":                      "- a\n- b\n\n¦Done.",
		"list with blank lines":     "1. a\n\n2. b\n\n   more of b\n\n10) c\n\n¦Done.",
		"list with code":            "1. a\n   ```\n   x\n\n   y\n   ```\n\n2. b\n\n¦Done.",
		"table":                     "| a | b |\n|---|---|\n| 1 | 2 |\n\n¦Done.",
		"rule":                      "One.\n\n¦---\n\nTwo.",
		"rule at the begin":         "---\n\nOne.\n\n¦Two.",
		"rule at the end":           "One.\n\n¦Two.\n\n***",
		"small print":               "One.\n\n¦Two.\n\n-# A note.",
		"spoiler":                   "It is ||the\n\nbutler|| after all.\n\n¦Oh.",
		"quotation of all the rest": "He said:\n>>> One.\n\nTwo.\n\nThree.",
		"quotation":                 "> One.\n> Two.\n\n¦I agree.",
		"emoji":                     "One.\n\n¦🎉\n\n¦Two.",
		"number":                    "One.\n\n¦42\n\n¦Two.",
		"number after a list":       "- a\n\n¦42 is it.",
	} {
		source, want := divided(text)
		if got := speech.Divide("", source, speech.Paragraphs, 1950); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDivideBySentence(t *testing.T) {
	for name, text := range map[string]string{
		"one":                     "Hello there",
		"two":                     "Hello there. ¦How are you?",
		"lower case":              "hi there. ¦how are you? ¦fine!",
		"several stops":           "What?! ¦No!! ¦Yes.",
		"paragraphs":              "One. ¦Two.\n\n¦Three.",
		"lines":                   "One\n¦two.\n¦Three, \nfour",
		"titles":                  "Dr. Watson met Mrs. Hudson. ¦He bowed.",
		"initials":                "J. R. R. Tolkien wrote it. ¦I know.",
		"I":                       "So do I. ¦Then we agree.",
		"shortened":               "Take fruit, e.g. apples, i.e. Cox etc. and so on. ¦Then eat at 5 p.m. today.",
		"etc. at the end":         "Apples, pears, etc. ¦Then more.",
		"number":                  "See No. 5 and vol. 12 of it. ¦No. ¦Yes.",
		"decimals":                "It is 3.14 or 2.5. ¦Right?",
		"ordinal":                 "Wir treffen uns am 3. Mai. ¦Gut.",
		"year":                    "It was 1999. ¦Then it ended.",
		"ellipsis":                "Well... maybe. ¦Hmm… ¦What was it? ¦So... ¦Yes.",
		"address":                 "See https://example.org/a.b?c=d! ¦It works.",
		"file":                    "Open main.go now. ¦Then run it.",
		"quotation":               "“Stop. Go away!” he said. ¦She left.",
		"straight quotation":      "\"Stop. Go!\" he said. ¦\"No.\" ¦She left.",
		"quotation at the end":    "He said \"no.\" ¦She left.",
		"brackets":                "It rains (it always does. Always.) here. ¦Yes.",
		"a face that opens":       "It rains. :( ¦I am sad :( today. ¦Yes.",
		"face":                    "Hi! :) ¦How are you? ¦Fine! :D ¦Good.",
		"emoji":                   "Hi! 😊👋🏽 ¦How are you? ❤️ ¦Good.",
		"emoji of a server":       "Hi! <:wave:123> <a:dance:45> ¦How are you?",
		"action":                  "*She waves. She smiles.* ¦Hello!",
		"action before a word":    "*She waves* Hello. ¦**Yes. No.** ¦Fine.",
		"emphasis without end":    "5 * 3 is more. ¦snake_case_name is one. ¦Yes.",
		"code span":               "Use `a. B` here. ¦Then `c`.",
		"code block":              "Look:\n```\na. B.\n\nc\n```\n¦Done.",
		"code block alone":        "Look. ¦Here.\n¦```go\na. B.\n```\n¦Done.",
		"list":                    "Buy this.\n¦- Tea. Green.\n- Milk.\n¦Then go. ¦Go.",
		"heading":                 "# A. B.\nIt is. ¦So.",
		"table":                   "Look.\n¦| A. B | c |\n|---|---|\n| D. E | f |\n¦Done. ¦Yes.",
		"table without borders":   "Look.\n¦A | b\n--- | ---\nD | e. F\n¦Done.\n",
		"quoted lines":            "> One. Two.\n> Three.\n¦I agree. ¦Yes.",
		"spoiler":                 "It is ||the butler. Really.|| ¦Oh.",
		"small print":             "One. ¦Two.\n-# A note. And more.",
		"Japanese":                "こんにちは。¦元気ですか？¦はい！！¦よかった。",
		"Japanese quotation":      "「はい。行きます。」と言った。¦「いいえ。」¦「そう。」彼は黙った。",
		"Japanese brackets":       "雨です（いつもです。）¦「ね。」",
		"Japanese stops":          "えっ！？¦ほんと……だね。😊¦うん。♪¦そう。",
		"Japanese and blanks":     "そうです。 ¦次は？　¦はい。",
		"Chinese":                 "你好！¦你叫什么名字？¦我叫小明。",
		"Korean":                  "안녕하세요. ¦반가워요! ¦네.",
		"Hindi":                   "नमस्ते। ¦आप कैसे हैं? ¦ठीक।",
		"rule":                    "One.\n¦---\nTwo.",
		"dash":                    "Yes. — ¦No.",
		"marks only":              "...",
		"escaped":                 "5 \\* x_. ¦Next.",
		"all the rest is quoted":  ">>> One. Two.\n\nThree. Four.",
		"stop within a word":      "Visit example.com today.Now. ¦Go.",
		"quotation without begin": "He left.” ¦She stayed.",
	} {
		source, want := divided(text)
		if got := speech.Divide("", source, speech.Sentences, 1950); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDivideAtNothing(t *testing.T) {
	for _, text := range []string{"", " \n ", "One.\n\nTwo. Three."} {
		if got, want := speech.Divide("", text, speech.Whole, 1950), speech.Split(text, 1950); !slices.Equal(got, want) && len(got)+len(want) > 0 && strings.TrimSpace(text) != "" {
			t.Errorf("%q is %q", text, got)
		}
	}
}

func TestDivideKeepsTheHeadWithTheFirstWords(t *testing.T) {
	for _, by := range []speech.Grain{speech.Whole, speech.Paragraphs, speech.Sentences} {
		got := speech.Divide("**Teo**\n", "Ahoy.\n\nBye.", by, 1950)
		want := []string{"**Teo**\nAhoy.", "Bye."}
		if by == speech.Whole {
			want = []string{"**Teo**\nAhoy.\n\nBye."}
		}
		if !slices.Equal(got, want) {
			t.Errorf("grain %d: %q", by, got)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
		all  bool
	}{
		{"One. Two. Three.", 3, "One. Two. Three.", true},
		{"One. Two. Three.", 2, "One. Two.", false},
		{"One. Two. Three.", 1, "One.", false},
		{"One. Two. Three.", 0, "", false},
		{"One.\n\n```go\na\n```\n\nThree.", 2, "One.\n\n```go\na\n```", false},
	} {
		if got, all := speech.Fit("**Teo**\n", c.text, speech.Sentences, 1950, c.most); got != c.want || all != c.all {
			t.Errorf("%d of %q: %q, %t", c.most, c.text, got, all)
		}
	}
	code := "```go\n" + strings.Repeat("x := 1\n", 400) + "```"
	got, all := speech.Fit("", code, speech.Whole, 1950, 1)
	if all || !slices.Equal(speech.Divide("", got, speech.Whole, 1950), speech.Divide("", code, speech.Whole, 1950)[:1]) {
		t.Errorf("%t, %q", all, got)
	}
}

func TestFitShowsTheFirstParts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range texts() {
		text := jumble(r, 1+r.IntN(20), 1+r.IntN(6))
		for _, by := range []speech.Grain{speech.Whole, speech.Paragraphs, speech.Sentences} {
			cutShort(t, text, by, 1950)
		}
	}
}

// cutShort demands of what fits into some messages that it is shown as these.
func cutShort(t *testing.T, text string, by speech.Grain, limit int) {
	t.Helper()
	parts := speech.Divide("", text, by, limit)
	for most := 1; most <= len(parts); most++ {
		got, all := speech.Fit("", text, by, limit, most)
		shown := speech.Divide("", got, by, limit)
		same := slices.Equal(shown, parts[:most]) || len(shown) < most && solid(strings.Join(shown, "")) == solid(strings.Join(parts[:most], ""))
		if all != (most == len(parts)) || !same {
			t.Fatalf("grain %d: of %q fits %q into %d messages, which are %q, not %q", by, text, got, most, shown, parts[:most])
		}
	}
}

// pieces are what texts of the property are made of: everything that Divide looks at.
var pieces = []string{"Hello", "hi", "I", "Mr", "e.g", "3", "14", "No", "etc", ".", ".", "!", "?", "…", "...", "。", "！", "？", "」", "「", "（", "）", "“", "”", "\"", "'", "(", ")",
	"*", "**", "***", "_", "~~", "||", "|", "`", "```", "```go", "```\n", "\n```\n", "\n", "\n", "\n\n", "\n\n", " ", " ", " ", "  ", "- ", "-", "-# ", "# ", "1. ", "2) ", "> ", ">>> ", ":", "：", ",",
	"、", "😊", "👋🏽", "❤️", "<:a:1>", ":)", ":D", "霧", "です", "e\u0301", "\u0301", "\u200d", "\ufe0f", "\u00a0", "\u3000", "---", "***\n", "\\", "\t", "\u2800", "A", "b", "https://a.b/c.", "।"}

// sayings make texts that are divided often.
var sayings = []string{"Hi. ", "Yes! ", "No?\n", "It rains.\n\n", "*She waves.* ", "“Go. Now!” ", "はい。", "- Tea.\n", "1. Milk.\n\n", "# Head\n", "| a | b. C |\n", "a | b\n", "```\nx. Y\n\n```\n", "||It. Is.|| ",
	"-# note. Two.\n", "> Said. So.\n", "Look:\n\n", "12\n"}

// jumble is a text of n pieces, of which one in some is drawn from all.
func jumble(r *rand.Rand, n, some int) string {
	var b strings.Builder
	for range n {
		if r.IntN(some) == 0 {
			b.WriteString(pieces[r.IntN(len(pieces))])
		} else {
			b.WriteString(sayings[r.IntN(len(sayings))])
		}
	}
	return b.String()
}

// texts is how many the property is tried on; STORIES_FULL=1 takes more.
func texts() int {
	if os.Getenv("STORIES_FULL") != "" {
		return 10_000
	}
	return 150
}

func TestDivideHoldsForTextsThatGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	counts := map[int]int{}
	for range texts() {
		text := jumble(r, 1+r.IntN(20), 1+r.IntN(6))
		for _, by := range []speech.Grain{speech.Whole, speech.Paragraphs, speech.Sentences} {
			counts[len(speech.Divide("", text, by, 1950))]++
			grows(t, text, by, 1950)
			grows(t, text, by, 24)
		}
	}
	if counts[2] < 40 || counts[4] < 10 || counts[10] < 1 {
		t.Errorf("the texts are divided too seldom: %v", counts)
	}
}

// grows demands what Divide promises of a text and of all that it begins with.
func grows(t *testing.T, text string, by speech.Grain, limit int) {
	t.Helper()
	var stay []string
	for end := range text + " " {
		if end > len(text) {
			break
		}
		parts := speech.Divide("", text[:end], by, limit)
		fits(t, parts, limit)
		if len(parts) < len(stay) || !slices.Equal(parts[:len(stay)], stay) {
			t.Fatalf("grain %d, limit %d: of %q the parts %q, which others followed, become %q", by, limit, text[:end], stay, parts)
		}
		stay = parts[:max(0, len(parts)-1)]
	}
	if limit < 1000 { // to which markup is added
		return
	}
	if got, want := solid(strings.Join(speech.Divide("", text, by, limit), "")), solid(text); got != want && !speech.Blank(text) {
		t.Fatalf("grain %d: %q becomes %q", by, want, got)
	}
}

// solid is text without what cannot be seen.
func solid(text string) string {
	return strings.Map(func(r rune) rune {
		if speech.Blank(string(r)) {
			return -1
		}
		return r
	}, text)
}

func FuzzDivide(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 2))
	for range 50 {
		f.Add(jumble(r, 20, 2))
	}
	f.Add("It is ||the butler|| after all. | a | b |")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 120 {
			text = text[:120]
		}
		text = speech.Safe(text)
		for _, by := range []speech.Grain{speech.Paragraphs, speech.Sentences} {
			grows(t, text, by, 1950)
			grows(t, text, by, 24)
			cutShort(t, text, by, 1950)
		}
	})
}

func BenchmarkDivide(b *testing.B) {
	text := strings.Repeat(lorem(400)+" *She waves.* “No. Yes,” he said.\n\n", 40)
	for b.Loop() {
		speech.Divide("", text, speech.Sentences, 1950)
	}
}
