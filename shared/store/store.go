// Package store keeps the repositories, written once over the kv contract: the channel protocol with its ledger (Channels),
// what admins have set (Book) and how often personas may speak in a day (Meter), what relays leave for their successors (Relays),
// how the relay is (Vitals) and what Discord was told of the installation (Registrations). What lives here: keys, attributes,
// transactions and their conditions, as reference/protocol.md lists them. What must not live here: an engine (package kv and
// below), the steps of a worker (packages admit, plan, turn), and clocks other than the time of the call.
//
// One channel is one partition:
//
//	head                     the state machine (chat.Head), and what is the current hold's: the sign of life and the signal
//	                         (chat.Beat), the plan, the parts of the turn; and the counters charged with plans
//	mail#0                   the answer to a stop, waiting
//	mail#1                   a follow-up, waiting
//	mail#2#<tail>            the rest, in order
//	event#<id>               the ledger, with the event's body while it waits or is answered, then with the plan and how each
//	                         turn ended, with which messages
//	turn#<event>#<i>#<fence> the text of the turn, if head or row say that this fence's counts
//	message#<id>             which part of an ended turn a Discord message of ours is
//	reply#<event>#<i>        the variants of a reply that people have done again (chat.Reply), which is shown, and its messages; made by
//	                         the turn that does it again, together with its end. That turn's messages stay those of the first turn
//	dead#<event>             a dead letter, for an admin to redrive
//
// What belongs to a hold alone is kept in the head, because every write of it is conditional on the head: two items are a
// transaction, which costs four times what one item does. The head stays below a kilobyte, the unit that is paid for, but
// for the time between a long intent and its message. The transaction that ends a turn has an operation for each of its
// messages, so kv.MaxOps bounds how many those may be; package turn makes at most forty, and a few that it deletes.
//
// # Where this differs from reference/protocol.md
//
// Since 2026-11-30. The executable model was changed in the same way (testdata/model.patch) and explored again; each step has a
// rule there, which the protocol's tests turn off here, and the invariant that then breaks:
//
//   - Beat, signal, plan and the parts of the current turn are attributes of the head. A beat is conditional on the fence and
//     on being later than the one before. The signal is read after each beat, and each second while text streams.
//   - The first intent of a turn, and the text of an answer, are refused by their own write when a signal for the hold came
//     before; nobody looks for it first (signal-looked-for, I6).
//   - The text is an item under the fence of its writer, put without a condition on the hold (text-without-fence, I1); it
//     counts when the head names that fence. One that was refused because of a signal gives way to what the same hold writes
//     for the stop (refused-text-stands, I6).
//   - A text that Discord refuses to show is replaced by what it shows, in one transaction with the head. A message that
//     nobody can change any more is retired: its part is made anew, and it is deleted. The model knows no refused calls.
//   - A message gets its item in the transaction that ends its turn (listed-early, I1), also where the undertaker ends it
//     (buried-unlisted, I1). Every such transaction is conditional on rev, which grows with the parts and the text: a holder
//     that only stalled may have written them since they were read.
//
// A hold that was begun before that date is brought into this form by whoever acquires it (adopt.go).
package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Spaces of the store; on AWS a table each.
const (
	SpaceChannels = "channels"
	SpaceMemory   = "memory"
)

// Lifetimes of items besides the ledger's (chat.LedgerLife), which plans and turns share.
const (
	messageLife = 30 * 24 * time.Hour // as long as history may ask whose a message is
	deadLife    = 14 * 24 * time.Hour
	ageLimit    = 6 * time.Hour // a hold older than this is ended by the sweeper, unless its holder is alive
)

// attempts bounds how often one transaction is decided again after others were faster.
const attempts = 16

// Channels keeps the channel protocol: it implements chat.Offers, Controls, Holds, Plans, Turns, Repairs and Replies.
type Channels struct{ kv kv.Driver }

// NewChannels keeps the channels in the driver.
func NewChannels(d kv.Driver) *Channels { return &Channels{d} }

var (
	_ chat.Offers   = (*Channels)(nil)
	_ chat.Controls = (*Channels)(nil)
	_ chat.Holds    = (*Channels)(nil)
	_ chat.Plans    = (*Channels)(nil)
	_ chat.Turns    = (*Channels)(nil)
	_ chat.Repairs  = (*Channels)(nil)
	_ chat.Replies  = (*Channels)(nil)
)

func key(c chat.ChannelID, sort string) kv.Key {
	return kv.Key{Space: SpaceChannels, Partition: string(c), Sort: sort}
}

func eventKey(c chat.ChannelID, e chat.EventID) kv.Key { return key(c, "event#"+string(e)) }
func messageKey(c chat.ChannelID, m chat.MessageID) kv.Key {
	return key(c, "message#"+string(m))
}
func textSort(e chat.EventID, turn int, fence int64) string {
	return fmt.Sprintf("turn#%s#%02d#%d", e, turn, fence)
}

// read gets the items of one channel in one round trip, by sort key.
func (s *Channels) read(ctx context.Context, c chat.ChannelID, sorts ...string) (map[string]kv.Item, error) {
	if len(sorts) == 0 {
		return nil, nil
	}
	keys := make([]kv.Key, len(sorts))
	for i, sort := range sorts {
		keys[i] = key(c, sort)
	}
	var items []kv.Item
	err := patiently(ctx, func() (err error) {
		items, err = s.kv.BatchGet(ctx, keys...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read channel %s: %w", c, err)
	}
	got := make(map[string]kv.Item, len(items))
	for _, item := range items {
		got[item.Key.Sort] = item
	}
	return got, nil
}

// patiently repeats do while the driver says that nothing was done and the same call may be made again.
func patiently(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := do()
		if !kv.Retryable(err) || try == attempts {
			return err
		}
		if pause(ctx, try) != nil {
			return err
		}
	}
}

// pause waits a little longer each time, with jitter, so that rivals do not meet again.
func pause(ctx context.Context, try int) error {
	d := time.Duration(rand.Int64N(int64(5*time.Millisecond) << min(try, 7)))
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// contend decides and writes until nobody was faster: decide reads what it needs and returns the operations, none when
// there is nothing to write. The error of an attempt with an unknown outcome is returned at once: every caller of contend
// is called again by its queue, and then finds its own work.
func (s *Channels) contend(ctx context.Context, decide func() ([]kv.Op, error)) error {
	return contend(ctx, s.kv, decide)
}

func contend(ctx context.Context, d kv.Driver, decide func() ([]kv.Op, error)) error {
	for try := range attempts {
		ops, err := decide()
		if err != nil || len(ops) == 0 {
			return err
		}
		switch err = d.Write(ctx, ops...); {
		case err == nil:
			return nil
		case !errors.Is(err, kv.ErrCondition) && !kv.Retryable(err):
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return chat.ErrRaced
}

// as demands that an attribute still is as it was read.
func as(item kv.Item, attr string) kv.Cond {
	if v, ok := item.Attrs[attr]; ok {
		return kv.Is(attr, v)
	}
	return kv.Missing(attr)
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func decode[T any](item kv.Item, attr string) (T, error) {
	var v T
	b := item.Bytes(attr)
	if b == nil {
		return v, fmt.Errorf("item %s has no %s: %w", item.Key, attr, chat.ErrMissing)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, fmt.Errorf("decode %s of %s: %w", attr, item.Key, err)
	}
	return v, nil
}

func encode(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode for the store: %w", err)
	}
	return b, nil
}
