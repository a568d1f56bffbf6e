package command

import (
	"context"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func channelRows() []row {
	return []row{
		{path: "channel show", needs: chat.ManageGuild, options: []option{oneChannel}, work: work{later: (*Back).channelShow}},
		{path: "channel always", needs: chat.ManageGuild, options: []option{{name: "on", kind: chat.OptionYesNo, required: true}, oneChannel,
			{name: "persona", kind: chat.OptionText, max: maxItem}}, complete: personaChoices(), work: work{now: (*Front).channelAlways}},
		{path: "channel prompt", needs: chat.ManageGuild, options: []option{oneChannel}, work: work{now: (*Front).channelPrompt},
			steps: map[string]work{"save": {now: (*Front).channelPromptSave}, "again": {now: (*Front).channelPromptAgain, noted: true}}},
		{path: "channel whitelist", needs: chat.ManageGuild, options: []option{
			{name: "action", kind: chat.OptionText, required: true, choices: []string{"add", "remove", "list", "clear"}}, oneChannel},
			work: work{now: (*Front).whitelist}, steps: map[string]work{
				"close": {now: (*Front).whitelistClose}, "list": {now: (*Front).whitelistList}, "off": {now: (*Front).whitelistOff},
				"clear": {now: (*Front).whitelistClear},
			}},
	}
}

// oneChannel is the option that says which channel is meant; without it, this one.
var oneChannel = option{name: "channel", kind: chat.OptionPlace, channels: talkable}

// place is the channel that a command or a step is about: its option, or the first argument of the custom id; else this one.
func (u *use) place() chat.ChannelID {
	id := u.Option("channel")
	if u.step != "" {
		id = long(u.arg(0))
	}
	if id == "" {
		return u.Channel
	}
	return chat.ChannelID(id)
}

// link is how a channel stands in a text.
func link(c chat.ChannelID) string { return "<#" + string(c) + ">" }

// channelAlways lets every message of a channel be answered, or those alone that address somebody, and says who answers there.
func (f *Front) channelAlways(ctx context.Context, u *use) (chat.Answer, error) {
	in, on := u.place(), u.Option("on") == "true"
	people, _, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.change(ctx, f.Book, in, func(s *guild.Settings, at *guild.Channel, note *guild.Change) error {
		if s.Own {
			people = s.Personas
		}
		before := *at
		if at.Always = on; u.Option("persona") != "" {
			n, ok := meant(people, u.Option("persona"))
			if !ok {
				return u.gone()
			}
			at.Host = people[n].ID
		}
		if *at == before {
			return guild.ErrSame
		}
		note.Was, note.Is = notedHost(before, people), notedHost(*at, people)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	text := u.say.Say("channel.always.done", "channel", link(in), "is", u.hosted(c.Is), "was", u.hosted(c.Was))
	return chat.Answer{Text: strings.Join(append([]string{text}, u.butHere(s, in)...), "\n")}, nil
}

// hosted says what notedHost notes.
func (u *use) hosted(noted string) string {
	how, name, _ := strings.Cut(noted, ":")
	name = strings.TrimSpace(name)
	switch always := how == notedAlways; {
	case always && name == "":
		return u.say.Say("channel.always.always_nobody")
	case name == "":
		return u.say.Say("channel.always.addressed_nobody")
	case always:
		return u.say.Say("channel.always.always", "name", shown(name, maxShown))
	}
	return u.say.Say("channel.always.addressed", "name", shown(name, maxShown))
}

// butHere is what else people should know about a channel after something of it was changed.
func (u *use) butHere(s guild.Settings, in chat.ChannelID) (list []string) {
	if s.Closed(in) {
		list = append(list, u.say.Say("channel.closed"))
	}
	if in == u.Channel && u.Thread {
		list = append(list, u.say.Say("channel.thread"))
	}
	if in == u.Channel && !u.BotMay.Allow(u.speaking()) {
		list = append(list, u.say.Say("channel.silenced", "permissions", strings.Join(lacks(u.BotMay, u.Thread), ", ")))
	}
	return list
}

// promptForm is the form for what personas are told in a channel.
func (u *use) promptForm(in chat.ChannelID, prompt string) chat.Modal {
	return chat.Modal{ID: u.id("save", short(string(in))), Title: u.say.Say("channel.prompt.title"), Fields: []chat.Field{{
		ID: "prompt", Label: u.say.Say("channel.prompt.label"), Hint: u.say.Say("channel.prompt.hint"), Example: u.say.Say("channel.prompt.example"),
		Value: fit(prompt, maxField), Long: true, Max: guild.MaxPrompt}}}
}

// channelPrompt opens the form, filled in as it is.
func (f *Front) channelPrompt(ctx context.Context, u *use) (chat.Answer, error) {
	at, err := f.Book.Channel(ctx, u.Guild, u.place())
	if err != nil {
		return chat.Answer{}, err
	}
	form := u.promptForm(u.place(), at.Prompt)
	return chat.Answer{Modal: &form}, nil
}

// channelPromptAgain opens the form as it was when it was refused; the channel is its second argument.
func (f *Front) channelPromptAgain(ctx context.Context, u *use) (chat.Answer, error) {
	return u.reopened(ctx, f.Book, u.promptForm(chat.ChannelID(long(u.arg(1))), ""))
}

// channelPromptSave keeps what was written; nothing written removes it.
func (f *Front) channelPromptSave(ctx context.Context, u *use) (chat.Answer, error) {
	in, prompt := u.place(), tidy(u.Field("prompt"))
	if units(prompt) > guild.MaxPrompt {
		return u.refused(ctx, f.Book, []string{u.say.Say("channel.prompt.long", "most", guild.MaxPrompt)}, "again", u.arg(0))
	}
	c, err := u.change(ctx, f.Book, in, func(_ *guild.Settings, at *guild.Channel, note *guild.Change) error {
		if at.Prompt == prompt {
			return guild.ErrSame
		}
		note.Was, note.Is = plain(at.Prompt, notedText), plain(prompt, notedText)
		at.Prompt = prompt
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	text := u.say.Say("channel.prompt.done", "channel", link(in), "is", u.orNothing(c.Is), "was", u.orNothing(c.Was))
	return chat.Answer{Text: strings.Join(append([]string{text}, u.butHere(s, in)...), "\n")}, nil
}

// notedText is how much of a text the notes hold: enough to know it again.
const notedText = 120

// orNothing is a text as it was typed, or the word for none.
func (u *use) orNothing(text string) string {
	if text == "" {
		return u.say.Say("value.nothing")
	}
	return shown(text, lineLength)
}

// channelShow says all that counts in a channel, and where each of it comes from.
func (b *Back) channelShow(ctx context.Context, u *use) (chat.Answer, error) {
	in := u.place()
	people, s, err := u.cast(ctx, b.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	installation, err := b.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	at, err := b.Book.Channel(ctx, u.Guild, in)
	if err != nil {
		return chat.Answer{}, err
	}
	list := []string{u.say.Say("channel.show.title", "channel", link(in))}
	list = append(list, u.answering(s, at, in, people)...)
	list = append(list, u.say.Say("channel.show.prompt", "prompt", u.orNothing(plain(at.Prompt, 3*notedText))))
	list = append(list, u.manner(s, installation)...)
	list = append(list, b.speech(ctx, u, in))
	return chat.Answer{Text: u.listed(list)}, nil
}

// answering says who answers in a channel, and when.
func (u *use) answering(s guild.Settings, at guild.Channel, in chat.ChannelID, people []persona.Persona) []string {
	list := []string{u.hosted(notedHost(at, people))}
	if host, ok := (persona.Cast{Personas: people}).ByID(at.Host); ok {
		list[0] += " " + u.say.Say("channel.show.own", "name", shown(host.Name, maxShown))
	}
	switch {
	case len(s.Whitelist) == 0:
		list = append(list, u.say.Say("channel.show.open"))
	case slices.Contains(s.Whitelist, in):
		list = append(list, u.say.Say("channel.show.listed"))
	default:
		list = append(list, u.say.Say("channel.closed"))
	}
	if in == u.Channel && u.Thread {
		list = append(list, u.say.Say("channel.thread"))
	}
	return list
}

// speech says whether the bot may speak in a channel.
func (b *Back) speech(ctx context.Context, u *use, in chat.ChannelID) string {
	may, thread := u.BotMay, u.Thread
	if in != u.Channel {
		rights, err := bounded(ctx, func(ctx context.Context) (map[chat.ChannelID]chat.Permissions, error) {
			return b.Checks.Rights(ctx, u.Guild, []chat.ChannelID{in})
		})
		var there bool
		if may, there = rights[in]; err != nil {
			return u.say.Say("channel.show.unsaid")
		} else if !there {
			return u.say.Say("channel.show.gone")
		}
		thread = false
	}
	if missing := lacks(may, thread); len(missing) > 0 {
		return u.say.Say("channel.silenced", "permissions", strings.Join(missing, ", "))
	}
	return u.say.Say("channel.show.speaks")
}
