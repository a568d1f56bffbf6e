package discord

import (
	"cmp"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"tsumugi/shared/chat"
)

// Discord's bounds of what an answer offers, in characters or pieces.
const (
	maxChoices   = 25
	maxChoice    = 100
	maxTitle     = 45
	maxFieldName = 45
	maxHint      = 100
	maxExample   = 100
)

// callback is the first answer to an interaction, in Discord's form.
type callback struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

type (
	// answerBody is a message that answers, or takes the place of one.
	answerBody struct {
		Content     string            `json:"content"`
		Flags       int               `json:"flags,omitempty"`
		Mentions    mentions          `json:"allowed_mentions"`
		Components  *[]rowBody        `json:"components,omitempty"`
		Attachments *[]attachmentBody `json:"attachments,omitempty"` // those that it keeps or brings; left out, it keeps all
	}
	laterBody struct {
		Flags int `json:"flags,omitempty"`
	}
	choicesBody struct {
		Choices []choiceBody `json:"choices"`
	}
	choiceBody struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	modalBody struct {
		ID         string      `json:"custom_id"`
		Title      string      `json:"title"`
		Components []labelBody `json:"components"`
	}
	// labelBody is a field of a form with its words around it.
	labelBody struct {
		Type      int       `json:"type"`
		Label     string    `json:"label"`
		Hint      string    `json:"description,omitempty"`
		Component inputBody `json:"component"`
	}
	inputBody struct {
		Type     int    `json:"type"`
		ID       string `json:"custom_id"`
		Style    int    `json:"style"`
		Example  string `json:"placeholder,omitempty"`
		Value    string `json:"value,omitempty"`
		Required bool   `json:"required"`
		Min      int    `json:"min_length,omitempty"`
		Max      int    `json:"max_length,omitempty"`
	}
)

// Components of forms, as Discord numbers them.
const (
	componentInput = 4
	componentLabel = 18
	inputShort     = 1
	inputLong      = 2
)

// callbackOf gives an answer the form that fits what it answers. What Discord would refuse whole for one part is cut to what it
// takes: who asked would read only that the application did not respond.
func callbackOf(i chat.Interaction, a chat.Answer) callback {
	if i.Kind == chat.AskedChoices { // nothing else may answer it
		return callback{discordgo.InteractionApplicationCommandAutocompleteResult, choicesBody{choicesOf(a.Choices)}}
	}
	if a.Modal != nil && (i.Kind == chat.UsedCommand || i.Kind == chat.UsedComponent) {
		if form, ok := modalOf(*a.Modal); ok {
			return callback{discordgo.InteractionResponseModal, form}
		}
	}
	a.Files = nil // they come later
	update := a.Update && (i.Kind == chat.UsedComponent || i.Kind == chat.SentModal && i.Message != "")
	flags := 0
	if a.Ephemeral {
		flags = int(discordgo.MessageFlagsEphemeral)
	}
	switch {
	case a.Deferred && update:
		return callback{Type: discordgo.InteractionResponseDeferredMessageUpdate}
	case a.Deferred: // other flags and words are not taken
		return callback{discordgo.InteractionResponseDeferredChannelMessageWithSource, laterBody{flags}}
	case update: // who sees the message was settled when it was made
		return callback{discordgo.InteractionResponseUpdateMessage, replacing(i, a)}
	}
	body := replacing(i, a)
	body.Flags, body.Attachments = flags, nil
	if len(*body.Components) == 0 {
		body.Components = nil
	}
	return callback{discordgo.InteractionResponseChannelMessageWithSource, body}
}

// replacing is a message that leaves nothing of the one whose place it takes: no button and no file. An answer that says and
// offers nothing, which Discord would refuse, becomes an apology.
func replacing(i chat.Interaction, a chat.Answer) answerBody {
	rows, none := rowsOf(a.Rows), []attachmentBody{}
	body := answerBody{Content: first(a.Text, maxContent), Mentions: nobody(), Components: &rows, Attachments: &none}
	if strings.TrimSpace(body.Content) == "" && len(rows) == 0 && len(a.Files) == 0 {
		slog.Error("an answer has nothing in it", "event", string(i.ID))
		body.Content = apology(i).Text
	}
	return body
}

func choicesOf(all []chat.Choice) []choiceBody {
	list := []choiceBody{}
	for _, c := range all {
		if c.Value == "" || utf8.RuneCountInString(c.Value) > maxChoice {
			slog.Error("a choice has no value that Discord takes")
			continue
		}
		list = append(list, choiceBody{first(cmp.Or(c.Name, c.Value), maxChoice), c.Value})
	}
	return list[:min(len(list), maxChoices)]
}

// modalOf is a form, if it has an id that will be known again and something to fill in.
func modalOf(m chat.Modal) (modalBody, bool) {
	form := modalBody{ID: m.ID, Title: first(cmp.Or(m.Title, unnamed), maxTitle)}
	var used []string
	for _, f := range m.Fields {
		if !customID(f.ID) || slices.Contains(used, f.ID) || len(used) == maxFields {
			slog.Error("a field of a form is left out: its id is too long or used, or there are too many")
			continue
		}
		used = append(used, f.ID)
		form.Components = append(form.Components, labelOf(f))
	}
	ok := customID(m.ID) && len(used) > 0
	if !ok {
		slog.Error("a form has no field, or its id is too long")
	}
	return form, ok
}

func labelOf(f chat.Field) labelBody {
	most := min(f.Max, maxText)
	if f.Max <= 0 {
		most = maxText
	}
	input := inputBody{Type: componentInput, ID: f.ID, Style: inputShort, Example: first(f.Example, maxExample), Value: first(f.Value, most),
		Required: f.Required, Min: min(max(f.Min, 0), most), Max: most}
	if f.Long {
		input.Style = inputLong
	}
	return labelBody{componentLabel, first(cmp.Or(f.Label, f.ID), maxFieldName), first(f.Hint, maxHint), input}
}

// customID tells whether Discord takes the id and gives it back as it is.
func customID(s string) bool { return s != "" && utf8.RuneCountInString(s) <= maxCustomID }
