package speech_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/speech"
)

// Whatever a model repeats, reading it takes no time that a person would notice.
func TestTextsAreReadInTime(t *testing.T) {
	for _, s := range slices.Concat(rags, phrases, []string{"@{", "*:", "[x", "<@Al ", "Al Bundy|", "(", "\"a", "a, ", "A. ", "\n1", ":a", ":wave:1", "<x", "`a`", "A b\n", "| a | b\n"}) {
		text := strings.Repeat(s, 20_000/max(len(s), 1))
		begun := time.Now()
		for _, l := range []speech.Lexicon{quay, bare} {
			speech.Dress(text, l, true)
			speech.Dress(text, l, false)
		}
		speech.Casual(text, speech.Sentences, true)
		speech.Close(text)
		speech.Split(text, 1950)
		speech.Continued(text, text, true)
		if took := time.Since(begun); took > 5*time.Second { // a tenth of a second, on an idle machine
			t.Errorf("%q: %v", s, took)
		}
	}
}
