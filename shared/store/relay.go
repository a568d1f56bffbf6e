package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Lifetimes of what relays keep. A shard's item outlives any pause after which somebody still wants an answer; after it, an
// installation begins as a new one does. The log of sessions only has to cover its window.
const (
	shardLife    = 30 * 24 * time.Hour
	startsWindow = 24 * time.Hour
	startsLife   = startsWindow + time.Hour
)

// Relays keeps what the relays of one bot leave for their successors: it implements chat.Relays. It is in the memory's
// space, whose partitions are what an installation has; a partition of the channels' space is a channel, and everything
// that lists or counts that space may rely on it.
//
//	relay#<bot>  shard#<n>   session, watermark, direct channels, and who keeps them since when
//	relay#<bot>  starts      when sessions were started in the last 24 hours
type Relays struct {
	kv  kv.Driver
	bot string
	was string // where a shard is looked for that bot does not have; "" for nowhere
}

var _ chat.Relays = (*Relays)(nil)

// NewRelays keeps the relays of a bot in the driver. bot names the bot and must not be its token: two tokens must not share
// a name, and one token must have the same name everywhere.
func NewRelays(d kv.Driver, bot string) *Relays { return &Relays{kv: d, bot: bot} }

// Formerly reads from another name what is not kept under this one yet, of a bot that was filed under it before. What it kept
// there lives for shardLife.
func (r *Relays) Formerly(bot string) *Relays { return &Relays{r.kv, r.bot, bot} }

func (r *Relays) key(sort string) kv.Key {
	return kv.Key{Space: SpaceMemory, Partition: "relay#" + r.bot, Sort: sort}
}

// read gets one item, the zero one when it is absent.
func (r *Relays) read(ctx context.Context, sort string) (kv.Item, error) {
	return lookup(ctx, r.kv, r.key(sort))
}

// lookup gets one item, the zero one when it is absent.
func lookup(ctx context.Context, d kv.Driver, k kv.Key) (kv.Item, error) {
	var item kv.Item
	err := patiently(ctx, func() (err error) {
		item, err = d.Get(ctx, k)
		return err
	})
	if errors.Is(err, kv.ErrNotFound) {
		return kv.Item{}, nil
	}
	return item, err
}

func shardSort(n int) string { return "shard#" + strconv.Itoa(n) }

// Shard reads what is kept of a shard.
func (r *Relays) Shard(ctx context.Context, n int) (chat.Shard, error) {
	s, item, err := r.shard(ctx, n)
	if err == nil && r.was != "" && !item.Has("shard") {
		s, _, err = NewRelays(r.kv, r.was).shard(ctx, n)
	}
	if err != nil {
		return chat.Shard{}, fmt.Errorf("read shard %d: %w", n, err)
	}
	return s, nil
}

func (r *Relays) shard(ctx context.Context, n int) (chat.Shard, kv.Item, error) {
	item, err := r.read(ctx, shardSort(n))
	if err != nil || !item.Has("shard") {
		return chat.Shard{}, item, err
	}
	s, err := decode[chat.Shard](item, "shard")
	return s, item, err
}

// Keep writes a shard under the condition that nobody wrote it since it was read, for whether it may be written depends on
// who holds it and since when, and its watermark on the one before. A relay that repeats it after a lost reply finds itself
// as the owner.
func (r *Relays) Keep(ctx context.Context, n int, s chat.Shard) error {
	now := s.Alive
	if now.IsZero() { // it leaves
		now = time.Now()
	}
	err := contend(ctx, r.kv, func() ([]kv.Op, error) {
		old, item, err := r.shard(ctx, n)
		if err != nil {
			return nil, err
		}
		if old.Held(s.Owner, now) {
			return nil, chat.ErrHeld
		}
		is := s
		if is.Of == old.Of && below(is.Watermark, old.Watermark) && (is.Watermark == "" || !future(old.Watermark, now)) {
			is.Watermark = old.Watermark // among another number it speaks of other channels
		}
		body, err := encode(is)
		if err != nil {
			return nil, err
		}
		return []kv.Op{{Verb: kv.Put, Key: r.key(shardSort(n)), If: []kv.Cond{as(item, "writes")},
			Attrs: kv.Attrs{"shard": body, "writes": item.Int("writes") + 1, kv.TTL: now.Add(shardLife).Unix()}}}, nil
	})
	if err != nil {
		return fmt.Errorf("keep shard %d: %w", n, err)
	}
	return nil
}

// below tells whether snowflake a is smaller than b; as text "9" would be larger than "10". What is no number is below
// every number.
func below(a, b chat.MessageID) bool { return snowflake(a) < snowflake(b) }

// future tells whether an id cannot have been made yet: a relay whose clock was ahead has left it as its watermark.
func future(id chat.MessageID, now time.Time) bool {
	at, ok := chat.SnowflakeTime(string(id))
	return ok && at.Sub(now) > markAhead
}

// markAhead is how far Discord's clock may be ahead of ours.
const markAhead = 5 * time.Minute

func snowflake(id chat.MessageID) uint64 {
	n, err := strconv.ParseUint(string(id), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// start is one session in the log: when it was counted, in Unix milliseconds, and a number that its counter drew, by which
// it finds its own entry after a lost reply.
type start [2]int64

// Start counts a session in the log of the last 24 hours.
func (r *Relays) Start(ctx context.Context, now time.Time) (time.Duration, error) {
	me := start{now.UnixMilli(), rand.Int64()}
	var wait time.Duration
	var log []start
	decide := func() ([]kv.Op, error) {
		item, err := r.read(ctx, "starts")
		if err != nil {
			return nil, err
		}
		if log, err = recent(item, now); err != nil {
			return nil, err
		}
		if wait = 0; slices.ContainsFunc(log, func(s start) bool { return s[1] == me[1] }) {
			return nil, nil // our own, whose reply was lost
		}
		if wait = pace(log, now); wait > 0 {
			return nil, nil
		}
		body, err := encode(append(log, me))
		if err != nil {
			return nil, err
		}
		return []kv.Op{{Verb: kv.Put, Key: r.key("starts"), If: []kv.Cond{as(item, "writes")},
			Attrs: kv.Attrs{"log": body, "writes": item.Int("writes") + 1, kv.TTL: now.Add(startsLife).Unix()}}}, nil
	}
	err := contend(ctx, r.kv, decide)
	for try := 0; err != nil && !errors.Is(err, chat.ErrRaced) && try < startTries && pause(ctx, try) == nil; try++ {
		err = contend(ctx, r.kv, decide) // unknown outcome: counting twice would only cost, but the log tells
	}
	if err != nil {
		return 0, fmt.Errorf("count a session: %w", err)
	}
	return wait, nil
}

// pace is how long the next session has to wait after those of the log; 0 for not at all. As SessionsEvery goes into the
// window so often as the burst leaves of SessionsDaily, it allows no more than that many in any window.
func pace(log []start, now time.Time) time.Duration {
	var whole time.Time // when the burst has been given back
	for _, s := range log {
		if at := time.UnixMilli(s[0]); at.After(whole) {
			whole = at
		}
		whole = whole.Add(chat.SessionsEvery)
	}
	if wait := whole.Add(-(chat.SessionsBurst - 1) * chat.SessionsEvery).Sub(now); wait > 0 {
		return max(wait, time.Second)
	}
	return 0
}

// startTries bounds how often a session is counted again after an unknown outcome, before its relay is told.
const startTries = 3

// recent are the sessions of the 24 hours before now, the oldest first. One that was counted by a clock ahead of ours is
// taken as just now.
func recent(item kv.Item, now time.Time) ([]start, error) {
	if !item.Has("log") {
		return nil, nil
	}
	var all, log []start
	if err := json.Unmarshal(item.Bytes("log"), &all); err != nil {
		return nil, fmt.Errorf("decode log of %s: %w", item.Key, err)
	}
	for _, s := range all {
		s[0] = min(s[0], now.UnixMilli())
		if now.Sub(time.UnixMilli(s[0])) < startsWindow {
			log = append(log, s)
		}
	}
	slices.SortFunc(log, func(a, b start) int { return cmp.Compare(a[0], b[0]) })
	return log, nil
}
