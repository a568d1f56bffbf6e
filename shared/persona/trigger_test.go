package persona_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tsumugi/shared/persona"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		trap, trigger, text string
		want                int // byte index, -1 for no match
	}{
		{"plain", "tomo", "hello tomo", 6},
		{"screaming", "tomo", "TOMOOOO", 0},
		{"each letter repeats", "tomo", "ttttoooommmo!", 0},
		{"punctuation ends a word", "tomo", "tomo!", 0},
		{"apostrophe ends a word", "tomo", "tomo's", 0},
		{"inside a longer word", "tomo", "tomorrow", -1},
		{"end of a longer word", "tomo", "atomo", -1},
		{"digit goes on", "tomo", "tomo2", -1},
		{"underscore goes on", "tomo", "tomo_x", -1},
		{"second place matches", "tomo", "tomorrow tomo", 9},
		{"too few of a double letter", "anna", "ana", -1},
		{"more of a double letter", "anna", "annnna", 0},
		{"blank trigger", " \t", "anything", -1},
		{"empty trigger", "", "anything", -1},
		{"metacharacters are literal", "m.ra", "mira", -1},
		{"metacharacters match themselves", "m.ra (old)", "the m.ra (old) one", 4},
		{"star", ".*", "anything", -1},
		{"bracket", "[", "a [ b", 2},
		{"trigger that starts with punctuation", "!mira", "hey!mira", 3},
		{"exclamation marks do not repeat", "hi!", "hi!!", 0},
		{"blanks in a trigger", "lady mira", "Lady \n Mira?", 0},
		{"trigger is trimmed", "  mira ", "mira", 0},
		{"X05 ASCII word in CJK text", "tomo", "北京tomo京", 6},
		{"Latin name with honorific", "tomo", "tomoさん、元気?", 0},
		{"drawn out by a Japanese mark", "tomo", "tomoー", 0},
		{"X05 caf is not café", "caf", "café", -1},
		{"X05 caf is not decomposed café", "caf", "cafe\u0301", -1},
		{"café itself, capitals", "café", "CAFÉ!", 0},
		{"accented letters do not repeat", "café", "caféé", -1},
		{"X06 index after dotted capital I", "mira", "İİ mira", 5},
		{"Kelvin sign folds", "kim", "\u212Aim", 0},
		{"Cyrillic word", "мира", "привет, МИРА", 14},
		{"Cyrillic inside a word", "мир", "мира", -1},
		{"kana is a substring", "ミラ", "あのミラさん", 6},
		{"kanji is a substring", "灯子", "我愛灯子啊", 6},
		{"mixed with kana keeps case", "Mira様", "mira様", -1},
		{"Thai is a substring", "มิรา", "สวัสดีมิราครับ", 18},
		{"Korean particle", "미라", "미라야 안녕", 0},
		{"Korean inside a word", "미라", "거미라고", -1},
		{"Latin before Korean particle", "mira", "mira는", 0},
		{"mention", "<@42>", "hi <@42>", 3},
		{"mention of the older form", "<@42>", "hi <@!42>", 3},
		{"mention of another", "<@42>", "hi <@421>", -1},
		{"invalid UTF-8 in the text", "mira", "\xff\xfe mira", 3},
		{"empty text", "mira", "", -1},
	} {
		t.Run(c.trap, func(t *testing.T) {
			at, ok := persona.Persona{Triggers: []string{c.trigger}}.Matches(c.text)
			if at != c.want || ok != (c.want >= 0) {
				t.Errorf("%q in %q: got %d %v, want %d", c.trigger, c.text, at, ok, c.want)
			}
		})
	}
}

func TestMatchesGivesTheEarliest(t *testing.T) {
	p := persona.Persona{Triggers: []string{"lamplighter", "", "mira"}}
	if at, ok := p.Matches("oh mira, my lamplighter"); at != 3 || !ok {
		t.Errorf("got %d %v", at, ok)
	}
}

func TestOrder(t *testing.T) {
	cast := []persona.Persona{
		{ID: "a", Triggers: []string{"ana"}}, {ID: "b", Triggers: []string{"bo", "all"}},
		{ID: "c", Triggers: []string{"all"}}, {ID: "d", Triggers: []string{"dan"}},
	}
	for text, want := range map[string]string{"hey all, and ana": "bca", "ana bo": "ab", "bo ana": "ba", "nobody": ""} {
		got := ""
		for _, p := range persona.Order(cast, text) {
			got += p.ID
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The text that makes a backtracking matcher hang is counted here in work rather than in time: a test that hangs fails by
// the test binary's own limit.
func TestHostileTextStaysLinear(t *testing.T) {
	var p persona.Persona
	for range persona.MaxTriggers {
		p.Triggers = append(p.Triggers, strings.Repeat("ab", 48)+"!c", strings.Repeat("a", 99)+"b")
	}
	for _, text := range []string{strings.Repeat("a", 4000), strings.Repeat("ab", 2000), strings.Repeat("a b ", 1000)} {
		if at, ok := p.Matches(text); ok {
			t.Errorf("matched at %d", at)
		}
	}
}

func TestScreamingNeverLosesAMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "word")
		var scream strings.Builder
		for _, r := range word {
			scream.WriteString(strings.Repeat(string(r), rapid.IntRange(1, 5).Draw(t, "times")))
		}
		before := rapid.SampledFrom([]string{"", "1 ", "(", "さ"}).Draw(t, "before")
		text := before + strings.ToUpper(scream.String()) + rapid.SampledFrom([]string{"", "!", " x", "さん"}).Draw(t, "after")
		if at, ok := (persona.Persona{Triggers: []string{word}}).Matches(text); !ok || at != len(before) {
			t.Fatalf("%q in %q: %d %v", word, text, at, ok)
		}
	})
}
