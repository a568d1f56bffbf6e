package discordtest

import (
	"fmt"
	"hash/maphash"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	simdiscord "tsumugi/shared/sim/discord"
)

// described is a description with bounds of its own.
func described(t *testing.T) *description {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"paths":{"/x":{"get":{"schema":{"$ref":"#/components/schemas/A"}}}},
		"components":{"schemas":{
			"A":{"maxItems":3,"properties":{
				"content":{"type":["string","null"],"maxLength":2000},
				"nonce":{"oneOf":[{"type":"string","maxLength":25},{"type":"integer","format":"int32"}]},
				"kind":{"$ref":"#/components/schemas/Kind"},
				"few":{"type":"array","maxItems":2,"uniqueItems":true,"items":{"type":"string","minLength":2}},
				"at":{"type":"string","format":"date-time"},
				"link":{"type":"string","format":"uri"},
				"id":{"type":"string","pattern":"^(0|[1-9][0-9]*)$"},
				"share":{"minimum":0,"maximum":1},
				"people":{"additionalProperties":{"maxLength":4},"maxProperties":2}}},
			"Kind":{"oneOf":[{"const":1},{"const":2}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return &description{rules: rulesOf(tree), seed: maphash.MakeSeed(), seen: map[uint64]int{}}
}

func TestShapes(t *testing.T) {
	d := described(t)
	long := func(key string, n int) string { return `{"` + key + `":"` + strings.Repeat("x", n) + `"}` }
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
		"1 and 2000 characters":       {long("content", 1), long("content", 2000), true},
		"2000 and 2001 characters":    {long("content", 2000), long("content", 2001), false},
		"a bound of an alternative":   {long("nonce", 25), long("nonce", 26), false},
		"25 characters of two bytes":  {long("nonce", 25), `{"nonce":"` + strings.Repeat("é", 25) + `"}`, true},
		"25 escapes":                  {long("nonce", 25), `{"nonce":"` + strings.Repeat(`\u00e9`, 24) + `\n"}`, true},
		"26 escapes":                  {long("nonce", 25), `{"nonce":"` + strings.Repeat(`\u00e9`, 26) + `"}`, false},
		"25 pairs of escapes":         {long("nonce", 25), `{"nonce":"` + strings.Repeat(`\ud83c\udf75`, 25) + `"}`, true},
		"26 pairs of escapes":         {long("nonce", 25), `{"nonce":"` + strings.Repeat(`\ud83c\udf75`, 26) + `"}`, false},
		"a number out of its format":  {`{"nonce":2147483647}`, `{"nonce":2147483648}`, false},
		"a value behind a reference":  {`{"kind":1}`, `{"kind":3}`, false},
		"two and three elements":      {`{"few":["ab","cd"]}`, `{"few":["ab","cd","ef"]}`, false},
		"an element twice":            {`{"few":["ab","cd"]}`, `{"few":["ab","ab"]}`, false},
		"a short element":             {`{"few":["ab","cd"]}`, `{"few":["ab","c"]}`, false},
		"three and four on top":       {`[{},{},{}]`, `[{},{},{},{}]`, false},
		"another time":                {`{"at":"2026-11-30T12:00:00Z"}`, `{"at":"2025-01-01T00:00:00.5Z"}`, true},
		"no time":                     {`{"at":"2026-11-30T12:00:00Z"}`, `{"at":"2026-13-30T12:00:00Z"}`, false},
		"no link":                     {`{"link":"https://a.invalid/b"}`, `{"link":"a/b"}`, false},
		"another id":                  {`{"id":"7"}`, `{"id":"132271575138304000"}`, true},
		"no id":                       {`{"id":"7"}`, `{"id":"07"}`, false},
		"below nothing":               {`{"share":0.5}`, `{"share":-0.5}`, false},
		"a whole for a part":          {`{"share":0.5}`, `{"share":1}`, false},
		"another person":              {`{"people":{"132271575138304000":"ana"}}`, `{"people":{"132271575138304001":"ben"}}`, true},
		"a person too many":           {`{"people":{"a":"b","c":"d"}}`, `{"people":{"a":"b","c":"d","e":"f"}}`, false},
		"a long person":               {`{"people":{"a":"ana"}}`, `{"people":{"a":"chiyo"}}`, false},
		"a quote in a text":           {`{"a":"\"b\":"}`, `{"a":"\"c\":"}`, true},
		"another kind among the many": {`[{"a":1},{"a":1}]`, `[{"a":1},{"b":1}]`, false},
		"half a text":                 {`{"a":"x`, `{"a":"x"}`, false},
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
	d := described(t)
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
	form := call(`{"n":"1"}`)
	form.Sent, form.Asked = []byte("--x--"), http.Header{"Content-Type": {"multipart/form-data; boundary=x"}}
	for what, x := range map[string]simdiscord.Exchange{"a new key": call(`{"m":"1"}`), "a new status": other, "a form": form} {
		if !d.due(x) {
			t.Errorf("%s was not judged", what)
		}
	}
}
