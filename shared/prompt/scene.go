package prompt

import (
	"time"

	"tsumugi/shared/llm"
	"tsumugi/shared/persona"
)

// Kind says what a reply is for.
type Kind string

// The kinds of a reply. The zero Kind is taken as AnswerMessage.
const (
	AnswerMessage  Kind = "reply"       // a message that called the persona
	AnswerStop     Kind = "stop_answer" // the asker told the persona to stop
	AnswerFollowUp Kind = "follow_up"   // the asker wrote again while the persona was speaking
)

// Scene is everything that a prompt is made of. Build keeps none of its slices.
type Scene struct {
	Persona  persona.Persona
	Asker    Speaker // whom the reply is for; {{user}} in the card
	Input    Line    // the message to answer
	History  []Line  // what was said before Input, oldest first
	Kind     Kind
	Begun    string           // what the persona has said of this reply already; the model is to go on with it
	Channel  string           // its name, without '#'; may be empty
	Prompt   string           // of the channel: what every persona is told there; may be empty
	Emoji    []string         // names of the server's emoji that the persona may use; none where it shall not
	Stickers []string         // the same of its stickers
	Now      time.Time        // for {{date}} and {{time}}; the zero time leaves these macros as they are
	Count    func(string) int `json:"-"` // tokens of a text, never negative; nil means Estimate
	Limit    int              // tokens of the model's context; 0 means 8192
	Reserve  int              // tokens kept free for the reply; 0 means 1024
	Model    string
}

// Speaker is somebody who talks in the channel.
type Speaker struct{ Name string }

// Line is one message of the channel.
type Line struct {
	ID      string
	Speaker string // display name
	Persona bool   // said by the persona that is to speak
	Other   bool   // said by another persona
	Text    string
	At      time.Time
}

// Slot says which part of a prompt a Block is.
type Slot string

// The slots, in the order of a prompt.
const (
	MainPrompt   Slot = "main_prompt"
	Place        Slot = "place"
	Description  Slot = "character_description"
	Personality  Slot = "character_personality"
	Scenario     Slot = "scenario"
	ChannelNote  Slot = "channel_prompt"
	Expressions  Slot = "expressions"
	LoreEntry    Slot = "lore"
	Opening      Slot = "opening" // fills the place of a first user message where there is none
	ChatHistory  Slot = "chat_history"
	CurrentInput Slot = "current_input"
	Begun        Slot = "begun"
	PostHistory  Slot = "post_history"
	ContinueNote Slot = "continue_note"
	StopNote     Slot = "stop_note"
)

// Block is one piece of a prompt.
type Block struct {
	Slot      Slot
	Role      llm.Role
	Name      string // the speaker's, where one speaks
	Text      string // as the model gets it, a label with the speaker's name included
	Tokens    int    // of Text and its wrapping
	Protected bool   // never dropped
	From      string // what it was made from: a field of the card, a message's ID, a rule
}

// Draft is a prompt while the stages work on it.
type Draft struct {
	Scene  Scene
	Blocks []Block  // in the order of the prompt
	Cut    []Block  // dropped by context shifting, oldest first
	Budget int      // tokens that Blocks may have
	Others []string // names of everybody in the scene but the persona

	expand   func(string) string // macros, once stage 2 has seen the scene
	messages []llm.Message       // rendered by stage 9
}

// Prompt is what Build makes of a scene.
type Prompt struct {
	Request llm.Request
	Blocks  []Block  // in order; why each line of the request is there
	Cut     []Block  // what had to go, oldest first
	Budget  int      // tokens that the blocks were allowed
	Input   string   // the current input with its macros expanded, as history is to keep it
	Self    string   // the name under which the persona speaks
	Others  []string // the other speakers; the reply ends where one of them would begin to speak
}

// Tokens is the size of the prompt by the scene's counter.
func (p Prompt) Tokens() int { return tokens(p.Blocks) }
