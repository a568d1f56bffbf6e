package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
)

// Lifetimes of what is counted.
const (
	countLife = 3 * 24 * time.Hour // longer than an event may be planned again
	toldLife  = time.Hour
)

// Meter keeps the counts beside what a guild has set: it implements guild.Meter. Direct messages have a partition of their own.
//
//	turns#<day>               turns of a guild (all), and of those on the operator's model (operator); of the installation the latter
//	charge#<event>            what an event was granted
//	told#<channel>#<reason>   the event for which people were told; an hour
type Meter struct{ kv kv.Driver }

// NewMeter keeps the counts in the driver.
func NewMeter(d kv.Driver) *Meter { return &Meter{d} }

var _ guild.Meter = (*Meter)(nil)

// count is one counter and its cap.
type count struct {
	key  kv.Key
	attr string
	cap  int
	over string
}

// counts are the counters that a bill is about. Those of one item stand together.
func counts(b guild.Bill) []count {
	sort := "turns#" + b.Day
	var all []count
	for _, c := range []count{
		{bookKey(b.Guild, sort), "all", b.Caps.Guild, guild.DailyLimit},
		{bookKey(b.Guild, sort), "operator", b.Caps.OperatorGuild, guild.SpendCap},
		{bookKey("", sort), "operator", b.Caps.Operator, guild.SpendCap},
	} {
		if c.cap > 0 {
			all = append(all, c)
		}
	}
	return all
}

// Charge counts under the condition that what it adds still fits, together with the item that says so of the event.
func (m *Meter) Charge(ctx context.Context, b guild.Bill) (guild.Granted, error) {
	all := counts(b)
	granted := guild.Granted{Turns: b.Turns}
	if len(all) == 0 {
		return granted, nil
	}
	marker := bookKey(b.Guild, "charge#"+string(b.Event))
	keys := []kv.Key{marker}
	for _, c := range all {
		if keys[len(keys)-1] != c.key {
			keys = append(keys, c.key)
		}
	}
	book := Book{m.kv}
	err := contend(ctx, m.kv, func() ([]kv.Op, error) {
		got, err := book.read(ctx, keys...)
		if err != nil {
			return nil, err
		}
		if made, ok := got[marker]; ok {
			granted = guild.Granted{Turns: int(made.Int("turns"))}
			return nil, nil
		}
		if granted = left(b.Turns, all, got); granted.Turns == 0 {
			return nil, m.adopt(ctx, marker, &granted) // one read of several items is no moment: it may be counted already
		}
		put := kv.Op{Verb: kv.Put, Key: marker, If: []kv.Cond{kv.Missing("")},
			Attrs: kv.Attrs{"turns": int64(granted.Turns), kv.TTL: expires(countLife)}}
		return append([]kv.Op{put}, added(granted.Turns, all, got)...), nil
	})
	if err != nil {
		return guild.Granted{}, fmt.Errorf("charge event %s: %w", b.Event, err)
	}
	return granted, nil
}

// adopt takes what the event was granted before, if it was.
func (m *Meter) adopt(ctx context.Context, marker kv.Key, granted *guild.Granted) error {
	got, err := (&Book{m.kv}).read(ctx, marker)
	if made, ok := got[marker]; ok {
		*granted = guild.Granted{Turns: int(made.Int("turns"))}
	}
	return err
}

// left is what all counters leave of the turns that are wanted.
func left(turns int, all []count, got map[kv.Key]kv.Item) guild.Granted {
	for _, c := range all {
		if turns = min(turns, c.cap-int(got[c.key].Int(c.attr))); turns <= 0 {
			return guild.Granted{Over: c.over}
		}
	}
	return guild.Granted{Turns: turns}
}

// added is an operation for each item of counters.
func added(turns int, all []count, got map[kv.Key]kv.Item) []kv.Op {
	var ops []kv.Op
	for _, c := range all {
		if n := len(ops); n == 0 || ops[n-1].Key != c.key {
			ops = append(ops, kv.Op{Verb: kv.Update, Key: c.key, Set: kv.Attrs{kv.TTL: expires(countLife)}, Add: map[string]int64{}})
		}
		op := &ops[len(ops)-1]
		op.Add[c.attr] = int64(turns)
		if fits := kv.Under(c.attr, int64(c.cap-turns+1)); got[c.key].Has(c.attr) {
			op.If = append(op.If, fits)
		} else {
			op.If = append(op.If, kv.Missing(c.attr))
		}
	}
	return ops
}

// Tell claims the hour for the event.
func (m *Meter) Tell(ctx context.Context, g string, c chat.ChannelID, e chat.EventID, reason string) (bool, error) {
	op := kv.Op{Verb: kv.Put, Key: bookKey(g, "told#"+string(c)+"#"+reason), If: []kv.Cond{kv.Missing("")},
		Attrs: kv.Attrs{"event": string(e), kv.TTL: expires(toldLife)}}
	err := patiently(ctx, func() error { return m.kv.Write(ctx, op) })
	if err == nil {
		return true, nil
	}
	var got map[kv.Key]kv.Item
	if errors.Is(err, kv.ErrCondition) {
		got, err = (&Book{m.kv}).read(ctx, op.Key)
	}
	if err != nil {
		return false, fmt.Errorf("tell of event %s: %w", e, err)
	}
	return got[op.Key].String("event") == string(e), nil
}
