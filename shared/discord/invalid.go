package discord

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// What Discord counts against an address, over all processes of the installation. Of its ten thousand a quarter makes
// wait what can, and a half makes everything wait.
const (
	mostTogether = 5000
	someTogether = 2500
	tellEvery    = time.Second      // a process writes no oftener
	heardFor     = 15 * time.Second // then a process asks again that has heard of so many
	countWithin  = time.Second      // the longest that a call is held up for the count
	strainWait   = 15 * time.Second // of an edit that may be skipped
)

// together is the count of all processes, as far as this one has a part in it: whoever has no refused requests adds none.
type together struct {
	count chat.Invalids // nil: there are no others

	mu     sync.Mutex
	untold int
	told   time.Time
	heard  time.Time
	total  int
}

// note counts a request that Discord holds against us.
func (t *together) note(ctx context.Context) {
	if t.count == nil {
		return
	}
	now := time.Now()
	t.mu.Lock()
	t.untold++
	n, due := t.untold, now.Sub(t.told) >= tellEvery
	if due {
		t.untold, t.told = 0, now
	}
	t.mu.Unlock()
	if due {
		t.tell(ctx, n)
	}
}

// look asks again where the number that is known is large and old.
func (t *together) look(ctx context.Context) {
	if t.count == nil {
		return
	}
	now := time.Now()
	t.mu.Lock()
	n, due := t.untold, t.total >= someTogether && now.Sub(t.heard) >= heardFor
	if due {
		t.untold, t.told, t.heard = 0, now, now
	}
	t.mu.Unlock()
	if due {
		t.tell(ctx, n)
	}
}

func (t *together) tell(ctx context.Context, n int) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), countWithin)
	defer done()
	total, err := t.count.Invalid(ctx, n)
	if err != nil {
		slog.WarnContext(ctx, "what Discord refused could not be counted", "error", err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total, t.heard = total, time.Now()
}

// known is the count as it was heard, with what was not told yet.
func (t *together) known() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total + t.untold
}
