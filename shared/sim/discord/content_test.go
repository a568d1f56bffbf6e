package discord_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// row is a row of buttons with these custom ids.
func row(ids ...string) string {
	var buttons []string
	for _, id := range ids {
		buttons = append(buttons, `{"type":2,"style":1,"label":"b","custom_id":"`+id+`"}`)
	}
	return `{"type":1,"components":[` + strings.Join(buttons, ",") + `]}`
}

// texts is n text displays.
func texts(n int) string {
	return strings.TrimSuffix(strings.Repeat(`{"type":10,"content":"t"},`, n), ",")
}

// TestContentRules is a table of what Discord refuses of components, stickers and polls, and how.
func TestContentRules(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	lounge := messages(st.Lounge)
	steam := w.rest("GET", "/guilds/"+st.Guild.ID, "").field("stickers.0.id")
	const v2 = `"flags":32768,`
	components := func(list ...string) string { return `"components":[` + strings.Join(list, ",") + `]` }
	poll := func(more string, answers ...string) string {
		var all []string
		for _, a := range answers {
			all = append(all, `{"poll_media":{"text":`+quoted(a)+`}}`)
		}
		return `{"poll":{"question":{"text":"Which tea?"},"answers":[` + strings.Join(all, ",") + `]` + more + `}}`
	}
	for _, c := range []struct {
		name, body   string
		status, code int
		field, why   string
	}{
		{name: "five rows", body: `{` + components(row("1"), row("2"), row("3"), row("4"), row("5", "6", "7", "8", "9")) + `}`, status: 200},
		{name: "six rows", body: `{` + components(row("1"), row("2"), row("3"), row("4"), row("5"), row("6")) + `}`, status: 400, code: 50035, field: "components", why: "BASE_TYPE_BAD_LENGTH"},
		{name: "six buttons in a row", body: `{` + components(row("1", "2", "3", "4", "5", "6")) + `}`, status: 400, code: 50035, field: "components.0.components", why: "BASE_TYPE_BAD_LENGTH"},
		{name: "an empty row", body: `{"content":"x",` + components(row()) + `}`, status: 400, code: 50035, field: "components.0.components", why: "BASE_TYPE_BAD_LENGTH"},
		{name: "a custom id twice", body: `{` + components(row("1"), row("1")) + `}`, status: 400, code: 50035, field: "components.1.components.0.custom_id", why: "COMPONENT_CUSTOM_ID_DUPLICATED"},
		{name: "a custom id of 101", body: `{` + components(row(strings.Repeat("i", 101))) + `}`, status: 400, code: 50035, field: "components.0.components.0.custom_id", why: "BASE_TYPE_MAX_LENGTH"},
		{name: "a button without custom id", body: `{` + components(row("")) + `}`, status: 400, code: 50035, field: "components.0.components.0.custom_id", why: "BASE_TYPE_REQUIRED"},
		{name: "a text without the flag", body: `{` + components(texts(1)) + `}`, status: 400, code: 50035, field: "components.0", why: "UNION_TYPE_CHOICES"},
		{name: "a text with the flag", body: `{` + v2 + components(texts(1)) + `}`, status: 200},
		{name: "forty", body: `{` + v2 + components(texts(40)) + `}`, status: 200},
		{name: "forty-one, one of them nested", body: `{` + v2 + components(texts(39), row("1")) + `}`, status: 400, code: 50035, field: "components", why: "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"},
		{name: "texts of 4001", body: `{` + v2 + components(`{"type":10,"content":"`+strings.Repeat("t", 4000)+`"}`, texts(1)) + `}`, status: 400, code: 50035, field: "components", why: "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"},
		{name: "the flag with content", body: `{"content":"x",` + v2 + components(texts(1)) + `}`, status: 400, code: 50035, field: "content", why: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
		{name: "the flag with an embed", body: `{"embeds":[{"title":"x"}],` + v2 + components(texts(1)) + `}`, status: 400, code: 50035, field: "embeds", why: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
		{name: "the guild's sticker", body: `{"sticker_ids":["` + steam + `"]}`, status: 200},
		{name: "an unknown sticker", body: `{"sticker_ids":["4"]}`, status: 400, code: 50081},
		{name: "four stickers", body: `{"sticker_ids":["1","2","3","4"]}`, status: 400, code: 50035, field: "sticker_ids", why: "BASE_TYPE_MAX_LENGTH"},
		{name: "a poll", body: poll("", "sencha", "hojicha"), status: 200},
		{name: "a poll of a month and more", body: poll(`,"duration":769`, "sencha"), status: 400, code: 50035, field: "poll.duration", why: "NUMBER_TYPE_MAX"},
		{name: "a poll without answers", body: poll(""), status: 400, code: 50035, field: "poll.answers", why: "BASE_TYPE_BAD_LENGTH"},
		{name: "an answer of 56", body: poll("", "sencha", strings.Repeat("a", 56)), status: 400, code: 50035, field: "poll.answers.1.poll_media.text", why: "BASE_TYPE_MAX_LENGTH"},
		{name: "a poll of eleven answers", body: poll("", strings.Split("abcdefghijk", "")...), status: 400, code: 50035, field: "poll.answers", why: "BASE_TYPE_BAD_LENGTH"},
		{name: "a field of blanks", body: `{"embeds":[{"fields":[{"name":"  ","value":"x"}]}]}`, status: 400, code: 50035, field: "embeds.0.fields.0", why: "BASE_TYPE_REQUIRED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.rest("POST", lounge, c.body)
			if c.status != 200 {
				a.refused(t, c.status, c.code, c.field, c.why)
			} else if a.status != 200 {
				t.Errorf("%d %s", a.status, a.text)
			}
		})
	}
}

// TestEmbedsOfOneLink: an embed that repeats an earlier link is left out, and texts are trimmed.
func TestEmbedsOfOneLink(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	var m struct {
		Embeds []struct{ Title, URL string }
	}
	w.rest("POST", messages(w.State().Lounge), `{"embeds":[{"title":" a ","url":"https://a.invalid"},{"title":"b","url":"https://a.invalid"},{"title":"c"},{"title":"d"}]}`).into(t, &m)
	if got := fmt.Sprint(m.Embeds); got != "[{a https://a.invalid} {c } {d }]" {
		t.Error(got)
	}
}

// TestFlagsOnEdit: SUPPRESS_EMBEDS comes and goes, IS_COMPONENTS_V2 only comes.
func TestFlagsOnEdit(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	lounge := messages(w.State().Lounge)
	one := lounge + "/" + w.rest("POST", lounge, `{"content":"x"}`).id()
	for _, c := range []struct{ body, flags string }{
		{`{"flags":4}`, "4"}, {`{"content":"y"}`, "4"}, {`{"flags":4096}`, "0"},
		{`{"content":null,"flags":0}`, "0"},
		{`{"content":"","flags":32768,"components":[` + texts(1) + `]}`, "32768"},
		{`{"flags":0}`, "32768"}, {`{"flags":4,"components":[` + texts(2) + `]}`, "32772"},
	} {
		if a := w.rest("PATCH", one, c.body); a.status != 200 || a.field("flags") != c.flags {
			t.Errorf("%s: %d %s, want flags %s", c.body, a.status, a.text, c.flags)
		}
	}
	w.rest("PATCH", one, `{"content":"back to text"}`).refused(t, 400, 50035, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")
}

// TestUneditable: polls and voice messages stay as they were made.
func TestUneditable(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	lounge := messages(st.Lounge)
	poll := w.rest("POST", lounge, `{"poll":{"question":{"text":"Which?"},"answers":[{"poll_media":{"text":"this","emoji":{"name":"🍵"}}}],"duration":1}}`)
	if poll.field("poll.answers.0.poll_media.emoji.name") != "🍵" || poll.field("poll.results.is_finalized") != "false" || poll.field("poll.layout_type") != "1" {
		t.Errorf("poll %s", poll.text)
	}
	w.rest("PATCH", lounge+"/"+poll.id(), `{"content":"x"}`).refused(t, 400, 520003, "", "")
	voice := w.form("POST", lounge, payload(`{"flags":8192,"attachments":[{"id":"0","duration_secs":1.5,"waveform":"AAA="}]}`), part{"files[0]", "voice.ogg", "OggS\x00"})
	if voice.status != 200 || voice.field("attachments.0.duration_secs") != "1.5" || voice.field("attachments.0.waveform") != "AAA=" {
		t.Fatalf("voice %d %s", voice.status, voice.text)
	}
	w.rest("PATCH", lounge+"/"+voice.id(), `{"content":"x"}`).refused(t, 400, 50162, "", "")
	const silent = `{"flags":8192,"attachments":[{"id":"0"}]}`
	w.form("POST", lounge, payload(silent), part{"files[0]", "voice.ogg", "OggS\x00"}).refused(t, 400, 50161, "", "")
	if err := w.SetOverwrite("hall", simdiscord.Overwrite{For: st.Bot.Name, Deny: []string{"SEND_VOICE_MESSAGES", "SEND_POLLS"}}); err != nil {
		t.Fatal(err)
	}
	w.form("POST", messages(st.Hall), payload(`{"flags":8192,"attachments":[{"id":"0","duration_secs":1.5,"waveform":"AAA="}]}`),
		part{"files[0]", "voice.ogg", "OggS\x00"}).refused(t, 403, 50173, "", "")
	w.rest("POST", messages(st.Hall), `{"poll":{"question":{"text":"Which?"},"answers":[{"poll_media":{"text":"this"}}]}}`).refused(t, 403, 50013, "", "")
	w.form("POST", lounge, payload(silent), part{"files[0]", "a.txt", "a"}).refused(t, 400, 50160, "", "")
	w.rest("POST", lounge, `{"flags":8192,"content":"x"}`).refused(t, 400, 50159, "", "")
}

// TestPollEnds: a poll is final when its time is over.
func TestPollEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{})
		lounge := messages(w.State().Lounge)
		id := w.rest("POST", lounge, `{"poll":{"question":{"text":"Which?"},"answers":[{"poll_media":{"text":"this"}}],"duration":1}}`).id()
		time.Sleep(time.Hour)
		if a := w.rest("GET", lounge+"/"+id, ""); a.field("poll.results.is_finalized") != "true" {
			t.Error(string(a.text))
		}
	})
}
