package kvtest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tsumugi/shared/kv"
)

var dueChecks = []check{
	{name: "due lists the earliest first, up to the limit and the time", run: func(s *suite) {
		for sk, at := range map[string]int64{"e": 500, "a": 100, "d": 400, "b": 200, "c": 300} {
			s.must(put(key("partition of "+sk, sk), kv.Attrs{kv.DueAt: at, "x": "y"}))
		}
		s.must(put(key("p", "never"), kv.Attrs{"x": "y"}),
			put(kv.Key{Space: Spaces[1], Partition: "p", Sort: "elsewhere"}, kv.Attrs{kv.DueAt: int64(100)}))
		s.due(Spaces[0], 1000, 10, "a", "b", "c", "d", "e")
		s.due(Spaces[0], 1000, 2, "a", "b")
		s.due(Spaces[0], 300, 10, "a", "b", "c")
		s.due(Spaces[0], 299, 10, "a", "b")
		s.due(Spaces[0], 99, 10)
		s.due(Spaces[1], 1000, 10, "elsewhere")
		items, err := s.Due(s.ctx, Spaces[0], time.UnixMilli(100), 10)
		if err != nil || len(items) != 1 || items[0].Key != key("partition of a", "a") ||
			!same(items[0].Attrs, kv.Attrs{kv.DueAt: int64(100), "x": "y"}) {
			s.Errorf("due: got %+v, %v", items, err)
		}
	}},
	{name: "due follows every kind of change", run: func(s *suite) {
		k := key("p", "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{kv.DueAt: int64(100), "x": "y"}})
		s.due(Spaces[0], 100, 10, "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{kv.DueAt: int64(900)}})
		s.due(Spaces[0], 899, 10)
		s.due(Spaces[0], 900, 10, "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{"x": "z"}})
		s.due(Spaces[0], 900, 10, "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Add: map[string]int64{kv.DueAt: -500}})
		s.due(Spaces[0], 400, 10, "s")
		s.must(kv.Op{Verb: kv.Update, Key: k, Remove: []string{kv.DueAt}})
		s.due(Spaces[0], 9999, 10)
		s.has(k, kv.Attrs{"x": "z"})
		s.must(kv.Op{Verb: kv.Update, Key: k, Add: map[string]int64{kv.DueAt: 7}})
		s.due(Spaces[0], 7, 10, "s")
		s.must(put(k, kv.Attrs{kv.DueAt: int64(8)}))
		s.due(Spaces[0], 8, 10, "s")
		s.must(put(k, kv.Attrs{"x": "y"}))
		s.due(Spaces[0], 9999, 10)
		s.must(put(k, kv.Attrs{kv.DueAt: int64(8)}))
		s.must(kv.Op{Verb: kv.Delete, Key: k})
		s.due(Spaces[0], 9999, 10)
	}},
	{name: "due keeps one order over many partitions", run: func(s *suite) {
		var all []string
		for i := range 60 { // by turns early and late, so that no partition's order is that of its name
			sk := fmt.Sprintf("%02d", i)
			all = append(all, sk)
			s.must(put(key(fmt.Sprint("partition ", i*37%60), sk), kv.Attrs{kv.DueAt: int64(1000 + i)}))
		}
		s.due(Spaces[0], 9999, 100, all...)
		s.due(Spaces[0], 9999, 7, all[:7]...)
		s.due(Spaces[0], 1029, 59, all[:30]...)
	}},
	{name: "what has expired hides nothing that is due", run: func(s *suite) {
		for i := range 12 {
			s.must(put(key(fmt.Sprint("expired ", i%5), fmt.Sprint(i)), kv.Attrs{kv.DueAt: int64(i), kv.TTL: ends(-time.Minute)}))
		}
		s.must(put(key("p", "live"), kv.Attrs{kv.DueAt: int64(50)}), put(key("expired 1", "too"), kv.Attrs{kv.DueAt: int64(60)}))
		s.due(Spaces[0], 100, 2, "live", "too")
		s.due(Spaces[0], 100, 1, "live")
	}},
	{name: "due refuses no space and no limit", run: func(s *suite) {
		if _, err := s.Due(s.ctx, "", time.UnixMilli(1), 1); !errors.Is(err, kv.ErrInvalid) {
			s.Errorf("due of no space: %v", err)
		}
		if _, err := s.Due(s.ctx, Spaces[0], time.UnixMilli(1), 0); !errors.Is(err, kv.ErrInvalid) {
			s.Errorf("due without a limit: %v", err)
		}
	}},
}

// due demands these sort keys of Due. A driver that may lag is asked until it agrees or its time is over.
func (s *suite) due(space string, before int64, limit int, want ...string) {
	s.Helper()
	for start := time.Now(); ; {
		items, err := s.Due(s.ctx, space, time.UnixMilli(before), limit)
		if err == nil && slices.Equal(sorts(items), want) {
			return
		}
		if time.Since(start) >= s.lag {
			s.Errorf("due before %d: got %q, %v, want %q", before, sorts(items), err, want)
			return
		}
	}
}

var readChecks = []check{
	{name: "batch get keeps the order and leaves out what is absent", run: func(s *suite) {
		other := kv.Key{Space: Spaces[1], Partition: "p", Sort: "b"}
		s.fill("p", []string{"a", "b", "c"})
		s.must(put(other, kv.Attrs{"x": "y"}))
		asked := []kv.Key{key("p", "c"), key("p", "none"), other, key("p", "a"), key("none", "b"), key("p", "b")}
		items, err := s.BatchGet(s.ctx, asked...)
		var got []kv.Key
		for _, item := range items {
			got = append(got, item.Key)
		}
		if err != nil || !slices.Equal(got, []kv.Key{asked[0], asked[2], asked[3], asked[5]}) || !same(items[1].Attrs, kv.Attrs{"x": "y"}) {
			s.Errorf("batch get: got %+v, %v", items, err)
		}
	}},
	{name: "batch get of none, a hundred and more", run: func(s *suite) {
		if items, err := s.BatchGet(s.ctx); err != nil || len(items) != 0 {
			s.Errorf("batch get of nothing: %v, %v", items, err)
		}
		var keys []kv.Key
		for _, sk := range traps {
			for _, more := range []string{"", "1", "2", "3"} {
				keys = append(keys, key("p", sk+"-"+more))
			}
		}
		var ops []kv.Op
		for _, k := range keys[:kv.MaxKeys] {
			ops = append(ops, put(k, nil))
		}
		s.must(ops...)
		if items, err := s.BatchGet(s.ctx, keys[:kv.MaxKeys]...); err != nil || len(items) != kv.MaxKeys {
			s.Errorf("batch get of a hundred: %d, %v", len(items), err)
		}
		if _, err := s.BatchGet(s.ctx, keys[:kv.MaxKeys+1]...); !errors.Is(err, kv.ErrInvalid) {
			s.Errorf("batch get of 101: %v", err)
		}
		if _, err := s.BatchGet(s.ctx, keys[0], keys[1], keys[0]); !errors.Is(err, kv.ErrInvalid) {
			s.Errorf("batch get of one key twice: %v", err)
		}
	}},
}
