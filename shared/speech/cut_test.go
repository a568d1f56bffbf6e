package speech

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// pieces are what markdown from models is made of; any order of them must come out whole.
var pieces = []string{
	"a", "word ", "Two words. ", "\n", "\n\n", " ", "    ", "`", "``", "```", "```go\n", "\n```\n", "\n``` x\n", "````\n", "\n````\n", "> ", "> ```\n", "- ", "1. ",
	"- ```py\n", "\n  ```\n", "。", "霧が出た。", "」", "👨‍👩‍👧‍👦", "🇯🇵", "e\u0301", "\u0301", "\u200d", "\u200b", "\r\n", "\r", "\t", "https://example.org/a_b?c=d ", "**", "||",
	"*", "*she waves* ", "||it was the butler|| ", "**bold ", "~~", "_", "_so_ ", "***", "\"", "(", "<@123456789012345678>", "<:wave:222222222222222222>", "<", "\\",
	strings.Repeat("x", 70), strings.Repeat("y ", 40), strings.Repeat("z\n", 30), strings.Repeat("`", 20), strings.Repeat("\u0301", 90), strings.Repeat(" ", 90),
}

func markdownText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
}

func TestSplitKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkSplit(t, markdownText(t), rapid.SampledFrom([]int{2, 3, 10, 40, 100, 200}).Draw(t, "limit"))
	})
}

type failing interface {
	Helper()
	Fatalf(string, ...any)
}

func checkSplit(t failing, text string, limit int) {
	t.Helper()
	parts, shown := cut(text, limit), Split(text, limit)
	edges := graphemes(text)
	at := 0
	for _, p := range parts {
		if strings.TrimSpace(text[at:p.start]) != "" || text[p.start:p.end] != p.text || p.end < p.start {
			t.Fatalf("limit %d: %q is not what stands at %d after %d in %q", limit, p.text, p.start, at, text)
		}
		at = p.end
		if largest(text) <= limit/2 && (!edges[p.start] || !edges[p.end]) {
			t.Fatalf("limit %d: a grapheme was cut at %d or %d of %q", limit, p.start, p.end, text)
		}
	}
	if strings.TrimSpace(text[at:]) != "" {
		t.Fatalf("limit %d: the end of %q is missing", limit, text)
	}
	for i, s := range shown {
		if Units(s) > limit || Blank(s) {
			t.Fatalf("limit %d: part %d has %d units: %q", limit, i, Units(s), s)
		}
		if n := Units(Open(s)); limit >= 100 && n > limit {
			t.Fatalf("limit %d: part %d is shown with %d units: %q", limit, i, n, s)
		}
	}
}

func graphemes(text string) map[int]bool {
	edges := map[int]bool{0: true, len(text): true}
	for g, rest, state := "", text, -1; rest != ""; {
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		_ = g
		edges[len(text)-len(rest)] = true
	}
	return edges
}

func largest(text string) int {
	n := 0
	for g, rest, state := "", text, -1; rest != ""; {
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n = max(n, Units(g))
	}
	return n
}

// What was posted is not edited again while the text grows, so it must not change.
func TestSplitIsStableUnderGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := markdownText(t)
		runes := []rune(text)
		checkGrowth(t, text, string(runes[:rapid.IntRange(0, len(runes)).Draw(t, "cut")]), rapid.SampledFrom([]int{2, 10, 40, 100, 200}).Draw(t, "limit"))
	})
}

func checkGrowth(t failing, text, prefix string, limit int) {
	t.Helper()
	whole, early := Split(text, limit), Split(prefix, limit)
	for i := range max(0, len(early)-1) {
		if i >= len(whole) || whole[i] != early[i] {
			t.Fatalf("limit %d: part %d of %q was %q and becomes %q", limit, i, text, early[i], append(whole, "", "")[min(i, len(whole))])
		}
	}
}

// With clean markdown (blocks closed, at the start of lines) every part that is not the last is balanced.
func TestSplitB02PartsAreBalanced(t *testing.T) {
	block := rapid.Custom(func(t *rapid.T) string {
		indent := rapid.SampledFrom([]string{"", "", "> "}).Draw(t, "container")
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"x := 1", "", "    deep", "# heading", "``", strings.Repeat("long ", 30), strings.Repeat("é", 150)}), 1, 12).Draw(t, "lines")
		return indent + "```" + rapid.SampledFrom([]string{"", "go", "c++"}).Draw(t, "language") + "\n" + indent +
			strings.Join(lines, "\n"+indent) + "\n" + indent + "```\n"
	})
	prose := rapid.SampledFrom([]string{"Some prose. ", "A line.\n", "\n\n", "一行。\n", "A `span` here.\n"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "blocks") {
			b.WriteString(strings.Join(rapid.SliceOfN(prose, 0, 8).Draw(t, "prose"), "") + "\n" + block.Draw(t, "block"))
		}
		limit := rapid.IntRange(100, 300).Draw(t, "limit")
		parts := Split(b.String(), limit)
		for i, p := range parts {
			if Open(p) != strings.TrimRightFunc(p, unicode.IsSpace) {
				t.Fatalf("part %d is open: %q", i, p)
			}
		}
		checkSplit(t, b.String(), limit)
	})
}

func FuzzSplit(f *testing.F) {
	for _, p := range pieces {
		f.Add(strings.Repeat(p+"hi", 30), len(p), 100)
	}
	f.Fuzz(func(t *testing.T, text string, at, limit int) {
		limit = min(max(limit, 2), 2000)
		checkSplit(t, text, limit)
		text = Safe(text)
		checkSplit(t, text, limit)
		at = min(max(at, 0), len(text))
		for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			at--
		}
		checkGrowth(t, text, text[:at], limit)
	})
}
