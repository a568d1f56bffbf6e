package discord

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tsumugi/shared/chat"
)

// Bounds of an interaction, in characters or pieces. Discord's own are the same or lower, but for the token, whose length it
// does not say.
const (
	maxToken   = 1000
	maxCommand = 100 // a name, and those of a group and a subcommand
	maxOptions = 25
	maxValue   = 6000
	maxContent = 2000
	maxLocale  = 16
)

// errNoInteraction is said to the caller: it holds nothing of the body.
var errNoInteraction = errors.New("the body is not an interaction")

// interactionData is what is read of an interaction. discordgo's own reading fails on kinds that it does not know.
type interactionData struct {
	Type        int    `json:"type"`
	ID          string `json:"id"`
	Application string `json:"application_id"`
	Token       string `json:"token"`
	Data        struct {
		Name    string       `json:"name"`
		Options []optionData `json:"options"`
	} `json:"data"`
	Guild     string `json:"guild_id"`
	ChannelID string `json:"channel_id"`
	Channel   struct {
		Type discordgo.ChannelType `json:"type"`
	} `json:"channel"`
	Member struct {
		User        userData `json:"user"`
		Permissions string   `json:"permissions"`
	} `json:"member"`
	User           userData `json:"user"`
	AppPermissions string   `json:"app_permissions"`
	Locale         string   `json:"locale"`
}

type userData struct {
	ID string `json:"id"`
}

type optionData struct {
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Name    string                                 `json:"name"`
	Value   json.RawMessage                        `json:"value"`
	Options []optionData                           `json:"options"`
}

// decodeInteraction gives an interaction our words. A ping is Discord's question whether anybody is there, and nothing else.
func decodeInteraction(body []byte) (i chat.Interaction, ping bool, err error) {
	var d interactionData
	err = json.Unmarshal(flat(body), &d)
	var odd *json.UnmarshalTypeError // one part is not as documented; what is needed of it is looked for below
	if err != nil && !errors.As(err, &odd) || d.Type < 1 {
		return i, false, errNoInteraction
	}
	if d.Type == int(discordgo.InteractionPing) {
		return i, true, nil
	}
	i = chat.Interaction{
		ID: chat.EventID(cleanID(d.ID)), Application: cleanID(d.Application), Token: strings.Clone(d.Token), Kind: kindOf(d.Type),
		Channel: chat.ChannelID(cleanID(d.ChannelID)), Guild: cleanID(d.Guild), User: chat.UserID(cleanID(d.User.ID)),
		Thread: thread(d.Channel.Type), BotMay: permissions(d.AppPermissions), Locale: oneLine(d.Locale, maxLocale),
	}
	if i.Guild != "" {
		i.User, i.May = chat.UserID(cleanID(d.Member.User.ID)), permissions(d.Member.Permissions)
	}
	if i.Kind == chat.UsedUnknown {
		return chat.Interaction{Kind: i.Kind}, false, nil // nobody knows what it has
	}
	if i.ID == "" || i.Application == "" || i.Channel == "" || i.User == "" || !tokenShaped(d.Token) {
		return chat.Interaction{}, false, errNoInteraction
	}
	if i.Kind == chat.UsedCommand || i.Kind == chat.AskedChoices {
		i.Command, i.Options = commandOf(d.Data.Name, d.Data.Options)
	}
	return i, false, nil
}

func kindOf(n int) chat.InteractionKind {
	switch discordgo.InteractionType(n) {
	case discordgo.InteractionApplicationCommand:
		return chat.UsedCommand
	case discordgo.InteractionMessageComponent:
		return chat.UsedComponent
	case discordgo.InteractionApplicationCommandAutocomplete:
		return chat.AskedChoices
	case discordgo.InteractionModalSubmit:
		return chat.SentModal
	}
	return chat.UsedUnknown
}

func thread(t discordgo.ChannelType) bool {
	return t == discordgo.ChannelTypeGuildNewsThread || t == discordgo.ChannelTypeGuildPublicThread || t == discordgo.ChannelTypeGuildPrivateThread
}

// permissions reads a bit set; one that is none allows nothing.
func permissions(s string) chat.Permissions {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return chat.Permissions(n)
}

// tokenShaped tells whether the token can stand in a path.
func tokenShaped(s string) bool {
	return s != "" && len(s) <= maxToken && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~=+") == ""
}

// commandOf is the name of a command with those of its group and subcommand behind it, and what was given for its options.
func commandOf(name string, options []optionData) (string, []chat.Option) {
	for len(options) == 1 && (options[0].Type == discordgo.ApplicationCommandOptionSubCommand || options[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup) {
		name, options = name+" "+options[0].Name, options[0].Options
	}
	var given []chat.Option
	for _, o := range options[:min(len(options), maxOptions)] {
		if v, ok := valueOf(o.Value); ok {
			given = append(given, chat.Option{Name: oneLine(o.Name, maxCommand), Value: v})
		}
	}
	return oneLine(name, maxCommand), given
}

// valueOf is a text, a number or a truth value as text; false for what is none of them.
func valueOf(raw json.RawMessage) (string, bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return text(v, maxValue), true
	case float64, bool:
		return first(string(raw), maxCommand), true // as it was written: a large number would lose digits
	}
	return "", false
}
