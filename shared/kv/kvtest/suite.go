package kvtest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/kv"
)

// Spaces are the spaces that a driver under test must know.
var Spaces = [2]string{"first", "second"}

// Harness says how a driver is put under test.
type Harness struct {
	// Open gives an empty driver that knows Spaces; it cleans up through t.Cleanup.
	Open func(t *testing.T) kv.Driver
	// Bubble runs each case inside a testing/synctest bubble, where time can be made to pass. Without it the cases that need
	// that are left out; those with times of life in the past and the future always run.
	Bubble bool
	// Lag is how long Due may stay behind a Write; 0 if it never does. The suite asks again until Due agrees or Lag is over.
	Lag time.Duration
	// Gaps are the cases that this driver cannot pass, by name, each with the reason. The suite skips them with that reason
	// and fails on a name that it does not have.
	Gaps map[string]string
}

// check is one case of the suite.
type check struct {
	name  string
	clock bool // needs time to pass
	run   func(s *suite)
}

// suite is what a case works with. Its methods fail the test.
type suite struct {
	*testing.T
	kv.Driver
	ctx context.Context
	lag time.Duration
}

// Run holds the driver to the contract of package kv.
func Run(t *testing.T, h Harness) {
	checks := slices.Concat(verbChecks, conditionChecks, validationChecks, sizeChecks, queryChecks, ttlChecks, dueChecks,
		readChecks, raceChecks)
	unknown := maps.Clone(h.Gaps)
	for _, c := range checks {
		delete(unknown, c.name)
		if c.clock && !h.Bubble {
			continue
		}
		body := func(t *testing.T) {
			c.run(&suite{T: t, Driver: h.Open(t), ctx: t.Context(), lag: h.Lag})
		}
		t.Run(c.name, func(t *testing.T) {
			if reason, ok := h.Gaps[c.name]; ok {
				t.Skip(reason)
			}
			if h.Bubble {
				synctest.Test(t, body)
				return
			}
			body(t)
		})
	}
	for name := range unknown {
		t.Errorf("declared gap %q is no case of the suite", name)
	}
}

// key is a key of the first space.
func key(partition, sort string) kv.Key {
	return kv.Key{Space: Spaces[0], Partition: partition, Sort: sort}
}

// put is a Put of an item; its conditions follow.
func put(k kv.Key, attrs kv.Attrs, conds ...kv.Cond) kv.Op {
	return kv.Op{Verb: kv.Put, Key: k, Attrs: attrs, If: conds}
}

// holdOn is a Check.
func holdOn(k kv.Key, conds ...kv.Cond) kv.Op { return kv.Op{Verb: kv.Check, Key: k, If: conds} }

// must performs a Write that has to succeed.
func (s *suite) must(ops ...kv.Op) {
	s.Helper()
	if err := s.Write(s.ctx, ops...); err != nil {
		s.Fatalf("write: %v", err)
	}
}

// refused performs a Write that has to fail with the error.
func (s *suite) refused(want error, ops ...kv.Op) {
	s.Helper()
	if err := s.Write(s.ctx, ops...); !errors.Is(err, want) {
		s.Errorf("write: got %v, want %v", err, want)
	}
}

// refusedAt performs a Write that has to fail on a condition of the op with the index.
func (s *suite) refusedAt(op int, ops ...kv.Op) {
	s.Helper()
	err := s.Write(s.ctx, ops...)
	var refusal *kv.ConditionError
	switch {
	case !errors.As(err, &refusal) || !errors.Is(err, kv.ErrCondition):
		s.Errorf("write: got %v, want a condition of op %d", err, op)
	case refusal.Op != op || refusal.Key != ops[op].Key:
		s.Errorf("write refused at op %d of %s, want op %d of %s", refusal.Op, refusal.Key, op, ops[op].Key)
	case kv.Retryable(err):
		s.Errorf("a failed condition is not to be retried")
	}
}

// has demands the item with exactly these attributes.
func (s *suite) has(k kv.Key, want kv.Attrs) {
	s.Helper()
	item, err := s.Get(s.ctx, k)
	switch {
	case err != nil:
		s.Errorf("get %s: %v", k, err)
	case item.Key != k:
		s.Errorf("get %s: key is %s", k, item.Key)
	case !same(item.Attrs, want):
		s.Errorf("get %s: got %#v, want %#v", k, short(item.Attrs), short(want))
	}
}

// absent demands that there be no such item.
func (s *suite) absent(k kv.Key) {
	s.Helper()
	if item, err := s.Get(s.ctx, k); !errors.Is(err, kv.ErrNotFound) {
		s.Errorf("get %s: got %v, %v, want not found", k, short(item.Attrs), err)
	}
}

// same compares attributes by type and value.
func same(a, b kv.Attrs) bool {
	return maps.EqualFunc(a, b, func(x, y any) bool {
		bx, isBytes := x.([]byte)
		by, alsoBytes := y.([]byte)
		if isBytes || alsoBytes {
			return isBytes && alsoBytes && slices.Equal(bx, by)
		}
		return x == y
	})
}

// short cuts long values for a test's output.
func short(attrs kv.Attrs) kv.Attrs {
	out := clone(attrs)
	for name, value := range out {
		if text, ok := value.(string); ok && len(text) > 40 {
			out[name] = text[:40] + "..."
		}
	}
	return out
}

// sorts gives the sort keys of items.
func sorts(items []kv.Item) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		out = append(out, item.Key.Sort)
	}
	return out
}
