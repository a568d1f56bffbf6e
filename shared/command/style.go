package command

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// wholeWord is the portion guild.ByReply for people.
const wholeWord = "whole"

// styleOptions are what a style is made of: its name, and what is to be otherwise. others are choices besides the names.
func styleOptions(others ...string) []option {
	names := others
	for _, h := range guild.Humanizers {
		names = append(names, string(h))
	}
	return []option{
		{name: "style", kind: chat.OptionText, required: true, choices: append(names, string(guild.Custom))},
		{name: "messages", kind: chat.OptionText, choices: []string{wholeWord, string(guild.ByParagraph), string(guild.BySentence)}},
		{name: "typing", kind: chat.OptionYesNo},
		{name: "casual", kind: chat.OptionYesNo},
	}
}

// style reads the options: what is named, or what was, with what is to be otherwise.
func (u *use) style(was guild.Style) (guild.Style, error) {
	named := guild.Style{Humanizer: guild.Humanizer(u.Option("style"))}
	messages, typing, casual := u.Option("messages"), u.Option("typing"), u.Option("casual")
	switch {
	case named.Humanizer == guild.Custom && messages+typing+casual == "":
		return was, no("config.custom")
	case named.Humanizer == guild.Custom:
		named = was
	case !slices.Contains(guild.Humanizers, named.Humanizer):
		return was, no("config.unknown")
	}
	is := named.Toggles()
	switch messages {
	case "":
	case wholeWord:
		is.By = guild.ByReply
	case string(guild.ByParagraph), string(guild.BySentence):
		is.By = guild.Portion(messages)
	default:
		return was, no("config.unknown")
	}
	if typing != "" {
		is.Typing = typing == "true"
	}
	if casual != "" {
		is.Casual = casual == "true"
	}
	return is.Style(), nil
}

// styleNoted is what the notes say of a style; toggles says it to people.
func styleNoted(s guild.Style) string {
	if s.Humanizer != guild.Custom {
		return cmp.Or(string(s.Humanizer), defaultWord)
	}
	list := []string{cmp.Or(string(s.Custom.By), wholeWord)}
	if s.Custom.Typing {
		list = append(list, "typing")
	}
	if s.Custom.Casual {
		list = append(list, "casual")
	}
	return string(guild.Custom) + ":" + strings.Join(list, "+")
}

// toggles says toggles, as the notes have them.
func (u *use) toggles(noted string) string {
	var list []string
	for _, word := range strings.Split(noted, "+") {
		switch word {
		case wholeWord, string(guild.ByParagraph), string(guild.BySentence), "typing", "casual":
			list = append(list, u.say.Say("value.toggles."+word))
		}
	}
	return u.say.Say("value.custom", "toggles", strings.Join(list, ", "))
}

func (f *Front) configHumanizer(ctx context.Context, u *use) (chat.Answer, error) {
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		was := s.Style()
		is, err := u.style(was)
		if err != nil || is == was {
			return cmp.Or(err, guild.ErrSame)
		}
		s.Humanizer, s.Custom = is.Humanizer, is.Custom
		note.Was, note.Is = styleNoted(was), styleNoted(is)
		return nil
	})
	return u.changed(ctx, f, "config.humanizer", c, err)
}

// personaHumanizer gives a persona a style of its own, or the server's again.
func (f *Front) personaHumanizer(ctx context.Context, u *use) (chat.Answer, error) {
	installation, err := f.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		people := s.Personas
		if !s.Own {
			people = installation.Personas
		}
		n, ok := meant(people, u.whom())
		if !ok {
			return u.gone()
		}
		id := people[n].ID
		was, own := s.Styles[id]
		note.On, note.Was, note.Is = people[n].Name, serverWord, serverWord
		if own {
			note.Was = styleNoted(was)
		} else {
			was = s.Style()
		}
		styles := maps.Clone(s.Styles)
		if u.Option("style") == serverWord {
			delete(styles, id)
		} else {
			is, err := u.style(was)
			if err != nil {
				return err
			}
			if note.Is = styleNoted(is); styles == nil {
				styles = map[string]guild.Style{}
			}
			styles[id] = is
		}
		if s.Styles = styles; note.Was == note.Is {
			return guild.ErrSame
		}
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.sheet(ctx, f.Book, u.whom(), u.say.Say("persona.humanizer", "name", shown(c.On, maxShown), "is", u.value(c.Is), "was", u.value(c.Was)))
}
