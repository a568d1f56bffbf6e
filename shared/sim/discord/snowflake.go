package discord

import (
	"strconv"
	"time"
)

// epoch is the first millisecond of 2015, from which Discord counts ids.
const epoch = 1420070400000

// fixed is the millisecond of the ids that every Server has alike (application, guild, channels, users), so that what a bot
// has stored about them still holds after a restart. floor, a day later, is the earliest millisecond of any other id: under a
// clock that stands before 2015, as testing/synctest's does, ids still grow and have the length of real ones.
const (
	fixed = 31536000000
	floor = fixed + 86400000
)

// snowflakes gives out ids that grow and are never given twice.
type snowflakes struct{ last int64 }

// next returns an id that carries the time now, or the first free one after the last where the clock stands or goes back.
func (f *snowflakes) next(now time.Time) string {
	id := max(now.UnixMilli()-epoch, floor) << 22
	f.last = max(id, f.last+1)
	return strconv.FormatInt(f.last, 10)
}

// fixture returns the n-th of the ids that all servers share.
func fixture(n int) string {
	return strconv.FormatInt((fixed+int64(n))<<22, 10)
}

// number reads an id. What is no snowflake is not ok.
func number(id string) (n int64, ok bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil && n >= 0
}
