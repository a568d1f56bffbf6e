package command_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// foreign is in all that belongs to another server or another user, and must be told nobody here.
const foreign = "Foreign"

// forged are arguments that a custom id may carry, and values and texts beside them: nothing that this program wrote.
func forged() (all []struct {
	args, values []string
	text         string
}) {
	long := strings.Repeat("w", 60)
	for n, args := range [][]string{nil, {""}, {"", "", "", ""}, {"-1", "-1", "-1"}, {"99999999999999999999", "99999999999999999999"}, {"foreign", "foreign"},
		{"../2/settings", "..%2f"}, {"p1", "card", "."}, {"mira", "card", "-.-.-.-.-"}, {"mira", "instructions", "0.0"}, {"mira", "mira", "mira"}, {"custom", "custom"},
		{long}, {"\x00", "\u202e", "\xff"}, {"@everyone", "<@&1>", "*"}, {"2", "note#form-1", "settings"}, {"heavy", "always"}, {"kz", "openai", "kz"}} {
		values := [][]string{nil, {""}, {"k:custom"}, {"p:" + long}, {"../channels/2"}, {"foreign"}, {"mira", "teo"}, {"900", "901"}}[n%8]
		all = append(all, struct {
			args, values []string
			text         string
		}{args, values, []string{"", "   ", "\x00\u202e\ufffe", strings.Repeat("界", 4000), "@everyone [x](https://x.example) `*", strings.Repeat("a,", 2000)}[n%6]})
	}
	return all
}

// fieldsOfAll are the fields of all forms.
var fieldsOfAll = []string{"key", "model", "name", "address", "description", "personality", "scenario", "greeting", "system", "after", "triggers", "prompt", "reply", "history", "daily"}

// TestForgedInput: Discord signs whatever a client sends, so custom ids, values and fields may hold anything. Every step answers what
// Discord takes, and neither tells nor changes what is another's.
func TestForgedInput(t *testing.T) {
	for _, step := range command.Steps() {
		t.Run(step.Path+"/"+step.Name, func(t *testing.T) {
			s := newShop(t)
			p := s.admin()
			s.book.set("2", "900", func(set *guild.Settings, c *guild.Channel) {
				set.Own, set.Personas = true, []persona.Persona{{ID: "foreign", Name: foreign, Main: true}}
				set.Providers = []guild.Provider{{Name: foreign, Kind: "custom", URL: "https://foreign.example/v1", Model: foreign}}
				set.Provider, c.Prompt = foreign, foreign
			})
			for name, who := range map[string]string{"form-1": "12345", "form-747": "12345"} { // "kz" in base 36
				if err := s.book.Note(t.Context(), "1", name, fmt.Appendf(nil, `{"by":%q,"fields":[{"name":"name","value":%q},{"name":"prompt","value":%q}]}`, who, foreign, foreign), time.Hour); err != nil {
					t.Fatal(err)
				}
			}
			before, place := s.book.is("2"), s.book.in("2", "900")
			kinds := []chat.InteractionKind{chat.UsedComponent, chat.SentModal}
			if step.Name == "" {
				kinds = []chat.InteractionKind{chat.UsedCommand}
			}
			for _, f := range forged() {
				for _, kind := range kinds {
					i := p.next(kind)
					if i.Values = f.values; kind == chat.UsedCommand {
						i.Command = step.Path
						for _, name := range []string{"persona", "part", "main", "name", "kind", "model", "channel", "always", "on", "action", "style", "language", "role", "command"} {
							i.Options = append(i.Options, chat.Option{Name: name, Value: slices.Concat(f.args, []string{f.text, ""})[0]})
						}
					} else {
						i.CustomID, i.Message = strings.Join(append([]string{"1", step.Path, step.Name, "3w5e11264sgsf"}, f.args...), "|"), chat.MessageID(p.id())
					}
					for _, name := range fieldsOfAll {
						i.Fields = append(i.Fields, chat.Option{Name: name, Value: f.text})
					}
					a := p.does(i)
					if strings.Contains(fmt.Sprintf("%+v %+v %+v", a, a.Modal, a.Rows), foreign) {
						t.Errorf("%q tells what is another's: %+v", i.CustomID, a)
					}
				}
			}
			if !reflect.DeepEqual(s.book.is("2"), before) || s.book.in("2", "900") != place {
				t.Error("another server is changed")
			}
		})
	}
}
