package discordtest

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

func TestShapes(t *testing.T) {
	d := &description{seed: maphash.MakeSeed(), seen: map[uint64]int{}}
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"other words":                 {`{"content":"one","id":"7"}`, `{"id":"8","content":"two"}`, true},
		"spaces":                      {`{"a":1,"b":[true]}`, "{ \"a\" : 1,\n \"b\" : [ true ] }", true},
		"one and many of a kind":      {`[{"a":"x"}]`, `[{"a":"x"},{"a":"y"}]`, true},
		"none and one":                {`[]`, `[{"a":"x"}]`, false},
		"another key":                 {`{"a":"x"}`, `{"b":"x"}`, false},
		"a key more":                  {`{"a":"x"}`, `{"a":"x","b":"x"}`, false},
		"a key at another place":      {`{"a":{"b":1},"c":{}}`, `{"a":{},"c":{"b":1}}`, false},
		"null":                        {`{"a":"x"}`, `{"a":null}`, false},
		"a number for a text":         {`{"a":"1"}`, `{"a":1}`, false},
		"2000 and 2001 characters":    {`{"a":"` + strings.Repeat("x", 1999) + `"}`, `{"a":"` + strings.Repeat("x", 2000) + `"}`, false},
		"a quote in a text":           {`{"a":"\"b\":"}`, `{"a":"\"c\":"}`, true},
		"another kind among the many": {`[{"a":1},{"a":1}]`, `[{"a":1},{"b":1}]`, false},
		"half a text":                 {`{"a":"x`, `{"a":"x"}`, true},
		"no JSON":                     {`error code: 1015`, `{}`, false},
		"the end after an escape":     {`"\`, ``, false},
	} {
		t.Run(name, func(t *testing.T) {
			if same := d.shape([]byte(c.a)) == d.shape([]byte(c.b)); same != c.same {
				t.Errorf("same %v", same)
			}
		})
	}
}

// TestNoNewShapeIsSkipped: the first of a shape are all judged, then some, and a new one among a thousand old ones is.
func TestNoNewShapeIsSkipped(t *testing.T) {
	d := &description{seed: maphash.MakeSeed(), seen: map[uint64]int{}}
	call := func(answer string) simdiscord.Exchange {
		return simdiscord.Exchange{Call: simdiscord.Call{Method: "GET", Route: "/x", Status: 200}, Target: "/api/v10/x", Answer: []byte(answer)}
	}
	judged := 0
	for i := range 1000 {
		if d.due(call(fmt.Sprintf(`{"n":"%d"}`, i))) {
			judged++
		}
	}
	if judged < firstOfShape || judged > 100 {
		t.Errorf("%d of 1000 were judged", judged)
	}
	other := call(`{"n":"1"}`)
	other.Status = 201
	for what, x := range map[string]simdiscord.Exchange{"a new key": call(`{"m":"1"}`), "a new status": other} {
		if !d.due(x) {
			t.Errorf("%s was not judged", what)
		}
	}
}
