package speech

import "time"

// The rates of Discord that the pace keeps to.
const (
	// Interval is the usual time between two edits of one message: five edits in five seconds are allowed a channel, and
	// creates share them.
	Interval = 1200 * time.Millisecond

	fullRate   = 40.0             // calls a second that all streams of an installation make together; Discord allows 50
	leastRate  = 1.0              // however often it is halved
	regain     = 1.0              // by how much the rate rises for each quiet second
	noRetry    = 5 * time.Second  // the wait after a limit that names no time
	longestTry = 10 * time.Minute // what longer waits are cut to; the next refusal extends them
)

// Pace decides when the next edit of one stream may go. It holds no clock: every method is told the time, which must not
// go backwards. It is not safe for concurrent use.
//
// Edits are so far apart that all active streams together stay below one rate. A global limit halves that rate; it rises
// again steadily while nothing is refused. Creates and final edits ask Free instead of Next: they wait for a limit to pass
// and for nothing else.
type Pace struct {
	interval time.Duration
	last     time.Time // of the last call that went out
	blocked  time.Time // no call before this
	rate     float64   // at the time of rated
	rated    time.Time
}

// NewPace gives the pace of a stream whose edits are at least interval apart; 0 or less means Interval.
func NewPace(interval time.Duration) *Pace {
	if interval <= 0 {
		interval = Interval
	}
	return &Pace{interval: interval, rate: fullRate}
}

// Next gives the earliest time, not before now, at which an edit may go while active streams are edited, this one
// included.
func (p *Pace) Next(now time.Time, active int) time.Time {
	apart := max(p.interval, time.Duration(float64(max(active, 1))/p.current(now)*float64(time.Second)))
	next := p.Free(now)
	if due := p.last.Add(apart); !p.last.IsZero() && due.After(next) {
		next = due
	}
	return next
}

// Free gives the earliest time, not before now, at which a create or a final edit may go.
func (p *Pace) Free(now time.Time) time.Time {
	if p.blocked.After(now) {
		return p.blocked
	}
	return now
}

// Sent tells that a call went out at now.
func (p *Pace) Sent(now time.Time) { p.last = now }

// Limited tells that Discord refused a call at now and when it wants the next one; retry of 0 or less means that it did
// not say. A global limit concerns every stream: tell it to all of them.
func (p *Pace) Limited(now time.Time, global bool, retry time.Duration) {
	if retry <= 0 {
		retry = noRetry
	}
	if until := now.Add(min(retry, longestTry)); until.After(p.blocked) {
		p.blocked = until
	}
	if global {
		p.rate = max(leastRate, p.current(now)/2)
		p.rated = p.blocked // it rises from when calls are allowed again
	}
}

// current is the rate at now.
func (p *Pace) current(now time.Time) float64 {
	if p.rated.IsZero() {
		return p.rate
	}
	quiet := max(0, now.Sub(p.rated).Seconds())
	return min(fullRate, p.rate+regain*quiet)
}
