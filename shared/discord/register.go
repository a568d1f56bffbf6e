package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"tsumugi/shared/chat"
)

// Where a command may be used and installed, as Discord numbers it.
const (
	contextServer    = 0
	contextDirect    = 1
	installedServers = 0
)

type (
	// commandBody is a command as it is registered. One in a menu has neither description nor options.
	commandBody struct {
		Type        int               `json:"type"`
		Name        string            `json:"name"`
		Names       map[string]string `json:"name_localizations,omitempty"`
		Description string            `json:"description"`
		Local       map[string]string `json:"description_localizations,omitempty"`
		Options     []optionBody      `json:"options"`
		Needs       *chat.Permissions `json:"default_member_permissions"` // null: everybody
		Contexts    []int             `json:"contexts"`
		Installed   []int             `json:"integration_types"`
	}
	optionBody struct {
		Type        chat.OptionKind   `json:"type"`
		Name        string            `json:"name"`
		Description string            `json:"description"`
		Local       map[string]string `json:"description_localizations,omitempty"`
		Required    bool              `json:"required,omitempty"`
		Choices     []valueBody       `json:"choices,omitempty"`
		Completes   bool              `json:"autocomplete,omitempty"`
		MinLength   *int              `json:"min_length,omitempty"`
		MaxLength   *int              `json:"max_length,omitempty"`
		MinValue    *int              `json:"min_value,omitempty"`
		MaxValue    *int              `json:"max_value,omitempty"`
		Channels    []int             `json:"channel_types,omitempty"`
		Options     []optionBody      `json:"options,omitempty"`
	}
	// valueBody is one of the values that an option may have. That of a number is a number.
	valueBody struct {
		Name  string            `json:"name"`
		Local map[string]string `json:"name_localizations,omitempty"`
		Value any               `json:"value"`
	}
)

// The types of commands.
const (
	chatInput  = 1
	ofMessages = 3
)

func newCommandBody(s chat.CommandSpec) commandBody {
	b := commandBody{Type: chatInput, Name: s.Name, Description: s.Description, Local: s.Local, Options: newOptionBodies(s.Options),
		Contexts: []int{contextServer}, Installed: []int{installedServers}}
	if s.OfMessages {
		b.Type, b.Names, b.Description, b.Local, b.Options = ofMessages, s.Names, "", nil, []optionBody{}
	}
	if s.Needs != 0 {
		b.Needs = &s.Needs
	}
	if s.DMs {
		b.Contexts = append(b.Contexts, contextDirect)
	}
	return b
}

// newOptionBodies are options as Discord wants them: those that are required first.
func newOptionBodies(specs []chat.OptionSpec) []optionBody {
	all := []optionBody{}
	for _, s := range specs {
		o := optionBody{Type: s.Kind, Name: s.Name, Description: s.Description, Local: s.Local, Required: s.Required,
			Completes: s.Completes, Channels: s.Channels, Options: newOptionBodies(s.Options)}
		o.bound(s)
		for _, c := range s.Choices {
			o.Choices = append(o.Choices, newValueBody(s.Kind, c))
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b optionBody) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return all
}

// bound limits a number, or the length of a text. A largest one that is below the smallest is none.
func (o *optionBody) bound(s chat.OptionSpec) {
	if s.Min == 0 && s.Max == 0 {
		return
	}
	least, most := &s.Min, &s.Max
	if s.Max < s.Min {
		most = nil
	}
	switch s.Kind {
	case chat.OptionText:
		o.MinLength, o.MaxLength = least, most
	case chat.OptionNumber:
		o.MinValue, o.MaxValue = least, most
	}
}

func newValueBody(kind chat.OptionKind, c chat.ChoiceSpec) valueBody {
	b := valueBody{Name: c.Name, Local: c.Local, Value: c.Value}
	if kind == chat.OptionNumber {
		b.Value = json.Number(c.Value)
	}
	return b
}

// SetCommands makes the slash commands of the bot's application, in every server and in direct messages, these and no others.
// It may be repeated.
func (c *Client) SetCommands(ctx context.Context, application string, specs []chat.CommandSpec) error {
	const op = "register the commands"
	if err := id(application); err != nil {
		return &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	body := []commandBody{}
	for _, s := range specs {
		body = append(body, newCommandBody(s))
	}
	return c.call(ctx, request{
		op: op, method: http.MethodPut, route: "/applications/{application}/commands", path: "/applications/" + application + "/commands", body: body,
	}, nil)
}

const opEndpoint = "set the interactions endpoint"

// SetInteractionsURL tells Discord where to send interactions; "" lets them come over the gateway. Discord proves an address
// before it answers: it sends it a ping, and requests with bad signatures, which must be refused. One that fails there is
// Rejected (see Unproven), and may be proven later.
func (c *Client) SetInteractionsURL(ctx context.Context, address string) error {
	body := map[string]*string{"interactions_endpoint_url": nil}
	if address != "" {
		body["interactions_endpoint_url"] = &address
	}
	return c.call(ctx, request{
		op: opEndpoint, method: http.MethodPatch, route: pathApplication, path: pathApplication, body: body,
	}, nil)
}

// Unproven tells whether SetInteractionsURL failed because Discord could not prove the address.
func Unproven(err error) bool {
	f, ok := errors.AsType[*chat.Failure](err)
	return ok && f.Op == opEndpoint && f.Code == codeInvalidForm
}
