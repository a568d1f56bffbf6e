package speech_test

import (
	"strings"
	"testing"

	"tsumugi/shared/speech"
)

func TestContinuedC12(t *testing.T) {
	for trap, c := range map[string]struct{ before, after, want string }{
		"said again":           {"The fog came over the quay", "over the quay and stayed.", "The fog came over the quay and stayed."},
		"not said again":       {"The fog came", " in.", "The fog came in."},
		"too short":            {"It is so, so", "so, so be it", "It is so, soso, so be it"},
		"the longest":          {"abcabcabcdabcabcabcd", "abcabcabcd!", "abcabcabcdabcabcabcd!"},
		"all of it":            {"The fog came", "The fog came", "The fog came"},
		"dashes":               {"----------", "----------", "--------------------"},
		"laughter":             {"hahahahaha", "hahahahaha!", "hahahahahahahahahaha!"},
		"letters of two bytes": {"Ça été léger été léger", "été léger ici", "Ça été léger été léger ici"},
		"nothing":              {"", "hi", "hi"},
		"far away":             {"The fog came in." + strings.Repeat("x. ", 2000), "The fog came in.", "The fog came in." + strings.Repeat("x. ", 2000) + "The fog came in."},
	} {
		got := speech.Continued(c.before, c.after, true)
		if got != c.want {
			t.Errorf("%s: got %q", trap, got)
		}
		for cut := range len(c.after) {
			if early := speech.Continued(c.before, c.after[:cut], false); !strings.HasPrefix(got, early) {
				t.Errorf("%s: %q was shown", trap, early)
			}
		}
	}
}

func FuzzContinued(f *testing.F) {
	f.Add("The fog came over the quay", "over the quay and stayed.", 9)
	f.Add("hahahahahahaha", "hahahahahahahaha", 3)
	f.Fuzz(func(t *testing.T, before, after string, cut int) {
		cut = min(max(cut, 0), len(after))
		early, final := speech.Continued(before, after[:cut], false), speech.Continued(before, after, true)
		if !strings.HasPrefix(final, early) || !strings.HasSuffix(before+after, final[len(before):]) {
			t.Fatalf("%q then %q: %q was shown, then %q", before, after, early, final)
		}
	})
}
