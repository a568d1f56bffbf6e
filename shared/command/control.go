package command

import (
	"context"

	"tsumugi/shared/chat"
)

func controlRows() []row {
	return []row{
		{path: "stop", dms: true, work: work{now: (*Front).stop}},
		{path: "kill", needs: chat.ManageMessages, work: work{now: (*Front).kill}},
	}
}

// stop asks for the end of the answer to the one who asks; whoever may delete messages here may stop any.
func (f *Front) stop(ctx context.Context, u *use) (chat.Answer, error) {
	asked, err := f.Controls.Stop(ctx, u.Channel, "", u.User, u.moderates())
	switch {
	case err != nil:
		return chat.Answer{}, err
	case asked:
		return u.text("stop.done"), nil
	case u.moderates():
		return u.text("stop.nothing"), nil
	}
	return u.text("stop.nothing_to_you"), nil
}

// moderates tells whether this person may stop any answer here.
func (u *use) moderates() bool { return u.Guild != "" && u.May.Allow(chat.ManageMessages) }

// kill ends the answer whoever it is for, and what waits.
func (f *Front) kill(ctx context.Context, u *use) (chat.Answer, error) {
	n, err := f.Controls.Kill(ctx, u.Channel)
	if err != nil {
		return chat.Answer{}, err
	}
	if n == 0 {
		return u.text("kill.none"), nil
	}
	return chat.Answer{Text: u.say.Count("kill.done", n)}, nil
}
