// Package telemetry keeps what workers say of their work (chat.Recorder) and writes numbers for CloudWatch. What lives here:
// the timelines of the last triggers, in memory, for whoever asks how a reply came about (Timelines); the line that each turn
// ends with (Latency); lines of metrics (Measure); and what tells several recorders the same (All). What must not live here:
// the words and stages themselves (package chat), what knows X-Ray (package xray), message text, prompts and user ids.
package telemetry

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/chat"
)

// The bounds of what is kept.
const (
	Triggers = 200       // events, the newest
	Life     = time.Hour // of a timeline, from its first stage
	Entries  = 100       // stages and marks of one timeline; what comes later is not kept
	posts    = 100       // messages of one timeline, the newest
	words    = 200       // bytes of a detail, a mark or a name
)

// Timelines is a chat.Recorder that remembers the newest triggers. A trigger is one event; all attempts at it, in admission,
// planning and generation, make one timeline, however many queues and goroutines they went through.
type Timelines struct {
	mu       sync.Mutex
	order    []*timeline // the oldest first
	triggers map[chat.EventID]*timeline
	replies  map[chat.MessageID]*timeline
}

// New makes an empty Timelines.
func New() *Timelines {
	return &Timelines{triggers: map[chat.EventID]*timeline{}, replies: map[chat.MessageID]*timeline{}}
}

var _ chat.Recorder = (*Timelines)(nil)

// timeline is one trigger. All of it is under the lock of Timelines, but for the counts of calls.
type timeline struct {
	event    chat.EventID
	channel  chat.ChannelID
	plan     []string
	replies  []chat.MessageID
	began    time.Time
	outcome  chat.Row
	stages   []*stage
	entries  int
	attempts map[delivered]int
}

// delivered is what attempts are counted for.
type delivered struct {
	queue string
	turn  int
}

// calls counts calls by kind.
type calls [chat.CallKinds]atomic.Int64

func (c *calls) add(other *calls) {
	for i := range other {
		c[i].Add(other[i].Load())
	}
}

// stage is an entry of a timeline.
type stage struct {
	name    string
	detail  string
	attempt int
	turn    int // from 1; 0 before the first
	begin   time.Time
	took    time.Duration
	ended   bool
	calls   *calls
	marks   []mark
	failure string
}

type mark struct {
	name string
	at   time.Time
}

// Begin listens to an attempt. A timeline begins with the first stage of its first attempt: a delivery that nothing is done
// about, such as the echo of our own words, has none.
func (t *Timelines) Begin(ctx context.Context, a chat.Attempt) (context.Context, chat.Span) {
	return ctx, &attempt{t: t, about: a, loose: &calls{}}
}

// open finds the timeline of an attempt or begins it, and counts the attempt. The lock is held.
func (t *Timelines) open(a chat.Attempt, now time.Time) (line *timeline, n int) {
	t.prune(now)
	line = t.triggers[a.Event]
	if line == nil {
		line = &timeline{event: a.Event, channel: a.Channel, began: now, attempts: map[delivered]int{}}
		t.triggers[a.Event] = line
		t.order = append(t.order, line)
		if len(t.order) > Triggers {
			t.forget(1)
		}
	}
	what := delivered{a.Queue, a.Turn}
	line.attempts[what]++
	return line, line.attempts[what]
}

// prune forgets what is too old. The lock is held.
func (t *Timelines) prune(now time.Time) {
	n := slices.IndexFunc(t.order, func(line *timeline) bool { return now.Sub(line.began) < Life })
	if n < 0 {
		n = len(t.order)
	}
	t.forget(n)
}

// forget lets the n oldest go. The lock is held.
func (t *Timelines) forget(n int) {
	for _, line := range t.order[:n] {
		delete(t.triggers, line.event)
		for _, m := range line.replies {
			if t.replies[m] == line {
				delete(t.replies, m)
			}
		}
	}
	t.order = slices.Delete(t.order, 0, n)
}

// posted maps a message to the timeline. The lock is held; a timeline that was forgotten maps nothing.
func (t *Timelines) posted(line *timeline, m chat.MessageID) {
	if t.triggers[line.event] != line || slices.Contains(line.replies, m) {
		return
	}
	if len(line.replies) == posts {
		delete(t.replies, line.replies[0])
		line.replies = slices.Delete(line.replies, 0, 1)
	}
	line.replies = append(line.replies, m)
	t.replies[m] = line
}
