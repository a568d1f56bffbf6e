package command_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// entrance keeps what enters.
type entrance struct {
	events []chat.Event
	fails  error
}

func (e *entrance) Enter(_ context.Context, event chat.Event) error {
	if e.fails == nil {
		e.events = append(e.events, event)
	}
	return e.fails
}

// guest is somebody who may write in the channel, and no more.
func guest(t *testing.T) (*person, *entrance) {
	in, h := &entrance{}, newHouse(t)
	h.front.Ingress = in
	p := h.admin()
	p.who.May, p.who.User, p.who.Name = chat.SendMessages, "5", "Ana"
	return p, in
}

func TestRespondLetsAPersonaSpeak(t *testing.T) {
	p, in := guest(t)
	p.uses("respond", "persona", "fenn")
	p.reads("Fenn is answering.")
	p.again()
	if len(in.events) != 2 || in.events[0].ID != in.events[1].ID {
		t.Fatalf("%+v", in.events)
	}
	e := in.events[0]
	if e.What != chat.Said || e.ID != p.did.ID || e.Channel != "7" || e.Guild != "1" || e.DM || e.Author != (chat.Author{ID: "5", Name: "Ana"}) || e.Text != "" ||
		*e.Asked != (chat.Asked{Persona: "fenn"}) || time.Since(e.At) > time.Minute {
		t.Errorf("it entered as %+v", e)
	}
	p.uses("respond")
	p.reads("An answer is on its way.")
	if e := in.events[2]; e.Asked == nil || e.Asked.Persona != "" {
		t.Errorf("it entered as %+v", e)
	}
	if got := p.types("respond", "persona", "qui"); len(got) != 1 || got[0].Value != "quill" {
		t.Errorf("qui completes to %v", got)
	}
	p.who.Guild, p.who.May, p.who.BotMay = "", 0, 0
	p.uses("respond", "persona", " MIRA ")
	p.reads("Mira is answering.")
	if e := in.events[3]; !e.DM || e.Guild != "" || e.Asked.Persona != "mira" {
		t.Errorf("it entered as %+v", e)
	}
}

func TestRespondSaysWhyNot(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *person)
		set    func(*guild.Settings)
		asks   string
		says   string
	}{
		"unknown":           {asks: "Bob", says: "Nobody called **Bob** lives here"},
		"nobody":            {set: func(s *guild.Settings) { s.Own = true }, says: "Nobody lives here"},
		"closed":            {set: func(s *guild.Settings) { s.Whitelist = []chat.ChannelID{"8"} }, says: "closed"},
		"may not write":     {change: func(p *person) { p.who.May = chat.ViewChannel }, says: "Send Messages"},
		"not in threads":    {change: func(p *person) { p.who.Thread = true }, says: "Send Messages in Threads"},
		"the bot may not":   {change: func(p *person) { p.who.BotMay = chat.ViewChannel }, says: "lacks Send Messages, Read Message History"},
		"the only one":      {set: func(s *guild.Settings) { s.Own, s.Personas = true, persona.Demos()[:1] }, says: "Mira is answering."},
		"the queue is away": {change: func(p *person) { p.front.Ingress = &entrance{fails: errAway} }, says: "try again"},
	} {
		t.Run(name, func(t *testing.T) {
			p, in := guest(t)
			if c.set != nil {
				p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { c.set(s) })
			}
			if c.change != nil {
				c.change(p)
			}
			if c.asks == "" {
				p.uses("respond")
			} else {
				p.uses("respond", "persona", c.asks)
			}
			p.reads(c.says)
			if done := strings.Contains(c.says, "is answering"); (len(in.events) == 1) != done {
				t.Errorf("%d events", len(in.events))
			}
		})
	}
}
