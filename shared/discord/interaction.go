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
	maxToken    = 1000
	maxCommand  = 100 // a name, and those of a group and a subcommand
	maxOptions  = 25
	maxValue    = 6000
	maxContent  = 2000
	maxLocale   = 16
	maxCustomID = 100
	maxValues   = 25
	maxFields   = 5
	maxRoles    = 250
	maxAddress  = 2048
	maxFileType = 100
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
		Type       discordgo.ApplicationCommandType `json:"type"`
		Name       string                           `json:"name"`
		Target     string                           `json:"target_id"`
		Options    []optionData                     `json:"options"`
		CustomID   string                           `json:"custom_id"`
		Values     []string                         `json:"values"`
		Components []partData                       `json:"components"`
		Resolved   struct {
			Attachments map[string]fileData `json:"attachments"`
		} `json:"resolved"`
	} `json:"data"`
	Guild     string `json:"guild_id"`
	ChannelID string `json:"channel_id"`
	Channel   struct {
		Type discordgo.ChannelType `json:"type"`
	} `json:"channel"`
	Message struct {
		ID string `json:"id"`
	} `json:"message"`
	Member struct {
		User        userData `json:"user"`
		Nick        string   `json:"nick"`
		Roles       []string `json:"roles"`
		Permissions string   `json:"permissions"`
	} `json:"member"`
	User           userData `json:"user"`
	AppPermissions string   `json:"app_permissions"`
	Locale         string   `json:"locale"`
	GuildLocale    string   `json:"guild_locale"`
}

type userData struct {
	ID     string `json:"id"`
	Name   string `json:"username"`
	Global string `json:"global_name"`
}

// decodeInteraction gives an interaction our words. A ping is Discord's question whether anybody is there, and nothing else.
// Of a kind that is not known it gives what can be read.
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
		ID: chat.EventID(cleanID(d.ID)), Application: cleanID(d.Application), Kind: d.kind(),
		Channel: chat.ChannelID(cleanID(d.ChannelID)), Guild: cleanID(d.Guild), Message: chat.MessageID(cleanID(d.Message.ID)),
		Thread: thread(d.Channel.Type), BotMay: permissions(d.AppPermissions),
		Locale: oneLine(d.Locale, maxLocale), GuildLocale: oneLine(d.GuildLocale, maxLocale),
	}
	if tokenShaped(d.Token) {
		i.Token = strings.Clone(d.Token)
	}
	who := d.User
	if i.Guild != "" {
		who, i.May, i.Roles = d.Member.User, permissions(d.Member.Permissions), cleanIDs(d.Member.Roles, maxRoles)
	}
	i.User, i.Name = chat.UserID(cleanID(who.ID)), firstName(d.Member.Nick, who.Global, who.Name)
	if i.Kind == chat.UsedUnknown {
		return i, false, nil // nobody knows what it has to have
	}
	if i.ID == "" || i.Application == "" || i.Channel == "" || i.User == "" || i.Token == "" {
		return chat.Interaction{}, false, errNoInteraction
	}
	d.fill(&i)
	return i, false, nil
}

// fill adds what was used, and how.
func (d *interactionData) fill(i *chat.Interaction) {
	i.Files = filesOf(d.Data.Resolved.Attachments)
	switch i.Kind {
	case chat.UsedCommand, chat.AskedChoices:
		i.Command, i.Options, i.Focused = commandOf(d.Data.Name, d.Data.Options)
		if d.Data.Type == discordgo.MessageApplicationCommand {
			i.Target = chat.MessageID(cleanID(d.Data.Target))
		}
	case chat.UsedComponent:
		i.CustomID, i.Values = text(d.Data.CustomID, maxCustomID), valuesOf(d.Data.Values)
	case chat.SentModal:
		i.CustomID, i.Fields = text(d.Data.CustomID, maxCustomID), fieldsOf(d.Data.Components)
	}
}

// kind is what was done. Commands in the menus of users are none of ours.
func (d *interactionData) kind() chat.InteractionKind {
	switch discordgo.InteractionType(d.Type) {
	case discordgo.InteractionApplicationCommand:
		switch d.Data.Type {
		case 0, discordgo.ChatApplicationCommand:
			return chat.UsedCommand
		case discordgo.MessageApplicationCommand:
			if cleanID(d.Data.Target) != "" {
				return chat.UsedCommand
			}
		}
		return chat.UsedUnknown
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

// cleanIDs are at most n ids, without what is none.
func cleanIDs(all []string, n int) []string {
	var ids []string
	for _, s := range all[:min(len(all), n)] {
		if s = cleanID(s); s != "" {
			ids = append(ids, s)
		}
	}
	return ids
}

// firstName is the first of the names that has something to show.
func firstName(names ...string) string {
	for _, name := range names {
		if name = oneLine(name, maxName); name != "" {
			return name
		}
	}
	return ""
}
