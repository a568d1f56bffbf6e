package chat

import "context"

// What an answer may hold besides words, and what comes back when somebody uses it. The limits are Discord's (Components,
// Reference); package discord cuts what is longer, and the tests of package command find it before.

// ActionRow is a line below an answer: up to five buttons, or one menu.
type ActionRow struct {
	Buttons []Button
	Menu    *Menu
}

// Button is something to press.
type Button struct {
	ID    string // at most 100 characters; comes back as Interaction.CustomID
	Label string // at most 80
	Style ButtonStyle
	URL   string // in place of an ID: the button leads there
	Off   bool   // it is shown, and cannot be pressed
}

// ButtonStyle is how a button looks, numbered as Discord does.
type ButtonStyle int

// The styles. Danger is for what destroys.
const (
	Plain   ButtonStyle = 2
	Primary ButtonStyle = 1
	Success ButtonStyle = 3
	Danger  ButtonStyle = 4
)

// Menu is a list to choose from.
type Menu struct {
	ID       string // at most 100 characters; comes back as Interaction.CustomID
	Of       MenuOf
	Hint     string     // shown while nothing is chosen, at most 150
	Items    []MenuItem // of a menu of texts: 1 to 25
	Channels []int      // of a menu of channels: the types that may be chosen (Discord, Channel Types); none for all
	Chosen   []string   // of the other menus: ids that are chosen from the start
	Min, Max int        // how many are to be chosen; 0 for one, and a Min below 0 for none if they like
}

// MenuOf is what a menu lists, numbered as Discord does.
type MenuOf int

// The menus.
const (
	OfTexts    MenuOf = 3
	OfRoles    MenuOf = 6
	OfChannels MenuOf = 8
)

// MenuItem is a line of a menu of texts.
type MenuItem struct {
	Label  string // at most 100 characters
	Value  string // the same; comes back in Interaction.Values
	Hint   string // the same, below the label
	Chosen bool
}

// Modal is a form that is opened in place of an answer. It may answer commands and components, not other modals.
type Modal struct {
	ID     string // at most 100 characters; comes back as Interaction.CustomID
	Title  string // at most 45
	Fields []Field
}

// Field is a text to fill in: 1 to 5 a form.
type Field struct {
	ID       string // comes back as the name in Interaction.Fields
	Label    string // at most 45 characters
	Hint     string // below the label, at most 100
	Example  string // shown while it is empty, at most 100
	Value    string // that is there from the start, at most 4,000
	Long     bool   // it has lines
	Required bool
	Min, Max int // characters; 0 for Discord's own bounds: 0 and 4,000
}

// Choice is what an option that is being typed may become.
type Choice struct {
	Name  string // at most 100 characters
	Value string // the same
}

// File is shown with an answer that was deferred.
type File struct {
	Name string
	Type string // of its content
	Body []byte
}

// Attachment is a file that somebody gave for an option. Its address is Discord's and works for some hours.
type Attachment struct {
	URL  string `json:"url"`
	Name string `json:"name"`
	Type string `json:"type,omitempty"` // as Discord guesses it
	Size int    `json:"size"`           // bytes
}

// Attachments reads what somebody gave.
type Attachments interface {
	// Fetch gives the bytes of a file, at most so many. It fails with a *Failure: Rejected when the file is larger or its address is
	// not Discord's, Vanished when it is not there any more.
	Fetch(ctx context.Context, a Attachment, most int) ([]byte, error)
}
