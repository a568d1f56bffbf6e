package discord_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

// trace is made-up explain data of n stages in two replies, the shape that doc.go gives.
func trace(n int, outcome string) []byte {
	type object = map[string]any
	stages := []object{
		{"name": "admit", "detail": "a mention in #lounge; offered to the channel", "at_ms": 0, "took_ms": 14, "calls": object{"store": 3, "queue": 1}},
		{"name": "wait for planning", "detail": "queue turns", "at_ms": 14, "took_ms": 9, "calls": object{"queue": 1}},
		{"name": "plan", "detail": "Mira speaks", "at_ms": 23, "took_ms": 31, "calls": object{"store": 4, "queue": 1}},
		{"name": "gather the scene", "detail": "24 messages, 1 card, 3 entries of lore", "at_ms": 54, "took_ms": 88, "calls": object{"store": 6, "discord": 1}},
		{"name": "build the prompt", "detail": "1,912 tokens", "at_ms": 142, "took_ms": 7, "calls": object{}},
		{"name": "model", "detail": "streams 214 tokens", "at_ms": 149, "took_ms": 2310, "calls": object{"model": 1}, "marks": []object{{"name": "first token", "at_ms": 548}}},
		{"name": "stream to Discord", "detail": "1 message, 7 edits", "at_ms": 560, "took_ms": 1960, "calls": object{"store": 5, "discord": 8}, "marks": []object{{"name": "first visible", "at_ms": 655}}},
		{"name": "save", "detail": "reply, ledger, head", "at_ms": 2520, "took_ms": 26, "calls": object{"store": 2, "queue": 1}},
	}
	for i := len(stages); i < n; i++ {
		s := object{"name": fmt.Sprintf("stage %d", i), "detail": "something that was done", "at_ms": 60 * i, "took_ms": 40 + 11*(i%7), "turn": i/12 + 1, "calls": object{"store": i % 3}}
		if i == n-2 {
			s["error"] = "the model stalled; asked again"
		}
		stages = append(stages, s)
	}
	text, err := json.Marshal(object{"event": "1", "channel": "1", "plan": []string{}, "replies": []string{"2"}, "began": "2026-11-30T09:00:00Z", "total_ms": 2546, "outcome": outcome, "stages": stages[:min(n, len(stages))]})
	if err != nil {
		panic("a map of plain values is JSON")
	}
	return text
}

// scene is a Discord in which a few things have been said.
func scene(t *testing.T) *world {
	w := open(t, simdiscord.Options{
		Persona: "Mira", Notice: "No model is configured: the demo voice speaks, and says that it is one.", MessageContentEnabled: true, Channels: []string{"workshop", "library"}, NoLimits: true,
		Explain: func(string) ([]byte, bool) { return trace(8, "answered"), true },
		Welcome: []simdiscord.Welcome{{Channel: "workshop", Title: "The workshop", Text: "Mira mends things here. **Ask her** about the clock, then interrupt her with `stop`.", Try: []string{"Mira, what is wrong with the clock?", "stop"}}},
	})
	lounge := w.State().Lounge
	w.Say("lounge", "ana", "The kettle is on. Who wants **tea**?")
	w.Say("lounge", "ana", "And is anybody still reading the *Almanac of Small Weathers*? I left a marker at ||the drowned bell tower||.")
	w.Say("lounge", "ben", "Me! One sugar. @Mira what are you reading?")
	bot := func(content, more string) string {
		text, _ := json.Marshal(content)
		return w.rest("POST", messages(lounge), `{"content":`+string(text)+more+`}`).id()
	}
	first := bot("A chapter about harbours. Listen:\n> The sea does not arrive; it is *let in*, one lock at a time.\nIt goes on for a page about keys. There are three I would like to own:\n- the one for the **north lock**, which sings\n- the one nobody has found\n- `key.of(\"tea\")`, obviously", "")
	w.rest("PATCH", messages(lounge)+"/"+first, `{"content":"A chapter about harbours. Listen:\n> The sea does not arrive; it is *let in*, one lock at a time.\nThere are three keys I would like to own:\n- the one for the **north lock**, which sings\n- the one nobody has found\n- `+"`key.of(\\\"tea\\\")`"+`, obviously"}`)
	w.sim("POST", "/channels/lounge/messages", `{"author":"chiyo","content":"The one nobody has found is behind the clock. I put it there 🔑","reply_to":"`+first+`"}`)
	bot("Then I shall have to take the clock apart.", `,"message_reference":{"message_id":"`+w.AllMessages("lounge")[4].ID+`"},"components":[{"type":1,"components":[{"type":2,"style":1,"label":"Open the clock","custom_id":"open"},{"type":2,"style":2,"label":"Leave it","custom_id":"leave"}]}],
		"embeds":[{"title":"The clock behind the counter","description":"Eight-day movement, stopped at **4:10**. Nobody wound it.","color":15105570,"fields":[{"name":"Maker","value":"unknown","inline":true},{"name":"Key","value":"missing","inline":true}],"footer":{"text":"from the inventory"}}]`)
	w.Say("library", "chiyo", "psst")
	return w
}

// ready opens the page, somebody speaking in a channel, and waits until it follows the events.
func (w *world) ready(b *browsertest.Browser, channel, user string, v browsertest.View) *browsertest.Tab {
	w.t.Helper()
	tab := b.Open(w.t, w.url+"/#channel="+channel+"&as="+user, v)
	tab.Wait(`document.body.dataset.ready === "" && document.querySelector("#title").textContent !== ""`)
	return tab
}

// TestScreenshots writes the pictures of the README where TSUMUGI_SCREENSHOTS says ("make screenshots").
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("TSUMUGI_SCREENSHOTS")
	if dir == "" {
		t.Skip("pictures are drawn by make screenshots")
	}
	b := browsertest.Start(t, os.Getenv("CHROMIUM"))
	w := scene(t)
	lounge := w.State().Lounge
	wide, phone := browsertest.View{Width: 1280, Height: 800, Still: true}, browsertest.View{Width: 390, Height: 780, Phone: true, Still: true}
	tab := w.ready(b, lounge, "ana", wide)
	tab.Wait(`document.querySelectorAll("discord-message").length === 6`)
	if err := w.Type("lounge", "ben"); err != nil {
		t.Fatal(err)
	}
	tab.Wait(`document.querySelector("#typing b")`)
	tab.Shot(filepath.Join(dir, "chat-dark.png"))
	light := wide
	light.Light = true
	tab.Show(light)
	tab.Wait(`getComputedStyle(document.body).colorScheme === "light" || getComputedStyle(document.documentElement).colorScheme === "light"`)
	tab.Shot(filepath.Join(dir, "chat-light.png"))
	tab.Show(wide)
	tab.Eval(`document.querySelectorAll("discord-message[bot]")[1].focus()`)
	tab.Key("t")
	tab.Wait(`document.querySelector("#trace .stage")`)
	tab.Shot(filepath.Join(dir, "trace.png"))
	small := w.ready(b, lounge, "ana", phone)
	small.Wait(`document.querySelectorAll("discord-message").length === 6`)
	small.Shot(filepath.Join(dir, "phone.png"))
}
