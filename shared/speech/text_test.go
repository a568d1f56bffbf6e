package speech_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tsumugi/shared/speech"
)

func TestReady(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, " ": false, "H": false, "Hello there": false, "Hello there.": true, "Hi! How": true, "Hi!How": false, "3.14 is": false,
		"Well...": true, "...": false, "…": false, "*waves*": false, "He said \"no.\" Then": true, "line\n": true, "\nline": false,
		"こんにちは": false, "こんにちは。": true, "はい！でも": true, "。": false, "😀": false, "😀!": true,
		strings.Repeat("a", 39): false, strings.Repeat("a", 40): true, strings.Repeat("👨‍👩‍👧‍👦", 39): false, strings.Repeat("👨‍👩‍👧‍👦", 40): true,
		"```go\n": false, "```go\nx": false, "```go\nx := 1\n": true, strings.Repeat("\u200b", 50): false, "a\xff.": true, "\xff": false,
	} {
		if got := speech.Ready(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"a\x00b": "ab", "a\x1b[0mb": "a[0mb", "a\tb\nc": "a\tb\nc", "a\r\nb\rc": "a\nb\nc", "\u0085": "\n", "a\x7fb\u009bc": "abc",
		"a\xffb": "a\uFFFDb", "a\xed\xa0\xbdb": "a\uFFFDb", "日本語": "日本語", "caf\xc3": "caf\uFFFD", "👨‍👩‍👧‍👦": "👨‍👩‍👧‍👦",
	} {
		if got := speech.Safe(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestBlank(t *testing.T) {
	for _, text := range []string{"", " \n\t\u3000", "\u200b\u200d\ufeff", "\u2800\u3164\u115f\uffa0", "\u034f", "\ufe0f", "\u00ad\u2060\u202e", "\x00"} {
		if !speech.Blank(text) {
			t.Errorf("%q shows nothing", text)
		}
	}
	for _, text := range []string{"a", ".", "👍", " \u200bx", "\uFFFD", "\xff"} {
		if speech.Blank(text) {
			t.Errorf("%q shows something", text)
		}
	}
}

func TestCap(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 10, "short"}, {"short", 5, "short"}, {"shorter", 5, "shor…"}, {"a b c", 3, "a…"}, {"👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 12, "👨‍👩‍👧‍👦…"},
		{"👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 11, "…"}, {"abc", 0, ""}, {"abc", 1, "…"},
	} {
		if got := speech.Cap(c.text, c.n); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(0, 30).Draw(t, "n")
		got := speech.Cap(text, n)
		if speech.Units(got) > n || !utf8.ValidString(got) || !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
			t.Fatalf("got %q", got)
		}
	})
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestPace(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		trap   string
		active int
		act    func(*speech.Pace)
		at     time.Duration // when Next is asked, after noon
		want   time.Duration // what it says
	}{
		{"the first may go at once", 1, func(*speech.Pace) {}, 0, 0},
		{"the second waits", 1, func(p *speech.Pace) { p.Sent(noon) }, 0, 1200 * time.Millisecond},
		{"never in the past", 1, func(p *speech.Pace) { p.Sent(noon) }, 5 * s, 5 * s},
		{"nobody active counts as one", 0, func(p *speech.Pace) { p.Sent(noon) }, 0, 1200 * time.Millisecond},
		{"40 streams still fit", 40, func(p *speech.Pace) { p.Sent(noon) }, 0, 1200 * time.Millisecond},
		{"100 streams share", 100, func(p *speech.Pace) { p.Sent(noon) }, 0, firstTurn(2009 * time.Millisecond)},
		{"a limit blocks", 1, func(p *speech.Pace) { p.Limited(noon, false, 3*s) }, s, 3 * s},
		{"a limit of a route does not slow others", 100, func(p *speech.Pace) { p.Limited(noon, false, s); p.Sent(noon.Add(s)) }, s, firstTurn(3009 * time.Millisecond)},
		{"a limit without a time", 1, func(p *speech.Pace) { p.Limited(noon, false, 0) }, 0, 5 * s},
		{"B29 an absurd time is bounded", 1, func(p *speech.Pace) { p.Limited(noon, false, 99*time.Hour) }, 0, 10 * time.Minute},
		{"a shorter limit does not shorten", 1, func(p *speech.Pace) { p.Limited(noon, false, 9*s); p.Limited(noon, false, s) }, 0, 9 * s},
		{"a global limit halves the rate", 100, func(p *speech.Pace) { p.Limited(noon, true, s); p.Sent(noon.Add(s)) }, s, 7024096 * time.Microsecond},
		{"twice quarters it", 100, func(p *speech.Pace) { p.Limited(noon, true, s); p.Limited(noon, true, s); p.Sent(noon.Add(s)) }, s, 13048193 * time.Microsecond},
		{"it rises again", 100, func(p *speech.Pace) { p.Limited(noon, true, s); p.Sent(noon.Add(11 * s)) }, 11 * s, 15016064 * time.Microsecond},
		{"up to where it was", 100, func(p *speech.Pace) { p.Limited(noon, true, s); p.Sent(noon.Add(100 * s)) }, 100 * s, firstTurn(102009 * time.Millisecond)},
	} {
		t.Run(c.trap, func(t *testing.T) {
			p := speech.NewPace(0)
			c.act(p)
			p.Among(c.active, 0)
			got := p.Next(noon.Add(c.at)).Sub(noon)
			if d := got - c.want; d < -time.Millisecond || d > time.Millisecond {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// firstTurn is the first slot of the first of a hundred streams, of which there are 104, from a time after noon on.
func firstTurn(from time.Duration) time.Duration {
	const every = 104 * 10 * time.Second / 332
	over := time.Duration(noon.Add(from).UnixNano()) % every
	return from - over + every
}

// TestPaceTakesTurns lets a hundred streams edit at any time: in no second there are more calls than the rate allows, and a few
// that think there are two or three streams less change little.
func TestPaceTakesTurns(t *testing.T) {
	const streams = 100
	random := rand.New(rand.NewPCG(1, 2))
	var calls []time.Duration
	for rank := range streams {
		p := speech.NewPace(0)
		p.Among(streams-rank%4, rank)
		now := noon.Add(time.Duration(random.Float64() * float64(3*time.Second)))
		for p.Sent(now); now.Sub(noon) < time.Minute; p.Sent(now) {
			next := p.Next(now.Add(100 * time.Millisecond))
			if gap := next.Sub(now); gap < 670*time.Millisecond || gap > 4000*time.Millisecond {
				t.Fatalf("stream %d waits %v between two edits", rank, gap)
			}
			now = next
			calls = append(calls, now.Sub(noon))
		}
	}
	slices.Sort(calls)
	for i, from := range calls {
		n, _ := slices.BinarySearch(calls[i:], from+time.Second)
		if from > 5*time.Second && n > 35 {
			t.Fatalf("%d calls in the second from %v on", n, from)
		}
	}
}
