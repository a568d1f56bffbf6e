package store_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// trouble is a store between several callers that fails now and then in every way that a driver may.
type trouble struct {
	mu  sync.Mutex
	rnd *rand.Rand
}

func newTrouble(seed uint64) *trouble { return &trouble{rnd: rand.New(rand.NewPCG(seed, 20261207))} }

func (t *trouble) draw(n int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rnd.IntN(n)
}

// torn reads one item after the other in any order, as BatchGet may.
type torn struct {
	kv.Driver
	t *trouble
}

func (d torn) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	var all []kv.Item
	last := d.t.draw(len(keys))
	for n := range keys {
		d.t.between()
		got, err := d.Driver.BatchGet(ctx, keys[(last+1+n)%len(keys)])
		if err != nil {
			return nil, err
		}
		all = append(all, got...)
	}
	slices.SortFunc(all, func(a, b kv.Item) int { return cmp.Compare(slices.Index(keys, a.Key), slices.Index(keys, b.Key)) })
	return all, nil
}

// between lets others come between, by the bubble's clock.
func (t *trouble) between() { time.Sleep(time.Duration(t.draw(3)) * time.Millisecond) }

func (t *trouble) over(d kv.Driver) kv.Driver {
	return kvtest.Wrap(torn{d, t}, func(c kvtest.Call) kvtest.Fault {
		t.between()
		switch t.draw(12) {
		case 0:
			return kvtest.LostReply
		case 1:
			return kvtest.Contention
		case 2:
			return kvtest.Broken
		case 3:
			return kvtest.Throttling
		}
		return kvtest.None
	})
}

// Errors of an admin's edits.
var (
	errRefused   = errors.New("the edit refuses")
	errMadeTwice = errors.New("the edit meets its own change")
)

// admin makes one change, and is called again until it is known what became of it. Everybody's change adds to one number and says
// in the notes what that was, so that the notes tell in which order the changes were made.
type admin struct {
	id      chat.EventID
	channel chat.ChannelID
	adds    int
	fails   error // the edit's own end
}

func (a admin) change(ctx context.Context, b *store.Book) (guild.Change, error) {
	return b.Change(ctx, server, a.channel, guild.Change{ID: a.id, What: "test"}, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		note.Was = strconv.Itoa(s.Limits.Daily)
		s.Limits.Daily += a.adds
		if slices.Contains(s.Whitelist, chat.ChannelID(a.id)) {
			return errMadeTwice // as an edit says ErrSame that finds what it was to do
		}
		s.Whitelist = append(s.Whitelist, chat.ChannelID(a.id))
		note.Is = strconv.Itoa(s.Limits.Daily)
		if a.channel != "" {
			c.Prompt += "x"
		}
		if errors.Is(a.fails, guild.ErrInvalid) {
			s.Humanizer = "no such"
			return nil
		}
		return a.fails
	})
}

// persist is the queue of an admin's interaction.
func (a admin) persist(t *testing.T, b *store.Book, tr *trouble) guild.Change {
	for range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+tr.draw(40))*time.Millisecond) // it dies, or does not
		got, err := a.change(ctx, b)
		cancel()
		if errors.Is(err, errMadeTwice) {
			t.Errorf("change %s: %v", a.id, err)
		}
		if err == nil || a.fails != nil && errors.Is(err, a.fails) {
			return got
		}
		time.Sleep(time.Duration(tr.draw(20)) * time.Millisecond)
	}
	t.Errorf("change %s was never made", a.id)
	return guild.Change{}
}

func TestEveryChangeIsMadeOnceWhateverHappens(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { changesOnce(t, seed) })
		})
	}
}

func changesOnce(t *testing.T, seed uint64) {
	d, tr := kvtest.Memory(), newTrouble(seed)
	var admins []admin
	for n := range 2 + tr.draw(8) {
		a := admin{id: chat.EventID(strconv.Itoa(1000 + n)), adds: 1 + tr.draw(9)}
		if tr.draw(2) == 0 {
			a.channel = chat.ChannelID(strconv.Itoa(1 + tr.draw(2)))
		}
		a.fails = []error{nil, nil, nil, errRefused, guild.ErrSame, guild.ErrInvalid}[tr.draw(6)]
		admins = append(admins, a)
	}
	told := make([][2]guild.Change, len(admins))
	var all sync.WaitGroup
	for n, a := range admins {
		for twice := range 2 { // the queue delivers it once more, meanwhile or later
			all.Go(func() {
				time.Sleep(time.Duration(tr.draw(30)) * time.Millisecond)
				told[n][twice] = a.persist(t, store.NewBook(tr.over(d)), tr)
			})
		}
	}
	all.Wait()
	historyOf(t, store.NewBook(d), admins, told)
}

// historyOf compares the notes, as a history, with what is set and with what everybody was told.
func historyOf(t *testing.T, b *store.Book, admins []admin, told [][2]guild.Change) {
	list, _, err := b.Changes(t.Context(), server, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	notes, follows := map[chat.EventID]guild.Change{}, map[string]guild.Change{}
	for _, c := range list {
		if _, ok := follows[c.Was]; ok {
			t.Errorf("two changes began at %s: one of them was lost", c.Was)
		}
		notes[c.ID], follows[c.Was] = c, c
	}
	sum, prompts := 0, map[chat.ChannelID]string{"1": "", "2": ""}
	for n, a := range admins {
		c, ok := notes[a.id]
		if ok != (a.fails == nil) {
			t.Errorf("change %s, whose edit says %v, is in the notes: %v", a.id, a.fails, ok)
		}
		if told[n][0] != told[n][1] || told[n][0] != c {
			t.Errorf("change %s is noted as %+v, and told as %+v", a.id, c, told[n])
		}
		if a.fails == nil {
			sum += a.adds
			if a.channel != "" {
				prompts[a.channel] += "x"
			}
		}
	}
	at, steps := "0", 0
	for c, ok := follows[at]; ok && steps <= len(list); c, ok = follows[at] {
		at, steps = c.Is, steps+1
	}
	s, err := b.Settings(t.Context(), server)
	if err != nil || s.Limits.Daily != sum || s.Humanizer != "" || steps != len(list) || at != strconv.Itoa(sum) {
		t.Errorf("%d is set, the notes lead in %d of %d steps to %s; want %d (%v)", s.Limits.Daily, steps, len(list), at, sum, err)
	}
	for c, want := range prompts {
		if set, err := b.Channel(t.Context(), server, c); err != nil || set.Prompt != want {
			t.Errorf("channel %s has %q, want %q (%v)", c, set.Prompt, want, err)
		}
	}
}
