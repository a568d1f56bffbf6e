package model

import (
	"strings"

	"tsumugi/shared/llm"
)

// character is one persona that the demo voice can play: lines for each kind of thing to say. In a line {name} is ", Ana" or
// nothing, {name1} and {Name} are the name alone, {topic} and {Topic} are words of what was said, {lore} is what the prompt
// tells of it, and {Facts} is what the speaker has told of themselves.
type character struct {
	name      string
	talkative bool // every answer becomes a tale
	exact     bool // it says so where it was not told

	honest, greetings, nameTaken, remembers, forgets, silences, welcomes, farewells, introductions, wordless []string
	echoes, answers, takesUp, asksBack, storyBegins, storyTurns, storyDetours, storyEnds                     []string
	saysBack, saysNothing, forgotten, tellsLore                                                              []string
}

// player is whose reply the request asks for: the one whose name the prompt says first, and Mira where it says none. Somebody
// whom the demo does not know is a guest.
func player(system string) character {
	if m := asksFor.FindStringSubmatch(system); m != nil && m[1] != mira.name && m[1] != fenn.name && m[1] != quill.name {
		return guest(m[1])
	}
	who, first := mira, len(system)
	for _, c := range []character{mira, fenn, quill} {
		if at := strings.Index(system, c.name); at >= 0 && at < first {
			who, first = c, at
		}
	}
	return who
}

// compose finds the reply to a request.
func compose(r llm.Request) string {
	h, d := hear(r), drawing(r)
	who := player(h.prompt)
	reply := who.answer(h, d)
	if h.first && !strings.Contains(reply, "TSUMUGI_MODEL_URL") { // whoever meets the demo voice first is told what it is
		reply += "\n\n-# " + who.name + " is a demo voice, not a model. Set TSUMUGI_MODEL_URL to let a real one speak."
	}
	return reply
}

// answer takes the first kind of thing to say that fits; the honest answers come before everything else.
func (c character) answer(h hearing, d *draw) string {
	switch {
	case h.stopped:
		return d.of(c.silences, h)
	case asksWhatItIs(h):
		return d.of(c.honest, h)
	case h.has("my name") && h.question() && !h.named:
		if h.name != "" {
			return d.of(c.remembers, h)
		}
		return d.of(c.forgets, h)
	case h.named:
		return d.of(c.nameTaken, h)
	case h.begins("forget", "please forget"):
		return d.of(c.forgotten, h)
	case asksWhatIsKnown(h) && len(h.facts) > 0:
		return d.of(c.saysBack, h)
	case asksWhatIsKnown(h):
		return d.of(c.saysNothing, h)
	case h.has("story", "stories", "tale", "describe", "what happened"), h.has("tell me", "tell us") && h.lore == "":
		return c.story(h, d)
	case len(h.words) <= 6 && h.begins("hello", "hi", "hey", "good morning", "good evening", "good afternoon", "greetings", "hallo", "hola", "bonjour"):
		return d.of(c.greetings, h)
	case h.has("thanks", "thank you", "thx"):
		return d.of(c.welcomes, h)
	case h.has("bye", "goodbye", "good night", "see you", "farewell"):
		return d.of(c.farewells, h)
	case h.has("your name") || h.has("who are you", "about yourself", "what can you do", "what do you do", "help"):
		return d.of(c.introductions, h)
	case len(h.words) == 0:
		return d.of(c.wordless, h)
	}
	if own, found := factsAbout(h.facts, h.text); own && len(found) > 0 {
		h.facts = found
		return d.of(c.saysBack, h)
	} else if own && c.exact {
		return d.of(c.saysNothing, h)
	}
	return c.talk(h, d)
}

// talk is what there is to say about no matter what.
func (c character) talk(h hearing, d *draw) string {
	var said string
	switch {
	case h.lore != "":
		said = d.of(c.tellsLore, h)
	case h.question():
		said = d.of(c.echoes, h) + " " + d.of(c.answers, h)
	default:
		said = d.of(c.takesUp, h) + " " + d.of(c.asksBack, h)
	}
	if c.talkative {
		return said + "\n\n" + c.story(h, d)
	}
	return said
}

func asksWhatItIs(h hearing) bool {
	return h.has("demo", "bot", "chatbot", "llm", "chatgpt", "gpt", "language model", "artificial intelligence", "tsumugi_model_url") ||
		h.has("which model", "what model", "real model", "are you real", "are you human", "real person") ||
		h.question() && h.has("ai", "an ai", "are you a machine", "are you a program")
}

func asksWhatIsKnown(h hearing) bool {
	return h.has("about me", "remember me", "who am i", "know me") || h.has("remember", "told you", "tell you") && h.question()
}

// story is three or four paragraphs around the topic.
func (c character) story(h hearing, d *draw) string {
	parts := []string{d.of(c.storyBegins, h), d.of(c.storyTurns, h)}
	if d.below(2) == 0 {
		parts = append(parts, d.of(c.storyDetours, h))
	}
	return strings.Join(append(parts, d.of(c.storyEnds, h)), "\n\n")
}
