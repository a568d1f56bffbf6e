package plan

import (
	"tsumugi/shared/chat"
	"tsumugi/shared/persona"
)

// redone is the turn of who spoke a reply that is to be done again. Who has left says nothing more, but what was said may be shown
// or taken away.
func redone(cast persona.Cast, a chat.Asked) []chat.Turn {
	redo := *a.Redo
	if _, ok := cast.ByID(a.Persona); !ok && redo.What.AsksModel() {
		return nil
	}
	return []chat.Turn{{Persona: a.Persona, Name: redo.Name, Label: redo.Label, Redo: &redo}}
}

// quiet tells whether the event is answered without asking a model: nothing of it counts toward what may be spoken.
func quiet(e chat.Event) bool {
	return e.Asked != nil && e.Asked.Redo != nil && !e.Asked.Redo.What.AsksModel()
}
