package discord

import (
	"net/http"
	"strings"
	"time"
)

// budget is how many calls a window allows. Calls of one family show the same bucket hash and still count apart by route,
// as create and edit do, unless the budget is shared by all routes of its name.
type budget struct {
	name, family string
	calls        int
	per          time.Duration
	shared       bool
}

// The budgets that people have observed on Discord; it publishes none of them. Options.Limits changes them by name. Those of
// messages count by channel, those of webhooks by id and token, the others by guild or for all. Of a webhook's edits nobody
// has published more than that five remain after the first answers; the window of the bot's edits is assumed.
var (
	speech      = budget{name: "create", family: "speech", calls: 5, per: 5 * time.Second}
	edits       = budget{name: "edit", family: "speech", calls: 5, per: 5 * time.Second}
	typing      = budget{name: "typing", family: "typing", calls: 5, per: 5 * time.Second}
	deletes     = budget{name: "delete", family: "deletes", calls: 5, per: time.Second}
	reactions   = budget{name: "react", family: "reactions", calls: 1, per: 250 * time.Millisecond, shared: true}
	reads       = budget{name: "read", family: "reads", calls: 50, per: time.Second}
	hookSpeech  = budget{name: "webhook", family: "webhooks", calls: 5, per: 2 * time.Second}
	hookEdits   = budget{name: "webhook-edit", family: "webhook-edits", calls: 5, per: 5 * time.Second, shared: true}
	hookDeletes = budget{name: "webhook-delete", family: "webhook-deletes", calls: 5, per: time.Second, shared: true}
	generous    = budget{name: "other", family: "generous", calls: 50, per: time.Second}

	// hidden is what all webhooks of a channel share. No header ever tells of it: it is seen as a 429 whose Retry-After is
	// tens of seconds while the headers of the webhook's own bucket still promise calls. Staff calls such limits internal ones
	// "which do not apply to your usage specifically" and answers them with the scope "shared"; hence they are here too, and
	// hence they do not count as invalid requests.
	hidden = budget{name: "channel-webhooks", calls: 30, per: time.Minute, shared: true}
)

// Budget is a number of calls and the window they share.
type Budget struct {
	Calls int
	Per   time.Duration
}

// Limits are the numbers of Discord's rate limits. The zero value has those that were observed.
type Limits struct {
	// Budgets replaces budgets by name: create, edit, typing, delete, react, read, webhook, webhook-edit, webhook-delete,
	// channel-webhooks, other.
	Budgets map[string]Budget
	// Global is how many calls the bot may make in a second, and how many an address may make without a token. Default 50.
	Global int
	// Invalid is how many answers of 401, 403 and 429 (without those of scope shared) an address may cause within
	// InvalidWindow before it is banned for Ban. Defaults 10,000, 10 minutes, 1 hour.
	Invalid            int
	InvalidWindow, Ban time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Global <= 0 {
		l.Global = 50
	}
	if l.Invalid <= 0 {
		l.Invalid = 10_000
	}
	if l.InvalidWindow <= 0 {
		l.InvalidWindow = 10 * time.Minute
	}
	if l.Ban <= 0 {
		l.Ban = time.Hour
	}
	return l
}

// of is the budget under these limits.
func (l Limits) of(b budget) budget {
	if own, set := l.Budgets[b.name]; set && own.Calls > 0 && own.Per > 0 {
		b.calls, b.per = own.Calls, own.Per
	}
	return b
}

const (
	scopeUser   = "user"
	scopeGlobal = "global"
	scopeShared = "shared"
)

// window is one bucket's use since its first call.
type window struct {
	budget budget
	route  string // method and pattern
	whose  string // a channel, guild or webhook by id; never a token
	used   int
	ends   time.Time
}

// limiter counts calls by bucket, for the whole bot, for callers without a token, and the invalid ones.
type limiter struct {
	numbers Limits
	buckets map[string]*window
	global  window
	address window
	invalid window
	banned  time.Time
}

// refusal says why a call is refused and for how long. The zero value lets it pass.
type refusal struct {
	wait  time.Duration
	scope string
}

// take charges a call and writes Discord's headers. shared is the channel whose webhooks have a budget together, or "".
func (l *limiter) take(rt *route, q *request, shared string, h http.Header) refusal {
	if over := l.whole(q, h); over.wait > 0 {
		return over
	}
	own := l.numbers.of(rt.budget)
	b := l.bucket(own, rt.method+" "+rt.pattern, q.resource(), q.whose(), q.now)
	if b.used >= own.calls {
		over := refusal{b.ends.Sub(q.now), scopeUser}
		bucketHeaders(h, own, q, 0, b.ends)
		retryHeaders(h, over.wait, over.scope)
		return over
	}
	b.used++
	bucketHeaders(h, own, q, own.calls-b.used, b.ends)
	if shared == "" {
		return refusal{}
	}
	all := l.numbers.of(hidden)
	b = l.bucket(all, "", shared, shared, q.now)
	if b.used >= all.calls {
		over := refusal{b.ends.Sub(q.now), scopeShared}
		retryHeaders(h, over.wait, over.scope)
		return over
	}
	b.used++
	return refusal{}
}

// whole charges the limit over all routes: of the bot, or of the address where a call carries no bot token. Calls that
// belong to an interaction are outside of both.
func (l *limiter) whole(q *request, h http.Header) refusal {
	if q.interaction {
		return refusal{}
	}
	w := &l.address
	if q.identified {
		w = &l.global
	}
	if !q.now.Before(w.ends) {
		*w = window{ends: q.now.Add(time.Second)}
	}
	if w.used >= l.numbers.Global {
		over := refusal{w.ends.Sub(q.now), scopeGlobal}
		retryHeaders(h, over.wait, over.scope)
		return over
	}
	w.used++
	return refusal{}
}

// bucket returns the live window of a call. The map is swept when it grows, for a bench talks in thousands of channels.
func (l *limiter) bucket(b budget, where, resource, whose string, now time.Time) *window {
	if len(l.buckets) > 4096 {
		for key, w := range l.buckets {
			if !now.Before(w.ends) {
				delete(l.buckets, key)
			}
		}
	}
	key := b.name + " " + where + " " + resource
	if b.shared {
		key = b.name + " " + resource
	}
	w := l.buckets[key]
	if w == nil || !now.Before(w.ends) {
		w = &window{budget: b, route: where, whose: whose, ends: now.Add(b.per)}
		l.buckets[key] = w
	}
	return w
}

// unlimited writes the headers of a bucket that nobody has used.
func (l *limiter) unlimited(rt *route, q *request, h http.Header) {
	own := l.numbers.of(rt.budget)
	bucketHeaders(h, own, q, own.calls-1, q.now.Add(own.per))
}

// resource is the part of a path that has buckets of its own: the channel, the webhook with its token, or the guild.
func (q *request) resource() string {
	if id := q.vars["channel_id"]; id != "" {
		return id
	}
	if id := q.vars["webhook_id"]; id != "" {
		return id + " " + q.vars["webhook_token"]
	}
	return q.vars["guild_id"]
}

// whose is the resource without what is secret in it.
func (q *request) whose() string {
	id, _, _ := strings.Cut(q.resource(), " ")
	return id
}
