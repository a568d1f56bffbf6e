package discord_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

func messages(channel string) string { return "/channels/" + channel + "/messages" }

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// TestRules is a table of what Discord refuses and how.
func TestRules(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	theirs := w.Say("lounge", "ana", "hello").ID
	joined, err := w.Post("lounge", simdiscord.Saying{Author: "ben", Type: 7})
	if err != nil {
		t.Fatal(err)
	}
	mine := w.rest("POST", messages(st.Lounge), `{"content":"mine"}`).id()
	gone := w.Say("lounge", "ana", "gone").ID
	if err := w.Delete("lounge", gone); err != nil {
		t.Fatal(err)
	}
	lounge := messages(st.Lounge)
	reply := func(id, more string) string {
		return fmt.Sprintf(`{"content":"x","message_reference":{"message_id":%q%s}}`, id, more)
	}
	content := func(n int, s string) string { return `{"content":` + quoted(strings.Repeat(s, n)) + `}` }
	for _, c := range []struct {
		name, method, path, body string
		status, code             int
		field, fieldCode         string
	}{
		{name: "2000 emoji are 2000", method: "POST", path: lounge, body: content(2000, "😀"), status: 200},
		{name: "2001 characters", method: "POST", path: lounge, body: content(2001, "x"), status: 400, code: 50035, field: "content", fieldCode: "BASE_TYPE_MAX_LENGTH"},
		{name: "2001 on edit", method: "PATCH", path: lounge + "/" + mine, body: content(2001, "é"), status: 400, code: 50035, field: "content", fieldCode: "BASE_TYPE_MAX_LENGTH"},
		{name: "nothing", method: "POST", path: lounge, body: `{}`, status: 400, code: 50006},
		{name: "only blanks", method: "POST", path: lounge, body: `{"content":" \n\t "}`, status: 400, code: 50006},
		{name: "edit to nothing", method: "PATCH", path: lounge + "/" + mine, body: `{"content":""}`, status: 400, code: 50006},
		{name: "no JSON", method: "POST", path: lounge, body: `{"content":`, status: 400, code: 50109},
		{name: "content a number", method: "POST", path: lounge, body: `{"content":5}`, status: 400, code: 50035, field: "content", fieldCode: "BASE_TYPE_CONVERT"},
		{name: "unknown channel", method: "POST", path: messages("4"), body: `{"content":"x"}`, status: 404, code: 10003},
		{name: "channel no snowflake", method: "GET", path: "/channels/lounge", status: 400, code: 50035, field: "channel_id", fieldCode: "NUMBER_TYPE_COERCE"},
		{name: "unknown message", method: "GET", path: lounge + "/4", status: 404, code: 10008},
		{name: "deleted message", method: "PATCH", path: lounge + "/" + gone, body: `{"content":"x"}`, status: 404, code: 10008},
		{name: "edit another's", method: "PATCH", path: lounge + "/" + theirs, body: `{"content":"x"}`, status: 403, code: 50005},
		{name: "delete another's", method: "DELETE", path: lounge + "/" + theirs, status: 403, code: 50013},
		{name: "reply", method: "POST", path: lounge, body: reply(theirs, ""), status: 200},
		{name: "reply to deleted", method: "POST", path: lounge, body: reply(gone, ""), status: 400, code: 50035, field: "message_reference", fieldCode: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE"},
		{name: "reply to deleted, allowed", method: "POST", path: lounge, body: reply(gone, `,"fail_if_not_exists":false`), status: 200},
		{name: "reply to system message", method: "POST", path: lounge, body: reply(joined.ID, ""), status: 400, code: 50035, field: "message_reference", fieldCode: "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE"},
		{name: "nonce of 26", method: "POST", path: lounge, body: `{"content":"x","nonce":"` + strings.Repeat("n", 26) + `"}`, status: 400, code: 50035, field: "nonce", fieldCode: "BASE_TYPE_MAX_LENGTH"},
		{name: "mentions parsed and listed", method: "POST", path: lounge, body: `{"content":"x","allowed_mentions":{"parse":["users"],"users":["1"]}}`, status: 400, code: 50035, field: "allowed_mentions", fieldCode: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
		{name: "mentions of a strange kind", method: "POST", path: lounge, body: `{"content":"x","allowed_mentions":{"parse":["all"]}}`, status: 400, code: 50035, field: "allowed_mentions.parse", fieldCode: "BASE_TYPE_CHOICES"},
		{name: "eleven embeds", method: "POST", path: lounge, body: `{"embeds":[` + strings.Repeat(`{"title":"t"},`, 10) + `{"title":"t"}]}`, status: 400, code: 50035, field: "embeds", fieldCode: "BASE_TYPE_MAX_LENGTH"},
		{name: "embed title of 257", method: "POST", path: lounge, body: `{"embeds":[{"title":"` + strings.Repeat("t", 257) + `"}]}`, status: 400, code: 50035, field: "embeds.0.title", fieldCode: "BASE_TYPE_MAX_LENGTH"},
		{name: "limit of 101", method: "GET", path: lounge + "?limit=101", status: 400, code: 50035, field: "limit", fieldCode: "NUMBER_TYPE_MAX"},
		{name: "DM with a bot", method: "POST", path: "/users/@me/channels", body: `{"recipient_id":"` + st.User("clockwork") + `"}`, status: 400, code: 50007},
		{name: "DM with nobody", method: "POST", path: "/users/@me/channels", body: `{"recipient_id":"4"}`, status: 404, code: 10013},
		{name: "unknown guild", method: "GET", path: "/guilds/4", status: 404, code: 10004},
		{name: "no such path", method: "GET", path: "/nothing", status: 404},
		{name: "no such method", method: "POST", path: "/users/@me", status: 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{w.Server, t, w.url, w.http}
			a := w.rest(c.method, c.path, c.body)
			if a.status != c.status {
				t.Fatalf("status %d, want %d: %s", a.status, c.status, a.text)
			}
			if c.code != 0 && a.field("code") != fmt.Sprint(c.code) {
				t.Errorf("code %s, want %d", a.field("code"), c.code)
			}
			if c.field != "" && a.field("errors."+c.field+"._errors.0.code") != c.fieldCode {
				t.Errorf("errors %s, want %s at %s", a.text, c.fieldCode, c.field)
			}
		})
	}
}

// TestReads calls everything that only reads, on both versions of the API, and checks the shapes.
func TestReads(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	st := w.State()
	m := w.Say("lounge", "ana", "hello <@"+st.Bot.ID+">")
	dm := w.rest("POST", "/users/@me/channels", `{"recipient_id":"`+st.User("ana")+`"}`)
	for _, path := range []string{
		"/gateway", "/gateway/bot", "/users/@me", "/applications/@me", "/oauth2/applications/@me", "/channels/" + st.Lounge,
		"/channels/" + dm.id(), messages(st.Lounge), messages(st.Lounge) + "/" + m.ID, "/guilds/" + st.Guild.ID,
		"/guilds/" + st.Guild.ID + "/channels",
	} {
		if a := w.rest("GET", path, ""); a.status != http.StatusOK {
			t.Errorf("GET %s: %d %s", path, a.status, a.text)
		}
		r, _ := http.NewRequest("GET", w.url+"/api/v9"+path, nil)
		r.Header.Set("Authorization", "Bot simulated")
		if a := w.do(r); a.status != http.StatusOK {
			t.Errorf("GET v9 %s: %d", path, a.status)
		}
		r.Header.Set("Authorization", "Bot wrong")
		if a := w.do(r); path != "/gateway" && (a.status != http.StatusUnauthorized || a.field("code") != "0") {
			t.Errorf("GET %s with a wrong token: %d %s", path, a.status, a.text)
		}
	}
	if got := w.rest("GET", "/gateway/bot", "").field("url"); got != strings.Replace(w.url, "http", "ws", 1)+"/gateway" {
		t.Errorf("gateway url %s", got)
	}
}

// TestWindow holds limit, before, after and around to Discord's order: always newest first.
func TestWindow(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true})
	st := w.State()
	var ids []string
	for i := range 10 {
		ids = append(ids, w.Say("lounge", "ana", fmt.Sprint(i)).ID)
	}
	if err := w.Delete("lounge", ids[4]); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"":                          "9 8 7 6 5 3 2 1 0",
		"?limit=3":                  "9 8 7",
		"?limit=2&before=" + ids[6]: "5 3",
		"?limit=2&after=" + ids[2]:  "5 3",
		"?limit=3&around=" + ids[6]: "7 6 5",
		"?limit=2&after=" + ids[4]:  "6 5",
		"?after=" + ids[9]:          "",
		"?before=" + ids[0]:         "",
	} {
		var list []struct{ Content string }
		w.rest("GET", messages(st.Lounge)+query, "").into(t, &list)
		var got []string
		for _, m := range list {
			got = append(got, m.Content)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

// TestLifeOfAMessage creates, edits and deletes, and looks at what each side is shown.
func TestLifeOfAMessage(t *testing.T) {
	w := open(t, simdiscord.Options{})
	st := w.State()
	question := w.Say("hall", "ana", "@Tsumugi hi")
	if question.Content != "<@"+st.Bot.ID+"> hi" || len(question.Mentions) != 1 {
		t.Fatalf("question %+v", question)
	}
	a := w.rest("POST", messages(st.Hall), `{"content":" one\n","nonce":7,"message_reference":{"message_id":"`+question.ID+`"},
		"components":[{"type":1,"components":[{"type":2,"style":1,"label":"Continue","custom_id":"c"}]}],"embeds":[{"title":"t"}]}`)
	if a.field("content") != "one" || a.field("type") != "19" || a.field("referenced_message.id") != question.ID || a.field("nonce") != "7" {
		t.Fatalf("created %s", a.text)
	}
	at := messages(st.Hall) + "/" + a.id()
	if got := w.rest("GET", at, ""); got.field("nonce") != "" {
		t.Errorf("the nonce was stored: %s", got.text)
	}
	edited := w.rest("PATCH", at, `{"content":"one two"}`)
	if edited.field("content") != "one two" || edited.field("edited_timestamp") == "null" || edited.field("components.0.components.0.label") != "Continue" {
		t.Errorf("edited %s", edited.text)
	}
	w.rest("PATCH", at, `{"content":"one two three"}`)
	if err := w.Delete("hall", question.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.rest("GET", at, ""); got.field("referenced_message") != "null" {
		t.Errorf("a deleted question shows as %s", got.field("referenced_message"))
	}
	ms := w.Messages("hall")
	if len(ms) != 1 || len(ms[0].Edits) != 2 || ms[0].Edits[0].Content != "one" || ms[0].Edits[1].Content != "one two" {
		t.Fatalf("history %+v", ms)
	}
	if a := w.rest("DELETE", at, ""); a.status != http.StatusNoContent {
		t.Errorf("delete %d", a.status)
	}
	if len(w.Messages("hall")) != 0 || len(w.AllMessages("hall")) != 2 {
		t.Errorf("after delete: %v, with the deleted: %v", w.Messages("hall"), w.AllMessages("hall"))
	}
}

// TestContentWithheldOnREST: without the intent only what concerns the bot can be read.
func TestContentWithheldOnREST(t *testing.T) {
	w := open(t, simdiscord.Options{})
	st := w.State()
	for text, readable := range map[string]bool{"private": false, "hi @Tsumugi": true} {
		m := w.Say("hall", "ana", text)
		a := w.rest("GET", messages(st.Hall)+"/"+m.ID, "")
		if got := a.field("content") != ""; got != readable {
			t.Errorf("%q is shown as %q", text, a.field("content"))
		}
	}
	dm := w.Say("dm:ana", "ana", "psst")
	if a := w.rest("GET", messages(dm.ChannelID)+"/"+dm.ID, ""); a.field("content") != "psst" {
		t.Errorf("direct message is shown as %s", a.text)
	}
}
