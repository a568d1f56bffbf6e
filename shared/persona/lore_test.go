package persona_test

import (
	"errors"
	"strings"
	"testing"

	"tsumugi/shared/persona"
)

func TestLoreIsCalledAsTriggersAre(t *testing.T) {
	l := persona.Lore{Keys: []string{"bell", "鐘"}, Text: "It has no rope."}
	for text, want := range map[string]bool{"the BELL rang": true, "a doorbell": false, "belly": false, "鐘が鳴る": true, "": false} {
		if l.Called("nothing here", text) != want {
			t.Errorf("%q: called is not %v", text, want)
		}
	}
	if l.Called() {
		t.Error("called by nothing")
	}
}

func TestLoreIsChecked(t *testing.T) {
	for _, c := range []struct {
		trap, want string
		lore       []persona.Lore
	}{
		{"no text", "lore 1: its text", []persona.Lore{{Keys: []string{"a"}}}},
		{"a book in one entry", "lore 2: 8193 bytes", []persona.Lore{{Keys: []string{"a"}, Text: "b"}, {Keys: []string{"a"}, Text: strings.Repeat("a", 8193)}}},
		{"no key", "lore 1: 0 keys", []persona.Lore{{Text: "b"}}},
		{"a blank key", "lore 1: key 2", []persona.Lore{{Keys: []string{"a", " "}, Text: "b"}}},
		{"broken text", "UTF-8", []persona.Lore{{Keys: []string{"a"}, Text: "b\xff"}}},
		{"too many", "lore: 201 entries", make([]persona.Lore, 201)},
	} {
		p := persona.Demo()
		p.Lore = c.lore
		if err := p.Validate(); !errors.Is(err, persona.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.trap, err)
		}
	}
}

func TestDemosCanLiveTogether(t *testing.T) {
	all := persona.Demos()
	if len(all) != 3 || !all[0].Main || all[0].ID != persona.Demo().ID {
		t.Fatalf("got %d demos", len(all))
	}
	c := persona.Cast{Personas: all}
	for i, p := range all {
		if err := p.Validate(); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
		if (c.Label(p) == "") != (i == 0) {
			t.Errorf("%s has the label %q: only the main persona has the bot's face", p.ID, c.Label(p))
		}
		if called := persona.Order(all, "hello "+p.Name); len(called) != 1 || called[0].ID != p.ID {
			t.Errorf("the name of %s calls %d personas", p.ID, len(called))
		}
	}
}

func TestLabelIsOnlyAName(t *testing.T) {
	c := persona.Cast{Personas: []persona.Persona{{ID: "a", Name: "A", Main: true}}}
	for name, want := range map[string]string{
		"Fenn": "**Fenn**\n", "x_*y*_": "**x\\_\\*y\\*\\_**\n", "@everyone": "**@\u200beveryone**\n", "a\n# b": "**a # b**\n", "<@1>": "**\\<@\u200b1>**\n",
		"[Gift](https://x.example)": "**\\[Gift](https\\://x.example)**\n",
	} {
		if got := c.Label(persona.Persona{ID: "b", Name: name}); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// What a card says of its persona names it; what names nobody is of the world, and may be said aloud (sim/model, about).
func TestDemosSpeakOfThemselvesByName(t *testing.T) {
	for _, p := range persona.Demos() {
		for _, text := range []string{p.Description, p.Personality, p.Scenario, p.PostHistory} {
			if !strings.Contains(text, "{{char}}") {
				t.Errorf("%s: %q does not name its persona", p.ID, text)
			}
		}
		for _, l := range p.Lore {
			if strings.Contains(l.Text, "{{char}}") || strings.Contains(l.Text, p.Name) {
				t.Errorf("%s: lore %q names its persona", p.ID, l.Text)
			}
		}
	}
}
