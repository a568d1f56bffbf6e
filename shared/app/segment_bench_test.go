package app_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

// replied is a long reply with some of everything that is looked at.
func replied() string {
	one := "The fog came in over the quay, and @Ana lit the lamps one by one; nobody spoke. *She waves, and waits.* See https://example.org/a?b=c for more.\n\n" +
		"- first, **a point**\n- then `code` and ||a secret||\n\n霧が出た。灯りが一つずつともる。:wave:\n\n```go\nfor i := range 10 {\n\tfmt.Println(i)\n}\n```\n\n| what | how many |\n|---|--:|\n| lamps | 10 |\n\n"
	return strings.Repeat(one, 20_000/len([]rune(one))+1)
}

// TestBenchSegment measures what it costs to show a reply of 20,000 characters that streams at 100 characters a token step, with an
// edit each 1.2 s: all that a turn does with the text at an edit, for each KB that has come by then.
func TestBenchSegment(t *testing.T) {
	if os.Getenv("TSUMUGI_BENCH") != "1" {
		t.Skip("measures; make bench runs it")
	}
	raw := replied()
	p := prompt.Prompt{Self: "Mira", Others: []string{"Ana", "Ben", "Teo"}}
	l := speech.Lexicon{People: []speech.Person{{Name: "Ana", ID: "101"}, {Name: "Ben", ID: "102"}, {Name: "Teo", ID: "103"}}}
	var spent time.Duration
	read, slowest := 0, time.Duration(0)
	for at := 100; at <= len(raw); at += 120 {
		begun := time.Now()
		text := speech.Dress(speech.Safe(prompt.Visible(p, raw[:at])), l, false)
		parts := speech.Divide("", speech.Cap(text, 20_000), speech.Whole, 1950)
		speech.Open(parts[len(parts)-1])
		took := time.Since(begun)
		spent, read, slowest = spent+took, read+at, max(slowest, took)
	}
	perKB := float64(spent.Microseconds()) / (float64(read) / 1024)
	fmt.Printf("bench segment_us_per_kb %.0f us\n", perKB)
	if slowest > speech.Interval/2 {
		t.Errorf("one edit took %v of the %v until the next", slowest, speech.Interval)
	}
}
