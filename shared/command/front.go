package command

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
)

// within is how long a command may take to be answered at once. Discord waits three seconds, of which the way there and
// back, and a cold start, take their part.
const within = 1500 * time.Millisecond

// maxChoices is how many choices Discord shows.
const maxChoices = 25

// Front gives interactions their first answer.
type Front struct {
	Controls chat.Controls
	Replies  chat.Replies
	Errands  chat.Errands
	Ingress  chat.Ingress
	Book     guild.Book
	Sealer   guild.Sealer
	// Offers tells whether the installation's own model may speak in a guild; nil for everywhere.
	Offers func(guild string) bool
}

func (f *Front) offers(g string) bool { return f.Offers == nil || f.Offers(g) }

// Answer always has an answer, which only the one who asked sees: a failure is logged, and told as something to try again.
func (f *Front) Answer(ctx context.Context, i chat.Interaction) chat.Answer {
	ctx, done := context.WithTimeout(chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel)), within)
	defer done()
	u, key := route(i)
	if i.Kind == chat.AskedChoices {
		return f.choices(ctx, u)
	}
	a, err := f.answer(ctx, u, key)
	if err != nil {
		slog.ErrorContext(ctx, "command failed", "command", u.name(), "step", u.step, "error", err)
		a = u.text("refused.again")
	}
	a.Ephemeral = true
	return a
}

// name is the command's, for logs; what somebody made up is not repeated there.
func (u *use) name() string {
	if u.row == nil {
		return ""
	}
	return u.row.path
}

// answer does a step, or keeps it for later.
func (f *Front) answer(ctx context.Context, u *use, key string) (chat.Answer, error) {
	if key == "" {
		var err error
		if key, err = refusal(ctx, f.Book, u); err != nil {
			return chat.Answer{}, err
		}
	}
	if key != "" {
		slog.InfoContext(ctx, "command refused", "command", u.name(), "step", u.step, "why", key)
		return u.refuse(key), nil
	}
	w := u.work()
	slog.InfoContext(ctx, "command", "command", u.name(), "step", u.step, "later", w.now == nil)
	if w.now != nil {
		return w.now(f, ctx, u)
	}
	if w.look != nil {
		if a, err := w.look(f, ctx, u); a != nil || err != nil {
			return *cmp.Or(a, &chat.Answer{}), err
		}
	}
	if err := f.seal(ctx, u, w.secret); err != nil {
		return chat.Answer{}, err
	}
	a := chat.Answer{Deferred: true, Update: u.Message != ""}
	if w.meanwhile != nil && a.Update {
		a = w.meanwhile(u)
		a.Update = true
	}
	return a, f.Errands.Defer(ctx, u.Interaction)
}

// work is what the interaction leads to.
func (u *use) work() work {
	if u.step == "" {
		return u.row.work
	}
	return u.row.step(u.step)
}

// refuse says why not.
func (u *use) refuse(key string) chat.Answer {
	var needs chat.Permissions
	if u.row != nil {
		needs = u.row.needs
	}
	return u.text(key, "command", "/"+u.name(), "permission", nameOf(needs))
}

// refusal is the key of why this person may not do this in this place; "" when they may. Discord has looked already, but a
// server's settings may let others use a command, components are not looked at, and the rule is ours.
func refusal(ctx context.Context, book guild.Book, u *use) (string, error) {
	key := mayNot(u.Interaction, *u.row, guild.Settings{})
	if key != "refused.permission" {
		return key, nil
	}
	s, err := book.Settings(ctx, u.Guild)
	if err != nil {
		return "", err
	}
	return mayNot(u.Interaction, *u.row, s), nil
}

// mayNot is the rule: the key of why whoever does this may not use the command, where these settings count; "" when they may.
func mayNot(i chat.Interaction, r row, s guild.Settings) string {
	admin := func(role string) bool { return slices.Contains(s.Admins, role) }
	switch {
	case i.Guild == "" && !r.dms:
		return "refused.servers_only"
	case i.Guild == "", i.May.Allow(r.needs), !r.strict && slices.ContainsFunc(i.Roles, admin):
		return ""
	case r.strict:
		return "refused.strict"
	}
	return "refused.permission"
}

// choices completes an option. Whoever may not use the command is offered nothing.
func (f *Front) choices(ctx context.Context, u *use) chat.Answer {
	none := chat.Answer{Ephemeral: true}
	if u.row == nil || u.row.complete[u.Focused] == nil {
		return none
	}
	if key, err := refusal(ctx, f.Book, u); key != "" || err != nil {
		return none
	}
	list, err := u.row.complete[u.Focused](f, ctx, u)
	if err != nil {
		slog.WarnContext(ctx, "choices could not be read", "command", u.name(), "error", err)
		return none
	}
	return chat.Answer{Ephemeral: true, Choices: list[:min(len(list), maxChoices)]}
}

// seal makes the secrets of a form unreadable to whoever handles it on its way.
func (f *Front) seal(ctx context.Context, u *use, fields []string) error {
	if len(fields) == 0 {
		return nil
	}
	sealed := slices.Clone(u.Fields)
	for n, field := range sealed {
		if !slices.Contains(fields, field.Name) || field.Value == "" {
			continue
		}
		s, err := f.Sealer.Seal(ctx, formContext(u, field.Name), field.Value)
		if err != nil {
			return fmt.Errorf("seal field %s: %w", field.Name, err)
		}
		sealed[n].Value = base64.StdEncoding.EncodeToString(s)
	}
	u.Fields = sealed
	return nil
}

// formContext is what a secret on its way belongs to.
func formContext(u *use, field string) guild.Context {
	return guild.Context{"guild": u.Guild, "interaction": string(u.ID), "secret": "form " + field}
}

// language is what a guild's settings make of the language of its people: everybody has their own, where there are texts in it.
func (u *use) language(s guild.Settings) {
	u.say = locale.Pick(u.Locale, s.Language, u.GuildLocale)
}
