package command

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func (u *use) triggersField(value string) chat.Field {
	return chat.Field{ID: "triggers", Label: u.say.Say("persona.fields.triggers"), Hint: u.say.Say("persona.hints.triggers", "most", guild.MaxTriggers), Value: value, Long: true}
}

// triggersForm is the form of what calls a persona. Its custom id says with what it was opened.
func (u *use) triggersForm(p persona.Persona) chat.Modal {
	text := strings.Join(p.Triggers, "\n")
	return chat.Modal{ID: u.idOf("persona triggers", "save", refOf(p), imprint(text)), Title: cut(u.say.Say("persona.triggers.title", "name", plain(p.Name, 30)), 45),
		Fields: []chat.Field{u.triggersField(text)}}
}

func (f *Front) triggersEdit(ctx context.Context, u *use) (chat.Answer, error) {
	p, _, err := u.who(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	m := u.triggersForm(p)
	return chat.Answer{Modal: &m}, nil
}

func (f *Front) triggersAgain(ctx context.Context, u *use) (chat.Answer, error) {
	people, _, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	n, ok := meant(people, u.arg(1))
	if !ok {
		return u.declined(u.gone())
	}
	return u.reopened(ctx, f.Book, u.triggersForm(people[n]))
}

// triggersSave keeps what calls a persona.
func (f *Front) triggersSave(ctx context.Context, u *use) (chat.Answer, error) {
	list := readTriggers(u.Field("triggers"))
	c, err := u.changeOne(ctx, f.Book, func(p persona.Persona, people []persona.Persona, note *guild.Change) (persona.Persona, error) {
		if slices.Equal(list, p.Triggers) {
			return p, guild.ErrSame
		}
		faults := u.triggerFaults(list, without(people, p.ID))
		if imprint(strings.Join(p.Triggers, "\n")) != u.arg(1) {
			faults = append(faults, u.say.Say("persona.edit.overtaken", "field", u.say.Say("persona.fields.triggers")))
		}
		if faults != nil {
			return p, &faulty{faults}
		}
		note.Was, note.Is = strings.Join(p.Triggers, ", "), strings.Join(list, ", ")
		p.Triggers = list
		return p, nil
	})
	if err != nil {
		return u.unfit(ctx, f.Book, err, "again", u.arg(0))
	}
	return u.sheet(ctx, f.Book, u.arg(0), u.say.Say("persona.triggers.done", "name", shown(c.On, maxShown), "is", u.orNothing(c.Is), "was", u.orNothing(c.Was)))
}

// personaMain makes a persona the main one.
func (f *Front) personaMain(ctx context.Context, u *use) (chat.Answer, error) {
	c, err := u.changeCast(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		n, ok := meant(s.Personas, u.whom())
		if !ok {
			return u.gone()
		}
		before, p := mainOf(s.Personas), s.Personas[n]
		if before.ID == p.ID {
			return guild.ErrSame
		}
		withMain(s.Personas, p.ID)
		note.On, note.Was, note.Is = p.Name, before.Name, p.Name
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.sheet(ctx, f.Book, u.whom(), u.say.Say("persona.main_is", "name", shown(c.On, maxShown))+" "+u.say.Say("persona.main_was", "name", shown(c.Was, maxShown)))
}

// The two ways in which a channel is answered, as they are noted before who answers there.
const (
	notedAlways    = "always"
	notedAddressed = "addressed"
)

// hows gives the texts of one of these ways: how it is now, and how it was.
func hows(how string) [2]string {
	return map[string][2]string{
		notedAlways:    {"persona.assign.always", "persona.assign.was_always"},
		notedAddressed: {"persona.assign.addressed", "persona.assign.was_addressed"},
	}[how]
}

func notedHost(c guild.Channel, people []persona.Persona) string {
	how := notedAddressed
	if c.Always {
		how = notedAlways
	}
	host, _ := persona.Cast{Personas: people, Host: c.Host}.Answers()
	return how + ": " + host.Name
}

// personaAssign sets who answers in a channel where nobody in particular is addressed.
func (f *Front) personaAssign(ctx context.Context, u *use) (chat.Answer, error) {
	in := u.place()
	installation, err := f.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.change(ctx, f.Book, in, func(s *guild.Settings, at *guild.Channel, note *guild.Change) error {
		people := s.Personas
		if !s.Own {
			people = installation.Personas
		}
		n, ok := meant(people, u.whom())
		if !ok {
			return u.gone()
		}
		before := *at
		at.Host = people[n].ID
		if always := u.Option("always"); always != "" {
			at.Always = always == "true"
		}
		if *at == before {
			return guild.ErrSame
		}
		note.On, note.Was, note.Is = people[n].Name, notedHost(before, people), notedHost(*at, people)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	howWas, hostWas, _ := strings.Cut(c.Was, ": ")
	how, _, _ := strings.Cut(c.Is, ": ")
	key := "persona.assign.done"
	if hostWas == c.On {
		key = "persona.assign.stays"
	}
	text := u.say.Say(key, "name", shown(c.On, maxShown), "channel", link(in), "was", shown(hostWas, maxShown))
	text += "\n" + u.say.Say(hows(how)[0])
	if how != howWas {
		text += " " + u.say.Say(hows(howWas)[1])
	}
	return chat.Answer{Text: strings.Join(append([]string{text}, u.butHere(s, in)...), "\n")}, nil
}

// speaking is what the bot must be allowed to do where it answers.
func (u *use) speaking() chat.Permissions {
	if u.Thread {
		return chat.ViewChannel | chat.ReadHistory | chat.SendInThreads
	}
	return chat.ViewChannel | chat.ReadHistory | chat.SendMessages
}

// personaDelete asks before a persona is deleted. Of a main one it asks first who is to be main in its place.
func (f *Front) personaDelete(ctx context.Context, u *use) (chat.Answer, error) {
	p, people, err := u.who(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	if mainOf(people).ID != p.ID || len(people) == 1 {
		return u.farewell(p, persona.Persona{}, people), nil
	}
	m := chat.Menu{ID: u.id("heir", refOf(p)), Of: chat.OfTexts, Hint: u.say.Say("persona.delete.pick")}
	for _, other := range without(people, p.ID) {
		m.Items = append(m.Items, chat.MenuItem{Label: plain(other.Name, maxItem), Value: refOf(other)})
	}
	m.Items = m.Items[:min(len(m.Items), maxItems)]
	rows := []chat.ActionRow{{Menu: &m}, {Buttons: []chat.Button{{ID: u.id(keepStep), Label: u.say.Say("dialog.keep"), Style: chat.Plain}}}}
	return u.inPlace(chat.Answer{Text: u.say.Say("persona.delete.heir", "name", shown(p.Name, maxShown)), Rows: rows}), nil
}

// personaHeir asks before a main persona is deleted, now that it is known who follows it.
func (f *Front) personaHeir(ctx context.Context, u *use) (chat.Answer, error) {
	p, people, err := u.who(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	n, ok := meant(people, u.chosen())
	if !ok || people[n].ID == p.ID {
		return u.declined(u.gone())
	}
	return u.farewell(p, people[n], people), nil
}

// farewell says what would be lost.
func (u *use) farewell(p, heir persona.Persona, people []persona.Persona) chat.Answer {
	n := 0
	for _, e := range slices.Concat(cardEntries, instructionEntries) {
		n += utf8.RuneCountInString(*e.of(&p))
	}
	args := []string{refOf(p)}
	text := []string{u.say.Say("persona.delete.ask", "name", shown(p.Name, maxShown)),
		"- " + u.say.Count("persona.delete.card", n), "- " + u.say.Say("persona.delete.face")}
	if len(p.Lore) > 0 {
		text = append(text, "- "+u.say.Count("persona.delete.lore", len(p.Lore)))
	}
	if len(p.Triggers) > 0 {
		text = append(text, "- "+u.say.Say("persona.delete.triggers", "triggers", words(p.Triggers, 200)))
	}
	switch {
	case heir.ID != "":
		args = append(args, refOf(heir))
		text = append(text, u.say.Say("persona.delete.follows", "name", shown(heir.Name, maxShown)))
	case len(people) == 1:
		text = append(text, u.say.Say("persona.delete.last"))
	default:
		text = append(text, u.say.Say("persona.delete.rest", "name", shown(mainOf(people).Name, maxShown)))
	}
	return u.confirm(strings.Join(text, "\n"), u.say.Say("persona.delete.sure", "name", plain(p.Name, 40)), "sure", args...)
}

// personaGo deletes a persona.
func (f *Front) personaGo(ctx context.Context, u *use) (chat.Answer, error) {
	c, err := u.changeCast(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		n, ok := meant(s.Personas, u.arg(0))
		if !ok {
			return u.gone()
		}
		p := s.Personas[n]
		main := mainOf(s.Personas)
		rest := without(s.Personas, p.ID)
		if main.ID == p.ID && len(rest) > 0 {
			heir, ok := meant(rest, u.arg(1))
			if !ok {
				return no("persona.delete.is_main", "name", shown(p.Name, maxShown))
			}
			withMain(rest, rest[heir].ID)
			note.Is = rest[heir].Name
		}
		note.On, note.Was, s.Personas = p.Name, p.Name, rest
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	lead := u.say.Say("persona.delete.done", "name", shown(c.On, maxShown))
	if c.Is != "" {
		lead += " " + u.say.Say("persona.main_is", "name", shown(c.Is, maxShown))
	}
	return u.personaList(ctx, f.Book, lead)
}
