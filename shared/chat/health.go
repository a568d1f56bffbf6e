package chat

import (
	"context"
	"time"
)

// HealthEvery is how often a relay that runs says so; at once when something changes.
const HealthEvery = 20 * time.Second

// Health is what the relay last said of itself. There is one in an installation, and it is read without the bot's token: by
// the sweeper, which measures the silence, by whoever asks why nobody answers, and by relays, of which one speaks.
type Health struct {
	Owner   string    `json:"owner,omitempty"`
	Alive   time.Time `json:"alive,omitzero"` // when it last spoke
	Left    bool      `json:"left,omitempty"` // it ended in order, and another may go on at once
	Ready   int       `json:"ready,omitempty"`
	Of      int       `json:"of,omitempty"`     // shards in all; 0 until Discord told
	Parked  *Parked   `json:"parked,omitempty"` // it waits for other settings; nil while it works
	Version string    `json:"version,omitempty"`
}

// Parked says why a relay does nothing until somebody changes its settings.
type Parked struct {
	Why      string    `json:"why"`
	Fix      string    `json:"fix"`      // what to do, for the one who runs the bot
	Settings string    `json:"settings"` // a fingerprint of what was refused; no secret can be found from it
	Since    time.Time `json:"since"`
}

// Held tells whether a relay other than the named one was at work at the time. One that is parked, or whose clock was ahead of
// ours, keeps nobody out.
func (h Health) Held(by string, now time.Time) bool {
	return h.Owner != "" && h.Owner != by && !h.Left && h.Parked == nil && now.Sub(h.Alive).Abs() < RelayLimit
}

// Silent is how long nobody has said anything; at most a day, also when nobody ever did.
func (h Health) Silent(now time.Time) time.Duration {
	return min(max(now.Sub(h.Alive), 0), 24*time.Hour)
}

// Vitals keeps the Health of an installation's relay.
type Vitals interface {
	// Health reads it; the zero value when no relay ever spoke.
	Health(ctx context.Context) (Health, error)
	// Say writes it for h.Owner as of h.Alive. It fails with ErrHeld, and changes nothing, when another relay is at work then.
	Say(ctx context.Context, h Health) error
}
