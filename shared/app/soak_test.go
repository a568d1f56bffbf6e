package app_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The soak holds the whole of the relay, sessions, spool and what is kept, against everything that the simulated Discord can do
// to it at once, on a fake clock: people talk in guild channels, threads and direct messages of two guilds, while connections
// drop, hang, are closed and refused, events come twice, late, in another order or not at all, REST fails, no session is left for
// a while, the content intent is taken away, the queue is away, a relay is killed and another takes its place, and two relays are
// at work at once. Before that one session loses event after event and lives on. In the end every message of every channel's
// history must have come through the queue and the ledger once, in order.
//
// What it cannot hold the relay to: an event that Discord gives no number and sends to nobody (FaultMissing), and one that is lost
// after which nothing else happens in its shard. Nothing tells of them, so that the first is not armed, and the last words are safe.

// soakPlan is how long a soak is, and how much happens in it.
type soakPlan struct {
	seed     uint64
	minutes  int
	channels int // text channels, beside threads and direct messages: three to one to one
	rate     int // messages in ten seconds, over all channels
	accident time.Duration
	sessions int // more must not be begun: about half as many again as the most that were seen
}

// soaked is what came of it.
type soaked struct {
	said, lost, doubled, reordered int
	identifies, resumes, reads     int
	wrong                          []string
}

func (s soaked) bad() bool { return s.lost+s.doubled+s.reordered+len(s.wrong) > 0 }

// seedOf is the seed that the variable sets, to repeat what failed, or the given one.
func seedOf(t *testing.T, variable string, def uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return def
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(variable + " is no number")
	}
	return n
}

// soak runs a plan in a bubble of its own.
func soak(t *testing.T, p soakPlan) soaked {
	t.Helper()
	hush(t)
	dir := t.TempDir()
	var got soaked
	synctest.Test(t, func(t *testing.T) {
		w := newSoakWorld(t, p, dir)
		w.play()
		got = w.judge()
		w.close()
	})
	return got
}

// report fails for what must never be.
func (s soaked) report(t *testing.T, p soakPlan) {
	t.Helper()
	if s.said == 0 || s.identifies == 0 {
		t.Fatalf("nothing happened: %+v", s)
	}
	if s.identifies > p.sessions {
		t.Errorf("%d sessions were begun in %d minutes", s.identifies, p.minutes)
	}
	if s.bad() {
		t.Errorf("of %d messages %d were lost, %d came twice through the ledger and %d in another order; repeat it with TSUMUGI_SOAK_SEED=%d\n%s",
			s.said, s.lost, s.doubled, s.reordered, p.seed, strings.Join(s.wrong, "\n"))
	}
}

func TestSoak(t *testing.T) {
	p := soakPlan{seed: seedOf(t, "TSUMUGI_SOAK_SEED", 1), minutes: 3, channels: 9, rate: 8, accident: 4 * time.Second, sessions: 26}
	soak(t, p).report(t, p)
}

// TestBenchRelay is the long one: make bench.
func TestBenchRelay(t *testing.T) {
	if os.Getenv("TSUMUGI_BENCH") != "1" {
		t.Skip("measures; make bench runs it")
	}
	p := soakPlan{seed: seedOf(t, "TSUMUGI_SOAK_SEED", uint64(time.Now().UnixNano())), minutes: 10, channels: 68, rate: 80, accident: 3 * time.Second, sessions: 43}
	s := soak(t, p)
	for _, line := range []struct {
		name string
		n    int
		unit string
	}{
		{"relay_said", s.said, "messages"}, {"relay_lost", s.lost, "messages"}, {"relay_doubled_after_ledger", s.doubled, "messages"},
		{"relay_reordered", s.reordered, "messages"}, {"relay_identifies", s.identifies, "sessions"}, {"relay_resumes", s.resumes, "sessions"},
		{"relay_catchup_reads", s.reads, "calls"},
	} {
		fmt.Printf("bench %s %d %s\n", line.name, line.n, line.unit)
	}
	s.report(t, p)
}
