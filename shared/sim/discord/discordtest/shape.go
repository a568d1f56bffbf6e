package discordtest

import (
	"hash/maphash"
	"slices"

	simdiscord "tsumugi/shared/sim/discord"
)

// A story makes the same calls a thousand times under every accident. Calls of one shape are judged whole at first and then now
// and then; a shape that was never seen is always judged. A shape is the route, the status, the address without its ids, and of
// both bodies every key at its place, the kind of its value and how long a text is.
const (
	firstOfShape = 16 // are all judged,
	thenOneIn    = 64 // of the rest
)

// due says whether a call is to be judged.
func (d *description) due(x simdiscord.Exchange) bool {
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
	s := scan{text: text, seed: d.seed}
	return s.value()
}

// scan walks over a JSON text without building it. It believes the text: what is no JSON has some shape too.
type scan struct {
	text []byte
	at   int
	seed maphash.Seed
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

func (s *scan) value() uint64 {
	switch c := s.next(); c {
	case '{':
		return s.object()
	case '[':
		return s.array()
	case '"':
		return s.sum('"', uint64(len(s.string()))/250)
	default: // a number, true, false, null, or nonsense
		from := s.at
		for s.at < len(s.text) && !slices.Contains([]byte(",]}: \n"), s.text[s.at]) {
			s.at++
		}
		if s.at == from {
			s.at = len(s.text)
		}
		return s.sum(uint64(c), uint64(s.at-from))
	}
}

// object adds its members up, for their order means nothing.
func (s *scan) object() uint64 {
	total := uint64('{')
	for s.at++; ; {
		switch s.next() {
		case '"':
			key := maphash.Bytes(s.seed, s.string())
			total += s.sum(key, s.value())
		case '}':
			s.at++
			return total
		default:
			return total
		}
	}
}

// array adds the different shapes of its elements up, for how many there are means little.
func (s *scan) array() uint64 {
	total, before := uint64('['), []uint64(nil)
	for s.at++; ; {
		switch s.next() {
		case ']':
			s.at++
			return total
		case 0, '}':
			return total
		}
		if v := s.value(); !slices.Contains(before, v) {
			before = append(before, v)
			total += s.sum('[', v)
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
