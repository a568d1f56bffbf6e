package chat

import "context"

// CommandSpec describes a command as it is registered with Discord. Commands are installed to servers, not to people.
type CommandSpec struct {
	OfMessages  bool              // it is in the menu of every message, and has neither description nor options; else it is a slash command
	Name        string            // 1 to 32 characters; of a slash command lower-case ones
	Names       map[string]string // of one in a menu, in other languages
	Description string            // at most 100
	// Local is the description in other languages, by Discord's names of them.
	Local   map[string]string
	Options []OptionSpec
	// Needs is what a member must be allowed to do to use it; 0 lets everybody. Discord hides the command from the others
	// (default_member_permissions), and it is checked again when the command is used.
	Needs Permissions
	DMs   bool // also in direct messages with the bot; in servers always
}

// OptionSpec describes one option of a slash command, or a command below it.
type OptionSpec struct {
	Name        string
	Description string
	Local       map[string]string // of the description
	Kind        OptionKind
	Required    bool
	Choices     []ChoiceSpec // nothing else may be given; at most 25
	Completes   bool         // choices are asked for while it is typed
	Min, Max    int          // of a number, or of the length of a text; 0, 0 for none
	Channels    []int        // of a channel: its types; none for all
	Options     []OptionSpec // of a command below
}

// ChoiceSpec is one of the values that an option may have.
type ChoiceSpec struct {
	Name  string
	Local map[string]string
	Value string
}

// OptionKind is what an option takes, numbered as Discord does.
type OptionKind int

// The kinds of option.
const (
	SubCommand   OptionKind = 1
	OptionText   OptionKind = 3
	OptionNumber OptionKind = 4 // a whole one
	OptionYesNo  OptionKind = 5
	OptionPlace  OptionKind = 7 // a channel
	OptionRole   OptionKind = 8
	OptionFile   OptionKind = 11
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
	EmbedLinks     Permissions = 1 << 14
	AttachFiles    Permissions = 1 << 15
	ReadHistory    Permissions = 1 << 16
	ManageWebhooks Permissions = 1 << 29
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
	// Command is the name, as it is registered, with the name of the command below it behind a blank; of a command, and where choices are asked for.
	Command string   `json:"command,omitempty"`
	Options []Option `json:"options,omitempty"`
	Focused string   `json:"focused,omitempty"` // the option that is being typed

	CustomID string    `json:"customID,omitempty"` // of the component or form
	Values   []string  `json:"values,omitempty"`   // chosen in a menu
	Fields   []Option  `json:"fields,omitempty"`   // what was written into a form
	Message  MessageID `json:"message,omitempty"`  // that has the component, or led to the form
	Target   MessageID `json:"target,omitempty"`   // in whose menu the command was used

	Channel     ChannelID             `json:"channel"`
	Thread      bool                  `json:"thread,omitempty"` // the channel is a thread
	Guild       string                `json:"guild,omitempty"`  // empty in direct messages
	User        UserID                `json:"user"`
	Name        string                `json:"name,omitempty"`  // of the user, as shown in the channel
	Roles       []string              `json:"roles,omitempty"` // ids of the user's roles
	May         Permissions           `json:"may,omitempty"`   // of the user in the channel; 0 in direct messages
	BotMay      Permissions           `json:"botMay,omitempty"`
	Locale      string                `json:"locale,omitempty"`      // of the user
	GuildLocale string                `json:"guildLocale,omitempty"` // that the server prefers
	Files       map[string]Attachment `json:"files,omitempty"`       // given for options, by the value of the option
}

// Option is what somebody gave for an option, as text whatever its kind: ids for channels, roles and files.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Option is what was given for an option; "" when nothing was.
func (i Interaction) Option(name string) string { return valueOf(i.Options, name) }

// Field is what was written into a field of a form.
func (i Interaction) Field(name string) string { return valueOf(i.Fields, name) }

func valueOf(all []Option, name string) string {
	for _, o := range all {
		if o.Name == name {
			return o.Value
		}
	}
	return ""
}

// Answer is an answer to an interaction. Where choices were asked for, it is the Choices and nothing else.
type Answer struct {
	Text      string      // at most 2,000 characters; it mentions nobody
	Rows      []ActionRow // below it, at most 5
	Files     []File      // only by Responses.Amend
	Ephemeral bool        // only who asked sees it, and what it is later replaced by
	Deferred  bool        // the answer comes later, by Responses.Amend; there is no text yet
	Update    bool        // it takes the place of the message whose component was used; not for commands
	Modal     *Modal      // a form in place of an answer; nothing else is set then
	Choices   []Choice
}

// Errands takes interactions whose answer needs longer than Discord waits.
type Errands interface {
	// Defer keeps the interaction for the commands function. Repeating it is harmless.
	Defer(ctx context.Context, i Interaction) error
}

// Ingress takes what is to be answered beside what is said, for admission.
type Ingress interface {
	// Enter puts an event that a command made (Asked) behind what was said in its channel. Repeating it is harmless.
	Enter(ctx context.Context, e Event) error
}

// Responses puts later answers in their place.
type Responses interface {
	// Amend replaces the first answer to the interaction by another one (its text, rows and files), and notifies nobody. It
	// may be repeated. It fails with a *Failure; Vanished says that it can be answered no more.
	Amend(ctx context.Context, i Interaction, a Answer) error
}
