package prompt

import (
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/llm"
)

// The house's own texts in a prompt. They are expanded like the card.
const (
	mainPrompt = "Write {{char}}'s next reply in a conversation on Discord between {{char}} and the people there. " +
		"Write only what {{char}} says and does, and never speak for others."
	openingText = "(The conversation begins.)"
	stopText    = "{{user}} has asked {{char}} to stop speaking. Answer as {{char}} in one short sentence that accepts it, and say nothing more."
)

// placePersona is stage 3: the card's fields become protected system blocks around the conversation, and what the channel adds to
// every card stands behind them.
func placePersona(d *Draft) error {
	s := d.Scene
	main, from := mainPrompt, "house.main_prompt"
	if strings.TrimSpace(s.Persona.SystemPrompt) != "" {
		main, from = s.Persona.SystemPrompt, "card.system_prompt"
	}
	var head, tail []Block
	system := func(to *[]Block, slot Slot, text, from string) {
		if text = strings.TrimSpace(text); text != "" {
			*to = append(*to, Block{Slot: slot, Role: llm.System, Text: text, Protected: true, From: from})
		}
	}
	system(&head, MainPrompt, d.expand(main), from)
	if place := label(s.Channel, ""); place != "" {
		system(&head, Place, fmt.Sprintf("The conversation takes place in the channel #%s.", place), "scene.channel")
	}
	system(&head, Description, d.expand(s.Persona.Description), "card.description")
	system(&head, Personality, d.expand(s.Persona.Personality), "card.personality")
	system(&head, Scenario, d.expand(s.Persona.Scenario), "card.scenario")
	system(&head, ChannelNote, d.expand(s.Prompt), "channel.prompt")
	system(&head, Expressions, expressions(s), "server.expressions")
	system(&tail, PostHistory, d.expand(s.Persona.PostHistory), "card.post_history")
	if s.Kind == AnswerStop {
		system(&tail, StopNote, d.expand(stopText), "house.stop_note")
	}
	if !blank(s.Begun) {
		system(&tail, ContinueNote, d.expand(continueText), "house.continue_note")
	}
	// A conversation that starts is opened by the card's greeting, which shows the model the voice.
	if len(s.History) == 0 && strings.TrimSpace(s.Persona.FirstMessage) != "" {
		head = append(head, Block{Slot: ChatHistory, Role: llm.Assistant, Name: s.Persona.Name,
			Text: strings.TrimSpace(d.expand(s.Persona.FirstMessage)), From: "card.first_message"})
	}
	d.Blocks = open(slices.Concat(head, d.Blocks, tail))
	return nil
}

// Bounds of the names of one kind that a prompt tells.
const (
	mostEmoji    = 50
	mostStickers = 20
)

// expressions tells what the server has made for its messages, and how it is used.
func expressions(s Scene) string {
	var told []string
	if len(s.Emoji) > 0 {
		told = append(told, "This server has emoji of its own. Where one fits well, write its name between colons. They are :"+
			strings.Join(s.Emoji[:min(len(s.Emoji), mostEmoji)], ": :")+":.")
	}
	if len(s.Stickers) > 0 {
		var names []string
		for _, name := range s.Stickers[:min(len(s.Stickers), mostStickers)] {
			names = append(names, "[sticker: "+name+"]")
		}
		told = append(told, "It has stickers. Now and then, at most one may follow a reply: write it alone on the last line. They are "+
			strings.Join(names, ", ")+".")
	}
	return strings.Join(told, " ")
}

// open puts a user message before an assistant one that would be the first: several providers refuse a conversation that
// the assistant begins.
func open(blocks []Block) []Block {
	for i, b := range blocks {
		if b.Role == llm.System {
			continue
		}
		if b.Role == llm.Assistant {
			blocks = slices.Insert(blocks, i, Block{Slot: Opening, Role: llm.User, Text: openingText, From: "house.opening"})
		}
		break
	}
	return blocks
}
