package discord

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func bucketHeaders(h http.Header, b budget, q *request, remaining int, ends time.Time) {
	hash := fnv.New64a()
	hash.Write([]byte(b.family))
	h.Set("X-RateLimit-Limit", strconv.Itoa(b.calls))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(ends.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", ends.Sub(q.now).Seconds()))
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%016x", hash.Sum64()))
}

func retryHeaders(h http.Header, wait time.Duration, scope string) {
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	h.Set("X-RateLimit-Scope", scope)
	if scope == scopeGlobal {
		h.Set("X-RateLimit-Global", "true")
	}
}

// limited is the body of a 429.
func limited(wait time.Duration, scope string) reply {
	message := "You are being rate limited."
	if scope == scopeShared {
		message = "The resource is being rate limited."
	}
	return reply{http.StatusTooManyRequests, struct {
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}{message, math.Ceil(wait.Seconds()*1000) / 1000, scope == scopeGlobal}}
}

// misdeed counts an answer against the address if it is one that Discord counts, and bans the address when there were too
// many. The lock is held.
func (s *Server) misdeed(status int, scope string, now time.Time) {
	switch {
	case s.opt.NoLimits, now.Before(s.limits.banned), status == http.StatusTooManyRequests && scope == scopeShared:
		return
	case status != http.StatusUnauthorized && status != http.StatusForbidden && status != http.StatusTooManyRequests:
		return
	}
	l := &s.limits
	if !now.Before(l.invalid.ends) {
		l.invalid = window{ends: now.Add(l.numbers.InvalidWindow)}
	}
	if l.invalid.used++; l.invalid.used >= l.numbers.Invalid {
		l.banned = now.Add(l.numbers.Ban)
		l.invalid = window{}
	}
}

// banned answers in Discord's place while the address is banned: what answers then is Cloudflare, which knows no JSON, no
// bucket and no Via header. It says 1015, as those who were banned report it.
func (s *Server) banned(x *exchange) bool {
	s.mu.Lock()
	wait := s.limits.banned.Sub(x.call.Time)
	s.mu.Unlock()
	if wait <= 0 {
		return false
	}
	x.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	s.answerCloudflare(x)
	return true
}

// answerCloudflare writes the 429 of what stands in front of Discord.
func (s *Server) answerCloudflare(x *exchange) {
	x.w.Header().Del("Via")
	x.w.Header().Set("Content-Type", "text/html")
	s.writeAnswer(x, http.StatusTooManyRequests, []byte("error code: 1015"))
}

// BucketState is one rate-limit bucket that has been used in its present window.
type BucketState struct {
	// Budget is the name that Options.Limits knows; Route is empty where all routes of that name count together.
	Budget string `json:"budget"`
	Route  string `json:"route,omitempty"`
	// Resource is the id of the channel, webhook or guild that it counts for.
	Resource string  `json:"resource,omitempty"`
	Used     int     `json:"used"`
	Calls    int     `json:"calls"`
	Resets   float64 `json:"reset_after"` // seconds
}

// LimitState is how near to its limits the bot is.
type LimitState struct {
	// Global and Address count the calls of this second, with and without a bot token.
	Global  int `json:"global"`
	Address int `json:"address"`
	// Invalid counts the invalid requests of the present window; Banned is for how many seconds Discord will not answer.
	Invalid int           `json:"invalid"`
	Banned  float64       `json:"banned"`
	Buckets []BucketState `json:"buckets"`
}

// Limits returns what the rate limits have counted, buckets in the order of their names.
func (s *Server) Limits() LimitState {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	l := &s.limits
	used := func(w window) int {
		if now.Before(w.ends) {
			return w.used
		}
		return 0
	}
	v := LimitState{Global: used(l.global), Address: used(l.address), Invalid: used(l.invalid), Buckets: []BucketState{}}
	v.Banned = max(0, l.banned.Sub(now).Seconds())
	for _, w := range l.buckets {
		if left := w.ends.Sub(now); left > 0 {
			b := BucketState{Budget: w.budget.name, Route: w.route, Resource: w.whose, Used: w.used, Calls: w.budget.calls, Resets: left.Seconds()}
			if w.budget.shared {
				b.Route = ""
			}
			v.Buckets = append(v.Buckets, b)
		}
	}
	slices.SortFunc(v.Buckets, func(a, b BucketState) int {
		return strings.Compare(a.Budget+" "+a.Route+" "+a.Resource, b.Budget+" "+b.Route+" "+b.Resource)
	})
	return v
}
