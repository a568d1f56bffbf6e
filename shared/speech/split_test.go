package speech_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"tsumugi/shared/speech"
)

// lorem is n ASCII characters of prose.
func lorem(n int) string {
	const s = "The fog came in over the quay, and the lamps went on one by one. "
	return strings.Repeat(s, n/len(s)+1)[:n-1] + "x"
}

func fits(t *testing.T, parts []string, limit int) {
	t.Helper()
	for i, p := range parts {
		if n := speech.Units(p); n > limit || utf8.RuneCountInString(p) > limit {
			t.Errorf("part %d has %d units", i, n)
		}
		if speech.Blank(p) {
			t.Errorf("part %d is blank", i)
		}
	}
}

func TestSplitB01Lengths(t *testing.T) {
	for n, want := range map[int]int{1: 1, 1999: 1, 2000: 1, 2001: 2, 3999: 3, 4001: 3, 20_000: 11} {
		// Prose is cut between sentences, so a part is seldom full.
		parts := speech.Split(lorem(n), speech.Limit)
		fits(t, parts, speech.Limit)
		if len(parts) != want {
			t.Errorf("%d characters: %d parts, want %d", n, len(parts), want)
		}
		solid := strings.Repeat("x", n)
		parts = speech.Split(solid, speech.Limit)
		if fits(t, parts, speech.Limit); strings.Join(parts, "") != solid || len(parts) != (n+1999)/2000 {
			t.Errorf("%d characters without a blank: %d parts", n, len(parts))
		}
	}
}

func TestSplitB46RunesStayWhole(t *testing.T) {
	text := strings.Repeat("é", 2000)
	if parts := speech.Split(text, 2000); len(parts) != 1 || parts[0] != text {
		t.Errorf("%d parts", len(parts))
	}
}

func TestSplitX11CountsUnits(t *testing.T) {
	parts := speech.Split(strings.Repeat("😀", 1001), 2000)
	if len(parts) != 2 || utf8.RuneCountInString(parts[0]) != 1000 || parts[1] != "😀" {
		t.Errorf("%d parts", len(parts))
	}
}

func TestSplitB08GraphemesStayWhole(t *testing.T) {
	for _, g := range []string{"👨‍👩‍👧‍👦", "🇯🇵", "e\u0301\u0323", "👍🏽", "각", "कि", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"} {
		for pad := range 24 {
			text := strings.Repeat("x", 180+pad) + strings.Repeat(g, 40)
			parts := speech.Split(text, 200)
			fits(t, parts, 200)
			if strings.Join(parts, "") != text {
				t.Fatalf("%q: the parts are not the text", g)
			}
			for i, p := range parts {
				if rest := strings.ReplaceAll(strings.Trim(p, "x"), g, ""); rest != "" {
					t.Errorf("%q: part %d holds a piece of it: %q", g, i, rest)
				}
			}
		}
	}
}

func TestSplitHardCutsAGraphemeThatNoPartHolds(t *testing.T) {
	text := "a" + strings.Repeat("\u0301", 5000) + " b"
	parts := speech.Split(text, 2000)
	fits(t, parts, 2000)
	if got := strings.Join(parts, ""); got != strings.ReplaceAll(text, " ", "") && got != text {
		t.Error("something was lost")
	}
}

func TestSplitPrefersBetterPlaces(t *testing.T) {
	word := strings.Repeat("x", 60)
	for _, c := range []struct{ trap, text, first string }{
		{"paragraph", word + "\n\n" + word[:20] + "\n" + word, word},
		{"line before sentence", word + "\n" + word[:20] + ". " + word, word},
		{"sentence before word", word + ". " + word[:20] + " " + word, word + "."},
		{"sentence with closing marks", word + ".\"* " + word[:20] + " " + word, word + ".\"*"},
		{"wide sentence", strings.Repeat("霧", 60) + "。" + strings.Repeat("灯", 60), strings.Repeat("霧", 60) + "。"},
		{"wide stop in quotes", strings.Repeat("霧", 60) + "。」" + strings.Repeat("灯", 20) + " " + word, strings.Repeat("霧", 60) + "。」" + strings.Repeat("灯", 20)},
		{"word", word[:59] + " " + word, word[:59]},
		{"early word before a hard cut", word[:20] + " https://example.org/" + word + word, word[:20]},
		{"no stub of a word", "I " + word + word, "I " + word + word[:38]},
		{"number is no sentence", word + " 3.14159265358979 " + word, word + " 3.14159265358979"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			if parts := speech.Split(c.text, 100); parts[0] != c.first {
				t.Errorf("got %q, want %q", parts[0], c.first)
			}
		})
	}
}

func TestSplitKeepsIndentation(t *testing.T) {
	text := strings.Repeat("x", 90) + "\n\n  - nested\n  - list"
	if parts := speech.Split(text, 100); len(parts) != 2 || parts[1] != "  - nested\n  - list" {
		t.Errorf("got %q", parts)
	}
}

func TestSplitB02FencesAreClosedAndReopened(t *testing.T) {
	code := strings.Repeat("fmt.Println(\"hello\")\n", 30)
	parts := speech.Split("Look:\n```go\n"+code+"```\nDone.", 300)
	fits(t, parts, 300)
	for i, p := range parts[:len(parts)-1] {
		if i > 0 && !strings.HasPrefix(p, "```go\nfmt") {
			t.Errorf("part %d does not reopen: %q", i, p[:20])
		}
		if !strings.HasSuffix(p, "\n```") || strings.Count(p, "```") != 2 {
			t.Errorf("part %d is not balanced", i)
		}
	}
	joined := strings.ReplaceAll(strings.Join(parts, "\n"), "\n```\n```go\n", "\n")
	if joined != "Look:\n```go\n"+code+"```\nDone." {
		t.Errorf("got %q", joined)
	}
}

func TestSplitB04ReservesForTheClosingFence(t *testing.T) {
	for tail := 1980; tail <= 2010; tail++ {
		for _, end := range []string{"", "\n```", "\n``` and more", "\n```\nand more", "\n````", "``"} {
			text := "```\n" + strings.Repeat("x", tail-4) + end
			parts := speech.Split(text, 2000)
			fits(t, parts, 2000)
			for i, p := range parts {
				if n := speech.Units(speech.Open(p)); n > 2000 {
					t.Errorf("tail %d %q: part %d is shown with %d units", tail, end, i, n)
				}
				if i < len(parts)-1 && speech.Open(p) != p {
					t.Errorf("tail %d %q: part %d is open", tail, end, i)
				}
			}
		}
	}
	if text := "```\n" + strings.Repeat("x", 1992) + "\n```"; len(speech.Split(text, 2000)) != 1 {
		t.Error("a block of exactly 2000 needs one part")
	}
}

func TestSplitB05OnlyABareLineCloses(t *testing.T) {
	text := "```\n" + strings.Repeat("a line\n", 10) + "``` not a closer\n" + strings.Repeat("# heading\n", 20) + "```\nend"
	parts := speech.Split(text, 120)
	fits(t, parts, 120)
	if len(parts) < 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts[:len(parts)-1] {
		if strings.Contains(p, "# heading") && !strings.HasPrefix(p, "```\n") {
			t.Errorf("part %d shows code as a heading: %q", i, p)
		}
	}
}

func TestSplitB07Containers(t *testing.T) {
	t.Run("code span", func(t *testing.T) {
		parts := speech.Split("`"+strings.Repeat("x", 2100)+"` end", 2000)
		fits(t, parts, 2000)
		if len(parts) != 2 || !strings.HasSuffix(parts[0], "x`") || !strings.HasPrefix(parts[1], "`x") || !strings.HasSuffix(parts[1], "x` end") {
			t.Errorf("got %d parts", len(parts))
		}
	})
	t.Run("double backticks", func(t *testing.T) {
		parts := speech.Split("``"+strings.Repeat("x ` ", 40)+"`` end", 100)
		for i, p := range parts {
			if !strings.HasPrefix(p, "``") || i < len(parts)-1 && !strings.HasSuffix(p, "``") {
				t.Errorf("part %d: %q", i, p)
			}
		}
	})
	t.Run("quotation", func(t *testing.T) {
		parts := speech.Split("> ```py\n"+strings.Repeat("> print(1)\n", 30)+"> ```", 100)
		fits(t, parts, 100)
		for i, p := range parts {
			if !strings.HasPrefix(p, "> ```py\n> print") || !strings.HasSuffix(p, "\n> ```") {
				t.Errorf("part %d: %q", i, p)
			}
		}
	})
	t.Run("list item", func(t *testing.T) {
		parts := speech.Split("- ```py\n"+strings.Repeat("  print(1)\n", 30)+"  ```", 100)
		fits(t, parts, 100)
		for i, p := range parts {
			if !strings.HasPrefix(p, "- ```py\n  print") || !strings.HasSuffix(p, "\n  ```") {
				t.Errorf("part %d: %q", i, p)
			}
		}
	})
	t.Run("quoted prose", func(t *testing.T) {
		parts := speech.Split("> "+lorem(300)+"\nplain "+lorem(150), 100)
		fits(t, parts, 100)
		for i, p := range parts[:3] {
			if !strings.HasPrefix(p, "> ") {
				t.Errorf("part %d: %q", i, p)
			}
		}
		if last := parts[len(parts)-1]; strings.HasPrefix(last, ">") {
			t.Errorf("last part: %q", last)
		}
	})
}

func TestSplitNothing(t *testing.T) {
	for _, text := range []string{"", " \n\t ", strings.Repeat("\u200b", 5000), strings.Repeat(" ", 5000)} {
		if parts := speech.Split(text, 100); len(parts) != 0 {
			t.Errorf("%q: %q", text[:min(9, len(text))], parts)
		}
	}
	if parts := speech.Split("😀😀", 0); len(parts) != 2 {
		t.Errorf("got %q", parts)
	}
}

func TestOpen(t *testing.T) {
	for text, want := range map[string]string{
		"hi":                  "hi",
		"hi\n":                "hi",
		"```go\nx":            "```go\nx\n```",
		"```go\nx\n":          "```go\nx\n```",
		"```go\nx\n`":         "```go\nx\n```",
		"```go\nx\n```":       "```go\nx\n```",
		"````\nx\n```":        "````\nx\n````",
		"```\nx\n``` y":       "```\nx\n``` y\n```",
		"> ```\n> x":          "> ```\n> x\n> ```",
		"1. ```\n   x":        "1. ```\n   x\n   ```",
		"```one line```":      "```one line```",
		"```a```\ntext":       "```a```\ntext",
		"a ``` b\nc":          "a ``` b\nc",
		"```\nx\n```\n```\ny": "```\nx\n```\n```\ny\n```",
	} {
		if got := speech.Open(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func ExampleSplit() {
	for _, part := range speech.Split("First we light the lamp.\n\n```sh\necho one\necho two\n```", 40) {
		fmt.Printf("%q\n", part)
	}
	// Output:
	// "First we light the lamp."
	// "```sh\necho one\necho two\n```"
}
