package store_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// How the rules of the protocol are turned off from outside: decorators that take away what the repositories write, or that
// let a worker see and do what the rule forbids.

// bent is a store that changes what goes through it. write gives the writes to make instead of one, each a transaction.
type bent struct {
	kv.Driver
	write func(ops []kv.Op) [][]kv.Op
	read  func(keys []kv.Key, items []kv.Item)
}

// BatchGet lets read change the items.
func (b bent) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	items, err := b.Driver.BatchGet(ctx, keys...)
	if b.read != nil {
		b.read(keys, items)
	}
	return items, err
}

// Write makes the writes that the rule's absence makes of one.
func (b bent) Write(ctx context.Context, ops ...kv.Op) error {
	if b.write == nil {
		return b.Driver.Write(ctx, ops...)
	}
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Set, ops[i].If = maps.Clone(ops[i].Set), slices.Clone(ops[i].If)
	}
	for _, batch := range b.write(ops) {
		if err := b.Driver.Write(ctx, batch...); err != nil {
			return err
		}
	}
	return nil
}

// bending makes a change of the store out of a function on each operation of a write.
func bending(each func(p *proc, op *kv.Op)) change {
	return change{kv: func(p *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
			for i := range ops {
				each(p, &ops[i])
			}
			return [][]kv.Op{ops}
		}}
	}}
}

// splitting puts the operations that later chooses into a write of their own after the rest.
func splitting(later func(op kv.Op) bool) change {
	return change{kv: func(_ *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
			var first, second []kv.Op
			for _, op := range ops {
				if later(op) && len(ops) > 1 {
					second = append(second, op)
				} else {
					first = append(first, op)
				}
			}
			return slices.DeleteFunc([][]kv.Op{first, second}, func(b []kv.Op) bool { return len(b) == 0 })
		}}
	}}
}

// without removes conditions by their attributes.
func without(op *kv.Op, attrs ...string) {
	op.If = slices.DeleteFunc(op.If, func(c kv.Cond) bool { return slices.Contains(attrs, c.Attr) })
	if op.Verb == kv.Check && len(op.If) == 0 {
		op.If = []kv.Cond{kv.Missing("nothing")}
	}
}

// drop removes operations on keys with a prefix.
func drop(ops []kv.Op, prefix string) []kv.Op {
	return slices.DeleteFunc(ops, func(op kv.Op) bool { return strings.HasPrefix(op.Key.Sort, prefix) })
}

// poke changes an item past all gates and conditions.
func (w *world) poke(sort string, set kv.Attrs, remove ...string) {
	err := w.store.Write(context.Background(), kv.Op{Verb: kv.Update, Set: set, Remove: remove,
		Key: kv.Key{Space: "channels", Partition: string(place), Sort: sort}})
	if err != nil {
		panic(err)
	}
}

// acquiring is how a bent worker acquires.
type acquiring func(ctx context.Context, p *proc, inner chat.Holds, j chat.Job, owner string) (chat.Acquired, error)

type bentPlans struct {
	chat.Plans
	p       *proc
	acquire acquiring
	keeps   bool // it does not give the head back
}

// Acquire acquires as the change says.
func (b bentPlans) Acquire(ctx context.Context, j chat.Job, owner string) (chat.Acquired, error) {
	if b.acquire == nil {
		return b.Plans.Acquire(ctx, j, owner)
	}
	return b.acquire(ctx, b.p, b.Plans, j, owner)
}

// Yield may do nothing.
func (b bentPlans) Yield(ctx context.Context, h *chat.Hold, kind chat.YieldKind, backoff time.Duration) (chat.Job, error) {
	if b.keeps {
		return h.Head.Job(h.Channel), nil
	}
	return b.Plans.Yield(ctx, h, kind, backoff)
}

type bentTurns struct {
	chat.Turns
	p       *proc
	acquire acquiring
	keeps   bool // it does not give the head back
	state   func(h *chat.Hold, st *chat.TurnState)
	stamp   func(h *chat.Hold, k int, err error) error
	beat    func(sig chat.Signal, err error) (chat.Signal, error)
	nothing bool // intents are not stored
	whose   bool // nobody owns anything
}

// Acquire acquires as the change says.
func (b bentTurns) Acquire(ctx context.Context, j chat.Job, owner string) (chat.Acquired, error) {
	if b.acquire == nil {
		return b.Turns.Acquire(ctx, j, owner)
	}
	return b.acquire(ctx, b.p, b.Turns, j, owner)
}

// Yield may do nothing.
func (b bentTurns) Yield(ctx context.Context, h *chat.Hold, kind chat.YieldKind, backoff time.Duration) (chat.Job, error) {
	if b.keeps {
		return h.Head.Job(h.Channel), nil
	}
	return b.Turns.Yield(ctx, h, kind, backoff)
}

// Beat lets the change see its outcome.
func (b bentTurns) Beat(ctx context.Context, c chat.ChannelID, e chat.EventID, fence int64, progress bool) (chat.Signal, error) {
	sig, err := b.Turns.Beat(ctx, c, e, fence, progress)
	if b.beat != nil {
		return b.beat(sig, err)
	}
	return sig, err
}

// Watch lets the change see its outcome, as that of a beat.
func (b bentTurns) Watch(ctx context.Context, c chat.ChannelID, e chat.EventID, fence int64) (chat.Signal, error) {
	sig, err := b.Turns.Watch(ctx, c, e, fence)
	if b.beat != nil {
		return b.beat(sig, err)
	}
	return sig, err
}

// State shows what the change lets a worker see.
func (b bentTurns) State(ctx context.Context, h *chat.Hold) (chat.TurnState, error) {
	st, err := b.Turns.State(ctx, h)
	if b.state != nil && err == nil {
		b.state(h, &st)
	}
	return st, err
}

// Intend may do nothing.
func (b bentTurns) Intend(ctx context.Context, h *chat.Hold, k int, in chat.Intent, was *chat.Intent) error {
	if b.nothing {
		return nil
	}
	return b.Turns.Intend(ctx, h, k, in, was)
}

// Stamp may do nothing, or not what it says.
func (b bentTurns) Stamp(ctx context.Context, h *chat.Hold, k int, now time.Time) error {
	if b.nothing {
		return nil
	}
	err := b.Turns.Stamp(ctx, h, k, now)
	if b.stamp != nil {
		return b.stamp(h, k, err)
	}
	return err
}

// Whose may know nothing.
func (b bentTurns) Whose(ctx context.Context, c chat.ChannelID, ids []chat.MessageID) (map[chat.MessageID]chat.Owner, error) {
	if b.whose {
		return nil, nil
	}
	return b.Turns.Whose(ctx, c, ids)
}

// bendTurns changes generation's side.
func bendTurns(with func(p *proc, b *bentTurns)) change {
	return change{turns: func(p *proc, inner chat.Turns) chat.Turns {
		b := bentTurns{Turns: inner, p: p}
		with(p, &b)
		return b
	}}
}

// bendHolds changes how planning and generation acquire and yield.
func bendHolds(acquire acquiring, keeps bool) change {
	c := bendTurns(func(_ *proc, b *bentTurns) { b.acquire, b.keeps = acquire, keeps })
	c.plans = func(p *proc, inner chat.Plans) chat.Plans {
		return bentPlans{Plans: inner, p: p, acquire: acquire, keeps: keeps}
	}
	return c
}

// forced makes the head wait for the job, and acquires it; when says whether it may.
func forced(when func(w *world, j chat.Job) bool) acquiring {
	return func(ctx context.Context, p *proc, inner chat.Holds, j chat.Job, owner string) (chat.Acquired, error) {
		got, err := inner.Acquire(ctx, j, owner)
		if err != nil || got.Hold != nil || !when(p.w, j) {
			return got, err
		}
		waits := map[string]chat.Phase{chat.QueueTurns: chat.WaitsPlan, chat.QueueReplies: chat.WaitsTurn}[j.Queue]
		p.w.poke("head", kv.Attrs{"phase": string(waits), "event": string(j.Event), "turn": int64(j.Turn)})
		return inner.Acquire(ctx, j, owner)
	}
}

// late records the message id only when the text is stored.
type late struct {
	chat.Turns
	ids map[int]chat.Ref
}

// Record remembers.
func (l late) Record(_ context.Context, _ *chat.Hold, k int, m chat.Ref) error {
	l.ids[k] = m
	return nil
}

// SaveText records first.
func (l late) SaveText(ctx context.Context, h *chat.Hold, text string, end chat.Ending) (chat.TurnState, error) {
	for k, m := range l.ids {
		if err := l.Turns.Record(ctx, h, k, m); err != nil {
			return chat.TurnState{}, err
		}
	}
	return l.Turns.SaveText(ctx, h, text, end)
}

// hasty ends the turn when its text is stored, before the last edit.
type hasty struct {
	chat.Turns
	next *chat.Job
}

// SaveText ends the turn too.
func (h *hasty) SaveText(ctx context.Context, hold *chat.Hold, text string, end chat.Ending) (chat.TurnState, error) {
	st, err := h.Turns.SaveText(ctx, hold, text, end)
	if err == nil {
		h.next, err = h.Turns.EndTurn(ctx, hold, end)
	}
	return st, err
}

// EndTurn was done before.
func (h *hasty) EndTurn(context.Context, *chat.Hold, chat.Ending) (*chat.Job, error) {
	return h.next, nil
}

// thief frees a channel that is not free before it offers, when it only waits.
type thief struct {
	chat.Offers
	p *proc
}

// Offer steals.
func (t thief) Offer(ctx context.Context, e chat.Event, w chat.Wish) (chat.Offered, error) {
	if h := t.p.w.get("head"); t.p.w.phase().Waiting() {
		t.p.w.poke("head", kv.Attrs{"phase": string(chat.Free), "fence": h.Int("fence") + 1}, "event", "next", kv.DueAt)
	}
	return t.Offers.Offer(ctx, e, w)
}

// gravedigger ends whatever hold there is.
type gravedigger struct {
	chat.Repairs
	p *proc
}

// Bury buries what the head is at, alive or not.
func (g gravedigger) Bury(ctx context.Context, j chat.Job, reason string) (*chat.Job, error) {
	w := g.p.w
	h := w.get("head")
	w.poke("head", kv.Attrs{"aliveAt": int64(1)})
	return g.Repairs.Bury(ctx, chat.Job{Queue: w.phase().Queue(), Channel: j.Channel, Event: chat.EventID(h.String("event")),
		Turn: int(h.Int("turn"))}, reason)
}

// countless sends under ids that do not carry the send number.
type countless struct{ outbox }

// Send sends.
func (c countless) Send(ctx context.Context, j chat.Job) error {
	return c.send(ctx, j, string(j.Event)+"/"+string(rune('0'+j.Turn)))
}
