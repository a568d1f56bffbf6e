package store

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// Vitals keeps the health of an installation's relay: it implements chat.Vitals. The item is in the memory's space, in a
// partition that everybody finds, and it never expires: the silence of a relay is measured by it.
//
//	relay  health    what the relay last said of itself
type Vitals struct{ kv kv.Driver }

var _ chat.Vitals = (*Vitals)(nil)

// NewVitals keeps the health in the driver.
func NewVitals(d kv.Driver) *Vitals { return &Vitals{d} }

func healthKey() kv.Key { return kv.Key{Space: SpaceMemory, Partition: "relay", Sort: "health"} }

// Health reads it.
func (v *Vitals) Health(ctx context.Context) (chat.Health, error) {
	h, _, err := v.health(ctx)
	return h, err
}

func (v *Vitals) health(ctx context.Context) (chat.Health, kv.Item, error) {
	item, err := lookup(ctx, v.kv, healthKey())
	if err == nil && item.Has("health") {
		h, err := decode[chat.Health](item, "health")
		return h, item, err
	}
	if err != nil {
		err = fmt.Errorf("read the relay's health: %w", err)
	}
	return chat.Health{}, item, err
}

// Say writes it. A relay that repeats it after a lost reply finds itself as the owner.
func (v *Vitals) Say(ctx context.Context, h chat.Health) error {
	return v.change(ctx, "say the relay's health", func(old chat.Health) (chat.Health, error) {
		if old.Held(h.Owner, h.Alive) {
			return h, chat.ErrHeld
		}
		if h.Wants, h.Heir, h.HeirAt = false, "", (time.Time{}); old.Owner == h.Owner {
			h.Wants, h.Heir, h.HeirAt = old.Wants, old.Heir, old.HeirAt
		}
		return h, nil
	})
}

// Want notes that the owner looks for an heir.
func (v *Vitals) Want(ctx context.Context, owner string) error {
	return v.change(ctx, "want an heir", func(h chat.Health) (chat.Health, error) {
		if h.Owner != owner {
			return h, chat.ErrHeld
		}
		h.Wants = true
		return h, nil
	})
}

// Name makes one the heir.
func (v *Vitals) Name(ctx context.Context, heir string, now time.Time) error {
	return v.change(ctx, "name an heir", func(h chat.Health) (chat.Health, error) {
		if h.Heir != "" && h.Heir != heir && now.Sub(h.HeirAt).Abs() < chat.RelayLimit {
			return h, chat.ErrHeld
		}
		h.Heir, h.HeirAt = heir, now
		return h, nil
	})
}

// change writes what is made of the health, under the condition that nobody did since it was read.
func (v *Vitals) change(ctx context.Context, op string, do func(chat.Health) (chat.Health, error)) error {
	err := contend(ctx, v.kv, func() ([]kv.Op, error) {
		old, item, err := v.health(ctx)
		if err != nil {
			return nil, err
		}
		h, err := do(old)
		if err != nil {
			return nil, err
		}
		body, err := encode(h)
		if err != nil {
			return nil, err
		}
		return []kv.Op{{Verb: kv.Put, Key: healthKey(), If: []kv.Cond{as(item, "writes")},
			Attrs: kv.Attrs{"health": body, "writes": item.Int("writes") + 1}}}, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}
