package command_test

import (
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// edits changes a persona of the server behind everybody's back.
func (p *person) edits(id string, edit func(*persona.Persona)) func() {
	return func() {
		p.t.Helper()
		p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
			if !s.Own {
				s.Own, s.Personas = true, persona.Demos()
			}
			for n := range s.Personas {
				if s.Personas[n].ID == id {
					edit(&s.Personas[n])
				}
			}
		})
	}
}

func TestACardIsEdited(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona edit", "persona", "fenn")
	p.fills("name", "Old Fenn, the brave", "scenario", "On the ferry.", "greeting", "")
	p.reads("**Old Fenn, the brave** is changed.", "Name: **Old Fenn, the brave** (was **Fenn**)", "Scenario: 13 characters (was ", "Greeting: 0 characters (was ")
	if strings.Contains(p.sees.Text, "Description:") {
		t.Errorf("what stayed is told: %q", p.sees.Text)
	}
	first := p.sees.Text
	if p.again(); p.sees.Text != first {
		t.Errorf("once more it says %q", p.sees.Text)
	}
	p.lives("Mira*", "Old Fenn, the brave", "Quill")
	fenn, demo := named(p, "old fenn, the brave"), persona.Demos()[1]
	if fenn.ID != "fenn" || fenn.Scenario != "On the ferry." || fenn.FirstMessage != "" || fenn.Description != demo.Description || len(fenn.Lore) != len(demo.Lore) {
		t.Errorf("edited to %+v", fenn)
	}
	if in := p.book.is("").Personas[1]; in.Name != "Fenn" {
		t.Errorf("the installation's own one is changed: %+v", in)
	}
	p.presses("Edit")
	p.fills()
	p.reads("set like this already")
	p.uses("persona edit", "persona", "fenn", "part", "instructions")
	p.fills("after", "Be brief.")
	p.reads("Instructions after the history: 9 characters (was ")
	if named(p, "old fenn, the brave").PostHistory != "Be brief." {
		t.Error("it was not kept")
	}
	p.presses("Instructions")
	p.fills("system", "Say nothing.")
	p.reads("System prompt: 12 characters (was 0)")
	p.presses("Edit")
	p.fills("name", "MIRA", "personality", "kept")
	p.reads("**Mira** lives here already")
	p.presses("Correct it")
	p.fills("name", "Fenn")
	p.reads("Name: **Fenn** (was **Old Fenn, the brave**)", "Personality: 4 characters")
	if c := p.book.noted("1")[0]; !strings.HasSuffix(c.Is, "name Fenn") || strings.Contains(c.Is, "kept") || c.What != "persona edit" {
		t.Errorf("noted %+v", c)
	}
}

func TestTwoAdminsEditOnePersona(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona edit", "persona", "fenn")
	form := p.fill("description", "Mine.", "personality", "Mine.")
	p.edits("fenn", func(f *persona.Persona) { f.Description, f.Scenario = "Theirs.", "Theirs." })()
	p.did.Kind = chat.UsedCommand
	p.does(form)
	p.reads("Description: somebody else has changed it")
	if strings.Contains(p.sees.Text, "Personality:") || strings.Contains(p.sees.Text, "Scenario:") {
		t.Errorf("it says %q", p.sees.Text)
	}
	p.presses("Correct it")
	if got := p.sees.Modal.Fields; got[1].Value != "Mine." || got[2].Value != "Mine." || got[3].Value != "Theirs." {
		t.Errorf("reopened with %+v", got)
	}
	p.fills()
	p.reads("Description: 5 characters (was 7)")
	if f := named(p, "fenn"); f.Description != "Mine." || f.Personality != "Mine." || f.Scenario != "Theirs." {
		t.Errorf("in the end it is %+v", f)
	}

	// The same in the moment of the change itself.
	p.presses("Edit")
	form = p.fill("greeting", "Mine.")
	p.book.faster = p.edits("fenn", func(f *persona.Persona) { f.Scenario, f.FirstMessage = "Theirs again.", "Theirs." })
	p.does(form)
	p.reads("Greeting: somebody else has changed it")
	p.edits("fenn", func(f *persona.Persona) { f.FirstMessage = "Mine." })()
	p.does(form)
	p.reads("set like this already") // they wrote the same
}

func TestWhatNoFormCanHoldStays(t *testing.T) {
	p := newHouse(t).admin()
	long := strings.Repeat("語", 4001)
	p.edits("fenn", func(f *persona.Persona) { f.Description = long })()
	p.uses("persona edit", "persona", "fenn")
	if got := len(p.sees.Modal.Fields); got != 4 {
		t.Fatalf("%d fields", got)
	}
	p.fills("personality", "Short.")
	p.reads("Personality: 6 characters", "Left out of the form, and kept as it is", "4000 characters: Description.")
	if f := named(p, "fenn"); f.Description != long || f.Personality != "Short." {
		t.Error("the long text was not kept")
	}
	p.edits("fenn", func(f *persona.Persona) { f.SystemPrompt, f.PostHistory = long, long })()
	p.presses("Instructions")
	p.reads("System prompt, Instructions after the history")
}

func TestTriggersAreChanged(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona triggers", "persona", "Fenn")
	if v := p.sees.Modal.Fields[0].Value; v != "fenn\nferryman" {
		t.Errorf("opened with %q", v)
	}
	p.fills("triggers", "fenn, ロー, 🦊\nOld *Fenn*")
	p.reads(`**Fenn** is called by fenn, ロー, 🦊, Old \*Fenn\* (was fenn, ferryman)`, "Called by: fenn, ロー")
	p.presses("Triggers")
	p.fills("triggers", "mira")
	p.reads("mira: it calls **Mira** already")
	p.presses("Correct it")
	p.fills("triggers", strings.Join(strings.Split("abcdefghijk", ""), "1,")+"1")
	p.reads("11 words are too many")
	p.presses("Correct it")
	form := p.fill("triggers", "boat")
	p.book.faster = p.edits("fenn", func(f *persona.Persona) { f.Triggers = []string{"oar"} })
	p.does(form)
	p.reads("Triggers: somebody else has changed it")
	p.presses("Correct it")
	p.fills()
	p.reads("called by boat (was oar)")
	p.presses("Triggers")
	p.fills("triggers", " \n,")
	p.reads("is called by nothing (was boat)", "No word calls it")
	p.presses("Triggers")
	form = p.fill("triggers", "oar")
	p.edits("mira", func(m *persona.Persona) { m.Triggers = []string{"OAR"} })()
	p.does(form)
	p.reads("oar: it calls **Mira** already")
}

func TestAPersonaIsGoneMeanwhile(t *testing.T) {
	for step, open := range map[string]func(p *person) chat.Interaction{
		"save": func(p *person) chat.Interaction {
			p.uses("persona edit", "persona", "fenn")
			return p.fill("name", "Fen")
		},
		"triggers": func(p *person) chat.Interaction {
			p.uses("persona triggers", "persona", "fenn")
			return p.fill("triggers", "oar")
		},
		"delete": func(p *person) chat.Interaction {
			p.uses("persona delete", "persona", "fenn")
			return p.press("Delete Fenn")
		},
		"heir": func(p *person) chat.Interaction { p.uses("persona delete", "persona", "mira"); return p.choose("fenn") },
		"the heirs": func(p *person) chat.Interaction {
			p.uses("persona delete", "persona", "mira")
			p.chooses("fenn")
			return p.press("Delete Mira")
		},
		"show": func(p *person) chat.Interaction { p.uses("persona list"); return p.choose("fenn") },
		"edit": func(p *person) chat.Interaction { p.uses("persona list"); p.chooses("fenn"); return p.press("Edit") },
		"main": func(p *person) chat.Interaction {
			p.uses("persona list")
			p.chooses("fenn")
			return p.press("Make main")
		},
		"face": func(p *person) chat.Interaction { p.uses("persona list"); p.chooses("fenn"); return p.press("Picture") },
		"again": func(p *person) chat.Interaction {
			p.uses("persona edit", "persona", "fenn")
			p.fills("name", "Mira")
			return p.press("Correct it")
		},
	} {
		p := newHouse(t).admin()
		i := open(p)
		before := len(p.book.noted("1"))
		p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
			s.Own, s.Personas = true, append(persona.Demos()[:1:1], persona.Demos()[2])
		})
		a := p.does(i)
		if said := strings.Contains(a.Text, "does not live here any more") || step == "the heirs" && strings.Contains(a.Text, "is the main persona by now"); !said || len(p.book.noted("1")) != before+1 {
			t.Errorf("%s: it says %q, and %d changes are noted", step, a.Text, len(p.book.noted("1")))
		}
		p.lives("Mira*", "Quill")
	}
}

func TestDialoguesInEveryLanguage(t *testing.T) {
	for _, language := range []string{"en-GB", "ja", "fr"} {
		for _, name := range []string{strings.Repeat("W", 80), strings.Repeat("👩‍👩‍👧", 16), strings.Repeat("*", 80)} {
			p := newHouse(t).admin()
			p.who.Locale = language
			id := strings.Repeat("long-id-", 8) // as long as any, of a card from elsewhere
			p.book.set("1", "7", func(s *guild.Settings, c *guild.Channel) {
				s.Own, s.Language, c.Host = true, "ja", id
				s.Personas = []persona.Persona{{ID: id, Name: name, Main: true, Lore: persona.Demos()[0].Lore}}
				for n := range guild.MaxTriggers {
					s.Personas[0].Triggers = append(s.Personas[0].Triggers, fmt.Sprint(n, strings.Repeat("*", 99)))
				}
				for n := range 18 {
					s.Personas = append(s.Personas, persona.Persona{ID: id[:62] + fmt.Sprint(n+10), Name: name[:len(name)/2] + fmt.Sprint(n)})
				}
			})
			ref := func() string { p.uses("persona list"); return p.sees.Rows[0].Menu.Items[0].Value }
			p.chooses(ref())
			for _, row := range p.sees.Rows { // every button of the page, and what they lead to
				for _, b := range row.Buttons {
					if b.Off {
						continue
					}
					i := p.next(chat.UsedComponent)
					i.CustomID, i.Message = b.ID, p.at
					p.does(i)
					if p.sees.Modal != nil {
						last := p.sees.Modal.Fields[len(p.sees.Modal.Fields)-1].ID
						p.fills(last, strings.Repeat("!,", 1900))
					}
				}
			}
			p.uses("persona triggers", "persona", id)
			p.fills("triggers", strings.Repeat("!,？,", 900))
			p.does(pressAny(p)) // Correct it
			p.uses("persona delete", "persona", id)
			p.chooses(p.sees.Rows[0].Menu.Items[3].Value)
			p.does(pressAny(p))
			p.uses("persona create")
			p.fills("name", "Z", "description", "z")
			p.does(pressAny(p))
			p.uses("persona main", "persona", p.book.is("1").Personas[3].ID)
			p.uses("persona assign", "persona", p.book.is("1").Personas[4].ID, "always", "true")
			ja := strings.Contains(p.sees.Text, "答えます")
			if ja != (language != "en-GB") {
				t.Errorf("in %s it says %q", language, p.sees.Text)
			}
		}
	}
}

// pressAny is the use of the first button that can be pressed.
func pressAny(p *person) chat.Interaction {
	p.t.Helper()
	for _, r := range p.sees.Rows {
		for _, b := range r.Buttons {
			if !b.Off {
				return p.press(b.Label)
			}
		}
	}
	p.t.Fatalf("there is no button below %q", p.sees.Text)
	return chat.Interaction{}
}
