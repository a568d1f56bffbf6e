package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
)

// tokenLife is how long Discord takes answers to an interaction.
const tokenLife = 15 * time.Minute

// errExpired is the end of an interaction that took too long.
var errExpired = errors.New("the interaction is too old to be answered")

// Back gives interactions that were deferred their answer.
type Back struct {
	responses chat.Responses
	checks    Checks
}

// NewBack answers through responses.
func NewBack(r chat.Responses, c Checks) *Back { return &Back{r, c} }

// Handle does what the command is for and puts the answer in its place. Delivered again, it does so again: no command that
// is deferred changes anything but its answer.
func (b *Back) Handle(ctx context.Context, i chat.Interaction) error {
	ctx = chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel))
	if made, ok := chat.SnowflakeTime(string(i.ID)); !ok || time.Since(made) > tokenLife {
		return chat.Drop(fmt.Errorf("answer command %s: %w", i.Command, errExpired))
	}
	text := sayUnknown
	if c := find(i.Command); c != nil && c.later != nil {
		var err error
		if text, err = c.later(b, ctx, i); err != nil {
			return fmt.Errorf("command %s: %w", i.Command, err)
		}
	}
	err := b.responses.Amend(ctx, i, text)
	switch chat.FailureOf(err) {
	case "":
		slog.InfoContext(ctx, "command answered", "command", i.Command)
		return nil
	case chat.Vanished, chat.Rejected: // Discord would say the same again
		return chat.Drop(fmt.Errorf("answer command %s: %w", i.Command, err))
	}
	return fmt.Errorf("answer command %s: %w", i.Command, err)
}
