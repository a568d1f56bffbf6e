package kvtest

import (
	"context"
	"fmt"
	"math"

	"tsumugi/shared/kv"
)

var verbChecks = []check{
	{name: "put replaces the whole item", run: func(s *suite) {
		k := key("p", "s")
		s.absent(k)
		s.must(put(k, kv.Attrs{"a": "one", "b": int64(2)}))
		s.has(k, kv.Attrs{"a": "one", "b": int64(2)})
		s.must(put(k, kv.Attrs{"c": []byte{0, 255}}))
		s.has(k, kv.Attrs{"c": []byte{0, 255}})
	}},
	{name: "put without attributes is an item", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, nil))
		s.has(k, kv.Attrs{})
		s.refusedAt(0, put(k, nil, kv.Missing("")))
	}},
	{name: "every type keeps its extremes", run: func(s *suite) {
		k := key("p", "s")
		attrs := kv.Attrs{
			"max": int64(math.MaxInt64), "min": int64(math.MinInt64), "zero": int64(0), "empty": "", "none": []byte{},
			"runes": "織り 𝄞 \u0000 \U0010ffff", "digits": "007", "every": everyByte(), "name with spaces, # and ü": "kept",
		}
		s.must(put(k, attrs))
		s.has(k, attrs)
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"max": "", "min": []byte{}}})
		attrs["max"], attrs["min"] = "", []byte{}
		s.has(k, attrs)
	}},
	{name: "update creates an absent item from the key, set and add", run: func(s *suite) {
		k := key("p", "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"a": "one"}, Add: map[string]int64{"n": 3}, Remove: []string{"r"}})
		s.has(k, kv.Attrs{"a": "one", "n": int64(3)})
	}},
	{name: "update changes what it names and nothing else", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "one", "b": "two", "c": "three", "n": int64(40)}))
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"a": int64(1), "d": "four"}, Remove: []string{"b", "absent"},
			Add: map[string]int64{"n": 2, "m": -5}})
		s.has(k, kv.Attrs{"a": int64(1), "c": "three", "d": "four", "n": int64(42), "m": int64(-5)})
	}},
	{name: "add of zero makes the attribute", run: func(s *suite) {
		k := key("p", "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Add: map[string]int64{"n": 0}})
		s.has(k, kv.Attrs{"n": int64(0)})
	}},
	{name: "add to a string is malformed and changes nothing", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "7"}))
		s.refused(kv.ErrInvalid, kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"b": "new"}, Add: map[string]int64{"a": 1}})
		s.refused(kv.ErrInvalid, put(key("p", "other"), nil), kv.Op{Verb: kv.Update, Key: k, Add: map[string]int64{"a": 1}})
		s.has(k, kv.Attrs{"a": "7"})
		s.absent(key("p", "other"))
	}},
	{name: "delete removes, and absent is fine", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "one"}))
		s.must(kv.Op{Verb: kv.Delete, Key: k})
		s.absent(k)
		s.must(kv.Op{Verb: kv.Delete, Key: k})
		s.must(put(k, nil, kv.Missing("")))
	}},
	{name: "check holds and changes nothing", run: func(s *suite) {
		k := key("p", "s")
		s.must(holdOn(k, kv.Missing("")))
		s.absent(k)
		s.must(put(k, kv.Attrs{"a": "one"}))
		s.must(holdOn(k, kv.Is("a", "one")))
		s.refusedAt(0, holdOn(k, kv.Is("a", "two")))
		s.has(k, kv.Attrs{"a": "one"})
	}},
	{name: "all verbs in one write", run: func(s *suite) {
		s.must(put(key("p", "update"), kv.Attrs{"n": int64(1)}), put(key("p", "delete"), nil), put(key("p", "check"), nil))
		other := kv.Key{Space: Spaces[1], Partition: "p", Sort: "put"}
		s.must(put(other, kv.Attrs{"a": "b"}), kv.Op{Verb: kv.Update, Key: key("p", "update"), Add: map[string]int64{"n": 1}},
			kv.Op{Verb: kv.Delete, Key: key("p", "delete")}, holdOn(key("q", "check"), kv.Missing("")))
		s.has(other, kv.Attrs{"a": "b"})
		s.has(key("p", "update"), kv.Attrs{"n": int64(2)})
		s.absent(key("p", "delete"))
		s.absent(key("q", "check"))
	}},
	{name: "all or nothing, and the first refusal in order is named", run: func(s *suite) {
		s.must(put(key("p", "a"), kv.Attrs{"v": "old"}))
		s.refusedAt(1, put(key("p", "new"), nil), put(key("p", "a"), nil, kv.Is("v", "new")), put(key("p", "c"), nil))
		s.refusedAt(2, put(key("p", "new"), nil), kv.Op{Verb: kv.Update, Key: key("p", "a"), Set: kv.Attrs{"v": "new"}},
			holdOn(key("p", "b"), kv.Is("v", "x")), kv.Op{Verb: kv.Delete, Key: key("p", "c"), If: []kv.Cond{kv.Is("v", "x")}})
		s.absent(key("p", "new"))
		s.absent(key("p", "c"))
		s.has(key("p", "a"), kv.Attrs{"v": "old"})
	}},
	{name: "a hundred operations in one write", run: func(s *suite) {
		ops := make([]kv.Op, kv.MaxOps)
		for i := range ops {
			ops[i] = put(key("p", fmt.Sprintf("%03d", i)), kv.Attrs{"n": int64(i)}, kv.Missing(""))
		}
		s.must(ops...)
		s.has(key("p", "099"), kv.Attrs{"n": int64(99)})
		s.refusedAt(0, ops...)
		ops[0].If, ops[41].If = nil, nil
		s.refusedAt(1, ops...)
	}},
	{name: "attributes stay the caller's", run: func(s *suite) {
		k, b, attrs := key("p", "s"), []byte("kept"), kv.Attrs{"a": "kept"}
		attrs["b"] = b
		s.must(put(k, attrs))
		set := []byte("set")
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"c": set}})
		b[0], set[0], attrs["a"], attrs["z"] = '!', '!', "changed", "added"
		want := kv.Attrs{"a": "kept", "b": []byte("kept"), "c": []byte("set")}
		s.has(k, want)
		item, err := s.Get(s.ctx, k)
		if err != nil {
			s.Fatal(err)
		}
		item.Attrs["a"], item.Attrs["z"] = "changed", "added"
		item.Bytes("b")[0] = '!'
		page, err := s.Query(s.ctx, kv.Query{Space: k.Space, Partition: k.Partition})
		if err != nil || len(page.Items) != 1 {
			s.Fatalf("query: %v, %v", page, err)
		}
		page.Items[0].Bytes("c")[0] = '!'
		s.has(k, want)
	}},
	{name: "a context that has ended writes and reads nothing", run: func(s *suite) {
		k := key("p", "s")
		ended, cancel := context.WithCancel(s.ctx)
		cancel()
		if err := s.Write(ended, put(k, nil)); err == nil || kv.Retryable(err) {
			s.Errorf("write under an ended context: %v", err)
		}
		if err := s.Write(ended, put(k, nil), put(key("p", "t"), nil)); err == nil || kv.Retryable(err) {
			s.Errorf("write under an ended context: %v", err)
		}
		s.absent(k)
		if _, err := s.Get(ended, k); err == nil {
			s.Error("get under an ended context gave no error")
		}
		if _, err := s.BatchGet(ended, k); err == nil {
			s.Error("batch get under an ended context gave no error")
		}
		if _, err := s.Query(ended, kv.Query{Space: k.Space, Partition: "p"}); err == nil {
			s.Error("query under an ended context gave no error")
		}
	}},
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
