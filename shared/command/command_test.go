package command_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

// channel is a channel that somebody may be answered in.
type channel struct {
	asker   chat.UserID // of the hold; "" when the channel is free
	waiting int
	fails   error
	slow    bool
	stopped bool
}

// answered is the event whose answer a channel is at.
const answered = chat.EventID("4242")

func (c *channel) Stop(ctx context.Context, _ chat.ChannelID, e chat.EventID, by chat.UserID, force bool) (bool, error) {
	if c.slow {
		<-ctx.Done()
		return false, ctx.Err()
	}
	c.stopped = c.fails == nil && c.asker != "" && (e == "" || e == answered) && (force || by == c.asker)
	return c.stopped, c.fails
}

func (c *channel) Kill(context.Context, chat.ChannelID) (int, error) {
	c.stopped = c.fails == nil && c.asker != ""
	return c.waiting, c.fails
}

// errands keeps what is deferred.
type errands struct {
	kept  []chat.Interaction
	fails error
}

func (e *errands) Defer(_ context.Context, i chat.Interaction) error {
	if e.fails == nil {
		e.kept = append(e.kept, i)
	}
	return e.fails
}

// use is a member's use of a command in a server.
func use(name string, by chat.UserID, may chat.Permissions) chat.Interaction {
	return chat.Interaction{ID: chat.EventID(chat.Snowflake(time.Now())), Kind: chat.UsedCommand, Command: name,
		Channel: "7", Guild: "1", User: by, May: may}
}

func direct(i chat.Interaction) chat.Interaction { i.Guild, i.May = "", 0; return i }

func TestFirstAnswers(t *testing.T) {
	broken := errors.New("the store is away")
	for name, c := range map[string]struct {
		at      channel
		queue   errands
		use     chat.Interaction
		says    string // part of the answer
		stopped bool
		later   bool
	}{
		"stop my own":                   {at: channel{asker: "u"}, use: use("stop", "u", 0), says: "Stopping", stopped: true},
		"stop another's":                {at: channel{asker: "v"}, use: use("stop", "u", chat.ManageGuild), says: "to you"},
		"stop another's as a moderator": {at: channel{asker: "v"}, use: use("stop", "u", chat.ManageMessages), says: "Stopping", stopped: true},
		"stop another's as an owner":    {at: channel{asker: "v"}, use: use("stop", "u", chat.Administrator), says: "Stopping", stopped: true},
		"stop nothing":                  {use: use("stop", "u", chat.ManageMessages), says: "Nothing is being answered in this channel"},
		"stop in a direct message":      {at: channel{asker: "u"}, use: direct(use("stop", "u", 0)), says: "Stopping", stopped: true},
		"stop, and the store is away":   {at: channel{asker: "u", fails: broken}, use: use("stop", "u", 0), says: "try again"},

		"kill":                        {at: channel{asker: "v", waiting: 3}, use: use("kill", "u", chat.ManageMessages), says: "3 waiting messages", stopped: true},
		"kill one":                    {at: channel{asker: "v", waiting: 1}, use: use("kill", "u", chat.ManageMessages), says: "1 waiting message ", stopped: true},
		"kill none":                   {at: channel{asker: "v"}, use: use("kill", "u", chat.ManageMessages), says: "No message was waiting", stopped: true},
		"kill without the permission": {at: channel{asker: "u"}, use: use("kill", "u", chat.ManageGuild), says: "Manage Messages"},
		"kill in a direct message":    {at: channel{asker: "u"}, use: direct(use("kill", "u", chat.ManageMessages)), says: "servers only"},
		"kill, and the store is away": {at: channel{fails: broken}, use: use("kill", "u", chat.ManageMessages), says: "try again"},

		"doctor":                        {use: use("doctor", "u", chat.ManageGuild), later: true},
		"doctor without the permission": {use: use("doctor", "u", chat.ManageMessages), says: "Manage Server"},
		"doctor, and the queue is away": {queue: errands{fails: broken}, use: use("doctor", "u", chat.ManageGuild), says: "try again"},

		"command of another version":  {use: use("sing", "u", 0), says: "not have this command"},
		"button of another version":   {use: chat.Interaction{Kind: chat.UsedComponent}, says: "too old"},
		"modal of another version":    {use: chat.Interaction{Kind: chat.SentModal}, says: "too old"},
		"choices of nobody's command": {use: chat.Interaction{Kind: chat.AskedChoices, Command: "sing"}},
		"what Discord had not":        {use: chat.Interaction{Kind: chat.UsedUnknown}, says: "cannot do this"},
	} {
		t.Run(name, func(t *testing.T) {
			a := (&command.Front{Controls: &c.at, Book: newBook(t), Errands: &c.queue}).Answer(t.Context(), c.use)
			if !a.Ephemeral || a.Deferred != c.later || !strings.Contains(a.Text, c.says) || (a.Text == "") != (c.says == "") {
				t.Errorf("answered %+v", a)
			}
			if c.at.stopped != c.stopped || (len(c.queue.kept) == 1) != c.later {
				t.Errorf("stopped %v, %d deferred", c.at.stopped, len(c.queue.kept))
			}
			if strings.Contains(a.Text, broken.Error()) {
				t.Errorf("told what failed: %s", a.Text)
			}
		})
	}
}

func TestASlowStoreIsToldInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		a := (&command.Front{Controls: &channel{slow: true}, Book: newBook(t), Errands: &errands{}}).Answer(t.Context(), use("stop", "u", 0))
		if d := time.Since(began); !strings.Contains(a.Text, "try again") || d > 2*time.Second {
			t.Errorf("answered %q after %v; Discord waits three seconds, the way included", a.Text, d)
		}
	})
}
