package discord_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// pixel is a picture of one pixel.
const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// hooked is a world with a webhook of the bot in the lounge.
type hooked struct {
	*world
	id, token, channel string
}

func (w *world) hook(channel, name string) hooked {
	w.t.Helper()
	a := w.rest("POST", "/channels/"+channel+"/webhooks", `{"name":`+quoted(name)+`}`)
	if a.status != 200 || a.field("token") == "" {
		w.t.Fatalf("create webhook: %d %s", a.status, a.text)
	}
	return hooked{w, a.id(), a.field("token"), channel}
}

// say executes the webhook, without the bot's token.
func (h hooked) say(query, body string) answer { return h.call("POST", query, body) }

func (h hooked) call(method, rest, body string) answer {
	h.t.Helper()
	r, err := http.NewRequest(method, h.url+"/api/v10/webhooks/"+h.id+"/"+h.token+rest, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return h.do(r)
}

// refused fails unless an answer has this status, code and, where given, this complaint at a field.
func (a answer) refused(t *testing.T, status, code int, field, why string) {
	t.Helper()
	if a.status != status || a.field("code") != fmt.Sprint(code) {
		t.Errorf("%d %s, want %d and code %d", a.status, a.text, status, code)
	}
	if field != "" && a.field("errors."+field+"._errors.0.code") != why {
		t.Errorf("errors %s, want %s at %s", a.text, why, field)
	}
}

// TestWebhookNames is what a webhook and a message of it may be called (bugs.md B15 to B17).
func TestWebhookNames(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	lounge := w.State().Lounge
	h := w.hook(lounge, "Aki")
	const contains, length = "USERNAME_INVALID_CONTAINS", "BASE_TYPE_BAD_LENGTH"
	for _, c := range []struct{ name, own, message string }{
		{"Aki", "", ""},
		{strings.Repeat("é", 80), "", ""},
		{"@a:b#1", "", ""},
		{strings.Repeat("x", 81), length, length},
		{"  ", length, length},
		{"", length, length},
		{"My Discord Bot", contains, contains},
		{"CLYDE", contains, contains},
		{"here", "", contains},
		{"groundsphere", "", contains},
		{"Everyone's friend", "", contains},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := w.rest("POST", "/channels/"+lounge+"/webhooks", `{"name":`+quoted(c.name)+`}`)
			if c.own != "" {
				own.refused(t, 400, 50035, "name", c.own)
			} else if own.status != 200 {
				t.Errorf("create: %d %s", own.status, own.text)
			}
			said := h.say("?wait=true", `{"content":"x","username":`+quoted(c.name)+`}`)
			if c.message != "" {
				said.refused(t, 400, 50035, "username", c.message)
			} else if said.status != 200 || said.field("author.username") != strings.TrimSpace(c.name) {
				t.Errorf("say: %d %s", said.status, said.text)
			}
		})
	}
}

// TestWebhookLife makes, lists, changes, moves and deletes webhooks, by the bot's token and by their own.
func TestWebhookLife(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	c := w.gateway()
	c.login(1<<0 | 1<<5)
	h := w.hook(st.Lounge, "Aki")
	if e := c.until("WEBHOOKS_UPDATE"); e.field("channel_id") != st.Lounge || e.field("guild_id") != st.Guild.ID {
		t.Errorf("event %s", e.D)
	}
	at := "/webhooks/" + h.id
	a := w.rest("GET", at, "")
	if a.field("user.id") != st.Bot.ID || a.field("application_id") != st.Application.ID || a.field("token") != h.token || !strings.HasSuffix(a.field("url"), h.token) {
		t.Errorf("by the bot: %s", a.text)
	}
	if a := h.call("GET", "", ""); a.status != 200 || a.field("user") != "" || a.field("name") != "Aki" {
		t.Errorf("by token: %d %s", a.status, a.text)
	}
	if a := w.rest("GET", "/channels/"+st.Lounge+"/webhooks", ""); a.field("0.id") != h.id {
		t.Errorf("list %s", a.text)
	}
	if a := w.rest("PATCH", at, `{"name":"Beni","channel_id":"`+st.Hall+`","avatar":"`+pixel+`"}`); a.field("name") != "Beni" || a.field("channel_id") != st.Hall || a.field("avatar") == "null" {
		t.Errorf("moved: %s", a.text)
	}
	picture := w.rest("GET", at, "").field("avatar")
	r, _ := http.NewRequest("GET", w.url+"/avatars/"+h.id+"/"+picture+".png", nil)
	if a := w.do(r); a.status != 200 || a.header.Get("Content-Type") != "image/png" || len(a.text) == 0 {
		t.Errorf("picture: %d %v", a.status, a.header)
	}
	if a := h.call("PATCH", "", `{"name":"Chiaki","channel_id":"`+st.Lounge+`","avatar":null}`); a.field("name") != "Chiaki" || a.field("channel_id") != st.Hall || a.field("avatar") != "null" {
		t.Errorf("by token it is not moved: %s", a.text)
	}
	w.rest("PATCH", at, `{"avatar":"data:image/png;base64,AAAA"}`).refused(t, 400, 50035, "avatar", "IMAGE_INVALID")
	w.rest("PATCH", at, `{"channel_id":"4"}`).refused(t, 404, 10003, "", "")
	if a := h.call("DELETE", "", ""); a.status != 204 {
		t.Errorf("delete: %d", a.status)
	}
	h.say("", `{"content":"x"}`).refused(t, 404, 10015, "", "")
	w.rest("GET", at, "").refused(t, 404, 10015, "", "")
}

// TestWebhookRefusals: wrong tokens, full channels, missing rights (bugs.md B19, B20).
func TestWebhookRefusals(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	h := w.hook(st.Lounge, "0")
	wrong := h
	wrong.token += "x"
	wrong.say("?wait=true", `{"content":"x"}`).refused(t, 401, 50027, "", "")
	wrong.call("GET", "", "").refused(t, 401, 50027, "", "")
	for i := 1; i < 15; i++ {
		w.hook(st.Lounge, fmt.Sprint(i))
	}
	full := w.rest("POST", "/channels/"+st.Lounge+"/webhooks", `{"name":"16"}`)
	full.refused(t, 400, 30007, "", "")
	other := w.hook(st.Hall, "a")
	w.rest("PATCH", "/webhooks/"+other.id, `{"channel_id":"`+st.Lounge+`"}`).refused(t, 400, 30007, "", "")
	dm, err := w.OpenDM("ana")
	if err != nil {
		t.Fatal(err)
	}
	w.rest("POST", "/channels/"+dm+"/webhooks", `{"name":"x"}`).refused(t, 403, 50003, "", "")
	w.rest("POST", "/channels/4/webhooks", `{"name":"x"}`).refused(t, 404, 10003, "", "")
	w.rest("POST", "/channels/"+st.Hall+"/webhooks", `{}`).refused(t, 400, 50035, "name", "BASE_TYPE_REQUIRED")
	if err := w.SetOverwrite("hall", simdiscord.Overwrite{For: st.Bot.Name, Deny: []string{"MANAGE_WEBHOOKS"}}); err != nil {
		t.Fatal(err)
	}
	w.rest("POST", "/channels/"+st.Hall+"/webhooks", `{"name":"x"}`).refused(t, 403, 50013, "", "")
	w.rest("GET", "/channels/"+st.Hall+"/webhooks", "").refused(t, 403, 50013, "", "")
	w.rest("DELETE", "/webhooks/"+other.id, "").refused(t, 403, 50013, "", "")
	if a := other.say("?wait=true", `{"content":"who has the token still speaks"}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestWebhookMessages: what a persona's message is, and that it can be changed by its own webhook only.
func TestWebhookMessages(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true})
	st := w.State()
	h, other := w.hook(st.Lounge, "Aki"), w.hook(st.Lounge, "Beni")
	c := w.gateway()
	c.login(withContent)
	if a := h.say("", `{"content":"lost"}`); a.status != 204 || len(a.text) != 0 {
		t.Errorf("without wait: %d %s", a.status, a.text)
	}
	a := h.say("?wait=true", `{"content":" hi <@`+st.User("ana")+`> @everyone ","username":"Chiaki","avatar_url":"https://pictures.invalid/c.png",
		"components":[{"type":1,"components":[{"type":2,"style":1,"label":"Continue","custom_id":"c"}]}]}`)
	if a.status != 200 || a.field("webhook_id") != h.id || a.field("author.id") != h.id || a.field("author.username") != "Chiaki" ||
		a.field("author.bot") != "true" || a.field("application_id") != st.Application.ID || a.field("author.avatar") == "null" ||
		a.field("content") != "hi <@"+st.User("ana")+"> @everyone" || a.field("mention_everyone") != "false" || a.field("mentions.0.id") != st.User("ana") ||
		a.field("components.0.type") != "1" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if e := c.until("MESSAGE_CREATE"); e.field("content") != "lost" || e.field("author.username") != "Aki" {
		t.Errorf("event %s", e.D)
	}
	if e := c.until("MESSAGE_CREATE"); e.field("id") != a.id() || e.field("member") != "" || e.field("webhook_id") != h.id || e.field("author.username") != "Chiaki" {
		t.Errorf("event %s", e.D)
	}
	one := "/messages/" + a.id()
	if e := h.call("PATCH", one, `{"content":"changed"}`); e.status != 200 || e.field("content") != "changed" || e.field("author.username") != "Chiaki" || e.field("edited_timestamp") == "null" {
		t.Errorf("edit: %d %s", e.status, e.text)
	}
	if g := h.call("GET", one, ""); g.field("content") != "changed" {
		t.Errorf("get: %s", g.text)
	}
	other.call("GET", one, "").refused(t, 404, 10008, "", "")
	other.call("PATCH", one, `{"content":"x"}`).refused(t, 404, 10008, "", "")
	other.call("DELETE", one, "").refused(t, 404, 10008, "", "")
	h.call("PATCH", "/messages/"+w.Say("lounge", "ana", "mine").ID, `{"content":"x"}`).refused(t, 404, 10008, "", "")
	h.call("PATCH", one, `{"content":"","components":[]}`).refused(t, 400, 50006, "", "")
	w.rest("PATCH", messages(st.Lounge)+"/"+a.id(), `{"content":"x"}`).refused(t, 403, 50005, "", "")
	h.say("?wait=true", `{"content":""}`).refused(t, 400, 50006, "", "")
	h.say("?wait=perhaps", `{"content":"x"}`).refused(t, 400, 50035, "wait", "BASE_TYPE_CHOICES")
	h.say("?wait=true", `{"content":"x","avatar_url":"ftp://pictures.invalid/c.png"}`).refused(t, 400, 50035, "avatar_url", "URL_TYPE_INVALID_SCHEME")
	h.say("?wait=true", `{"content":"x","avatar_url":"c.png"}`).refused(t, 400, 50035, "avatar_url", "URL_TYPE_INVALID_URL")
	h.say("?wait=true", content(2001)).refused(t, 400, 50035, "content", "BASE_TYPE_MAX_LENGTH")
	if a := h.call("DELETE", one, ""); a.status != 204 {
		t.Errorf("delete: %d", a.status)
	}
	h.call("DELETE", one, "").refused(t, 404, 10008, "", "")
	h.call("GET", "/messages/@original", "").refused(t, 404, 10008, "", "")
}

func content(n int) string { return `{"content":"` + strings.Repeat("x", n) + `"}` }

// TestWebhookThreads: a thread by id on every call, posts in forums, the archive.
func TestWebhookThreads(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	w.lay(simdiscord.ChannelSpec{Name: "stories", Type: 15, Tags: []string{"open"}}, simdiscord.ChannelSpec{Name: "tales", Type: 15})
	st := w.State()
	h, there := w.hook(st.Channel("stories"), "Aki"), w.hook(st.Channel("tales"), "Beni")
	plain := w.hook(st.Lounge, "Chiaki")
	h.say("?wait=true", `{"content":"x"}`).refused(t, 400, 220001, "", "")
	plain.say("?wait=true", `{"content":"x","thread_name":"one"}`).refused(t, 400, 220003, "", "")
	a := h.say("?wait=true", `{"content":"once","thread_name":" One ","username":"Teller"}`)
	thread := a.field("channel_id")
	if a.status != 200 || a.id() != thread || a.field("author.username") != "Teller" {
		t.Fatalf("post: %d %s", a.status, a.text)
	}
	if c := w.rest("GET", "/channels/"+thread, ""); c.field("name") != "One" || c.field("parent_id") != h.channel || c.field("owner_id") != h.id {
		t.Errorf("thread %s", c.text)
	}
	in := "?wait=true&thread_id=" + thread
	h.say(in, `{"content":"x","thread_name":"two"}`).refused(t, 400, 220002, "", "")
	there.say(in, `{"content":"x"}`).refused(t, 404, 10003, "", "")
	plain.say(in, `{"content":"x"}`).refused(t, 404, 10003, "", "")
	plain.say("?thread_id=4", `{"content":"x"}`).refused(t, 404, 10003, "", "")
	second := h.say(in, `{"content":"upon"}`)
	if second.status != 200 || second.field("channel_id") != thread {
		t.Fatalf("in the thread: %d %s", second.status, second.text)
	}
	one, where := "/messages/"+second.id(), "?thread_id="+thread
	h.call("PATCH", one, `{"content":"x"}`).refused(t, 404, 10008, "", "") // without its thread the message is unknown
	if e := h.call("PATCH", one+where, `{"content":"upon a time"}`); e.status != 200 {
		t.Errorf("edit: %d %s", e.status, e.text)
	}
	if g := h.call("GET", one+where, ""); g.field("content") != "upon a time" {
		t.Errorf("get: %s", g.text)
	}
	yes, no := true, false
	if _, err := w.ChangeChannel(thread, simdiscord.ChannelChange{Archived: &yes}); err != nil {
		t.Fatal(err)
	}
	h.call("PATCH", one+where, `{"content":"x"}`).refused(t, 400, 50083, "", "")
	h.call("DELETE", one+where, "").refused(t, 400, 50083, "", "")
	if a := h.say(in, `{"content":"wakes it"}`); a.status != 200 {
		t.Errorf("archived: %d %s", a.status, a.text)
	}
	if c := w.rest("GET", "/channels/"+thread, ""); c.field("thread_metadata.archived") != "false" {
		t.Errorf("still archived: %s", c.text)
	}
	if d := h.call("DELETE", one+where, ""); d.status != 204 {
		t.Errorf("delete: %d %s", d.status, d.text)
	}
	if _, err := w.ChangeChannel(thread, simdiscord.ChannelChange{Locked: &yes, Archived: &no}); err != nil {
		t.Fatal(err)
	}
	h.say(in, `{"content":"x"}`).refused(t, 400, 160005, "", "")
}

// TestComponentsOfOthersWebhooks: a webhook of no application sends components only when asked to, and none that call back.
func TestComponentsOfOthersWebhooks(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	made, err := w.CreateWebhook("lounge", "ana", "Aki")
	if err != nil {
		t.Fatal(err)
	}
	h := hooked{w, made.ID, made.Token, w.State().Lounge}
	const link = `{"type":2,"style":5,"label":"Read","url":"https://example.invalid"}`
	const press = `{"type":2,"style":1,"label":"Press","custom_id":"p"}`
	body := func(button string) string {
		return `{"content":"x","components":[{"type":1,"components":[` + button + `]}]}`
	}
	if a := h.say("?wait=true", body(press)); a.field("components") != "[]" || a.field("application_id") != "" {
		t.Errorf("they are dropped in silence: %s", a.text)
	}
	if a := h.say("?wait=true&with_components=true", body(link)); a.field("components.0.type") != "1" {
		t.Errorf("a link: %d %s", a.status, a.text)
	}
	h.say("?wait=true&with_components=true", body(press)).refused(t, 400, 50035, "components", "COMPONENT_INTERACTIVE_WEBHOOK")
}

// TestWebhooksOutliveTheProcess: a bot that remembers a webhook finds it again, as it was changed last; deleted ones stay so.
func TestWebhooksOutliveTheProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "discord.jsonl")
	w := open(t, simdiscord.Options{NoLimits: true})
	if err := w.Keep(file); err != nil {
		t.Fatal(err)
	}
	st := w.State()
	h, gone := w.hook(st.Lounge, "Aki"), w.hook(st.Lounge, "Beni")
	w.rest("PATCH", "/webhooks/"+h.id, `{"name":"Chiaki","channel_id":"`+st.Hall+`"}`)
	if a := gone.call("DELETE", "", ""); a.status != 204 {
		t.Fatalf("%d", a.status)
	}
	said := h.say("?wait=true", `{"content":"x"}`)
	for range 2 { // the second start reads what the first has shortened
		again := open(t, simdiscord.Options{NoLimits: true})
		if err := again.Keep(file); err != nil {
			t.Fatal(err)
		}
		h.world, gone.world = again, again
		if a := h.call("PATCH", "/messages/"+said.id(), `{"content":"y"}`); a.status != 200 || a.field("author.username") != "Chiaki" || a.field("channel_id") != st.Hall {
			t.Errorf("%d %s", a.status, a.text)
		}
		gone.say("", `{"content":"x"}`).refused(t, 404, 10015, "", "")
	}
}

// TestTokensStaySecret: the record of calls names no token, whether or not there is such a path.
func TestTokensStaySecret(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	h := w.hook(st.Lounge, "Aki")
	h.say("", `{"content":"x"}`)
	h.call("GET", "/nothing", "")
	w.rest("POST", "/interactions/5/"+h.token+"/callback", `{"type":1}`)
	calls := w.sim("GET", "/calls", "")
	if strings.Contains(string(calls.text), h.token) || !strings.Contains(string(calls.text), "/webhooks/"+h.id+"/{token}") {
		t.Errorf("calls %s", calls.text)
	}
	if limits := w.sim("GET", "/limits", ""); strings.Contains(string(limits.text), h.token) {
		t.Errorf("limits %s", limits.text)
	}
}

// TestInteractionPaths: the application's id in the place of a webhook's leads to interactions, and never to a webhook.
func TestInteractionPaths(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	h := w.hook(w.State().Lounge, "Aki")
	h.id = w.State().Application.ID
	h.call("PATCH", "/messages/@original", `{"content":"x"}`).refused(t, 401, 50027, "", "")
	h.say("", `{"content":"x"}`).refused(t, 401, 50027, "", "")
}

// TestWebhooksGoWithTheirChannel: those of deleted channels do not count against the 1,000 of a guild.
func TestWebhooksGoWithTheirChannel(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	for n := range 68 {
		c, err := w.CreateChannel(simdiscord.ChannelSpec{Name: "booth"})
		if err != nil {
			t.Fatal(err)
		}
		for range 15 {
			if _, err := w.CreateWebhook(c.ID, "ana", "Aki"); err != nil {
				t.Fatalf("in channel %d: %v", n, err)
			}
		}
		if err := w.DeleteChannel(c.ID); err != nil {
			t.Fatal(err)
		}
	}
}
