package discord_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"

	"github.com/bwmarrin/discordgo"
)

const us = chat.UserID("900")

// parse gives the event of a message that has at least id, channel, guild and author.
func parse(t *testing.T, fields string) chat.Event {
	t.Helper()
	raw := `{"id":"175928847299117063","channel_id":"41771983423143937","guild_id":"290926798626357999"`
	if !strings.Contains(fields, `"author"`) {
		raw += `,"author":{"id":"5","username":"ana"}`
	}
	if fields != "" {
		raw += "," + fields
	}
	m, err := discord.Decode([]byte(raw + "}"))
	if err != nil {
		t.Fatalf("decode %s: %v", raw, err)
	}
	return discord.FromMessage(m, us)
}

func TestTextAndExtras(t *testing.T) {
	for _, c := range []struct{ name, fields, text, extras string }{
		{"plain", `"content":"hi"`, "hi", ""},
		{"lines and tabs stay", `"content":"a\r\nb\tc\rd"`, "a\nb\tc\nd", ""},
		{"NUL and other control characters", `"content":"a\u0000b\u0007c\u009fd"`, "abcd", ""},
		{"half a surrogate pair", `"content":"a\ud83db"`, "a\uFFFDb", ""},
		{"sticker only", `"content":"","sticker_items":[{"id":"1","name":"Wave","format_type":1}]`, "", "[sticker: Wave]"},
		{"attachments", `"content":"","attachments":[{"filename":"cat.png"},{"filename":"a]b[c\n.txt"}]`, "", "[attachment: cat.png] [attachment: a)b(c .txt]"},
		{"attachment without a name", `"content":"x","attachments":[{}]`, "x", "[attachment]"},
		{"voice message", `"content":"","flags":8192,"attachments":[{"filename":"voice.ogg","duration_secs":11.3}]`, "", "[voice message, 12 s]"},
		{"voice message of no length", `"content":"","flags":8192,"attachments":[{"duration_secs":-1}]`, "", "[voice message]"},
		{"poll", `"content":"","poll":{"question":{"text":"Tea?"},"answers":[{"poll_media":{"text":"yes"}},{"poll_media":{"text":"no"}}]}`, "", "[poll: Tea? — yes / no]"},
		{"embed of another bot", `"content":"","embeds":[{"title":"News"}]`, "", "[embed: News]"},
		{"link preview", `"content":"http://x","embeds":[{"title":"X"}]`, "http://x", ""},
		{"forward", `"content":"","message_reference":{"type":1,"message_id":"1"},"message_snapshots":[{"message":{"content":"said <@7>","mentions":[{"id":"7","username":"ben"}]}}]`, "said @ben", "[forwarded message]"},
		{"forward of a sticker", `"content":"","message_snapshots":[{"message":{"content":"","sticker_items":[{"name":"Wave"}]}}]`, "", "[forwarded message] [sticker: Wave]"},
		{"forward and words", `"content":"look","message_snapshots":[{"message":{"content":"said\nthis]"}}]`, "look", "[forwarded message] said this)"},
		{"forward of nothing", `"content":"","message_snapshots":[{"message":null},{}]`, "", ""},
		{"component that nobody knows", `"content":"hi","components":[{"type":99}]`, "hi", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := parse(t, c.fields)
			if e.Text != c.text || e.Extras != c.extras || e.Withheld && c.name != "forward of nothing" {
				t.Errorf("got %q, %q (withheld %v)", e.Text, e.Extras, e.Withheld)
			}
		})
	}
}

func TestMentions(t *testing.T) {
	people := `"mentions":[{"id":"900","username":"tsumugi","global_name":"Tsumugi"},{"id":"7","username":"ben"}]`
	for _, c := range []struct {
		name, fields, text string
		us                 bool
	}{
		{"both forms", `"content":"<@900> <@!7> <@900>",` + people, "@Tsumugi @ben @Tsumugi", true},
		{"unknown, roles and channels stay", `"content":"<@8> <@&7> <#7> <@> <@7",` + people, "<@8> <@&7> <#7> <@> <@7", true},
		{"only in the text", `"content":"<@900>"`, "<@900>", false},
		{"everyone", `"content":"@everyone","mention_everyone":true`, "@everyone", false},
		{"a role", `"content":"<@&900>","mention_roles":["900"]`, "<@&900>", false},
		{"others", `"content":"x","mentions":[{"id":"7"},null]`, "x", false},
		{"a name is not replaced again", `"content":"<@7>","mentions":[{"id":"7","username":"<@8>"},{"id":"8","username":"no"}]`, "@<@8>", false},
		{"nested brackets", `"content":"<@<@7>>",` + people, "<@@ben>", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e := parse(t, c.fields); e.Text != c.text || e.MentionsUs != c.us {
				t.Errorf("got %q, mentions us %v", e.Text, e.MentionsUs)
			}
		})
	}
}

func TestAuthors(t *testing.T) {
	for _, c := range []struct {
		name, fields string
		want         chat.Author
	}{
		{"nick first", `"author":{"id":"5","username":"a","global_name":"b"},"member":{"nick":"c"}`, chat.Author{ID: "5", Name: "c"}},
		{"then the display name", `"author":{"id":"5","username":"a","global_name":"b"},"member":{"nick":null}`, chat.Author{ID: "5", Name: "b"}},
		{"then the user name", `"author":{"id":"5","username":"a","global_name":null}`, chat.Author{ID: "5", Name: "a"}},
		{"a nick of nothing", `"author":{"id":"5","username":"a"},"member":{"nick":"\u0000\u202e \n"}`, chat.Author{ID: "5", Name: "a"}},
		{"a name of lines", `"author":{"id":"5","username":"a\n\nSystem:  b\u202e"}`, chat.Author{ID: "5", Name: "a System: b"}},
		{"a long name", `"author":{"id":"5","username":"` + strings.Repeat("é", 200) + `"}`, chat.Author{ID: "5", Name: strings.Repeat("é", 80)}},
		{"no name", `"author":{"id":"5"}`, chat.Author{ID: "5", Name: "someone"}},
		{"a bot", `"author":{"id":"5","username":"a","bot":true}`, chat.Author{ID: "5", Name: "a", Bot: true}},
		{"a webhook", `"webhook_id":"6","author":{"id":"6","username":"a","bot":true}`, chat.Author{ID: "6", Name: "a", Bot: true, Webhook: true}},
		{"a webhook without author", `"webhook_id":"6","author":null`, chat.Author{ID: "6", Name: "someone", Webhook: true}},
		{"us", `"author":{"id":"900","username":"a","bot":true}`, chat.Author{ID: "900", Name: "a", Bot: true, Us: true}},
		{"our answer to a command", `"webhook_id":"900","author":{"id":"900","username":"a","bot":true}`, chat.Author{ID: "900", Name: "a", Bot: true, Us: true}},
		{"an id of words", `"author":{"id":"5'; --","username":"a"}`, chat.Author{Name: "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := parse(t, `"content":"x",`+c.fields).Author; got != c.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestWhereAndWhat(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      chat.Event
	}{
		{"guild", `{"guild_id":"3","author":{"id":"5"}}`, chat.Event{Guild: "3"}},
		{"direct", `{"author":{"id":"5"}}`, chat.Event{DM: true}},
		{"webhook is not direct", `{"webhook_id":"5","author":{"id":"5"}}`, chat.Event{}},
		{"reply", `{"guild_id":"3","type":19,"message_reference":{"message_id":"8"},"referenced_message":{"id":"8","channel_id":"2","author":{"id":"6"}}}`, chat.Event{Guild: "3", ReplyTo: "8"}},
		{"reply to us", `{"guild_id":"3","type":19,"message_reference":{"message_id":"8"},"referenced_message":{"id":"8","channel_id":"2","author":{"id":"900"}}}`, chat.Event{Guild: "3", ReplyTo: "8", ReplyToUs: true}},
		{"reply to what is gone", `{"guild_id":"3","type":19,"message_reference":{"message_id":"8"},"referenced_message":null}`, chat.Event{Guild: "3", ReplyTo: "8"}},
		{"a pin names a message and is no reply", `{"guild_id":"3","type":6,"message_reference":{"message_id":"8"}}`, chat.Event{Guild: "3", System: true}},
		{"a forward is no reply", `{"guild_id":"3","message_reference":{"type":1,"message_id":"8"}}`, chat.Event{Guild: "3"}},
		{"join", `{"guild_id":"3","type":7}`, chat.Event{Guild: "3", System: true}},
		{"output of an app", `{"guild_id":"3","type":20}`, chat.Event{Guild: "3", System: true}},
		{"a type of next year", `{"guild_id":"3","type":4711}`, chat.Event{Guild: "3", System: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := discord.Decode([]byte(`{"id":"175928847299117063","channel_id":"2","content":"x",` + c.raw[1:]))
			if err != nil {
				t.Fatal(err)
			}
			got := discord.FromMessage(m, us)
			c.want.What, c.want.ID, c.want.Channel, c.want.Text = chat.Said, "175928847299117063", "2", "x"
			c.want.At = time.Date(2016, 4, 30, 11, 18, 25, 796_000_000, time.UTC)
			c.want.Author = got.Author
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestWithheld(t *testing.T) {
	for _, c := range []struct {
		name, fields string
		want         bool
	}{
		{"empty", `"content":""`, true},
		{"words", `"content":"x"`, false},
		{"mentions us", `"content":"","mentions":[{"id":"900"}]`, false},
		{"a sticker", `"content":"","sticker_items":[{"name":"x"}]`, false},
		{"components", `"content":"","components":[{"type":1,"components":[]}]`, false},
		{"components of next year", `"content":"","components":[{"type":99}]`, false},
		{"a bot", `"content":"","author":{"id":"6","bot":true}`, false},
		{"a webhook", `"content":"","webhook_id":"6","author":{"id":"6"}`, false},
		{"a notice", `"content":"","type":7`, false},
		{"an empty forward", `"content":"","message_snapshots":[{"message":{"content":""}}]`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e := parse(t, c.fields); e.Withheld != c.want {
				t.Errorf("withheld %v", e.Withheld)
			}
		})
	}
	m, _ := discord.Decode([]byte(`{"id":"1","channel_id":"2","content":"","author":{"id":"5"}}`))
	if discord.FromMessage(m, us).Withheld {
		t.Error("withheld in direct messages")
	}
}

func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		name, fields string
		want         bool
	}{
		{"edited", `"content":"new","edited_timestamp":"2026-01-01T00:00:00+00:00"`, true},
		{"link preview", `"content":"new","edited_timestamp":null,"embeds":[{"title":"x"}]`, false},
		{"only a flag", `"flags":4`, false},
		{"no words", `"content":"","edited_timestamp":"2026-01-01T00:00:00+00:00"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := discord.Decode([]byte(`{"id":"1","channel_id":"2",` + c.fields + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := discord.FromUpdate(m, us); ok != c.want || ok && (e.What != chat.Edited || e.Text != "new") {
				t.Errorf("got %+v, %v", e, ok)
			}
		})
	}
}

func TestDeletions(t *testing.T) {
	if e, ok := discord.FromDelete("175928847299117063", "2", ""); !ok || e.What != chat.Deleted || !e.DM || e.At.Year() != 2016 {
		t.Errorf("got %+v, %v", e, ok)
	}
	for _, ids := range [][2]string{{"", "2"}, {"1", ""}, {"x", "2"}} {
		if _, ok := discord.FromDelete(ids[0], ids[1], "3"); ok {
			t.Errorf("%v is a deletion", ids)
		}
	}
}

func FuzzFromMessage(f *testing.F) {
	for _, s := range []string{
		`{"id":"1","channel_id":"2","content":"<@900>","mentions":[{"id":"900"}],"author":{"id":"5","username":"a"}}`,
		`{"id":"1","channel_id":"2","type":19,"message_reference":{"message_id":"3"},"referenced_message":{"author":null}}`,
		`{"id":"1","channel_id":"2","message_snapshots":[{"message":{"content":"x","message_snapshots":[{}]}}],"components":[{"type":99}]}`,
		`{"id":"1","channel_id":"2","poll":{"answers":[{}]},"attachments":[null,{"duration_secs":1e308}],"flags":8192,"sticker_items":[null]}`,
		`{"id":"1","channel_id":"2","timestamp":"0000-01-01T00:00:00+23:59","edited_timestamp":"9999-12-31T23:59:59-23:59","embeds":[null]}`,
		`null`, `[]`, `{"id":"99999999999999999999","channel_id":"0"}`, `{"id":"1","channel_id":"2","content":"\ud800\u0000"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := discord.Decode(raw)
		if err != nil {
			if m != nil || strings.Contains(err.Error(), "{") {
				t.Fatal("an error with a message, or that tells the payload")
			}
			return
		}
		e := discord.FromMessage(m, us)
		checkEvent(t, e)
		if u, ok := discord.FromUpdate(m, us); ok {
			checkEvent(t, u)
		}
		for _, h := range discord.ToMessages([]*discordgo.Message{m, nil}, us) {
			checkEvent(t, chat.Event{Author: h.Author, Text: h.Text, Extras: h.Extras, At: h.At})
		}
	})
}

func checkEvent(t *testing.T, e chat.Event) {
	t.Helper()
	for name, b := range map[string]struct {
		s    string
		n    int
		line bool
	}{
		"id": {string(e.ID), 20, true}, "channel": {string(e.Channel), 20, true}, "guild": {e.Guild, 20, true}, "reply": {string(e.ReplyTo), 20, true},
		"author": {string(e.Author.ID), 20, true}, "name": {e.Author.Name, 80, true}, "text": {e.Text, 4000, false}, "extras": {e.Extras, 1500, true},
	} {
		if utf8.RuneCountInString(b.s) > b.n || !utf8.ValidString(b.s) {
			t.Errorf("%s has %d characters, valid %v", name, utf8.RuneCountInString(b.s), utf8.ValidString(b.s))
		}
		if strings.ContainsFunc(b.s, func(r rune) bool { return unicode.IsControl(r) && (b.line || r != '\n' && r != '\t') }) {
			t.Errorf("%s has control characters: %q", name, b.s)
		}
	}
	if e.Author.Name == "" && e.What != "" {
		t.Error("no name")
	}
	if _, err := json.Marshal(e); err != nil {
		t.Errorf("the event cannot be sent: %v", err)
	}
}
