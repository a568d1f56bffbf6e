package discord_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

func named(name, more string) string { return `{"name":"` + name + `","description":"d"` + more + `}` }

func withOptions(options ...string) string {
	return named("a", `,"options":[`+strings.Join(options, ",")+`]`)
}

// TestCommandRules is what a command may be, each with Discord's complaint at its place.
func TestCommandRules(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	text := func(name, more string) string {
		return `{"type":3,"name":"` + name + `","description":"d"` + more + `}`
	}
	many := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = text(fmt.Sprintf("o%d", i), "")
		}
		return strings.Join(all, ",")
	}
	choices := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"name":"n%d","value":"v%d"}`, i, i)
		}
		return `,"choices":[` + strings.Join(all, ",") + `]`
	}
	big := strings.Repeat("d", 100)
	huge := make([]string, 20)
	for i := range huge {
		huge[i] = fmt.Sprintf(`{"type":3,"name":"o%d","description":"%s","choices":[{"name":"%s","value":"%s"},{"name":"x","value":"%s"}]}`, i, big, big, big, strings.Repeat("v", 110))
	}
	sub := `{"type":1,"name":"s","description":"d"}`
	for name, c := range map[string]struct{ command, want string }{
		"plain":                       {named("greet", ""), ""},
		"other scripts":               {named("挨拶-हिन्दी_x'1", ""), ""},
		"no name":                     {`{"description":"d"}`, "0.name BASE_TYPE_REQUIRED"},
		"33 characters":               {named(strings.Repeat("é", 33), ""), "0.name BASE_TYPE_BAD_LENGTH"},
		"upper case":                  {named("Greet", ""), "0.name APPLICATION_COMMAND_INVALID_NAME"},
		"a space":                     {named("say hi", ""), "0.name APPLICATION_COMMAND_INVALID_NAME"},
		"no description":              {`{"name":"a"}`, "0.description BASE_TYPE_REQUIRED"},
		"a description of 101":        {`{"name":"a","description":"` + big + `x"}`, "0.description BASE_TYPE_BAD_LENGTH"},
		"a menu with description":     {`{"name":"Look At","type":2,"description":"d"}`, "0.description APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID"},
		"a menu":                      {`{"name":"Look At","type":2}`, ""},
		"type 9":                      {named("a", `,"type":9`), "0.type BASE_TYPE_CHOICES"},
		"25 options":                  {withOptions(many(25)), ""},
		"26 options":                  {withOptions(many(26)), "0.options BASE_TYPE_MAX_LENGTH"},
		"an option twice":             {withOptions(text("x", ""), text("x", "")), "0.options.1.name APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"},
		"required after optional":     {withOptions(text("x", ""), text("y", `,"required":true`)), "0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
		"required in a subcommand":    {withOptions(`{"type":1,"name":"s","description":"d","options":[` + text("x", "") + "," + text("y", `,"required":true`) + `]}`), "0.options.0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
		"25 choices":                  {withOptions(text("x", choices(25))), ""},
		"26 choices":                  {withOptions(text("x", choices(26))), "0.options.0.choices BASE_TYPE_MAX_LENGTH"},
		"choices and autocomplete":    {withOptions(text("x", choices(1)+`,"autocomplete":true`)), "0.options.0.choices APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES"},
		"a number among texts":        {withOptions(text("x", `,"choices":[{"name":"a","value":1}]`)), "0.options.0.choices.0.value BASE_TYPE_CONVERT"},
		"half an integer":             {withOptions(`{"type":4,"name":"x","description":"d","choices":[{"name":"a","value":1.5}]}`), "0.options.0.choices.0.value NUMBER_TYPE_COERCE"},
		"autocomplete of a user":      {withOptions(`{"type":6,"name":"x","description":"d","autocomplete":true}`), "0.options.0.autocomplete APPLICATION_COMMAND_OPTION_FIELD_INVALID"},
		"max_length of 6001":          {withOptions(text("x", `,"max_length":6001`)), "0.options.0.max_length NUMBER_TYPE_RANGE"},
		"subcommand beside option":    {withOptions(sub, text("x", "")), "0.options.1 APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
		"a group":                     {withOptions(`{"type":2,"name":"g","description":"d","options":[` + sub + `]}`), ""},
		"an option in a group":        {withOptions(`{"type":2,"name":"g","description":"d","options":[` + text("x", "") + `]}`), "0.options.0.options.0.type APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
		"a subcommand in such":        {withOptions(`{"type":1,"name":"g","description":"d","options":[` + sub + `]}`), "0.options.0.options.0.type APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
		"8,001 characters and more":   {withOptions(huge...), "0 APPLICATION_COMMAND_TOO_LARGE"},
		"a wrong language":            {named("a", `,"name_localizations":{"xx":"a"}`), "0.name_localizations.xx BASE_TYPE_CHOICES"},
		"a wrong translation":         {named("a", `,"name_localizations":{"de":"Gruß Gott"}`), "0.name_localizations.de APPLICATION_COMMAND_INVALID_NAME"},
		"no contexts":                 {named("a", `,"contexts":[]`), "0.contexts BASE_TYPE_MIN_LENGTH"},
		"a context twice":             {named("a", `,"contexts":[0,0]`), "0.contexts SET_TYPE_ALREADY_CONTAINS_VALUE"},
		"permissions that are none":   {named("a", `,"default_member_permissions":"all"`), "0.default_member_permissions NUMBER_TYPE_COERCE"},
		"the same name twice":         {named("a", "") + "," + named("a", ""), "1 APPLICATION_COMMANDS_DUPLICATE_NAME"},
		"the same name, another kind": {named("a", "") + `,{"name":"a","type":2}`, ""},
	} {
		a := w.rest("PUT", w.commands(), "["+c.command+"]")
		if got := a.complaint(); got != c.want || (a.status == 200) != (c.want == "") {
			t.Errorf("%s: %d %q, want %q", name, a.status, got, c.want)
		}
	}
}

// TestCommandsKeepTheirIDs: what stays the same keeps id and version, what changes keeps its id, what is left out is gone.
func TestCommandsKeepTheirIDs(t *testing.T) {
	w := open(t, simdiscord.Options{})
	one := w.register("[" + named("a", `,"name_localizations":{"de":"ah"}`) + "," + named("b", "") + "]")
	two := w.register("[" + named("a", `,"name_localizations":{"de":"ah"}`) + "]")
	if one.field("0.id") != two.field("0.id") || one.field("0.version") != two.field("0.version") || strings.Contains(string(two.text), `"b"`) {
		t.Errorf("unchanged: %s then %s", one.text, two.text)
	}
	three := w.register("[" + named("a", `,"default_member_permissions":8`) + "]")
	if three.field("0.id") != one.field("0.id") || three.field("0.version") == one.field("0.version") || three.field("0.default_member_permissions") != "8" {
		t.Errorf("changed: %s", three.text)
	}
	w.register("[" + named("a", `,"name_localizations":{"de":"ah"}`) + "]")
	if plain := w.rest("GET", w.commands(), ""); strings.Contains(string(plain.text), "ah") {
		t.Errorf("localizations without being asked for: %s", plain.text)
	}
	if whole := w.rest("GET", w.commands()+"?with_localizations=true", ""); whole.field("0.name_localizations.de") != "ah" {
		t.Errorf("localizations: %s", whole.text)
	}
	guild := "/applications/" + w.State().Application.ID + "/guilds/" + w.State().Guild.ID + "/commands"
	if g := w.rest("PUT", guild, "["+named("a", "")+"]"); g.field("0.guild_id") != w.State().Guild.ID || g.field("0.id") == one.field("0.id") {
		t.Errorf("a guild's own: %s", g.text)
	}
	if foreign := w.rest("PUT", "/applications/1/commands", "[]"); foreign.status != 403 {
		t.Errorf("another application: %d", foreign.status)
	}
}

// TestCommandLimits: 100 of chat, 15 of each menu, 200 creates a day and scope.
func TestCommandLimits(t *testing.T) {
	set := func(prefix string, n int, kind string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"name":"%s%d"%s}`, prefix, i, kind)
		}
		return strings.Join(all, ",")
	}
	const chat, user, message = `,"description":"d"`, `,"type":2`, `,"type":3`
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{NoLimits: true})
		put := func(parts ...string) string {
			return w.rest("PUT", w.commands(), "["+strings.Join(parts, ",")+"]").field("code")
		}
		for _, c := range []struct {
			name string
			body []string
			code string
		}{
			{"101 of chat", []string{set("c", 101, chat)}, "30032"},
			{"16 of users", []string{set("u", 16, user)}, "30032"},
			{"131", []string{set("c", 131, chat)}, "50035"},
			{"all there may be", []string{set("c", 100, chat), set("u", 15, user), set("m", 15, message)}, ""},
			{"the same again", []string{set("c", 100, chat), set("u", 15, user), set("m", 15, message)}, ""},
			{"70 more", []string{set("d", 70, chat)}, ""},
			{"the 201st", []string{set("e", 1, chat)}, "30034"},
		} {
			if got := put(c.body...); got != c.code {
				t.Errorf("%s: code %q, want %q", c.name, got, c.code)
			}
		}
		time.Sleep(24 * time.Hour)
		if got := put(set("e", 1, chat)); got != "" {
			t.Errorf("a day later: code %q", got)
		}
	})
}
