package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tsumugi/shared/locale"
)

// catalogue is every text of a language by its key, as the file of package locale has it.
func catalogue(t *testing.T, l locale.Language) map[string]string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "locale", string(l)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(body, &tree); err != nil {
		t.Fatal(err)
	}
	flat := map[string]string{}
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for k, v := range tree {
			switch v := v.(type) {
			case string:
				flat[prefix+k] = v
			case map[string]any:
				walk(prefix+k+".", v)
			}
		}
	}
	walk("", tree)
	return flat
}

// said finds the keys that a text may have come from.
type said struct {
	once   sync.Once
	shapes map[string]*regexp.Regexp
}

var texts said

var filledIn = regexp.MustCompile(`\\\{[a-z_]+\\\}`)

func (s *said) by(t *testing.T, text string) (keys []string) {
	t.Helper()
	s.once.Do(func() {
		s.shapes = map[string]*regexp.Regexp{}
		for key, text := range catalogue(t, locale.Default) {
			if bare := strings.TrimSpace(place.ReplaceAllString(text, "")); len(bare) > 1 { // one that is all places fits everything
				s.shapes[key] = regexp.MustCompile("^" + filledIn.ReplaceAllString(regexp.QuoteMeta(text), "(.*)") + "$")
			}
		}
	})
	for key, shape := range s.shapes {
		if shape.MatchString(text) {
			keys = append(keys, key)
		}
	}
	return keys
}

// elsewhere are the bounds of a text in the languages that it is not read in: what is filled in is the same there.
func (p *person) elsewhere(what, text string, most int) {
	p.t.Helper()
	if p.who.Locale != "en-US" || most >= 2000 || text == "" { // whole answers are put together of many texts
		return
	}
	for _, key := range texts.by(p.t, text) {
		filled := texts.shapes[key].FindStringSubmatch(text)[1:]
		for _, l := range locale.Languages()[1:] {
			other, n := l.Say(key), 0
			for _, f := range filled {
				n += length(f)
			}
			if bare := place.ReplaceAllString(other, ""); length(bare)+n > most {
				p.t.Errorf("%s has more than %d characters in %s: %s is %q", what, most, l, key, other)
			}
		}
	}
}

var place = regexp.MustCompile(`\{[a-z_]+\}`)

func TestTextsAreFoundByWhatTheySay(t *testing.T) {
	for text, want := range map[string]string{"Correct it": "dialog.correct", "3 of 7": "dialog.page", "Stopping.": "stop.done"} {
		if got := texts.by(t, text); len(got) == 0 || got[0] != want && len(got) == 1 {
			t.Errorf("%q comes from %v, not from %s", text, got, want)
		}
	}
}
