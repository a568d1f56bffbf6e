package command_test

import (
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// lives fails unless these personas live in the server, in the order in which they were made; the main one has a star.
func (p *person) lives(want ...string) {
	p.t.Helper()
	var got []string
	for _, who := range p.book.is(p.who.Guild).Personas {
		if who.Main {
			who.Name += "*"
		}
		got = append(got, who.Name)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("there live %q, want %q", got, want)
	}
}

func named(p *person, name string) persona.Persona {
	p.t.Helper()
	who, ok := p.book.is(p.who.Guild).PersonaNamed(name)
	if !ok {
		p.t.Fatalf("no %q lives here", name)
	}
	return who
}

func TestPersonasAreListedAndLookedAt(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "8", func(_ *guild.Settings, c *guild.Channel) { c.Host = "fenn" })
	p.uses("persona list")
	p.reads("**Mira** · main · called by mira, lamplighter, ミラ", "**Fenn** · alter · called by fenn, ferryman · answers in <#8>", "(3 of 20)", "installation's own")
	p.chooses("fenn")
	p.reads("**Fenn** · alter", "with its own name and picture", "Called by: fenn, ferryman", "<#8>", "Description ", "Lore: ")
	if p.book.is("1").Own || len(p.book.noted("1")) != 1 {
		t.Error("looking changed something")
	}
	p.presses("Everybody")
	p.reads("(3 of 20)")

	empty := newHouse(t).admin()
	empty.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Own = true })
	empty.uses("persona list")
	empty.reads("Nobody lives in this server")
	empty.presses("New persona")
	empty.fills("name", "Ada", "description", "A fox.")
	empty.lives("Ada*")
	empty.reads("**Ada** lives here now.", "main")
}

func TestAPersonaIsCreated(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona create")
	p.fills("name", " Ada  the\nFox ", "description", "A fox.\r\n", "personality", "Sly.", "greeting", "Oh! You.")
	p.reads("**Ada the Fox** lives here now.", "alter", "Called by: Ada the Fox", "Description 6 characters · Personality 4 characters · Greeting 8 characters")
	p.lives("Mira*", "Fenn", "Quill", "Ada the Fox")
	ada := named(p, "ada the fox")
	if ada.Description != "A fox." || ada.FirstMessage != "Oh! You." || len(ada.ID) > 20 || ada.Main || fmt.Sprint(ada.Triggers) != "[Ada the Fox]" {
		t.Errorf("made %+v", ada)
	}
	first := p.sees.Text
	p.again()
	if p.lives("Mira*", "Fenn", "Quill", "Ada the Fox"); p.sees.Text != first {
		t.Errorf("once more it says %q, not %q", p.sees.Text, first)
	}
	if c := p.book.noted("1")[0]; c.By != p.who.User || c.What != "persona create" || c.On != "Ada the Fox" || c.At.IsZero() || len(p.book.noted("1")) != 1 {
		t.Errorf("noted %+v", p.book.noted("1"))
	}

	p.uses("persona create", "main", "true")
	p.fills("name", "Bo", "description", "An owl.", "triggers", "bo, owl\n 梟 、Bo")
	p.reads("**Bo** lives here now. **Mira** was main before and is an alter now", "Called by: bo, owl, 梟")
	p.lives("Mira", "Fenn", "Quill", "Ada the Fox", "Bo*")
	p.uses("persona list")
	if i, j := strings.Index(p.sees.Text, "**Bo** · main"), strings.Index(p.sees.Text, "**Mira** · alter"); i < 0 || j < i || strings.Contains(p.sees.Text, "installation") {
		t.Errorf("the main one is not first: %q", p.sees.Text)
	}
}

func TestAFormThatIsRefusedLosesNothing(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona create", "main", "true")
	p.fills("name", "mira ", "description", " ", "personality", "`sly` @everyone", "triggers", "Ferryman\nx\n"+strings.Repeat("y", 101)+"\n!!\n<@&5>\nOK")
	p.reads("cannot take this", "**Mira** lives here already", "Description: say who", "Ferryman: it calls **Fenn** already", "- x: it would call", "101 characters are too many", "- !!: it would")
	if strings.Contains(p.sees.Text, "OK:") || strings.Contains(p.sees.Text, "5") || p.book.is("1").Own {
		t.Errorf("it says %q", p.sees.Text)
	}
	another := *p
	another.who.User = "21"
	if a := another.does(func() chat.Interaction { i := p.press("Correct it"); i.User = "21"; return i }()); !strings.Contains(a.Text, "somebody else") {
		t.Errorf("another opens it: %+v", a)
	}
	p.presses("Correct it")
	fields := map[string]string{}
	for _, f := range p.sees.Modal.Fields {
		fields[f.ID] = f.Value
	}
	if fields["name"] != "mira " || fields["personality"] != "`sly` @everyone" || !strings.HasPrefix(fields["triggers"], "Ferryman") {
		t.Errorf("reopened with %q", fields)
	}
	p.fills("name", "Miro", "description", "A heron.", "triggers", "miro")
	p.reads("**Miro** lives here now. **Mira** was main before")
	p.lives("Mira", "Fenn", "Quill", "Miro*")
	if named(p, "miro").Personality != "`sly` @everyone" {
		t.Error("what was right before was lost")
	}
}

func TestThereIsRoomForTwenty(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
		s.Own = true
		for n := range 19 {
			s.Personas = append(s.Personas, persona.Persona{ID: fmt.Sprint("long-identifier-of-a-persona-that-was-imported-from-elsewhere-", n), Name: strings.Repeat("*@👩‍👩‍👧", 10) + fmt.Sprint(n), Main: n == 0})
		}
	})
	p.uses("persona create")
	form := p.fill("name", "Twenty", "description", "The last one.")
	p.book.faster = func() {
		p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
			s.Personas = append(s.Personas, persona.Persona{ID: "faster", Name: "Faster"})
		})
	}
	p.does(form)
	p.reads("No more than 20 personas")
	p.presses("Correct it") // what was written waits until somebody was deleted
	p.uses("persona create")
	p.reads("No more than 20 personas")
	p.uses("persona list")
	p.reads("(20 of 20)", "more") // not all fit into one message
	p.chooses(p.sees.Rows[0].Menu.Items[19].Value)
	p.reads("**Faster**")
	p.uses("persona delete", "persona", p.book.is("1").Personas[1].ID)
	p.presses(p.sees.Rows[0].Buttons[0].Label)
	p.reads("is deleted", "(19 of 20)")
}

func TestNamesHaveNoPower(t *testing.T) {
	for _, name := range []string{"**Ada**", "@everyone", "<@1>", "`a`", "[x](https://evil.example)", "\u202eadA", "שרה", "🦊", "a\u200bda", "# Ada", "~x", strings.Repeat("語", 80), "|| _", "1. Ada"} {
		p := newHouse(t).admin()
		p.uses("persona create")
		p.fills("name", name, "description", "x", "triggers", "someword")
		p.reads("lives here now")
		for _, path := range []string{"persona list", "persona edit", "persona triggers", "persona main", "persona assign", "persona delete", "persona avatar"} {
			var options []string
			if path != "persona list" {
				options = []string{"persona", name}
			}
			p.uses(path, options...)
			text := p.sees.Text
			for _, bad := range []string{"@everyone", " <@", "**<@", "**Ada****", "`a`", "](https:", "\u202e", "\u200bda"} {
				if strings.Contains(text, bad) {
					t.Errorf("/%s shows %q of %q: %q", path, bad, name, text)
				}
			}
		}
	}
}

func TestNamesAreCompleted(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
		s.Own = true
		for n, name := range []string{"Old Mira", "MIRA", "ミラ ガ", "Éclair", "Ｗｉｄｅ"} {
			s.Personas = append(s.Personas, persona.Persona{ID: fmt.Sprint("p", n), Name: name, Main: n == 0})
		}
	})
	for typed, want := range map[string]string{"": "[p0 p1 p2 p3 p4]", "mir": "[p1 p0]", " Mira ": "[p1 p0]", "ﾐﾗ": "[p2]", "ﾐﾗ ｶﾞ": "[p2]", "éc": "[p3]", "wide": "[p4]", "ｍｉｒａ": "[p1 p0]", "zz": "[]"} {
		var got []string
		for _, c := range p.types("persona delete", "persona", typed) {
			got = append(got, c.Value)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q is completed to %v, want %s", typed, got, want)
		}
	}
	member := newHouse(t).admin()
	member.who.May = 0
	if got := member.types("persona delete", "persona", ""); got != nil {
		t.Errorf("a member is offered %v", got)
	}
	p.uses("persona delete", "persona", "mira")
	p.reads("Delete **MIRA** for good?")
	p.uses("persona delete", "persona", "nobody *at all*")
	p.reads(`Nobody called **nobody \*at all\*** lives here`)
}

func TestWhoMayNotChangesNobody(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona delete", "persona", "fenn")
	sure := p.press("Delete Fenn")
	p.uses("persona create")
	made := p.fill("name", "Ada", "description", "x")
	p.uses("persona list")
	show := p.choose("fenn")
	for what, i := range map[string]chat.Interaction{"button": sure, "form": made, "menu": show, "command": p.command("persona main", "persona", "fenn")} {
		i.May = chat.ManageMessages
		if a := p.does(i); !strings.Contains(a.Text, "Manage Server") {
			t.Errorf("%s: a member reads %+v", what, a)
		}
		i.Guild, i.May = "", 0
		if a := p.does(i); !strings.Contains(a.Text, "servers only") {
			t.Errorf("%s: in a direct message one reads %+v", what, a)
		}
	}
	if len(p.book.noted("1")) != 0 {
		t.Error("something was changed")
	}
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Admins = []string{"77"} })
	sure.May, sure.Roles = 0, []string{"5", "77"}
	if a := p.does(sure); !strings.Contains(a.Text, "**Fenn** is deleted") {
		t.Errorf("who has a role of the admins reads %+v", a)
	}
}

func TestWhatIsTooMuchLosesNothing(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
		s.Own = true
		for n := range 5 {
			s.Personas = append(s.Personas, persona.Persona{ID: fmt.Sprint("p", n), Name: fmt.Sprint("P", n), Main: n == 0, Description: strings.Repeat("x", persona.MaxText)})
		}
	})
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Personas[0].Personality = strings.Repeat("x", 22_000) })
	p.uses("persona create")
	p.fills("name", "Ada", "description", strings.Repeat("語", 4000), "greeting", "Hi.")
	p.reads("no room for this")
	p.presses("Correct it")
	if got := p.sees.Modal.Fields[1].Value; len(got) != 12_000 {
		t.Errorf("%d bytes are kept", len(got))
	}
	p.fills("description", "short")
	p.reads("**Ada** lives here now")
}

func TestAStoreThatIsAwayIsTold(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona create")
	form := p.fill("name", "Ada", "description", "x")
	p.book.away = true
	for _, i := range []chat.Interaction{form, p.command("persona list"), p.command("persona main", "persona", "fenn")} {
		if a := p.does(i); !strings.Contains(a.Text, "try again") || strings.Contains(a.Text, errAway.Error()) {
			t.Errorf("it says %q", a.Text)
		}
	}
}
