package store_test

import (
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// suites are the model's small and medium bounds and some of its large ones; fault stands for what the model takes as given:
// contention, throttling and lost replies of the store, and the same of the queues.
func suites() []string {
	return []string{
		"events=M crash=2 early=1",
		"events=P crash=1 stall=1",
		"events=M,S crash=1 stall=1",
		"events=M,F crash=1 stall=1",
		"events=M,B crash=1 lose=1",
		"events=M,B,S crash=1",
		"events=M,S,F crash=1",
		"events=M,F,F crash=1",
		"events=M,S,S crash=1",
		"events=M,B,X crash=1",
		"events=M,X,B crash=1",
		"events=M,B,K crash=1",
		"events=M,B,E crash=1 dup=1",
		"events=Z,B crash=1 dup=1",
		"events=M crash=7",
		"events=M,B dead=1 lose=1 crash=1",
		"events=M retry=2 handover=1 crash=1",
		"events=P,B crash=1 sweeper=0",
		"events=M,S crash=1 sweeper=0",
		"events=L,F,B crash=1 sweeper=0",
		"events=P,B fault=1 sweeper=0",
		"events=P,S retry=3 handover=2 sweeper=0",
		"events=M crash=2 stall=1 lose=1 dup=1",
		"events=M stall=2 crash=1",
		"events=P,S crash=1 stall=1",
		"events=M,S,B crash=1 stall=1",
		"events=M,F,S crash=1 stall=1",
		"events=M,S,F crash=1 stall=1",
		"events=M,S,X crash=1 stall=1",
		"events=P,B,X crash=1 stall=1",
		"events=P,K,B crash=1 stall=1",
		"events=M,S dead=1 crash=1 stall=1",
		"events=M,B dead=2 lose=1 crash=1 early=1",
		"events=M,B crash=1 dup=1 window=1 sweep=1",
		"events=P crash=2 retry=1 handover=1 stall=1",
		"events=P,S retry=1 handover=1 crash=1",
		"events=P,B retry=1 lose=1 crash=1",
		"events=M crash=2 stall=1 lose=1 dup=1 early=1 sweep=1",
		"events=P,S crash=1 stall=1 lose=1",
		"events=M,S dead=1 crash=1 stall=1 retry=1",
		"events=L crash=2 stall=1",
		"events=L,S crash=1 retry=1 lose=1",
		"events=L,F crash=2 fault=1 handover=1",
		"events=P,B,S fault=3 crash=1",
		"events=M,F,B fault=2 stall=1",
		"events=P,B,S crash=2 stall=1 lose=1 dup=1 early=1 sweep=1 dead=1 window=1 retry=2 handover=1 fault=2",
		"events=M,F,K crash=2 stall=1 lose=1 dup=1 early=1 sweep=1 dead=1 window=1 retry=2 handover=1 fault=2",
		"events=P,B,S,F,M,X crash=2 stall=1 lose=1 dup=1 early=1 sweep=1 dead=1 window=1 retry=2 handover=1 fault=2",
	}
}

// TestProtocolUnderAccidents lets an adversary play against the real repositories and workers, and then asks whether it all
// came to the one good end. A run is the list of the adversary's decisions, but for one thing: a worker that finds several
// channels of its own ready at once chooses among them as Go does. Rapid may call a failure flaky for that reason; the story
// of the first failure is printed in any case. PROTOCOL_CHECKS=n sets the number of runs of each suite.
func TestProtocolUnderAccidents(t *testing.T) {
	for _, text := range suites() {
		t.Run(text, func(t *testing.T) {
			struck := map[string]bool{}
			rapid.Check(t, func(rt *rapid.T) {
				found := ""
				inWorld(t, parse(text), change{}, func(w *world) {
					w.run(func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "") })
					for _, kind := range w.struck {
						struck[kind] = true
					}
					if len(w.judge.faults) > 0 {
						found = fmt.Sprintf("I%d: %s\n%s", w.judge.faults[0].n, w.judge.faults[0].why, w.story())
					}
				})
				if found != "" { // outside of the bubble, so that rapid can tell it from a failed draw
					rt.Fatal(found)
				}
			})
			for kind := range parse(text).left {
				if !struck[kind] {
					t.Errorf("no %s has happened in any run: the suite proves nothing about it", kind)
				}
			}
		})
	}
}

// TestMain silences the log: the workers' lines of thousands of runs tell nothing that a run's story does not. By default the
// same runs are made each time, so that a change is judged by what it changes; PROTOCOL_CHECKS explores others.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	flag.Parse()
	set, value := "rapid.seed", "20261130"
	if n := os.Getenv("PROTOCOL_CHECKS"); n != "" {
		set, value = "rapid.checks", n
	}
	if err := flag.Set(set, value); err != nil {
		log.Fatalf("%s: %v", set, err)
	}
	os.Exit(m.Run())
}
