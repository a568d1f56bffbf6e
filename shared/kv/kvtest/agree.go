package kvtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tsumugi/shared/kv"
)

// Agree drives the driver and Memory through the same random calls and demands the same answers: two implementations that
// share no code rarely share a mistake. open gives an empty driver that knows Spaces; it is called once a run.
func Agree(t *testing.T, open func(t *testing.T) kv.Driver) {
	rapid.Check(t, func(rt *rapid.T) {
		p := &pair{rt: rt, ctx: t.Context(), twin: Memory(), driver: open(t)}
		for range rapid.IntRange(1, 25).Draw(rt, "calls") {
			p.write()
			if rapid.Bool().Draw(rt, "query") {
				p.query()
			}
		}
		p.due()
		p.get()
	})
}

// pair is a driver beside its twin.
type pair struct {
	rt           *rapid.T
	ctx          context.Context
	twin, driver kv.Driver
}

// Few keys, names and values, so that calls meet.

func someSorts() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "a#1", "a#2", "a#10", "b", "é"})
}

func someNames() *rapid.Generator[string] { return rapid.SampledFrom([]string{"x", "y", "n"}) }

func someKeys() *rapid.Generator[kv.Key] {
	return rapid.Custom(func(t *rapid.T) kv.Key {
		return kv.Key{
			Space:     rapid.SampledFrom(Spaces[:]).Draw(t, "space"),
			Partition: rapid.SampledFrom([]string{"p", "q"}).Draw(t, "partition"),
			Sort:      someSorts().Draw(t, "sort"),
		}
	})
}

func someInts() *rapid.Generator[int64] { return rapid.Int64Range(-2, 2) }

func someValues() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(someInts(), func(n int64) any { return n }),
		rapid.Map(rapid.SampledFrom([]string{"", "1", "z", "織"}), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{"", "1", "\xff"}), func(s string) any { return []byte(s) }),
	)
}

func someAttrs(t *rapid.T) kv.Attrs {
	attrs := kv.Attrs(rapid.MapOfN(someNames(), someValues(), 0, 3).Draw(t, "attrs"))
	if rapid.IntRange(0, 3).Draw(t, "due") == 0 {
		attrs[kv.DueAt] = someInts().Draw(t, "at")
	}
	switch rapid.IntRange(0, 5).Draw(t, "ttl") {
	case 0:
		attrs[kv.TTL] = int64(1000) // long ago
	case 1:
		attrs[kv.TTL] = int64(1 << 40) // long from now
	}
	return attrs
}

func someConds(t *rapid.T) []kv.Cond {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) kv.Cond {
		name := rapid.SampledFrom([]string{"x", "y", "n", kv.TTL, kv.DueAt}).Draw(t, "attr")
		switch rapid.IntRange(0, 3).Draw(t, "test") {
		case 0:
			return kv.Missing("")
		case 1:
			return kv.Missing(name)
		case 2:
			return kv.Is(name, someValues().Draw(t, "value"))
		}
		return kv.Under(name, rapid.OneOf(rapid.Just(any("2")), rapid.Just(any(int64(1)))).Draw(t, "value"))
	}), 0, 2).Draw(t, "if")
}

func someOp(t *rapid.T) kv.Op {
	op := kv.Op{Key: someKeys().Draw(t, "key"), If: someConds(t)}
	switch rapid.IntRange(0, 6).Draw(t, "verb") {
	case 0, 1:
		op.Verb, op.Attrs = kv.Put, someAttrs(t)
	case 2, 3, 4:
		op.Verb, op.Set = kv.Update, someAttrs(t)
		op.Add = rapid.MapOfN(rapid.SampledFrom([]string{"n", "m", kv.DueAt}), someInts(), 0, 2).Draw(t, "add")
		op.Remove = rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", kv.TTL, kv.DueAt}), 0, 2).Draw(t, "remove")
	case 5:
		op.Verb = kv.Delete
	case 6:
		op.Verb = kv.Check
	}
	return op
}

func (p *pair) write() {
	ops := rapid.SliceOfN(rapid.Custom(someOp), 1, 4).Draw(p.rt, "ops")
	want, got := p.twin.Write(p.ctx, ops...), p.driver.Write(p.ctx, ops...)
	if outcome(got) != outcome(want) {
		p.rt.Fatalf("write %+v:\n got %v\nwant %v", ops, got, want)
	}
}

// outcome is what a caller can act on.
func outcome(err error) string {
	var refusal *kv.ConditionError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &refusal):
		return fmt.Sprintf("condition of op %d, %s", refusal.Op, refusal.Key)
	case errors.Is(err, kv.ErrInvalid):
		return "invalid"
	}
	return err.Error()
}

func (p *pair) query() {
	q := kv.Query{
		Space:     rapid.SampledFrom(Spaces[:]).Draw(p.rt, "space"),
		Partition: rapid.SampledFrom([]string{"p", "q"}).Draw(p.rt, "partition"),
		Prefix:    rapid.SampledFrom([]string{"", "a", "a#", "a#1", "z"}).Draw(p.rt, "prefix"),
		After:     rapid.OneOf(rapid.Just(""), someSorts()).Draw(p.rt, "after"),
		Limit:     rapid.IntRange(0, 3).Draw(p.rt, "limit"),
		Reverse:   rapid.Bool().Draw(p.rt, "reverse"),
	}
	p.compare(fmt.Sprintf("query %+v", q), p.pages(p.driver, q), p.pages(p.twin, q))
}

// pages follows a query to its end, since where a page ends is the driver's choice.
func (p *pair) pages(d kv.Driver, q kv.Query) []kv.Item {
	var items []kv.Item
	for range 100 {
		page, err := d.Query(p.ctx, q)
		if err != nil {
			p.rt.Fatalf("query %+v: %v", q, err)
		}
		items = append(items, page.Items...)
		if q.After = page.Next; q.After == "" {
			return items
		}
	}
	p.rt.Fatalf("query %+v does not end", q)
	return nil
}

// due compares what is due as a set, since items due at one time may come in any order.
func (p *pair) due() {
	for _, space := range Spaces {
		var found [2][]kv.Item
		for i, d := range []kv.Driver{p.driver, p.twin} {
			items, err := d.Due(p.ctx, space, time.UnixMilli(1), 100)
			if err != nil {
				p.rt.Fatalf("due: %v", err)
			}
			if !slices.IsSortedFunc(items, func(a, b kv.Item) int { return int(a.Int(kv.DueAt) - b.Int(kv.DueAt)) }) {
				p.rt.Fatalf("due is out of order: %+v", items)
			}
			slices.SortFunc(items, func(a, b kv.Item) int { return slices.Compare([]byte(a.Key.String()), []byte(b.Key.String())) })
			found[i] = items
		}
		p.compare("due of "+space, found[0], found[1])
		p.earliest(space)
	}
}

// earliest compares the times of what is due first: which of the items due at one time are within the limit is open.
func (p *pair) earliest(space string) {
	before := time.UnixMilli(rapid.Int64Range(-3, 4).Draw(p.rt, "before"))
	limit := rapid.IntRange(1, 4).Draw(p.rt, "limit of due")
	var times [2][]int64
	for i, d := range []kv.Driver{p.driver, p.twin} {
		items, err := d.Due(p.ctx, space, before, limit)
		if err != nil {
			p.rt.Fatalf("due: %v", err)
		}
		for _, item := range items {
			times[i] = append(times[i], item.Int(kv.DueAt))
		}
	}
	if !slices.Equal(times[0], times[1]) {
		p.rt.Fatalf("the first %d of %s before %d are due at %v, want %v", limit, space, before.UnixMilli(), times[0], times[1])
	}
}

func (p *pair) get() {
	keys := rapid.SliceOfNDistinct(someKeys(), 0, 12, rapid.ID[kv.Key]).Draw(p.rt, "keys")
	got, err := p.driver.BatchGet(p.ctx, keys...)
	if err != nil {
		p.rt.Fatalf("batch get: %v", err)
	}
	want, err := p.twin.BatchGet(p.ctx, keys...)
	if err != nil {
		p.rt.Fatalf("batch get of the twin: %v", err)
	}
	p.compare("batch get", got, want)
}

func (p *pair) compare(what string, got, want []kv.Item) {
	if !slices.EqualFunc(got, want, func(a, b kv.Item) bool { return a.Key == b.Key && same(a.Attrs, b.Attrs) }) {
		p.rt.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
