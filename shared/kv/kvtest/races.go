package kvtest

import (
	"errors"
	"fmt"
	"sync"

	"tsumugi/shared/kv"
)

// tries bounds how often a racing call is repeated after a Retryable error.
const tries = 1000

var raceChecks = []check{
	{name: "of 32 conditional writes at once exactly one wins", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"gen": int64(1)}))
		errs := s.race(32, func(i int) []kv.Op {
			return []kv.Op{{Verb: kv.Update, Key: k, Set: kv.Attrs{"gen": int64(2), "owner": int64(i)}, If: []kv.Cond{kv.Is("gen", int64(1))}}}
		})
		s.oneWinner(k, errs)
	}},
	{name: "of 32 transactions at once exactly one wins", run: func(s *suite) {
		k := key("p", "s")
		errs := s.race(32, func(i int) []kv.Op {
			return []kv.Op{put(k, kv.Attrs{"owner": int64(i)}, kv.Missing("")),
				put(key("q", fmt.Sprint(i)), kv.Attrs{"mark": "made"})}
		})
		winner := s.oneWinner(k, errs)
		page, err := s.Query(s.ctx, kv.Query{Space: Spaces[0], Partition: "q"})
		if err != nil || len(page.Items) != 1 || page.Items[0].Key.Sort != fmt.Sprint(winner) {
			s.Errorf("the losers wrote too: %v, %v", sorts(page.Items), err)
		}
	}},
	{name: "twenty parallel adds all count", run: func(s *suite) {
		k := key("p", "s")
		for i, err := range s.race(20, func(int) []kv.Op {
			return []kv.Op{{Verb: kv.Update, Key: k, Add: map[string]int64{"n": 1}}}
		}) {
			if err != nil {
				s.Errorf("add %d: %v", i, err)
			}
		}
		for i, err := range s.race(20, func(i int) []kv.Op {
			return []kv.Op{{Verb: kv.Update, Key: k, Add: map[string]int64{"n": 1}}, put(key("q", fmt.Sprint(i)), nil)}
		}) {
			if err != nil {
				s.Errorf("add %d in a transaction: %v", i, err)
			}
		}
		s.has(k, kv.Attrs{"n": int64(40)})
	}},
	{name: "a reader never sees half a transaction's item", run: func(s *suite) {
		k := key("p", "s")
		s.must(put(k, kv.Attrs{"a": int64(-1), "b": int64(-1)}))
		done := make(chan struct{})
		var reader sync.WaitGroup
		reader.Go(func() {
			for {
				item, err := s.Get(s.ctx, k)
				if err != nil || item.Int("a") != item.Int("b") {
					s.Errorf("read while written: %v, %v", item.Attrs, err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
		errs := s.race(16, func(i int) []kv.Op {
			return []kv.Op{{Verb: kv.Update, Key: k, Set: kv.Attrs{"a": int64(i), "b": int64(i)}}, put(key("q", fmt.Sprint(i)), nil)}
		})
		close(done)
		reader.Wait()
		if err := errors.Join(errs...); err != nil {
			s.Error(err)
		}
	}},
}

// race performs n writes at once, each again while it is Retryable, and gives their errors.
func (s *suite) race(n int, ops func(i int) []kv.Op) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var racers sync.WaitGroup
	for i := range n {
		racers.Go(func() {
			<-start
			for range tries {
				if errs[i] = s.Write(s.ctx, ops(i)...); !kv.Retryable(errs[i]) {
					return
				}
			}
		})
	}
	close(start)
	racers.Wait()
	return errs
}

// oneWinner demands one success, failed conditions for the rest, and the winner's number as the owner.
func (s *suite) oneWinner(k kv.Key, errs []error) int {
	s.Helper()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner < 0:
			winner = i
		case err == nil:
			s.Errorf("writers %d and %d both won", winner, i)
		case !errors.Is(err, kv.ErrCondition):
			s.Errorf("writer %d: %v", i, err)
		}
	}
	item, err := s.Get(s.ctx, k)
	if err != nil || item.Int("owner") != int64(winner) {
		s.Errorf("owner is %v, %v, want %d", item.Attrs["owner"], err, winner)
	}
	return winner
}
