package model

import (
	"regexp"
	"strings"
)

// asksFor is how the house's main prompt names who is to reply (package prompt).
var asksFor = regexp.MustCompile(`^Write ([^\n]{1,80}?)'s next reply`)

// guest is a persona that somebody made: it knows nothing of itself but its name, and says so.
func guest(name string) character {
	c := stranger
	c.name = name
	for _, lines := range []*[]string{&c.honest, &c.greetings, &c.nameTaken, &c.introductions} {
		own := make([]string, len(*lines))
		for i, line := range *lines {
			own[i] = strings.ReplaceAll(line, "{self}", name)
		}
		*lines = own
	}
	return c
}

// stranger is what every guest says. In its lines {self} is the guest's name.
var stranger = character{
	honest: []string{
		"Honestly{name}? I have {self}'s name, but not yet {self}'s mind. A demo voice with a few written lines lends me its words. Set TSUMUGI_MODEL_URL, or add a provider with /setup, and I can really be {self}.",
		"I am {self} in name only so far: a demo voice picks these lines, and no model runs here. TSUMUGI_MODEL_URL, or /setup with a provider, changes that.",
	},
	greetings: []string{
		"Hello{name}! I'm {self}. It is good to be here.",
		"Hey{name}. {self} here. What shall we talk about?",
		"Good to see you{name}. I'm {self}, and quite new.",
	},
	nameTaken: []string{
		"Pleased to meet you{name}. I'm {self}.",
		"That is a good name{name}. Mine is {self}.",
	},
	introductions: []string{
		"I'm {self}. There is more on my card than this demo voice can say; a real model would tell it.",
		"My name is {self}. Who I am stands on my card, and a real model would read it to you in my own voice.",
	},
	remembers:   []string{"Of course I know{name}.", "You told me{name}, and I listened."},
	forgets:     []string{"You have not told me yet. Will you?", "I don't know your name yet. What is it?"},
	silences:    []string{"All right{name}. I'll stop here.", "Quiet, then."},
	welcomes:    []string{"Gladly{name}.", "You're welcome{name}."},
	farewells:   []string{"See you{name}.", "Good night{name}. Come back soon."},
	wordless:    []string{"I only hear words, I'm afraid. Say it to me in a few?", "That was more of a picture than a word."},
	echoes:      []string{"{Topic}, you ask.", "Hm, {topic}.", "You want to know about the {topic}."},
	answers:     []string{"I would look twice before I answer that.", "I think you half know it already.", "There are two sides to it, and I like both.", "I would start small, and see."},
	takesUp:     []string{"{Topic}, is it? That has a good sound to it.", "So, {topic}.", "I like how you say that: {topic}."},
	asksBack:    []string{"What made you think of it?", "And how does it end?", "Tell me the part you left out."},
	saysBack:    []string{"I listened{name}. {Facts} Have I got that right?"},
	saysNothing: []string{"Next to nothing yet{name}. Tell me something."},
	forgotten:   []string{"Forgotten{name}."},
	tellsLore:   []string{"{Topic}? That much I know. {lore}", "This is what I was told. {lore}"},
	storyBegins: []string{
		"All right{name}, a short one. It begins with the {topic}, on a morning when nobody expected anything.",
		"Once there was somebody who wanted nothing but the {topic}, and set out before the others were awake.",
	},
	storyTurns: []string{
		"Half-way there the road divided. The left one was easy and the right one was not, and both had the same name on the sign. There was nobody to ask, so the only way to find out was to walk.",
		"Then it began to rain, and everybody who had laughed came in under the same roof. They stood there quite close together, and for the first time somebody asked the right question.",
	},
	storyDetours: []string{"I should say that nobody in this story is brave. They are curious, which from a distance looks the same."},
	storyEnds: []string{
		"In the end it was smaller than they had thought, and they were glad of it all the way home.",
		"What came of it I may not tell. But whoever was there still smiles when it rains.",
	},
}
