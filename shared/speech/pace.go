package speech

import (
	"sync"
	"time"
)

// The rates of Discord that the pace keeps to.
const (
	// Interval is the usual time between two edits of one message: five edits in five seconds are allowed a channel, and
	// creates share them.
	Interval = 1200 * time.Millisecond

	fullRate   = 40.0             // calls a second that all streams of an installation make together; Discord allows 50
	ofEdits    = 0.83             // of them; the rest are creates and what is read before
	few        = 40               // streams that need not think of each other
	leastRate  = 1.0              // however often it is halved
	regain     = 1.0              // by how much the rate rises for each quiet second
	noRetry    = 5 * time.Second  // the wait after a limit that names no time
	alike      = 8                // numbers of streams that take the same turns
	longestTry = 10 * time.Minute // what longer waits are cut to; the next refusal extends them
)

// Pace decides when the next edit of one stream may go. It holds no clock: every method is told the time, which must not
// go backwards. It is safe for concurrent use.
//
// Edits are so far apart that all streams together stay below one rate. A global limit halves that rate; it rises
// again steadily while nothing is refused. Creates and final edits do not ask it: they wait for a limit to pass and for
// nothing else.
//
// Where the streams are many, they also take turns: each has slots of its own, as far apart as its edits may be, by the clock
// and by its rank. Without them as many calls would still come at random, and a second with many of them would be over the
// limit. There a final edit takes its turn too: it waits no longer than any other. While the rate is lower than it may be
// there are no slots.
type Pace struct {
	mu       sync.Mutex
	interval time.Duration
	streams  int
	rank     int
	moved    bool      // to another slot, since Next was asked
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
	return &Pace{interval: interval, rate: fullRate, streams: 1}
}

// Crowded tells whether there are so many streams that they take turns.
func (p *Pace) Crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.streams > few
}

// Among tells how many streams there are, this one included, and which of them it is.
func (p *Pace) Among(streams, rank int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	streams, rank = max(streams, 1), max(rank, 0)
	p.moved = p.moved || !p.last.IsZero() && (rank != p.rank || turns(streams) != turns(p.streams))
	p.streams, p.rank = streams, rank
}

// turns is how many slots there are for so many streams. The number is rounded up, so that those who know it a little
// differently take turns all the same.
func turns(streams int) int { return (streams + alike - 1) / alike * alike }

// Next gives the earliest time, not before now, at which an edit may go.
func (p *Pace) Next(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	next, rate := p.free(now), p.current(now)
	apart := max(p.interval, time.Duration(float64(p.streams)/(ofEdits*rate)*float64(time.Second)))
	switch {
	case p.last.IsZero():
	case p.streams <= few && rate == fullRate:
		next = later(next, p.last.Add(p.interval))
	case rate < fullRate:
		next = later(next, p.last.Add(apart))
	default:
		least := apart / 4
		if p.moved { // all may have other slots at once: on average they must come later for it, not earlier
			least, p.moved = apart*2/3, false
		}
		next = p.slot(later(next, p.last.Add(least)))
	}
	return next
}

// slot gives the stream's first slot from then on.
func (p *Pace) slot(then time.Time) time.Time {
	streams := turns(p.streams)
	every := max(p.interval, time.Duration(float64(streams)/(ofEdits*fullRate)*float64(time.Second)))
	first := every / time.Duration(streams) * time.Duration(p.rank%streams)
	since := time.Duration(then.UnixNano()) - first
	if over := since % every; over > 0 {
		return then.Add(every - over)
	}
	return then
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (p *Pace) free(now time.Time) time.Time {
	if p.blocked.After(now) {
		return p.blocked
	}
	return now
}

// Sent tells that a call of any kind went out at now.
func (p *Pace) Sent(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = later(p.last, now)
}

// Limited tells that Discord refused a call at now and when it wants the next one; retry of 0 or less means that it did
// not say. A global limit concerns every stream: tell it to all of them.
func (p *Pace) Limited(now time.Time, global bool, retry time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
