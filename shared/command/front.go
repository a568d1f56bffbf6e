package command

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
)

// within is how long a command may take to be answered at once. Discord waits three seconds, of which the way there and
// back, and a cold start, take their part.
const within = 1500 * time.Millisecond

// What is said when there is nothing else to say.
const (
	sayAgain       = "That did not work just now. Please try again in a moment."
	sayUnknown     = "I do not have this command any more. Discord may show it for a while yet."
	sayNoMore      = "This no longer works. Please use the command again."
	sayNotYet      = "I cannot do this."
	sayServersOnly = "This command works in servers only."
	sayForbidden   = "You may not use this command here: it needs the permission %s."
)

// Front gives interactions their first answer.
type Front struct {
	controls chat.Controls
	errands  chat.Errands
}

// NewFront answers with what the channels' controls do, and gives the rest to errands.
func NewFront(c chat.Controls, e chat.Errands) *Front { return &Front{c, e} }

// Answer always has an answer, which only the one who asked sees: a failure is logged, and told as something to try again.
func (f *Front) Answer(ctx context.Context, i chat.Interaction) chat.Answer {
	ctx, done := context.WithTimeout(chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel)), within)
	defer done()
	a := chat.Answer{Ephemeral: true}
	switch i.Kind {
	case chat.UsedCommand:
		a.Text, a.Deferred = f.use(ctx, i)
	case chat.UsedComponent, chat.SentModal: // of a message that an older version sent
		a.Text = sayNoMore
	case chat.AskedChoices: // there are none to choose from
	default:
		a.Text = sayNotYet
	}
	return a
}

// use does what a command is for, or keeps it for later.
func (f *Front) use(ctx context.Context, i chat.Interaction) (text string, later bool) {
	c := find(i.Command)
	if c == nil {
		slog.WarnContext(ctx, "a command is not known; the registrar takes away what is registered too much", "command", i.Command)
		return sayUnknown, false
	}
	if text := refusal(c.spec, i); text != "" {
		return text, false
	}
	var err error
	if c.now != nil {
		text, err = c.now(f, ctx, i)
	} else {
		err, later = f.errands.Defer(ctx, i), true
	}
	if err != nil {
		slog.ErrorContext(ctx, "command failed", "command", i.Command, "error", err)
		return sayAgain, false
	}
	slog.InfoContext(ctx, "command", "command", i.Command, "later", later)
	return text, later
}

// refusal is why the command may not be used by this person in this place; "" when it may. Discord has looked already, but
// a server's settings may let others use a command, and the rule is ours.
func refusal(spec chat.CommandSpec, i chat.Interaction) string {
	switch {
	case i.Guild == "" && !spec.DMs:
		return sayServersOnly
	case i.Guild != "" && !i.May.Allow(spec.Needs):
		return fmt.Sprintf(sayForbidden, nameOf(spec.Needs))
	}
	return ""
}
