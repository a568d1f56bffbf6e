package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

func health(t *testing.T, v *store.Vitals) chat.Health {
	t.Helper()
	h, err := v.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOneRelaySaysHowItIs(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		v, now := store.NewVitals(d), time.Now()
		if h := health(t, v); h.Owner != "" || !h.Alive.IsZero() || h.Silent(now) != 24*time.Hour {
			t.Errorf("nobody spoke, and read is %+v, silent for %s", h, h.Silent(now))
		}
		at := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
		parked := &chat.Parked{Why: "refused", Fix: "take another", Settings: "f", Since: now}
		for _, c := range []struct {
			name string
			say  chat.Health
			held bool
		}{
			{"the first", chat.Health{Owner: "a", Alive: at(0), Ready: 1, Of: 2, Version: "1"}, false},
			{"a second beside it", chat.Health{Owner: "b", Alive: at(59)}, true},
			{"a second that is parked", chat.Health{Owner: "b", Alive: at(59), Parked: parked}, true},
			{"a second after its silence", chat.Health{Owner: "b", Alive: at(60)}, false},
			{"the first wakes up", chat.Health{Owner: "a", Alive: at(61)}, true},
			{"the second leaves", chat.Health{Owner: "b", Alive: at(70), Left: true}, false},
			{"another at once", chat.Health{Owner: "c", Alive: at(71)}, false},
			{"it is parked", chat.Health{Owner: "c", Alive: at(72), Parked: parked}, false},
			{"whoever works takes over from who is parked", chat.Health{Owner: "a", Alive: at(73)}, false},
			{"a clock ahead", chat.Health{Owner: "a", Alive: at(86400)}, false},
			{"keeps nobody out", chat.Health{Owner: "b", Alive: at(80)}, false},
		} {
			before := health(t, v)
			err := v.Say(t.Context(), c.say)
			if errors.Is(err, chat.ErrHeld) != c.held || !c.held && err != nil {
				t.Errorf("%s: error %v, want held: %v", c.name, err, c.held)
			}
			want := c.say
			if c.held {
				want = before
			}
			got := health(t, v)
			if got.Owner != want.Owner || !got.Alive.Equal(want.Alive) || got.Left != want.Left || (got.Parked == nil) != (want.Parked == nil) ||
				got.Ready != want.Ready || got.Of != want.Of || got.Version != want.Version {
				t.Errorf("%s: read %+v, want %+v", c.name, got, want)
			}
		}
		if silent := health(t, v).Silent(at(200)); silent.Round(time.Second) != 2*time.Minute {
			t.Errorf("silent for %s", silent)
		}
	})
}

// Whoever wants an heir gets one, and the wish ends with its owner.
func TestHeirIsNamedOnce(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		v, now := store.NewVitals(d), time.Now()
		at := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
		say := func(owner string, s int) func() error {
			return func() error { return v.Say(t.Context(), chat.Health{Owner: owner, Alive: at(s), Ready: 1}) }
		}
		want := func(owner string) func() error { return func() error { return v.Want(t.Context(), owner) } }
		name := func(heir string, s int) func() error { return func() error { return v.Name(t.Context(), heir, at(s)) } }
		for _, c := range []struct {
			name    string
			do      func() error
			held    bool
			wants   bool
			heir    string
			settled bool // for another, a second later
		}{
			{"one is at work", say("a", 0), false, false, "", true},
			{"another cannot wish for it", want("b"), true, false, "", true},
			{"it wants an heir", want("a"), false, true, "", false},
			{"it goes on speaking", say("a", 1), false, true, "", false},
			{"an heir", name("b", 1), false, true, "b", false},
			{"a second heir", name("c", 60), true, true, "b", false},
			{"the first again", name("b", 2), false, true, "b", false},
			{"a second after its time", name("c", 62), false, true, "c", false},
			{"the old one speaks on", say("a", 63), false, true, "c", false},
			{"the heir is at work", func() error {
				_ = v.Say(t.Context(), chat.Health{Owner: "a", Alive: at(64), Left: true})
				return say("c", 64)()
			}, false, false, "", true},
		} {
			if err := c.do(); errors.Is(err, chat.ErrHeld) != c.held || !c.held && err != nil {
				t.Errorf("%s: error %v, want held: %v", c.name, err, c.held)
			}
			h := health(t, v)
			if h.Wants != c.wants || h.Heir != c.heir || h.Settled("z", h.Alive.Add(time.Second)) != c.settled || h.Ready != 1 {
				t.Errorf("%s: it is %+v", c.name, h)
			}
			if h.Settled(h.Owner, h.Alive) || h.Settled("z", h.Alive.Add(chat.HealthLate)) {
				t.Errorf("%s: settled for itself, or when it is late", c.name)
			}
		}
	})
}

func TestParkedHoldsUnderItsSettings(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		p     *chat.Parked
		holds bool
	}{
		"not parked":     {nil, false},
		"the same":       {&chat.Parked{Settings: "f", Since: now.Add(-48 * time.Hour)}, true},
		"others":         {&chat.Parked{Settings: "g", Since: now}, false},
		"it may pass":    {&chat.Parked{Settings: "f", Since: now.Add(-59 * time.Minute), Later: true}, true},
		"it may be over": {&chat.Parked{Settings: "f", Since: now.Add(-time.Hour), Later: true}, false},
	} {
		if c.p.Holds("f", now) != c.holds {
			t.Errorf("%s: holds %v", name, !c.holds)
		}
	}
}

// Of relays that begin at once one is at work, whatever the store does.
func TestRelaysRaceForTheWord(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		contended := kvtest.Wrap(d, func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write && c.N%3 == 0 {
				return kvtest.Contention
			}
			return kvtest.None
		})
		now, errs := time.Now(), make(map[string]error)
		var mu sync.Mutex
		var all sync.WaitGroup
		for _, owner := range []string{"a", "b", "c", "d"} {
			all.Go(func() {
				err := store.NewVitals(contended).Say(context.WithoutCancel(t.Context()), chat.Health{Owner: owner, Alive: now})
				mu.Lock()
				defer mu.Unlock()
				errs[owner] = err
			})
		}
		all.Wait()
		holder := health(t, store.NewVitals(d)).Owner
		for owner, err := range errs {
			if owner == holder && err != nil || owner != holder && !errors.Is(err, chat.ErrHeld) {
				t.Errorf("%s was told %v, and %s speaks", owner, err, holder)
			}
		}
	})
}

func TestHealthWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := store.NewVitals(kvtest.Wrap(kvtest.Memory(), func(kvtest.Call) kvtest.Fault { return kvtest.Broken }))
		if _, err := v.Health(t.Context()); !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("read: %v", err)
		}
		if err := v.Say(t.Context(), chat.Health{Owner: "a", Alive: time.Now()}); !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("said: %v", err)
		}
	})
}
