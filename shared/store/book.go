package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/persona"
)

// Book keeps what admins set: it implements guild.Library and guild.Book. A guild is a partition of the memory space, and the
// installation another:
//
//	settings         guild.Settings, with the number of its writes (rev)
//	channel#<id>     guild.Channel, likewise, and that the channel refuses to be written to (refused.go)
//	audit#<id>       a guild.Change, under the interaction's id with zeros in front, so that they are in order; 90 days
//	models#<name>    the models of a provider
//	face#<persona>   the picture of a persona
//	note#<name>      a note of a dialogue, for as long as it may go on
//
// In the installation's partition versions before 2026-12-08 kept its personas under "cast"; they live there until settings are.
type Book struct{ kv kv.Driver }

// NewBook keeps the book in the driver.
func NewBook(d kv.Driver) *Book { return &Book{d} }

var (
	_ guild.Library = (*Book)(nil)
	_ guild.Book    = (*Book)(nil)
)

func bookKey(g, sort string) kv.Key {
	k := kv.Key{Space: SpaceMemory, Partition: "installation", Sort: sort}
	if g != "" {
		k.Partition = "guild#" + g
	}
	return k
}

func settingsKey(g string) kv.Key                { return bookKey(g, "settings") }
func placeKey(g string, c chat.ChannelID) kv.Key { return bookKey(g, "channel#"+string(c)) }
func modelsKey(g, provider string) kv.Key        { return bookKey(g, "models#"+folded(provider)) }
func faceKey(g, id string) kv.Key                { return bookKey(g, "face#"+id) }
func noteKey(g, name string) kv.Key              { return bookKey(g, "note#"+name) }
func earlierCast() kv.Key                        { return bookKey("", "cast") }

// folded is a name as it is compared, see guild.SameName.
func folded(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// Place reads the channel, the guild and the installation in one round trip.
func (b *Book) Place(ctx context.Context, g string, c chat.ChannelID) (guild.Place, error) {
	keys := []kv.Key{settingsKey("")}
	if g != "" {
		keys = append(keys, settingsKey(g), placeKey(g, c))
	}
	got, err := b.read(ctx, keys...)
	if err != nil {
		return guild.Place{}, fmt.Errorf("read the place of channel %s: %w", c, err)
	}
	installation, err := b.installation(ctx, got[keys[0]])
	if err != nil || g == "" {
		return guild.At(installation, guild.Settings{}, c, guild.Channel{}), err
	}
	own, err := optional[guild.Settings](got[keys[1]], "settings")
	if err != nil {
		return guild.Place{}, err
	}
	set, err := optional[guild.Channel](got[keys[2]], "channel")
	place := guild.At(installation, own, c, set)
	place.Refusing = refusing(got[keys[2]])
	return place, err
}

// installation are the settings of the installation. Until it has some, those of an earlier version count.
func (b *Book) installation(ctx context.Context, item kv.Item) (guild.Settings, error) {
	if item.Has("settings") {
		return decode[guild.Settings](item, "settings")
	}
	got, err := b.read(ctx, earlierCast())
	earlier := got[earlierCast()]
	if err != nil || !earlier.Has("cast") {
		return guild.Settings{}, err
	}
	cast, err := decode[persona.Cast](earlier, "cast")
	return guild.Settings{Own: true, Personas: cast.Personas}, err
}

// Settings reads a guild's settings.
func (b *Book) Settings(ctx context.Context, g string) (guild.Settings, error) {
	item, err := lookup(ctx, b.kv, settingsKey(g))
	if err != nil {
		return guild.Settings{}, fmt.Errorf("read the settings of guild %s: %w", g, err)
	}
	if g == "" {
		return b.installation(ctx, item)
	}
	return optional[guild.Settings](item, "settings")
}

// Channel reads a channel's settings.
func (b *Book) Channel(ctx context.Context, g string, c chat.ChannelID) (guild.Channel, error) {
	item, err := lookup(ctx, b.kv, placeKey(g, c))
	if err != nil {
		return guild.Channel{}, fmt.Errorf("read what is set for channel %s: %w", c, err)
	}
	return optional[guild.Channel](item, "channel")
}

// Channels reads the channels of a guild.
func (b *Book) Channels(ctx context.Context, g string) (map[chat.ChannelID]guild.Channel, error) {
	prefix := placeKey(g, "").Sort
	all := map[chat.ChannelID]guild.Channel{}
	for q := (kv.Query{Space: SpaceMemory, Partition: placeKey(g, "").Partition, Prefix: prefix}); len(all) < guild.MaxChannels; {
		var page kv.Page
		q.Limit = guild.MaxChannels - len(all)
		err := patiently(ctx, func() (err error) {
			page, err = b.kv.Query(ctx, q)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("list the channels of guild %s: %w", g, err)
		}
		for _, item := range page.Items {
			c, err := optional[guild.Channel](item, "channel")
			if err != nil {
				return nil, err
			}
			if c != (guild.Channel{}) {
				all[chat.ChannelID(strings.TrimPrefix(item.Key.Sort, prefix))] = c
			}
		}
		if q.After = page.Next; page.Next == "" {
			break
		}
	}
	return all, nil
}

// Seed gives the installation the settings of a new one if it has none: those of an earlier version, be they empty, else s.
func (b *Book) Seed(ctx context.Context, s guild.Settings) error {
	item, err := lookup(ctx, b.kv, settingsKey(""))
	if err != nil {
		return fmt.Errorf("seed the installation: %w", err)
	}
	if item.Has("settings") {
		return nil
	}
	earlier, err := b.installation(ctx, item)
	if err != nil {
		return fmt.Errorf("seed the installation: %w", err)
	}
	if earlier.Own {
		s = earlier
	} else if err := s.Validate(); err != nil {
		return err
	}
	return b.first(ctx, settingsKey(""), "settings", s)
}

// SeedChannel sets a channel up if nobody ever has.
func (b *Book) SeedChannel(ctx context.Context, g string, c chat.ChannelID, set guild.Channel) error {
	if err := set.Validate(); err != nil {
		return err
	}
	return b.first(ctx, placeKey(g, c), "channel", set)
}

// first writes an item that is not there.
func (b *Book) first(ctx context.Context, k kv.Key, attr string, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	op := kv.Op{Verb: kv.Put, Key: k, Attrs: kv.Attrs{attr: body, "rev": int64(1)}, If: []kv.Cond{kv.Missing("rev")}}
	err = patiently(ctx, func() error { return b.kv.Write(ctx, op) })
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return fmt.Errorf("seed %s: %w", k, err)
	}
	return nil
}

// Changes reads a page of the notes.
func (b *Book) Changes(ctx context.Context, g, after string, limit int) ([]guild.Change, string, error) {
	const prefix = "audit#"
	q := kv.Query{Space: SpaceMemory, Partition: settingsKey(g).Partition, Prefix: prefix, Reverse: true, Limit: max(limit, 1)}
	if after != "" {
		q.After = prefix + after
	}
	var list []guild.Change
	for {
		var page kv.Page
		err := patiently(ctx, func() (err error) {
			page, err = b.kv.Query(ctx, q)
			return err
		})
		if err != nil {
			return nil, "", fmt.Errorf("list the changes of guild %s: %w", g, err)
		}
		for _, item := range page.Items {
			c, err := decode[guild.Change](item, "change")
			if err != nil {
				return nil, "", err
			}
			list = append(list, c)
		}
		if q.After, q.Limit = page.Next, q.Limit-len(page.Items); page.Next == "" || q.Limit <= 0 {
			return list, strings.TrimPrefix(page.Next, prefix), nil
		}
	}
}

// read gets items in one round trip.
func (b *Book) read(ctx context.Context, keys ...kv.Key) (map[kv.Key]kv.Item, error) {
	var items []kv.Item
	err := patiently(ctx, func() (err error) {
		items, err = b.kv.BatchGet(ctx, keys...)
		return err
	})
	got := make(map[kv.Key]kv.Item, len(items))
	for _, item := range items {
		got[item.Key] = item
	}
	return got, err
}

// optional decodes what may be absent.
func optional[T any](item kv.Item, attr string) (T, error) {
	if !item.Has(attr) {
		var zero T
		return zero, nil
	}
	return decode[T](item, attr)
}

// expires is the TTL of what lives for a while from now.
func expires(life time.Duration) int64 { return time.Now().Add(life).Unix() }
