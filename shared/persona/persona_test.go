package persona_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tsumugi/shared/persona"
)

func TestDemoIsValidAndCalled(t *testing.T) {
	p := persona.Demo()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hey Mira!", "MIRAAA", "ミラさん"} {
		if _, ok := p.Matches(text); !ok {
			t.Errorf("%q does not call her", text)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		trap string
		edit func(*persona.Persona)
		want string // part of the error; "" for none
	}{
		{"no ID", func(p *persona.Persona) { p.ID = "" }, "id:"},
		{"ID with a key separator", func(p *persona.Persona) { p.ID = "a#b" }, "id:"},
		{"long ID", func(p *persona.Persona) { p.ID = strings.Repeat("a", 65) }, "id:"},
		{"B17 empty name", func(p *persona.Persona) { p.Name = "" }, "name:"},
		{"B17 blank name", func(p *persona.Persona) { p.Name = " \u3000" }, "name:"},
		{"B17 81 runes", func(p *persona.Persona) { p.Name = strings.Repeat("é", 81) }, "81 characters"},
		{"80 runes fit", func(p *persona.Persona) { p.Name = strings.Repeat("é", 80) }, ""},
		{"blanks around do not count", func(p *persona.Persona) { p.Name = " " + strings.Repeat("é", 80) }, ""},
		{"B17 only direction marks", func(p *persona.Persona) { p.Name = "\u200f\u200e" }, "shows nothing"},
		{"B17 only emoji", func(p *persona.Persona) { p.Name = "🌊" }, ""},
		{"line break in the name", func(p *persona.Persona) { p.Name = "Mi\nra" }, "line break"},
		{"broken name", func(p *persona.Persona) { p.Name = "Mi\xffra" }, "UTF-8"},
		{"long description", func(p *persona.Persona) { p.Description = strings.Repeat("a", persona.MaxText+1) }, "description:"},
		{"blank trigger", func(p *persona.Persona) { p.Triggers = []string{"a", " "} }, "trigger 2:"},
		{"long trigger", func(p *persona.Persona) { p.Triggers = []string{strings.Repeat("a", 101)} }, "trigger 1:"},
		{"too many triggers", func(p *persona.Persona) { p.Triggers = strings.Split(strings.Repeat("a,", 50)+"a", ",") }, "triggers: 51"},
	} {
		t.Run(c.trap, func(t *testing.T) {
			p := persona.Demo()
			c.edit(&p)
			err := p.Validate()
			if c.want == "" && err != nil {
				t.Errorf("got %v", err)
			}
			if c.want != "" && (!errors.Is(err, persona.ErrInvalid) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestValidateTellsAllFaults(t *testing.T) {
	err := persona.Persona{Triggers: []string{""}}.Validate()
	for _, want := range []string{"id:", "name:", "trigger 1:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	b, err := json.Marshal(persona.Demo())
	if err != nil {
		t.Fatal(err)
	}
	var back persona.Persona
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, persona.Demo()) {
		t.Errorf("got %+v, %v", back, err)
	}
}
