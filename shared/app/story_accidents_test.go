package app_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// samples is how many calls of a story are hit in each way; a story with more of them is sampled evenly. CI hits twice as
// many (it sets CI), and STORIES_FULL=1 every call of every story.
const samples = 33

// stalls is the same for workers that stand still and for models that say something else each time.
const stalls = 4

// stride gives which calls of n are hit.
func stride(n int) int {
	if os.Getenv("STORIES_FULL") != "" {
		return 1
	}
	most := samples
	if os.Getenv("CI") != "" {
		most *= 2
	}
	return max(1, (n+most-1)/most)
}

// steadfast are the stories that must come to the same end whatever happens to the workers.
func steadfast(t *testing.T) []*story {
	return slices.DeleteFunc(corpus(t), func(s *story) bool { return s.skip != "" })
}

// trial is one story under many accidents. The undisturbed run says what the end must be.
type trial struct {
	*story
	calm     *end
	failures int
}

// try plays every story undisturbed, and gives it to the accidents of do.
func try(t *testing.T, do func(*testing.T, *trial)) {
	hush(t)
	t.Run("stories", func(t *testing.T) {
		for _, s := range steadfast(t) {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				calm, err := run(t, s, conditions{})
				if err != nil {
					t.Fatal(err)
				}
				do(t, &trial{story: s, calm: calm})
			})
		}
	})
}

// count is how many calls of the undisturbed run are of a kind.
func (tr *trial) count(kind func(string) bool) int {
	n := 0
	for _, c := range tr.calm.calls {
		if kind(c) {
			n++
		}
	}
	return n
}

// under plays the story under the conditions and demands the end of the undisturbed run, or one that the story accepts.
func (tr *trial) under(t *testing.T, what string, with conditions) {
	t.Helper()
	if tr.failures >= 5 { // the rest would say the same
		return
	}
	got, err := run(t, tr.story, with)
	if err != nil {
		tr.failures++
		t.Errorf("%s: %v", what, err)
		return
	}
	wrong := got.wrong
	if !with.fickle && !slices.Equal(got.posts, tr.calm.posts) && !slices.ContainsFunc(tr.others, func(o []string) bool { return samePosts(o, got.posts) }) {
		wrong = append(wrong, fmt.Sprintf("posts:\n    %s\n  undisturbed:\n    %s", strings.Join(cutAll(got.posts), "\n    "), strings.Join(cutAll(tr.calm.posts), "\n    ")))
	}
	if !slices.Equal(got.saved, tr.calm.saved) && !slices.ContainsFunc(tr.saveds, func(o []string) bool { return sameSaved(o, got.saved) == nil }) {
		wrong = append(wrong, fmt.Sprintf("saved: %s\n  undisturbed: %s", strings.Join(got.saved, " · "), strings.Join(tr.calm.saved, " · ")))
	}
	if tr.buttons != nil && !slices.Equal(got.buttons, tr.calm.buttons) {
		wrong = append(wrong, fmt.Sprintf("buttons:\n    %s\n  undisturbed:\n    %s", strings.Join(got.buttons, "\n    "), strings.Join(tr.calm.buttons, "\n    ")))
	}
	if !slices.Equal(compacted(got.set), compacted(tr.calm.set)) {
		wrong = append(wrong, fmt.Sprintf("set:\n    %s\n  undisturbed:\n    %s", strings.Join(got.set, "\n    "), strings.Join(tr.calm.set, "\n    ")))
	}
	if len(wrong) > 0 {
		tr.failures++
		t.Errorf("%s (%s):\n  %s", what, got.hit, strings.Join(wrong, "\n  "))
	}
}

// compacted are what is set, with a change that follows on its like left out: who is not answered does it again, and of what can be done
// again (a test of a provider) each is noted.
func compacted(set []string) (out []string) {
	for _, line := range set {
		if changes, ok := strings.CutPrefix(line, "changes: "); ok {
			line = "changes: " + strings.Join(slices.Compact(strings.Split(changes, "; ")), "; ")
		}
		out = append(out, line)
	}
	return out
}

// TestStoriesCrash lets the worker of every call die once before the call's effect and once after it. Its message is
// neither deleted nor hidden, its later calls have no effect, and a fresh delivery follows when the time-out ends.
func TestStoriesCrash(t *testing.T) {
	var crashes atomic.Int64
	try(t, func(t *testing.T, tr *trial) {
		n := len(tr.calm.calls)
		for i := 1; i <= n; i += stride(n) {
			for _, after := range []bool{false, true} {
				crashes.Add(1)
				tr.under(t, fmt.Sprintf("worker dies at call %d of %d, after its effect: %t", i, n, after), conditions{accidents: []accident{{at: i, after: after}}})
			}
		}
	})
	t.Logf("%d crashes", crashes.Load())
}

// TestStoriesStall lets the worker of a call stand still until somebody else has taken the channel, and then go on. What it
// does from then on must change nothing.
func TestStoriesStall(t *testing.T) {
	workers := func(call string) bool {
		return strings.HasPrefix(call, "turns: ") || strings.HasPrefix(call, "replies: ")
	}
	try(t, func(t *testing.T, tr *trial) {
		n := tr.count(workers)
		step := stride(n * samples / stalls)
		for i := 1 + len(tr.name)%step; i <= n; i += step {
			for _, after := range []bool{false, true} {
				tr.under(t, fmt.Sprintf("worker stands still at call %d of %d, after its effect: %t", i, n, after),
					conditions{happens: workers, accidents: []accident{{at: i, after: after, stall: true}}})
			}
		}
	})
}

// TestStoriesFickle lets workers die or stand still while the model says something else each time it is asked. Whichever
// words win, they are visible and saved, and no others.
func TestStoriesFickle(t *testing.T) {
	replies := func(call string) bool { return strings.HasPrefix(call, "replies: ") }
	try(t, func(t *testing.T, tr *trial) {
		n := tr.count(replies)
		step := stride(n * samples / stalls)
		for i := 1 + len(tr.name)%step; i <= n; i += step {
			for _, a := range []accident{{at: i}, {at: i, after: true}, {at: i, stall: true}, {at: i, after: true, stall: true}} {
				tr.under(t, fmt.Sprintf("fickle model, accident %+v of %d", a, n), conditions{fickle: true, happens: replies, accidents: []accident{a}})
			}
		}
	})
}

// TestStoriesCrashAgain lets workers die at several calls of one run, so that those who repair what a death left die as
// well. Up to three deaths are no poison; where they happen is drawn, and the same in each run of the test.
func TestStoriesCrashAgain(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		r := rand.New(rand.NewPCG(7, uint64(len(tr.name))))
		n := len(tr.calm.calls)
		for range deaths() {
			var all []accident
			for at := 0; len(all) < 3; {
				at += 1 + r.IntN(max(2, n/2))
				all = append(all, accident{at: at, after: r.IntN(2) == 0})
			}
			tr.under(t, fmt.Sprintf("workers die %v", all), conditions{accidents: all})
		}
	})
}

// deaths is how many runs of each story have three of them.
func deaths() int {
	if os.Getenv("STORIES_FULL") != "" {
		return 500
	}
	return 15
}

// TestStoriesBrokenStore breaks every write of the store once before and once after it was done; the caller lives on and
// cannot know.
func TestStoriesBrokenStore(t *testing.T) {
	store := func(call string) bool { return strings.Contains(call, ": kv ") }
	try(t, func(t *testing.T, tr *trial) {
		n := tr.count(store)
		for i := 1; i <= n; i += stride(2 * n) {
			for _, after := range []bool{false, true} {
				tr.under(t, fmt.Sprintf("call %d of the store fails, after its effect: %t", i, after),
					conditions{happens: store, accidents: []accident{{at: i, after: after, fail: true}}})
			}
		}
	})
}

// TestStoriesDiscordFails answers every call of Discord once with a 500 after it was done.
func TestStoriesDiscordFails(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		for i := int64(1); i <= tr.calm.wire; i++ {
			tr.under(t, fmt.Sprintf("call %d of Discord is done and answered with a 500", i), conditions{wire: i})
		}
	})
}

// TestStoriesUnreliable plays every story under accidents that happen all the time.
func TestStoriesUnreliable(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		tr.under(t, "every event is delivered twice", conditions{twice: true})
		tr.under(t, "the store meets contention in every call", conditions{store: everyOther(kvtest.Contention)})
		tr.under(t, "the store is throttled in every call", conditions{store: everyOther(kvtest.Throttling)})
		tr.under(t, "every first delivery is lost", conditions{queues: first(queuetest.Receive, queuetest.Lost)})
		tr.under(t, "every first delivery is made twice at once", conditions{queues: first(queuetest.Receive, queuetest.Twice)})
		tr.under(t, "every first send fails", conditions{queues: first(queuetest.Send, queuetest.Before)})
		tr.under(t, "the answer to every first send is lost", conditions{queues: first(queuetest.Send, queuetest.After)})
		tr.under(t, "no message is deleted at first", conditions{deletes: queuetest.Before})
		tr.under(t, "the answer to every first deletion is lost", conditions{deletes: queuetest.After})
		tr.under(t, "no message can be hidden at first", conditions{hides: queuetest.Before})
	})
}

// throttling is how long the store and the queues refuse everybody in TestStoriesThrottled.
const throttling = 10 * time.Minute

// TestStoriesThrottled lets the store and the queues refuse every call of the workers for ten minutes, from the story's begin
// or from somewhere in it. Then everything is answered as if nothing had been, and nothing is a dead letter. Stories that aim
// by the clock, or wait for a reply to be seen, would be other stories.
func TestStoriesThrottled(t *testing.T) {
	var hit atomic.Int64
	try(t, func(t *testing.T, tr *trial) {
		if slices.ContainsFunc(tr.events, func(st step) bool { return st.wait != untilQuiet || st.after > 0 }) {
			t.Skip("it aims by the clock")
		}
		for _, from := range []time.Duration{0, time.Second, 10 * time.Second} {
			var began time.Time
			var once sync.Once
			now := func() bool {
				once.Do(func() { began = time.Now().Add(from) })
				on := !time.Now().Before(began) && time.Since(began) < throttling
				if on {
					hit.Add(1)
				}
				return on
			}
			tr.under(t, fmt.Sprintf("throttled for %s, from %s on", throttling, from), conditions{
				store: func(kvtest.Call) kvtest.Fault {
					if now() {
						return kvtest.Throttling
					}
					return kvtest.None
				},
				queues: func(c queuetest.Call) queuetest.Accident {
					if c.Received == nil && now() {
						return queuetest.Before
					}
					return queuetest.Fine
				},
			})
		}
	})
	t.Logf("%d calls were refused", hit.Load())
}

// everyOther is a fault of the first, third, … call of each kind, so that whoever tries again succeeds.
func everyOther(f kvtest.Fault) func(kvtest.Call) kvtest.Fault {
	var mu sync.Mutex
	calls := map[string]int{}
	return func(c kvtest.Call) kvtest.Fault {
		key := string(c.Verb)
		for _, op := range c.Ops {
			key += " " + op.Key.String()
		}
		for _, k := range c.Keys {
			key += " " + k.String()
		}
		mu.Lock()
		defer mu.Unlock()
		if calls[key]++; calls[key]%2 == 1 {
			return f
		}
		return kvtest.None
	}
}

// first lets an accident happen to the first call about each message.
func first(op queuetest.Op, does queuetest.Accident) func(queuetest.Call) queuetest.Accident {
	seen := map[string]bool{}
	return func(c queuetest.Call) queuetest.Accident {
		if c.Op != op || op == queuetest.Receive && c.Received == nil {
			return queuetest.Fine
		}
		key := c.Queue + " " + c.Message.Dedup
		if c.Queue == queue.Commands { // who asks again does it in other words
			key = c.Queue
		}
		if c.Received != nil {
			key = c.Queue + " " + c.Received.ID
		}
		if seen[key] {
			return queuetest.Fine
		}
		seen[key] = true
		return does
	}
}
