package command

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func helpRows() []row {
	return []row{{path: "help", dms: true, work: work{now: (*Front).help},
		options:  []option{{name: "command", kind: chat.OptionText, max: 64}},
		complete: map[string]completion{"command": (*Front).commands}}}
}

// group is the command that a row belongs to, as Discord lists them.
func (r row) group() string {
	name, _, _ := strings.Cut(r.path, " ")
	return name
}

// usable tells which rows this person may use here, and what the server has set.
func (f *Front) usable(ctx context.Context, u *use) (func(row) bool, error) {
	var s guild.Settings
	if u.Guild != "" && f.Book != nil {
		var err error
		if s, err = f.Book.Settings(ctx, u.Guild); err != nil {
			return nil, err
		}
		u.language(s)
	}
	return func(r row) bool { return mayNot(u.Interaction, r, s) == "" }, nil
}

// help lists what there is, or says all about one command.
func (f *Front) help(ctx context.Context, u *use) (chat.Answer, error) {
	usable, err := f.usable(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	asked := strings.TrimPrefix(strings.Join(strings.Fields(strings.ToLower(u.Option("command"))), " "), "/")
	if asked == "" {
		return chat.Answer{Text: u.overview(usable)}, nil
	}
	var rows []row
	for _, r := range slices.Concat(table()...) {
		if r.path == asked || r.group() == asked {
			rows = append(rows, r)
		}
	}
	switch {
	case len(rows) == 0:
		return u.text("help.unknown", "command", shown(asked, 64)), nil
	case len(rows) == 1 && rows[0].path == asked:
		return chat.Answer{Text: u.manual(rows[0], usable(rows[0]))}, nil
	}
	list := []string{u.say.Say("help.group", "command", "**/"+asked+"**", "about", u.say.Say("commands."+asked+".about"))}
	for _, r := range rows {
		list = append(list, u.line(usable(r), "/"+r.path, u.say.Say(r.key("about"))))
	}
	return chat.Answer{Text: u.listed(append(list, u.say.Say("help.more")))}, nil
}

// overview has a line for every group.
func (u *use) overview(usable func(row) bool) string {
	list := []string{u.say.Say("help.intro")}
	locked := false
	for _, rows := range table() {
		for len(rows) > 0 {
			n := 1
			for n < len(rows) && rows[n].group() == rows[0].group() {
				n++
			}
			may := slices.ContainsFunc(rows[:n], usable)
			about := u.say.Say("commands." + rows[0].group() + ".about")
			if below := belows(rows[:n]); below != "" {
				about += " (" + below + ")"
			}
			list, locked = append(list, u.line(may, "/"+rows[0].group(), about)), locked || !may
			rows = rows[n:]
		}
	}
	if locked {
		list = append(list, u.say.Say("help.locked"))
	}
	var names []string
	for _, r := range menuRows() {
		names = append(names, u.say.Say(r.key("name")))
	}
	list = append(list, u.say.Say("help.menu", "names", strings.Join(names, ", ")))
	return u.listed(append(list, u.say.Say("help.more")))
}

// belows names the commands below a group.
func belows(rows []row) string {
	var names []string
	for _, r := range rows {
		if _, below, ok := strings.Cut(r.path, " "); ok {
			names = append(names, below)
		}
	}
	return strings.Join(names, ", ")
}

// line is a command and what it is for.
func (u *use) line(may bool, name, about string) string {
	sign := ""
	if !may {
		sign = "🔒 "
	}
	return sign + u.say.Say("help.line", "command", "`"+name+"`", "about", about)
}

// listed is a list in an answer, which says how many of its lines had no room.
func (u *use) listed(list []string) string {
	return lines(list, maxText, func(left int) string { return u.say.Count("dialog.more", left) })
}

// manual is all about one command.
func (u *use) manual(r row, may bool) string {
	list := []string{u.say.Say("help.group", "command", "**/"+r.path+"**", "about", u.say.Say(r.key("about")))}
	if !may {
		list = append(list, u.say.Say("help.not_you"))
	}
	switch {
	case r.strict:
		list = append(list, u.say.Say("help.needs_strict", "permission", nameOf(r.needs)))
	case r.needs != 0:
		list = append(list, u.say.Say("help.needs", "permission", nameOf(r.needs)))
	}
	if r.dms {
		list = append(list, u.say.Say("help.everywhere"))
	}
	for _, o := range r.options {
		list = append(list, "- "+u.say.Say("help.line", "command", "`"+o.name+"`", "about", u.say.Say(r.key("options."+o.name))+u.bounds(r, o)))
	}
	return u.listed(list)
}

// bounds is what may be given for an option.
func (u *use) bounds(r row, o option) string {
	var notes []string
	if o.required {
		notes = append(notes, u.say.Say("help.required"))
	}
	if len(o.choices) > 0 {
		var names []string
		for _, c := range o.choices {
			names = append(names, u.say.Say(r.key("choices."+o.name+"."+c)))
		}
		notes = append(notes, strings.Join(names, " / "))
	}
	if o.kind == chat.OptionNumber && (o.min != 0 || o.max != 0) {
		notes = append(notes, strconv.Itoa(o.min)+"–"+strconv.Itoa(o.max))
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// commands completes the name of a command, with its slash or without.
func (f *Front) commands(_ context.Context, u *use) ([]chat.Choice, error) {
	var all []chat.Choice
	for _, rows := range table() {
		for n, r := range rows {
			if g := r.group(); g != r.path && (n == 0 || rows[n-1].group() != g) {
				all = append(all, chat.Choice{Name: g, Value: g})
			}
			all = append(all, chat.Choice{Name: r.path, Value: r.path})
		}
	}
	list := complete(all, strings.TrimPrefix(strings.TrimSpace(u.Option(u.Focused)), "/"))
	for n := range list {
		list[n].Name = "/" + list[n].Value
	}
	return list, nil
}
