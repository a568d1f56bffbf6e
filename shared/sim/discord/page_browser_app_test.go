package discord_test

import (
	"encoding/hex"
	"net/http"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

// applications: a command by its slash, a button with an answer for one person only, a menu, and a dialog that is filled in.
func applications(t *testing.T, b *browsertest.Browser, _ *world) {
	a := &app{status: http.StatusAccepted}
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true, EndpointTransport: a})
	key, err := hex.DecodeString(w.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	a.key = key
	if p := w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"http://127.0.0.1:9/interactions"}`); p.status != 200 {
		t.Fatalf("endpoint %d %s", p.status, p.text)
	}
	w.register(`[{"name":"greet","description":"says hello","options":[{"type":3,"name":"text","description":"what to say","required":true},{"type":5,"name":"loud","description":"or softly"}]}]`)
	w.rest("POST", messages(w.State().Lounge), `{"content":"choose","components":[{"type":1,"components":[{"type":2,"style":1,"label":"Open","custom_id":"open"}]},
		{"type":1,"components":[{"type":3,"custom_id":"pick","options":[{"label":"Red","value":"red"},{"label":"Blue","value":"blue"}]}]}]}`)
	ana, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	ana.Wait(`document.querySelector(".press")`)

	a.answers(200, `{"type":4,"data":{"content":"for your eyes","flags":64,"components":[{"type":1,"components":[{"type":2,"style":1,"label":"Turn","custom_id":"turn"}]}]}}`)
	ana.Click(`document.querySelector(".press")`)
	ana.Wait(said + `.includes("for your eyes") && document.querySelector("discord-message[ephemeral] .privacy")`)
	if got := a.last(t); got.field("data.custom_id") != "open" {
		t.Errorf("the button sent %s", got.text)
	}

	// What takes its place is complete: nothing of it grows.
	ana.Eval(`document.documentElement.dataset.growth = "3600000"`)
	a.answers(200, `{"type":7,"data":{"content":"still for your eyes"}}`)
	ana.Click(`document.querySelector("discord-message[ephemeral] .press")`)
	ana.Wait(said + `.includes("still for your eyes") && !document.querySelector(".growing")`)

	a.answers(200, `{"type":4,"data":{"content":"blue it is"}}`)
	ana.Click(`document.querySelector(".menu")`)
	ana.Click(`[...document.querySelectorAll(".options li")].find(o => o.innerText === "Blue")`)
	ben.Wait(said + `.includes("blue it is")`)
	if got := a.last(t); got.field("data.values.0") != "blue" {
		t.Errorf("the menu sent %s", got.text)
	}
	if ben.Eval(said+`.some(s => s.includes("for your eyes"))`) != "false" {
		t.Error("ben sees what is for ana alone")
	}
	ana.Click(`document.querySelector(".privacy button")`)
	ana.Wait(`!` + said + `.some(s => s.includes("for your eyes"))`)

	a.answers(200, `{"type":9,"data":{"custom_id":"form","title":"A name","components":[{"type":1,"components":[{"type":4,"custom_id":"name","style":1,"label":"Name"}]}]}}`)
	ana.Click(`document.querySelector(".press")`)
	ana.Wait(`document.querySelectorAll("dialog[open] input").length === 1`)
	ana.Click(`document.querySelector("dialog input")`)
	ana.Type("Orin")
	a.answers(200, `{"type":4,"data":{"content":"Hello, Orin"}}`)
	ana.Key("Enter")
	ben.Wait(said + `.includes("Hello, Orin")`)
	ana.Wait(`!document.querySelector("dialog")`)
	if got := a.last(t); got.field("type") != "5" || got.field("data.custom_id") != "form" {
		t.Errorf("the dialog sent %s", got.text)
	}

	a.answers(200, `{"type":4,"data":{"content":"greeted"}}`)
	ana.Click(`document.getElementById("text")`)
	ana.Type("/gre")
	ana.Wait(`document.querySelector(".complete:not([hidden]) [aria-selected=true]").innerText.startsWith("/greet")`)
	ana.Key("Enter")
	ana.Wait(`document.activeElement.id === "option-text"`)
	ana.Type("good morning")
	ana.Key("Enter")
	ben.Wait(said + `.includes("greeted")`)
	ana.Wait(`!document.querySelector("form.command") && document.activeElement.id === "text"`)
	if got := a.last(t); got.field("data.name") != "greet" || got.field("data.options.0.value") != "good morning" {
		t.Errorf("the command sent %s", got.text)
	}
	sound(t, w, ana, ben)
}
