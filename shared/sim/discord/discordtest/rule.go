package discordtest

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// rule is what the description demands of the values of one key, all places where the key stands taken together. Two values
// that a rule does not tell apart are allowed or refused alike.
type rule struct {
	length span // of a text, in code points
	size   span // of an array or an object
	number span
	exact  bool // there are values that it names
	unique bool // an element may not come twice
	dates  bool
	links  bool
	forms  []*regexp.Regexp
}

// span is a set of least and most values.
type span struct{ least, most []float64 }

// class is the same for numbers that lie between the same bounds.
func (s span) class(n float64) uint64 {
	class := uint64(0)
	for _, b := range s.least {
		if n < b {
			class++
		}
	}
	for _, b := range s.most {
		if n > b {
			class += 1 << 16
		}
	}
	return class
}

const (
	ofOthers = "*" // the key for values whose key is data, such as an id
	ofWhole  = ""  // the key for a whole body
)

// rules collects the rules of a description by key.
type rules struct {
	root  map[string]any
	byKey map[string]*rule
}

// rulesOf reads the rules out of a decoded description.
func rulesOf(tree any) map[string]*rule {
	root, _ := tree.(map[string]any)
	g := rules{root: root, byKey: map[string]*rule{}}
	g.walk(root)
	return g.byKey
}

// walk looks for keys. What only looks like a schema adds bounds that nothing needs, which costs a few shapes more.
func (g *rules) walk(at any) {
	switch at := at.(type) {
	case []any:
		for _, v := range at {
			g.walk(v)
		}
	case map[string]any:
		if named, is := at["properties"].(map[string]any); is {
			for key, schema := range named {
				g.demand(key, schema, 0)
			}
		}
		g.demand(ofOthers, at["additionalProperties"], 0)
		g.demand(ofWhole, at["schema"], 0)
		for _, v := range at {
			g.walk(v)
		}
	}
}

// demand adds a schema to the rule of a key: its own words and those of its alternatives and elements. Those of its properties belong
// to other keys.
func (g *rules) demand(key string, schema any, depth int) {
	s, is := schema.(map[string]any)
	if !is || depth > 16 {
		return
	}
	r := g.byKey[key]
	if r == nil {
		r = &rule{}
		g.byKey[key] = r
	}
	if ref, is := s["$ref"].(string); is {
		g.demand(key, g.at(ref), depth+1)
	}
	r.take(s)
	for _, word := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		several, _ := s[word].([]any)
		for _, v := range several {
			g.demand(key, v, depth+1)
		}
	}
	g.demand(key, s["items"], depth+1)
	g.demand(key, s["not"], depth+1)
}

// at is what a reference within the file means.
func (g *rules) at(ref string) any {
	var found any = g.root
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		object, _ := found.(map[string]any)
		found = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return found
}

// take adds a schema's own words.
func (r *rule) take(s map[string]any) {
	for word, bounds := range map[string]*[]float64{
		"minLength": &r.length.least, "maxLength": &r.length.most,
		"minItems": &r.size.least, "maxItems": &r.size.most, "minProperties": &r.size.least, "maxProperties": &r.size.most,
		"minimum": &r.number.least, "maximum": &r.number.most,
	} {
		if n, is := s[word].(json.Number); is {
			if f, err := n.Float64(); err == nil && !slices.Contains(*bounds, f) {
				*bounds = append(*bounds, f)
			}
		}
	}
	if _, named := s["const"]; named || s["enum"] != nil {
		r.exact = true
	}
	if s["uniqueItems"] == true {
		r.unique = true
	}
	switch format, _ := s["format"].(string); format {
	case "date-time":
		r.dates = true
	case "uri":
		r.links = true
	case "int32", "int64":
		r.number.add(wholes[format])
	}
	if form, is := s["pattern"].(string); is {
		same := func(f *regexp.Regexp) bool { return f.String() == form }
		if f, err := regexp.Compile(form); err == nil && !slices.ContainsFunc(r.forms, same) {
			r.forms = append(r.forms, f)
		}
	}
}

// add takes two bounds in.
func (s *span) add(bounds [2]float64) {
	if !slices.Contains(s.most, bounds[1]) {
		s.least, s.most = append(s.least, bounds[0]), append(s.most, bounds[1])
	}
}

// text is the class of a text: how many code points it has, whether it is of the forms that are asked for, and the text itself
// where some are named.
func (r *rule) text(text []byte) (class uint64, named []byte) {
	class = r.length.class(float64(points(text)))
	bit := uint64(1 << 32)
	holds := func(yes bool) {
		if yes {
			class |= bit
		}
		bit <<= 1
	}
	if r.dates {
		_, err := time.Parse(time.RFC3339, string(text))
		holds(err == nil)
	}
	if r.links {
		u, err := url.Parse(string(text))
		holds(err == nil && u.IsAbs())
	}
	for _, f := range r.forms {
		holds(f.Match(text))
	}
	if r.exact && len(text) <= 64 {
		named = text
	}
	return class, named
}

// points counts the code points of a text as it stands in JSON, where one may be written as an escape or two.
func points(text []byte) int {
	n := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c&0xC0 == 0x80: // inside a code point
			continue
		case c == '\\' && i+1 < len(text) && text[i+1] == 'u':
			low := i+3 < len(text) && (text[i+2]|0x20) == 'd' && (text[i+3]|0x20) >= 'c' && (text[i+3]|0x20) <= 'f' // half of a pair
			if i += 5; low {
				continue
			}
		case c == '\\':
			i++
		}
		n++
	}
	return n
}
