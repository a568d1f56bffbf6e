package command

import (
	"context"
	"fmt"
	"slices"

	"tsumugi/shared/chat"
)

// command is a row of the table. It has either now, which answers within the time that Discord waits, or later.
type command struct {
	spec  chat.CommandSpec
	now   func(*Front, context.Context, chat.Interaction) (string, error)
	later func(*Back, context.Context, chat.Interaction) (string, error)
}

var table = []command{
	{
		spec: chat.CommandSpec{Name: "stop", Description: "Stop the answer that is being given to you here", DMs: true},
		now:  (*Front).stop,
	},
	{
		spec: chat.CommandSpec{Name: "kill", Description: "Stop the answer that is being given here and forget what waits for one",
			Needs: chat.ManageMessages},
		now: (*Front).kill,
	},
	{
		spec:  chat.CommandSpec{Name: "doctor", Description: "Check the installation and say what to repair", Needs: chat.ManageGuild},
		later: (*Back).doctor,
	},
}

// Specs is what is registered with Discord.
func Specs() []chat.CommandSpec {
	specs := make([]chat.CommandSpec, len(table))
	for n, c := range table {
		specs[n] = c.spec
	}
	return specs
}

// find gives the row of a command; nil when there is none.
func find(name string) *command {
	n := slices.IndexFunc(table, func(c command) bool { return c.spec.Name == name })
	if n < 0 {
		return nil
	}
	return &table[n]
}

// stop asks for the end of the answer to the one who asks; whoever may delete messages here may stop any.
func (f *Front) stop(ctx context.Context, i chat.Interaction) (string, error) {
	force := i.Guild != "" && i.May.Allow(chat.ManageMessages)
	asked, err := f.controls.Stop(ctx, i.Channel, i.User, force)
	switch {
	case err != nil:
		return "", err
	case asked:
		return "Stopping.", nil
	case force:
		return "Nothing is being answered in this channel right now.", nil
	}
	return "Nothing is being answered to you in this channel right now.", nil
}

// kill ends the answer whoever it is for, and what waits.
func (f *Front) kill(ctx context.Context, i chat.Interaction) (string, error) {
	switch n, err := f.controls.Kill(ctx, i.Channel); {
	case err != nil:
		return "", err
	case n == 0:
		return "Whatever was being answered here is stopped. No message was waiting.", nil
	case n == 1:
		return "Stopped. 1 waiting message will not be answered.", nil
	default:
		return fmt.Sprintf("Stopped. %d waiting messages will not be answered.", n), nil
	}
}
