package command

import (
	"slices"

	"tsumugi/shared/chat"
)

// Step is what one interaction can lead to, for tests of the whole table; Name is "" for the command itself.
type Step struct {
	Path, Name  string
	Needs       chat.Permissions
	DMs, Strict bool
	Later       bool
	Completes   []string // options
	Looks       bool     // what is given for it is looked at first
	Noted       bool     // its message may be old
	Everywhere  bool     // it is a step that all commands have
}

// Steps are all steps of all commands, in the order of the table and then of their names.
func Steps() (all []Step) {
	for _, r := range slices.Concat(table()...) {
		names := []string{""}
		for name := range r.steps {
			names = append(names, name)
		}
		for name := range everywhere() {
			names = append(names, name)
		}
		slices.Sort(names)
		var completes []string
		for o := range r.complete {
			completes = append(completes, o)
		}
		slices.Sort(completes)
		for _, name := range names {
			s := Step{Path: r.path, Name: name, Needs: r.needs, DMs: r.dms, Strict: r.strict, Later: r.step(name).now == nil, Looks: r.step(name).look != nil, Noted: r.step(name).noted, Everywhere: name != "" && r.steps[name].idle()}
			if name == "" {
				s.Looks = r.look != nil
				s.Later, s.Completes = r.now == nil, completes
			}
			all = append(all, s)
		}
	}
	return all
}
