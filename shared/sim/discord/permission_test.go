package discord_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// must ends the test where a change of the world failed.
func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// deny and allow change what somebody may do in a channel.
func (w *world) deny(channel, whom string, permissions ...string) {
	w.t.Helper()
	w.must(w.SetOverwrite(channel, simdiscord.Overwrite{For: whom, Deny: permissions}))
}

func (w *world) allow(channel, whom string, permissions ...string) {
	w.t.Helper()
	w.must(w.SetOverwrite(channel, simdiscord.Overwrite{For: whom, Allow: permissions}))
}

// grant makes a role with permissions and gives it to the bot beside its own.
func (w *world) grant(permissions ...string) {
	w.t.Helper()
	made, err := w.CreateRole("", simdiscord.RoleSpec{Name: "granted", Permissions: permissions})
	w.must(err)
	w.must(w.ChangeMember("", w.State().Bot.ID, simdiscord.MemberChange{Roles: &[]string{w.own(), made.ID}}))
}

// own is the bot's managed role.
func (w *world) own() string { return w.State().Role("Tsumugi") }

// everybody takes all permissions from everyone and from the bot's own role but these.
func (w *world) everybody(permissions ...string) {
	w.t.Helper()
	w.must(w.ChangeRole("", "@everyone", simdiscord.RoleChange{Permissions: &permissions}))
	w.must(w.ChangeRole("", w.own(), simdiscord.RoleChange{Permissions: &[]string{}}))
}

// denied says that an answer is Discord's refusal with this status and code.
func (a answer) denied(t *testing.T, status, code int) {
	t.Helper()
	if a.status != status || a.field("code") != fmt.Sprint(code) {
		t.Errorf("%d %s, want %d with code %d", a.status, a.text, status, code)
	}
}

// TestPermissionsDecideWhoSpeaks: Discord's order is everyone, roles together, the member; what is denied where counts, and a denial
// takes other things along.
func TestPermissionsDecideWhoSpeaks(t *testing.T) {
	const say = `{"content":"x"}`
	for name, c := range map[string]struct {
		set    func(*world)
		body   string
		status int
		code   int
	}{
		"a normal invitation speaks": {func(*world) {}, say, 200, 0},
		"everyone is denied, the role says nothing": {func(w *world) { w.deny("hall", "@everyone", "SEND_MESSAGES") },
			say, 403, 50013},
		"a role's permission does not lift a channel's denial": {func(w *world) {
			w.grant("SEND_MESSAGES")
			w.deny("hall", "@everyone", "SEND_MESSAGES")
		}, say, 403, 50013},
		"a role is allowed what everyone is denied": {func(w *world) {
			w.deny("hall", "@everyone", "SEND_MESSAGES")
			w.allow("hall", w.own(), "SEND_MESSAGES")
		}, say, 200, 0},
		"one role's allowance beats another's denial": {func(w *world) {
			w.grant("ADD_REACTIONS")
			w.deny("hall", w.own(), "SEND_MESSAGES")
			w.allow("hall", "granted", "SEND_MESSAGES")
		}, say, 200, 0},
		"the member's denial beats every role": {func(w *world) {
			w.allow("hall", w.own(), "SEND_MESSAGES")
			w.deny("hall", w.State().Bot.ID, "SEND_MESSAGES")
		}, say, 403, 50013},
		"another channel's overwrite": {func(w *world) { w.deny("lounge", "@everyone", "SEND_MESSAGES") }, say, 200, 0},
		"who cannot see may do nothing": {func(w *world) { w.deny("hall", "@everyone", "VIEW_CHANNEL") },
			say, 403, 50001},
		"an administrator is above overwrites": {func(w *world) {
			w.deny("hall", "@everyone", "VIEW_CHANNEL")
			w.grant("ADMINISTRATOR")
		}, say, 200, 0},
		"so is the owner": {func(w *world) {
			w.deny("hall", "@everyone", "VIEW_CHANNEL")
			bot := w.State().Bot.ID
			w.must(w.ChangeGuild("", simdiscord.GuildChange{Owner: &bot}))
		}, say, 200, 0},
		"a timeout leaves reading": {func(w *world) {
			seconds := 60
			w.must(w.ChangeMember("", w.State().Bot.ID, simdiscord.MemberChange{Timeout: &seconds}))
		}, say, 403, 50013},
		"embeds need a permission of their own": {func(w *world) { w.deny("hall", "@everyone", "EMBED_LINKS") },
			`{"embeds":[{"title":"t"}]}`, 403, 50013},
		"text does not": {func(w *world) { w.deny("hall", "@everyone", "EMBED_LINKS") }, say, 200, 0},
		"a reply needs the history": {func(w *world) { w.deny("hall", "@everyone", "READ_MESSAGE_HISTORY") },
			`{"content":"x","message_reference":{"message_id":"4","fail_if_not_exists":false}}`, 403, 160002},
		"a removed bot":     {func(w *world) { w.must(w.RemoveBot("")) }, say, 403, 50001},
		"nothing is left":   {func(w *world) { w.everybody() }, say, 403, 50001},
		"nothing but sight": {func(w *world) { w.everybody("VIEW_CHANNEL") }, say, 403, 50013},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{NoLimits: true})
			c.set(w)
			a := w.rest("POST", messages(w.State().Hall), c.body)
			if c.status == 200 && a.status == 200 {
				return
			}
			a.denied(t, c.status, c.code)
		})
	}
}

// TestPermissionsOnEveryRoute: each call asks for what Discord asks for.
func TestPermissionsOnEveryRoute(t *testing.T) {
	for name, c := range map[string]struct {
		deny         []string
		method, path string
		body         string
		status, code int
	}{
		"channel unseen":             {[]string{"VIEW_CHANNEL"}, "GET", "", "", 403, 50001},
		"history unseen":             {[]string{"VIEW_CHANNEL"}, "GET", "/messages", "", 403, 50001},
		"one message unseen":         {[]string{"VIEW_CHANNEL"}, "GET", "/messages/{m}", "", 403, 50001},
		"one message, no history":    {[]string{"READ_MESSAGE_HISTORY"}, "GET", "/messages/{m}", "", 403, 50013},
		"typing":                     {[]string{"SEND_MESSAGES"}, "POST", "/typing", "", 403, 50013},
		"own message edited unseen":  {[]string{"VIEW_CHANNEL"}, "PATCH", "/messages/{own}", `{"content":"y"}`, 403, 50001},
		"own message, may not send":  {[]string{"SEND_MESSAGES"}, "PATCH", "/messages/{own}", `{"content":"y"}`, 200, 0},
		"another's message":          {nil, "DELETE", "/messages/{m}", "", 403, 50013},
		"channel changed":            {nil, "PATCH", "", `{"topic":"y"}`, 403, 50013},
		"thread on a message":        {[]string{"CREATE_PUBLIC_THREADS"}, "POST", "/messages/{m}/threads", `{"name":"t"}`, 403, 50013},
		"public thread":              {[]string{"CREATE_PUBLIC_THREADS"}, "POST", "/threads", `{"name":"t","type":11}`, 403, 50013},
		"private thread":             {[]string{"CREATE_PRIVATE_THREADS"}, "POST", "/threads", `{"name":"t"}`, 403, 50013},
		"private, public is allowed": {[]string{"CREATE_PRIVATE_THREADS"}, "POST", "/threads", `{"name":"t","type":11}`, 201, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{NoLimits: true})
			hall := w.State().Hall
			ids := strings.NewReplacer("{m}", w.Say("hall", "ana", "x").ID, "{own}", w.rest("POST", messages(hall), `{"content":"x"}`).id())
			if c.deny != nil {
				w.deny("hall", "@everyone", c.deny...)
			}
			a := w.rest(c.method, "/channels/"+hall+ids.Replace(c.path), c.body)
			if c.code == 0 && a.status == c.status {
				return
			}
			a.denied(t, c.status, c.code)
		})
	}
}

// TestHistoryWithoutPermissionIsEmpty: Discord answers such a read with nothing, not with an error.
func TestHistoryWithoutPermissionIsEmpty(t *testing.T) {
	w := open(t, simdiscord.Options{})
	w.Say("hall", "ana", "x")
	w.deny("hall", "@everyone", "READ_MESSAGE_HISTORY")
	if a := w.rest("GET", messages(w.State().Hall), ""); a.status != 200 || string(a.text) != "[]\n" {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestModeratorDeletes: with the permission, others' messages go; a thread's first message never does.
func TestModeratorDeletes(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	hall := w.State().Hall
	m := w.Say("hall", "ana", "x")
	w.grant("MANAGE_MESSAGES")
	thread := w.rest("POST", messages(hall)+"/"+m.ID+"/threads", `{"name":"t"}`)
	first := w.Messages(thread.id())[0]
	w.rest("DELETE", messages(thread.id())+"/"+first.ID, "").denied(t, 403, 50021)
	if a := w.rest("DELETE", messages(hall)+"/"+m.ID, ""); a.status != http.StatusNoContent {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestWhoMayMentionEverybody: without the permission the text stays and nobody is notified; a role that is mentionable is, still.
func TestWhoMayMentionEverybody(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	quiet, err := w.CreateRole("", simdiscord.RoleSpec{Name: "quiet"})
	w.must(err)
	body := fmt.Sprintf(`{"content":"@everyone <@&%s> <@&%s> <@&%s>"}`, st.Role("crew"), quiet.ID, w.own())
	roles := func(a answer) string { return a.field("mention_everyone") + a.field("mention_roles") }
	a := w.rest("POST", messages(st.Hall), body)
	if want := fmt.Sprintf(`true["%s","%s","%s"]`, st.Role("crew"), quiet.ID, w.own()); roles(a) != want {
		t.Errorf("allowed: %s, want %s", roles(a), want)
	}
	w.deny("hall", "@everyone", "MENTION_EVERYONE")
	a = w.rest("POST", messages(st.Hall), body)
	if want := fmt.Sprintf(`false["%s"]`, st.Role("crew")); roles(a) != want {
		t.Errorf("denied: %s, want %s", roles(a), want)
	}
	w.allow("hall", "@everyone", "MENTION_EVERYONE")
	w.deny("hall", "@everyone", "SEND_MESSAGES") // which takes the mention along; one's own message can still be edited
	edited := w.rest("PATCH", messages(st.Hall)+"/"+a.id(), `{"content":"@everyone again"}`)
	if edited.field("mention_everyone") != "false" {
		t.Errorf("one who may not speak notified everybody: %s", edited.text)
	}
	w.deny("hall", "@everyone", "MENTION_EVERYONE")
	m := w.Say("hall", "ben", "@everyone hi")
	if m.MentionEveryone {
		t.Error("a person without the permission notified everybody")
	}
}

// TestDirectMessagesThatNobodyTakes: a person closes them, or shares no guild with the bot any more.
func TestDirectMessagesThatNobodyTakes(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	dm := w.rest("POST", "/users/@me/channels", `{"recipient_id":"`+w.State().User("ben")+`"}`).id()
	send := func() answer { return w.rest("POST", messages(dm), `{"content":"x"}`) }
	w.must(w.CloseDMs("ben", true))
	send().denied(t, 403, 50007)
	w.must(w.CloseDMs("ben", false))
	if a := send(); a.status != 200 {
		t.Errorf("open again: %d %s", a.status, a.text)
	}
	w.must(w.Leave("", "ben"))
	send().denied(t, 403, 50278)
	w.rest("DELETE", messages(dm)+"/"+w.Say(dm, "ben", "x").ID, "").denied(t, 403, 50003)
}
