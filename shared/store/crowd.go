package store

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

const (
	crowdLife = time.Minute     // longer than two spans
	gathering = 4 * time.Second // of a span, in which not everybody has joined yet
)

// Crowd counts streams: it implements chat.Crowd. They are in a partition of the memory space, in an item for each span:
//
//	span#<n>   how many streams have joined in it (joined), and how many of them are known to have ended (ended); a minute
//
// The last ones are read as a range, which costs no more than one item does.
type Crowd struct{ kv kv.Driver }

// NewCrowd counts in the driver.
func NewCrowd(d kv.Driver) *Crowd { return &Crowd{d} }

var _ chat.Crowd = (*Crowd)(nil)

const crowd = "crowd"

func spanKey(n int64) kv.Key {
	return kv.Key{Space: SpaceMemory, Partition: crowd, Sort: fmt.Sprintf("span#%012d", n)}
}

// Join adds to the span and reads what it has come to. Early in a span, before all who go on have said so, the span before
// tells how many there are.
func (c *Crowd) Join(ctx context.Context, ended int) (chat.Standing, error) {
	now := time.Now()
	n := now.UnixNano() / int64(chat.CrowdSpan)
	op := kv.Op{Verb: kv.Update, Key: spanKey(n), Set: kv.Attrs{kv.TTL: expires(crowdLife)}, Add: map[string]int64{"joined": 1}}
	if ended > 0 {
		op.Add["ended"] = int64(ended)
	}
	err := patiently(ctx, func() error { return c.kv.Write(ctx, op) })
	var page kv.Page
	if err == nil {
		err = patiently(ctx, func() (err error) {
			page, err = c.kv.Query(ctx, kv.Query{Space: SpaceMemory, Partition: crowd, Prefix: "span#", Reverse: true, Limit: 3})
			return err
		})
	}
	if err != nil {
		return chat.Standing{}, fmt.Errorf("join span %d: %w", n, err)
	}
	is := chat.Standing{Streams: 1}
	early := now.UnixNano()-n*int64(chat.CrowdSpan) < int64(gathering)
	for _, item := range page.Items {
		alive := int(item.Int("joined") - item.Int("ended"))
		switch {
		case item.Key == spanKey(n):
			is.Rank = max(alive-1, 0)
		case !early || item.Key != spanKey(n-1): // over, or somebody's whose clock is ahead
			continue
		}
		is.Streams = max(is.Streams, alive)
	}
	return is, nil
}
