package discord

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// When a call of the catch-up is given up that fails while Discord otherwise works. Both must be reached: messages that
// cannot be read for a quarter of an hour are no reason to lose them, and a channel that never works must not hold up the
// watermark of all for ever.
const (
	missedTries    = 20
	missedPatience = time.Hour
)

// codeEdge is the code with which the edge before Discord refuses a request. It says nothing of the channel.
const codeEdge = 40333

// trouble is how a call that is to be repeated has failed so far.
type trouble struct {
	tries int       // that count: Discord worked otherwise
	since time.Time // of the first of them
	quiet time.Time // not before; zero when it did not fail
}

func (t *trouble) failed() bool { return !t.quiet.IsZero() }

// again decides about a call that failed: whether to make it again, and when. What only it suffers makes it alone wait.
// Whether Discord works otherwise is asked before a try counts: an outage, a proxy or a token that is being changed is not
// the channel's fault, however long it lasts.
func (c *catchUp) again(ctx context.Context, err error, t *trouble) bool {
	if ctx.Err() != nil {
		return true
	}
	if forEver(err) {
		slog.InfoContext(ctx, "a channel may not be read for what was missed", "error", err)
		return false
	}
	wait, own, counts := after(err), true, true
	if f := (*chat.Failure)(nil); errors.As(err, &f) && f.Kind == chat.Throttled && !unauthorized(err) {
		counts = f.Status != 0 && !f.Global
		own = counts || errors.Is(err, errWait)
	} else if _, ill := c.s.r.g.REST.Me(ctx); ill != nil {
		wait, own, counts = max(wait, after(ill)), false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !own {
		c.quiet = now.Add(max(wait, backoff(c.fails, backoffLast)))
		c.fails++
		t.quiet = c.quiet
		return true
	}
	t.quiet = now.Add(max(wait, backoff(t.tries, backoffLast)))
	if !counts {
		return true
	}
	c.fails = 0
	if t.tries++; t.tries == 1 {
		t.since = now
	}
	if t.tries >= missedTries && now.Sub(t.since) >= missedPatience {
		slog.ErrorContext(ctx, "what was missed could not be read", "tries", t.tries, "error", err)
		return false
	}
	return true
}

// forEver tells whether a call would fail in the same way whenever it is made again. Discord says so with a code of its
// own; a bare status may be a proxy's, or a moment's.
func forEver(err error) bool {
	var f *chat.Failure
	if !errors.As(err, &f) {
		return false
	}
	return f.Kind == chat.Vanished || f.Kind == chat.Rejected && (f.Status == 0 || f.Code != 0 && f.Code != codeEdge)
}

// forbidden remembers the channels that may not be read, so that not every new session asks each of them again: each such
// answer counts towards the invalid requests after which Discord bans an address.
type forbidden struct {
	mu       sync.Mutex
	channels map[chat.ChannelID]struct{}
}

func (f *forbidden) has(ch chat.ChannelID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, is := f.channels[ch]
	return is
}

// note remembers a channel if that is what the error says.
func (f *forbidden) note(ch chat.ChannelID, err error) {
	var said *chat.Failure
	if !errors.As(err, &said) || said.Code != codeMissingAccess && said.Code != codeMissingPermissions {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.channels) >= maxRefused {
		clear(f.channels) // more than anybody has
	}
	f.channels[ch] = struct{}{}
}

func (f *forbidden) forget(ch chat.ChannelID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.channels, ch)
}
