package discord

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"tsumugi/shared/chat"
)

// An answer may be amended before Discord has taken note of it: for some seconds it says that there is none. Whoever hears
// that asks again.
const (
	amendFor   = 10 * time.Second
	amendPause = 500 * time.Millisecond
)

var _ chat.Responses = (*Client)(nil)

// Amend replaces the first answer to an interaction with its buttons and files, and notifies nobody. Where that was a deferred
// update, the message whose component was used is replaced. An answer that Discord does not know is tried again
// for ten seconds, or as long as the context lasts. The call carries the interaction's token in place of the bot's, so it also
// works while Discord refuses that one.
func (c *Client) Amend(ctx context.Context, i chat.Interaction, a chat.Answer) error {
	const op = "amend answer"
	if err := errors.Join(id(i.Application), id(string(i.ID))); err != nil || !tokenShaped(i.Token) {
		return &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	a.Files = fitting(ctx, a.Files)
	body := replacing(i, a)
	*body.Attachments = attachmentsOf(a.Files)
	r := request{
		op: op, method: http.MethodPatch, route: "/webhooks/{application}/{token}/messages/@original",
		major: string(i.ID), // there is one token to an interaction, and this is no secret
		path:  "/webhooks/" + i.Application + "/" + i.Token + "/messages/@original",
		body:  body, files: a.Files,
	}
	for end := time.Now().Add(amendFor); ; {
		err := c.withoutToken(ctx, r)
		var f *chat.Failure
		if !errors.As(err, &f) || f.Status != http.StatusNotFound && f.Status != http.StatusUnauthorized {
			return err
		}
		f.Kind = chat.Vanished
		if f.Status == http.StatusUnauthorized || time.Now().After(end) {
			return f
		}
		if cause := pause(ctx, amendPause/2+rand.N(amendPause)); cause != nil {
			return &chat.Failure{Op: op, Kind: chat.Throttled, Status: f.Status, Code: f.Code, Err: cause}
		}
	}
}

func (c *Client) withoutToken(ctx context.Context, r request) error {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	return c.once(ctx, r, "", nil)
}
