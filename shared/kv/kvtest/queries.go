package kvtest

import (
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/kv"
)

// traps are sort keys in order of their bytes, with neighbours of prefixes, bytes that others use as separators, and the
// ends of the UTF-8 ranges.
var traps = []string{"\x00", "#", "a", "a\x00", "a!", "a#", "a#1", "a#10", "a#2", "a#~", "a#\x7f", "a#é", "a#\uffff",
	"a#\U0010ffff", "a$", "b", "b#1", "~", "\x7f", "é", "\u07ff", "\uffff", "\U00010000", "\U0010ffff", "\U0010ffff!",
	"\U0010ffff\U0010ffff"}

var queryChecks = []check{
	{name: "query walks a partition in byte order, both ways, in pages of any size", run: func(s *suite) {
		s.fill("p", traps)
		s.fill("p#", []string{"a", "z"})
		s.fill("o", []string{"a", "z"})
		s.must(put(kv.Key{Space: Spaces[1], Partition: "p", Sort: "a#3"}, nil))
		for _, limit := range []int{0, 1, 2, 3, 7, 100} {
			s.walk(kv.Query{Partition: "p", Limit: limit}, traps)
			s.walk(kv.Query{Partition: "p", Limit: limit, Reverse: true}, backwards(traps))
		}
	}},
	{name: "query by prefix ends where the prefix ends", run: func(s *suite) {
		s.prefixes("a", "a#", "a#1", "b", "c", "~", "\x7f", "é", "\uffff", "\U0010ffff", "\U0010ffff\U0010ffff", "a#~~")
	}},
	{name: "query by a prefix with a zero byte", run: func(s *suite) {
		s.prefixes("\x00", "a\x00", "a\x00\x00")
	}},
	{name: "query after a key that is absent or outside of the prefix", run: func(s *suite) {
		s.fill("p", []string{"a!1", "a#1", "a#3", "a#5", "a~1", "b#1"})
		for _, c := range []struct {
			after   string
			reverse bool
			want    []string
		}{
			{"a#2", false, []string{"a#3", "a#5"}}, {"a#4", true, []string{"a#3", "a#1"}},
			{"a#5", false, nil}, {"a#1", true, nil}, {"a#1", false, []string{"a#3", "a#5"}}, {"a#5", true, []string{"a#3", "a#1"}},
			{"a", false, []string{"a#1", "a#3", "a#5"}}, {"a", true, nil},
			{"b", false, nil}, {"b", true, []string{"a#5", "a#3", "a#1"}},
			{"a#", false, []string{"a#1", "a#3", "a#5"}}, {"a#", true, nil}, {"a#\U0010ffff", true, []string{"a#5", "a#3", "a#1"}},
		} {
			s.walk(kv.Query{Partition: "p", Prefix: "a#", After: c.after, Reverse: c.reverse}, c.want)
		}
	}},
	{name: "query of a partition that is empty", run: func(s *suite) {
		s.walk(kv.Query{Partition: "nothing"}, nil)
		s.walk(kv.Query{Partition: "nothing", Prefix: "a", Reverse: true, After: "b", Limit: 1}, nil)
	}},
	{name: "query pages through more than a megabyte", run: func(s *suite) {
		var want []string
		for i := range 12 {
			sk := fmt.Sprintf("%02d", i)
			want = append(want, sk)
			s.must(put(key("p", sk), kv.Attrs{"text": strings.Repeat("x", 200<<10)}))
		}
		s.walk(kv.Query{Partition: "p"}, want)
		s.walk(kv.Query{Partition: "p", Reverse: true, Limit: 9}, backwards(want))
	}},
	{name: "query gives whole items", run: func(s *suite) {
		attrs := kv.Attrs{"a": "x", "n": int64(-1), "b": []byte{1}, kv.DueAt: int64(5)}
		s.must(put(key("p", "s"), attrs))
		page, err := s.Query(s.ctx, kv.Query{Space: Spaces[0], Partition: "p"})
		if err != nil || len(page.Items) != 1 || page.Items[0].Key != key("p", "s") || !same(page.Items[0].Attrs, attrs) {
			s.Errorf("query: got %+v, %v", page, err)
		}
	}},
}

// prefixes asks for each prefix among the traps.
func (s *suite) prefixes(prefixes ...string) {
	s.Helper()
	s.fill("p", traps)
	for _, prefix := range prefixes {
		var want []string
		for _, sk := range traps {
			if strings.HasPrefix(sk, prefix) {
				want = append(want, sk)
			}
		}
		for _, limit := range []int{0, 2} {
			s.walk(kv.Query{Partition: "p", Prefix: prefix, Limit: limit}, want)
			s.walk(kv.Query{Partition: "p", Prefix: prefix, Limit: limit, Reverse: true}, backwards(want))
		}
	}
}

// fill puts an empty item at each sort key.
func (s *suite) fill(partition string, sks []string) {
	s.Helper()
	for chunk := range slices.Chunk(sks, kv.MaxOps) {
		var ops []kv.Op
		for _, sk := range chunk {
			ops = append(ops, put(key(partition, sk), nil))
		}
		s.must(ops...)
	}
}

// walk follows the pages of a query in the first space to the end and compares the sort keys.
func (s *suite) walk(q kv.Query, want []string) {
	s.Helper()
	q.Space = Spaces[0]
	first := q
	var got []string
	for range 4*len(want) + 20 {
		page, err := s.Query(s.ctx, q)
		if err != nil {
			s.Fatalf("query %+v: %v", q, err)
		}
		if q.Limit > 0 && len(page.Items) > q.Limit {
			s.Errorf("query %+v: a page of %d items", q, len(page.Items))
		}
		got = append(got, sorts(page.Items)...)
		if page.Next == "" {
			if !slices.Equal(got, want) {
				s.Errorf("query %+v:\n got %q\nwant %q", first, got, want)
			}
			return
		}
		q.After = page.Next
	}
	s.Errorf("query %+v does not end", first)
}

func backwards(sks []string) []string {
	out := slices.Clone(sks)
	slices.Reverse(out)
	return out
}
