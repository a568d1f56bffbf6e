package discord_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// unwatched is a world whose calls are not held to Discord's description. The calls of this file are those that Discord's
// documentation allows, or that Discord does not look at, and that the description leaves out; and those that are too large to
// be looked at twice.
func unwatched(t *testing.T) *world {
	sim := simdiscord.New(simdiscord.Options{NoLimits: true})
	t.Cleanup(sim.Close)
	return &world{sim, t, "http://127.0.0.1", &http.Client{Transport: sim.Direct()}}
}

// TestWebhooksAreNeverDeduplicated: a nonce and a reply are not looked at, so that a repeated call always posts again.
func TestWebhooksAreNeverDeduplicated(t *testing.T) {
	w := unwatched(t)
	h := w.hook(w.State().Lounge, "Aki")
	target := w.Say("lounge", "ana", "hello")
	const body = `{"content":"x","nonce":"%s","enforce_nonce":true,"message_reference":{"message_id":"%s"}}`
	seen := map[string]bool{}
	for _, nonce := range []string{"n", "n", strings.Repeat("n", 40)} {
		a := h.say("?wait=true", fmt.Sprintf(body, nonce, target.ID))
		if a.status != 200 || a.field("type") != "0" || a.field("message_reference") != "" || a.field("nonce") != "" || seen[a.id()] {
			t.Errorf("%d %s", a.status, a.text)
		}
		seen[a.id()] = true
	}
}

// TestForward: the text is in the snapshot only, without an author; the source must be readable.
func TestForward(t *testing.T) {
	w := unwatched(t)
	st := w.State()
	news := w.Say("lounge", "ana", "news <@"+st.Bot.ID+">")
	forward := func(channel, message, more string) answer {
		return w.rest("POST", messages(st.Hall), `{"message_reference":{"type":1,"channel_id":"`+channel+`","message_id":"`+message+`"}`+more+`}`)
	}
	a := forward(st.Lounge, news.ID, "")
	if a.status != 200 || a.field("content") != "" || a.field("message_reference.type") != "1" || a.field("message_reference.channel_id") != st.Lounge ||
		a.field("message_snapshots.0.message.content") != news.Content || a.field("message_snapshots.0.message.author") != "" || a.field("type") != "0" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	w.rest("PATCH", messages(st.Hall)+"/"+a.id(), `{"content":"x"}`).refused(t, 400, 50021, "", "")
	if again := forward(st.Hall, a.id(), ""); again.field("message_snapshots.0.message.content") != news.Content {
		t.Errorf("a forward of a forward: %s", again.text)
	}
	forward(st.Lounge, news.ID, `,"content":"look"`).refused(t, 400, 50035, "message_reference", "MESSAGE_FORWARD_CANNOT_HAVE_CONTENT")
	forward(st.Lounge, "4", "").refused(t, 400, 50035, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE")
	forward("4", news.ID, "").refused(t, 404, 10003, "", "")
	if err := w.SetOverwrite("lounge", simdiscord.Overwrite{For: st.Bot.Name, Deny: []string{"READ_MESSAGE_HISTORY"}}); err != nil {
		t.Fatal(err)
	}
	forward(st.Lounge, news.ID, "").refused(t, 403, 50013, "", "")
}

// TestTextsAreTrimmedFirst: white space at both ends of an embed's texts does not count.
func TestTextsAreTrimmedFirst(t *testing.T) {
	w := unwatched(t)
	a := w.rest("POST", messages(w.State().Lounge), `{"embeds":[{"title":"`+strings.Repeat("t", 256)+`  "}]}`)
	if a.status != 200 || a.field("embeds.0.title") != strings.Repeat("t", 256) {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestAttachmentNumbers: the documentation writes the ids of new files as numbers.
func TestAttachmentNumbers(t *testing.T) {
	w := unwatched(t)
	a := w.form("POST", messages(w.State().Lounge), payload(`{"attachments":[{"id":0,"filename":"b.txt"}]}`), part{"files[0]", "a.txt", "a"})
	if a.status != 200 || a.field("attachments.0.filename") != "b.txt" {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestTooLarge: 10 MiB a file, 25 MiB a request.
func TestTooLarge(t *testing.T) {
	w := unwatched(t)
	lounge := messages(w.State().Lounge)
	nine := strings.Repeat("x", 9<<20)
	w.form("POST", lounge, part{"files[0]", "a.bin", strings.Repeat("x", 10<<20+1)}).refused(t, 413, 40005, "", "")
	w.form("POST", lounge, part{"files[0]", "a", nine}, part{"files[1]", "b", nine}, part{"files[2]", "c", nine}).refused(t, 413, 40005, "", "")
	if a := w.form("POST", lounge, part{"files[0]", "a", nine}); a.status != 200 || a.field("attachments.0.size") != "9437184" {
		t.Errorf("nine: %d %s", a.status, a.text)
	}
}
