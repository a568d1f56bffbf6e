package command_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func TestAnotherBecomesMain(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona main", "persona", "quill")
	p.reads("**Quill** is the main persona now", "**Mira** was main before")
	p.lives("Mira", "Fenn", "Quill*")
	if p.again(); !strings.Contains(p.sees.Text, "**Mira** was main before") || len(p.book.noted("1")) != 1 {
		t.Errorf("once more it says %q", p.sees.Text)
	}
	p.uses("persona main", "persona", "quill")
	p.reads("set like this already")
	p.uses("persona list")
	p.chooses("fenn")
	make := p.press("Make main")
	p.book.faster = func() {
		p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Personas[0].Main, s.Personas[2].Main = true, false })
	}
	p.does(make)
	p.reads("**Fenn** is the main persona now", "**Mira** was main before") // by the time it was changed
	p.lives("Mira", "Fenn*", "Quill")
	for _, b := range p.sees.Rows[0].Buttons {
		if b.Label == "Make main" && !b.Off {
			t.Error("the main one can be made main")
		}
	}
}

func TestAPersonaAnswersInAChannel(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona assign", "persona", "fenn", "channel", "8")
	p.reads("**Fenn** answers in <#8>", "(was **Mira**)", "when I am addressed")
	if p.book.in("1", "8").Host != "fenn" || p.book.in("1", "8").Always || p.book.is("1").Own {
		t.Errorf("set %+v, %+v", p.book.in("1", "8"), p.book.is("1"))
	}
	p.uses("persona assign", "persona", "quill", "channel", "8", "always", "true")
	p.reads("**Quill** answers in <#8>", "(was **Fenn**)", "Every message is answered", "(Before, only when")
	first := p.sees.Text
	did := p.did
	p.uses("persona assign", "persona", "quill", "channel", "8", "always", "false")
	p.reads("as before", "when I am addressed", "(Before, every message")
	if p.does(did); p.sees.Text != first || p.book.in("1", "8").Always {
		t.Errorf("once more it says %q", p.sees.Text)
	}
	p.uses("persona assign", "persona", "quill", "channel", "8")
	p.reads("set like this already")
	p.uses("persona assign", "persona", "quill")
	p.reads("answers in <#7>")
	place, err := p.book.Place(t.Context(), "1", "7")
	if who, _ := place.Answers(); err != nil || who.ID != "quill" {
		t.Errorf("in channel 7 answers %+v, %v", who, err)
	}
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = []chat.ChannelID{"9"} })
	p.who.BotMay, p.who.Thread = chat.ViewChannel|chat.SendMessages|chat.ReadHistory, true
	p.uses("persona assign", "persona", "fenn")
	p.reads("not on the whitelist", "This is a thread", "its role lacks Send Messages in Threads")
	if c := p.book.noted("1")[0]; p.book.is("1").Own || c.On != "Fenn" || c.In != "7" || c.Was != "addressed: Quill" || c.Is != "addressed: Fenn" {
		t.Errorf("noted %+v", c)
	}
}

func TestAPersonaIsDeleted(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "8", func(_ *guild.Settings, c *guild.Channel) { c.Host = "fenn" })
	p.edits("fenn", func(*persona.Persona) {})() // who has a picture is the server's own
	if err := p.book.SaveFace(t.Context(), "1", "fenn", []byte("face")); err != nil {
		t.Fatal(err)
	}
	p.uses("persona delete", "persona", "fenn")
	p.reads("Delete **Fenn** for good?", "its card of ", "its lore", "fenn, ferryman", "**Mira** will answer")
	ask := *p
	p.presses("Keep it")
	p.reads("Nothing was changed")
	p.sees = ask.sees
	p.presses("Delete Fenn")
	p.reads("**Fenn** is deleted.", "(2 of 20)")
	p.lives("Mira*", "Quill")
	if p.again(); !strings.Contains(p.sees.Text, "**Fenn** is deleted.") {
		t.Errorf("once more it says %q", p.sees.Text)
	}
	if face, err := p.book.Face(t.Context(), "1", "fenn"); err != nil || face != nil {
		t.Errorf("its picture is %q, %v", face, err)
	}
	place, err := p.book.Place(t.Context(), "1", "8")
	if who, ok := place.Answers(); err != nil || !ok || who.Name != "Mira" {
		t.Errorf("its channel is answered by %+v, %v", who, err)
	}

	p.uses("persona delete", "persona", "mira")
	p.reads("Who is to be main in its place?")
	p.chooses("quill")
	p.reads("Delete **Mira** for good?", "**Quill** becomes the main persona")
	p.presses("Delete Mira")
	p.reads("**Mira** is deleted.", "**Quill** is the main persona now")
	p.lives("Quill*")
	p.uses("persona delete", "persona", "quill")
	p.reads("Nobody would live here then")
	p.presses("Delete Quill")
	p.reads("**Quill** is deleted.", "Nobody lives in this server")
	if s := p.book.is("1"); !s.Own || len(s.Personas) != 0 || len(p.book.is("").Personas) != 3 {
		t.Errorf("left are %+v", s)
	}
}

func TestTheOneToBeDeletedBecomesMain(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona delete", "persona", "fenn")
	sure := p.press("Delete Fenn")
	p.uses("persona main", "persona", "fenn")
	p.does(sure)
	p.reads("**Fenn** is the main persona by now")
	p.lives("Mira", "Fenn*", "Quill")
}

func TestDialoguesGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(26 * 365 * 24 * time.Hour) // a bubble begins before Discord did
		p := newHouse(t).admin()
		p.uses("persona delete", "persona", "fenn")
		sure := p.press("Delete Fenn")
		p.uses("persona list")
		p.presses("New persona")
		form := p.fill("name", "mira", "description", "mine")
		time.Sleep(14 * time.Minute)
		p.does(form)
		p.reads("lives here already")
		time.Sleep(10 * time.Minute) // the message is old by now, but not what was written
		again := p.press("Correct it")
		p.does(again)
		if p.sees.Modal == nil || p.sees.Modal.Fields[1].Value != "mine" {
			t.Errorf("what was written is lost: %+v", p.sees)
		}
		for _, i := range []chat.Interaction{sure, again} {
			time.Sleep(5*time.Minute + time.Second)
			i.ID = chat.EventID(p.id())
			if a := p.does(i); !strings.Contains(a.Text, "too old") && !strings.Contains(a.Text, "not kept any more") {
				t.Errorf("it says %+v", a)
			}
		}
		odd := sure
		odd.CustomID, odd.Message = strings.Replace(sure.CustomID, "fenn", "nobody", 1), chat.MessageID(p.id())
		if p.does(odd); !strings.Contains(p.sees.Text, "does not live here") {
			t.Errorf("of nobody it says %q", p.sees.Text)
		}
		p.lives()
	})
}

func TestCustomIDsThatWereMadeUp(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("persona edit", "persona", "fenn")
	save := p.fill("name", "Fen")
	for _, path := range []string{"persona list", "persona create", "persona edit", "persona triggers", "persona main", "persona assign", "persona delete", "persona avatar"} {
		for _, step := range []string{"list", "show", "face", "new", "made", "again", "open", "save", "make", "heir", "ask", "sure", "keep", ""} {
			for _, args := range []string{"", "|", "|fenn", "|fenn|card", "|fenn|nothing|a.b", "|fenn|card|-.-.-.-.-", "|x|y|z|1|2|3", "|-1", "|99999999999999999999"} {
				for _, kind := range []chat.InteractionKind{chat.UsedComponent, chat.SentModal} {
					i := save
					i.Kind, i.ID, i.Message = kind, chat.EventID(p.id()), chat.MessageID(p.id())
					i.CustomID = strings.Replace("1|"+path+"|"+step+"|"+strings.Split(save.CustomID, "|")[3]+args, "||", "|", 1)
					before := p.book.is("1").Personas
					p.does(i)
					if after := p.book.is("1").Personas; step != "sure" && step != "make" && len(before) > 0 && len(after) < len(before) {
						t.Fatalf("%q deletes somebody", i.CustomID)
					}
				}
			}
		}
	}
	for _, who := range p.book.is("1").Personas {
		if err := who.Validate(); err != nil || who.ID == persona.Demos()[0].ID && who.Name != "Mira" {
			t.Errorf("somebody became %+v, %v", who, err)
		}
	}
}
