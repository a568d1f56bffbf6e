package chat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/chat"
)

// diary is a channel, a queue and an outbox that write down what a worker asks of them, and when.
type diary struct {
	mu      sync.Mutex
	start   time.Time
	lines   []string
	stale   bool
	waiting *chat.Job                                   // in the outbox of a channel that is not ours
	beat    func(n int) (chat.Signal, error)            // the n-th beat, from 1
	watch   func() (chat.Signal, error)                 // what a look finds
	slow    time.Duration                               // how long a beat takes
	yield   func(kind chat.YieldKind) (chat.Job, error) // nil gives the job back
	hide    error
	beats   int
	hold    chat.Hold
}

func newDiary() *diary {
	return &diary{start: time.Now(), hold: chat.Hold{Channel: "c", Head: chat.Head{Phase: chat.Speaking, Event: "e1", Fence: 4}, Event: chat.Event{ID: "e1"}}}
}

func (d *diary) write(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf("%v ", time.Since(d.start))+fmt.Sprintf(format, args...))
}

// Acquire gives the hold unless the job is stale.
func (d *diary) Acquire(_ context.Context, _ chat.Job, owner string) (chat.Acquired, error) {
	if owner == "" {
		return chat.Acquired{}, errors.New("an owner without a name")
	}
	d.write("acquire")
	if d.stale {
		return chat.Acquired{Send: d.waiting}, nil
	}
	h := d.hold
	return chat.Acquired{Hold: &h}, nil
}

// Beat answers as the test says.
func (d *diary) Beat(ctx context.Context, _ chat.ChannelID, e chat.EventID, fence int64, progress bool) (chat.Signal, error) {
	if e != "e1" || fence != 4 {
		return chat.Signal{}, fmt.Errorf("a beat for %s with fence %d", e, fence)
	}
	if d.slow > 0 {
		select {
		case <-ctx.Done():
			return chat.Signal{}, ctx.Err()
		case <-time.After(d.slow):
		}
	}
	note := "beat"
	if progress {
		note += " with progress"
	}
	d.write("%s", note)
	d.mu.Lock()
	d.beats++
	n := d.beats
	d.mu.Unlock()
	if d.beat == nil {
		return chat.Signal{}, nil
	}
	return d.beat(n)
}

// Watch answers as the test says.
func (d *diary) Watch(_ context.Context, _ chat.ChannelID, e chat.EventID, fence int64) (chat.Signal, error) {
	if e != "e1" || fence != 4 {
		return chat.Signal{}, fmt.Errorf("a look for %s with fence %d", e, fence)
	}
	d.write("watch")
	if d.watch == nil {
		return chat.Signal{}, nil
	}
	return d.watch()
}

// Yield gives the job back.
func (d *diary) Yield(_ context.Context, _ *chat.Hold, kind chat.YieldKind, backoff time.Duration) (chat.Job, error) {
	d.write("yield %d after %v", kind, backoff)
	if d.yield != nil {
		return d.yield(kind)
	}
	return chat.Job{Queue: chat.QueueReplies, Channel: "c", Event: "e1", N: 9}, nil
}

// Hide hides.
func (d *diary) Hide(_ context.Context, after time.Duration) error {
	d.write("hide for %v", after)
	return d.hide
}

// Send sends.
func (d *diary) Send(_ context.Context, j chat.Job) error {
	d.write("send #%d", j.N)
	return nil
}

func (d *diary) work(ctx context.Context, do func(context.Context, *chat.Keeper) error) error {
	return chat.Work(ctx, d, d, chat.Job{Queue: chat.QueueReplies, Channel: "c", Event: "e1"}, d, do)
}

func (d *diary) want(t *testing.T, lines ...string) {
	t.Helper()
	if !slices.Equal(d.lines, lines) {
		t.Errorf("was\n%s\nwant\n%s", strings.Join(d.lines, "\n"), strings.Join(lines, "\n"))
	}
}

// afterStart leaves out the first two lines: hiding and acquiring go side by side.
func (d *diary) afterStart() *diary {
	return &diary{lines: d.lines[2:]}
}
