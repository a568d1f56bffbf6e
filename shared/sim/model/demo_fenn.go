package model

// fenn tells. Whatever he is asked becomes a tale, long enough for somebody to stop him.
var fenn = character{
	name:      "Fenn",
	talkative: true,
	honest: []string{
		"Ha! You have a sharp eye{name}. I'm a demo voice: a few dozen written lines and a bit of choosing, no model at the oars. Set TSUMUGI_MODEL_URL to an OpenAI-compatible server, start again, and somebody who can really row takes my bench.",
		"No, no model in this boat{name}. Only the demo voice of this program, and it rows in circles. TSUMUGI_MODEL_URL is the setting that gives me a real one.",
	},
	greetings: []string{
		"Hello{name}! *shoves over on the bench* Sit. The tide is an hour off, and I was about to tell this one to the gulls.",
		"There you are{name}! Have you time? Never mind, you have; she doesn't leave before slack water. Ask me anything.",
		"Evening{name}. Mind the left oar, it bites. So, what shall it be: the one about the bishop's trunk, or the one that's true?",
	},
	nameTaken: []string{
		"{Name}! I rowed a {name1} across once, in a hailstorm, and she paid me in oranges. A lucky name on the water.",
		"{Name}, is it? Good. A tale wants somebody to be told to, and now I know whom.",
	},
	remembers: []string{
		"You're {name1}, of course. I forget the tide now and then, but never a passenger.",
	},
	forgets: []string{
		"That you haven't told me. And I'd have remembered; I have room, it's only the oars that leak.",
	},
	silences: []string{
		"*stops mid-stroke, laughing* Right you are{name}. The landing already.",
		"Aye{name}, enough. I'll keep the rest dry for you.",
		"*ships the oars* Said and done{name}. The good part keeps.",
	},
	welcomes: []string{
		"Don't thank me{name}, thank the current; it did most of the work.",
		"Any time{name}. You're a better audience than the gulls.",
	},
	farewells: []string{
		"Off with you then{name}, and come back when you've forgotten how it went. I'll have a new ending.",
		"Safe crossing{name}. If you hear oars behind you in the fog, that's only me, still talking.",
	},
	introductions: []string{
		"Fenn. I row the ferry. Forty years, two crossings a day, and not one of them silent. Ask me for a story, and stop me whenever you like; I'm used to it.",
	},
	wordless: []string{
		"*cups an ear* That went overboard before it reached me. Once more, in words?",
	},
	echoes: []string{
		"{Topic}! Now there you've asked the right man.",
		"Ah, {topic}. Hold the lantern, this takes a moment.",
		"Funny you should say {topic}.",
	},
	answers: []string{
		"The short answer is yes. The long one began on a Tuesday, with the fog so thick that I rowed by the smell of the bakery, and it goes like this.",
		"My father would have told you in one word. He was a poor ferryman for it; people got across and had nothing to say at home.",
		"I had a passenger once who knew all about that, and I carried him for nothing, only to hear it out.",
	},
	takesUp: []string{
		"{Topic}, you say. You won't believe it, but I had exactly that in this boat.",
		"So, the {topic}. That puts me in mind of the winter of the two herrings.",
	},
	asksBack: []string{
		"But you'll have somewhere to be. No? Then listen.",
		"Stop me if you've heard it.",
	},
	storyBegins: []string{
		"Right in the middle, then, where all the best ones start: there we were{name}, the bishop, the goat and I, turning slowly, and not one of us had seen the shore since noon. You'll ask where the {topic} comes in. Everything. I'm coming to that.",
		"It was the {topic} that began it, and I'll swear to that before any magistrate who can swim. I had just pushed off, the last light going, when a voice behind me, and I was alone in the boat{name}, said: not so fast.",
		"You want the true one? They're all true, but this one has witnesses{name}. Seven passengers, one of them asleep, and every one will tell you the same about the {topic}, except the one who was asleep, who tells it better.",
	},
	storyTurns: []string{
		"Now, the left oar. I must tell you about the left oar, or the rest makes no sense. It came from a ship that was never built: the yard went under with the keel on the slip, and my grandfather bought the one oar they'd finished for a bag of onions. An oar like that remembers what it was meant for. In ordinary water it rows like any other. In fog it pulls to the west, a hand's breadth each stroke, toward wherever that ship was going.",
		"So I let it pull. What else could I do? An hour, by the bell, and then another that the bell didn't ring. The water went flat as a plate, and under it, as far down as the chapel is high, I saw lamps. A whole street of them, all lit. And somebody walking along, putting them out one after the other, in no hurry at all.",
		"The passengers, naturally, wanted their money back. I said: which of you has ever seen this for three pence? That quieted them. Then the one in the bow, a small woman with a very large hat, leaned over the side and called down a name. I won't repeat it. It was an ordinary name. But down there the walking light stopped, and looked up.",
	},
	storyDetours: []string{
		"I should say a word about the hat, because it comes back at the end. It had been a wedding hat, then a hen's nest, then a hat again, and it was the only thing in the boat that stayed dry all night. Keep that in mind.",
		"That reminds me of the customs officer who tried to weigh the fog. He had a warrant and everything. Three buckets of it he filled, corked them, carried them up to the customs house, and in the morning: empty, all three, and his moustache gone white. But that's another crossing.",
	},
	storyEnds: []string{
		"And that is how I come to have the third chair at the landing, the one nobody may sit in. You may think what you like. I only row. But twice a year, at slack water, it's wet in the morning, and it hasn't rained. Well? What would you have done in my place?",
		"We came home at dawn, all seven, and the hat. I've told it four hundred times, and each time somebody asks the same question, and I say: of course it's true, how else would I know it? Now you tell me one.",
		"The rest I've promised to keep to myself, and I've nearly managed it. Ask me again when the fog's in, with something warm in your hand for the both of us, and I'll tell you what she had under the hat.",
	},
	saysBack: []string{
		"What I know of you{name}? {Facts} I'd make a tale of it, but then you'd never get your own life back.",
	},
	forgotten: []string{
		"Overboard with it{name}. Hear the splash?",
	},
	saysNothing: []string{
		"Only that you sit still and listen{name}, which is more than most. Tell me something!",
	},
	tellsLore: []string{
		"{Topic}! Short version first, because you have an honest face. {lore} And now the long one.",
		"That I can tell you with my eyes shut. {lore} That's what they know in the street. On the water you hear more.",
	},
}
