package command_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/persona"
	"tsumugi/shared/store"
)

// book is the store's book over the twin of a driver, with what can go wrong.
type book struct {
	*store.Book
	driver kv.Driver
	t      *testing.T
	away   bool   // the driver does not answer
	faster func() // somebody else's change, once, between what a Change read and what it writes
	n      int    // changes made by set
}

var errAway = errors.New("the store is away")

// newBook is the book of an installation in which the demo personas live.
func newBook(t *testing.T) *book {
	b := &book{t: t, driver: kvtest.Memory()}
	b.Book = store.NewBook(b.driver)
	if err := b.Seed(t.Context(), guild.Settings{Own: true, Personas: persona.Demos()}); err != nil {
		t.Fatal(err)
	}
	return b
}

// Settings fails while the store is away.
func (b *book) Settings(ctx context.Context, g string) (guild.Settings, error) {
	if b.away {
		return guild.Settings{}, errAway
	}
	return b.Book.Settings(ctx, g)
}

// Change lets somebody be faster.
func (b *book) Change(ctx context.Context, g string, in chat.ChannelID, c guild.Change, edit guild.Edit) (guild.Change, error) {
	if b.away {
		return guild.Change{}, errAway
	}
	return b.Book.Change(ctx, g, in, c, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		if faster := b.faster; faster != nil {
			b.faster = nil
			faster()
		}
		return edit(s, c, note)
	})
}

// set is what somebody has set before a test begins.
func (b *book) set(g string, in chat.ChannelID, edit func(s *guild.Settings, c *guild.Channel)) {
	b.t.Helper()
	b.n++
	_, err := b.Book.Change(b.t.Context(), g, in, guild.Change{ID: chat.EventID(strconv.Itoa(b.n))}, func(s *guild.Settings, c *guild.Channel, _ *guild.Change) error {
		edit(s, c)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// is what is set now.
func (b *book) is(g string) guild.Settings {
	b.t.Helper()
	s, err := b.Book.Settings(b.t.Context(), g)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// in is what is set for a channel now.
func (b *book) in(g string, c chat.ChannelID) guild.Channel {
	b.t.Helper()
	at, err := b.Channel(b.t.Context(), g, c)
	if err != nil {
		b.t.Fatal(err)
	}
	return at
}

// noted are the changes, the newest first.
func (b *book) noted(g string) []guild.Change {
	b.t.Helper()
	list, _, err := b.Changes(b.t.Context(), g, "", 100)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

var _ guild.Book = (*book)(nil)
