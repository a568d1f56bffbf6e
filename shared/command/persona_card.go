package command

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
	"tsumugi/shared/persona"
)

// The parts of a card, each as much as a form holds.
const (
	partCard         = "card"
	partInstructions = "instructions"
)

// entry is a text of a card: a field of a form, whose texts are below "persona.fields".
type entry struct {
	id   string
	of   func(*persona.Persona) *string
	max  int // 0 for as long as a form takes
	line bool
}

var (
	cardEntries = []entry{
		{id: "name", of: func(p *persona.Persona) *string { return &p.Name }, max: 2 * persona.MaxName, line: true}, // in UTF-16 units, as clients may count
		{id: "description", of: func(p *persona.Persona) *string { return &p.Description }},
		{id: "personality", of: func(p *persona.Persona) *string { return &p.Personality }},
		{id: "scenario", of: func(p *persona.Persona) *string { return &p.Scenario }},
		{id: "greeting", of: func(p *persona.Persona) *string { return &p.FirstMessage }},
	}
	instructionEntries = []entry{
		{id: "system", of: func(p *persona.Persona) *string { return &p.SystemPrompt }},
		{id: "after", of: func(p *persona.Persona) *string { return &p.PostHistory }},
	}
)

func entriesOf(part string) []entry {
	if part == partInstructions {
		return instructionEntries
	}
	return cardEntries
}

// tidy is a value of the field as it is kept.
func (e entry) tidy(text string) string {
	if e.line {
		return tidyName(text)
	}
	return tidy(text)
}

// field is the entry as a field of a form.
func (u *use) field(e entry, value string) chat.Field {
	f := chat.Field{ID: e.id, Label: u.say.Say("persona.fields." + e.id), Value: value, Long: !e.line, Max: e.max, Required: e.id == "name"}
	if hint := "persona.hints." + e.id; locale.Has(hint) {
		f.Hint = u.say.Say(hint, "char", "{{char}}")
	}
	return f
}

// newForm is the form of a persona that is to be made.
func (u *use) newForm(main bool) chat.Modal {
	m := chat.Modal{ID: u.idOf("persona create", "made", yesNo(main)), Title: u.say.Say("persona.create.title")}
	for _, e := range cardEntries {
		if e.id != "scenario" { // there is room for five fields, and the triggers matter more
			m.Fields = append(m.Fields, u.field(e, ""))
		}
	}
	m.Fields[1].Required = true
	triggers := u.triggersField("")
	triggers.Hint = u.say.Say("persona.hints.triggers_new")
	m.Fields = append(m.Fields, triggers)
	return m
}

func yesNo(yes bool) string {
	if yes {
		return "1"
	}
	return ""
}

// personaNew opens the form of a new persona, if there is room for one.
func (f *Front) personaNew(ctx context.Context, u *use) (chat.Answer, error) {
	people, _, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	if len(people) >= guild.MaxPersonas {
		return u.inPlace(u.text("persona.create.full", "most", guild.MaxPersonas)), nil
	}
	m := u.newForm(u.Option("main") == "true")
	return chat.Answer{Modal: &m}, nil
}

func (f *Front) personaNewAgain(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	return u.reopened(ctx, f.Book, u.newForm(u.arg(1) != ""))
}

// personaMade makes the persona of a form.
func (f *Front) personaMade(ctx context.Context, u *use) (chat.Answer, error) {
	asked := u.arg(0) != ""
	c, err := u.changeCast(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if len(s.Personas) >= guild.MaxPersonas {
			return &faulty{[]string{u.say.Say("persona.create.full", "most", guild.MaxPersonas)}}
		}
		p, faults := u.newcomer(s.Personas)
		if faults != nil {
			return &faulty{faults}
		}
		before := mainOf(s.Personas)
		note.On = p.Name
		s.Personas = append(s.Personas, p)
		if asked || before.ID == "" {
			withMain(s.Personas, p.ID)
			note.Was, note.Is = before.Name, p.Name
		}
		return nil
	})
	if err != nil {
		return u.unfit(ctx, f.Book, err, "again", yesNo(asked))
	}
	lead := u.say.Say("persona.create.done", "name", shown(c.On, maxShown))
	if c.Was != "" {
		lead += " " + u.say.Say("persona.main_was", "name", shown(c.Was, maxShown))
	}
	return u.sheet(ctx, f.Book, u.newID(), lead)
}

// newcomer reads the form of a new persona among others. What calls it is its name, where nothing else is said.
func (u *use) newcomer(others []persona.Persona) (p persona.Persona, faults []string) {
	p.ID = u.newID()
	for _, e := range cardEntries {
		*e.of(&p) = e.tidy(u.Field(e.id))
	}
	faults = u.nameFaults(p.Name, others)
	if p.Description == "" {
		faults = append(faults, u.say.Say("persona.create.undescribed"))
	}
	if p.Triggers = readTriggers(u.Field("triggers")); len(p.Triggers) == 0 && len(faults) == 0 {
		p.Triggers = []string{p.Name}
	}
	return p, append(faults, u.triggerFaults(p.Triggers, others)...)
}

// imprint is short for a text, to tell whether it is still the same: of what a form was opened with. away is for a text that is not in the form.
func imprint(text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // it never fails
	return strconv.FormatUint(uint64(h.Sum32()>>1), 36)
}

const away = "-"

// editForm is the form of a part of a card. Its custom id says with what it was opened; texts that no form can hold are left out.
func (u *use) editForm(p persona.Persona, part string) (m chat.Modal, prints []string) {
	for _, e := range entriesOf(part) {
		text := *e.of(&p)
		if !fitsForm(text) {
			prints = append(prints, away)
			continue
		}
		prints = append(prints, imprint(e.tidy(text)))
		m.Fields = append(m.Fields, u.field(e, text))
	}
	m.ID = u.idOf("persona edit", "save", refOf(p), part, strings.Join(prints, "."))
	m.Title = cut(u.say.Say("persona.edit.title", "name", plain(p.Name, 30)), 45)
	return m, prints
}

// leftOut names the texts that the form has not.
func (u *use) leftOut(part string, prints []string) string {
	var names []string
	for n, e := range entriesOf(part) {
		if n < len(prints) && prints[n] == away {
			names = append(names, u.say.Say("persona.fields."+e.id))
		}
	}
	if names == nil {
		return ""
	}
	return u.say.Say("persona.edit.left_out", "fields", strings.Join(names, ", "), "most", maxField)
}

// personaEdit opens the form of a part of a card.
func (f *Front) personaEdit(ctx context.Context, u *use) (chat.Answer, error) {
	part := u.Option("part")
	if u.step != "" {
		part = u.arg(1)
	}
	p, _, err := u.who(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	m, prints := u.editForm(p, part)
	if len(m.Fields) == 0 {
		return u.inPlace(chat.Answer{Text: u.leftOut(part, prints)}), nil
	}
	return chat.Answer{Modal: &m}, nil
}

func (f *Front) personaEditAgain(ctx context.Context, u *use) (chat.Answer, error) {
	people, _, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	n, ok := meant(people, u.arg(1))
	if !ok {
		return u.declined(u.gone())
	}
	m, _ := u.editForm(people[n], u.arg(2))
	return u.reopened(ctx, f.Book, m)
}

// personaSave keeps what was changed in the form of a part of a card. What was left as it was stays as it is by now.
func (f *Front) personaSave(ctx context.Context, u *use) (chat.Answer, error) {
	part, prints := u.arg(1), strings.Split(u.arg(2), ".")
	entries := entriesOf(part)
	if len(prints) != len(entries) {
		return u.inPlace(u.text("dialog.gone")), nil
	}
	u.Fields = touched(u.Fields, entries, prints)
	c, err := u.changeOne(ctx, f.Book, func(p persona.Persona, people []persona.Persona, note *guild.Change) (persona.Persona, error) {
		return u.edited(p, people, entries, prints, note)
	})
	if err != nil {
		return u.unfit(ctx, f.Book, err, "again", u.arg(0), part)
	}
	lead := u.say.Say("persona.edit.done", "name", shown(c.On, maxShown), "changes", u.changes(c, entries))
	if out := u.leftOut(part, prints); out != "" {
		lead += "\n" + out
	}
	return u.sheet(ctx, f.Book, u.arg(0), lead)
}

// touched are the fields that somebody changed.
func touched(fields []chat.Option, entries []entry, prints []string) (changed []chat.Option) {
	for n, e := range entries {
		for _, f := range fields {
			if f.Name == e.id && prints[n] != away && imprint(e.tidy(f.Value)) != prints[n] {
				changed = append(changed, f)
			}
		}
	}
	return changed
}

// edited is a persona with the fields of a form. What somebody else has changed since the form was opened is not overwritten
// unseen.
func (u *use) edited(p persona.Persona, people []persona.Persona, entries []entry, prints []string, note *guild.Change) (persona.Persona, error) {
	var faults, was, is []string
	for n, e := range entries {
		f := slices.IndexFunc(u.Fields, func(o chat.Option) bool { return o.Name == e.id })
		if f < 0 {
			continue
		}
		text, now := e.tidy(u.Fields[f].Value), *e.of(&p)
		if text == e.tidy(now) {
			continue
		}
		if imprint(e.tidy(now)) != prints[n] {
			faults = append(faults, u.say.Say("persona.edit.overtaken", "field", u.say.Say("persona.fields."+e.id)))
		}
		if e.id == "name" {
			faults = append(faults, u.nameFaults(text, without(people, p.ID))...)
		}
		was, is = append(was, summed(e, now)), append(is, summed(e, text))
		*e.of(&p) = text
	}
	if faults != nil {
		return p, &faulty{faults}
	}
	if is == nil {
		return p, guild.ErrSame
	}
	slices.Reverse(was) // the name last: whatever stands in it, what stands before it can be read
	slices.Reverse(is)
	note.Was, note.Is = strings.Join(was, ", "), strings.Join(is, ", ")
	return p, nil
}

// summed is a text in the notes: a name is short enough for them, of the others the length.
func summed(e entry, text string) string {
	if e.line {
		return e.id + " " + text
	}
	return e.id + " " + strconv.Itoa(utf8.RuneCountInString(text))
}

// changes is what a noted change says, for the person who made it.
func (u *use) changes(c guild.Change, entries []entry) string {
	was, is := unsummed(c.Was), unsummed(c.Is)
	var list []string
	for _, e := range entries {
		now, ok := is[e.id]
		if !ok {
			continue
		}
		key := "persona.edit.length"
		if e.line {
			key = "persona.edit.name"
		}
		list = append(list, u.say.Say(key, "field", u.say.Say("persona.fields."+e.id), "is", shown(now, maxShown), "was", shown(was[e.id], maxShown)))
	}
	return strings.Join(list, " · ")
}

// unsummed reads what summed wrote, a text each.
func unsummed(noted string) map[string]string {
	all := map[string]string{}
	for noted != "" {
		id, rest, _ := strings.Cut(noted, " ")
		if id == "name" {
			all[id] = rest
			break
		}
		all[id], noted, _ = strings.Cut(rest, ", ")
	}
	return all
}
