package prompt

import (
	"unicode/utf8"

	"tsumugi/shared/llm"
)

// continueText asks for the rest of a reply. A model that begins a new one instead repeats what stands there.
const continueText = "{{char}}'s last message is not finished. Go on with it from exactly where it ends, as {{char}}, and repeat nothing of it."

// begun places what the persona has said of its reply already, behind the message that it answers. Of a long one the end will do: with
// all of it nothing might be left for what came before.
func (d *Draft) begun() {
	text := d.Scene.Begun
	if blank(text) {
		return
	}
	for most := (d.Scene.Limit - d.Scene.Reserve) / 2; d.Scene.Count(text) > most && utf8.RuneCountInString(text) > 200; {
		runes := []rune(text)
		text = string(runes[len(runes)/4:])
	}
	d.Blocks = append(d.Blocks, Block{Slot: Begun, Role: llm.Assistant, Name: d.Scene.Persona.Name, Text: text, From: "reply", Protected: true})
}
