package speech_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tsumugi/shared/speech"
)

func TestCasual(t *testing.T) {
	for trap, c := range map[string][2]string{
		"C13":                       {"Hi there. Are you ok?", "hi there\nare you ok?"},
		"capitals":                  {"NASA said it to me. I SAID NO.", "NASA said it to me\nI SAID NO"},
		"single letters":            {"I think A dog. Plan B it is!", "I think A dog\nplan B it is!"},
		"expressions":               {"Lol and LOL, Btw.", "Lol and LOL Btw"},
		"dotted":                    {"The H.I.F. is it.", "the H.I.F. is it"},
		"mixed":                     {"GitHub and iPhone", "github and iphone"},
		"dots":                      {"Well... Maybe.. So…", "well... maybe.. so…"},
		"short forms":               {"Dr. Watson met Mrs. Hudson. He bowed.", "dr. watson met mrs. hudson\nhe bowed"},
		"numbers":                   {"It is 3.14 or 1,000. Right.", "it is 3.14 or 1,000\nright"},
		"semicolon":                 {"It rains; it pours. ;) Wink", "it rains it pours. ;) wink"},
		"label":                     {"Mira: Hello There\nAna Maria: No.\n**Note:** That", "Mira: hello there\nAna Maria: no\n**Note:** that"},
		"no label":                  {"Hello there: It is. Now what", "hello there: it is\nnow what"},
		"code":                      {"Use `Foo.Bar. Baz` Now.\n```go\nFunc A. B.\n```\nDone.", "use `Foo.Bar. Baz` now\n```go\nFunc A. B.\n```\ndone"},
		"addresses, links and tags": {"See https://X.org/A. [Go There](https://X.org/B) <@5> <:Wave:222222222222222222> :Wave: @Ana.", "see https://X.org/A. [Go There](https://X.org/B) <@5> <:Wave:222222222222222222> :Wave: @Ana"},
		"quotation":                 {"“Stop. Go Away.” He left.", "“stop. go away.” he left"},
		"action":                    {"*She waves. She smiles.* Hello.", "*she waves. she smiles.* hello"},
		"list":                      {"- Tea. Green.\n- Milk.\n1. One.", "- tea. green.\n- milk.\n1. one."},
		"emoji":                     {"Fine. 😊 Good.", "fine. 😊 good"},
		"Japanese":                  {"はい。そうです。「ね。」", "はい\nそうです。「ね。」"},
		"accents":                   {"ÉTÉ Été.", "ÉTÉ été"},
		"apostrophe":                {"I'm Here. It's Me.", "i'm here\nit's me"},
		"paragraphs":                {"One.\n\nTwo.", "one\n\ntwo"},
	} {
		t.Run(trap, func(t *testing.T) {
			got := speech.Casual(c[0], speech.Sentences, true)
			if got != c[1] {
				t.Errorf("%q: got %q, want %q", c[0], got, c[1])
			}
			for cut := range len(c[0]) + 1 {
				casualGrows(t, c[0], cut, speech.Sentences)
				casualGrows(t, c[0], cut, speech.Paragraphs)
			}
		})
	}
	if got := speech.Casual("Hi there. Are you ok? Yes.", speech.Paragraphs, true); got != "hi there. are you ok? yes" {
		t.Errorf("got %q", got)
	}
}

func TestCasualThinsCommas(t *testing.T) {
	text := strings.Repeat("Well, yes, but no, and if, so, then when, who knows, maybe. ", 8)
	all := speech.Casual(text, speech.Paragraphs, true)
	if n := strings.Count(all, ","); n < strings.Count(text, ",")*2/5 || n > strings.Count(text, ",")*4/5 {
		t.Errorf("%d of %d are left", n, strings.Count(text, ","))
	}
	if speech.Casual(text, speech.Paragraphs, true) != all {
		t.Error("not the same each time")
	}
}

func casualGrows(t interface{ Fatalf(string, ...any) }, text string, cut int, by speech.Grain) {
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	early, final := speech.Casual(text[:cut], by, false), speech.Casual(text, by, true)
	if !strings.HasPrefix(final, early) {
		t.Fatalf("%q: %q was shown, but it becomes %q", text[:cut], early, final)
	}
	if later := speech.Casual(text, by, false); !strings.HasPrefix(later, early) {
		t.Fatalf("%q: %q was shown, and later %q", text, early, later)
	}
}

// phrases are of what casual text is made.
var phrases = []string{"Hello", "NASA", "I", "Lol", " ", ", ", "; ", ". ", ".", "。", "...", "! ", "\n", "\n\n", "*", "**", "\"", "(", ")", "`", "```\n", "Mira: ", ":", "Dr. ", "e.g. ", "5", "<@5>", ":Wave:", "https://X.org", "[X](", "@", "- ", "1. ", "é", "霧", "'", "H.I.F.", "|", "> "}

func TestCasualIsStableUnderGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(phrases, rags...)), 0, 24).Draw(t, "phrases"), "")
		casualGrows(t, text, rapid.IntRange(0, len(text)).Draw(t, "cut"), rapid.SampledFrom([]speech.Grain{speech.Whole, speech.Sentences}).Draw(t, "grain"))
	})
}

func FuzzCasual(f *testing.F) {
	for _, p := range phrases {
		f.Add(p+"Hi"+p, len(p))
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		if len(text) <= 4000 {
			text = speech.Safe(text)
			casualGrows(t, text, min(max(cut, 0), len(text)), speech.Sentences)
		}
	})
}
