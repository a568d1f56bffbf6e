package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tsumugi/shared/kv"
	"tsumugi/shared/persona"
)

// Library keeps what admins have set: it implements persona.Library. A cast is one item; the most specific one counts, of
// the channel, the guild and the installation.
type Library struct{ kv kv.Driver }

// NewLibrary keeps the library in the driver.
func NewLibrary(d kv.Driver) *Library { return &Library{d} }

var _ persona.Library = (*Library)(nil)

func castKey(guild, channel string) kv.Key {
	k := kv.Key{Space: SpaceMemory, Partition: "installation", Sort: "cast"}
	if guild != "" {
		k.Partition = "guild#" + guild
	}
	if channel != "" {
		k.Sort = "cast#" + channel
	}
	return k
}

// Cast reads the three places in one round trip.
func (l *Library) Cast(ctx context.Context, guild, channel string) (persona.Cast, error) {
	var keys []kv.Key
	for _, k := range []kv.Key{castKey(guild, channel), castKey(guild, ""), castKey("", "")} {
		if !slices.Contains(keys, k) { // without a guild, or asked for a guild as a whole, places coincide
			keys = append(keys, k)
		}
	}
	var items []kv.Item
	err := patiently(ctx, func() (err error) {
		items, err = l.kv.BatchGet(ctx, keys...)
		return err
	})
	if err != nil {
		return persona.Cast{}, fmt.Errorf("read the cast of channel %s: %w", channel, err)
	}
	if len(items) == 0 {
		return persona.Cast{}, nil
	}
	return decode[persona.Cast](items[0], "cast")
}

// SaveCast sets the cast of a channel, of a guild (channel empty) or of the installation (both empty).
func (l *Library) SaveCast(ctx context.Context, guild, channel string, c persona.Cast) error {
	if err := l.save(ctx, castKey(guild, channel), c); err != nil {
		return fmt.Errorf("save the cast of channel %s: %w", channel, err)
	}
	return nil
}

// SeedCast sets the cast of the installation if it has none. One that is there, be it empty, is left alone.
func (l *Library) SeedCast(ctx context.Context, c persona.Cast) error {
	err := l.save(ctx, castKey("", ""), c, kv.Missing(""))
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return fmt.Errorf("seed the cast of the installation: %w", err)
	}
	return nil
}

func (l *Library) save(ctx context.Context, k kv.Key, c persona.Cast, conds ...kv.Cond) error {
	for _, p := range c.Personas {
		if err := p.Validate(); err != nil {
			return err
		}
	}
	body, err := encode(c)
	if err != nil {
		return err
	}
	op := kv.Op{Verb: kv.Put, Key: k, Attrs: kv.Attrs{"cast": body}, If: conds}
	return patiently(ctx, func() error { return l.kv.Write(ctx, op) })
}
