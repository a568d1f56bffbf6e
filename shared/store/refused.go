package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// That a channel refuses to be written to is kept beside what is set for it, where whoever asks for the place reads it
// anyway. A change of what is set forgets it: somebody is at work there. Where nothing is set it lives by itself.

const refusedUntil, refusedCode = "refusedUntil", "refusedCode"

// Refuse notes it.
func (b *Book) Refuse(ctx context.Context, g string, c chat.ChannelID, code int) error {
	if g == "" {
		return nil // direct messages have no place, and the person no way to mend it
	}
	until := time.Now().Add(chat.RefusedFor)
	note := kv.Attrs{refusedUntil: until.UnixMilli(), refusedCode: int64(code)}
	op := kv.Op{Verb: kv.Update, Key: placeKey(g, c), Set: note, If: []kv.Cond{kv.Under("rev", int64(math.MaxInt64))}} // something is set
	err := patiently(ctx, func() error { return b.kv.Write(ctx, op) })
	if errors.Is(err, kv.ErrCondition) {
		note[kv.TTL] = until.Unix() + 1
		op = kv.Op{Verb: kv.Put, Key: op.Key, Attrs: note, If: []kv.Cond{kv.Missing("rev")}}
		err = patiently(ctx, func() error { return b.kv.Write(ctx, op) })
	}
	if err != nil && !errors.Is(err, kv.ErrCondition) { // then something was set meanwhile
		return fmt.Errorf("note that channel %s refuses: %w", c, err)
	}
	return nil
}

// Accept forgets it.
func (b *Book) Accept(ctx context.Context, g string, c chat.ChannelID) error {
	if g == "" {
		return nil
	}
	op := kv.Op{Verb: kv.Update, Key: placeKey(g, c), Remove: []string{refusedUntil, refusedCode}, If: []kv.Cond{kv.Under(refusedUntil, int64(math.MaxInt64))}}
	err := patiently(ctx, func() error { return b.kv.Write(ctx, op) })
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return fmt.Errorf("note that channel %s accepts: %w", c, err)
	}
	return nil
}

// refusing is the code with which the channel of an item refuses; 0 when it does not.
func refusing(place kv.Item) int {
	if until := place.Int(refusedUntil); until > 0 && time.Now().UnixMilli() < until {
		return int(place.Int(refusedCode))
	}
	return 0
}

// Invalids counts what Discord holds against us: it implements chat.Invalids. It is a partition of the memory space with an
// item for each minute that had some:
//
//	minute#<n>   how many (n); a quarter of an hour
type Invalids struct{ kv kv.Driver }

// NewInvalids counts in the driver.
func NewInvalids(d kv.Driver) *Invalids { return &Invalids{d} }

var (
	_ chat.Refusals = (*Book)(nil)
	_ chat.Invalids = (*Invalids)(nil)
)

const (
	invalids       = "invalids"
	invalidMinutes = 10
)

func minuteKey(n int64) kv.Key {
	return kv.Key{Space: SpaceMemory, Partition: invalids, Sort: fmt.Sprintf("minute#%012d", n)}
}

// Invalid adds to the minute, and reads the last ten.
func (i *Invalids) Invalid(ctx context.Context, n int) (int, error) {
	minute := time.Now().Unix() / 60
	var page kv.Page
	err := patiently(ctx, func() error {
		if n <= 0 {
			return nil
		}
		return i.kv.Write(ctx, kv.Op{Verb: kv.Update, Key: minuteKey(minute), Set: kv.Attrs{kv.TTL: expires(15 * time.Minute)}, Add: map[string]int64{"n": int64(n)}})
	})
	if err == nil {
		err = patiently(ctx, func() (err error) {
			page, err = i.kv.Query(ctx, kv.Query{Space: SpaceMemory, Partition: invalids, Prefix: "minute#", Reverse: true, Limit: invalidMinutes})
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("count invalid requests: %w", err)
	}
	total, oldest := 0, minuteKey(minute-invalidMinutes).Sort
	for _, item := range page.Items {
		if item.Key.Sort > oldest {
			total += int(item.Int("n"))
		}
	}
	return total, nil
}
