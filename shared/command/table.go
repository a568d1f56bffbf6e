package command

import (
	"context"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/locale"
)

// row is a command that can be used: "stop", or "persona create". Its texts are in package locale, below "commands." and its
// path: about is its description, options.NAME that of an option, choices.NAME.VALUE the name of one of its values.
type row struct {
	path     string
	needs    chat.Permissions // 0 for everybody; who has a role of the server's admins may do as much
	dms      bool             // also in direct messages
	options  []option
	work                     // what it does
	steps    map[string]work // what its buttons, menus and forms do
	complete map[string]completion
	strict   bool // roles of the server's admins are not enough
}

// completion lists what an option may become that is being typed.
type completion func(*Front, context.Context, *use) ([]chat.Choice, error)

// work is what one interaction leads to: now, within the time that Discord waits, or later.
type work struct {
	// look is asked before something is kept for later. It may tidy up what was given, and its answer, where it gives one, ends the
	// matter: what must not travel or can be told at once does not go on.
	look      func(*Front, context.Context, *use) (*chat.Answer, error)
	now       func(*Front, context.Context, *use) (chat.Answer, error)
	later     func(*Back, context.Context, *use) (chat.Answer, error)
	secret    []string               // fields of the form that leave the first function sealed; see Back.secret
	meanwhile func(*use) chat.Answer // stands in the place of a message that the later answer updates, where Discord shows no sign of waiting
	open      bool                   // it is not for who made its button alone, nor for a time: the step itself looks who may, and what of
	noted     bool                   // all it needs is in a note of the guild.Book: the note fades, so the message of its button may be old
}

func (w work) idle() bool { return w.now == nil && w.later == nil }

// option is one option of a command.
type option struct {
	name     string
	kind     chat.OptionKind
	required bool
	choices  []string // the only values; nil for any
	min, max int
	channels []int
}

// table has every command, a group after the other, in the order in which help lists them. It is made of functions: variables
// would have to be set up at the start of every program that links the assembly, with all that commands do (the test of the
// artifacts shows it), and help, which is in it, reads it.
func table() [][]row {
	return [][]row{setupRows(), personaRows(), providerRows(), modelRows(), channelRows(), configRows(), respondRows(), controlRows(), doctorRows(), helpRows()}
}

// find gives the row of a command; nil when there is none.
func find(path string) *row {
	for _, group := range table() {
		for n := range group {
			if group[n].path == path {
				return &group[n]
			}
		}
	}
	return nil
}

// Specs is what is registered with Discord, in all languages. Rows with the same first word become one command.
func Specs() []chat.CommandSpec {
	var specs []chat.CommandSpec
	for _, r := range slices.Concat(table()...) {
		name, below, grouped := strings.Cut(r.path, " ")
		if len(specs) == 0 || specs[len(specs)-1].Name != name {
			about, local := described("commands." + name + ".about")
			specs = append(specs, chat.CommandSpec{Name: name, Description: about, Local: local, Needs: r.needs, DMs: r.dms})
		}
		spec := &specs[len(specs)-1]
		if !grouped {
			spec.Options = r.optionSpecs()
			continue
		}
		about, local := described(r.key("about"))
		spec.Options = append(spec.Options, chat.OptionSpec{Name: below, Description: about, Local: local, Kind: chat.SubCommand, Options: r.optionSpecs()})
	}
	return append(specs, menuSpecs()...)
}

// step is what a button, menu or form leads to: one of the command's own steps, or one that all have.
func (r row) step(name string) work {
	if w, ok := r.steps[name]; ok {
		return w
	}
	return everywhere()[name]
}

// key is a key of the row's texts.
func (r row) key(below string) string {
	return "commands." + strings.ReplaceAll(r.path, " ", ".") + "." + below
}

func (r row) optionSpecs() []chat.OptionSpec {
	var specs []chat.OptionSpec
	for _, o := range r.options {
		about, local := described(r.key("options." + o.name))
		spec := chat.OptionSpec{Name: o.name, Description: about, Local: local, Kind: o.kind, Required: o.required,
			Completes: r.complete[o.name] != nil, Min: o.min, Max: o.max, Channels: o.channels}
		for _, value := range o.choices {
			name, local := described(r.key("choices." + o.name + "." + value))
			spec.Choices = append(spec.Choices, chat.ChoiceSpec{Name: name, Local: local, Value: value})
		}
		specs = append(specs, spec)
	}
	return specs
}

// described is a text in the default language, and in the others by Discord's names of them.
func described(key string) (string, map[string]string) {
	local := map[string]string{}
	for _, l := range locale.Languages()[1:] {
		for _, name := range l.Discord() {
			local[name] = l.Say(key)
		}
	}
	return locale.Default.Say(key), local
}
