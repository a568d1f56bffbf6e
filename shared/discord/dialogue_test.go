package discord_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// dialogue is an application behind an endpoint of the simulated Discord. Its answers are set by the test.
type dialogue struct {
	*world
	answer chat.Answer
	asked  chat.Interaction
}

// talk runs the test with an application that has one command, "x".
func talk(t *testing.T, test func(*testing.T, *dialogue)) {
	t.Helper()
	var handler http.Handler
	reach := tripper(func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r)
		return rec.Result(), nil
	})
	bubble(t, simdiscord.Options{EndpointTransport: reach}, func(t *testing.T, w *world) {
		d := &dialogue{world: w}
		var err error
		if handler, err = discord.NewEndpoint(w.PublicKey(), func(_ context.Context, i chat.Interaction) chat.Answer {
			d.asked = i
			return d.answer
		}); err != nil {
			t.Fatal(err)
		}
		if err := w.client.SetInteractionsURL(t.Context(), "http://localhost/interactions"); err != nil {
			t.Fatal(err)
		}
		if err := w.client.SetCommands(t.Context(), w.State().Application.ID, []chat.CommandSpec{{Name: "x", Description: "x"}}); err != nil {
			t.Fatal(err)
		}
		test(t, d)
	})
}

// use does what a person does, and the application answers with a.
func (d *dialogue) use(a chat.Answer, in simdiscord.Invocation) simdiscord.Outcome {
	d.t.Helper()
	d.answer = a
	in.User, in.Channel = "Ana", string(d.lounge)
	o, err := d.Interact(d.t.Context(), in)
	if err != nil || o.Error != "" {
		d.t.Fatalf("%+v: %+v, %v", in, o, err)
	}
	return o
}

// shown is the newest message that the person sees.
func (d *dialogue) shown() simdiscord.Message {
	d.t.Helper()
	all := d.MessagesAs(string(d.lounge), "Ana")
	if len(all) == 0 {
		d.t.Fatal("nothing is shown")
	}
	return all[len(all)-1]
}

// TestADialogue goes through all that an answer can be: a form, an answer that comes later with a file and a menu, an answer in
// place of the message, now and later.
func TestADialogue(t *testing.T) {
	talk(t, func(t *testing.T, d *dialogue) {
		form := chat.Answer{Modal: &chat.Modal{ID: "f", Title: "Form", Fields: []chat.Field{{ID: "key", Label: "Key", Hint: "of yours", Required: true}, {ID: "more", Label: "More"}}}}
		opened := d.use(form, simdiscord.Invocation{Kind: "command", Command: "x"})
		if opened.Modal == nil || opened.Modal.CustomID != "f" {
			t.Fatalf("%+v", opened)
		}
		d.use(chat.Answer{Deferred: true, Ephemeral: true}, simdiscord.Invocation{Kind: "modal", Interaction: opened.ID, Fields: map[string]any{"key": "secret"}})
		if d.asked.CustomID != "f" || d.asked.Field("key") != "secret" || d.asked.Message != "" || d.asked.Name != "ana" {
			t.Errorf("heard %+v", d.asked)
		}
		late := chat.Answer{Text: "done", Files: []chat.File{{Name: "a/b\".json", Type: "application/json", Body: []byte(`{"a":1}`)}},
			Rows: []chat.ActionRow{{Menu: &chat.Menu{ID: "m", Of: chat.OfTexts, Items: []chat.MenuItem{{Label: "One", Value: "1"}, {Label: "Two", Value: "2"}}}}, {Buttons: []chat.Button{{ID: "b", Label: "Go"}}}}}
		for range 2 { // it may be repeated
			if err := d.client.Amend(t.Context(), d.asked, late); err != nil {
				t.Fatal(err)
			}
		}
		m := d.shown()
		if m.Content != "done" || m.EphemeralTo == "" || len(m.Components) != 2 || len(m.Attachments) != 1 || m.Attachments[0].Filename != "a_b.json" || m.Attachments[0].Size != 7 {
			t.Fatalf("%+v", m)
		}
		d.use(chat.Answer{Text: "Two it is", Update: true, Rows: []chat.ActionRow{{Buttons: []chat.Button{{ID: "b", Label: "Go"}}}}},
			simdiscord.Invocation{Kind: "component", Message: m.ID, CustomID: "m", Values: []string{"2"}})
		if again := d.shown(); d.asked.Values[0] != "2" || string(d.asked.Message) != m.ID || again.ID != m.ID || again.Content != "Two it is" || len(again.Components) != 1 || len(again.Attachments) != 0 {
			t.Errorf("heard %+v, shown %+v", d.asked, again)
		}
		d.use(chat.Answer{Deferred: true, Update: true}, simdiscord.Invocation{Kind: "component", Message: m.ID, CustomID: "b"})
		if err := d.client.Amend(t.Context(), d.asked, chat.Answer{Text: "gone"}); err != nil {
			t.Fatal(err)
		}
		if again := d.shown(); again.ID != m.ID || again.Content != "gone" || len(again.Components) != 0 {
			t.Errorf("shown %+v", again)
		}
	})
}

func TestAFormInAForm(t *testing.T) {
	talk(t, func(t *testing.T, d *dialogue) {
		d.use(chat.Answer{Text: "x", Rows: []chat.ActionRow{{Buttons: []chat.Button{{ID: "b", Label: "Go"}}}}, Ephemeral: true}, simdiscord.Invocation{Kind: "command", Command: "x"})
		m := d.shown()
		form := chat.Answer{Modal: &chat.Modal{ID: "f", Title: "Form", Fields: []chat.Field{{ID: "about", Label: "About", Long: true, Value: "what was typed"}}}}
		opened := d.use(form, simdiscord.Invocation{Kind: "component", Message: m.ID, CustomID: "b"})
		d.use(chat.Answer{Text: "saved", Update: true, Ephemeral: true}, simdiscord.Invocation{Kind: "modal", Interaction: opened.ID})
		if again := d.shown(); string(d.asked.Message) != m.ID || d.asked.Field("about") != "what was typed" || again.ID != m.ID || again.Content != "saved" || len(again.Components) != 0 {
			t.Errorf("heard %+v, shown %+v", d.asked, again)
		}
	})
}

// Files that Discord would refuse are left out, and the words arrive.
func TestFilesThatDoNotFit(t *testing.T) {
	talk(t, func(t *testing.T, d *dialogue) {
		d.use(chat.Answer{Deferred: true, Ephemeral: true}, simdiscord.Invocation{Kind: "command", Command: "x"})
		var files []chat.File
		for range 12 {
			files = append(files, chat.File{Name: "\r\n", Type: "text/plain; x=\"\r\ny\"", Body: []byte("x")})
		}
		files = append([]chat.File{{Name: "large", Body: make([]byte, 11<<20)}}, files...)
		if err := d.client.Amend(t.Context(), d.asked, chat.Answer{Text: "x", Files: files}); err != nil {
			t.Fatal(err)
		}
		if m := d.shown(); m.Content != "x" || len(m.Attachments) != 10 || m.Attachments[0].Filename != "file" {
			t.Errorf("%+v", m)
		}
		if err := d.client.Amend(t.Context(), d.asked, chat.Answer{Files: files[:1]}); err != nil {
			t.Fatal(err)
		}
		var sent struct{ Content string }
		calls := d.Calls()
		if err := json.Unmarshal(calls[len(calls)-1].Body, &sent); err != nil || sent.Content == "" {
			t.Errorf("%+v, %v", sent, err)
		}
	})
}
