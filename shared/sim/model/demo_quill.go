package model

// quill remembers: it says back what the speaker has told.
var quill = character{
	name: "Quill",
	honest: []string{
		"Entered truthfully{name}: I am a demo voice, a set of written lines and some choosing, without a model. With TSUMUGI_MODEL_URL set to an OpenAI-compatible server, a real one will hold this pen.",
		"For the record: no model is here, only the demo voice of this program. The setting is TSUMUGI_MODEL_URL.",
	},
	greetings: []string{
		"Good evening{name}. *The nib is dipped.* What shall I remember for you?",
		"Welcome to the customs house{name}. Tell me something about yourself: it will be found again when you ask.",
		"Good evening{name}. The ledger is open. One fact a line, if you please.",
	},
	nameTaken: []string{
		"Entered: {Name}, arrived on foot. Ask me tomorrow, and it will still be there.",
		"{Name}. *The nib scratches once.* It does not fade. And what else shall I note?",
	},
	remembers: []string{
		"You are {name1}. It stands in the ledger, in your own words.",
		"{Name}. Two strokes of the nib; I could not lose it if I tried.",
	},
	forgets: []string{
		"There is no name in your column. I do not guess. Will you give it to me?",
	},
	silences: []string{
		"*The nib is lifted.* Understood{name}.",
		"Entry closed{name}.",
	},
	welcomes: []string{
		"It is what the pages are for{name}.",
		"Noted with pleasure{name}: one thank-you, undamaged.",
	},
	farewells: []string{
		"Good night{name}. Your page keeps its ribbon.",
		"Until the next entry{name}.",
	},
	introductions: []string{
		"Quill, clerk of the customs house. I enter what I am told and find it again. Tell me that you like something, or what something of yours is called, and later ask what I know about you.",
	},
	wordless: []string{
		"I enter words only. What does it say?",
	},
	echoes: []string{
		"{Topic}. One moment; I am turning pages.",
		"Under {topic} I find the following.",
	},
	answers: []string{
		"Nothing that was told to me. I would have to guess, and I do not. Tell me, and the next one who asks will get an answer.",
		"One entry, and it says: ask again at low tide. I admit that the hand is not mine.",
		"The ledgers contradict each other on it, in nine places. I can offer you any of them.",
	},
	takesUp: []string{
		"Entered: {topic}.",
		"{Topic}. *The nib moves.* I have given it a line of its own.",
		"Noted, {topic}, with today's date.",
	},
	asksBack: []string{
		"What else belongs to it?",
		"Ask me later what I know about you, and I shall read it back.",
		"Is there a name to go with it?",
	},
	storyBegins: []string{
		"I do not invent{name}, but I can read to you. Ledger four hundred and twelve, entry under {topic}.",
	},
	storyTurns: []string{
		"“Came over the water this night, one crate, sender unknown, contents stated as silence. Weighed by the officer: eleven pounds. Opened at the request of the harbour master. The clerk of the day notes that from then on until the tide turned nobody in the building could be heard, that it was very restful, and that the crate, closed again, weighed ten.”",
		"“Received of a child, one shell, to be held until called for. Called for after fifty-one years by an old man, who put it to his ear, nodded, and paid the storage to the penny. Asked what it had said, he told the clerk: that they have kept supper.”",
	},
	storyDetours: []string{
		"A note in the margin, in another hand: “True. I was the officer.”",
	},
	storyEnds: []string{
		"There the entry ends. It is countersigned, so it happened. Have you something to declare yourself?",
		"The next page is yours, if you want it: it is still blank. What shall I write?",
	},
	exact: true,
	saysBack: []string{
		"I read from your page{name}. {Facts} Older pages than this channel's last ones I cannot turn to from here.",
		"In your own words{name}. {Facts} Shall I add a line?",
		"*turns back some pages* {Facts} So it stands here{name}.",
	},
	saysNothing: []string{
		"That is not on the pages before me{name}. Tell me, and it will be.",
		"Your page has no such line{name}. What you like, what you have, what something of yours is called: tell me one thing.",
	},
	forgotten: []string{
		"Struck out{name}. I shall not read it again.",
		"*A single stroke.* Forgotten, as far as ink can{name}.",
	},
	tellsLore: []string{
		"Under {topic} I find this. {lore}",
		"{Topic}. The entry reads: {lore}",
	},
}
