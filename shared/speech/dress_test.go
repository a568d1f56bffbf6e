package speech_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tsumugi/shared/speech"
)

// quay is a place with people whose names are traps.
var quay = speech.Lexicon{
	People: []speech.Person{
		{Name: "Ana", ID: "101"}, {Name: "Al", ID: "102"}, {Name: "Al Bundy", ID: "103"}, {Name: "Mei", ID: "104"}, {Name: "mei", ID: "105"},
		{Name: "R.*s (x)", ID: "106"}, {Name: "everyone", ID: "107"}, {Name: "here", ID: "108"}, {Name: "花子", ID: "109"}, {Name: "ミラ", ID: "110"},
		{Name: "bad", ID: "no id"}, {Name: " ", ID: "111"}, {Name: "Teo", ID: "112"}, {Name: "Theo", ID: "112"}, {Name: "123456789012345678", ID: "113"},
	},
	Emoji:  map[string]string{"wave": "<:wave:222222222222222222>", "dance": "<a:dance:333333333333333333>", "old": "<:old:444444444444444444>", "30": "<:30:555555555555555555>"},
	Recent: []string{"old"},
}

// bare is the same without knowing the emoji.
var bare = speech.Lexicon{People: quay.People, Recent: []string{"old"}}

const wave, dance = "<:wave:222222222222222222>", "<a:dance:333333333333333333>"

// dressed compares what is shown for texts, with whatever has come so far.
func dressed(t *testing.T, l speech.Lexicon, cases map[string][2]string) {
	t.Helper()
	for trap, c := range cases {
		t.Run(trap, func(t *testing.T) {
			got := speech.Dress(c[0], l, true)
			if got != c[1] {
				t.Errorf("%q: got %q, want %q", c[0], got, c[1])
			}
			for cut := range len(c[0]) + 1 {
				dressGrows(t, c[0], cut, l)
			}
		})
	}
}

func dressGrows(t interface{ Fatalf(string, ...any) }, text string, cut int, l speech.Lexicon) {
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	early, final := speech.Dress(text[:cut], l, false), speech.Dress(text, l, true)
	if !strings.HasPrefix(final, strings.TrimRight(early, " \n")) {
		t.Fatalf("%q: %q was shown, but it becomes %q", text[:cut], early, final)
	}
	if now := speech.Dress(text[:cut], l, true); !strings.HasPrefix(now, strings.TrimRight(early, " \n")) {
		t.Fatalf("%q: %q was shown, but it ends as %q", text[:cut], early, now)
	}
	if later := speech.Dress(text, l, false); !strings.HasPrefix(later, early) {
		t.Fatalf("%q: %q was shown, and later %q", text, early, later)
	}
}

func TestDressB40Mentions(t *testing.T) {
	dressed(t, quay, map[string][2]string{
		"plain":                          {"Hi @Ana, there", "Hi <@101>, there"},
		"at the end":                     {"Hi @ana", "Hi <@101>"},
		"in braces":                      {"@{Ana}!", "<@101>!"},
		"in brackets":                    {"@[Ana] @(ANA)", "<@101> <@101>"},
		"name and id":                    {"Ana|101 and @Ana|101 and @{Ana|101}", "<@101> and <@101> and <@101>"},
		"name and the id of nobody":      {"Ana|999 and @{Ana|999}", "Ana|999 and @{Ana|999}"},
		"in angle brackets":              {"<@Ana> <@!Al Bundy> <@Al Bundy|103>", "<@101> <@103> <@103>"},
		"longest first":                  {"@Al Bundy and @Al and @Al B", "<@103> and <@102> and <@102> B"},
		"word edges":                     {"@Alice @Ana's @Ana_x a@Ana.org @Anaé", "@Alice <@101>'s @Ana_x a@Ana.org @Anaé"},
		"C18 two people of one name":     {"@Mei @{Mei} Mei|104", "@Mei @Mei <@104>"},
		"one person of two names":        {"@Teo @Theo", "<@112> <@112>"},
		"regular expression characters":  {"@R.*s (x) @Rabs (x) @{R.*s (x)}", "<@106> @Rabs (x) <@106>"},
		"script without blanks":          {"@花子さん、@花子と@花子花", "<@109>さん、<@109>と@花子花"},
		"honorific of the same script":   {"@花子先生", "<@109>先生"},
		"katakana":                       {"@ミラちゃん @ミライ", "<@110>ちゃん @ミライ"},
		"unknown":                        {"@Zed @{Zed Q} @(work) @[x] @ 5", "@Zed @Zed Q @(work) @[x] @ 5"},
		"B10 everyone":                   {"@everyone @here @Everyone! @{everyone} @[here] @(here)", "@\u200beveryone @\u200bhere @\u200bEveryone! @{everyone} @[here] @(here)"},
		"B10 everyone in pieces":         {"@{every}one @every<:zz:123456789012345678>one", "@{every}one @every one"},
		"B10 zero width":                 {"@\u200beveryone", "@\u200beveryone"},
		"B10 role":                       {"<@&101> <@&5>", "<@\u200b&101> <@\u200b&5>"},
		"known and unknown ids":          {"<@101> <@!102> <@5> <@!5>", "<@101> <@102> <@\u200b5> <@\u200b5>"},
		"a name that is an id":           {"<@123456789012345678>", "<@\u200b123456789012345678>"},
		"broken":                         {"<@ <@> <@101 x <@!", "<@ <@> <@101 x <@!"},
		"channels, times, commands":      {"<#5> <t:5:R> </stop:5> <id:guide>", "<#5> <t:5:R> </stop:5> <id:guide>"},
		"B10 code":                       {"`@Ana` ``@Ana ` @Ana`` @Ana\n```\n@Ana <@5>\n```\n@Ana", "`@Ana` ``@Ana ` @Ana`` <@101>\n```\n@Ana <@5>\n```\n<@101>"},
		"code that does not end":         {"`@Ana\n@Ana\n```\n@Ana", "`@Ana\n<@101>\n```\n@Ana"},
		"code in a list":                 {"- ```\n  @Ana\n  ```\n@Ana", "- ```\n  @Ana\n  ```\n<@101>"},
		"addresses and links":            {"https://x.org/@Ana [@Ana](https://x.org/@Ana) [@Ana] @Ana", "https://x.org/@Ana [@Ana](https://x.org/@Ana) [<@101>] <@101>"},
		"link that does not end":         {"[@Ana](https://x.org", "[<@101>](https://x.org"},
		"address in angle brackets":      {"<https://x.org/@Ana> @Ana", "<https://x.org/@Ana> <@101>"},
		"escaped":                        {`\@everyone \<@5> \@Ana \*\* \`, "\\@\u200beveryone \\<@\u200b5> \\<@101> \\*\\* \\"},
		"emphasis":                       {"**@Ana** _@Al Bundy_ ||@Ana||", "**<@101>** _<@103>_ ||<@101>||"},
		"comparison":                     {"a < b, a <b and a<-b", "a < b, a <b and a<-b"},
		"name of one who is not the end": {"Al", "Al"},
	})
}

func TestDressEmoji(t *testing.T) {
	dressed(t, quay, map[string][2]string{
		"by name":             {"Hi :wave: there", "Hi " + wave + " there"},
		"upper case":          {":Wave::DANCE:", wave + dance},
		"as markup":           {"<:wave:222222222222222222>", wave},
		"of another number":   {"<a:wave:999999999999999999>", wave},
		"without number":      {"<:wave:> <:wave> <a:wave:> x", wave + " " + wave + " " + wave + " x"},
		"without colon":       {"<wave:222222222222222222> x", wave + " x"},
		"without brackets":    {":wave:222222222222222222> x", wave + " x"},
		"without the end":     {"<:wave:222222222222222222 x <:wave", wave + " x " + wave},
		"without last colon":  {"Hi :wave and", "Hi " + wave + " and"},
		"colon after a word":  {"wave: Note:wave 10:30:45", "wave: Note:wave 10<:30:555555555555555555>45"},
		"unknown by name":     {"Hi :nosuch: there", "Hi :nosuch: there"},
		"unknown markup":      {"Hi <:nosuch:111111111111111111> there<a:nosuch:111111111111111111>and :nosuch:111111111111111111>.", "Hi there and ."},
		"unknown on its line": {"a\n<:nosuch:111111111111111111>\nb", "a\nb"},
		"in bold":             {"**:wave:** *<:wave:222222222222222222>* ***:wave: :dance:*** _:wave:_", wave + " " + wave + " " + wave + " " + dance + " " + wave},
		"bold with words":     {"**:wave: hi** **hi** snake_case_x ****", "**" + wave + " hi** **hi** snake_case_x ****"},
		"in bold and unknown": {"Hi **<:nosuch:111111111111111111>** there", "Hi there"},
		"of late":             {"Hi :old: there :wave:", "Hi there " + wave},
		"nothing else":        {":old:", "<:old:444444444444444444>"},
		"nothing else at all": {"<:nosuch:111111111111111111>", "<:nosuch:111111111111111111>"},
		"faces":               {":) :D <3 <:3 :-P", ":) :D <3 <:3 :-P"},
		"code":                {"`:wave:` https://x.org/:wave:", "`:wave:` https://x.org/:wave:"},
		"tags of HTML":        {"<b>hi</b> <br>", "<b>hi</b> <br>"},
	})
	dressed(t, bare, map[string][2]string{
		"not known":           {"Hi :wave: <:wave:222222222222222222> <:x:1>", "Hi :wave: <:wave:222222222222222222> <:x:1>"},
		"not known, bold":     {"**<:wave:222222222222222222>**", "<:wave:222222222222222222>"},
		"not known, of late":  {"Hi <:old:444444444444444444> you", "Hi you"},
		"not known, all late": {"<:old:444444444444444444>", "<:old:444444444444444444>"},
	})
}

func TestDressTables(t *testing.T) {
	wide := "| " + strings.Repeat("w", 60) + " | " + strings.Repeat("v", 60) + " |\n|---|---|\n"
	dressed(t, quay, map[string][2]string{
		"aligned":          {"See:\n| a | bb |\n|---|:-:|\n| longer | 1 |\nDone @Ana", "See:\n```\na      | bb\n-------|---\nlonger | 1\n```\nDone <@101>"},
		"right":            {"| n |\n|--:|\n| 1 |\n| 10 |", "```\n n\n--\n 1\n10\n```"},
		"centre":           {"| n |\n|:-:|\n| 1 |\n| 10000 |\n", "```\n  n\n-----\n  1\n10000\n```\n"},
		"wide letters":     {"| 名 | x |\n|-|-|\n| 花子 | 1 |\n| 👨‍👩‍👧 | 2 |\n| e\u0301 | 3 |", "```\n名   | x\n-----|--\n花子 | 1\n👨‍👩‍👧   | 2\ne\u0301    | 3\n```"},
		"ragged":           {"| a | b |\n|---|\n| 1 |\n| 1 | 2 | 3 |", "```\na | b |\n--|---|--\n1 |   |\n1 | 2 | 3\n```"},
		"escaped":          {"| a \\| b | c<br>d |\n|---|---|\n| **x** | `y` |", "```\na | b | c d\n------|----\nx     | y\n```"},
		"mentions inside":  {"| @Ana | :wave: |\n|---|---|\n| <:wave:222222222222222222> | x |", "```\n@Ana   | :wave:\n-------|-------\n:wave: | x\n```"},
		"no line under it": {"| a | b |\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"},
		"head alone":       {"| a | b |", "| a | b |"},
		"no rows":          {"| a | b |\n|---|---|", "```\na | b\n--|--\n```"},
		"no borders":       {"a | b\n---|---\n1 | 2", "a | b\n---|---\n1 | 2"},
		"in code":          {"```\n| a | b |\n|---|---|\n```", "```\n| a | b |\n|---|---|\n```"},
		"in a quotation":   {"> | a | b |\n> |---|---|", "> | a | b |\n> |---|---|"},
		"spoiler":          {"||a||\n|---|\n||b|| @Ana", "||a||\n|---|\n||b|| <@101>"},
		"too wide":         {wide + "| 1 | @Ana |\n| 3 |", "- " + strings.Repeat("w", 60) + ": 1 · " + strings.Repeat("v", 60) + ": <@101>\n- " + strings.Repeat("w", 60) + ": 3"},
		"two tables":       {"| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |", "```\na\n-\n1\n```\n\n```\nb\n-\n2\n```"},
	})
}

func TestDressTableThatIsNotHeldForEver(t *testing.T) {
	text := "| a | b |\n|---|---|\n" + strings.Repeat("| some words | and more of them |\n", 300)
	shown := speech.Dress(text, quay, true)
	if n := strings.Count(shown, "```\na"); n != 3 || strings.Contains(shown, "| a |") {
		t.Errorf("%d blocks: %q", n, shown[:200])
	}
	if early := speech.Dress(text[:6000], quay, false); len(early) < 3000 {
		t.Errorf("%d bytes are shown of 6000", len(early))
	}
	for cut := 0; cut < len(text); cut += 97 {
		dressGrows(t, text, cut, quay)
	}
	if long := strings.Repeat("| x ", 400); speech.Dress(long, quay, false) == "" {
		t.Error("a line without an end is held for ever")
	}
}

func TestDressHolds(t *testing.T) {
	for text, want := range map[string]string{
		"Hi @": "Hi", "Hi @A": "Hi", "Hi @Al": "Hi", "Hi @Al B": "Hi", "Hi @Al x": "Hi <@102> x", "Hi @ev": "Hi", "Hi @x": "Hi @x", "Hi <": "Hi",
		"Hi <@10": "Hi", "Hi <:wa": "Hi", "Hi :wa": "Hi", "see [x](http": "see", "see [x": "see", "see [x] y": "see [x] y", "see htt": "see", "see https://x.o": "see",
		"see https://x.org ": "see https://x.org", "| a": "", "a\n| a |\n": "a", "a\n| a |\n| b": "a\n| a |", "**": "", "**:wave:": "", "**x": "**x", "Ana": "", "Ana ": "Ana", "Ana|10": "",
		"a\\": "a", "`a @Ana": "`a @Ana", "@{An": "",
	} {
		if got := speech.Dress(text, quay, false); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMentioned(t *testing.T) {
	got := quay.Mentioned("<@102> <@5> `<@101>` @Ana <@&104> <@102>\n```\n<@103>\n``` <@!104>")
	if strings.Join(got, " ") != "102" {
		t.Errorf("got %q", got)
	}
	if got := quay.Undress("<@102> <@!101> <@5>"); got != "@Al @Ana <@5>" {
		t.Errorf("got %q", got)
	}
}

// rags are what traps are made of.
var rags = []string{
	"@", "@Ana", "@Al", " Bundy", "@{", "@(", "@[", "}", ")", "]", "Ana", "Ana|101", "|101", "Mei", "@everyone", "every", "one", "@here", "<@", "<@!", "<@&", "101", ">", "<", "<@101>", "<@&5>",
	"<@Al Bundy|103>", "<:wave:222222222222222222>", ":wave:", ":wave", "<:wave", ":", "old", "<a:", "222222222222222222", "<:nosuch:111111111111111111>", ":old:", "**", "*", "_", "***", "||", "|",
	"| a | b |\n", "|---|:-:|\n", "| 1 |", "\n", "\n\n", " ", "   ", "`", "```", "```go\n", "\n```\n", "- ```\n", "> ", "https://x.org/a", "http", "h", "[x](", "[", "](", "(", "\\", "花子", "さん", "é", "👨‍👩‍👧", "\u200b",
	"hi", "Hello there. ", "~~", "\t", "\"", "'s",
}

func ragged(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(rags), 0, 24).Draw(t, "rags"), "")
}

func TestDressB37IsStableUnderGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ragged(t)
		dressGrows(t, text, rapid.IntRange(0, len(text)).Draw(t, "cut"), rapid.SampledFrom([]speech.Lexicon{quay, bare, {}}).Draw(t, "lexicon"))
	})
}

func FuzzDress(f *testing.F) {
	for _, r := range rags {
		f.Add(r+"hi"+r, len(r))
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		if len(text) > 4000 {
			return
		}
		text = speech.Safe(text)
		cut = min(max(cut, 0), len(text))
		for _, l := range []speech.Lexicon{quay, bare, {}} {
			dressGrows(t, text, cut, l)
		}
	})
}
