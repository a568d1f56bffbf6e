package speech_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"tsumugi/shared/speech"
)

// messages is what is sent in the end for a text that came in chunks ("¦" stands between them), as a turn makes it. On the way it
// checks that what was shown stays, and that it does not matter where the chunks end.
func messages(t *testing.T, stream string, by speech.Grain, casual bool) []string {
	t.Helper()
	written := func(text string, whole bool) string {
		if text = speech.Dress(text, quay, whole); casual {
			text = speech.Casual(text, by, whole)
		}
		return strings.TrimRightFunc(text, unicode.IsSpace)
	}
	text := strings.ReplaceAll(stream, "¦", "")
	final := speech.Divide("", speech.Close(written(text, true)), by, 1950)
	came := ""
	for chunk := range strings.SplitSeq(stream, "¦") {
		came += chunk
		parts := speech.Divide("", written(came, false), by, 1950)
		for i := range max(0, len(parts)-1) {
			if i >= len(final) || parts[i] != final[i] {
				t.Fatalf("%q: part %d was %q, and is in %q", came, i, parts[i], final)
			}
		}
	}
	return final
}

// The buffer and delivery vectors of the chat pipeline (appendix C) under our rules. Where ours differ the case says why. Those that
// are of other rooms: C9, C10, C19 in package prompt; C12 in overlap_test.go; C15, C16 and C21 in package turn's stories.
func TestVectors(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("The fog came in over the quay. ", 36))
	for _, c := range []struct {
		trap, stream string
		by           speech.Grain
		want         []string
	}{
		// A line break alone divides nothing at this grain: a message a paragraph, as models write lines of verse.
		{"C1", "Hello\nworld", speech.Paragraphs, []string{"Hello\nworld"}},
		{"C1 paragraphs", "Hello\n\nworld", speech.Paragraphs, []string{"Hello", "world"}},
		{"C2", "Hello¦\n", speech.Paragraphs, []string{"Hello"}},
		// The comma stays where the model put it: messages grow by edits, so no piece is sent before its line is known.
		{"C3", "Hi\n, friend", speech.Paragraphs, []string{"Hi\n, friend"}},
		{"C4", "a ( b¦\nc )", speech.Paragraphs, []string{"a ( b\nc )"}},
		{"C5", "see [x](http¦://e.x)", speech.Paragraphs, []string{"see [x](http://e.x)"}},
		{"C6", "```py\n1\n¦```", speech.Paragraphs, []string{"```py\n1\n```"}},
		// One message is as long as Discord lets it be; there is no cut at 1,000.
		{"C8", long, speech.Paragraphs, []string{long}},
		{"C8 longer", long + " " + long, speech.Paragraphs, []string{strings.TrimSpace(strings.Repeat("The fog came in over the quay. ", 62)), strings.TrimSpace(strings.Repeat("The fog came in over the quay. ", 10))}},
		// Dots on their own begin the message as a line of theirs: nothing of what the model wrote is moved.
		{"C11", "...\nnext", speech.Paragraphs, []string{"...\nnext"}},
		{"C13", "Hi there. Are you ok?", speech.Sentences, []string{"Hi there.", "Are you ok?"}}, // with small letters: below
		{"C14", "One.\n\nTwo.", speech.Whole, []string{"One.\n\nTwo."}},
		{"C17", "*bold", speech.Paragraphs, []string{"*bold*"}},
		{"C18", "@¦{An¦a}", speech.Paragraphs, []string{"<@101>"}},
		// Whom a name does not tell is shown as the handle, without the braces that only we know of.
		{"C18 of two", "@{Mei}", speech.Paragraphs, []string{"@Mei"}},
		// As a block, not a picture: it can be read aloud, copied and searched.
		{"C20", "| a | b | c |\n|---|---|---|\n¦| 1 | 2 | 3 |", speech.Paragraphs, []string{"```\na | b | c\n--|---|--\n1 | 2 | 3\n```"}},
	} {
		if got := messages(t, c.stream, c.by, false); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.trap, got, c.want)
		}
	}
	// C7: held up to no length: a block is cut between lines, and each piece is one, also while it grows.
	block := messages(t, "```go\n"+strings.Repeat("line\n¦", 500), speech.Paragraphs, false)
	lines := 0
	for _, part := range block {
		code, opened := strings.CutPrefix(part, "```go\n")
		code, closed := strings.CutSuffix(code, "\n```")
		if lines += strings.Count(code+"\n", "line\n"); !opened || !closed {
			t.Errorf("C7: %q", part)
		}
	}
	if lines != 500 || len(block) != 2 {
		t.Errorf("C7: %d lines in %d messages", lines, len(block))
	}
	if got := messages(t, "Hi the¦re.¦ Are you ok?", speech.Sentences, true); !slices.Equal(got, []string{"hi there", "are you ok?"}) {
		t.Errorf("C13: got %q", got)
	}
}

// FuzzMessages is the law of a stream as a whole, whatever its words and chunks: what was shown stays, all but the last message,
// and the last one is what its text begins with.
func FuzzMessages(f *testing.F) {
	for i, r := range slices.Concat(rags, phrases) {
		f.Add(r+"hi "+r+"\n\n"+r, i, i%3, i%2 == 0, i%5 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, cut, grain int, manyChunks, casual bool) {
		if len(text) > 3000 {
			return
		}
		text = speech.Safe(text)
		by := speech.Grain(((grain % 3) + 3) % 3)
		runes := []rune(text)
		cut = min(max(cut, 0), len(runes))
		stream := string(runes[:cut]) + "¦" + string(runes[cut:])
		if manyChunks && len(runes) < 200 {
			stream = ""
			for _, r := range runes {
				stream += string(r) + "¦"
			}
		}
		if strings.Contains(text, "¦") {
			return
		}
		for i, m := range messages(t, stream, by, casual) {
			if speech.Blank(m) || speech.Units(m) > speech.Limit {
				t.Fatalf("message %d has %d units: %q", i, speech.Units(m), m)
			}
		}
	})
}
