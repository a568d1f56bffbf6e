package prompt

import (
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/llm"
)

// scanDepth is how many messages lore is looked for in, the current one included (prompt pipeline, stage 4).
const scanDepth = 5

// loreShare is the part of the budget, in percent, that lore may take (DESIGN, section 8).
const loreShare = 25

// placeLore is stage 4: what the conversation talks about calls its lore, in the order of the card. It stands behind the
// card's fields. An entry that does not fit into lore's own share is cut, and those after it are tried.
func placeLore(d *Draft) error {
	var texts []string
	for _, b := range d.Blocks {
		if b.Slot == ChatHistory || b.Slot == CurrentInput {
			texts = append(texts, b.Text)
		}
	}
	texts = texts[max(0, len(texts)-scanDepth):]
	room := (d.Scene.Limit - d.Scene.Reserve) * loreShare / 100
	var called []Block
	for i, l := range d.Scene.Persona.Lore {
		if !l.Called(texts...) || strings.TrimSpace(l.Text) == "" {
			continue
		}
		b := Block{Slot: LoreEntry, Role: llm.System, Text: strings.TrimSpace(d.expand(l.Text)), Protected: true, From: fmt.Sprintf("card.lore %d", i+1)}
		if b.Tokens = max(0, d.Scene.Count(b.Text)) + perMessage; b.Tokens > room {
			d.Cut = append(d.Cut, b)
			continue
		}
		room -= b.Tokens
		called = append(called, b)
	}
	at := 0
	for at < len(d.Blocks) && d.Blocks[at].Role == llm.System && d.Blocks[at].Slot != PostHistory && d.Blocks[at].Slot != StopNote {
		at++
	}
	d.Blocks = slices.Insert(d.Blocks, at, called...)
	return nil
}
