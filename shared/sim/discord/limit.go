package discord

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
	"time"
)

// budget is how many calls a window allows. Calls of one family show the same bucket hash; create and edit count apart.
type budget struct {
	family string
	calls  int
	per    time.Duration
}

// The budgets that people have observed on Discord; it publishes none of them.
var (
	speech   = budget{"speech", 5, 5 * time.Second}
	typing   = budget{"typing", 5, 5 * time.Second}
	deletes  = budget{"deletes", 5, time.Second}
	reads    = budget{"reads", 50, time.Second}
	generous = budget{"generous", 50, time.Second}
)

// The whole bot may make so many calls a second.
const globalCalls = 50

const (
	scopeUser   = "user"
	scopeGlobal = "global"
)

// window is one bucket's use since its first call.
type window struct {
	used int
	ends time.Time
}

// limiter counts calls by bucket and for the whole bot.
type limiter struct {
	buckets map[string]*window
	global  window
}

// take charges a call and writes Discord's headers. A wait above zero means that the call is refused for that long.
func (l *limiter) take(rt *route, q *request, h http.Header) (wait time.Duration, scope string) {
	if !q.now.Before(l.global.ends) {
		l.global = window{ends: q.now.Add(time.Second)}
	}
	if l.global.used >= globalCalls {
		wait = l.global.ends.Sub(q.now)
		retryHeaders(h, wait, scopeGlobal)
		return wait, scopeGlobal
	}
	l.global.used++
	b := l.bucket(rt, q)
	if b.used >= rt.budget.calls {
		wait = b.ends.Sub(q.now)
		bucketHeaders(h, rt, q, 0, b.ends)
		retryHeaders(h, wait, scopeUser)
		return wait, scopeUser
	}
	b.used++
	bucketHeaders(h, rt, q, rt.budget.calls-b.used, b.ends)
	return 0, ""
}

// bucket returns the live window of a call. The map is swept when it grows, for a bench talks in thousands of channels.
func (l *limiter) bucket(rt *route, q *request) *window {
	if len(l.buckets) > 4096 {
		for key, b := range l.buckets {
			if !q.now.Before(b.ends) {
				delete(l.buckets, key)
			}
		}
	}
	key := rt.method + rt.pattern + " " + q.resource()
	b := l.buckets[key]
	if b == nil || !q.now.Before(b.ends) {
		b = &window{ends: q.now.Add(rt.budget.per)}
		l.buckets[key] = b
	}
	return b
}

// unlimited writes the headers of a bucket that nobody has used.
func (l *limiter) unlimited(rt *route, q *request, h http.Header) {
	bucketHeaders(h, rt, q, rt.budget.calls-1, q.now.Add(rt.budget.per))
}

// resource is the part of a path that has buckets of its own.
func (q *request) resource() string {
	if id := q.vars["channel_id"]; id != "" {
		return id
	}
	return q.vars["guild_id"]
}

func bucketHeaders(h http.Header, rt *route, q *request, remaining int, ends time.Time) {
	hash := fnv.New64a()
	hash.Write([]byte(rt.budget.family))
	set(h, "X-RateLimit-Limit", strconv.Itoa(rt.budget.calls))
	set(h, "X-RateLimit-Remaining", strconv.Itoa(remaining))
	set(h, "X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(ends.UnixMilli())/1000))
	set(h, "X-RateLimit-Reset-After", fmt.Sprintf("%.3f", ends.Sub(q.now).Seconds()))
	set(h, "X-RateLimit-Bucket", fmt.Sprintf("%016x", hash.Sum64()))
}

func retryHeaders(h http.Header, wait time.Duration, scope string) {
	set(h, "Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	set(h, "X-RateLimit-Scope", scope)
	if scope == scopeGlobal {
		set(h, "X-RateLimit-Global", "true")
	}
}

func set(h http.Header, name, value string) { h.Set(name, value) }

// limited is the body of a 429.
func limited(wait time.Duration, global bool) reply {
	return reply{http.StatusTooManyRequests, struct {
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}{"You are being rate limited.", math.Ceil(wait.Seconds()*1000) / 1000, global}}
}
