package command

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// personas lists who lives in the server.
func (f *Front) personas(ctx context.Context, u *use) (chat.Answer, error) {
	return u.personaList(ctx, f.Book, "")
}

// personaList is the list of who lives in the server, the main persona first, below what has just been done.
func (u *use) personaList(ctx context.Context, book guild.Book, lead string) (chat.Answer, error) {
	people, s, err := u.cast(ctx, book)
	if err != nil {
		return chat.Answer{}, err
	}
	channels, err := book.Channels(ctx, u.Guild)
	if err != nil {
		return chat.Answer{}, err
	}
	anew := chat.ActionRow{Buttons: []chat.Button{{ID: u.idOf("persona create", "new"), Label: u.say.Say("persona.list.new"), Style: chat.Success}}}
	if len(people) == 0 {
		return u.inPlace(chat.Answer{Text: joined(lead, u.say.Say("persona.none")), Rows: []chat.ActionRow{anew}}), nil
	}
	main := mainOf(people)
	people = append([]persona.Persona{main}, without(people, main.ID)...)
	list := []string{u.say.Say("persona.list.title", "n", len(people), "most", guild.MaxPersonas)}
	menu := chat.Menu{ID: u.idOf("persona list", "show"), Of: chat.OfTexts, Hint: u.say.Say("persona.list.pick")}
	for _, p := range people {
		parts := []string{"**" + shown(p.Name, maxShown) + "**", u.say.Say(kindKey(p, people))}
		if len(p.Triggers) > 0 {
			parts = append(parts, u.say.Say("persona.list.called", "triggers", words(p.Triggers, 120)))
		}
		if hosted := hostedBy(p.ID, channels); len(hosted) > 0 {
			parts = append(parts, u.say.Say("persona.list.hosts", "channels", u.places(hosted, 5)))
		}
		list = append(list, "- "+strings.Join(parts, " · "))
		menu.Items = append(menu.Items, chat.MenuItem{Label: plain(p.Name, maxItem), Value: refOf(p), Hint: plain(u.say.Say(kindKey(p, people))+" · "+strings.Join(p.Triggers, ", "), maxItem)})
	}
	last := ""
	if !s.Own {
		last = "\n" + u.say.Say("persona.list.installation")
	}
	lead = joined(lead, "")
	text := lines(list, maxText-units(lead)-units(last), func(left int) string { return u.say.Count("dialog.more", left) })
	rows := u.paged(menu, u.page(0), func(page int) string { return u.idOf("persona list", "list", strconv.Itoa(page)) })
	anew.Buttons[0].Off = len(people) >= guild.MaxPersonas
	return u.inPlace(chat.Answer{Text: lead + text + last, Rows: append(rows, anew)}), nil
}

// joined puts what was done above what there is now.
func joined(lead, text string) string {
	if lead == "" {
		return text
	}
	return lead + "\n\n" + text
}

// kindKey is the text of what a persona is among people.
func kindKey(p persona.Persona, people []persona.Persona) string {
	if mainOf(people).ID == p.ID {
		return "persona.main"
	}
	return "persona.alter"
}

// meansKey is the text of what that means.
func meansKey(p persona.Persona, people []persona.Persona) string {
	if mainOf(people).ID == p.ID {
		return "persona.main_means"
	}
	return "persona.alter_means"
}

// words are triggers in a sentence.
func words(list []string, most int) string { return shown(strings.Join(list, ", "), most) }

// hostedBy are the channels in which a persona answers where nobody in particular is addressed, because somebody set it.
func hostedBy(id string, channels map[chat.ChannelID]guild.Channel) (list []chat.ChannelID) {
	for c, at := range channels {
		if at.Host == id {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return list
}

// places are channels in a sentence, some of them by name.
func (u *use) places(list []chat.ChannelID, most int) string {
	var names []string
	for _, c := range list[:min(most, len(list))] {
		names = append(names, link(c))
	}
	text := strings.Join(names, ", ")
	if left := len(list) - most; left > 0 {
		text += " " + u.say.Count("dialog.more", left)
	}
	return text
}

// personaShow opens the page of the persona that was chosen.
func (f *Front) personaShow(ctx context.Context, u *use) (chat.Answer, error) {
	ref := u.arg(0)
	if ref == "" {
		ref = u.chosen()
	}
	return u.sheet(ctx, f.Book, ref, "")
}

// sheet is the page of a persona, below what has just been done. Where the persona is gone by now, the list is shown.
func (u *use) sheet(ctx context.Context, book guild.Book, ref, lead string) (chat.Answer, error) {
	people, s, err := u.cast(ctx, book)
	if err != nil {
		return chat.Answer{}, err
	}
	n, ok := meant(people, ref)
	if !ok {
		if lead == "" {
			lead = u.say.Say("persona.left")
		}
		return u.personaList(ctx, book, lead)
	}
	channels, err := book.Channels(ctx, u.Guild)
	if err != nil {
		return chat.Answer{}, err
	}
	p := people[n]
	return u.inPlace(chat.Answer{Text: cut(joined(lead, u.sheetText(p, people, channels, s.Styles)), maxText), Rows: u.sheetRows(p, people)}), nil
}

func (u *use) sheetText(p persona.Persona, people []persona.Persona, channels map[chat.ChannelID]guild.Channel, styles map[string]guild.Style) string {
	called := u.say.Say("persona.sheet.uncalled")
	if len(p.Triggers) > 0 {
		called = u.say.Say("persona.sheet.called", "triggers", words(p.Triggers, 500))
	}
	list := []string{"**" + shown(p.Name, maxShown) + "** · " + u.say.Say(kindKey(p, people)), u.say.Say(meansKey(p, people)), called}
	if hosted := hostedBy(p.ID, channels); len(hosted) > 0 {
		list = append(list, u.say.Say("persona.sheet.hosts", "channels", u.places(hosted, 10)))
	}
	if style, own := styles[p.ID]; own {
		list = append(list, u.say.Say("config.show.humanizer", "value", u.value(styleNoted(style))))
	}
	list = append(list, u.say.Say("persona.sheet.card", "lengths", u.lengths(p, partCard)), u.say.Say("persona.sheet.instructions", "lengths", u.lengths(p, partInstructions)))
	if len(p.Lore) > 0 {
		list = append(list, u.say.Count("persona.sheet.lore", len(p.Lore)))
	}
	return strings.Join(list, "\n")
}

// lengths says how long the texts of a part of a card are.
func (u *use) lengths(p persona.Persona, part string) string {
	var list []string
	for _, e := range entriesOf(part) {
		if n := utf8.RuneCountInString(*e.of(&p)); e.id != "name" && n > 0 {
			list = append(list, u.say.Count("persona.length", n, "field", u.say.Say("persona.fields."+e.id)))
		}
	}
	if list == nil {
		return u.say.Say("persona.empty")
	}
	return strings.Join(list, " · ")
}

func (u *use) sheetRows(p persona.Persona, people []persona.Persona) []chat.ActionRow {
	ref := refOf(p)
	button := func(label string, style chat.ButtonStyle, path, step string, args ...string) chat.Button {
		return chat.Button{ID: u.idOf(path, step, append([]string{ref}, args...)...), Label: u.say.Say(label), Style: style}
	}
	main := button("persona.sheet.make_main", chat.Plain, "persona main", "make")
	main.Off = mainOf(people).ID == p.ID
	return []chat.ActionRow{{Buttons: []chat.Button{
		button("persona.sheet.edit", chat.Primary, "persona edit", "open", partCard),
		button("persona.sheet.triggers", chat.Plain, "persona triggers", "open"),
		button("persona.sheet.edit_instructions", chat.Plain, "persona edit", "open", partInstructions),
		main,
		button("persona.sheet.delete", chat.Danger, "persona delete", "ask"),
	}}, {Buttons: []chat.Button{
		button("persona.sheet.face", chat.Plain, "persona list", "face"),
		{ID: u.idOf("persona list", "list"), Label: u.say.Say("persona.sheet.list"), Style: chat.Plain},
	}}}
}
