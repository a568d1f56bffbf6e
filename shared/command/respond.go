package command

import (
	"context"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func respondRows() []row {
	return []row{
		{path: "respond", dms: true, options: []option{{name: "persona", kind: chat.OptionText, max: maxItem}}, complete: personaChoices(),
			work: work{now: (*Front).respond}},
	}
}

// respond lets a persona speak, to what was said last. Admission and planning decide as they do about a message; what would be
// refused without a word is said here.
func (f *Front) respond(ctx context.Context, u *use) (chat.Answer, error) {
	people, s, err := u.cast(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	who, err := u.asked(people)
	switch {
	case err != nil:
		return u.declined(err)
	case len(people) == 0:
		return u.declined(no("respond.nobody"))
	}
	if err := u.hindered(s); err != nil {
		return u.declined(err)
	}
	if err := f.enter(ctx, u.event(chat.Asked{Persona: who.ID})); err != nil {
		return chat.Answer{}, err
	}
	if who.ID == "" {
		return u.text("respond.somebody"), nil
	}
	return u.text("respond.done", "name", shown(who.Name, maxShown)), nil
}

// hindered tells why nobody can speak here for this person; nil when somebody can.
func (u *use) hindered(s guild.Settings) error {
	switch {
	case u.Guild == "": // where whoever writes may do so, and so may the bot
	case s.Closed(u.Channel):
		return no("respond.closed")
	case !u.May.Allow(u.sending()):
		return no("respond.may_not", "permission", nameOf(u.sending()))
	case !u.BotMay.Allow(u.speaking()):
		return no("channel.silenced", "permissions", strings.Join(lacks(u.BotMay, u.Thread), ", "))
	}
	return nil
}

// event is what the channel is offered.
func (u *use) event(a chat.Asked) chat.Event {
	at, _ := chat.SnowflakeTime(string(u.ID))
	return chat.Event{What: chat.Said, ID: u.ID, Channel: u.Channel, Guild: u.Guild, DM: u.Guild == "", At: at,
		Author: chat.Author{ID: u.User, Name: u.Name}, Asked: &a}
}

// enter tries more than once: who is told to try again makes another interaction, and would be answered twice.
func (f *Front) enter(ctx context.Context, e chat.Event) (err error) {
	for range 3 {
		if err = f.Ingress.Enter(ctx, e); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// asked is who is to speak; without an id where that was left open.
func (u *use) asked(people []persona.Persona) (persona.Persona, error) {
	if u.Option("persona") == "" {
		if len(people) == 1 {
			return people[0], nil
		}
		return persona.Persona{}, nil
	}
	n, ok := meant(people, u.Option("persona"))
	if !ok {
		return persona.Persona{}, u.gone()
	}
	return people[n], nil
}

// sending is what a member must be allowed to do who writes here.
func (u *use) sending() chat.Permissions {
	if u.Thread {
		return chat.SendInThreads
	}
	return chat.SendMessages
}
