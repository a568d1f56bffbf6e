package command_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/locale"
)

// nameShaped is what Discord takes as a name (Application Commands, Naming), of which we take the plain part.
var nameShaped = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// registration looks at one command as Discord does, and counts its characters: 8,000 at most of names, descriptions and values.
type registration struct {
	t    *testing.T
	path string
	size int
}

// text is a text in the default language and in the others.
func (r *registration) text(what, first string, local map[string]string) {
	r.t.Helper()
	all := map[string]string{"the default": first}
	for l, s := range local {
		all[l] = s
	}
	for _, l := range locale.Languages()[1:] {
		for _, name := range l.Discord() {
			if all[name] == "" {
				r.t.Errorf("/%s: %s is missing in %s", r.path, what, name)
			}
		}
	}
	for l, s := range all {
		n := utf8.RuneCountInString(s)
		if r.size += n; n < 1 || n > 100 || strings.Contains(s, "commands.") || strings.ContainsAny(s, "{}\n") {
			r.t.Errorf("/%s: %s has %d characters in %s, or is no text: %q", r.path, what, n, l, s)
		}
	}
}

func (r *registration) named(what, name string) {
	r.t.Helper()
	if r.size += len(name); !nameShaped.MatchString(name) {
		r.t.Errorf("/%s: %q is no name of a %s", r.path, name, what)
	}
}

func (r *registration) options(all []chat.OptionSpec, inside bool) {
	r.t.Helper()
	var names []string
	optional := false
	if len(all) > 25 {
		r.t.Errorf("/%s has %d options or commands below", r.path, len(all))
	}
	for _, o := range all {
		if slices.Contains(names, o.Name) {
			r.t.Errorf("/%s has %s twice", r.path, o.Name)
		}
		names = append(names, o.Name)
		r.named("option", o.Name)
		r.text(o.Name, o.Description, o.Local)
		if o.Kind == chat.SubCommand {
			if inside {
				r.t.Errorf("/%s %s is below a command below a command", r.path, o.Name)
			}
			r.options(o.Options, true)
			continue
		}
		if !inside && slices.ContainsFunc(all, func(o chat.OptionSpec) bool { return o.Kind == chat.SubCommand }) {
			r.t.Errorf("/%s has options beside commands", r.path)
		}
		if o.Required && optional {
			r.t.Errorf("/%s: %s is required, and stands behind one that is not", r.path, o.Name)
		}
		optional = optional || !o.Required
		r.option(o)
	}
}

func (r *registration) option(o chat.OptionSpec) {
	r.t.Helper()
	known := []chat.OptionKind{chat.OptionText, chat.OptionNumber, chat.OptionYesNo, chat.OptionPlace, chat.OptionRole, chat.OptionFile}
	switch {
	case !slices.Contains(known, o.Kind):
		r.t.Errorf("/%s: %s is of kind %d", r.path, o.Name, o.Kind)
	case len(o.Choices) > 25 || len(o.Choices) > 0 && (o.Completes || o.Kind != chat.OptionText):
		r.t.Errorf("/%s: %s has %d choices, kind %d, and completes: %v", r.path, o.Name, len(o.Choices), o.Kind, o.Completes)
	case o.Completes && o.Kind != chat.OptionText && o.Kind != chat.OptionNumber:
		r.t.Errorf("/%s: %s of kind %d cannot complete", r.path, o.Name, o.Kind)
	case (o.Min != 0 || o.Max != 0) && o.Kind != chat.OptionText && o.Kind != chat.OptionNumber, o.Max != 0 && o.Min > o.Max,
		o.Kind == chat.OptionText && (o.Min < 0 || o.Max > 6000):
		r.t.Errorf("/%s: %s is bound by %d and %d", r.path, o.Name, o.Min, o.Max)
	case len(o.Channels) > 0 && o.Kind != chat.OptionPlace:
		r.t.Errorf("/%s: %s has types of channel", r.path, o.Name)
	}
	var values, names []string
	for _, c := range o.Choices {
		r.text(o.Name+" "+c.Value, c.Name, c.Local)
		if r.size += len(c.Value); len(c.Value) < 1 || len(c.Value) > 100 || slices.Contains(values, c.Value) || slices.Contains(names, c.Name) {
			r.t.Errorf("/%s: %s has the choice %q = %q twice, or too long", r.path, o.Name, c.Name, c.Value)
		}
		values, names = append(values, c.Value), append(names, c.Name)
	}
}

func TestDiscordTakesEveryCommand(t *testing.T) {
	var names []string
	menus := 0
	for _, s := range command.Specs() {
		r := &registration{t: t, path: s.Name}
		if s.OfMessages {
			menus++
			r.text("the name in the menu", s.Name, s.Names)
			for l, name := range s.Names {
				if n := utf8.RuneCountInString(name); n > 32 {
					t.Errorf("%s has %d characters in %s", s.Name, n, l)
				}
			}
			if slices.Contains(names, s.Name) || s.Description != "" || s.Options != nil || utf8.RuneCountInString(s.Name) > 32 {
				t.Errorf("%+v is no command of a menu, or is there twice", s)
			}
			names = append(names, s.Name)
			continue
		}
		if slices.Contains(names, s.Name) {
			t.Errorf("/%s is there twice; the rows of a group stand together", s.Name)
		}
		names = append(names, s.Name)
		r.named("command", s.Name)
		r.text("what it is for", s.Description, s.Local)
		r.options(s.Options, false)
		if r.size > 8000 {
			t.Errorf("/%s has %d characters in all", s.Name, r.size)
		}
	}
	if menus > 5 { // as many as Discord has long taken; that it may be 15 by now is not relied on
		t.Errorf("%d commands in the menu of a message", menus)
	}
	if len(names) > 100 {
		t.Errorf("%d commands", len(names))
	}
}

func TestWhatIsRegisteredIsKnown(t *testing.T) {
	for _, s := range command.Steps() {
		i := use(s.Path, "1", chat.Administrator)
		if a := (&command.Front{Controls: &channel{}, Errands: &errands{}, Ingress: &entrance{}, Book: newBook(t)}).Answer(t.Context(), i); strings.Contains(a.Text, "not have this command") {
			t.Errorf("/%s is registered and not known", s.Path)
		}
	}
}
