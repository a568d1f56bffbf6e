package discord_test

import (
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// TestEveryCallSucceedsOnce makes every call that there is, so that of each a good request and a good answer are held to Discord's
// description. A name in braces is what an earlier call made.
func TestEveryCallSucceedsOnce(t *testing.T) {
	good := map[simdiscord.RouteName]bool{}
	w, a := interactive(t, simdiscord.Options{NoLimits: true, GuildMembersEnabled: true, MessageContentEnabled: true,
		Observe: func(x simdiscord.Exchange) { // the calls of a world without a network come one after the other
			if x.Status >= 200 && x.Status <= 299 {
				good[simdiscord.RouteName{Method: x.Method, Route: x.Route}] = true
			}
		}})
	a.during = func(in answer) { w.callback(in, `{"type":4,"data":{"content":"hi"}}`) }
	w.greet()
	in, st := a.last(t), w.State()
	if err := w.SetOverwrite("lounge", simdiscord.Overwrite{For: "Tsumugi", Allow: []string{"MANAGE_MESSAGES"}}); err != nil {
		t.Fatal(err)
	}
	known := map[string]string{
		"app": st.Application.ID, "guild": st.Guild.ID, "room": st.Lounge, "ana": st.User("ana"), "token": in.field("token"),
	}
	for _, c := range []struct{ method, path, body, makes string }{
		{"GET", "/gateway", "", ""},
		{"GET", "/gateway/bot", "", ""},
		{"GET", "/users/@me", "", ""},
		{"POST", "/users/@me/channels", `{"recipient_id":"{ana}"}`, ""},
		{"GET", "/applications/@me", "", ""},
		{"GET", "/oauth2/applications/@me", "", ""},
		{"PATCH", "/applications/@me", `{"description":"d"}`, ""},
		{"GET", "/applications/{app}/commands", "", ""},
		{"PUT", "/applications/{app}/commands", `[{"name":"tea","description":"d"}]`, ""},
		{"PUT", "/applications/{app}/guilds/{guild}/commands", `[{"name":"tea","description":"d","name_localizations":{"de":"tee"}}]`, ""},
		{"GET", "/applications/{app}/guilds/{guild}/commands", "", ""},
		{"GET", "/applications/{app}/guilds/{guild}/commands?with_localizations=true", "", ""},
		{"GET", "/guilds/{guild}", "", ""},
		{"GET", "/guilds/{guild}/channels", "", ""},
		{"GET", "/guilds/{guild}/members?limit=2", "", ""},
		{"GET", "/guilds/{guild}/members/{ana}", "", ""},
		{"GET", "/guilds/{guild}/roles", "", ""},
		{"GET", "/channels/{room}", "", ""},
		{"POST", "/channels/{room}/typing", "", ""},
		{"POST", "/channels/{room}/messages", `{"content":"one"}`, "message"},
		{"GET", "/channels/{room}/messages", "", ""},
		{"GET", "/channels/{room}/messages/{message}", "", ""},
		{"PATCH", "/channels/{room}/messages/{message}", `{"content":"two"}`, ""},
		{"PUT", "/channels/{room}/messages/{message}/reactions/%F0%9F%8D%B5/@me", "", ""},
		{"DELETE", "/channels/{room}/messages/{message}/reactions/%F0%9F%8D%B5/@me", "", ""},
		{"DELETE", "/channels/{room}/messages/{message}/reactions", "", ""},
		{"POST", "/channels/{room}/messages/{message}/threads", `{"name":"aside"}`, "thread"},
		{"POST", "/channels/{room}/threads", `{"name":"apart","type":11}`, ""},
		{"GET", "/guilds/{guild}/threads/active", "", ""},
		{"PATCH", "/channels/{thread}", `{"archived":true}`, ""},
		{"DELETE", "/channels/{room}/messages/{message}", "", ""},
		{"POST", "/channels/{room}/webhooks", `{"name":"Aki"}`, "hook"},
		{"GET", "/channels/{room}/webhooks", "", ""},
		{"GET", "/webhooks/{hook}", "", ""},
		{"PATCH", "/webhooks/{hook}", `{"name":"Mio"}`, ""},
		{"GET", "/webhooks/{hook}/{hook.token}", "", ""},
		{"PATCH", "/webhooks/{hook}/{hook.token}", `{"name":"Rin"}`, ""},
		{"POST", "/webhooks/{hook}/{hook.token}?wait=true", `{"content":"said"}`, "said"},
		{"GET", "/webhooks/{hook}/{hook.token}/messages/{said}", "", ""},
		{"PATCH", "/webhooks/{hook}/{hook.token}/messages/{said}", `{"content":"said again"}`, ""},
		{"DELETE", "/webhooks/{hook}/{hook.token}/messages/{said}", "", ""},
		{"DELETE", "/webhooks/{hook}/{hook.token}", "", ""},
		{"POST", "/channels/{room}/webhooks", `{"name":"Aki"}`, "hook"},
		{"DELETE", "/webhooks/{hook}", "", ""},
		{"GET", "/webhooks/{app}/{token}/messages/@original", "", ""},
		{"PATCH", "/webhooks/{app}/{token}/messages/@original", `{"content":"hi again"}`, ""},
		{"DELETE", "/webhooks/{app}/{token}/messages/@original", "", ""},
	} {
		var names []string
		for name, value := range known {
			names = append(names, "{"+name+"}", value)
		}
		fill := strings.NewReplacer(names...)
		got := w.rest(c.method, fill.Replace(c.path), fill.Replace(c.body))
		if got.status < 200 || got.status > 299 {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.text)
		}
		if c.makes != "" {
			known[c.makes], known[c.makes+".token"] = got.id(), got.field("token")
		}
	}
	all := append(discordtest.Operations(), w.State().Routes...)
	for _, r := range all {
		if !good[r] {
			t.Errorf("%s %s never succeeded", r.Method, r.Route)
		}
	}
	if len(all) < 40 {
		t.Errorf("there are only %d calls", len(all))
	}
}
