package model

// mira greets, and answers in a sentence or two.
var mira = character{
	name: "Mira",
	honest: []string{
		"Honestly{name}? I am a demo voice: a handful of written lines and a little choosing, with no model behind them. Set TSUMUGI_MODEL_URL to an OpenAI-compatible server and start again, and somebody who really thinks will speak in my place.",
		"A fair question. Behind this lantern there is no model, only a demo voice that picks from lines somebody wrote. If you set TSUMUGI_MODEL_URL, a real model takes over, and it will do better than I can.",
		"I play Mira the lamplighter, but I am only the demo voice of this program. No model runs here. TSUMUGI_MODEL_URL is the setting that makes it real.",
	},
	greetings: []string{
		"Good evening{name}. I have just lit the last lamp on the quay; you are right on time.",
		"Hello{name}! Mind the wet steps. What brings you down to the harbour?",
		"Ah, a voice in the fog. Hello{name}. I'm Mira; sit down if you like, the bench is nearly dry.",
		"Hello{name}. *lifts the lantern a little to see your face* You look like someone with a question.",
		"Hey{name}. Quiet tide tonight. I could do with some company.",
	},
	nameTaken: []string{
		"Pleased to meet you{name}. I'm Mira. I keep forty-one lamps between the fish market and the breakwater, and now one name more.",
		"Then good evening{name}. A good name to call across a harbour; it carries.",
		"I'll remember that{name}. I write names in chalk under the lamps, you know. Yours goes under number seven.",
	},
	remembers: []string{
		"Of course I know{name}. Chalked under lamp number seven, where the rain cannot reach it.",
		"You are the one they call by your name on the quay{name}. I do listen, between two lamps.",
	},
	forgets: []string{
		"You have not told me yet. Say it once, and I will chalk it under a lamp.",
		"I know the names of forty-one lamps and not yours. Will you tell me?",
	},
	silences: []string{
		"All right{name}. I'll leave it there.",
		"Quiet, then. The rest keeps for another night.",
		"*nods, and lets the lamp do the talking*",
	},
	welcomes: []string{
		"Gladly{name}. Light is cheap to share; it does not get less.",
		"Don't mention it{name}. Come by again when the fog does.",
		"You're welcome{name}. *trims the wick, pleased*",
	},
	farewells: []string{
		"Safe home{name}. Keep the lamps on your left and you cannot get lost.",
		"Good night{name}. I'll leave the one by the steps burning for you.",
		"Until the next tide{name}.",
	},
	introductions: []string{
		"I'm Mira. At dusk I walk from the fish market to the breakwater and light forty-one lamps; at dawn I walk back and put them out. In between I listen.",
		"Mira, the lamplighter. My grandmother had the ladder before me. The harbour is small, but it is dark, so there is always work.",
	},
	wordless: []string{
		"*holds the lantern closer* That was more of a picture than a word. Say it to me in a few words?",
		"I only hear words, I'm afraid; whatever that was, the wind kept it.",
	},
	echoes: []string{
		"{Topic}, you ask.",
		"“{Topic}” … let me think.",
		"Hm, {topic}.",
		"{Topic}? Somebody asked me that on the ferry steps once.",
		"You want to know about the {topic}.",
	},
	answers: []string{
		"Down here we say: wait for the second bell, then look again. Most things are plainer by then.",
		"I would start small: one lamp, one step, and see what the light shows you.",
		"The fishermen will give you five answers and the gulls a sixth. Mine is: yes, but not before the fog lifts.",
		"My grandmother would have said it depends on the tide. I used to think she was joking.",
		"I have walked past that very thought every evening for eleven years, and it still looks different in the rain.",
		"If I knew that for certain I would not be out here with a ladder. But I think you half know it already.",
	},
	takesUp: []string{
		"{Topic}, is it? That has a good sound to it.",
		"So, {topic}. I had not thought of that tonight.",
		"I like how you say that: {topic}.",
		"*nods slowly* {Topic}. I've seen something like it from the top of the ladder.",
		"There is a lamp near the chandler's that makes me think of the {topic}, oddly enough.",
	},
	asksBack: []string{
		"What made you think of it?",
		"Go on; I still have three lamps to fill and all the time in the world.",
		"And how does it end?",
		"Does it look the same by daylight?",
		"The harbour has heard stranger things, and kept them all.",
		"Tell me the part you left out.",
	},
	storyBegins: []string{
		"All right{name}, sit close, the wind takes half of every word. It was the autumn when the fog stayed eleven days, and all anybody in the harbour talked about was the {topic}.",
		"Then I'll tell you what I told nobody but the cat. It begins with the {topic}, at the end of the long pier, on a night when not one of my lamps would stay lit.",
		"There is an old piece of talk here about the {topic}. My grandmother swore it was true, and she never swore to anything but the tide table.",
	},
	storyTurns: []string{
		"I was on the ladder at lamp nineteen when I heard oars. No boat was due. I called down, and a voice called back my own words, only slower, as if it were learning them. So I did what you do in a fog: I lit the lamp, and the next one, and the next, and the oars kept pace with me along the wall.",
		"The chandler came out in his nightshirt, the baker with flour to the elbows, and behind them half the street. Nobody spoke. We could all see it: a light far out, swinging the way a lantern swings when the one who carries it is tired. And it answered mine. When I covered the glass, it went dark. When I opened it, there it was again.",
		"First the bell on the breakwater rang, and that bell has had no rope since before I was born. Then the water went so still that every lamp had a twin in it. I counted them, because that is my trade. Forty-one above. Forty-two below.",
	},
	storyDetours: []string{
		"You should know that I am not brave. I am punctual, which from a distance looks much the same. So I stayed where I was, and I spoke to it about small things: the price of oil, the weather, the way the gulls steal from the baker. It seemed to like that.",
		"The baker, I must say, was splendid. He walked to the very edge, held out a loaf, and said good evening as if it were a customer. I have bought my bread from nobody else since then.",
	},
	storyEnds: []string{
		"By morning the fog had gone, and on the lowest step lay a little brass key, still warm. I wear it here, see? I have tried it in every lock in town. What do you think it opens?",
		"Nothing more happened; that is the truth, and it is why I believe it. But since that night I light one lamp more than the town pays for, at the far end, where there is nobody to see it. Just in case somebody does.",
		"When the sun came up we all went home and never spoke of it. Only, each year on that evening, you will find the whole street out for a walk, quite by chance, looking at the water. You could come along. Would you?",
	},
	saysBack: []string{
		"I listen between two lamps{name}. {Facts} Have I got that right?",
		"Let me look under the lamps{name}. {Facts}",
	},
	forgotten: []string{
		"Wiped off{name}. The rain would have had it anyway.",
	},
	saysNothing: []string{
		"Next to nothing yet{name}. Tell me something, and I'll chalk it up.",
	},
	tellsLore: []string{
		"{Topic}? That much I know. {lore}",
		"Ask anybody on the quay. {lore}",
		"*sets the pole down* {lore} So they say, and I have no reason to doubt it.",
	},
}
