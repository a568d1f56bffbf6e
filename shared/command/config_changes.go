package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// changesShown is how many changes stand on a page.
const changesShown = 10

// configChanges lists who changed what, the newest first; the argument of the step is what the book goes on with.
func (f *Front) configChanges(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	after := u.arg(0)
	list, next, err := f.Book.Changes(ctx, u.Guild, after, changesShown)
	if err != nil {
		return chat.Answer{}, err
	}
	if len(list) == 0 && after == "" {
		return u.inPlace(u.text("config.changes.none", "days", int(guild.ChangeLife.Hours()/24))), nil
	}
	text := []string{u.say.Say("config.changes.title")}
	for _, c := range list {
		text = append(text, u.noted(c))
	}
	a := chat.Answer{Text: u.listed(text)}
	if after != "" || next != "" {
		a.Rows = []chat.ActionRow{{Buttons: []chat.Button{
			{ID: u.id("page", "", "newest"), Label: u.say.Say("config.changes.newest"), Style: chat.Plain, Off: after == ""},
			{ID: u.id("page", next, "older"), Label: u.say.Say("config.changes.older"), Style: chat.Plain, Off: next == ""},
		}}}
	}
	return u.inPlace(a), nil
}

// notedMost is how long one side of a change may be in the list: ten changes fit into an answer.
const notedMost = 45

// noted is a change on a line: when, who, what, and what it was before. Mentions notify nobody.
func (u *use) noted(c guild.Change) string {
	about := []string{fmt.Sprintf("<t:%d:R> <@%s> `/%s`", c.At.Unix(), c.By, c.What)}
	if c.In != "" {
		about = append(about, link(c.In))
	}
	if role, ok := strings.CutPrefix(c.On, "<@&"); ok && strings.Trim(role, "0123456789") == ">" {
		about = append(about, c.On)
	} else if c.What == setupPath && slices.Contains(setupSteps, c.On) {
		about = append(about, u.say.Say("setup.names."+c.On))
	} else if c.On != "" {
		about = append(about, shown(c.On, 30))
	}
	line := strings.Join(about, " ")
	side := func(word string) string { return cut(u.value(plain(word, notedMost)), 2*notedMost) }
	switch {
	case c.Was == "" && c.Is == "":
	case c.Was == c.Is: // somebody said that it is to stay so
		line += ": " + side(c.Is)
	default:
		line += ": " + u.say.Say("config.changes.step", "was", side(c.Was), "is", side(c.Is))
	}
	return line
}

// configReset asks before the settings of this command go back to what they were in the beginning.
func (f *Front) configReset(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	if manners(s) == manners(guild.Settings{}) {
		return u.text("config.reset.nothing"), nil
	}
	return u.confirm(u.say.Say("config.reset.ask", "was", u.mannersNoted(manners(s))), u.say.Say("config.reset.button"), "sure"), nil
}

// manners are the settings of this command in the words of the notes, without the roles: these only who manages the server changes.
func manners(s guild.Settings) string {
	return strings.Join([]string{styleNoted(s.Style()), cmp.Or(s.Language, defaultWord), streamingWord(s.Whole, s.Fresh), limitsNoted(s.Limits), draftingWord(s.Drafting),
		onOff(s.Controls), onOff(s.Expressions)}, " / ")
}

// mannersNoted says, a line each, those that are not the default.
func (u *use) mannersNoted(noted string) string {
	keys := []string{"config.show.humanizer", "config.show.language", "config.show.streaming", "config.show.reply", "config.show.history", "config.show.daily",
		"config.show.messages", "config.show.drafting", "config.show.controls", "config.show.expressions"}
	usual := map[int]string{2: onWord, 7: offWord, 8: offWord, 9: offWord}
	var list []string
	for n, word := range strings.Split(noted, " / ") {
		if n < len(keys) && word != defaultWord && word != usual[n] {
			list = append(list, "- "+u.say.Say(keys[n], "value", u.value(word)))
		}
	}
	return strings.Join(list, "\n")
}

func (f *Front) configResetSure(ctx context.Context, u *use) (chat.Answer, error) {
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if note.Was, note.Is = manners(*s), manners(guild.Settings{}); note.Was == note.Is {
			return guild.ErrSame
		}
		s.Humanizer, s.Custom, s.Language, s.Whole, s.Fresh, s.Limits, s.Drafting = "", guild.Toggles{}, "", false, false, guild.Limits{}, guild.Drafting{}
		s.Controls, s.Expressions = false, false
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.inPlace(chat.Answer{Text: u.say.Say("config.reset.done", "was", u.mannersNoted(c.Was))}), nil
}
