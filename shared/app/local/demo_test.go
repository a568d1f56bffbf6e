package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"os"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/persona"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
)

// Every room of the demo has somebody of the cast in it, with a face, and its advice leads somewhere.
func TestRoomsAreLivedIn(t *testing.T) {
	all := welcomes()
	pictures, err := faces()
	if err != nil {
		t.Fatal(err)
	}
	cast := persona.Cast{Personas: persona.Demos()}
	for i, r := range rooms() {
		p, ok := cast.ByID(r.persona)
		if !ok || !strings.Contains(r.title, p.Name) {
			t.Errorf("%s is the room of %q, titled %q", r.channel, r.persona, r.title)
		}
		name, found := strings.CutPrefix(all[i].Image, "/avatars/")
		face := pictures[strings.TrimSuffix(name, ".png")]
		if drawn, err := png.DecodeConfig(bytes.NewReader(face)); !found || err != nil || drawn.Width != 128 || drawn.Height != 128 {
			t.Errorf("face of %s: %+v, %v", r.persona, drawn, err)
		}
	}
	hall := all[len(all)-1]
	for _, try := range hall.Try {
		if len(persona.Order(cast.Personas, try)) == 0 {
			t.Errorf("%s: %q calls nobody", hall.Channel, try)
		}
	}
}

// The file has what the version of 2026-11-30 (commit f0ffaa8) kept of who lives where, after its first start.
func TestSeedTakesOverAnEarlierVersion(t *testing.T) {
	d := kvtest.Memory()
	text, err := os.ReadFile("testdata/earlier.json")
	var items []struct{ Partition, Sort, Cast string }
	if err = errors.Join(err, json.Unmarshal(text, &items)); err != nil || len(items) != 4 {
		t.Fatal(len(items), err)
	}
	for _, i := range items {
		k := kv.Key{Space: store.SpaceMemory, Partition: i.Partition, Sort: i.Sort}
		if err := d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k, Attrs: kv.Attrs{"cast": []byte(i.Cast)}}); err != nil {
			t.Fatal(err)
		}
	}
	seeded(t, store.NewBook(d))
}

func TestSeedLeavesWhatPeopleSet(t *testing.T) { seeded(t, store.NewBook(kvtest.Memory())) }

// seeded starts twice. In between somebody changes a room and sends a persona away.
func seeded(t *testing.T, book *store.Book) {
	p := &process{traces: telemetry.New()}
	var err error
	if p.sim, err = p.simulate(simdiscord.Options{Token: "simulated"}); err != nil {
		t.Fatal(err)
	}
	defer p.sim.Close()
	state := p.sim.State()
	at := func(channel string) guild.Place {
		place, err := book.Place(t.Context(), state.Guild.ID, chat.ChannelID(state.Channel(channel)))
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	change := func(id, g, channel string, edit func(*guild.Settings, *guild.Channel)) {
		_, err := book.Change(t.Context(), g, chat.ChannelID(channel), guild.Change{ID: chat.EventID(id)}, func(s *guild.Settings, c *guild.Channel, _ *guild.Change) error {
			edit(s, c)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := p.seed(t.Context(), book); err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms() {
		if place := at(r.channel); !place.Always || place.Host != r.persona || len(place.Personas) != 3 {
			t.Errorf("in %s: always %v, host %q, %d personas", r.channel, place.Always, place.Host, len(place.Personas))
		}
	}
	if hall := at("hall"); hall.Always || len(hall.Personas) != 3 {
		t.Errorf("in the hall: always %v, %d personas", hall.Always, len(hall.Personas))
	}
	change("1", state.Guild.ID, state.Channel("ferry"), func(_ *guild.Settings, c *guild.Channel) { *c = guild.Channel{Prompt: "be brief"} })
	change("2", "", "", func(s *guild.Settings, _ *guild.Channel) { s.Personas = s.Personas[:2] })
	if err := p.seed(t.Context(), book); err != nil {
		t.Fatal(err)
	}
	if ferry := at("ferry"); ferry.Always || ferry.Host != "" || ferry.Prompt != "be brief" || len(ferry.Personas) != 2 {
		t.Errorf("a new start has taken back what somebody set: %+v", ferry.Cast)
	}
}
