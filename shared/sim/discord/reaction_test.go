package discord_test

import (
	"bufio"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

const withReactions = withContent | 1<<10 | 1<<13

// at is the path of the bot's own reaction.
func at(channel, message, emoji string) string {
	return messages(channel) + "/" + message + "/reactions/" + url.PathEscape(emoji) + "/@me"
}

// TestEmoji is what counts as an emoji in a path, percent-encoded as it comes.
func TestEmoji(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	kettle := w.rest("GET", "/guilds/"+st.Guild.ID, "").field("emojis.0.id")
	for emoji, known := range map[string]bool{
		"👍": true, "👍🏽": true, "❤️": true, "❤": true, "🇯🇵": true, "1️⃣": true, "👩‍👩‍👧": true, "🏴\U000e0067\U000e007f": true, "✅": true,
		"kettle:" + kettle: true, "old_name:" + kettle: true,
		"kettle:4": false, "thumbsup": false, ":thumbsup:": false, "👍👍": false, "1": false, "👩‍": false, "x": false, "🇯": false,
	} {
		t.Run(emoji, func(t *testing.T) {
			m := w.Say("lounge", "ana", "hello")
			a := w.rest("PUT", at(st.Lounge, m.ID, emoji), "")
			if known && a.status != 204 {
				t.Errorf("%d %s", a.status, a.text)
			}
			if !known {
				a.refused(t, 404, 10014, "", "")
			}
		})
	}
}

// TestReactions: counts, whose they are, and the events, by bot and people.
func TestReactions(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true})
	st := w.State()
	c := w.gateway()
	c.login(withReactions)
	m := w.Say("lounge", "ana", "hello")
	if a := w.sim("POST", "/channels/lounge/messages/"+m.ID+"/reactions", `{"user":"ben","emoji":"👍"}`); a.status != 204 {
		t.Fatalf("control: %d %s", a.status, a.text)
	}
	if e := c.until("MESSAGE_REACTION_ADD"); e.field("user_id") != st.User("ben") || e.field("emoji.name") != "👍" || e.field("emoji.id") != "null" ||
		e.field("member.user.id") != st.User("ben") || e.field("guild_id") != st.Guild.ID || e.field("message_author_id") != st.User("ana") || e.field("burst") != "false" {
		t.Errorf("added %s", e.D)
	}
	if a := w.rest("PUT", at(st.Lounge, m.ID, "👍"), ""); a.status != 204 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	w.rest("PUT", at(st.Lounge, m.ID, "👍"), "") // twice is once
	read := func() answer { return w.rest("GET", messages(st.Lounge)+"/"+m.ID, "") }
	if a := read(); a.field("reactions.0.count") != "2" || a.field("reactions.0.me") != "true" || a.field("reactions.0.count_details.normal") != "2" {
		t.Errorf("reactions %s", a.text)
	}
	if e := c.until("MESSAGE_REACTION_ADD"); e.field("user_id") != st.Bot.ID {
		t.Errorf("added %s", e.D)
	}
	if a := w.rest("DELETE", at(st.Lounge, m.ID, "👍"), ""); a.status != 204 {
		t.Errorf("%d %s", a.status, a.text)
	}
	if e := c.until("MESSAGE_REACTION_REMOVE"); e.field("user_id") != st.Bot.ID || e.field("message_id") != m.ID {
		t.Errorf("removed %s", e.D)
	}
	if a := read(); a.field("reactions.0.count") != "1" || a.field("reactions.0.me") != "false" {
		t.Errorf("reactions %s", a.text)
	}
	if a := w.rest("DELETE", at(st.Lounge, m.ID, "👍"), ""); a.status != 204 { // another's stays
		t.Errorf("%d %s", a.status, a.text)
	}
	if a := w.sim("DELETE", "/channels/lounge/messages/"+m.ID+"/reactions?user=ben&emoji="+url.QueryEscape("👍"), ""); a.status != 204 {
		t.Errorf("control: %d %s", a.status, a.text)
	}
	if a := read(); a.field("reactions") != "" {
		t.Errorf("the last one is gone, and so is the list: %s", a.text)
	}
	w.rest("DELETE", at(st.Lounge, m.ID, "👍"), "").refused(t, 404, 10014, "", "")
	w.rest("DELETE", messages(st.Lounge)+"/"+m.ID+"/reactions", "").refused(t, 403, 50013, "", "")
	if err := w.ClearReactions("lounge", m.ID); err != nil {
		t.Fatal(err)
	}
	if e := c.until("MESSAGE_REACTION_REMOVE_ALL"); e.field("message_id") != m.ID {
		t.Errorf("cleared %s", e.D)
	}
}

// TestReactionsNeedTheirIntent: guild and direct messages each have one of their own.
func TestReactionsNeedTheirIntent(t *testing.T) {
	w := open(t, simdiscord.Options{})
	c := w.gateway()
	c.login(guildsAndMessages | 1<<13)
	if err := w.React("lounge", w.Say("lounge", "ana", "a").ID, "ana", "👍"); err != nil {
		t.Fatal(err)
	}
	private := w.Say("dm:ana", "ana", "b")
	if err := w.React("dm:ana", private.ID, "ana", "👍"); err != nil {
		t.Fatal(err)
	}
	if e := c.until("MESSAGE_REACTION_ADD"); e.field("message_id") != private.ID || e.field("member") != "" || e.field("guild_id") != "" {
		t.Errorf("%s", e.D)
	}
}

// TestReactionRights: a new reaction takes a right, joining one does not; both take reading the history. Twenty kinds are all.
func TestReactionRights(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	m := w.Say("hall", "ana", "hello")
	if err := w.React("hall", m.ID, "ana", "👍"); err != nil {
		t.Fatal(err)
	}
	deny := func(names ...string) {
		t.Helper()
		if err := w.SetOverwrite("hall", simdiscord.Overwrite{For: st.Bot.Name, Deny: names}); err != nil {
			t.Fatal(err)
		}
	}
	deny("ADD_REACTIONS")
	w.rest("PUT", at(st.Hall, m.ID, "🍵"), "").refused(t, 403, 50013, "", "")
	if a := w.rest("PUT", at(st.Hall, m.ID, "👍"), ""); a.status != 204 {
		t.Errorf("joining: %d %s", a.status, a.text)
	}
	deny("READ_MESSAGE_HISTORY")
	w.rest("PUT", at(st.Hall, m.ID, "👍"), "").refused(t, 403, 50013, "", "")
	deny()
	for i := range 19 {
		if a := w.rest("PUT", at(st.Hall, m.ID, string(rune(0x1f400+i))), ""); a.status != 204 {
			t.Fatalf("%d: %d %s", i, a.status, a.text)
		}
	}
	w.rest("PUT", at(st.Hall, m.ID, "🍵"), "").refused(t, 403, 30010, "", "")
	if err := w.React("hall", m.ID, "ben", "🍵"); err == nil {
		t.Error("a person's twenty-first kind was accepted")
	}
	if a := w.rest("PUT", at(st.Hall, m.ID, "🐀"), ""); a.status != 204 {
		t.Errorf("one of the twenty: %d", a.status)
	}
	w.rest("PUT", at(st.Hall, "4", "👍"), "").refused(t, 404, 10008, "", "")
}

// stream follows the page's events; each call returns the next one's name and data.
func (w *world) stream() func() (string, answer) {
	w.t.Helper()
	resp, err := w.http.Get(w.url + "/sim/events")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { resp.Body.Close() })
	lines := bufio.NewReader(resp.Body)
	read := func() string {
		line, err := lines.ReadString('\n')
		if err != nil {
			w.t.Fatal(err)
		}
		return strings.TrimSpace(line)
	}
	read() // once it is there, nothing is missed
	return func() (string, answer) {
		for name := ""; ; {
			line := read()
			if event, is := strings.CutPrefix(line, "event: "); is {
				name = event
			}
			if data, is := strings.CutPrefix(line, "data: "); is {
				return name, answer{text: []byte(data)}
			}
		}
	}
}

// TestReactionsOnThePage: the stream carries the whole message, and the journal keeps who reacted.
func TestReactionsOnThePage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "discord.jsonl")
	w := open(t, simdiscord.Options{})
	if err := w.Keep(file); err != nil {
		t.Fatal(err)
	}
	m := w.Say("lounge", "ana", "hello")
	next := w.stream()
	if err := w.React("lounge", m.ID, "ben", "👍"); err != nil {
		t.Fatal(err)
	}
	for i, user := range []string{"clockwork", "Tsumugi", "nobody"} {
		if err := w.React("lounge", m.ID, user, "👍"); (err == nil) != (i == 0) {
			t.Errorf("%s: %v", user, err)
		}
	}
	who := func(id string) string { return w.State().User(id) }
	want := fmt.Sprintf(`[{"emoji":{"id":null,"name":"👍"},"users":[%q]}]`, who("ben"))
	if name, a := next(); name != "update" || a.field("message.content") != "hello" || a.field("message.reactors") != want || a.field("message.reactions.0.count") != "1" {
		t.Errorf("%s %s", name, a.text)
	}
	again := open(t, simdiscord.Options{})
	if err := again.Keep(file); err != nil {
		t.Fatal(err)
	}
	if a := again.sim("GET", "/channels/lounge/messages", ""); !strings.Contains(string(a.text), `"users":["`+who("ben")+`","`+who("clockwork")+`"]`) {
		t.Errorf("kept %s", a.text)
	}
}
