package kvtest

import (
	"time"

	"tsumugi/shared/kv"
)

// ends is the attribute of an item that expires after d from now; whole seconds, so d should be some.
func ends(d time.Duration) int64 { return time.Now().Add(d).Unix() }

var ttlChecks = []check{
	{name: "an expired item is absent for every read", run: func(s *suite) {
		s.must(put(key("p", "dead"), kv.Attrs{"a": "x", kv.TTL: ends(-time.Hour), kv.DueAt: int64(1)}),
			put(key("p", "live"), kv.Attrs{"a": "x", kv.TTL: ends(time.Hour), kv.DueAt: int64(2)}),
			put(key("p", "zero"), kv.Attrs{kv.TTL: int64(0)}), put(key("p", "now"), kv.Attrs{kv.TTL: ends(0)}))
		for _, sk := range []string{"dead", "zero", "now"} {
			s.absent(key("p", sk))
		}
		if _, err := s.Get(s.ctx, key("p", "live")); err != nil {
			s.Errorf("get live: %v", err)
		}
		items, err := s.BatchGet(s.ctx, key("p", "dead"), key("p", "zero"), key("p", "live"))
		if err != nil || len(items) != 1 || items[0].Key.Sort != "live" {
			s.Errorf("batch get: %v, %v", sorts(items), err)
		}
		s.walk(kv.Query{Partition: "p"}, []string{"live"})
		s.walk(kv.Query{Partition: "p", Limit: 1}, []string{"live"})
		s.walk(kv.Query{Partition: "p", Limit: 1, Reverse: true}, []string{"live"})
		s.due(Spaces[0], 10, 10, "live")
	}},
	{name: "an expired item is absent for every condition", run: func(s *suite) {
		k := key("p", "dead")
		s.must(put(k, kv.Attrs{"a": "x", "n": int64(1), kv.TTL: ends(-time.Minute)}))
		s.table(k, []truth{
			{kv.Missing(""), true}, {kv.Missing("a"), true}, {kv.Missing(kv.TTL), true}, {kv.Is("a", "x"), false},
			{kv.Is("n", int64(1)), false}, {kv.Under("n", int64(2)), false}, {kv.Is(kv.TTL, ends(-time.Minute)), false},
		})
	}},
	{name: "a live item with a time of life keeps its conditions", run: func(s *suite) {
		k := key("p", "live")
		until := ends(time.Hour)
		s.must(put(k, kv.Attrs{"a": "x", "n": int64(1), kv.TTL: until}))
		s.table(k, []truth{
			{kv.Missing(""), false}, {kv.Missing("a"), false}, {kv.Missing("b"), true}, {kv.Is("a", "x"), true},
			{kv.Under("n", int64(2)), true}, {kv.Is(kv.TTL, until), true}, {kv.Under(kv.TTL, until+1), true},
			{kv.Under(kv.TTL, until), false},
		})
	}},
	{name: "put and delete work over an expired item", run: func(s *suite) {
		for _, sk := range []string{"put", "delete", "put beside"} {
			s.must(put(key("p", sk), kv.Attrs{"old": "x", kv.TTL: ends(-time.Minute), kv.DueAt: int64(1)}))
		}
		s.must(put(key("p", "put"), kv.Attrs{"new": "y"}, kv.Missing("")))
		s.must(put(key("p", "put beside"), kv.Attrs{"new": "y"}, kv.Missing("")), put(key("p", "another"), nil, kv.Missing("")))
		s.must(kv.Op{Verb: kv.Delete, Key: key("p", "delete"), If: []kv.Cond{kv.Missing("")}})
		s.has(key("p", "put"), kv.Attrs{"new": "y"})
		s.has(key("p", "put beside"), kv.Attrs{"new": "y"})
		s.absent(key("p", "delete"))
		s.due(Spaces[0], 10, 10)
	}},
	{name: "update of an expired item starts from nothing", run: func(s *suite) {
		old := kv.Attrs{"old": "x", "n": int64(40), kv.TTL: ends(-time.Minute), kv.DueAt: int64(1)}
		for _, sk := range []string{"alone", "beside", "held"} {
			s.must(put(key("p", sk), old))
		}
		update := func(sk string, conds ...kv.Cond) kv.Op {
			return kv.Op{Verb: kv.Update, Key: key("p", sk), Set: kv.Attrs{"a": "y"}, Add: map[string]int64{"n": 2},
				Remove: []string{"b"}, If: conds}
		}
		s.must(update("alone"))
		s.must(put(key("p", "another"), nil), update("beside"))
		s.refusedAt(0, update("held", kv.Is("n", int64(40))))
		s.refusedAt(1, put(key("p", "third"), nil), update("held", kv.Is("n", int64(40))))
		s.absent(key("p", "held"))
		s.must(update("held", kv.Missing("old"), kv.Missing("")))
		for _, sk := range []string{"alone", "beside", "held"} {
			s.has(key("p", sk), kv.Attrs{"a": "y", "n": int64(2)})
		}
		s.due(Spaces[0], 10, 10)
	}},
	{name: "update of a live item keeps it and can move the end of its life", run: func(s *suite) {
		k, until := key("p", "s"), ends(time.Hour)
		s.must(put(k, kv.Attrs{"a": "x", kv.TTL: ends(time.Minute)}))
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{kv.TTL: until}})
		s.has(k, kv.Attrs{"a": "x", kv.TTL: until})
		s.must(kv.Op{Verb: kv.Update, Key: k, Remove: []string{kv.TTL}})
		s.has(k, kv.Attrs{"a": "x"})
		s.must(kv.Op{Verb: kv.Update, Key: k, Set: kv.Attrs{kv.TTL: ends(-time.Minute)}})
		s.absent(k)
	}},
	{name: "an item expires at its second", clock: true, run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": "x", kv.TTL: ends(10 * time.Second), kv.DueAt: int64(1)}))
		time.Sleep(10*time.Second - time.Nanosecond)
		s.refusedAt(0, put(k, nil, kv.Missing("")))
		s.due(Spaces[0], 10, 10, "s")
		time.Sleep(time.Nanosecond)
		s.absent(k)
		s.due(Spaces[0], 10, 10)
		s.must(put(k, kv.Attrs{"b": "y"}, kv.Missing("")))
		s.has(k, kv.Attrs{"b": "y"})
	}},
}
