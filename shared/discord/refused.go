package discord

import (
	"errors"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// Discord's codes for a channel that the bot may not write to.
const (
	codeMissingAccess      = 50001
	codeMissingPermissions = 50013
)

const (
	refusedFor = time.Minute // until a channel is tried again; whoever mends its permissions waits no longer
	maxRefused = 10_000      // channels remembered
)

// refused remembers channels that lately refused to be written to. Without it, people who keep calling the bot there could
// drive it over Discord's limit of invalid requests, and silence it everywhere.
type refused struct {
	mu    sync.Mutex
	until map[chat.ChannelID]refusedChannel
}

type refusedChannel struct {
	until time.Time
	code  int
}

// before gives the failure of a call that needs not be made.
func (r *refused) before(op string, ch chat.ChannelID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, known := r.until[ch]
	if !known || time.Now().After(last.until) {
		return nil
	}
	return &chat.Failure{Op: op, Kind: chat.Rejected, Status: 403, Code: last.code, Err: errors.New("refused a moment ago")}
}

// after takes note of how a call ended.
func (r *refused) after(ch chat.ChannelID, err error) {
	var f *chat.Failure
	no := errors.As(err, &f) && (f.Code == codeMissingAccess || f.Code == codeMissingPermissions)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case no && len(r.until) < maxRefused:
		r.until[ch] = refusedChannel{time.Now().Add(refusedFor), f.Code}
	case no:
		clear(r.until) // more than anybody has; the next calls fill it again
	case err == nil:
		delete(r.until, ch)
	}
}
