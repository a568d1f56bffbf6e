package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/persona"
	"tsumugi/shared/store"
)

const server = "900"

// shelf is a book over the twin, for tests of single calls.
type shelf struct {
	*store.Book
	t  *testing.T
	kv kv.Driver
	n  int // changes made by change
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	d := kvtest.Memory()
	return &shelf{Book: store.NewBook(d), t: t, kv: d}
}

// change makes a change that has to work.
func (s *shelf) change(g string, c chat.ChannelID, edit func(s *guild.Settings, c *guild.Channel)) {
	s.t.Helper()
	s.n++
	id := chat.EventID(fmt.Sprint(7000 + s.n))
	_, err := s.Change(s.t.Context(), g, c, guild.Change{ID: id, What: "test"}, func(s *guild.Settings, c *guild.Channel, _ *guild.Change) error {
		edit(s, c)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) settings(g string) guild.Settings {
	s.t.Helper()
	set, err := s.Settings(s.t.Context(), g)
	if err != nil {
		s.t.Fatal(err)
	}
	return set
}

// people are personas of the names, the first one main.
func people(names ...string) []persona.Persona {
	var all []persona.Persona
	for n, name := range names {
		all = append(all, persona.Persona{ID: strings.ToLower(name), Name: name, Triggers: []string{name}, Main: n == 0})
	}
	return all
}

func TestAChangeIsMadeOnceForItsInteraction(t *testing.T) {
	s := newShelf(t)
	calls := 0
	edit := func(set *guild.Settings, c *guild.Channel, note *guild.Change) error {
		calls++
		note.Was, note.Is = string(set.Humanizer), "light\nand  more "+strings.Repeat("x", 300)
		note.ID, note.By = "1", "somebody else"
		set.Humanizer, c.Prompt = guild.Light, "be brief"
		return nil
	}
	asked := guild.Change{ID: "77", By: ann, At: time.UnixMilli(5), What: "config"}
	var first guild.Change
	for n := range 3 {
		got, err := s.Change(t.Context(), server, "5", asked, edit)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = got
		}
		if calls != 1 || !reflect.DeepEqual(got, first) {
			t.Errorf("call %d: edited %d times, %+v, then %+v", n, calls, first, got)
		}
	}
	if first.ID != "77" || first.By != ann || first.In != "5" || strings.Contains(first.Is, "\n") || len([]rune(first.Is)) != 200 {
		t.Errorf("noted %+v", first)
	}
	list, next, err := s.Changes(t.Context(), server, "", 10)
	if err != nil || next != "" || len(list) != 1 || !reflect.DeepEqual(list[0], first) {
		t.Errorf("notes are %+v, %q, %v", list, next, err)
	}
	place, err := s.Place(t.Context(), server, "5")
	if err != nil || place.Prompt != "be brief" || place.Humanizer != guild.Light {
		t.Errorf("the place is %+v, %v", place, err)
	}
	if other, err := s.Place(t.Context(), server, "6"); err != nil || other.Prompt != "" || other.Humanizer != guild.Light {
		t.Errorf("another channel is %+v, %v", other, err)
	}
}

func TestWhatIsRefusedChangesNothing(t *testing.T) {
	own := errors.New("the edit's own")
	for name, c := range map[string]struct {
		want error
		edit func(s *guild.Settings, c *guild.Channel) error
	}{
		"the edit":      {own, func(s *guild.Settings, _ *guild.Channel) error { s.Whole = true; return own }},
		"nothing new":   {guild.ErrSame, func(*guild.Settings, *guild.Channel) error { return guild.ErrSame }},
		"two mains":     {guild.ErrInvalid, func(s *guild.Settings, _ *guild.Channel) error { s.Personas[1].Main = true; return nil }},
		"a bad card":    {persona.ErrInvalid, func(s *guild.Settings, _ *guild.Channel) error { s.Personas[1].Name = ""; return nil }},
		"not its own":   {guild.ErrInvalid, func(s *guild.Settings, _ *guild.Channel) error { s.Own = false; return nil }},
		"a long prompt": {guild.ErrInvalid, func(_ *guild.Settings, c *guild.Channel) error { c.Prompt = strings.Repeat("x", 4001); return nil }},
		"all too much": {guild.ErrTooMuch, func(s *guild.Settings, _ *guild.Channel) error {
			for n := range 6 {
				s.Personas = append(s.Personas, persona.Persona{ID: fmt.Sprint(n), Name: fmt.Sprint(n), Description: strings.Repeat("x", persona.MaxText)})
			}
			return nil
		}},
	} {
		s := newShelf(t)
		s.change(server, "5", func(s *guild.Settings, c *guild.Channel) {
			s.Own, s.Personas, c.Prompt = true, people("Ana", "Bo"), "hello"
		})
		before := s.settings(server)
		_, err := s.Change(t.Context(), server, "5", guild.Change{ID: "1"}, func(s *guild.Settings, ch *guild.Channel, _ *guild.Change) error {
			return c.edit(s, ch)
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		set, chErr := s.Channel(t.Context(), server, "5")
		list, _, listErr := s.Changes(t.Context(), server, "", 10)
		if !reflect.DeepEqual(s.settings(server), before) || set.Prompt != "hello" || len(list) != 1 || chErr != nil || listErr != nil {
			t.Errorf("%s: something has changed", name)
		}
	}
}

func TestChangesArePaged(t *testing.T) {
	s := newShelf(t)
	for range 7 {
		s.change(server, "", func(s *guild.Settings, _ *guild.Channel) { s.Whole = !s.Whole })
	}
	var got []chat.EventID
	after, pages := "", 0
	for ; pages == 0 || after != ""; pages++ {
		list, next, err := s.Changes(t.Context(), server, after, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			got = append(got, c.ID)
		}
		after = next
	}
	if fmt.Sprint(got) != "[7007 7006 7005 7004 7003 7002 7001]" || pages != 3 {
		t.Errorf("%d pages: %v", pages, got)
	}
}

func TestWhatBelongsToNobodyGoes(t *testing.T) {
	s := newShelf(t)
	keep := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s.change(server, "", func(s *guild.Settings, _ *guild.Channel) {
		s.Own, s.Personas = true, people("Ana", "Bo")
		for _, name := range []string{"One", "Two"} {
			s.Providers = append(s.Providers, guild.Provider{Name: name, Kind: "custom", URL: "https://example.com/v1"})
		}
	})
	for _, id := range []string{"ana", "bo"} {
		keep(s.SaveFace(t.Context(), server, id, []byte(id)))
	}
	for _, name := range []string{"one", "TWO"} {
		keep(s.SaveModels(t.Context(), server, name, []string{"a", "b"}))
	}
	keep(s.SaveFace(t.Context(), server, "gone", []byte("x")))
	keep(s.SaveFace(t.Context(), server, "gone", nil))
	s.change(server, "", func(s *guild.Settings, _ *guild.Channel) { s.Personas, s.Providers = s.Personas[:1], s.Providers[1:] })
	for id, want := range map[string]string{"ana": "ana", "bo": "", "gone": ""} {
		if got, err := s.Face(t.Context(), server, id); err != nil || string(got) != want {
			t.Errorf("face of %s is %q, %v", id, got, err)
		}
	}
	for name, want := range map[string]int{"One": 0, "Two": 2} {
		if got, err := s.Models(t.Context(), server, name); err != nil || len(got) != want {
			t.Errorf("models of %s are %q, %v", name, got, err)
		}
	}
	for _, err := range []error{s.SaveFace(t.Context(), server, "ana", bytes.Repeat([]byte("x"), guild.MaxFace+1)),
		s.Note(t.Context(), server, "n", bytes.Repeat([]byte("x"), guild.MaxNote+1), time.Minute)} {
		if !errors.Is(err, guild.ErrTooMuch) {
			t.Errorf("too much is %v", err)
		}
	}
	keep(s.SaveModels(t.Context(), server, "Two", strings.Split(strings.Repeat("model,", 200_000), ",")))
	if got, err := s.Models(t.Context(), server, "Two"); err != nil || len(got) < 1000 {
		t.Errorf("%d of very many models are kept, %v", len(got), err)
	}
	keep(s.SaveModels(t.Context(), server, "Two", strings.Split(strings.Repeat(strings.Repeat("<", 256)+",", 1000), ",")))
	if got, err := s.Models(t.Context(), server, "Two"); err != nil || len(got) < 200 {
		t.Errorf("%d of a thousand models with odd names are kept, %v", len(got), err)
	}
}

func TestANoteIsGoneAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(t)
		if err := s.Note(t.Context(), server, "n", []byte("words"), 15*time.Minute); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"words", ""} {
			if got, err := s.Noted(t.Context(), server, "n"); err != nil || string(got) != want {
				t.Errorf("noted %q, %v", got, err)
			}
			time.Sleep(15*time.Minute + time.Second)
		}
		if got, err := s.Noted(t.Context(), "", "n"); err != nil || got != nil {
			t.Errorf("the installation has noted %q, %v", got, err)
		}
	})
}

func TestSeed(t *testing.T) {
	demo := guild.Settings{Own: true, Personas: people("Mira")}
	earlier := func(cast string) func(s *shelf) {
		return func(s *shelf) {
			k := kv.Key{Space: store.SpaceMemory, Partition: "installation", Sort: "cast"}
			if err := s.kv.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k, Attrs: kv.Attrs{"cast": []byte(cast)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		before func(s *shelf)
		want   string
	}{
		"a new one": {func(*shelf) {}, "[Mira]"},
		"one that was set": {func(s *shelf) {
			s.change("", "", func(s *guild.Settings, _ *guild.Channel) { s.Own, s.Personas = true, people("Ana") })
		}, "[Ana]"},
		"one that was emptied":                  {func(s *shelf) { s.change("", "", func(s *guild.Settings, _ *guild.Channel) { s.Own = true }) }, "[]"},
		"an earlier version's":                  {earlier(`{"personas":[{"id":"bo","name":"Bo","main":true}],"always":false,"round":false}`), "[Bo]"},
		"an earlier version's that was emptied": {earlier(`{"personas":null,"always":false,"round":false}`), "[]"},
		"an earlier version's, changed": {func(s *shelf) {
			earlier(`{"personas":[{"id":"bo","name":"Bo","main":true}]}`)(s)
			s.change("", "", func(s *guild.Settings, _ *guild.Channel) {
				s.Personas = append(s.Personas, persona.Persona{ID: "cy", Name: "Cy"})
			})
		}, "[Bo Cy]"},
	} {
		s := newShelf(t)
		c.before(s)
		for range 2 {
			for _, place := range []string{"", server} { // before it is seeded, too, an earlier version's personas live there
				if at, err := s.Place(t.Context(), place, "5"); err != nil || name != "a new one" && fmt.Sprint(names(at.Personas)) != c.want {
					t.Errorf("%s: there live %v, %v", name, names(at.Personas), err)
				}
			}
			if err := s.Seed(t.Context(), demo); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := fmt.Sprint(names(s.settings("").Personas)); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	}
}

func TestSeedChannelLeavesWhatPeopleSet(t *testing.T) {
	s := newShelf(t)
	s.change(server, "5", func(_ *guild.Settings, c *guild.Channel) { c.Always = true })
	s.change(server, "5", func(_ *guild.Settings, c *guild.Channel) { c.Always = false })
	for _, c := range []chat.ChannelID{"5", "6"} {
		if err := s.SeedChannel(t.Context(), server, c, guild.Channel{Always: true, Host: "bo"}); err != nil {
			t.Fatal(err)
		}
		if at, err := s.Place(t.Context(), server, c); err != nil || at.Always != (c == "6") {
			t.Errorf("channel %s: %+v, %v", c, at, err)
		}
	}
}

func names(all []persona.Persona) []string {
	list := []string{}
	for _, p := range all {
		list = append(list, p.Name)
	}
	return list
}

func TestTheChannelsOfAGuild(t *testing.T) {
	s := newShelf(t)
	for n := range 12 {
		s.change(server, chat.ChannelID(fmt.Sprint(50+n)), func(_ *guild.Settings, c *guild.Channel) { c.Host, c.Prompt = "bo", strings.Repeat("x", 4000) })
	}
	s.change(server, "50", func(_ *guild.Settings, c *guild.Channel) { *c = guild.Channel{} })
	s.change("901", "70", func(_ *guild.Settings, c *guild.Channel) { c.Always = true })
	all, err := s.Channels(t.Context(), server)
	if err != nil || len(all) != 11 || all["61"].Host != "bo" {
		t.Errorf("%d channels, %v", len(all), err)
	}
	if all, err := s.Channels(t.Context(), "902"); err != nil || len(all) != 0 {
		t.Errorf("a guild that nobody set up has %v, %v", all, err)
	}
}
