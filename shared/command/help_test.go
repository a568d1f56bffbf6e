package command_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
)

// helps is what /help says.
func helps(t *testing.T, i chat.Interaction, about string) string {
	t.Helper()
	if about != "" {
		i.Options = []chat.Option{{Name: "command", Value: about}}
	}
	b := newBook(t)
	b.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Admins = []string{"77"} })
	a := (&command.Front{Book: b}).Answer(t.Context(), i)
	if n := len(utf16.Encode([]rune(a.Text))); n > 2000 || a.Text == "" || !a.Ephemeral {
		t.Errorf("%d characters: %+v", n, a)
	}
	return a.Text
}

func TestHelpListsEveryCommandAndWhoMayUseIt(t *testing.T) {
	admin := use("help", "u", 0)
	admin.Roles = []string{"76", "77"}
	for name, c := range map[string]struct {
		as           chat.Interaction
		usable, lock []string
	}{
		"somebody":         {use("help", "u", 0), []string{"stop", "help"}, []string{"kill", "doctor"}},
		"moderator":        {use("help", "u", chat.ManageMessages), []string{"stop", "kill", "help"}, []string{"doctor"}},
		"manager":          {use("help", "u", chat.ManageGuild), []string{"stop", "doctor", "help"}, []string{"kill"}},
		"administrator":    {use("help", "u", chat.Administrator), []string{"stop", "kill", "doctor", "help"}, nil},
		"admin role":       {admin, []string{"stop", "kill", "doctor", "help"}, nil},
		"direct message":   {direct(use("help", "u", chat.Administrator)), []string{"stop", "help"}, []string{"kill", "doctor"}},
		"another's server": {func() chat.Interaction { i := admin; i.Guild = "2"; return i }(), []string{"stop"}, []string{"kill", "doctor"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := helps(t, c.as, "")
			for _, s := range command.Specs() {
				if s.OfMessages {
					if !strings.Contains(text, s.Name) {
						t.Errorf("%s of the menu is not named:\n%s", s.Name, text)
					}
					continue
				}
				if strings.Count(text, "`/"+s.Name+"`") != 1 || !strings.Contains(text, s.Description) {
					t.Errorf("/%s is not there once with what it is for:\n%s", s.Name, text)
				}
			}
			for _, n := range c.usable {
				if strings.Contains(text, "🔒 `/"+n+"`") {
					t.Errorf("/%s is locked:\n%s", n, text)
				}
			}
			for _, n := range c.lock {
				if !strings.Contains(text, "🔒 `/"+n+"`") {
					t.Errorf("/%s is not locked:\n%s", n, text)
				}
			}
		})
	}
}

// paths are all commands that can be used, and all groups.
func paths() (all []string) {
	for _, s := range command.Specs() {
		if s.OfMessages {
			continue
		}
		all = append(all, s.Name)
		for _, o := range s.Options {
			if o.Kind == chat.SubCommand {
				all = append(all, s.Name+" "+o.Name)
			}
		}
	}
	return all
}

func TestHelpExplainsEveryCommand(t *testing.T) {
	for _, l := range locale.Languages() {
		for _, path := range paths() {
			i := use("help", "u", chat.Administrator)
			i.Locale = string(l)
			if text := helps(t, i, path); !strings.HasPrefix(text, "**/"+path+"** – ") || strings.Contains(text, "commands.") || strings.Contains(text, "🔒") {
				t.Errorf("%s: /%s is explained by\n%s", l, path, text)
			}
		}
	}
	for typed, want := range map[string]string{"/HELP ": "**/help**", "sing_*": "I have no command sing", "kill": "Manage Messages"} {
		if text := helps(t, use("help", "u", 0), typed); !strings.Contains(text, want) {
			t.Errorf("%q gets %q", typed, text)
		}
	}
}

func TestHelpCompletesCommands(t *testing.T) {
	choose := func(typed string) []chat.Choice {
		i := use("help", "u", 0)
		i.Kind, i.Focused, i.Options = chat.AskedChoices, "command", []chat.Option{{Name: "command", Value: typed}}
		return (&command.Front{Book: newBook(t)}).Answer(t.Context(), i).Choices
	}
	if all := choose(""); len(all) != min(25, len(paths())) {
		t.Errorf("%d choices of %d commands", len(all), len(paths()))
	}
	for _, typed := range []string{"/DO", " doc", "ｄｏ"} {
		if got := choose(typed); len(got) == 0 || got[0] != (chat.Choice{Name: "/doctor", Value: "doctor"}) {
			t.Errorf("%q completes to %v", typed, got)
		}
	}
	if got := choose("config s"); len(got) != 2 || got[0].Name != "/config show" {
		t.Errorf("config s completes to %v", got)
	}
	if got := choose("nothing like it"); len(got) != 0 {
		t.Errorf("nothing completes to %v", got)
	}
}
