package command_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

// house is an installation with people who use its commands. What is deferred is done at once.
type house struct {
	t     *testing.T
	book  *book
	front *command.Front
	back  *command.Back
	ids   int
	queue errands
	first []chat.Answer // that came at once
	says  []chat.Answer // that came later
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, book: newBook(t)}
	h.front = &command.Front{Controls: &channel{}, Errands: &h.queue, Ingress: &entrance{}, Book: h.book}
	h.back = &command.Back{Responses: h, Book: h.book, Checks: healthy()}
	return h
}

func (h *house) Amend(_ context.Context, _ chat.Interaction, a chat.Answer) error {
	h.says = append(h.says, a)
	return nil
}

// id is a snowflake of now that nobody had before.
func (h *house) id() string {
	h.ids++
	n, _ := strconv.Atoi(chat.Snowflake(time.Now()))
	return strconv.Itoa(n + h.ids)
}

// person is somebody in a server, and the answer that they see.
type person struct {
	*house
	who  chat.Interaction // guild, channel, user, permissions, roles, languages
	did  chat.Interaction // what they did last
	sees chat.Answer
	at   chat.MessageID // the message that they see
}

// admin manages the server "1" and looks at channel "7" of it. The user's id is as long as any.
func (h *house) admin() *person {
	return &person{house: h, who: chat.Interaction{Channel: "7", Guild: "1", User: "18446744073709551615", May: chat.ManageGuild, Locale: "en-US",
		BotMay: chat.ViewChannel | chat.SendMessages | chat.ReadHistory}}
}

// does lets an interaction happen, looks whether Discord would take the answer, and returns it.
func (p *person) does(i chat.Interaction) chat.Answer {
	p.t.Helper()
	p.did = i
	kept := len(p.queue.kept)
	a := p.front.Answer(p.t.Context(), i)
	p.first = append(p.first, a)
	if len(p.queue.kept) > kept {
		if !a.Deferred {
			p.lawful(a) // it stands there meanwhile
		}
		n := len(p.says)
		i = p.queue.kept[len(p.queue.kept)-1]
		if err := p.back.Handle(p.t.Context(), i); err != nil || len(p.says) != n+1 {
			p.t.Fatalf("the deferred answer failed: %v", err)
		}
		update := a.Update
		a = p.says[n]
		a.Update = update
	}
	if !a.Deferred { // else the message changes by and by, and nothing is said
		p.lawful(a)
	}
	if a.Modal == nil && !a.Update && i.Kind != chat.AskedChoices {
		p.at = chat.MessageID(p.id())
	}
	if i.Kind != chat.AskedChoices {
		p.sees = a
	}
	return a
}

func (p *person) next(kind chat.InteractionKind) chat.Interaction {
	i := p.who
	i.ID, i.Kind = chat.EventID(p.id()), kind
	return i
}

// command is the use of a command with options: names and values in turn.
func (p *person) command(path string, options ...string) chat.Interaction {
	i := p.next(chat.UsedCommand)
	i.Command, i.Options = path, pairs(options)
	return i
}

func pairs(list []string) (all []chat.Option) {
	for n := 0; n+1 < len(list); n += 2 {
		all = append(all, chat.Option{Name: list[n], Value: list[n+1]})
	}
	return all
}

func (p *person) uses(path string, options ...string) chat.Answer {
	p.t.Helper()
	return p.does(p.command(path, options...))
}

// types lists the choices for an option that is being typed.
func (p *person) types(path, option, text string) []chat.Choice {
	p.t.Helper()
	i := p.command(path, option, text)
	i.Kind, i.Focused = chat.AskedChoices, option
	return p.does(i).Choices
}

// again lets the last interaction be delivered once more.
func (p *person) again() chat.Answer {
	p.t.Helper()
	return p.does(p.did)
}

// press is the use of the button with the label.
func (p *person) press(label string) chat.Interaction {
	p.t.Helper()
	for _, r := range p.sees.Rows {
		for _, b := range r.Buttons {
			if b.Label == label && !b.Off {
				i := p.next(chat.UsedComponent)
				i.CustomID, i.Message = b.ID, p.at
				return i
			}
		}
	}
	p.t.Fatalf("there is no button %q to press below %q: %+v", label, p.sees.Text, p.sees.Rows)
	return chat.Interaction{}
}

func (p *person) presses(label string) chat.Answer {
	p.t.Helper()
	return p.does(p.press(label))
}

// choose is the use of the first menu that has all of these values.
func (p *person) choose(values ...string) chat.Interaction {
	p.t.Helper()
	for _, r := range p.sees.Rows {
		if r.Menu == nil {
			continue
		}
		has := func(v string) bool {
			return r.Menu.Of != chat.OfTexts || slices.ContainsFunc(r.Menu.Items, func(i chat.MenuItem) bool { return i.Value == v })
		}
		if !slices.ContainsFunc(values, func(v string) bool { return !has(v) }) {
			i := p.next(chat.UsedComponent)
			i.CustomID, i.Message, i.Values = r.Menu.ID, p.at, values
			return i
		}
	}
	p.t.Fatalf("there is no menu with %q below %q: %+v", values, p.sees.Text, p.sees.Rows)
	return chat.Interaction{}
}

func (p *person) chooses(values ...string) chat.Answer {
	p.t.Helper()
	return p.does(p.choose(values...))
}

// fill is the form that is open, sent with these fields changed: names and values in turn.
func (p *person) fill(fields ...string) chat.Interaction {
	p.t.Helper()
	if p.sees.Modal == nil {
		p.t.Fatalf("no form is open, but %q", p.sees.Text)
	}
	i := p.next(chat.SentModal)
	i.CustomID = p.sees.Modal.ID
	if p.did.Kind == chat.UsedComponent {
		i.Message = p.at
	}
	for _, f := range p.sees.Modal.Fields {
		i.Fields = append(i.Fields, chat.Option{Name: f.ID, Value: f.Value})
	}
	for _, o := range pairs(fields) {
		n := slices.IndexFunc(i.Fields, func(f chat.Option) bool { return f.Name == o.Name })
		if n < 0 {
			p.t.Fatalf("the form has no field %q: %+v", o.Name, p.sees.Modal)
		}
		i.Fields[n].Value = o.Value
	}
	return i
}

func (p *person) fills(fields ...string) chat.Answer {
	p.t.Helper()
	return p.does(p.fill(fields...))
}

// says fails unless the person reads all of these.
func (p *person) reads(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if !strings.Contains(p.sees.Text, w) {
			p.t.Errorf("%q is not in %q", w, p.sees.Text)
		}
	}
}

func length(s string) int { return len(utf16.Encode([]rune(s))) }

// lawful fails where Discord would not take an answer.
func (p *person) lawful(a chat.Answer) {
	p.t.Helper()
	bound := func(what, s string, least, most int) {
		p.t.Helper()
		if n := length(s); n < least || n > most || !strings.Contains(what, "value") && strings.TrimSpace(s) != s {
			p.t.Errorf("%s has %d characters, not %d to %d, or blanks at its ends: %q", what, n, least, most, s)
		}
		p.elsewhere(what, s, most)
	}
	if strings.Contains(a.Text, "{") || strings.Contains(a.Text, "commands.") || strings.Contains(a.Text, "dialog.") {
		p.t.Errorf("a place is not filled in, or a text is missing: %q", a.Text)
	}
	ids := map[string]bool{}
	once := func(id string) {
		p.t.Helper()
		bound("a custom id", id, 1, 100)
		if ids[id] {
			p.t.Errorf("custom id %q stands twice in one answer", id)
		}
		ids[id] = true
	}
	if m := a.Modal; m != nil {
		once(m.ID)
		bound("a form's title", m.Title, 1, 45)
		if len(m.Fields) < 1 || len(m.Fields) > 5 || a.Text != "" || a.Rows != nil {
			p.t.Errorf("no form, or more than a form: %+v", a)
		}
		for _, f := range m.Fields {
			once(f.ID)
			bound("a field's label", f.Label, 1, 45)
			bound("a field's hint", f.Hint, 0, 100)
			bound("a field's example", f.Example, 0, 100)
			most := f.Max
			if most == 0 {
				most = 4000
			}
			bound("a field's value", f.Value, 0, most)
		}
		return
	}
	least := 1
	if p.did.Kind == chat.AskedChoices || len(a.Files) > 0 {
		least = 0
	}
	bound("the text", a.Text, least, 2000)
	if len(a.Rows) > 5 || len(a.Choices) > 25 {
		p.t.Errorf("%d rows, %d choices", len(a.Rows), len(a.Choices))
	}
	for _, c := range a.Choices {
		bound("a choice", c.Name, 1, 100)
		bound("a choice's value", c.Value, 1, 100)
	}
	for _, r := range a.Rows {
		if (r.Menu != nil) == (len(r.Buttons) > 0) || len(r.Buttons) > 5 {
			p.t.Errorf("a row is a menu or 1 to 5 buttons: %+v", r)
		}
		for _, b := range r.Buttons {
			bound("a button's label", b.Label, 1, 80)
			if b.URL == "" {
				once(b.ID)
			}
		}
		if m := r.Menu; m != nil {
			once(m.ID)
			bound("a menu's hint", m.Hint, 0, 150)
			if m.Of == chat.OfTexts && (len(m.Items) < 1 || len(m.Items) > 25) {
				p.t.Errorf("a menu of %d items", len(m.Items))
			}
			values := map[string]bool{}
			for _, i := range m.Items {
				bound("an item", i.Label, 1, 100)
				bound("an item's hint", i.Hint, 0, 100)
				bound("an item's value", i.Value, 1, 100)
				if values[i.Value] {
					p.t.Errorf("a menu has the value %q twice", i.Value)
				}
				values[i.Value] = true
			}
		}
	}
}
