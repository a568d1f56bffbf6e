package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	simdiscord "tsumugi/shared/sim/discord"
)

// skewed is the store as a relay sees it whose clock is ahead.
type skewed struct {
	kv.Driver
	by   time.Duration
	gone bool // it is told of sessions that do not exist any more
}

// Get tells of times as of that clock's own world.
func (s skewed) Get(ctx context.Context, k kv.Key) (kv.Item, error) {
	item, err := s.Driver.Get(ctx, k)
	item.Attrs = s.shifted(item.Attrs, -s.by)
	return item, err
}

// Write writes times as that clock has them.
func (s skewed) Write(ctx context.Context, ops ...kv.Op) error {
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Attrs = s.shifted(ops[i].Attrs, s.by)
	}
	return s.Driver.Write(ctx, ops...)
}

func (s skewed) shifted(attrs kv.Attrs, by time.Duration) kv.Attrs {
	if by == 0 && !s.gone {
		return attrs
	}
	attrs = maps.Clone(attrs)
	move := func(ts ...*time.Time) {
		for _, t := range ts {
			if !t.IsZero() {
				*t = t.Add(by)
			}
		}
	}
	for name, value := range attrs {
		body, ok := value.([]byte)
		if !ok {
			continue
		}
		var into any
		var err error
		switch name {
		case "health":
			var h chat.Health
			err = json.Unmarshal(body, &h)
			move(&h.Alive, &h.HeirAt)
			if h.Parked != nil {
				move(&h.Parked.Since)
			}
			into = h
		case "shard":
			var sh chat.Shard
			err = json.Unmarshal(body, &sh)
			move(&sh.Alive)
			if s.gone && sh.Session.ID != "" {
				sh.Session.ID = "gone"
			}
			into = sh
		case "log":
			var log [][2]int64
			err = json.Unmarshal(body, &log)
			for i := range log {
				log[i][0] += by.Milliseconds()
			}
			into = log
		default:
			continue
		}
		b, err2 := json.Marshal(into)
		if err != nil || err2 != nil {
			panic(fmt.Sprint(err, err2))
		}
		attrs[name] = b
	}
	return attrs
}

// The clocks of runs disagree: nothing is lost. Up to half a minute nobody notices, beyond a minute relays take one another for
// dead, and the sessions that this costs stay within their count.
func TestChainOfWrongClocks(t *testing.T) {
	for name, c := range map[string]struct {
		clocks []time.Duration
		most   int // sessions
	}{
		"half a minute":    {[]time.Duration{0, 30 * time.Second, 0, -30 * time.Second}, 2},
		"two minutes":      {[]time.Duration{0, 2 * time.Minute, 0, -2 * time.Minute}, chat.SessionsBurst + 40},
		"a day":            {[]time.Duration{0, 24 * time.Hour, 0, -24 * time.Hour}, chat.SessionsBurst + 40},
		"all a day behind": {[]time.Duration{-24 * time.Hour}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			chained(t, simdiscord.Options{MessageContentEnabled: true, Shards: 2}, func(t *testing.T, w *chainWorld) {
				w.wire = 20 * time.Millisecond
				w.skew = func(n int) time.Duration { return c.clocks[n%len(c.clocks)] }
				w.schedule()
				pass(10 * time.Second)
				w.talk(2*time.Hour, 3*time.Second)
				pass(time.Minute)
				longest, started := w.judge(), w.begun("READY")
				t.Logf("the longest way took %s; %d sessions started, %d resumed", longest, started, w.begun("RESUMED"))
				if started > c.most || longest > time.Minute || len(w.alive()) > 6 {
					t.Errorf("%d runs are alive; that is not as it should be", len(w.alive()))
				}
			})
		})
	}
}
