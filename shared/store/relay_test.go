package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/kv/sqlite"
	"tsumugi/shared/store"
)

// overDrivers runs a test of relays over the twin and over the engine of the local program.
func overDrivers(t *testing.T, run func(t *testing.T, d kv.Driver)) {
	t.Helper()
	t.Run("twin", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { run(t, kvtest.Memory()) })
	})
	t.Run("sqlite", func(t *testing.T) {
		db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "relays.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		run(t, db)
	})
}

func shard(owner string, alive time.Time, watermark chat.MessageID) chat.Shard {
	return chat.Shard{Session: chat.Session{ID: "s-" + owner, URL: "wss://resume", Seq: 7, Shards: 2}, Watermark: watermark,
		Direct: []chat.ChannelID{"5", "6"}, Owner: owner, Alive: alive}
}

func kept(t *testing.T, r *store.Relays, n int) chat.Shard {
	t.Helper()
	s, err := r.Shard(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRelaysRead(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		r, now := store.NewRelays(d, "bot"), time.Now()
		if got := kept(t, r, 3); got.Owner != "" || got.Watermark != "" || got.Session != (chat.Session{}) {
			t.Errorf("nothing is kept, and read is %+v", got)
		}
		want := shard("a", now, "100")
		if err := r.Keep(t.Context(), 3, want); err != nil {
			t.Fatal(err)
		}
		got := kept(t, r, 3)
		if got.Session != want.Session || got.Watermark != "100" || !slices.Equal(got.Direct, want.Direct) || got.Owner != "a" || !got.Alive.Equal(now) {
			t.Errorf("read %+v, want %+v", got, want)
		}
		if other := kept(t, store.NewRelays(d, "other"), 3); other.Owner != "" {
			t.Error("one bot reads what another's relay keeps")
		}
	})
}

func TestShardIsOneRelays(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		r, now := store.NewRelays(d, "bot"), time.Now()
		steps := []struct {
			name string
			by   string
			at   time.Time
			held bool
		}{
			{"the first takes it", "a", now, false},
			{"it keeps it", "a", now.Add(20 * time.Second), false},
			{"another while it is alive", "b", now.Add(79 * time.Second), true},
			{"another after a minute of silence", "b", now.Add(80 * time.Second), false},
			{"the first wakes up", "a", now.Add(81 * time.Second), true},
			{"the second goes on", "b", now.Add(100 * time.Second), false},
		}
		for _, s := range steps {
			err := r.Keep(t.Context(), 0, shard(s.by, s.at, "1"))
			if errors.Is(err, chat.ErrHeld) != s.held || !s.held && err != nil {
				t.Errorf("%s: error %v, want held: %v", s.name, err, s.held)
			}
		}
		if got := kept(t, r, 0); got.Owner != "b" || got.Session.ID != "s-b" {
			t.Errorf("a refused relay changed something: %+v", got)
		}
		if err := r.Keep(t.Context(), 0, shard("b", time.Time{}, "1")); err != nil {
			t.Fatal("leaving: ", err)
		}
		if err := r.Keep(t.Context(), 0, shard("a", now.Add(101*time.Second), "1")); err != nil {
			t.Error("the shard was left, and another may not take it at once: ", err)
		}
	})
}

// Snowflakes are numbers: as text, "9" is larger than "10".
func TestWatermarkNeverGoesBack(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		r, now := store.NewRelays(d, "bot"), time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC)
		real, future := chat.MessageID(chat.Snowflake(now.Add(-time.Hour))), chat.MessageID(chat.Snowflake(now.Add(time.Hour)))
		for _, s := range []struct{ set, want chat.MessageID }{
			{"9", "9"}, {"10", "10"}, {"9", "10"}, {"", "10"}, {"none", "10"}, {real, real}, {"999", real},
			{future, future}, {"", future}, {real, real}, // a clock that was ahead has left the one
		} {
			if err := r.Keep(t.Context(), 0, shard("a", now, s.set)); err != nil {
				t.Fatal(err)
			}
			if got := kept(t, r, 0).Watermark; got != s.want {
				t.Errorf("after %q the watermark is %q, want %q", s.set, got, s.want)
			}
		}
	})
}

// Of relays that begin at once, one has the shard and the others are told.
func TestRelaysRaceForAShard(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		contended := kvtest.Wrap(d, func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write && c.N%3 == 0 {
				return kvtest.Contention
			}
			return kvtest.None
		})
		now, errs := time.Now(), make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				r := store.NewRelays(contended, "bot")
				errs[i] = r.Keep(context.WithoutCancel(t.Context()), 0, shard(fmt.Sprint("relay-", i), now, "1"))
			})
		}
		all.Wait()
		owner := kept(t, store.NewRelays(d, "bot"), 0).Owner
		for i, err := range errs {
			switch mine := owner == fmt.Sprint("relay-", i); {
			case mine && err != nil:
				t.Errorf("the owner was told %v", err)
			case !mine && !errors.Is(err, chat.ErrHeld):
				t.Errorf("one that is not the owner was told %v", err)
			}
		}
	})
}

// A lost reply after the commit: the repeated call finds its own work and succeeds.
func TestRelaysRepeatAfterALostReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lose := true
		d := kvtest.Wrap(kvtest.Memory(), func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write && lose {
				lose = false
				return kvtest.LostReply
			}
			return kvtest.None
		})
		r, now := store.NewRelays(d, "bot"), time.Now()
		if err := r.Keep(t.Context(), 0, shard("a", now, "5")); !errors.Is(err, kvtest.ErrInjected) {
			t.Fatalf("a lost reply gave %v", err)
		}
		if err := r.Keep(t.Context(), 0, shard("a", now, "5")); err != nil {
			t.Errorf("repeated by its owner: %v", err)
		}
		for n := range chat.SessionsBurst {
			lose = n%20 == 0
			if wait, err := r.Start(t.Context(), time.Now()); wait != 0 || err != nil {
				t.Fatalf("session %d: wait %s, error %v: a lost reply was counted twice", n, wait, err)
			}
		}
		if wait, err := r.Start(t.Context(), time.Now()); wait <= 0 || err != nil {
			t.Errorf("one too many: wait %s, error %v", wait, err)
		}
	})
}

// counter starts sessions, and gives how long one has to wait.
func counter(t *testing.T, r *store.Relays) func() time.Duration {
	return func() time.Duration {
		t.Helper()
		wait, err := r.Start(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
}

// A process that is restarted in a loop, and resumes nothing, would use up a day's sessions within two hours.
func TestStartsOfACrashLoopAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := counter(t, store.NewRelays(kvtest.Memory(), "bot"))
		var at []time.Time
		for began := time.Now(); time.Since(began) < 48*time.Hour; time.Sleep(time.Minute) {
			if start() == 0 {
				at = append(at, time.Now())
			}
		}
		for i, one := range at {
			if i >= chat.SessionsDaily && one.Sub(at[i-chat.SessionsDaily]) < 24*time.Hour {
				t.Fatalf("%d sessions in %s", chat.SessionsDaily+1, one.Sub(at[i-chat.SessionsDaily]))
			}
			if i > 0 && one.Sub(at[i-1]) > chat.SessionsEvery+time.Minute {
				t.Errorf("none for %s after session %d", one.Sub(at[i-1]), i)
			}
		}
		if len(at) < 24*15*2 {
			t.Errorf("%d sessions in two days", len(at))
		}
	})
}

func TestStartsAfterABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := counter(t, store.NewRelays(kvtest.Memory(), "bot"))
		for n := range chat.SessionsBurst {
			if wait := start(); wait != 0 {
				t.Fatalf("session %d waits %s", n, wait)
			}
		}
		const every = chat.SessionsEvery
		if wait := start(); wait != every {
			t.Errorf("after the burst wait %s, want %s", wait, every)
		}
		time.Sleep(every - time.Millisecond)
		if wait := start(); wait <= 0 {
			t.Error("one was allowed too early")
		}
		time.Sleep(time.Millisecond)
		if wait := start(); wait != 0 {
			t.Errorf("after %s wait %s", every, wait)
		}
		time.Sleep(5 * every)
		for n := range 5 {
			if wait := start(); wait != 0 {
				t.Errorf("session %d of the five given back waits %s", n, wait)
			}
		}
		if wait := start(); wait <= 0 {
			t.Error("a sixth was given back")
		}
	})
}

// An earlier program did not spread them; what it counted counts.
func TestStartsInAnyTwentyFourHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := kvtest.Memory()
		began := time.Now()
		var log [][2]int64
		for n := range chat.SessionsDaily {
			log = append(log, [2]int64{began.Add(time.Duration(n) * 3 * time.Second).UnixMilli(), int64(n)})
		}
		body, err := json.Marshal(log)
		if err != nil {
			t.Fatal(err)
		}
		key := kv.Key{Space: store.SpaceMemory, Partition: "relay#bot", Sort: "starts"}
		if err := d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: key, Attrs: kv.Attrs{"log": body, "writes": int64(1)}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		start := counter(t, store.NewRelays(d, "bot"))
		const want = (chat.SessionsDaily-chat.SessionsBurst+1)*chat.SessionsEvery - time.Hour
		if wait := start(); wait != want || wait < 23*time.Hour {
			t.Errorf("wait %s, want %s", wait, want)
		}
		time.Sleep(26 * time.Hour)
		if wait := start(); wait != 0 {
			t.Errorf("after a quiet day, wait %s", wait)
		}
	})
}

// However many relays count at once under contention, no more than the limit start.
func TestStartsAreCountedOnce(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		const relays, each = 3, 25
		contended := kvtest.Wrap(d, func(c kvtest.Call) kvtest.Fault {
			if c.Verb == kvtest.Write && c.N%7 == 0 {
				return []kvtest.Fault{kvtest.Contention, kvtest.LostReply, kvtest.Throttling}[c.N/7%3]
			}
			return kvtest.None
		})
		now := time.Now()
		var mu sync.Mutex
		started := 0
		var all sync.WaitGroup
		for range relays {
			all.Go(func() {
				r := store.NewRelays(contended, "bot")
				for done := 0; done < each; {
					wait, err := r.Start(t.Context(), now)
					if errors.Is(err, chat.ErrRaced) || errors.Is(err, kvtest.ErrInjected) {
						continue // as a relay does: it may not start, and asks again
					}
					if err != nil {
						t.Error(err)
						return
					}
					if done++; wait == 0 {
						mu.Lock()
						started++
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		if started != chat.SessionsBurst {
			t.Errorf("%d sessions of %d were started", started, relays*each)
		}
	})
}

// A clock that ran ahead must not keep sessions out for longer than a day.
func TestStartsOfAClockAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := store.NewRelays(kvtest.Memory(), "bot")
		ahead := time.Now().Add(12 * time.Hour)
		for n := range 440 {
			at := ahead
			if n >= chat.SessionsBurst {
				at = ahead.Add(time.Duration(n-chat.SessionsBurst+1) * chat.SessionsEvery)
			}
			if wait, err := r.Start(t.Context(), at); err != nil || wait != 0 {
				t.Fatalf("session %d waits %s, error %v", n, wait, err)
			}
		}
		if wait, err := r.Start(t.Context(), time.Now()); wait > 24*time.Hour || wait < 20*time.Hour || err != nil {
			t.Errorf("wait %s, error %v", wait, err)
		}
		time.Sleep(24 * time.Hour)
		if wait, err := r.Start(t.Context(), time.Now()); wait > 24*time.Hour || err != nil {
			t.Errorf("a day later wait %s, error %v", wait, err)
		}
	})
}

// A store that is away counts nothing and allows nothing.
func TestRelaysWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := store.NewRelays(kvtest.Wrap(kvtest.Memory(), func(kvtest.Call) kvtest.Fault { return kvtest.Broken }), "bot")
		if _, err := r.Start(t.Context(), time.Now()); !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("start: %v", err)
		}
		if _, err := r.Shard(t.Context(), 0); !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("shard: %v", err)
		}
		if err := r.Keep(t.Context(), 0, shard("a", time.Now(), "1")); !errors.Is(err, kvtest.ErrInjected) {
			t.Errorf("keep: %v", err)
		}
	})
}

// A dead relay whose clock was ahead must not hold its shard until that time.
func TestARelayOfTheFutureHoldsNothing(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		r, now := store.NewRelays(d, "bot"), time.Now()
		if err := r.Keep(t.Context(), 0, shard("dead", now.Add(48*time.Hour), "1")); err != nil {
			t.Fatal(err)
		}
		if err := r.Keep(t.Context(), 0, shard("new", now, "1")); err != nil {
			t.Error(err)
		}
	})
}

// Among another number of shards a watermark speaks of other channels: it may fall once, and is kept again after.
func TestWatermarkFallsWhenTheNumberOfShardsChanges(t *testing.T) {
	overDrivers(t, func(t *testing.T, d kv.Driver) {
		r, now := store.NewRelays(d, "bot"), time.Now()
		for _, c := range []struct {
			of        int
			set, want chat.MessageID
		}{{2, "50", "50"}, {2, "40", "50"}, {1, "40", "40"}, {1, "30", "40"}} {
			s := shard("a", now, c.set)
			s.Of = c.of
			if err := r.Keep(t.Context(), 0, s); err != nil {
				t.Fatal(err)
			}
			if got := kept(t, r, 0).Watermark; got != c.want {
				t.Errorf("%s of %d became %q, want %q", c.set, c.of, got, c.want)
			}
		}
	})
}
