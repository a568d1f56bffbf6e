package discord_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	simdiscord "tsumugi/shared/sim/discord"
)

// TestRightsAreWhatDiscordSays compares with app_permissions, which every interaction brings for its channel.
func TestRightsAreWhatDiscordSays(t *testing.T) {
	over := func(who string, allow, deny string) simdiscord.Overwrite {
		return simdiscord.Overwrite{For: who, Allow: strings.Fields(allow), Deny: strings.Fields(deny)}
	}
	hour := 3600
	for name, c := range map[string]struct {
		overwrites []simdiscord.Overwrite
		roles      []string // of the bot, besides what it has
		change     simdiscord.MemberChange
		want       chat.Permissions // among those that the doctor asks for
	}{
		"nothing is said":                   {want: chat.ViewChannel | chat.SendMessages | chat.ReadHistory},
		"everybody is kept out":             {overwrites: []simdiscord.Overwrite{over("@everyone", "", "VIEW_CHANNEL")}},
		"but the bot":                       {overwrites: []simdiscord.Overwrite{over("@everyone", "", "VIEW_CHANNEL"), over("BOT", "VIEW_CHANNEL", "")}, want: chat.ViewChannel | chat.SendMessages | chat.ReadHistory},
		"nobody speaks":                     {overwrites: []simdiscord.Overwrite{over("@everyone", "", "SEND_MESSAGES")}, want: chat.ViewChannel | chat.ReadHistory},
		"a role allows what another denies": {roles: []string{"yes", "no"}, overwrites: []simdiscord.Overwrite{over("yes", "SEND_MESSAGES", ""), over("no", "", "SEND_MESSAGES READ_MESSAGE_HISTORY")}, want: chat.ViewChannel | chat.SendMessages},
		"a role that it has not":            {overwrites: []simdiscord.Overwrite{over("no", "", "SEND_MESSAGES")}, want: chat.ViewChannel | chat.SendMessages | chat.ReadHistory},
		"the member outranks the roles":     {roles: []string{"yes"}, overwrites: []simdiscord.Overwrite{over("yes", "SEND_MESSAGES", ""), over("BOT", "", "SEND_MESSAGES")}, want: chat.ViewChannel | chat.ReadHistory},
		"another member's":                  {overwrites: []simdiscord.Overwrite{over("ana", "", "SEND_MESSAGES")}, want: chat.ViewChannel | chat.SendMessages | chat.ReadHistory},
		"an administrator":                  {roles: []string{"all"}, overwrites: []simdiscord.Overwrite{over("@everyone", "", "VIEW_CHANNEL"), over("BOT", "", "SEND_MESSAGES")}, want: chat.ViewChannel | chat.SendMessages | chat.ReadHistory},
		"in a time-out":                     {change: simdiscord.MemberChange{Timeout: &hour}, want: chat.ViewChannel | chat.ReadHistory},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				bot, guild := w.State().Bot.ID, w.State().Guild.ID
				for _, r := range []simdiscord.RoleSpec{{Name: "yes"}, {Name: "no"}, {Name: "all", Permissions: []string{"ADMINISTRATOR"}}} {
					if _, err := w.CreateRole(guild, r); err != nil {
						t.Fatal(err)
					}
				}
				if len(c.roles) > 0 {
					c.change.Roles = &c.roles
				}
				if err := w.ChangeMember(guild, bot, c.change); err != nil {
					t.Fatal(err)
				}
				for _, o := range c.overwrites {
					o.For = strings.Replace(o.For, "BOT", bot, 1)
					if err := w.SetOverwrite("hall", o); err != nil {
						t.Fatal(err)
					}
				}
				var told chat.Permissions
				g := w.serve(t, func(_ context.Context, i chat.Interaction) chat.Answer {
					told = i.BotMay
					return chat.Answer{Text: "x", Ephemeral: true}
				})
				w.uses(t, "hall")
				hall := chat.ChannelID(w.State().Hall)
				before := w.count("GET") // the answer to the command may still be on its way
				rights, err := w.client.Rights(t.Context(), guild, []chat.ChannelID{hall, "77"})
				if err != nil || len(rights) != 1 {
					t.Fatalf("%v, %v", rights, err)
				}
				const known = 1<<53 - 1
				if may := rights[hall]; may&known != told || may&(chat.ViewChannel|chat.SendMessages|chat.ReadHistory) != c.want {
					t.Errorf("may %b, Discord says %b, wanted %b", may, told, c.want)
				}
				if n := w.count("GET") - before; n > 5 {
					t.Errorf("%d calls", n)
				}
				g.end()
			})
		})
	}
}

// In a thread its channel's rights count, and to send has a permission of its own.
func TestRightsInThreads(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		guild := w.State().Guild.ID
		thread, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ana", Name: "aside"})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.SetOverwrite("hall", simdiscord.Overwrite{For: "@everyone", Deny: []string{"SEND_MESSAGES"}}); err != nil {
			t.Fatal(err)
		}
		hall, in := chat.ChannelID(w.State().Hall), chat.ChannelID(thread.ID)
		rights, err := w.client.Rights(t.Context(), guild, []chat.ChannelID{hall, in})
		if err != nil || rights[hall].Allow(chat.SendMessages) || !rights[in].Allow(chat.ViewChannel|chat.SendMessages|chat.ReadHistory) {
			t.Errorf("%v, %v", rights, err)
		}
		if err := w.SetOverwrite("hall", simdiscord.Overwrite{For: "@everyone", Deny: []string{"SEND_MESSAGES_IN_THREADS"}}); err != nil {
			t.Fatal(err)
		}
		rights, err = w.client.Rights(t.Context(), guild, []chat.ChannelID{hall, in})
		if err != nil || !rights[hall].Allow(chat.SendMessages) || rights[in].Allow(chat.SendMessages) || !rights[in].Allow(chat.ViewChannel) {
			t.Errorf("%v, %v", rights, err)
		}
	})
}

func TestRightsThatNobodyTells(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		if _, err := w.client.Rights(t.Context(), "../1", nil); chat.FailureOf(err) != chat.Rejected {
			t.Errorf("a guild that is none: %v", err)
		}
		if r, err := w.client.Rights(t.Context(), "77", []chat.ChannelID{"7"}); err == nil || r != nil {
			t.Errorf("a guild without the bot: %v, %v", r, err)
		}
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultTimeout, Method: "GET", Route: "/guilds/{guild_id}/channels"})
		began := time.Now()
		if _, err := w.client.Rights(t.Context(), w.State().Guild.ID, []chat.ChannelID{w.lounge}); chat.FailureOf(err) != chat.Unknown || time.Since(began) > chat.Call {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
