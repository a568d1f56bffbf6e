package speech_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tsumugi/shared/speech"
)

func TestClose(t *testing.T) {
	for text, want := range map[string]string{
		"*bold": "*bold*", "**bold": "**bold**", "***both": "***both***", "***both** one": "***both** one*", "***both* one": "***both* one**", "**a *b***": "**a *b***",
		"**a *b": "**a *b***", "_so": "_so_", "__so": "__so__", "~~gone": "~~gone~~", "||hidden": "||hidden||", "||**a": "||**a**||", "`code": "`code`", "``a ` b": "``a ` b``",
		"```go\nx": "```go\nx\n```", "```\nx\n``": "```\nx\n```", "**a\n```\nx": "**a\n```\nx\n```", "> ```\n> x": "> ```\n> x\n> ```", "||a\n\nb": "||a\n\nb||",
		"see [x](https://x.org": "see [x](https://x.org)", "it (is": "it (is)", "She said \"hi": "She said \"hi\"", "「はい": "「はい」", "“so": "“so”", "„so": "„so“", "『a「b": "『a「b」』",
		"*she said \"hi": "*she said \"hi\"*", "fine.": "fine.", "  x \n": "  x", "": "",
		// What opens nothing.
		"2 * 3": "2 * 3", "2*3": "2*3", "snake_case": "snake_case", "a || b": "a || b", "5\" wide": "5\" wide", ":( no": ":( no", ":-(": ":-(", "a) b": "a) b", "* item": "* item", "T_T": "T_T",
		"^_^": "^_^", "*_*": "*_*", "\\*no": "\\*no", "***": "***", "a ~ b": "a ~ b", "*a\n\nb": "*a\n\nb", "(a\n\nb": "(a\n\nb", "**a** b": "**a** b", "*a*b": "*a*b", "**": "**", "say \"a\" b": "say \"a\" b",
		"> *a*": "> *a*", "`*a`": "`*a`", "`a`*b": "`a`*b", "long words `a` *b": "long words `a` *b*", "```\n*a\n```": "```\n*a\n```", "****a": "****a",
	} {
		got := speech.Close(text)
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if again := speech.Close(got); again != got {
			t.Errorf("%q: closed again it is %q", got, again)
		}
	}
}

func TestOpenHidesASpoiler(t *testing.T) {
	for text, want := range map[string]string{
		"||the but": "||the but||", "*she wa": "*she wa*", "||a `b": "||a `b||", "it (is": "it (is", "She said \"hi": "She said \"hi", "`co": "`co", "**a ": "**a**",
	} {
		if got := speech.Open(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSplitClosesAndOpensMarkup(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("words and more ", 20))
	for _, mark := range []string{"*", "**", "***", "_", "__", "~~", "||"} {
		parts := speech.Split("So "+mark+words+mark+" it ended.", 120)
		fits(t, parts, 120)
		for i, p := range parts {
			if strings.Count(p, mark) != 2 || speech.Open(p) != p {
				t.Errorf("%s: part %d is %q", mark, i, p)
			}
		}
	}
	parts := speech.Split("**"+words+"\n\n"+words+"**", 120)
	if joined := strings.Join(parts, "¦"); !strings.HasPrefix(joined, "**words") || strings.Contains(joined, "** ") {
		t.Errorf("got %q", parts)
	}
	if parts := speech.Split("> **"+words+"**", 120); !strings.HasPrefix(parts[1], "> **") || !strings.HasSuffix(parts[0], "**") {
		t.Errorf("got %q", parts)
	}
}

func TestSplitKeepsMentionsAndAddressesWhole(t *testing.T) {
	for _, whole := range []string{"<@123456789012345678>", "<:wave:222222222222222222>", "<t:1700000000:R>", " https://example.org/a/very/long/address?of=something"} {
		for pad := range 80 {
			text := strings.Repeat("霧", 50+pad) + whole + " " + strings.Repeat("灯", 30)
			parts := speech.Split(text, 100)
			fits(t, parts, 100)
			if all := strings.Join(parts, "¦"); !strings.Contains(all, strings.TrimSpace(whole)) {
				t.Fatalf("got %q", parts)
			}
		}
	}
}

// What Close adds is all that is new, and it leaves nothing open.
func TestCloseAddsAtTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ragged(t)
		closed := speech.Close(text)
		if added, is := strings.CutPrefix(closed, strings.TrimRight(text, " \n\t")); !is || strings.Trim(added, "`*_~|\"”“)」』）\n\t >") != "" {
			t.Fatalf("%q is closed as %q", text, closed)
		}
	})
}
