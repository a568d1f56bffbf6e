package chat

import (
	"context"
	"errors"
	"time"
)

// How much a relay may do, and how long what it keeps stays true.
const (
	// SessionsDaily is how many gateway sessions an installation starts in any 24 hours, all shards and restarts together.
	// Discord resets the token of a bot that starts more than 1,000 (docs, events/gateway, rate limiting).
	SessionsDaily = 500
	// SessionsBurst is how many of them may follow one another at once. The others are spread over the day, so that what ends
	// sessions again and again, such as a process that is restarted in a loop, does not leave a day without any. An
	// installation of more shards than this takes longer to start without sessions that can be resumed.
	SessionsBurst = 60
	// SessionsEvery is how often a session may be started once the burst is used up; each time that passes gives one back.
	SessionsEvery = 24 * time.Hour / (SessionsDaily - SessionsBurst)
	// RelayLimit is how long a relay that said nothing is taken for alive.
	RelayLimit = time.Minute
	// MaxDirect is how many channels of direct messages a shard remembers.
	MaxDirect = 1000
)

// Session is what a gateway session leaves for a connection that resumes it.
type Session struct {
	ID  string `json:"id,omitempty"`
	URL string `json:"url,omitempty"` // where Discord wants it resumed
	Seq int64  `json:"seq,omitempty"` // every event up to it is on the queue
	// Shards is the number of shards it was started among; it cannot be resumed among another.
	Shards int `json:"shards,omitempty"`
	// Intents are what it was started to hear; it cannot hear anything else.
	Intents int `json:"intents,omitempty"`
}

// Shard is what the relay keeps of one shard, so that its successor misses nothing and says little twice.
type Shard struct {
	Session Session `json:"session,omitzero"`
	// Watermark is a snowflake: every message of the shard up to it was put on the queue, so that after a lost session the
	// channels are read from there. Empty on the first start: nothing was missed then.
	Watermark MessageID `json:"watermark,omitempty"`
	// Direct are the channels of direct messages with news in the last day, the newest last, at most MaxDirect: Discord
	// tells a new session of every channel but these.
	Direct []ChannelID `json:"direct,omitempty"`
	// Of is the number of shards that this was kept among, also without a session. What was kept among another number says
	// nothing of the channels of this shard.
	Of int `json:"of,omitempty"`
	// Owner is the relay that keeps this, and Alive when it last did. An owner that left writes the zero time.
	Owner string    `json:"owner,omitempty"`
	Alive time.Time `json:"alive,omitzero"`
}

// Held tells whether a relay other than the named one held the shard at the time. One that was last alive in the future had a
// clock ahead of ours, and may be dead all the same.
func (s Shard) Held(by string, now time.Time) bool {
	return s.Owner != "" && s.Owner != by && now.Sub(s.Alive).Abs() < RelayLimit
}

// ErrHeld says that another relay that is alive keeps the shard.
var ErrHeld = errors.New("another relay keeps this shard")

// Relays is what relays keep across processes. It is of one bot: another token has other shards and another count.
type Relays interface {
	// Shard reads what is kept of a shard; the zero value when there is nothing.
	Shard(ctx context.Context, n int) (Shard, error)
	// Keep writes it for s.Owner as of s.Alive (the time of the call, or zero to leave). It fails with ErrHeld, and changes
	// nothing, when another owner is alive then. The watermark never goes back among the same number of shards, except that
	// one from the future gives way.
	Keep(ctx context.Context, n int, s Shard) error
	// Start counts a session about to be started, unless SessionsDaily were started in the 24 hours before now, or more at
	// once than SessionsBurst and one each SessionsEvery allow: then it counts nothing and returns how long to wait before
	// asking again. An error means not counted, and no session may be started.
	Start(ctx context.Context, now time.Time) (wait time.Duration, err error)
}

// Spool takes events from the gateway and puts them on the queue, those of one channel in the order in which it got them.
type Spool interface {
	// Put takes an event. It blocks while there is no room, and then returns the context's cause when that ends first. done
	// is called once, from any goroutine, when the event is on the queue or was given up for good, which is logged; it is not
	// called for an event that the process ended with. A nil error with done not yet called is no promise across processes.
	Put(ctx context.Context, e Event, done func()) error
}
