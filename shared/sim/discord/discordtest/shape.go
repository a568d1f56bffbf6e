package discordtest

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	simdiscord "tsumugi/shared/sim/discord"
)

// A story makes the same calls a thousand times under every accident. Calls of one shape are judged whole at first and then now
// and then; a shape that was never seen is always judged. A shape is the route, the status, the address without its ids, and of
// both bodies every key at its place, the kind of its value, and between which bounds of the description the value lies.
const (
	firstOfShape = 16 // are all judged,
	thenOneIn    = 64 // of the rest
)

// due says whether a call is to be judged. A form with files always is.
func (d *description) due(x simdiscord.Exchange) bool {
	if len(x.Sent) > 0 && !strings.HasPrefix(x.Asked.Get("Content-Type"), jsonType) {
		return true
	}
	var h maphash.Hash
	h.SetSeed(d.seed)
	for _, s := range []string{x.Method, x.Route, ids.ReplaceAllString(x.Target, "0"), string(x.Fault), x.Header.Get("Content-Type")} {
		h.WriteString(s)
		h.WriteByte(0)
	}
	maphash.WriteComparable(&h, [3]uint64{uint64(x.Status), d.shape(x.Sent), d.shape(x.Answer)})
	key := h.Sum64()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[key]++
	n := d.seen[key]
	return n <= firstOfShape || n%thenOneIn == 0
}

// shape sums up a JSON text; of anything else it is the text's length and nothing.
func (d *description) shape(text []byte) uint64 {
	s := scan{text: text, seed: d.seed, rules: d.rules}
	return s.value(s.rule(ofWhole))
}

// scan walks over a JSON text without building it. It believes the text: what is no JSON has some shape too.
type scan struct {
	text  []byte
	at    int
	seed  maphash.Seed
	rules map[string]*rule
}

// nothing is the rule of a key that the description does not know.
var nothing = &rule{}

func (s *scan) rule(key string) *rule {
	for _, k := range []string{key, ofOthers} {
		if r := s.rules[k]; r != nil {
			return r
		}
	}
	return nothing
}

// next is the next byte that is no space, 0 at the end.
func (s *scan) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

func (s *scan) value(r *rule) uint64 {
	switch c := s.next(); c {
	case '{':
		return s.object(r)
	case '[':
		return s.array(r)
	case '"':
		class, named := r.text(s.string())
		return s.sum(class, maphash.Bytes(s.seed, named)) + '"'
	default: // a number, true, false, null, or nonsense
		return s.bare(r)
	}
}

// bare is a value without quotes: what it begins with, whether it has a fraction, and the number's place among the bounds.
func (s *scan) bare(r *rule) uint64 {
	from := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte(",]}: \n"), s.text[s.at]) < 0 {
		s.at++
	}
	text := s.text[from:s.at]
	if len(text) == 0 {
		s.at = len(s.text)
		return s.sum(0, 0)
	}
	n, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil: // a word
		return s.sum('w', maphash.Bytes(s.seed, text))
	case r.exact && len(text) <= 64:
		return s.sum('n', maphash.Bytes(s.seed, text))
	case n != math.Trunc(n):
		return s.sum('f', r.number.class(n))
	}
	return s.sum('n', r.number.class(n))
}

// object adds its members up, for their order means nothing. A key that is an id is like another.
func (s *scan) object(r *rule) uint64 {
	total, members := uint64('{'), 0
	for s.at++; ; members++ {
		switch s.next() {
		case '"':
			key := s.string()
			of := s.rules[string(key)]
			if of == nil {
				of = s.rule(ofOthers)
				key = ids.ReplaceAll(key, []byte("0"))
			}
			total += s.sum(maphash.Bytes(s.seed, key), s.value(of))
		case '}':
			s.at++
			return total + s.sum('{', r.size.class(float64(members)))
		default:
			return total
		}
	}
}

// array adds the different shapes of its elements up, and how many there are only as far as a bound is set.
func (s *scan) array(r *rule) uint64 {
	total, n, twice := uint64('['), 0, uint64(0)
	var shapes, whole []uint64
	for s.at++; ; n++ {
		switch s.next() {
		case ']':
			s.at++
			return total + s.sum(twice, r.size.class(float64(n)))
		case 0, '}':
			return total
		}
		from := s.at
		v := s.value(r)
		if !slices.Contains(shapes, v) {
			shapes = append(shapes, v)
			total += s.sum('[', v)
		}
		if r.unique {
			text := maphash.Bytes(s.seed, s.text[from:s.at])
			if slices.Contains(whole, text) {
				twice = 1
			}
			whole = append(whole, text)
		}
	}
}

// string is what stands between two quotes, escapes included.
func (s *scan) string() []byte {
	s.at++
	from := s.at
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.text[from : s.at-1]
		}
	}
	s.at = len(s.text)
	return s.text[min(from, len(s.text)):]
}

func (s *scan) sum(a, b uint64) uint64 { return maphash.Comparable(s.seed, [2]uint64{a, b}) }
