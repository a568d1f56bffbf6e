package command

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// tokenLife is how long Discord takes answers to an interaction.
const tokenLife = 15 * time.Minute

// errExpired is the end of an interaction that took too long.
var errExpired = errors.New("the interaction is too old to be answered")

// Back gives interactions that were deferred their answer.
type Back struct {
	Responses chat.Responses
	Book      guild.Book
	Sealer    guild.Sealer
	Files     chat.Attachments
	Checks    Checks
	Prober    Prober
	// Offers tells whether the installation's own model may speak in a guild; nil for everywhere.
	Offers func(guild string) bool
}

func (b *Back) offers(g string) bool { return b.Offers == nil || b.Offers(g) }

// Handle does what the command is for and puts the answer in its place. Delivered again, it does so again: whatever a step
// changes it changes once for its interaction (guild.Book).
func (b *Back) Handle(ctx context.Context, i chat.Interaction) error {
	ctx = chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel))
	u, key := route(i)
	if made, ok := chat.SnowflakeTime(string(i.ID)); !ok || time.Since(made) > tokenLife {
		return chat.Drop(fmt.Errorf("answer command %s: %w", u.name(), errExpired))
	}
	a, err := b.answer(ctx, u, key)
	if err != nil {
		return fmt.Errorf("command %s: %w", u.name(), err)
	}
	err = b.Responses.Amend(ctx, i, a)
	switch chat.FailureOf(err) {
	case "":
		slog.InfoContext(ctx, "command answered", "command", u.name(), "step", u.step)
		return nil
	case chat.Vanished, chat.Rejected: // Discord would say the same again
		return chat.Drop(fmt.Errorf("answer command %s: %w", u.name(), err))
	}
	return fmt.Errorf("answer command %s: %w", u.name(), err)
}

// answer does a step, if it still may be done: settings may have changed on the way.
func (b *Back) answer(ctx context.Context, u *use, key string) (chat.Answer, error) {
	if key == "" {
		var err error
		if key, err = refusal(ctx, b.Book, u); err != nil {
			return chat.Answer{}, err
		}
	}
	if key == "" && u.work().later == nil {
		key = "refused.unknown"
	}
	if key != "" {
		return u.refuse(key), nil
	}
	return u.work().later(b, ctx, u)
}

// secret is what was written into a field that was sealed on its way.
func (b *Back) secret(ctx context.Context, u *use, field string) (string, error) {
	value := u.Field(field)
	if value == "" {
		return "", nil
	}
	s, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return "", chat.Drop(fmt.Errorf("field %s is not sealed: %w", field, err))
	}
	return b.Sealer.Open(ctx, formContext(u, field), s)
}
