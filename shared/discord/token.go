package discord

import (
	"context"
	"strings"

	"tsumugi/shared/chat"
)

// constant is a token that stays what it is.
func constant(token string) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) { return token, nil }
}

// token is the token to use now: for "" the current one, else another one than that which was refused, if there is one by now.
func (c *Client) token(ctx context.Context, refused string) (string, error) {
	v, err := c.current(ctx, refused)
	return strings.TrimPrefix(strings.TrimSpace(v), "Bot "), err
}

// call makes the request and decodes the reply into out, unless that is nil. Its error is a *chat.Failure. A token that
// Discord refuses is changed for another one if there is one, and the request, of which nothing happened, is made again.
func (c *Client) call(ctx context.Context, r request, out any) error {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	token, err := c.token(ctx, "")
	if err != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Throttled, After: waitToken, Err: err}
	}
	err = c.once(ctx, r, token, out)
	if !unauthorized(err) {
		return err
	}
	if other, failed := c.token(ctx, token); failed == nil && other != token {
		return c.once(ctx, r, other, out)
	}
	return err
}

// replaced tells whether a token that the gateway refused is another one by now.
func (c *Client) replaced(ctx context.Context, refused string) bool {
	other, err := c.token(ctx, refused)
	return err == nil && refused != "" && other != refused
}
