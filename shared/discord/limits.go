package discord

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Sizes of the limiter.
const (
	maxBuckets = 2048 // remembered at once; idle ones are dropped beyond
	// A wait is begun only when the call has this long afterwards: a call that is cut off has an unknown outcome.
	callRoom = 2 * time.Second
	// Discord bans an address after 10,000 invalid requests (401, 403, 429) in ten minutes. Others may share ours.
	maxInvalid   = 2000
	invalidSlots = 10
	invalidPause = time.Minute
	resetSlack   = 5 * time.Millisecond // headers are rounded
	// A call that may be skipped takes the last place of a bucket that is filled again so soon: whatever comes after it would
	// not wait for longer.
	spareUntil = 500 * time.Millisecond
)

var (
	errWait     = errors.New("a rate limit outlasts the call")
	errStrained = errors.New("too many requests were refused lately")
)

// limits knows Discord's rate limits as its replies tell them: buckets by method, bucket hash and major parameter, a block
// of everything, and the count of invalid requests. Numbers are never assumed.
type limits struct {
	mu      sync.Mutex
	hashes  map[string]string // method and route → bucket hash
	buckets map[string]*bucket
	until   time.Time // the bot is blocked
	shut    time.Time // our address is blocked
	all     together
	invalid [invalidSlots]struct {
		minute int64
		n      int
	}
}

// bucket is one limit. As long as limit is 0 nothing is known and everything may go.
type bucket struct {
	key       string
	limit     int
	remaining int // less the calls that are under way
	reset     time.Time
	period    time.Duration // the longest time to a reset that was seen
	flying    int           // calls without an answer yet
	waiting   int
	apart     bool // the limit of all calls of the bot does not count (Discord, Receiving and Responding to Interactions)
}

// grant is the permission for one call. It must be given back with leave.
type grant struct {
	l      *limits
	b      *bucket
	method string
	route  string
	major  string
}

func newLimits() *limits {
	return &limits{hashes: map[string]string{}, buckets: map[string]*bucket{}}
}

// enter waits until a call may go. When the wait would outlast the context it fails at once with the time to wait.
func (l *limits) enter(ctx context.Context, method, route, major string) (*grant, time.Duration, error) {
	for {
		now := time.Now()
		l.mu.Lock()
		b := l.bucket(method, route, major, now)
		d := l.wait(b, now, 0)
		if d <= 0 {
			b.take(now)
			l.mu.Unlock()
			return &grant{l: l, b: b, method: method, route: route, major: major}, 0, nil
		}
		if end, ok := ctx.Deadline(); ok && now.Add(d+callRoom).After(end) {
			l.mu.Unlock()
			return nil, d, errWait
		}
		b.waiting++
		l.mu.Unlock()
		err := pause(ctx, d)
		l.mu.Lock()
		b.waiting--
		l.mu.Unlock()
		if err != nil {
			return nil, max(time.Until(now.Add(d)), waitAtLeast), err
		}
	}
}

// hint is the wait of a call that leaves one place of the bucket to others.
func (l *limits) hint(method, route, major string) time.Duration {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[bucketKey(method, route, l.hashes[method+" "+route], major)]
	if b == nil {
		b = &bucket{}
	}
	spare := 0
	if b.limit > 1 {
		spare = 1
	}
	if d := max(l.wait(b, now, spare), 0); d > 0 || !l.straining(now) {
		return d
	}
	return strainWait
}

// wait is how long a call of the bucket must wait, given that it leaves spare places.
func (l *limits) wait(b *bucket, now time.Time, spare int) time.Duration {
	d := l.shut.Sub(now)
	if !b.apart {
		d = max(d, l.until.Sub(now))
	}
	if left := b.reset.Sub(now); b.limit > 0 && (b.remaining <= 0 || b.remaining <= spare && left > spareUntil) {
		d = max(d, left)
	}
	if l.invalidCount(now) >= maxInvalid || l.all.known() >= mostTogether {
		d = max(d, invalidPause)
	}
	return d
}

// take counts a call that goes now. When the window is over it opens the next one as the last one was.
func (b *bucket) take(now time.Time) {
	if b.limit > 0 && !now.Before(b.reset) {
		b.remaining, b.reset = b.limit-b.flying, now.Add(b.period)
	}
	b.remaining--
	b.flying++
}

// leave ends a call and learns from its reply; status is 0 when there was none. It tells whether Discord holds the call
// against us.
func (g *grant) leave(status int, h http.Header, r rebuff) (invalid bool) {
	now := time.Now()
	l := g.l
	l.mu.Lock()
	defer l.mu.Unlock()
	g.b.flying--
	invalid = status == http.StatusUnauthorized || status == http.StatusForbidden || status == rateLimitCode && !r.shared
	if invalid {
		l.countInvalid(now)
	}
	if status == rateLimitCode && r.blocked {
		l.shut = later(l.shut, now.Add(r.after))
		return invalid
	}
	if status == rateLimitCode && r.global {
		l.until = later(l.until, now.Add(r.after))
		return invalid
	}
	b := g.rebind(h.Get("X-RateLimit-Bucket"))
	limit, err1 := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	remaining, err2 := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	after, ok := seconds(h.Get("X-RateLimit-Reset-After"))
	if err1 == nil && err2 == nil && ok && limit > 0 {
		b.learn(limit, remaining, after, now)
	}
	if status == rateLimitCode { // its own word outranks the headers of the bucket
		b.limit, b.remaining = max(b.limit, 1), 0
		b.reset = now.Add(r.after)
	}
	return invalid
}

// learn takes over what the headers say. Calls under way are not in Discord's count yet.
func (b *bucket) learn(limit, remaining int, after time.Duration, now time.Time) {
	reset := now.Add(after + resetSlack)
	same := b.limit > 0 && reset.Sub(b.reset).Abs() < time.Second
	left := max(remaining-b.flying, 0)
	if same {
		left = min(left, b.remaining) // replies overtake each other; inside a window the count only falls
	}
	b.limit, b.remaining, b.reset = limit, left, reset
	b.period = max(b.period, after)
}

// rebind moves the call's bucket to the hash that Discord gave it.
func (g *grant) rebind(hash string) *bucket {
	if hash == "" || len(hash) > 100 {
		return g.b
	}
	l := g.l
	l.hashes[g.method+" "+g.route] = hash
	key := bucketKey(g.method, g.route, hash, g.major)
	if key == g.b.key {
		return g.b
	}
	if b := l.buckets[key]; b != nil {
		return b
	}
	if l.buckets[g.b.key] == g.b {
		delete(l.buckets, g.b.key)
	}
	g.b.key = key
	l.buckets[key] = g.b
	return g.b
}

// bucketKey names a bucket. The method is part of it: create and edit show the same hash and yet are counted apart.
func bucketKey(method, route, hash, major string) string {
	if hash == "" {
		hash = "route " + route
	}
	return method + " " + hash + " " + major
}

// bucket finds or makes the bucket of a call.
func (l *limits) bucket(method, route, major string, now time.Time) *bucket {
	key := bucketKey(method, route, l.hashes[method+" "+route], major)
	b := l.buckets[key]
	if b == nil {
		if len(l.buckets) >= maxBuckets {
			l.prune(now)
		}
		b = &bucket{key: key, apart: route == routeCallback}
		l.buckets[key] = b
	}
	return b
}

// prune drops the buckets that nobody uses and that say nothing any more; when there are none, half of the unused ones,
// which costs a refusal at worst.
func (l *limits) prune(now time.Time) {
	for k, b := range l.buckets {
		if b.flying == 0 && b.waiting == 0 && !now.Before(b.reset) {
			delete(l.buckets, k)
		}
	}
	for k, b := range l.buckets {
		if len(l.buckets) <= maxBuckets/2 {
			return
		}
		if b.flying == 0 && b.waiting == 0 {
			delete(l.buckets, k)
		}
	}
}

func (l *limits) countInvalid(now time.Time) {
	m := now.Unix() / 60
	s := &l.invalid[m%invalidSlots]
	if s.minute != m {
		s.minute, s.n = m, 0
	}
	s.n++
}

func (l *limits) invalidCount(now time.Time) int {
	m, n := now.Unix()/60, 0
	for _, s := range l.invalid {
		if m-s.minute < invalidSlots {
			n += s.n
		}
	}
	return n
}

// strained tells whether so many requests were invalid lately that what can wait should.
func (l *limits) strained() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.straining(time.Now())
}

func (l *limits) straining(now time.Time) bool {
	return l.invalidCount(now) >= maxInvalid/4 || l.all.known() >= someTogether
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// pause waits, or returns why the context ended.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
