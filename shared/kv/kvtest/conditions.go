package kvtest

import (
	"math"

	"tsumugi/shared/kv"
)

// truth is one condition on one item and whether it holds.
type truth struct {
	cond  kv.Cond
	holds bool
}

var conditionChecks = []check{
	{name: "conditions on an absent item", run: func(s *suite) {
		s.table(key("p", "absent"), []truth{
			{kv.Missing(""), true}, {kv.Missing("a"), true}, {kv.Is("a", "x"), false}, {kv.Is("a", ""), false},
			{kv.Is("n", int64(0)), false}, {kv.Under("n", int64(9)), false}, {kv.Under("a", "z"), false},
		})
	}},
	{name: "an absent attribute is not an absent item", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "x", "e": "", "z": int64(0)}))
		s.table(k, []truth{
			{kv.Missing(""), false}, {kv.Missing("b"), true}, {kv.Missing("a"), false}, {kv.Missing("e"), false},
			{kv.Missing("z"), false}, {kv.Is("b", ""), false}, {kv.Is("b", int64(0)), false}, {kv.Under("b", int64(1)), false},
		})
	}},
	{name: "equals compares the value and the type", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"s": "7", "n": int64(7), "b": []byte("7"), "e": "", "f": []byte{}}))
		s.table(k, []truth{
			{kv.Is("s", "7"), true}, {kv.Is("s", "07"), false}, {kv.Is("s", int64(7)), false}, {kv.Is("s", []byte("7")), false},
			{kv.Is("n", int64(7)), true}, {kv.Is("n", int64(-7)), false}, {kv.Is("n", "7"), false},
			{kv.Is("b", []byte("7")), true}, {kv.Is("b", []byte("8")), false}, {kv.Is("b", "7"), false},
			{kv.Is("e", ""), true}, {kv.Is("e", []byte{}), false}, {kv.Is("f", []byte{}), true}, {kv.Is("f", ""), false},
		})
	}},
	{name: "less compares integers by value", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"n": int64(9), "m": int64(-3), "big": int64(math.MaxInt64 - 1), "low": int64(math.MinInt64)}))
		s.table(k, []truth{
			{kv.Under("n", int64(10)), true}, {kv.Under("n", int64(9)), false}, {kv.Under("n", int64(-10)), false},
			{kv.Under("m", int64(-2)), true}, {kv.Under("m", int64(-3)), false}, {kv.Under("m", int64(-20)), false},
			{kv.Under("m", int64(0)), true}, {kv.Under("big", int64(math.MaxInt64)), true},
			{kv.Under("big", int64(math.MaxInt64-1)), false}, {kv.Under("low", int64(math.MinInt64)), false},
			{kv.Under("low", int64(math.MinInt64+1)), true}, {kv.Under("n", "a"), false},
		})
	}},
	{name: "less compares text by bytes", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"s": "9", "u": "\uffff", "e": "", "n": int64(1)}))
		s.table(k, []truth{
			{kv.Under("s", "10"), false}, {kv.Under("s", "9"), false}, {kv.Under("s", "90"), true}, {kv.Under("s", ":"), true},
			{kv.Under("u", "\U00010000"), true}, {kv.Under("u", "z"), false}, {kv.Under("e", ""), false},
			{kv.Under("e", "\x00"), true}, {kv.Under("n", "9"), false}, {kv.Under("s", int64(99)), false},
		})
	}},
	{name: "every condition must hold", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "x", "n": int64(1)}))
		s.refusedAt(0, put(k, nil, kv.Is("a", "x"), kv.Is("n", int64(2))))
		s.refusedAt(0, put(k, nil, kv.Is("n", int64(2)), kv.Is("a", "x")))
		s.refusedAt(0, put(k, nil, kv.Missing("b"), kv.Missing("a")))
		s.must(put(k, kv.Attrs{"a": "y"}, kv.Is("a", "x"), kv.Under("n", int64(2)), kv.Missing("b")))
		s.has(k, kv.Attrs{"a": "y"})
	}},
	{name: "conditions see the item as it is before the write", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"n": int64(1)}))
		update := kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"a": "new"}, Add: map[string]int64{"n": 1},
			If: []kv.Cond{kv.Is("n", int64(1)), kv.Missing("a")}}
		s.must(update)
		s.refusedAt(0, update)
		s.has(k, kv.Attrs{"n": int64(2), "a": "new"})
		s.must(kv.Op{Verb: kv.Delete, Key: k, If: []kv.Cond{kv.Is("n", int64(2))}})
		s.refusedAt(0, kv.Op{Verb: kv.Delete, Key: k, If: []kv.Cond{kv.Is("n", int64(2))}})
	}},
}

// table holds each condition against the item, alone and beside another op, with every verb that leaves the item as it is
// when it is refused, and checks that a refusal wrote nothing.
func (s *suite) table(k kv.Key, truths []truth) {
	s.Helper()
	beside := key("beside", "s")
	for _, want := range truths {
		for _, ops := range [][]kv.Op{
			{holdOn(k, want.cond)},
			{put(beside, nil), holdOn(k, want.cond)},
		} {
			err := s.Write(s.ctx, ops...)
			if want.holds && err != nil || !want.holds && err == nil {
				s.Errorf("condition %+v: %v, want it to hold: %v", want.cond, err, want.holds)
			}
			if !want.holds && len(ops) == 2 {
				s.absent(beside)
			}
			s.must(kv.Op{Verb: kv.Delete, Key: beside})
		}
		if !want.holds {
			s.refusedAt(0, put(k, kv.Attrs{"w": "written"}, want.cond))
			s.refusedAt(0, kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"w": "written"}, If: []kv.Cond{want.cond}})
			s.refusedAt(0, kv.Op{Verb: kv.Delete, Key: k, If: []kv.Cond{want.cond}})
		}
	}
}
