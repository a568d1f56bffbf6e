package command_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

// shown keeps what stands where the first answer stood.
type shown struct {
	texts []string
	fails error
}

func (s *shown) Amend(_ context.Context, _ chat.Interaction, a chat.Answer) error {
	s.texts = append(s.texts, a.Text)
	return s.fails
}

func well(context.Context) error { return nil }

func relay(h chat.Health, err error) func(context.Context) (chat.Health, error) {
	return func(context.Context) (chat.Health, error) { return h, err }
}

func healthy() command.Checks {
	return command.Checks{
		Store:   func(context.Context, chat.ChannelID) error { return nil },
		Relay:   relay(chat.Health{Alive: time.Now(), Ready: 2, Of: 2}, nil),
		Account: well, Model: well, Content: func(context.Context) (bool, error) { return true, nil },
	}
}

func atDoctor() chat.Interaction {
	i := use("doctor", "u", chat.ManageGuild)
	i.BotMay = chat.ViewChannel | chat.SendMessages | chat.ReadHistory
	return i
}

func TestDoctorSaysWhatToRepair(t *testing.T) {
	bad := errors.New("table house-memory is secret")
	with := func(change func(*command.Checks)) command.Checks { c := healthy(); change(&c); return c }
	fails := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	thread := atDoctor()
	thread.Thread = true
	for name, c := range map[string]struct {
		checks command.Checks
		use    chat.Interaction
		red    []string
	}{
		"all is well":   {healthy(), atDoctor(), nil},
		"store":         {with(func(c *command.Checks) { c.Store = func(context.Context, chat.ChannelID) error { return bad } }), atDoctor(), []string{"store does not answer"}},
		"no relay ever": {with(func(c *command.Checks) { c.Relay = relay(chat.Health{}, nil) }), atDoctor(), []string{"silent for 24h"}},
		"relay is silent": {with(func(c *command.Checks) {
			c.Relay = relay(chat.Health{Alive: time.Now().Add(-3 * time.Minute), Ready: 1, Of: 1}, nil)
		}), atDoctor(), []string{"silent for 3m"}},
		"relay is parked": {with(func(c *command.Checks) {
			c.Relay = relay(chat.Health{Alive: time.Now().Add(-time.Hour), Parked: &chat.Parked{Why: "closed with 4004", Fix: "take a new token"}}, nil)
		}), atDoctor(), []string{"is parked: Discord refused it, so nothing that is said is heard.\n-# Fix: take a new token."}},
		"relay begins":    {with(func(c *command.Checks) { c.Relay = relay(chat.Health{Alive: time.Now()}, nil) }), atDoctor(), []string{"0 of 1 sessions"}},
		"a shard is away": {with(func(c *command.Checks) { c.Relay = relay(chat.Health{Alive: time.Now(), Ready: 1, Of: 2}, nil) }), atDoctor(), []string{"1 of 2 sessions"}},
		"token":           {with(func(c *command.Checks) { c.Account = fails(&chat.Failure{Status: http.StatusUnauthorized}) }), atDoctor(), []string{"refuses the bot's token"}},
		"Discord is away": {with(func(c *command.Checks) { c.Account = fails(&chat.Failure{Kind: chat.Unknown}) }), atDoctor(), []string{"did not say whether it takes"}},
		"token unreadable": {with(func(c *command.Checks) {
			c.Account = fails(&chat.Failure{Kind: chat.Throttled, Err: errors.New("secret house/token: DISCORD_TOKEN must be plain text")})
		}), atDoctor(), []string{"Discord was not asked whether it takes the bot's token"}},
		"intent":               {with(func(c *command.Checks) { c.Content = func(context.Context) (bool, error) { return false, nil } }), atDoctor(), []string{"intent is off"}},
		"intent unknown":       {with(func(c *command.Checks) { c.Content = func(context.Context) (bool, error) { return true, bad } }), atDoctor(), []string{"did not say whether the message"}},
		"model":                {with(func(c *command.Checks) { c.Model = fails(bad) }), atDoctor(), []string{"Nothing answers"}},
		"silenced":             {healthy(), use("doctor", "u", chat.ManageGuild), []string{"View Channel, Send Messages, Read Message History"}},
		"silenced in a thread": {healthy(), thread, []string{"Send Messages in Threads in"}},
		"all at once": {command.Checks{Store: func(context.Context, chat.ChannelID) error { return bad }, Relay: relay(chat.Health{}, bad), Account: fails(bad), Model: fails(bad),
			Content: func(context.Context) (bool, error) { return false, bad }}, use("doctor", "u", chat.Administrator), []string{"store", "relay", "token", "intent", "channel", "model"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shown{}
			if err := (&command.Back{Responses: s, Checks: c.checks}).Handle(t.Context(), c.use); err != nil || len(s.texts) != 1 {
				t.Fatalf("%v, %d answers", err, len(s.texts))
			}
			text := s.texts[0]
			if n := strings.Count(text, "❌"); n != len(c.red) || n != strings.Count(text, "Fix: ") || n+strings.Count(text, "✅") != 6 {
				t.Errorf("%d red lines, want %d:\n%s", n, len(c.red), text)
			}
			for _, want := range c.red {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, text)
				}
			}
			if strings.Contains(text, "secret") || len([]rune(text)) > 2000 {
				t.Errorf("tells too much:\n%s", text)
			}
		})
	}
}

func TestDeferredAnswersAreGivenAgainOrGivenUp(t *testing.T) {
	old, odd, unknown := atDoctor(), atDoctor(), atDoctor()
	old.ID = chat.EventID(chat.Snowflake(time.Now().Add(-15*time.Minute - time.Second)))
	odd.ID, unknown.Command = "x", "sing"
	for name, c := range map[string]struct {
		use     chat.Interaction
		fails   error
		answers int // after two deliveries
		dropped bool
		retried bool
	}{
		"twice":           {use: atDoctor(), answers: 2},
		"unknown command": {use: unknown, answers: 2},
		"too old":         {use: old, dropped: true},
		"no snowflake":    {use: odd, dropped: true},
		"gone":            {use: atDoctor(), fails: &chat.Failure{Kind: chat.Vanished}, answers: 2, dropped: true},
		"refused":         {use: atDoctor(), fails: &chat.Failure{Kind: chat.Rejected}, answers: 2, dropped: true},
		"Discord is away": {use: atDoctor(), fails: &chat.Failure{Kind: chat.Unknown}, answers: 2, retried: true},
		"limited":         {use: atDoctor(), fails: &chat.Failure{Kind: chat.Throttled}, answers: 2, retried: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shown{fails: c.fails}
			for range 2 {
				err := (&command.Back{Responses: s, Checks: healthy()}).Handle(t.Context(), c.use)
				if chat.Dropped(err) != c.dropped || (err != nil) != (c.dropped || c.retried) {
					t.Errorf("got %v", err)
				}
			}
			if len(s.texts) != c.answers {
				t.Errorf("%d answers", len(s.texts))
			}
		})
	}
}

func TestTheDoctorLeavesWithItsProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	checks := healthy()
	checks.Store = func(context.Context, chat.ChannelID) error { cancel(); return nil }
	s := &shown{}
	if err := (&command.Back{Responses: s, Checks: checks}).Handle(ctx, atDoctor()); err == nil || chat.Dropped(err) || len(s.texts) > 0 {
		t.Errorf("%v, %v: lines that were not looked at would be told as broken", err, s.texts)
	}
}
