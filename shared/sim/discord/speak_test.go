package discord_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestPeopleAreHeldToRulesToo: a person who may not speak cannot, whatever the test wants.
func TestPeopleAreHeldToRulesToo(t *testing.T) {
	text := func(content string) simdiscord.Saying { return simdiscord.Saying{Author: "ben", Content: content} }
	for name, c := range map[string]struct {
		set  func(*world)
		say  simdiscord.Saying
		code string // "" where it is said
	}{
		"nothing in the way": {func(*world) {}, text("x"), ""},
		"may not send":       {func(w *world) { w.deny("hall", "@everyone", "SEND_MESSAGES") }, text("x"), "50013"},
		"may not see":        {func(w *world) { w.deny("hall", "ben", "VIEW_CHANNEL") }, text("x"), "50001"},
		"has left":           {func(w *world) { w.must(w.Leave("", "ben")) }, text("x"), "50001"},
		"came back":          {func(w *world) { w.must(w.Leave("", "ben")); w.must(w.Join("", "ben")) }, text("x"), ""},
		"is timed out":       {func(w *world) { n := 60; w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Timeout: &n})) }, text("x"), "50013"},
		"the system speaks":  {func(w *world) { w.deny("hall", "@everyone", "SEND_MESSAGES") }, simdiscord.Saying{Author: "ben", Type: 7}, ""},
		"may not attach":     {func(w *world) { w.deny("hall", "@everyone", "ATTACH_FILES") }, simdiscord.Saying{Author: "ben", Attachments: []simdiscord.Attachment{{Filename: "a"}}}, "50013"},
		"in a forum":         {func(w *world) { w.room(simdiscord.ChannelSpec{Name: "hall2", Type: 15}) }, text("x"), "40058"},
		"within the slowmode": {func(w *world) {
			n := 10
			_, err := w.ChangeChannel("hall", simdiscord.ChannelChange{Slowmode: &n})
			w.must(err)
			w.Say("hall", "ben", "1")
		}, text("x"), "20016"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{})
			c.set(w)
			where := "hall"
			if w.State().Channel("hall2") != "" {
				where = "hall2"
			}
			_, err := w.Post(where, c.say)
			if c.code == "" && err != nil || c.code != "" && (!errors.Is(err, simdiscord.ErrRefused) || !strings.Contains(err.Error(), c.code)) {
				t.Errorf("%v, want %q", err, c.code)
			}
		})
	}
}

// room makes a channel and returns its id.
func (w *world) room(spec simdiscord.ChannelSpec) string {
	w.t.Helper()
	made, err := w.CreateChannel(spec)
	w.must(err)
	return made.ID
}

// TestSlowmode: a person waits, one who manages messages, another bot and the bot under test do not.
func TestSlowmode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := direct(t, simdiscord.Options{})
		seconds := 30
		if _, err := s.ChangeChannel("hall", simdiscord.ChannelChange{Slowmode: &seconds}); err != nil {
			t.Fatal(err)
		}
		said := func(who string) bool {
			_, err := s.Post("hall", simdiscord.Saying{Author: who, Content: "x"})
			return err == nil
		}
		for _, who := range []string{"ana", "ana", "clockwork", "clockwork"} { // ana owns the guild
			if !said(who) {
				t.Errorf("%s had to wait", who)
			}
		}
		if !said("ben") || said("ben") || !said("chiyo") {
			t.Error("ben did not wait, or chiyo had to")
		}
		time.Sleep(29 * time.Second)
		if said("ben") {
			t.Error("ben waited 29 s of 30")
		}
		time.Sleep(time.Second)
		if !said("ben") {
			t.Error("ben waited 30 s for nothing")
		}
	})
}

// TestEditsOfOldMessages: those older than an hour have a limit of their own, which comes as a 429 with code 30046.
func TestEditsOfOldMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{OldEdits: 2})
		hall := w.State().Hall
		edit := func(id string, n int) answer {
			time.Sleep(1500 * time.Millisecond)
			return w.rest("PATCH", messages(hall)+"/"+id, fmt.Sprintf(`{"content":"%d"}`, n))
		}
		old := w.rest("POST", messages(hall), `{"content":"0"}`).id()
		time.Sleep(time.Hour)
		young := w.rest("POST", messages(hall), `{"content":"0"}`).id()
		for n := range 2 {
			if a := edit(old, n); a.status != 200 {
				t.Fatalf("edit %d: %d %s", n, a.status, a.text)
			}
		}
		third := edit(old, 3)
		third.denied(t, 429, 30046)
		if third.field("retry_after") != "17" || third.field("global") != "false" {
			t.Errorf("when to come again: %s", third.text)
		}
		if a := edit(young, 1); a.status != 200 {
			t.Errorf("a young message: %d", a.status)
		}
		time.Sleep(20 * time.Second)
		if a := edit(old, 4); a.status != 200 {
			t.Errorf("after the wait: %d %s", a.status, a.text)
		}
	})
}

// TestNotEveryChannelTakesMessages: each kind says it with Discord's own code.
func TestNotEveryChannelTakesMessages(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	for kind, want := range map[int]struct{ send, read int }{
		0: {200, 200}, 2: {200, 200}, 5: {200, 200}, 4: {50008, 50024}, 15: {40058, 50024}, 16: {40058, 50024},
	} {
		id := w.room(simdiscord.ChannelSpec{Name: fmt.Sprint("kind", kind), Type: kind})
		got := func(a answer) string {
			if a.status == 200 {
				return "200"
			}
			return a.field("code")
		}
		if a := w.rest("POST", messages(id), `{"content":"x"}`); got(a) != fmt.Sprint(want.send) {
			t.Errorf("type %d: send %s", kind, a.text)
		}
		if a := w.rest("GET", messages(id), ""); got(a) != fmt.Sprint(want.read) {
			t.Errorf("type %d: read %s", kind, a.text)
		}
	}
}
