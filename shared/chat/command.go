package chat

import "context"

// CommandSpec describes a slash command as it is registered with Discord. Commands are installed to servers, not to people.
type CommandSpec struct {
	Name        string
	Description string
	Options     []OptionSpec
	// Needs is what a member must be allowed to do to use it; 0 lets everybody. Discord hides the command from the others
	// (default_member_permissions), and it is checked again when the command is used.
	Needs Permissions
	DMs   bool // also in direct messages with the bot; in servers always
}

// OptionSpec describes one option of a slash command.
type OptionSpec struct {
	Name        string
	Description string
	Kind        OptionKind
	Required    bool
}

// OptionKind is what an option takes, numbered as Discord does.
type OptionKind int

// The kinds of option.
const (
	OptionText   OptionKind = 3
	OptionNumber OptionKind = 4 // a whole one
	OptionYesNo  OptionKind = 5
)

// Permissions is Discord's bit set of what a member may do.
type Permissions uint64

// The permissions that the house asks for, for people or for itself.
const (
	Administrator  Permissions = 1 << 3 // has all others
	ManageGuild    Permissions = 1 << 5
	ViewChannel    Permissions = 1 << 10
	SendMessages   Permissions = 1 << 11
	ManageMessages Permissions = 1 << 13
	ReadHistory    Permissions = 1 << 16
	SendInThreads  Permissions = 1 << 38
)

// Allow tells whether the set has all that is needed.
func (p Permissions) Allow(needed Permissions) bool {
	return p&Administrator != 0 || p&needed == needed
}

// InteractionKind is what somebody did.
type InteractionKind string

// The kinds of interaction.
const (
	UsedCommand   InteractionKind = "command"
	UsedComponent InteractionKind = "component"    // a button or a menu of a message
	AskedChoices  InteractionKind = "autocomplete" // an option is being typed
	SentModal     InteractionKind = "modal"
	UsedUnknown   InteractionKind = "unknown" // a kind that Discord had not when this was written
)

// Interaction is one use of a command, or of what an answer to one offered, in our words. One that is answered later travels
// through the commands queue.
type Interaction struct {
	ID          EventID         `json:"id"`
	Application string          `json:"application"`
	Token       string          `json:"token"` // a secret: it lets answer in the bot's name for 15 minutes; never logged
	Kind        InteractionKind `json:"kind"`
	Command     string          `json:"command,omitempty"`
	Options     []Option        `json:"options,omitempty"`
	Channel     ChannelID       `json:"channel"`
	Thread      bool            `json:"thread,omitempty"` // the channel is a thread
	Guild       string          `json:"guild,omitempty"`  // empty in direct messages
	User        UserID          `json:"user"`
	May         Permissions     `json:"may,omitempty"`    // of the user in the channel; 0 in direct messages
	BotMay      Permissions     `json:"botMay,omitempty"` // of the bot in the channel
	Locale      string          `json:"locale,omitempty"`
}

// Option is what somebody gave for an option, as text whatever its kind.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Answer is the first answer to an interaction. Where choices were asked for, it becomes a list of none.
type Answer struct {
	Text      string
	Ephemeral bool // only who asked sees it, and what it is later replaced by
	Deferred  bool // the text comes later, by Responses.Amend; Text is empty
}

// Errands takes interactions whose answer needs longer than Discord waits.
type Errands interface {
	// Defer keeps the interaction for the commands function. Repeating it is harmless.
	Defer(ctx context.Context, i Interaction) error
}

// Responses puts later answers in their place.
type Responses interface {
	// Amend replaces the first answer to the interaction by the text, and notifies nobody. It may be repeated. It fails with
	// a *Failure; Vanished says that it can be answered no more.
	Amend(ctx context.Context, i Interaction, text string) error
}
