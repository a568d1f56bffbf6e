package discord

import (
	"context"
	"errors"
	"net/http"

	"tsumugi/shared/chat"
)

// Where a command may be used and installed, as Discord numbers it.
const (
	contextServer    = 0
	contextDirect    = 1
	installedServers = 0
)

// commandBody is a slash command as it is registered.
type commandBody struct {
	Type        int               `json:"type"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Options     []optionBody      `json:"options"`
	Needs       *chat.Permissions `json:"default_member_permissions"` // null: everybody
	Contexts    []int             `json:"contexts"`
	Installed   []int             `json:"integration_types"`
}

type optionBody struct {
	Type        chat.OptionKind `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Required    bool            `json:"required"`
}

// chatInput is the type of a slash command.
const chatInput = 1

func newCommandBody(s chat.CommandSpec) commandBody {
	b := commandBody{Type: chatInput, Name: s.Name, Description: s.Description, Options: []optionBody{},
		Contexts: []int{contextServer}, Installed: []int{installedServers}}
	if s.Needs != 0 {
		b.Needs = &s.Needs
	}
	if s.DMs {
		b.Contexts = append(b.Contexts, contextDirect)
	}
	for _, o := range s.Options {
		b.Options = append(b.Options, optionBody{o.Kind, o.Name, o.Description, o.Required})
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
