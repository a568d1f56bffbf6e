package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"tsumugi/shared/chat"
)

var doctorRows = []row{
	{path: "doctor", needs: chat.ManageGuild, work: work{later: (*Back).doctor}},
}

// lookAtMost is how long one check may take.
const lookAtMost = 5 * time.Second

// relaySilent is after how long without a sign of life the relay counts as dead; the alarm says so then too.
const relaySilent = 2 * time.Minute

// Checks is what the doctor looks at. Each makes one cheap call.
type Checks struct {
	Store   func(context.Context, chat.ChannelID) error // whether it answers
	Relay   func(context.Context) (chat.Health, error)  // what it last said of itself
	Account func(context.Context) error                 // whether Discord takes the token
	Content func(context.Context) (bool, error)         // whether the message content intent is switched on
	Model   func(context.Context) error                 // whether something answers at its address
}

// finding is one line of the doctor's answer; without a fix all is well.
type finding struct{ what, fix string }

// doctor looks at one thing after the other. That it answers at all shows that the queues work.
func (b *Back) doctor(ctx context.Context, u *use) (chat.Answer, error) {
	var text strings.Builder
	for _, look := range []func(context.Context, chat.Interaction) finding{
		b.lookAtStore, b.lookAtRelay, b.lookAtAccount, b.lookAtContent, b.lookAtChannel, b.lookAtModel,
	} {
		f := bounded(ctx, u.Interaction, look)
		if f.fix == "" {
			fmt.Fprintf(&text, "✅ %s\n", f.what)
		} else {
			fmt.Fprintf(&text, "❌ %s\n-# Fix: %s\n", f.what, f.fix)
		}
	}
	return chat.Answer{Text: text.String()}, ctx.Err()
}

func bounded(ctx context.Context, i chat.Interaction, look func(context.Context, chat.Interaction) finding) finding {
	ctx, done := context.WithTimeout(ctx, lookAtMost)
	defer done()
	return look(ctx, i)
}

// ill logs the cause, which may say too much for a channel, and gives the line.
func ill(ctx context.Context, err error, what, fix string) finding {
	slog.WarnContext(ctx, "the doctor found something", "what", what, "error", err)
	return finding{what, fix}
}

func (b *Back) lookAtStore(ctx context.Context, i chat.Interaction) finding {
	if err := b.Checks.Store(ctx, i.Channel); err != nil {
		return ill(ctx, err, "The store does not answer.", "the operator looks for the cause in the log of the function `commands`: a missing permission, a deleted table, or an outage.")
	}
	return finding{what: "The store answers."}
}

func (b *Back) lookAtRelay(ctx context.Context, _ chat.Interaction) finding {
	h, err := b.Checks.Relay(ctx)
	silent := h.Silent(time.Now())
	switch {
	case err != nil:
		return ill(ctx, err, "Nobody knows how the relay is, which hears what is said in Discord.", "repair the store first.")
	case h.Parked != nil:
		return finding{"The relay is parked: Discord refused it, so nothing that is said is heard.", cmp.Or(h.Parked.Fix, "the operator looks at the log of `relay`") + "."}
	case silent > relaySilent:
		return finding{fmt.Sprintf("The relay has been silent for %s, so nothing that is said is heard.", silent.Round(time.Minute)),
			"the operator looks for the cause in the log of the function or process `relay`, and whether it is started at all."}
	case h.Ready < max(h.Of, 1):
		return finding{fmt.Sprintf("The relay is starting: %d of %d sessions with Discord are there.", h.Ready, max(h.Of, 1)), "wait for a few minutes, and ask again."}
	}
	return finding{what: "The relay hears what is said in Discord."}
}

func (b *Back) lookAtAccount(ctx context.Context, _ chat.Interaction) finding {
	err := b.Checks.Account(ctx)
	var f *chat.Failure
	switch {
	case err == nil:
		return finding{what: "Discord takes the bot's token."}
	case errors.As(err, &f) && f.Status == http.StatusUnauthorized:
		return ill(ctx, err, "Discord refuses the bot's token.", "the operator resets the token in the developer portal, under Bot, and stores the new one.")
	case f != nil && f.Kind == chat.Throttled && f.Status == 0: // the token could not be read, or Discord not be reached
		return ill(ctx, err, "Discord was not asked whether it takes the bot's token.", "the operator finds the reason in the log of the function `commands`.")
	}
	return ill(ctx, err, "Discord did not say whether it takes the bot's token.", "try again in a minute, and look at Discord's status page.")
}

func (b *Back) lookAtContent(ctx context.Context, _ chat.Interaction) finding {
	on, err := b.Checks.Content(ctx)
	switch {
	case err != nil:
		return ill(ctx, err, "Discord did not say whether the message content intent is on.", "try again in a minute.")
	case !on:
		return finding{"The message content intent is off: only mentions, replies and direct messages are heard.",
			"the operator switches Message Content Intent on in the developer portal, under Bot, if more is wanted."}
	}
	return finding{what: "The message content intent is on."}
}

func (b *Back) lookAtChannel(_ context.Context, i chat.Interaction) finding {
	needed := []chat.Permissions{chat.ViewChannel, chat.SendMessages, chat.ReadHistory}
	if i.Thread {
		needed[1] = chat.SendInThreads
	}
	var missing []string
	for _, p := range needed {
		if !i.BotMay.Allow(p) {
			missing = append(missing, nameOf(p))
		}
	}
	if len(missing) > 0 {
		return finding{"The bot may not do all it needs in this channel.",
			"give its role " + strings.Join(missing, ", ") + " in the settings of the channel."}
	}
	return finding{what: "The bot may read and write in this channel."}
}

func (b *Back) lookAtModel(ctx context.Context, _ chat.Interaction) finding {
	if err := b.Checks.Model(ctx); err != nil {
		return ill(ctx, err, "Nothing answers at the model's address.", "the operator checks TSUMUGI_MODEL_URL and that its server runs.")
	}
	return finding{what: "Something answers at the model's address."}
}

// nameOf is what Discord calls a permission in its settings.
func nameOf(p chat.Permissions) string {
	switch p {
	case chat.ManageGuild:
		return "Manage Server"
	case chat.ManageMessages:
		return "Manage Messages"
	case chat.ViewChannel:
		return "View Channel"
	case chat.SendMessages:
		return "Send Messages"
	case chat.SendInThreads:
		return "Send Messages in Threads"
	case chat.ReadHistory:
		return "Read Message History"
	}
	return "Administrator"
}
