package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	"tsumugi/shared/seal/sealtest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// scene is what the player and the judge of a story know: where it happens, what was said, and what is kept of it. The product
// behind it is the stage's business.
type scene struct {
	stage   stage
	story   *story
	threads map[string]string // by what the story calls them
	sealer  guild.Sealer
	sim     *simdiscord.Server
	store   kv.Driver // beneath whatever disturbs the workers
	book    *store.Book
	set     int // changes that were made in the book
	control *store.Channels
	model   *author
	people  *people
	dress   func(p persona.Persona) persona.Persona

	lounge, hall string
	home         string // the one of them that the story's channel is played in
	guild        string
	residence    string // where the cast is kept: "" for the installation, or the guild
	us           chat.UserID

	mu       sync.Mutex
	said     []simdiscord.Message // words of people, numbered from 1
	asks     []string             // interactions that ask for somebody's words
	faults   []string
	deleted  map[string]bool      // posts of the bot that somebody else deleted
	vanished []simdiscord.Message // with their channel
}

// stage is the product in one of its forms, and its clock.
type stage interface {
	// await lets time pass until the condition holds, and tells whether it came to that within the bound.
	await(step, bound time.Duration, holds func() bool) bool
	// pass lets time pass.
	pass(time.Duration)
	// quiet tells whether nothing is left to do; outstanding says what is.
	quiet(context.Context) bool
	outstanding() string
	// relay brings an event on its way that has just happened in the simulator.
	relay(context.Context, chat.Event) error
	// resend puts a message on the ingress queue that was there before.
	resend(context.Context, queue.Message) error
	// befall lets happen what happens to the product: crash, handover, sweep, late, lateedit.
	befall(context.Context, step) error
	// queued says what is wrong with the queues in the end, and counts the dead letters.
	queued(context.Context) (wrong []string, letters int)
}

func newScene(st stage, s *story) *scene {
	w := &scene{stage: st, story: s, sealer: sealtest.Memory(), deleted: map[string]bool{}, threads: map[string]string{}}
	w.people = &people{w: w, forms: map[string]*simdiscord.Modal{}, opened: map[string]simdiscord.Invocation{}}
	return w
}

// in says where the scene is: the two channels of a guild.
func (w *scene) in(guild, lounge, hall string) {
	w.guild, w.lounge, w.hall, w.home = guild, lounge, hall, lounge
	if w.story.settings.Channel == "hall" {
		w.home = hall
	}
}

// keep says what it is kept in.
func (w *scene) keep(d kv.Driver) {
	w.store, w.book, w.control = d, store.NewBook(d), store.NewChannels(d)
}

// settled puts everybody where they live: the story's cast in the installation, so that its guild has them and direct messages
// have, or in its guild alone, where the installation is shared. Only the story's own channel may be always-on. dress may change a persona.
func (w *scene) settled(ctx context.Context, dress func(persona.Persona) persona.Persona) error {
	all, err := personas(w.story.settings.Cast)
	if err != nil {
		return err
	}
	s := w.story.settings
	w.dress = dress
	set := guild.Channel{Round: s.Order == "round", Always: s.Always || s.Order != ""}
	if set != (guild.Channel{}) {
		err = w.book.SeedChannel(ctx, w.guild, chat.ChannelID(w.home), set)
	}
	if s.Set != nil || s.Prompt != "" || s.Provider != nil {
		err = errors.Join(err, w.sets(ctx, s.Set, &s))
	}
	return errors.Join(err, w.lives(ctx, all))
}

// lives changes who lives where the story's cast does. Nobody is noted to have done it.
func (w *scene) lives(ctx context.Context, all []persona.Persona) error {
	w.set++
	change := guild.Change{ID: chat.EventID(fmt.Sprint(w.set)), What: "persona"}
	_, err := w.book.Change(ctx, w.residence, "", change, func(s *guild.Settings, _ *guild.Channel, _ *guild.Change) error {
		s.Own, s.Personas = true, nil
		for _, p := range all {
			s.Personas = append(s.Personas, w.dress(p))
		}
		if len(all) > 0 && !slices.ContainsFunc(all, func(p persona.Persona) bool { return p.Main }) {
			s.Personas[0].Main = true
		}
		return nil
	})
	return err
}

// faults makes the calls that break Discord's description faults of the run.
type faults struct{ *scene }

// Errorf reports one call.
func (f faults) Errorf(format string, args ...any) { f.fault(format, args...) }

func (w *scene) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// channels are all places that the story may happen in.
func (w *scene) channels() []string {
	all := []string{w.lounge, w.hall}
	if len(w.vanished) > 0 { // it was deleted, and what is kept of it is still judged
		all = []string{w.home, w.hall}
	}
	for _, name := range slices.Sorted(maps.Keys(w.threads)) {
		all = append(all, w.threads[name])
	}
	for _, d := range w.sim.State().DMs {
		all = append(all, d.ID)
	}
	return all
}

// place is the channel that the story calls by a name or an id.
func (w *scene) place(name string) string {
	switch name {
	case "lounge":
		return w.lounge
	case "hall":
		return w.hall
	case "thread", "post":
		return w.thread(name)
	}
	return name
}

// number is that of the words with the id, 0 when there are none.
func (w *scene) number(e chat.EventID) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, m := range w.said {
		if m.ID == string(e) {
			return i + 1
		}
	}
	return 0
}

// asked notes an interaction that has a row in the ledger, if it was heard.
func (w *scene) asked(interaction string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asks = append(w.asks, interaction)
}

// words are those with the number.
func (w *scene) words(n int) (simdiscord.Message, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n < 1 || n > len(w.said) {
		return simdiscord.Message{}, fmt.Errorf("there are no words %d", n)
	}
	return w.said[n-1], nil
}

// plan reads the plan of an event from the store: of the head while it is answered, and of its row from then on.
func (w *scene) plan(channel string, e chat.EventID) (chat.Plan, error) {
	var p chat.Plan
	key := kv.Key{Space: store.SpaceChannels, Partition: channel, Sort: "head"}
	item, err := w.store.Get(context.Background(), key)
	if err == nil && item.String("event") != string(e) {
		key.Sort = "event#" + string(e)
		item, err = w.store.Get(context.Background(), key)
	}
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(item.Bytes("plan"), &p)
}

// persona is who speaks in a turn.
func (w *scene) persona(key turnKey) (string, error) {
	places := append([]string{w.home}, w.channels()...) // where commands are used, mostly
	if m, err := w.words(w.number(key.event)); err == nil {
		places = []string{m.ChannelID}
	}
	var err error
	for _, channel := range places {
		var p chat.Plan
		if p, err = w.plan(channel, key.event); err == nil {
			return w.nameOf(p.Turns[key.turn]), nil
		}
	}
	return "", err
}

// nameOf is what a story calls a persona: its id, or its name when people of the story have made it.
func (w *scene) nameOf(t chat.Turn) string {
	all, err := personas(w.story.settings.Cast)
	if err == nil && slices.ContainsFunc(all, func(p persona.Persona) bool { return p.ID == t.Persona }) {
		return t.Persona
	}
	return strings.ToLower(t.Name)
}
