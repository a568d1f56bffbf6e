package seal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal"
	"tsumugi/shared/seal/sealtest"
)

func TestCacheConforms(t *testing.T) {
	sealtest.Run(t, sealtest.Harness{New: func(testing.TB) func(string) guild.Sealer {
		keys := map[string]guild.Sealer{}
		return func(key string) guild.Sealer {
			if keys[key] == nil {
				keys[key] = sealtest.Memory()
			}
			return seal.Cached(keys[key])
		}
	}})
}

// counting counts what is opened, and fails when it is told to.
type counting struct {
	guild.Sealer
	opened int
	err    error
}

func (c *counting) Open(ctx context.Context, in guild.Context, s guild.Sealed) (string, error) {
	c.opened++
	if c.err != nil {
		return "", c.err
	}
	return c.Sealer.Open(ctx, in, s)
}

// remembering gives a cache, what is behind it, and a way to use it that says how often what is behind was asked by then.
func remembering(t *testing.T) (*counting, func(in guild.Context, box guild.Sealed, want string, opened int)) {
	behind := &counting{Sealer: sealtest.Memory()}
	c := seal.Cached(behind)
	return behind, func(in guild.Context, box guild.Sealed, want string, opened int) {
		t.Helper()
		got, err := c.Open(t.Context(), in, box)
		if got != want || (err == nil) != (want != "") {
			t.Fatalf("opened %q, error %v; want %q", got, err, want)
		}
		if behind.opened != opened {
			t.Fatalf("opened %d times, want %d", behind.opened, opened)
		}
	}
}

func put(t *testing.T, c *counting, in guild.Context, secret string) guild.Sealed {
	t.Helper()
	box, err := c.Seal(t.Context(), in, secret)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func TestCacheRemembersForFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		behind, opens := remembering(t)
		in, other := guild.Context{"guild": "1"}, guild.Context{"guild": "2"}
		box := put(t, behind, in, "one")
		opens(in, box, "one", 1)
		opens(in, box, "one", 1)
		opens(other, box, "", 2) // it is of no use elsewhere
		opens(other, box, "", 3) // and that is not remembered
		changed := put(t, behind, in, "two")
		opens(in, changed, "two", 4) // a change counts at once
		time.Sleep(5*time.Minute - time.Second)
		opens(in, box, "one", 4) // its use does not prolong its life
		time.Sleep(time.Second)
		opens(in, box, "one", 5)
	})
}

func TestCacheForgetsWithoutBeingAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		behind := &counting{Sealer: sealtest.Memory()}
		c := seal.Cached(behind)
		in := guild.Context{"guild": "1"}
		for i := range 3 {
			if _, err := c.Open(t.Context(), in, put(t, behind, in, fmt.Sprint("secret ", i))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		for i, want := range []int{3, 3, 2, 1, 0} { // after 3, 4, 5, 6 and 7 minutes
			synctest.Wait()
			if n := seal.Remembered(c); n != want {
				t.Errorf("after %d minutes it remembers %d secrets, want %d", i+3, n, want)
			}
			time.Sleep(time.Minute)
		}
	})
}

func TestCacheHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		behind, opens := remembering(t)
		in := guild.Context{"guild": "1"}
		var boxes []guild.Sealed
		for i := range 257 {
			boxes = append(boxes, put(t, behind, in, fmt.Sprint(i)))
			opens(in, boxes[i], fmt.Sprint(i), i+1)
			time.Sleep(time.Millisecond)
		}
		opens(in, boxes[256], "256", 257)
		opens(in, boxes[1], "1", 257)
		opens(in, boxes[0], "0", 258) // the oldest made room for the last
		opens(in, boxes[1], "1", 259) // and the next for that
	})
}

func TestCacheDoesNotRememberFailures(t *testing.T) {
	behind, opens := remembering(t)
	in := guild.Context{"guild": "1"}
	box := put(t, behind, in, "one")
	for i, err := range []error{errors.New("throttled"), guild.ErrUnsealable} {
		behind.err = err
		opens(in, box, "", i+1)
	}
	behind.err = nil
	opens(in, box, "one", 3)
	opens(in, box, "one", 3)
}

func TestCanonicalTellsContextsApart(t *testing.T) {
	seen := map[string]guild.Context{}
	for _, in := range []guild.Context{{}, {"": ""}, {"a": ""}, {"": "a"}, {"a": "b", "c": "d"}, {"a": "b\x01c\x01d"}, {"ab": "cd"}, {"abc": "d"}, {"c": "d", "a": "c"}} {
		text := string(seal.Canonical(in))
		if before, ok := seen[text]; ok {
			t.Errorf("%v and %v are the same", before, in)
		}
		seen[text] = in
		for range 20 {
			if string(seal.Canonical(in)) != text {
				t.Fatalf("%v is not always the same", in)
			}
		}
	}
	if got := string(seal.Canonical(guild.Context{"b": "2", "a": "1"})); got != "\x01a\x011\x01b\x012" {
		t.Errorf("what is stored changed its context: %q", got)
	}
}
