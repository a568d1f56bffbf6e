package discord_test

import (
	"encoding/base64"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

// voices: an application that speaks under several names puts each into a bold first line. People see who speaks, and call them by
// their plain names.
func voices(t *testing.T, b *browsertest.Browser, _ *world) {
	face, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(pixel, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true, Voices: []simdiscord.Voice{{Name: "Fenn", Image: "/avatars/fenn.png"}, {Name: "Quill"}},
		Avatars: map[string][]byte{"fenn": face}})
	lounge := messages(w.State().Lounge)
	tab := w.ready(b, "lounge", "ana", desk)
	w.rest("POST", lounge, `{"content":"I am the bot."}`)
	fenn := w.rest("POST", lounge, `{"content":"**Fenn**\nI row."}`).id()
	w.rest("POST", lounge, `{"content":"And I row back."}`)
	w.rest("POST", lounge, `{"content":"**Stranger**\nI am no voice that was declared."}`)
	tab.Wait(said + `.length === 4 && JSON.stringify([...document.querySelectorAll("discord-message")].map(m => m.hasAttribute("message-body-only"))) === "[false,false,true,false]"`)
	node := `document.querySelector("[data-id='` + fenn + `']")`
	tab.Wait(node + `.querySelector(".voice img").naturalWidth > 0 && ` + node + `.querySelector(".text").innerText === "Fenn\nI row." && ` + node + `.getAttribute("aria-label").startsWith("Fenn through Tsumugi, app")`)
	if n := tab.Eval(`document.querySelectorAll(".voice").length`); n != "1" {
		t.Errorf("%s lines are drawn as those of a known voice", n)
	}
	tab.Wait(`[...document.querySelectorAll(".member")].filter(m => m.innerText.includes("speaks through Tsumugi")).map(m => m.querySelector("b").innerText).join() === "Fenn,Quill"`)
	tab.Eval(node + `.focus()`)
	tab.Key("r")
	tab.Wait(`document.getElementById("replying").innerText.startsWith("Replying to Fenn I row.")`)
	tab.Type("Row on, @qui")
	tab.Wait(`document.querySelector(".complete:not([hidden]) [aria-selected=true]").innerText.startsWith("Quill")`)
	tab.Key("Enter")
	tab.Wait(`document.getElementById("text").value === "Row on, Quill "`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector("discord-reply").getAttribute("author") === "Fenn" && document.querySelector("discord-reply").textContent === "I row."`)
	// A message whose voice comes with an edit does not go on under the header of another.
	id := w.rest("POST", lounge, `{"content":"…"}`).id()
	w.rest("POST", lounge, `{"content":"more"}`)
	last := w.rest("POST", lounge, `{"content":"and more"}`).id()
	tab.Wait(`document.querySelector("[data-id='` + last + `']").hasAttribute("message-body-only")`)
	w.rest("PATCH", lounge+"/"+last, `{"content":"**Quill**\nand more"}`)
	tab.Wait(`!document.querySelector("[data-id='` + last + `']").hasAttribute("message-body-only") && document.querySelector("[data-id='` + id + `']")`)
	sound(t, w, tab)
}

// proposals: what a channel proposes stays at hand while a talk is under way, until it was said or the row is closed.
func proposals(t *testing.T, b *browsertest.Browser, _ *world) {
	w := open(t, simdiscord.Options{NoLimits: true, Welcome: []simdiscord.Welcome{{Channel: "lounge", Title: "Stop her", Text: "Say stop.", Try: []string{"Tell me a tale", "stop", "and now?"}}}})
	tab := w.ready(b, "lounge", "ana", desk)
	const left = `[...document.querySelectorAll("#chips .try")].map(e => e.innerText).join()`
	tab.Wait(`document.querySelectorAll(".welcome .try").length === 3 && ` + left + ` === ""`)
	tab.Click(`document.querySelector(".welcome .try")`)
	tab.Key("Enter")
	tab.Wait(said + `.length === 1 && ` + left + ` === "stop,and now?"`)
	tab.Click(`document.querySelector("#chips .try")`)
	tab.Wait(`document.activeElement.id === "text" && document.activeElement.value === "stop"`)
	tab.Key("Enter")
	tab.Wait(said + `.length === 2 && ` + left + ` === "and now?"`)
	tab.Click(`document.querySelector("#chips .iconic")`)
	tab.Wait(`!document.getElementById("chips") && document.activeElement.id === "text"`)
	w.Say("lounge", "ben", "well?")
	tab.Wait(said + `.length === 3 && !document.getElementById("chips")`)
	tab.Click(`document.getElementById("help")`)
	tab.Wait(`document.querySelectorAll("dialog .try").length === 3`)
	sound(t, w, tab)
}

// nothingOffered: where no application has commands, the page says so and offers none; a channel has the topic that it has.
func nothingOffered(t *testing.T, b *browsertest.Browser, w *world) {
	m := w.Say("lounge", "ben", "hello")
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Click(`document.getElementById("text")`)
	tab.Type("/he")
	tab.Wait(`document.querySelector(".complete:not([hidden])").innerText === "No commands here yet."`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector(".complete:not([hidden])")`)
	tab.Eval(`document.querySelector("[data-id='` + m.ID + `']").focus()`)
	tab.Wait(`document.querySelector("[data-act=apps]").hidden && !document.querySelector("[data-act=reply]").hidden`)
	tab.Click(`document.getElementById("help")`)
	tab.Wait(`document.querySelector("dialog .keys")`)
	if keys := tab.Eval(`[...document.querySelectorAll("dialog kbd")].some(k => k.innerText === "/")`); keys != "false" {
		t.Error("the help names commands that nobody has")
	}
	tab.Key("Escape")
	tab.Click(`[...document.querySelectorAll(".room")].find(r => r.innerText === "hall")`)
	tab.Wait(`document.getElementById("title").innerText === "hall" && document.getElementById("hint").innerText === ""`)
	if a := w.sim("PATCH", "/channels/hall", `{"topic":"All are welcome."}`); a.status != 200 {
		t.Fatalf("topic %d %s", a.status, a.text)
	}
	tab.Wait(`document.getElementById("hint").innerText === "All are welcome."`)
	w.register(`[{"name":"greet","description":"says hello"},{"type":3,"name":"Keep this"}]`)
	tab.Click(`[...document.querySelectorAll(".room")].find(r => r.innerText === "lounge")`)
	tab.Wait(said + `.length === 1`)
	tab.Eval(`document.querySelector("[data-id='` + m.ID + `']").focus()`)
	tab.Wait(`!document.querySelector("[data-act=apps]").hidden`)
	tab.Click(`document.querySelector("[data-act=apps]")`)
	tab.Wait(`document.activeElement.innerText === "Keep this"`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector(".popup")`)
	sound(t, w, tab)
}

// offline: that the connection is lost is said until it is back.
func offline(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Offline(true)
	w.Starve()
	tab.Wait(`document.getElementById("lost").innerText.startsWith("The connection is lost") && document.getElementById("toasts").innerText === ""`)
	tab.Offline(false)
	tab.Wait(`document.getElementById("lost").innerText === "" && !document.body.classList.contains("offline")`)
}
