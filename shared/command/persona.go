package command

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func personaRows() []row {
	return []row{
		{path: "persona list", needs: chat.ManageGuild, work: work{now: (*Front).personas}, steps: map[string]work{
			"list": {now: (*Front).personas}, "show": {now: (*Front).personaShow}, "face": {later: (*Back).personaFace},
		}},
		{path: "persona create", needs: chat.ManageGuild, options: []option{{name: "main", kind: chat.OptionYesNo}},
			work: work{now: (*Front).personaNew}, steps: map[string]work{
				"new": {now: (*Front).personaNew}, "made": {now: (*Front).personaMade}, "again": {now: (*Front).personaNewAgain, noted: true},
			}},
		{path: "persona edit", needs: chat.ManageGuild, options: []option{onePersona, {name: "part", kind: chat.OptionText, choices: []string{partCard, partInstructions}}},
			complete: personaChoices(), work: work{now: (*Front).personaEdit}, steps: map[string]work{
				"open": {now: (*Front).personaEdit}, "save": {now: (*Front).personaSave}, "again": {now: (*Front).personaEditAgain, noted: true},
			}},
		{path: "persona triggers", needs: chat.ManageGuild, options: []option{onePersona},
			complete: personaChoices(), work: work{now: (*Front).triggersEdit}, steps: map[string]work{
				"open": {now: (*Front).triggersEdit}, "save": {now: (*Front).triggersSave}, "again": {now: (*Front).triggersAgain, noted: true},
			}},
		{path: "persona avatar", needs: chat.ManageGuild, options: []option{onePersona, {name: "picture", kind: chat.OptionFile},
			{name: "link", kind: chat.OptionText, max: persona.MaxLink}, {name: "remove", kind: chat.OptionYesNo}},
			complete: personaChoices(), work: work{later: (*Back).avatar}},
		{path: "persona main", needs: chat.ManageGuild, options: []option{onePersona},
			complete: personaChoices(), work: work{now: (*Front).personaMain}, steps: map[string]work{"make": {now: (*Front).personaMain}}},
		{path: "persona humanizer", needs: chat.ManageGuild, options: append([]option{onePersona}, styleOptions(serverWord)...),
			complete: personaChoices(), work: work{now: (*Front).personaHumanizer}},
		{path: "persona assign", needs: chat.ManageGuild, options: []option{onePersona, {name: "channel", kind: chat.OptionPlace, channels: talkable}, {name: "always", kind: chat.OptionYesNo}},
			complete: personaChoices(), work: work{now: (*Front).personaAssign}},
		{path: "persona delete", needs: chat.ManageGuild, options: []option{onePersona},
			complete: personaChoices(), work: work{now: (*Front).personaDelete}, steps: map[string]work{
				"ask": {now: (*Front).personaDelete}, "heir": {now: (*Front).personaHeir}, "sure": {now: (*Front).personaGo},
			}},
	}
}

// onePersona is the option that says which persona is meant.
var onePersona = option{name: "persona", kind: chat.OptionText, required: true, max: maxItem}

func personaChoices() map[string]completion {
	return map[string]completion{"persona": (*Front).personaNames}
}

// talkable are the types of channel in which people write messages (Discord, Channel Types): texts, voice, announcements, threads.
var talkable = []int{0, 2, 5, 10, 11, 12}

// maxShown is how much of a name stands in our texts.
const maxShown = persona.MaxName

// personaNames completes a persona's name.
func (f *Front) personaNames(ctx context.Context, u *use) ([]chat.Choice, error) {
	people, _, err := u.cast(ctx, f.Book)
	var all []chat.Choice
	for _, p := range people {
		all = append(all, chat.Choice{Name: plain(p.Name, maxItem), Value: p.ID})
	}
	return complete(all, u.Option(u.Focused)), err
}

// maxRef is the length of the references to personas in custom ids, of which two have room in one.
const maxRef = 20

// refOf names a persona in a custom id: by its id, or by a print of one that is too long.
func refOf(p persona.Persona) string {
	if len(p.ID) <= maxRef {
		return p.ID
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(p.ID)) // it never fails
	return "~" + strconv.FormatUint(h.Sum64(), 36)
}

// meant finds the persona that is meant by an id, a reference, or a name as somebody typed it who did not choose from the list.
func meant(people []persona.Persona, by string) (n int, ok bool) {
	for _, is := range []func(persona.Persona) bool{
		func(p persona.Persona) bool { return p.ID == by || refOf(p) == by },
		func(p persona.Persona) bool { return guild.SameName(p.Name, by) },
	} {
		if n := slices.IndexFunc(people, is); by != "" && n >= 0 {
			return n, true
		}
	}
	return 0, false
}

// whom is who the command or the button is about: the option of a command, the first argument of a step.
func (u *use) whom() string {
	if u.step == "" {
		return u.Option("persona")
	}
	return u.arg(0)
}

// gone is the error of a persona that is not there: never was, or not any more.
func (u *use) gone() error {
	if u.step == "" {
		return no("persona.unknown", "name", shown(u.Option("persona"), maxShown))
	}
	return no("persona.left")
}

// who reads the persona that the command or the button is about, and with whom it lives.
func (u *use) who(ctx context.Context, book guild.Book) (persona.Persona, []persona.Persona, error) {
	people, _, err := u.cast(ctx, book)
	if err != nil {
		return persona.Persona{}, nil, err
	}
	n, ok := meant(people, u.whom())
	if !ok {
		return persona.Persona{}, nil, u.gone()
	}
	return people[n], people, nil
}

// changeOne is changeCast for the persona that the command or button is about: edit gets it, and gives what it becomes.
func (u *use) changeOne(ctx context.Context, book guild.Book, edit func(p persona.Persona, people []persona.Persona, note *guild.Change) (persona.Persona, error)) (guild.Change, error) {
	return u.changeCast(ctx, book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		n, ok := meant(s.Personas, u.whom())
		if !ok {
			return u.gone()
		}
		p, err := edit(s.Personas[n], s.Personas, note)
		if err == nil {
			note.On, s.Personas[n] = p.Name, p
		}
		return err
	})
}

// newID is the id of a persona that this interaction makes, the same whenever it is made.
func (u *use) newID() string { return "p" + short(string(u.ID)) }

// mainOf is the main persona among people; it has no id when nobody is there.
func mainOf(people []persona.Persona) persona.Persona {
	p, _ := persona.Cast{Personas: people}.Main()
	return p
}

// withMain makes one of people the main persona, and all others alters.
func withMain(people []persona.Persona, id string) {
	for n := range people {
		people[n].Main = people[n].ID == id
	}
}

// faulty says, a line each, what is wrong with a form.
type faulty struct{ lines []string }

// Error names nothing of what people wrote.
func (*faulty) Error() string { return "the form cannot be taken" }

// unfit answers a form that could not be taken: what is wrong with it can be corrected, and everything else is declined.
func (u *use) unfit(ctx context.Context, book guild.Book, err error, again string, args ...string) (chat.Answer, error) {
	var f *faulty
	switch {
	case errors.As(err, &f):
		return u.refused(ctx, book, f.lines, again, args...)
	case errors.Is(err, guild.ErrTooMuch), errors.Is(err, guild.ErrInvalid):
		why, _ := u.reason(err)
		return u.refused(ctx, book, []string{why}, again, args...)
	}
	return u.declined(err)
}

// nameFaults says what is wrong with the name of a persona among others.
func (u *use) nameFaults(name string, others []persona.Persona) (faults []string) {
	visible := func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\u2800' && r != '\u3164'
	}
	if !strings.ContainsFunc(name, visible) {
		return []string{u.say.Say("persona.name.empty")}
	}
	if n := utf8.RuneCountInString(name); n > persona.MaxName {
		faults = append(faults, u.say.Say("persona.name.long", "n", n, "most", persona.MaxName))
	}
	if other, ok := (guild.Settings{Personas: others}).PersonaNamed(name); ok {
		faults = append(faults, u.say.Say("persona.name.taken", "name", shown(other.Name, maxShown)))
	}
	return faults
}

// without is everybody else.
func without(people []persona.Persona, id string) []persona.Persona {
	return slices.DeleteFunc(slices.Clone(people), func(p persona.Persona) bool { return p.ID == id })
}

// tidy is what somebody wrote into a field, as it is kept: Discord's clients end lines in several ways, and blanks around it say nothing.
func tidy(text string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), ""))
}

// tidyName is tidy for a name, which is one line.
func tidyName(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, tidy(text))), " ")
}
