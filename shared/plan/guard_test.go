package plan

import (
	"context"
	"errors"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// meter grants what it has left, and notes what it was asked.
type meter struct {
	left  int
	told  map[string]chat.EventID
	bills []guild.Bill
	fails error
}

func (m *meter) Charge(_ context.Context, b guild.Bill) (guild.Granted, error) {
	m.bills = append(m.bills, b)
	if m.left <= 0 {
		return guild.Granted{Over: guild.SpendCap}, m.fails
	}
	return guild.Granted{Turns: min(b.Turns, m.left)}, m.fails
}

func (m *meter) Tell(_ context.Context, g string, c chat.ChannelID, e chat.EventID, reason string) (bool, error) {
	key := g + " " + string(c) + " " + reason
	if m.told == nil {
		m.told = map[string]chat.EventID{}
	}
	if m.told[key] == "" {
		m.told[key] = e
	}
	return m.told[key] == e, m.fails
}

// hears is a hold of an event in the guild.
func hears(g, text string, with ...func(*chat.Event)) *chat.Hold {
	e := chat.Event{ID: "9", Guild: g, Text: text}
	for _, f := range with {
		f(&e)
	}
	return &chat.Hold{Channel: "5", Event: e}
}

func TestGuard(t *testing.T) {
	own := &guild.Provider{Name: "own"}
	two := persona.Cast{Personas: cast("mira", "teo").Personas}
	mentioned := func(e *chat.Event) { e.MentionsUs = true }
	direct := func(e *chat.Event) { e.DM = true }
	asked := func(e *chat.Event) { e.Asked = &chat.Asked{} }
	for _, c := range []struct {
		name   string
		opt    Options
		left   int
		place  guild.Place
		h      *chat.Hold
		turns  int
		notice string
		reason string
		caps   guild.Caps // that were charged; none: nothing was
	}{
		{"nothing is restricted", Options{}, 0, guild.Place{}, hears("7", "mira and teo"), 2, "", "", guild.Caps{}},
		{"on the list", Options{Guilds: []string{"6", "7"}}, 0, guild.Place{}, hears("7", "mira"), 2, "", "", guild.Caps{}},
		{"not on the list, called by name", Options{Guilds: []string{"6"}}, 0, guild.Place{}, hears("7", "mira"), 1, guild.NoProvider, guild.NoProvider, guild.Caps{}},
		{"not on the list, mentioned", Options{Guilds: []string{"6"}}, 0, guild.Place{}, hears("7", "hi", mentioned), 1, guild.NoProvider, guild.NoProvider, guild.Caps{}},
		{"not on the list, by a command", Options{Guilds: []string{"6"}}, 0, guild.Place{}, hears("7", "", asked), 1, guild.NoProvider, guild.NoProvider, guild.Caps{}},
		{"not on the list, where all is answered", Options{Guilds: []string{"6"}}, 0, guild.Place{}, hears("7", "hi"), 0, "", guild.NoProvider, guild.Caps{}},
		{"not on the list, with its own provider", Options{Guilds: []string{"6"}, Daily: 1, GuildDaily: 1}, 0, guild.Place{Provider: own}, hears("7", "mira"), 2, "", "", guild.Caps{}},
		{"a direct message, with a list", Options{Guilds: []string{"6"}}, 0, guild.Place{}, hears("", "hi", direct), 1, guild.NoProvider, guild.NoProvider, guild.Caps{}},
		{"a direct message on the list", Options{Guilds: []string{"6", "dm"}}, 0, guild.Place{}, hears("", "hi", direct), 2, "", "", guild.Caps{}},
		{"below the operator's caps", Options{Daily: 9, GuildDaily: 4}, 9, guild.Place{}, hears("7", "mira"), 2, "", "", guild.Caps{Operator: 9, OperatorGuild: 4}},
		{"as many as are left", Options{Daily: 9}, 1, guild.Place{}, hears("7", "mira"), 1, "", "", guild.Caps{Operator: 9}},
		{"at the cap", Options{Daily: 9}, 0, guild.Place{}, hears("7", "mira"), 1, guild.SpendCap, guild.SpendCap, guild.Caps{Operator: 9}},
		{"at the cap, not addressed", Options{Daily: 9}, 0, guild.Place{}, hears("7", "hi"), 0, "", guild.SpendCap, guild.Caps{Operator: 9}},
		{"its own limit counts on its own provider", Options{Daily: 9}, 5, guild.Place{Provider: own, Limits: guild.Limits{Daily: 3}}, hears("7", "mira"), 2, "", "", guild.Caps{Guild: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &meter{left: c.left}
			c.place.Cast = two
			p := &Planner{meter: m, opt: c.opt}
			got, reason, err := p.guard(t.Context(), c.h, c.place, turns(two, two.Personas...))
			if err != nil || len(got) != c.turns || reason != c.reason || len(got) > 0 && got[0].Notice != c.notice {
				t.Errorf("%+v, %q, %v", got, reason, err)
			}
			for _, turn := range got {
				if want := c.place.Provider != nil && c.opt.restricts("7"); turn.Own != want {
					t.Errorf("of the guild's provider alone: %t, want %t", turn.Own, want)
				}
			}
			if charged := len(m.bills) > 0; charged != (c.caps != guild.Caps{}) || charged && (m.bills[0].Caps != c.caps || m.bills[0].Turns != 2) {
				t.Errorf("charged %+v", m.bills)
			}
		})
	}
}

func TestGuardSaysItOnce(t *testing.T) {
	m := &meter{}
	p := &Planner{meter: m, opt: Options{Daily: 1}}
	place := guild.Place{Cast: cast("mira", "teo")}
	said := func(id chat.EventID) int {
		h := hears("7", "mira?")
		h.Event.ID = id
		got, _, err := p.guard(t.Context(), h, place, turns(place.Cast, place.Personas[0]))
		if err != nil {
			t.Fatal(err)
		}
		return len(got)
	}
	if said("1") != 1 || said("2") != 0 || said("1") != 1 {
		t.Error("it is said for another event too, or for the first one only before its worker died")
	}
	m.fails = errors.New("throttled")
	if _, _, err := p.guard(t.Context(), hears("7", "mira"), place, turns(place.Cast, place.Personas[0])); err == nil {
		t.Error("what cannot be counted must be tried again")
	}
}
