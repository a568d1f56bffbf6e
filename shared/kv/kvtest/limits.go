package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"tsumugi/shared/kv"
)

// malformed are writes that no driver may try, by what is wrong with them.
func malformed() map[string][]kv.Op {
	k := key("p", "s")
	many := make([]kv.Op, kv.MaxOps+1)
	for i := range many {
		many[i] = put(key("p", fmt.Sprint(i)), nil)
	}
	update := func(op kv.Op) []kv.Op { op.Verb, op.Key = kv.Update, k; return []kv.Op{op} }
	return map[string][]kv.Op{
		"no ops":              nil,
		"101 ops":             many,
		"two ops on one item": {put(k, nil), holdOn(key("p", "t"), kv.Missing("")), kv.Op{Verb: kv.Delete, Key: k}},
		"empty space":         {put(kv.Key{Partition: "p", Sort: "s"}, nil)},
		"empty partition":     {put(key("", "s"), nil)},
		"empty sort key":      {put(key("p", ""), nil)},
		"long partition":      {put(key(strings.Repeat("p", kv.MaxPartition+1), "s"), nil)},
		"long sort key":       {put(key("p", strings.Repeat("s", kv.MaxSort+1)), nil)},
		"key not UTF-8":       {put(key("p", "a\xff"), nil)},
		"int":                 {put(k, kv.Attrs{"a": 1})},
		"bool":                {put(k, kv.Attrs{"a": true})},
		"float":               {put(k, kv.Attrs{"a": 1.5})},
		"nil":                 {put(k, kv.Attrs{"a": nil})},
		"text not UTF-8":      {put(k, kv.Attrs{"a": "\xc3"})},
		"set of an int":       update(kv.Op{Set: kv.Attrs{"a": 1}}),
		"empty name":          {put(k, kv.Attrs{"": "a"})},
		"reserved name":       {put(k, kv.Attrs{"pk": "a"})},
		"ttl is text":         {put(k, kv.Attrs{kv.TTL: "1"})},
		"due is text":         update(kv.Op{Set: kv.Attrs{kv.DueAt: "1"}}),
		"empty update":        update(kv.Op{}),
		"set and remove":      update(kv.Op{Set: kv.Attrs{"a": "b"}, Remove: []string{"a"}}),
		"set and add":         update(kv.Op{Set: kv.Attrs{"a": int64(1)}, Add: map[string]int64{"a": 1}}),
		"removed twice":       update(kv.Op{Remove: []string{"a", "a"}}),
		"put with set":        {{Verb: kv.Put, Key: k, Set: kv.Attrs{"a": "b"}}},
		"delete with attrs":   {{Verb: kv.Delete, Key: k, Attrs: kv.Attrs{"a": "b"}}},
		"check without if":    {holdOn(k)},
		"unknown verb":        {{Verb: kv.Check + 1, Key: k}},
		"condition on int":    {holdOn(k, kv.Is("a", 1))},
		"less on bytes":       {holdOn(k, kv.Under("a", []byte("b")))},
		"equals of no name":   {holdOn(k, kv.Is("", "b"))},
		"absent with value":   {holdOn(k, kv.Cond{Attr: "a", Value: "b"})},
		"unknown test":        {holdOn(k, kv.Cond{Attr: "a", Test: kv.Less + 1, Value: "b"})},
		"good beside bad":     {put(k, nil), put(key("p", ""), nil)},
	}
}

var validationChecks = []check{
	{name: "malformed writes are refused and write nothing", run: func(s *suite) {
		for what, ops := range malformed() {
			err := s.Write(s.ctx, ops...)
			if !errors.Is(err, kv.ErrInvalid) || kv.Retryable(err) || errors.Is(err, kv.ErrCondition) {
				s.Errorf("%s: got %v, want ErrInvalid", what, err)
			}
		}
		s.absent(key("p", "s"))
		s.absent(key("p", "0"))
	}},
	{name: "malformed reads are refused", run: func(s *suite) {
		for _, k := range []kv.Key{{}, key("", "s"), key("p", ""), {Partition: "p", Sort: "s"}} {
			if _, err := s.Get(s.ctx, k); !errors.Is(err, kv.ErrInvalid) {
				s.Errorf("get %s: got %v, want ErrInvalid", k, err)
			}
		}
		for _, q := range []kv.Query{{}, {Space: Spaces[0]}, {Partition: "p"}, {Space: Spaces[0], Partition: "p", Limit: -1},
			{Space: Spaces[0], Partition: "p", Prefix: "a\xff"}} {
			if _, err := s.Query(s.ctx, q); !errors.Is(err, kv.ErrInvalid) {
				s.Errorf("query %+v: got %v, want ErrInvalid", q, err)
			}
		}
	}},
	{name: "the longest keys are kept", run: func(s *suite) {
		k := key(strings.Repeat("p", kv.MaxPartition), strings.Repeat("s", kv.MaxSort))
		s.must(put(k, kv.Attrs{"a": "b"}))
		s.has(k, kv.Attrs{"a": "b"})
	}},
}

// sized is an item of exactly n bytes by kv.Size whose text is of runes of the width.
func sized(k kv.Key, n, width int) kv.Attrs {
	letter := map[int]string{1: "x", 4: "𝄞"}[width]
	attrs := kv.Attrs{"text": "", "number": int64(1), "bytes": []byte("1234")}
	left := n - kv.Size(kv.Item{Key: k, Attrs: attrs})
	attrs["text"] = strings.Repeat(letter, left/width) + strings.Repeat("x", left%width)
	return attrs
}

var sizeChecks = []check{
	{name: "an item of 399 and of exactly 400 KB is kept, one byte more is too large", run: func(s *suite) {
		for _, width := range []int{1, 4} {
			k := key("p", fmt.Sprint("width ", width))
			for _, n := range []int{399 << 10, kv.MaxItem} {
				attrs := sized(k, n, width)
				s.must(put(k, attrs))
				s.has(k, attrs)
			}
			fresh := key("p", "fresh")
			s.refused(kv.ErrTooLarge, put(fresh, sized(fresh, kv.MaxItem+1, width)))
			s.refused(kv.ErrTooLarge, put(fresh, sized(fresh, 401<<10, width)), put(key("p", "small"), nil))
			s.absent(fresh)
			s.absent(key("p", "small"))
		}
	}},
	{name: "attribute names and keys count in the size", run: func(s *suite) {
		s.refused(kv.ErrTooLarge, put(key("p", "s"), kv.Attrs{strings.Repeat("n", 1000): strings.Repeat("x", kv.MaxItem-1000)}))
		s.refused(kv.ErrTooLarge, put(key("p", strings.Repeat("s", 1000)), kv.Attrs{"a": bytes.Repeat([]byte("x"), kv.MaxItem-1000)}))
	}},
	{name: "an update may not grow an item over 400 KB", run: func(s *suite) {
		k, half := key("p", "s"), strings.Repeat("x", 250<<10)
		s.must(put(k, kv.Attrs{"a": half}))
		grow := kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"b": half}}
		s.refused(kv.ErrTooLarge, grow)
		s.refused(kv.ErrTooLarge, put(key("p", "other"), nil), grow)
		s.absent(key("p", "other"))
		s.has(k, kv.Attrs{"a": half})
		grow.Remove = []string{"a"}
		s.must(grow)
		s.has(k, kv.Attrs{"b": half})
	}},
	{name: "one write carries at most 4 MB", run: func(s *suite) {
		ops := make([]kv.Op, 11)
		for i := range ops {
			ops[i] = put(key("p", fmt.Sprint(i)), kv.Attrs{"a": strings.Repeat("x", 390<<10)})
		}
		s.refused(kv.ErrTooLarge, ops...)
		s.absent(key("p", "0"))
		s.must(ops[:10]...)
	}},
}
