package store

import (
	"context"
	"fmt"

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

// Say writes it under the condition that nobody did since it was read. A relay that repeats it after a lost reply finds
// itself as the owner.
func (v *Vitals) Say(ctx context.Context, h chat.Health) error {
	err := contend(ctx, v.kv, func() ([]kv.Op, error) {
		old, item, err := v.health(ctx)
		if err != nil {
			return nil, err
		}
		if old.Held(h.Owner, h.Alive) {
			return nil, chat.ErrHeld
		}
		body, err := encode(h)
		if err != nil {
			return nil, err
		}
		return []kv.Op{{Verb: kv.Put, Key: healthKey(), If: []kv.Cond{as(item, "writes")},
			Attrs: kv.Attrs{"health": body, "writes": item.Int("writes") + 1}}}, nil
	})
	if err != nil {
		return fmt.Errorf("say the relay's health: %w", err)
	}
	return nil
}
