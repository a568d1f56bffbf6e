package locale

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var place = regexp.MustCompile(`\{[a-z_]+\}`)

// places are what a text wants filled in, once each.
func places(text string) []string {
	all := place.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryLanguageIsComplete(t *testing.T) {
	want := texts()[Default]
	if len(want) < 15 {
		t.Fatalf("the default language has %d texts", len(want))
	}
	for _, l := range Languages()[1:] {
		have := texts()[l]
		for key, text := range want {
			form, one := strings.CutSuffix(key, ".one")
			switch other, ok := have[key]; {
			case !ok && one && have[form+".other"] != "": // it does not tell one from many
			case !ok:
				t.Errorf("%s lacks %s: %q", l, key, text)
			case !slices.Equal(places(text), places(other)) && !one:
				t.Errorf("%s fills %q in at %s, where %s fills in %q", l, places(other), key, Default, places(text))
			}
		}
		for key := range have {
			if _, ok := want[key]; !ok {
				t.Errorf("%s has %s, which %s has not", l, key, Default)
			}
		}
	}
}

func TestTextsAreTidy(t *testing.T) {
	for _, l := range Languages() {
		for key, text := range texts()[l] {
			if text == "" || text != strings.TrimSpace(text) || strings.Contains(text, "  ") {
				t.Errorf("%s: %s is %q", l, key, text)
			}
			if strings.ContainsAny(place.ReplaceAllString(text, ""), "{}") {
				t.Errorf("%s: %s has a brace that is no place: %q", l, key, text)
			}
		}
	}
}

func TestSay(t *testing.T) {
	if got := Default.Say("refused.permission", "command", "/x {permission}", "permission", "P"); !strings.Contains(got, "/x {permission}") || !strings.Contains(got, "permission P") {
		t.Errorf("what is filled in is filled in again: %q", got)
	}
	if got := Language("xx").Say("stop.done"); got != Default.Say("stop.done") {
		t.Errorf("a language without texts says %q", got)
	}
	if got := Default.Say("no.such.key"); got != "no.such.key" || Has("no.such.key") || !Has("stop.done") {
		t.Errorf("a text that is missing is %q", got)
	}
}

func TestPick(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  Language
	}{{nil, "en"}, {[]string{"", "ja"}, "ja"}, {[]string{"tlh", "ja"}, "ja"}, {[]string{"en-GB", "ja"}, "en"}, {[]string{"xx"}, "en"}} {
		if got := Pick(c.names...); got != c.want {
			t.Errorf("of %q it picks %s, want %s", c.names, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for l, forms := range map[Language][2]string{"en": {"1 waiting message ", "3 waiting messages "}, "ja": {"1 件", "3 件"}} {
		if got := l.Count("kill.done", 1); !strings.Contains(got, forms[0]) {
			t.Errorf("%s: %q", l, got)
		}
		if got := l.Count("kill.done", 3); !strings.Contains(got, forms[1]) {
			t.Errorf("%s: %q", l, got)
		}
	}
}
