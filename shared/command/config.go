package command

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
)

// autoLanguage is the choice of speaking to each in their own language, and to all in the server's.
const autoLanguage = "auto"

func configRows() []row {
	return []row{
		{path: "config show", needs: chat.ManageGuild, work: work{now: (*Front).configShow}},
		{path: "config humanizer", needs: chat.ManageGuild, work: work{now: (*Front).configHumanizer}, options: styleOptions()},
		{path: "config language", needs: chat.ManageGuild, work: work{now: (*Front).configLanguage}, options: []option{
			{name: "language", kind: chat.OptionText, required: true, choices: languageChoices(locale.Languages())}}},
		{path: "config streaming", needs: chat.ManageGuild, work: work{now: (*Front).configStreaming},
			options: []option{{name: "mode", kind: chat.OptionText, required: true, choices: []string{onWord, offWord, freshWord}}}},
		{path: "config drafting", needs: chat.ManageGuild, work: work{now: (*Front).configDrafting},
			options: []option{{name: "set", kind: chat.OptionText, required: true, choices: []string{onWord, offWord, instructionsWord}}},
			steps:   map[string]work{"save": {now: (*Front).configDraftingSave}, "again": {now: (*Front).configDraftingAgain, noted: true}}},
		{path: "config controls", needs: chat.ManageGuild, work: work{now: (*Front).configControls},
			options: []option{{name: "on", kind: chat.OptionYesNo, required: true}}},
		{path: "config expressions", needs: chat.ManageGuild, work: work{now: (*Front).configExpressions},
			options: []option{{name: "on", kind: chat.OptionYesNo, required: true}}},
		{path: "config limits", needs: chat.ManageGuild, work: work{now: (*Front).configLimits},
			steps: map[string]work{"save": {now: (*Front).configLimitsSave}, "again": {now: (*Front).configLimitsAgain, noted: true}}},
		{path: "config admins", needs: chat.ManageGuild, strict: true, work: work{now: (*Front).configAdmins}, options: []option{
			{name: "action", kind: chat.OptionText, required: true, choices: []string{"add", "remove"}}, {name: "role", kind: chat.OptionRole, required: true}}},
		{path: "config changes", needs: chat.ManageGuild, work: work{now: (*Front).configChanges}, steps: map[string]work{"page": {now: (*Front).configChanges}}},
		{path: "config reset", needs: chat.ManageGuild, work: work{now: (*Front).configReset}, steps: map[string]work{"sure": {now: (*Front).configResetSure}}},
	}
}

func languageChoices(all []locale.Language) []string {
	list := []string{autoLanguage}
	for _, l := range all {
		list = append(list, string(l))
	}
	return list
}

// Words in the notes that stand for themselves in no language; value says them.
const (
	onWord      = "on"
	offWord     = "off"
	freshWord   = "fresh"
	defaultWord = "default"
	serverWord  = "server"
)

// value says a word of the notes, or shows what people named.
func (u *use) value(word string) string {
	switch word {
	case "":
		return u.say.Say("value.nothing")
	case houseName:
		return u.say.Say("provider.house")
	case onWord, offWord, freshWord, instructionsWord, defaultWord, serverWord, autoLanguage, notedAlways, notedAddressed:
		return u.say.Say("value." + word)
	}
	if slices.Contains(guild.Humanizers, guild.Humanizer(word)) || word == string(guild.Custom) {
		return u.say.Say("setup.humanizer." + word + ".name")
	}
	if toggles, ok := strings.CutPrefix(word, string(guild.Custom)+":"); ok {
		return u.toggles(toggles)
	}
	for _, l := range locale.Languages() {
		if word == string(l) {
			return l.Name()
		}
	}
	if how, name, ok := strings.Cut(word, ":"); ok && (how == notedAlways || how == notedAddressed) {
		return u.value(how) + ": " + u.value(strings.TrimSpace(name))
	}
	return shown(word, notedText)
}

// set changes one setting of the server, and says what it was before. is and was are words of the notes.
func (u *use) set(ctx context.Context, f *Front, key string, edit func(*guild.Settings) (was, is string)) (chat.Answer, error) {
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if note.Was, note.Is = edit(s); note.Was == note.Is {
			return guild.ErrSame
		}
		return nil
	})
	return u.changed(ctx, f, key, c, err)
}

// changed says what a setting has become, and what it was.
func (u *use) changed(ctx context.Context, f *Front, key string, c guild.Change, err error) (chat.Answer, error) {
	if err != nil {
		return u.declined(err)
	}
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	return u.inPlace(chat.Answer{Text: u.say.Say(key, "is", u.value(c.Is), "was", u.value(c.Was))}), nil
}

func (f *Front) configLanguage(ctx context.Context, u *use) (chat.Answer, error) {
	language := u.Option("language")
	if !slices.Contains(languageChoices(locale.Languages()), language) {
		return u.declined(no("config.unknown"))
	}
	return u.set(ctx, f, "config.language", func(s *guild.Settings) (was, is string) {
		was = cmp.Or(s.Language, autoLanguage)
		if s.Language = language; language == autoLanguage {
			s.Language = ""
		}
		return was, language
	})
}

func (f *Front) configStreaming(ctx context.Context, u *use) (chat.Answer, error) {
	mode := u.Option("mode")
	if mode != onWord && mode != offWord && mode != freshWord {
		return u.declined(no("config.unknown"))
	}
	return u.set(ctx, f, "config.streaming", func(s *guild.Settings) (was, is string) {
		was, s.Whole, s.Fresh = streamingWord(s.Whole, s.Fresh), mode == offWord, mode == freshWord
		return was, mode
	})
}

func (f *Front) configControls(ctx context.Context, u *use) (chat.Answer, error) {
	return u.set(ctx, f, "config.controls", func(s *guild.Settings) (was, is string) {
		was, s.Controls = onOff(s.Controls), u.Option("on") == "true"
		return was, onOff(s.Controls)
	})
}

// configExpressions lets personas use the server's emoji and stickers, or no longer.
func (f *Front) configExpressions(ctx context.Context, u *use) (chat.Answer, error) {
	return u.set(ctx, f, "config.expressions", func(s *guild.Settings) (was, is string) {
		was, s.Expressions = onOff(s.Expressions), u.Option("on") == "true"
		return was, onOff(s.Expressions)
	})
}

// onOff is whether something is so, as the notes say it.
func onOff(is bool) string {
	if is {
		return onWord
	}
	return offWord
}

// streamingWord is how replies are shown, as the notes say it.
func streamingWord(whole, fresh bool) string {
	switch {
	case whole:
		return offWord
	case fresh:
		return freshWord
	}
	return onWord
}

// configAdmins lets the members of a role set everything up, or no longer. Only those may who need no such role themselves.
func (f *Front) configAdmins(ctx context.Context, u *use) (chat.Answer, error) {
	role, add := u.Option("role"), u.Option("action") == "add"
	if role == u.Guild { // of everybody, which Discord gives the id of the server
		return u.declined(no("config.admins.everyone"))
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		note.Was = rolesNoted(s.Admins)
		switch has := slices.Contains(s.Admins, role); {
		case has == add:
			return guild.ErrSame
		case !add:
			s.Admins = slices.DeleteFunc(slices.Clone(s.Admins), func(r string) bool { return r == role })
		case len(s.Admins) >= guild.MaxRoles:
			return no("config.admins.full", "most", guild.MaxRoles)
		default:
			s.Admins = append(slices.Clone(s.Admins), role)
		}
		note.On, note.Is = "<@&"+role+">", rolesNoted(s.Admins)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	key := "config.admins.removed"
	if add {
		key = "config.admins.added"
	}
	return chat.Answer{Text: u.say.Say(key, "role", "<@&"+role+">", "is", u.roles(s.Admins), "was", u.count(c.Was))}, nil
}

// rolesNoted is what the notes say of a list of roles: how many they are.
func rolesNoted(roles []string) string { return strconv.Itoa(len(roles)) }

// count says how many roles there were.
func (u *use) count(noted string) string { return u.say.Count("config.admins.roles", number(noted)) }

// roles are the roles as mentions, which notify nobody.
func (u *use) roles(ids []string) string {
	if len(ids) == 0 {
		return u.say.Say("config.admins.none")
	}
	var list []string
	for _, id := range ids {
		list = append(list, "<@&"+id+">")
	}
	return strings.Join(list, " ")
}

// manner says how replies are made in a server, each with where it comes from.
func (u *use) manner(s, installation guild.Settings) []string {
	own := func(key, value string, isOwn bool) string {
		if !isOwn && value != u.value(defaultWord) {
			value = u.say.Say("config.show.default", "value", value)
		}
		return u.say.Say(key, "value", value)
	}
	model := u.say.Say("provider.house")
	if p := s.Uses(); p != nil {
		model = shown(p.Name, maxShown)
		if p.Model != "" {
			model += " · " + shown(p.Model, notedText)
		}
	}
	style := s.Style()
	if style.Humanizer == "" {
		style = cmp.Or(installation.Style(), guild.Style{Humanizer: guild.None})
	}
	return []string{
		own("config.show.model", model, s.Uses() != nil),
		own("config.show.humanizer", u.value(styleNoted(style)), s.Humanizer != ""),
		own("config.show.streaming", u.value(streamingWord(s.Whole || installation.Whole && !s.Fresh, s.Fresh || installation.Fresh)), s.Whole || s.Fresh),
		own("config.show.controls", u.value(onOff(s.Controls || installation.Controls)), s.Controls),
		own("config.show.reply", u.limit(cmp.Or(s.Limits.Reply, installation.Limits.Reply)), s.Limits.Reply != 0),
		own("config.show.history", u.limit(cmp.Or(s.Limits.History, installation.Limits.History)), s.Limits.History != 0),
		own("config.show.daily", u.limit(cmp.Or(s.Limits.Daily, installation.Limits.Daily)), s.Limits.Daily != 0),
		own("config.show.drafting", u.value(draftingWord(cmp.Or(s.Drafting, installation.Drafting))), s.Drafting.On),
		own("config.show.expressions", u.value(onOff(s.Expressions)), true),
		own("config.show.messages", u.limit(cmp.Or(s.Limits.Messages, installation.Limits.Messages)), s.Limits.Messages != 0),
	}
}

// limit says a number; 0 is whatever the bot does by itself.
func (u *use) limit(n int) string {
	if n == 0 {
		return u.value(defaultWord)
	}
	return strconv.Itoa(n)
}

// configShow lists everything that is set for the server.
func (f *Front) configShow(ctx context.Context, u *use) (chat.Answer, error) {
	people, s, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	installation, err := f.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	var names []string
	for _, p := range people {
		names = append(names, shown(p.Name, maxItem))
	}
	lives := cut(strings.Join(names, ", "), 600)
	if len(names) == 0 {
		lives = u.say.Say("value.nothing")
	} else if !s.Own {
		lives = u.say.Say("config.show.default", "value", lives)
	}
	list := append([]string{u.say.Say("config.show.title"), u.say.Say("config.show.people", "value", lives)}, u.manner(s, installation)...)
	language := u.say.Say("config.show.default", "value", u.value(autoLanguage))
	if s.Language != "" {
		language = u.value(s.Language)
	}
	open := u.say.Say("config.show.everywhere")
	if n := len(s.Whitelist); n > 0 {
		open = u.say.Count("config.show.only", n)
	}
	list = append(list, u.say.Say("config.show.language", "value", language), u.say.Say("config.show.channels", "value", open),
		u.say.Say("config.show.admins", "permission", nameOf(chat.ManageGuild), "value", u.roles(s.Admins)), u.say.Say("config.show.more"))
	return chat.Answer{Text: u.listed(list)}, nil
}
