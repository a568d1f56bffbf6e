package command_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// book is a guild.Book in memory.
type book struct {
	mu       sync.Mutex
	settings map[string]guild.Settings
	channels map[string]guild.Channel
	changes  []guild.Change
	models   map[string][]string
	faces    map[string][]byte
	notes    map[string]note
	fails    error  // of every call
	faster   func() // somebody else's change, once, between what a Change read and what it writes
}

type note struct {
	text []byte
	till time.Time
}

// newBook is the book of an installation in which the demo personas live.
func newBook() *book {
	return &book{settings: map[string]guild.Settings{"": {Own: true, Personas: persona.Demos()}}, channels: map[string]guild.Channel{},
		models: map[string][]string{}, faces: map[string][]byte{}, notes: map[string]note{}}
}

// twin is a copy that shares nothing.
func twin[T any](v T) (c T) {
	body, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(body, &c)
	}
	if err != nil {
		panic(err)
	}
	return c
}

func (b *book) Settings(_ context.Context, g string) (guild.Settings, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return twin(b.settings[g]), b.fails
}

func (b *book) Channel(_ context.Context, g string, c chat.ChannelID) (guild.Channel, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.channels[g+"/"+string(c)], b.fails
}

func (b *book) Change(_ context.Context, g string, in chat.ChannelID, c guild.Change, edit guild.Edit) (guild.Change, error) {
	for {
		b.mu.Lock()
		if n := slices.IndexFunc(b.changes, func(old guild.Change) bool { return old.ID == c.ID }); n >= 0 || b.fails != nil {
			defer b.mu.Unlock()
			if b.fails != nil {
				return guild.Change{}, b.fails
			}
			return b.changes[n], nil
		}
		s, at, is := twin(b.settings[g]), b.channels[g+"/"+string(in)], c
		b.mu.Unlock()
		if in == "" {
			at = guild.Channel{}
		}
		if err := edit(&s, &at, &is); err != nil {
			return guild.Change{}, err
		}
		if faster := b.faster; faster != nil {
			b.faster = nil
			faster()
			continue
		}
		return is, b.write(g, in, s, at, is)
	}
}

func (b *book) write(g string, in chat.ChannelID, s guild.Settings, at guild.Channel, c guild.Change) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, err := json.Marshal(s)
	if err == nil && len(body) > guild.MaxSettings {
		err = guild.ErrTooMuch
	}
	for _, p := range s.Personas {
		if err == nil {
			err = p.Validate()
		}
	}
	if err != nil {
		return err
	}
	b.settings[g] = twin(s)
	if in != "" {
		b.channels[g+"/"+string(in)] = at
	}
	b.changes = append(b.changes, c)
	return nil
}

func (b *book) Changes(_ context.Context, _, _ string, limit int) ([]guild.Change, string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.changes)
	slices.Reverse(list)
	return list[:min(limit, len(list))], "", b.fails
}

func (b *book) Models(_ context.Context, g, provider string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.models[g+"/"+provider], b.fails
}

func (b *book) SaveModels(_ context.Context, g, provider string, models []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.models[g+"/"+provider] = models
	return b.fails
}

func (b *book) Face(_ context.Context, g, id string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.faces[g+"/"+id], b.fails
}

func (b *book) SaveFace(_ context.Context, g, id string, picture []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faces[g+"/"+id] = picture
	return b.fails
}

func (b *book) Note(_ context.Context, g, name string, text []byte, life time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes[g+"/"+name] = note{text, time.Now().Add(life)}
	return b.fails
}

func (b *book) Noted(_ context.Context, g, name string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.notes[g+"/"+name]
	if time.Now().After(n.till) {
		return nil, b.fails
	}
	return n.text, b.fails
}

var _ guild.Book = (*book)(nil)
