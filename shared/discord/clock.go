package discord

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// clockSlack is by how much two clocks may differ before ours is taken for wrong: Discord tells whole seconds, and answers
// need a while.
const clockSlack = 2 * time.Minute

// clock is Discord's, by which its ids are made. Ours may be wrong by a day, and then a day of messages would seem too old to be
// read, or what was missed to lie in the future.
type clock struct {
	ahead atomic.Int64 // of ours, in nanoseconds; 0 while they agree
	fine  atomic.Int64 // the same, where seconds matter
}

// hear reads the time off an answer.
func (c *clock) hear(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	ahead := time.Until(at)
	fine := ahead + time.Second/2 // the answer was given within the second that it tells
	if fine.Abs() < time.Second {
		fine = 0
	}
	c.fine.Store(int64(fine))
	if ahead.Abs() < clockSlack {
		ahead = 0
	}
	if was := c.ahead.Swap(int64(ahead)); was == 0 && ahead != 0 {
		slog.Warn("the clock of this machine is wrong: relays may take one another for dead", "off", (-ahead).Round(time.Second).String(),
			"fix", "set it from the network (NTP)")
	}
}

// now is the time at Discord, as far as we know.
func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// age is how long ago something happened there, to about a second; below zero when the clocks are not known well enough.
func (c *clock) age(made time.Time) time.Duration {
	return time.Since(made) + time.Duration(c.fine.Load())
}
