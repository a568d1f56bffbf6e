package chat

import (
	"context"
	"time"
)

// HealthEvery is how often a relay that runs says so; at once when something changes. After HealthLate without a word it may
// be dead, and after RelayLimit it is taken for dead.
const (
	HealthEvery = 20 * time.Second
	HealthLate  = HealthEvery + 10*time.Second
)

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

	// Its owner's time is limited, and it leaves as soon as there is an heir, which was named at the time.
	Wants  bool      `json:"wants,omitempty"`
	Heir   string    `json:"heir,omitempty"`
	HeirAt time.Time `json:"heir_at,omitzero"`
}

// Parked says why a relay does nothing until somebody changes its settings.
type Parked struct {
	Why      string    `json:"why"`
	Fix      string    `json:"fix"`      // what to do, for the one who runs the bot
	Settings string    `json:"settings"` // a fingerprint of what was refused; no secret can be found from it
	Since    time.Time `json:"since"`
	Later    bool      `json:"later,omitempty"` // Discord may change its mind: it is asked again after parkedFor
}

// parkedFor is how long a relay is parked that Discord may take later under the same settings.
const parkedFor = time.Hour

// Holds tells whether a relay with these settings is to wait.
func (p *Parked) Holds(settings string, now time.Time) bool {
	return p != nil && p.Settings == settings && (!p.Later || now.Sub(p.Since) < parkedFor)
}

// Held tells whether a relay other than the named one was at work at the time. One that is parked, or whose clock was ahead of
// ours, keeps nobody out.
func (h Health) Held(by string, now time.Time) bool {
	return h.Owner != "" && h.Owner != by && !h.Left && h.Parked == nil && now.Sub(h.Alive).Abs() < RelayLimit
}

// Settled tells whether a relay other than the named one is at work and has no need of another: it spoke in time and looks for
// no heir.
func (h Health) Settled(by string, now time.Time) bool {
	return h.Held(by, now) && !h.Wants && now.Sub(h.Alive) < HealthLate
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
	// Whether an heir is wanted, and named, stays as it is while the owner does.
	Say(ctx context.Context, h Health) error
	// Want notes that the owner looks for an heir. It fails with ErrHeld when another relay owns the word.
	Want(ctx context.Context, owner string) error
	// Name makes one the heir of whoever is at work. It fails with ErrHeld, and changes nothing, when another was named less
	// than RelayLimit before.
	Name(ctx context.Context, heir string, now time.Time) error
}
