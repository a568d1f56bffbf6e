package command_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
	"tsumugi/shared/persona"
)

func well(context.Context) error { return nil }

func relay(h chat.Health, err error) func(context.Context) (chat.Health, error) {
	return func(context.Context) (chat.Health, error) { return h, err }
}

func load(waiting, dead int, err error) func(context.Context) (command.Backlog, error) {
	return func(context.Context) (command.Backlog, error) {
		return command.Backlog{Waiting: waiting, Dead: dead}, err
	}
}

func hooks(known map[chat.ChannelID]guild.Hook, err error) func(context.Context, []chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) {
	return func(context.Context, []chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) { return known, err }
}

const botNeeds = chat.ViewChannel | chat.SendMessages | chat.ReadHistory

func healthy() command.Checks {
	return command.Checks{
		Store:   func(context.Context, chat.ChannelID) error { return nil },
		Relay:   relay(chat.Health{Alive: time.Now(), Ready: 2, Of: 2}, nil),
		Account: well, Model: well, Content: func(context.Context) (bool, error) { return true, nil },
		Queues: load(7, 0, nil), Hooks: hooks(nil, nil),
		Rights: func(_ context.Context, _ string, all []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
			may := map[chat.ChannelID]chat.Permissions{}
			for _, c := range all {
				may[c] = botNeeds | chat.ManageWebhooks
			}
			return may, nil
		},
		Terms: command.Terms{ModelURL: "`ModelUrl`", Token: "`DiscordToken`"},
	}
}

// sick is an installation of which nothing works.
func sick() command.Checks {
	bad := errors.New("table house-memory is secret")
	fails := func(context.Context) error { return bad }
	return command.Checks{
		Store: func(context.Context, chat.ChannelID) error { return bad },
		Relay: relay(chat.Health{Alive: time.Now().Add(-50 * time.Hour)}, nil),
		Model: fails, Account: func(context.Context) error { return &chat.Failure{Status: http.StatusUnauthorized} },
		Content: func(context.Context) (bool, error) { return false, nil },
		Queues:  load(0, 12345, nil), Hooks: hooks(nil, errors.New("table house-channels is secret")),
		Rights: func(_ context.Context, _ string, all []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
			may := map[chat.ChannelID]chat.Permissions{}
			for _, c := range all {
				may[c] = 0
			}
			return may, nil
		},
		Terms: command.Terms{ModelURL: "`TSUMUGI_MODEL_URL`", Token: "`DISCORD_TOKEN`"},
	}
}

const picture = "0123456789abcdef0123456789abcdef.png"

func atDoctor() chat.Interaction {
	i := use("doctor", "u", chat.ManageGuild)
	i.BotMay = botNeeds | chat.ManageWebhooks
	return i
}

// kept is a Book that has these settings, and nothing else.
type kept struct {
	guild.Book
	set   guild.Settings
	rooms map[chat.ChannelID]guild.Channel
	fails error
}

func (k kept) Channels(context.Context, string) (map[chat.ChannelID]guild.Channel, error) {
	return k.rooms, k.fails
}

func (k kept) Settings(context.Context, string) (guild.Settings, error) { return k.set, k.fails }

// diagnosis is what the doctor says.
func diagnosis(t *testing.T, c command.Checks, k kept, i chat.Interaction) string {
	t.Helper()
	s := &shown{}
	if err := (&command.Back{Responses: s, Checks: c, Book: k}).Handle(t.Context(), i); err != nil || len(s.texts) != 1 {
		t.Fatalf("%v, %d answers", err, len(s.texts))
	}
	return s.texts[0]
}

func TestDoctorSaysWhatToRepair(t *testing.T) {
	bad := errors.New("table house-memory is secret")
	with := func(change func(*command.Checks)) command.Checks { c := healthy(); change(&c); return c }
	fails := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	silenced, thread := atDoctor(), atDoctor()
	silenced.BotMay = chat.ManageWebhooks
	thread.Thread = true
	faceless := atDoctor()
	faceless.BotMay = botNeeds
	elsewhere := kept{set: guild.Settings{Whitelist: []chat.ChannelID{"7", "8", "9"}}, rooms: map[chat.ChannelID]guild.Channel{"8": {Always: true}, "10": {Always: true}}}
	always := kept{rooms: map[chat.ChannelID]guild.Channel{"8": {Always: true}, "7": {}}}
	const lines = 8
	for name, c := range map[string]struct {
		checks command.Checks
		use    chat.Interaction
		at     kept
		red    []string
	}{
		"all is well": {healthy(), atDoctor(), kept{}, nil},
		"no room for a webhook": {with(func(c *command.Checks) { c.Hooks = hooks(map[chat.ChannelID]guild.Hook{"8": {Trouble: 30007}}, nil) }), atDoctor(), always,
			[]string{"<#8>: personas have no faces there: the channel has as many webhooks"}},
		"no room in the server": {with(func(c *command.Checks) { c.Hooks = hooks(map[chat.ChannelID]guild.Hook{"8": {Trouble: 30058}}, nil) }), atDoctor(), always,
			[]string{"<#8>: personas have no faces there: the server has as many webhooks"}},
		"a webhook that goes": {with(func(c *command.Checks) { c.Hooks = hooks(map[chat.ChannelID]guild.Hook{"8": {Trouble: 10015}}, nil) }), atDoctor(), always,
			[]string{"<#8>: personas have no faces there: the bot's webhook is deleted again"}},
		"no webhook elsewhere": {with(func(c *command.Checks) {
			c.Rights = func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
				return map[chat.ChannelID]chat.Permissions{"7": botNeeds | chat.ManageWebhooks, "8": botNeeds}, nil
			}
		}), atDoctor(), always, []string{"<#8>: personas have no faces there: the bot lacks Manage Webhooks"}},
		"nobody knows of webhooks": {with(func(c *command.Checks) { c.Hooks = hooks(nil, bad) }), atDoctor(), kept{}, []string{"Nobody knows whether personas can have faces"}},
		"pictures out of reach": {healthy(), atDoctor(), kept{set: guild.Settings{Own: true, Personas: []persona.Persona{{ID: "m", Name: "Mira", Main: true, Avatar: picture},
			{ID: "t", Name: "Teo", Avatar: picture}, {ID: "n", Name: "Nox", Avatar: "https://example.com/n.png"}}}},
			[]string{"cannot reach the pictures of: Teo. They need a link"}},
		"pictures in reach": {with(func(c *command.Checks) { c.Terms.Pictures = true }), atDoctor(), kept{set: guild.Settings{Own: true,
			Personas: []persona.Persona{{ID: "m", Name: "Mira", Main: true}, {ID: "t", Name: "Teo", Avatar: picture}}}}, nil},
		"store":         {with(func(c *command.Checks) { c.Store = func(context.Context, chat.ChannelID) error { return bad } }), atDoctor(), kept{fails: bad}, []string{"store does not answer.\n-# Fix, for the bot's operator: find the cause in the log of `commands`"}},
		"no relay ever": {with(func(c *command.Checks) { c.Relay = relay(chat.Health{}, nil) }), atDoctor(), kept{}, []string{"silent for 24 hours"}},
		"relay is silent": {with(func(c *command.Checks) {
			c.Relay = relay(chat.Health{Alive: time.Now().Add(-3 * time.Minute), Ready: 1, Of: 1}, nil)
		}), atDoctor(), kept{}, []string{"silent for 3 minutes"}},
		"relay is parked": {with(func(c *command.Checks) {
			c.Relay = relay(chat.Health{Alive: time.Now().Add(-time.Hour), Parked: &chat.Parked{Why: "closed with 4004", Fix: "take a new token"}}, nil)
		}), atDoctor(), kept{}, []string{"is parked: Discord refused it, so nothing that is said is heard.\n-# Fix, for the bot's operator: take a new token"}},
		"relay begins":    {with(func(c *command.Checks) { c.Relay = relay(chat.Health{Alive: time.Now()}, nil) }), atDoctor(), kept{}, []string{"0 of 1 sessions"}},
		"a shard is away": {with(func(c *command.Checks) { c.Relay = relay(chat.Health{Alive: time.Now(), Ready: 1, Of: 2}, nil) }), atDoctor(), kept{}, []string{"1 of 2 sessions"}},
		"token":           {with(func(c *command.Checks) { c.Account = fails(&chat.Failure{Status: http.StatusUnauthorized}) }), atDoctor(), kept{}, []string{"refuses the bot's token", "set `DiscordToken` to"}},
		"Discord is away": {with(func(c *command.Checks) { c.Account = fails(&chat.Failure{Kind: chat.Unknown}) }), atDoctor(), kept{}, []string{"did not say whether it takes"}},
		"token unreadable": {with(func(c *command.Checks) {
			c.Account = fails(&chat.Failure{Kind: chat.Throttled, Err: errors.New("secret house/token: DISCORD_TOKEN must be plain text")})
		}), atDoctor(), kept{}, []string{"Discord was not asked whether it takes the bot's token"}},
		"intent":               {with(func(c *command.Checks) { c.Content = func(context.Context) (bool, error) { return false, nil } }), atDoctor(), kept{}, []string{"intent is off"}},
		"intent unknown":       {with(func(c *command.Checks) { c.Content = func(context.Context) (bool, error) { return true, bad } }), atDoctor(), kept{}, []string{"did not say whether the message"}},
		"model":                {with(func(c *command.Checks) { c.Model = fails(bad) }), atDoctor(), kept{}, []string{"Nothing answers", "check `ModelUrl`"}},
		"dead letters":         {with(func(c *command.Checks) { c.Queues = load(0, 2, nil) }), atDoctor(), kept{}, []string{"left over: 2.", "the log of `undertaker`"}},
		"long queues":          {with(func(c *command.Checks) { c.Queues = load(101, 0, nil) }), atDoctor(), kept{}, []string{"Many messages wait to be worked on: 101."}},
		"queues":               {with(func(c *command.Checks) { c.Queues = load(0, 0, bad) }), atDoctor(), kept{}, []string{"Nobody knows what waits"}},
		"no webhooks":          {healthy(), faceless, kept{}, []string{"Manage Webhooks"}},
		"silenced":             {healthy(), silenced, kept{}, []string{"- <#7>: View Channel, Send Messages, Read Message History\n"}},
		"silenced in a thread": {healthy(), thread, kept{}, []string{"<#7>: Send Messages in Threads\n"}},
		"well everywhere":      {healthy(), atDoctor(), elsewhere, nil},
		"silenced elsewhere": {with(func(c *command.Checks) {
			c.Rights = func(_ context.Context, g string, all []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
				if g != "1" || !slices.Equal(all, []chat.ChannelID{"8", "9"}) {
					return nil, bad
				}
				return map[chat.ChannelID]chat.Permissions{"8": botNeeds | chat.ManageWebhooks, "9": chat.ViewChannel}, nil
			}
		}), atDoctor(), elsewhere, []string{"- <#9>: Send Messages, Read Message History\n"}},
		"silenced where it answers always": {with(func(c *command.Checks) {
			c.Rights = func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
				return map[chat.ChannelID]chat.Permissions{"8": 0}, nil
			}
		}), atDoctor(), always, []string{"- <#8>: View Channel, Send Messages, Read Message History\n"}},
		"a channel is gone": {with(func(c *command.Checks) {
			c.Rights = func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
				return nil, nil
			}
		}), atDoctor(), always, nil},
		"rights unknown": {with(func(c *command.Checks) {
			c.Rights = func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
				return nil, bad
			}
		}), atDoctor(), elsewhere, []string{"did not say what the bot may do"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := diagnosis(t, c.checks, c.at, c.use)
			red := strings.Count(text, "❌") + strings.Count(text, "⚠️")
			if red != min(len(c.red), 1) || red != strings.Count(text, "\n-# Fix") || red+strings.Count(text, "✅") != lines {
				t.Errorf("%d red lines, want %d:\n%s", red, min(len(c.red), 1), text)
			}
			for _, want := range c.red {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, text)
				}
			}
			if strings.Contains(text, "secret") {
				t.Errorf("tells too much:\n%s", text)
			}
		})
	}
}

func TestTheDoctorFitsIntoAnAnswer(t *testing.T) {
	var list []chat.ChannelID
	for n := range guild.MaxWhitelist {
		list = append(list, chat.ChannelID("1234567890123456789"[:17]+string(rune('0'+n/10))+string(rune('0'+n%10))))
	}
	for _, l := range locale.Languages() {
		for _, of := range []command.Terms{{ModelURL: "`ModelUrl`", Token: "`DiscordToken`"}, {ModelURL: "`TSUMUGI_MODEL_URL`", Token: "`DISCORD_TOKEN`", OneLog: true}} {
			c, i := sick(), use("doctor", "u", chat.ManageGuild)
			c.Terms, i.Locale, i.Channel = of, string(l), "1234567890123456799"
			text := diagnosis(t, c, kept{set: guild.Settings{Whitelist: list}}, i)
			if n := len(utf16.Encode([]rune(text))); n > 2000 || strings.Count(text, "❌") != 6 || strings.Count(text, "⚠️") != 2 || strings.Count(text, "\n- <#") < 4 {
				t.Errorf("%s: %d characters:\n%s", l, n, text)
			}
			if of.OneLog && strings.Contains(text, "`commands`") {
				t.Errorf("%s: there is no such log:\n%s", l, text)
			}
		}
	}
}

func TestTheDoctorWaitsForNobodyLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC))) // after Discord's beginning
		hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		c := command.Checks{Hooks: func(ctx context.Context, _ []chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
			Store: func(ctx context.Context, _ chat.ChannelID) error { return hangs(ctx) }, Account: hangs, Model: hangs,
			Relay:   func(ctx context.Context) (chat.Health, error) { return chat.Health{}, hangs(ctx) },
			Content: func(ctx context.Context) (bool, error) { return false, hangs(ctx) },
			Queues:  func(ctx context.Context) (command.Backlog, error) { return command.Backlog{}, hangs(ctx) },
		}
		i, began := atDoctor(), time.Now()
		i.ID = chat.EventID(chat.Snowflake(began))
		text := diagnosis(t, c, kept{}, i)
		if d := time.Since(began); d > 15*time.Second || strings.Count(text, "❌") != 6 {
			t.Errorf("after %v it says\n%s", d, text)
		}
	})
}

func TestTheDoctorLeavesWithItsProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	checks := healthy()
	checks.Store = func(context.Context, chat.ChannelID) error { cancel(); return nil }
	s := &shown{}
	if err := (&command.Back{Responses: s, Checks: checks, Book: kept{}}).Handle(ctx, atDoctor()); err == nil || chat.Dropped(err) || len(s.texts) > 0 {
		t.Errorf("%v, %v: lines that were not looked at would be told as broken", err, s.texts)
	}
}
