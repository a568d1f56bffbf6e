package discord_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

// uses lets the person of a tab use a command that has no required options.
func uses(tab *browsertest.Tab, name string) {
	tab.Eval(`document.getElementById("text").focus()`)
	tab.Type("/" + name)
	tab.Key("Enter")
	tab.Wait(`document.getElementById("send-command")`)
	tab.Key("Enter")
}

const ofButton = `[...document.querySelectorAll(".press")].find(b => b.textContent.includes("%s"))`

func buttonOf(label string) string { return fmt.Sprintf(ofButton, label) }

// answersForOne: they look different, nobody else has them, they can be put away for good; a late one is thinking until it is there.
func answersForOne(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	tab, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	a.answers(200, `{"type":4,"data":{"content":"for ana","flags":64}}`)
	uses(tab, "help")
	tab.Wait(said + `.join() === "for ana" && document.querySelector("discord-message[ephemeral] .privacy").innerText.startsWith("Only you can see this")`)
	tab.Eval(`document.querySelector("discord-message").focus()`)
	tab.Wait(`["react", "reply", "delete", "apps"].every(act => document.querySelector("[data-act=" + act + "]").hidden)`)
	speak := func(user string) {
		tab.Eval(`(() => { const who = document.getElementById("who"); who.value = "` + w.State().User(user) + `"; who.dispatchEvent(new Event("change")); })()`)
	}
	speak("ben")
	tab.Wait(said + `.length === 0 && document.querySelector("#self img")`)
	speak("ana")
	tab.Wait(said + `.join() === "for ana"`)
	tab.Click(`document.querySelector(".privacy button")`)
	tab.Wait(said + `.length === 0`)
	tab.Key("Alt+ArrowDown")
	tab.Wait(`document.getElementById("title").textContent === "hall"`)
	tab.Key("Alt+ArrowUp")
	tab.Wait(`document.getElementById("title").textContent === "lounge" && !document.getElementById("log").hasAttribute("aria-busy")`)
	if back := tab.Eval(said + `.length`); back != "0" {
		t.Error("what was put away is back")
	}
	for _, late := range []string{`{"type":5,"data":{"flags":64}}`, `{"type":5}`} { // for ana alone, then for everybody
		sees := late == `{"type":5}`
		a.answers(200, late)
		uses(tab, "help")
		tab.Wait(`document.querySelector(".thinking").innerText.includes("is thinking…")`)
		if w.withToken("PATCH", a.last(t), "/messages/@original", `{"content":"here it is"}`); sees {
			ben.Wait(said + `.includes("here it is")`)
		} else if ben.Eval(said+`.length`) != "0" {
			t.Error("ben sees it too")
		}
		tab.Wait(said + `.includes("here it is") && !document.querySelector(".thinking")`)
	}
	sound(t, w, tab, ben)
}

// unanswered: a command is shown as being sent, then as not answered; it can be tried again as it was, or put away.
func unanswered(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	tab, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	release := make(chan struct{})
	a.mu.Lock()
	a.during, a.status = func(answer) { <-release }, 500
	a.mu.Unlock()
	tab.Click(`document.getElementById("text")`)
	tab.Type("/persona create name: Mira age: 7")
	tab.Wait(`document.getElementById("option-age")`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".thinking").innerText.includes("Sending command…") && document.querySelector("discord-reply").textContent === "used /persona create" && document.activeElement.id === "text"`)
	close(release)
	tab.Wait(`document.querySelector(".failed").innerText.includes("The application did not respond") && document.querySelector(".failed + small").innerText === "the endpoint answered 500"`)
	a.mu.Lock()
	a.during = nil
	a.mu.Unlock()
	a.answers(200, `{"type":4,"data":{"content":"made","flags":64}}`)
	tab.Click(`[...document.querySelectorAll("discord-message button")].find(b => b.innerText === "Try again")`)
	tab.Wait(said + `.length === 0 && document.getElementById("option-name").value === "Mira" && document.getElementById("option-age").value === "7"`)
	tab.Eval(`document.getElementById("option-name").focus()`)
	tab.Key("Enter")
	tab.Wait(said + `.join() === "made"`)
	a.answers(500, "")
	uses(tab, "help")
	tab.Wait(`document.querySelector(".failed")`)
	tab.Click(`[...document.querySelectorAll(".privacy button")].at(-1)`)
	tab.Wait(said + `.join() === "made"`)
	if ben.Eval(said+`.length`) != "0" {
		t.Error("ben sees what ana sent")
	}
	sound(t, w, tab, ben)
}

// components: what each shows, sends and refuses; the press that is on its way, and the one that came to nothing.
func components(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{Channels: []string{"workshop"}})
	w.rest("POST", messages(w.State().Lounge), `{"content":"choose","components":[
		{"type":1,"components":[{"type":2,"style":1,"label":"Go","custom_id":"go","emoji":{"name":"🍵"}},{"type":2,"style":4,"label":"Not now","custom_id":"no","disabled":true},{"type":2,"style":5,"label":"Read","url":"https://example.invalid/"}]},
		{"type":1,"components":[{"type":3,"custom_id":"one","placeholder":"A colour","options":[{"label":"Red","value":"r","description":"warm"},{"label":"Blue","value":"b","default":true}]}]},
		{"type":1,"components":[{"type":8,"custom_id":"where","placeholder":"Rooms","min_values":2,"max_values":2,"channel_types":[0]}]},
		{"type":1,"components":[{"type":7,"custom_id":"whom","placeholder":"Anybody","min_values":0,"max_values":3}]}]}`)
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Wait(`document.querySelectorAll(".press").length === 3 && document.querySelectorAll(".menu").length === 3`)
	tab.Wait(buttonOf("Not now") + `.disabled && ` + buttonOf("Read") + `.href === "https://example.invalid/" && ` + buttonOf("Read") + `.rel.includes("noopener") && ` + buttonOf("Go") + `.innerText.includes("🍵")`)
	tab.Wait(`document.querySelector("[data-custom=one]").innerText === "Blue"`)

	release := make(chan struct{})
	a.mu.Lock()
	a.during, a.status = func(answer) { <-release }, 500
	a.mu.Unlock()
	tab.Click(buttonOf("Go"))
	tab.Wait(buttonOf("Go") + `.getAttribute("aria-busy") === "true" && document.querySelector("[data-custom=one]").getAttribute("aria-disabled") === "true"`)
	close(release)
	tab.Wait(`document.querySelector("discord-message > .failed").innerText.includes("This interaction failed") && !` + buttonOf("Go") + `.hasAttribute("aria-busy")`)
	a.mu.Lock()
	a.during = nil
	a.mu.Unlock()
	a.answers(200, `{"type":6}`)
	tab.Click(buttonOf("Go"))
	tab.Wait(`!document.querySelector(".failed") && !` + buttonOf("Go") + `.hasAttribute("aria-busy")`)

	open := func(custom string) {
		tab.Eval(`document.querySelector("[data-custom=` + custom + `]").focus()`)
		tab.Key("Enter")
		tab.Wait(`document.querySelector(".options [role=option]")`)
	}
	open("one")
	tab.Wait(`document.querySelector(".options .at").innerText === "Blue" && document.querySelector(".options small").innerText === "warm"`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector(".options") && document.activeElement.dataset.custom === "one"`)
	open("one")
	tab.Key("ArrowUp")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("[data-custom=one]").innerText === "Red" && !document.querySelector("[aria-busy=true]")`)
	if in := a.last(t); in.field("data.custom_id") != "one" || in.field("data.values") != `["r"]` {
		t.Errorf("chosen %s", in.text)
	}
	open("where")
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".options .quiet").innerText === "Choose 2" && document.querySelector(".options .primary").disabled`)
	tab.Type("work")
	tab.Wait(`document.querySelectorAll(".options [role=option]").length === 1`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".options .quiet").innerText === "2 of 2 chosen"`)
	tab.Click(`document.querySelector(".options .primary")`)
	tab.Wait(`document.querySelector("[data-custom=where]").innerText.replace(/\s+/g, " ") === "#lounge #workshop" && !document.querySelector("[aria-busy=true]")`)
	if in, st := a.last(t), w.State(); in.field("data.values") != `["`+st.Lounge+`","`+st.Channel("workshop")+`"]` {
		t.Errorf("chosen %s", in.text)
	}
	open("whom")
	tab.Type("crew")
	tab.Key("Enter")
	tab.Click(`document.getElementById("title")`) // elsewhere: what was chosen is taken
	tab.Wait(`document.querySelector("[data-custom=whom]").innerText === "@crew" && !document.querySelector(".options")`)
	tab.Wait(`!document.querySelector("[aria-busy=true]")`)
	if in := a.last(t); in.field("data.values") != `["`+w.State().Role("crew")+`"]` {
		t.Errorf("chosen %s", in.text)
	}
	sound(t, w, tab)
}

// inPlace: an answer that changes the message moves nobody and leaves the focus where it was.
func inPlace(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	buttons := func(label string) string {
		return `"components":[{"type":1,"components":[{"type":2,"style":2,"label":"` + label + `","custom_id":"next"},{"type":2,"style":2,"label":"Other","custom_id":"other"}]}]`
	}
	w.rest("POST", messages(w.State().Lounge), `{"content":"page 1",`+buttons("To 2")+`}`)
	for i := range 30 {
		w.Say("lounge", "ben", fmt.Sprintf("line %d", i))
	}
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Wait(said + `.length === 31`)
	for range 3 {
		tab.Wheel(`log`, -4000)
	}
	tab.Wait(`log.scrollTop === 0`)
	a.answers(200, `{"type":7,"data":{"content":"page 2",`+buttons("To 3")+`}}`)
	tab.Click(buttonOf("To 2"))
	tab.Wait(said + `[0] === "page 2" && document.activeElement.innerText === "To 3" && log.scrollTop === 0`)
	a.answers(200, `{"type":7,"data":{"content":"page 3",`+buttons("To 4")+`}}`)
	tab.Key("Enter")
	tab.Wait(said + `[0] === "page 3" && document.activeElement.innerText === "To 4" && log.scrollTop === 0`)
	a.answers(200, `{"type":7,"data":{"content":"the end","components":[]}}`)
	tab.Key("Enter")
	tab.Wait(said + `[0] === "the end" && document.activeElement.getAttribute("role") === "article" && !document.querySelector(".press") && log.scrollTop === 0`)
	sound(t, w, tab)
}

const keyForm = `{"type":9,"data":{"custom_id":"f","title":"A key","components":[
	{"type":18,"label":"API key","description":"It begins with sk","component":{"type":4,"custom_id":"key","style":1,"min_length":8,"max_length":20,"placeholder":"sk-…"}},
	{"type":18,"label":"Instructions","component":{"type":4,"custom_id":"text","style":2,"required":false,"max_length":100,"value":"Speak softly."}}]}}`

// forms: what they ask is asked before anything is sent; what was typed stays while they are open, whatever fails, and nowhere after.
func forms(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	tab := w.ready(b, "lounge", "ana", desk)
	a.answers(200, keyForm)
	uses(tab, "help")
	tab.Wait(`document.querySelector("dialog[open] h2").innerText === "A key" && document.activeElement.placeholder === "sk-…" && document.querySelector("dialog textarea").value === "Speak softly."`)
	tab.Wait(`[...document.querySelectorAll("dialog .count")].map(c => c.innerText).join() === "0/20,13/100" && ` + said + `.length === 0`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector("dialog .error").innerText === "This field is required." && document.activeElement.hasAttribute("aria-invalid")`)
	tab.Type("sk")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("dialog .error").innerText === "Must be 8 characters or more."`)
	tab.Type("-very-secret")
	tab.Wait(`document.querySelector("dialog .count").innerText === "14/20" && document.querySelector("dialog .error").innerText === ""`)
	before := len(a.got)
	a.answers(500, "")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("dialog footer .error").innerText.startsWith("Something went wrong. Try again.") && document.querySelector("dialog input").value === "sk-very-secret"`)
	a.answers(200, `{"type":4,"data":{"content":"kept: …cret","flags":64}}`)
	tab.Eval(`document.querySelector("dialog input").focus(); window.field = document.querySelector("dialog input"); 1`)
	tab.Key("Enter")
	tab.Wait(said + `.includes("kept: …cret") && !document.querySelector("dialog")`)
	if in := a.last(t); in.field("type") != "5" || len(a.got) != before+2 || !strings.Contains(string(in.text), `"value":"sk-very-secret"`) || !strings.Contains(string(in.text), `"value":"Speak softly."`) {
		t.Errorf("sent %d, %s", len(a.got)-before, in.text)
	}
	if kept := tab.Eval(`field.value + JSON.stringify({...localStorage, ...sessionStorage}) + document.documentElement.textContent + [...document.querySelectorAll("input, textarea")].map(f => f.value)`); strings.Contains(kept, "sk-very") {
		t.Errorf("the page keeps what was typed: %.300s", kept)
	}
	for _, way := range []string{"Escape", "Cancel"} {
		a.answers(200, keyForm)
		uses(tab, "help")
		tab.Wait(`document.querySelector("dialog[open] input").value === ""`)
		tab.Type("sk-typed-in-vain")
		if way == "Escape" {
			tab.Key("Escape")
		} else {
			tab.Click(`[...document.querySelectorAll("dialog button")].find(b => b.innerText === "Cancel")`)
		}
		tab.Wait(`!document.querySelector("dialog") && document.activeElement.id === "text"`)
	}
	sound(t, w, tab)
}

// formParts: menus, files, radio buttons and boxes of a form.
func formParts(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{Channels: []string{"workshop"}})
	tab := w.ready(b, "lounge", "ana", desk)
	const two = `"options":[{"label":"Warm","value":"w","default":true},{"label":"Dry","value":"d"}]`
	a.answers(200, `{"type":9,"data":{"custom_id":"f","title":"All","components":[{"type":18,"label":"Model","component":{"type":3,"custom_id":"model",`+two+`}},
		{"type":18,"label":"Room","component":{"type":8,"custom_id":"room","channel_types":[0]}},{"type":18,"label":"Card","component":{"type":19,"custom_id":"card"}},
		{"type":18,"label":"Tone","component":{"type":21,"custom_id":"tone",`+two+`}},{"type":18,"label":"I know","component":{"type":23,"custom_id":"sure"}}]}}`)
	uses(tab, "help")
	tab.Wait(`document.querySelectorAll("dialog[open] .menu").length === 2 && document.querySelector("dialog .menu").innerText === "Warm"`)
	tab.Click(`[...document.querySelectorAll("dialog button")].find(b => b.innerText === "Submit")`)
	tab.Wait(`[...document.querySelectorAll("dialog .entry .error")].map(e => e.innerText).join() === ",Choose something.,A file is required.,,"`)
	tab.Click(`document.querySelectorAll("dialog .menu")[1]`)
	tab.Type("work")
	tab.Key("Enter")
	tab.Wait(`document.querySelectorAll("dialog .menu")[1].innerText === "#workshop"`)
	path := filepath.Join(t.TempDir(), "card.json")
	w.must(os.WriteFile(path, []byte(`{"name":"Mira"}`), 0o600))
	tab.Choose(`document.querySelector("dialog input[type=file]")`, path)
	tab.Wait(`document.querySelector("dialog .chosen").innerText.includes("card.json")`)
	tab.Click(`[...document.querySelectorAll("dialog .tickable")].find(l => l.innerText === "Dry")`)
	tab.Click(`[...document.querySelectorAll("dialog .tickable")].find(l => l.innerText === "I know")`)
	a.answers(200, `{"type":4,"data":{"content":"thanks","flags":64}}`)
	tab.Click(`[...document.querySelectorAll("dialog button")].find(b => b.innerText === "Submit")`)
	tab.Wait(said + `.includes("thanks") && !document.querySelector("dialog")`)
	text := string(a.last(t).text)
	for _, part := range []string{`"values":["w"]`, `"values":["` + w.State().Channel("workshop") + `"]`, `"filename":"card.json"`, `"value":"d"`, `"value":true`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in %s", part, text)
		}
	}
	sound(t, w, tab)
}

var narrow = browsertest.View{Width: 375, Height: 700, Phone: true, Still: true}

// appsOnPhone: nothing of it is cut, and everything is large enough to touch.
func appsOnPhone(t *testing.T, b *browsertest.Browser, _ *world) {
	long := strings.Repeat("long ", 15)
	w, a := talking(t, simdiscord.Options{Welcome: []simdiscord.Welcome{{Channel: "lounge", Title: "Here", Try: []string{"Hello!", long + long}}}})
	tab := w.ready(b, "lounge", "ana", narrow)
	fits := func(where string, inside ...string) {
		t.Helper()
		if wide := tab.Eval(`document.documentElement.scrollWidth + " " + log.scrollWidth`); wide != "375 375" {
			t.Errorf("%s: widths %s", where, wide)
		}
		for _, part := range inside {
			if cut := tab.Eval(`[...document.querySelectorAll("` + part + `")].filter(e => { const r = e.getBoundingClientRect(); return e.checkVisibility() && (r.left < 0 || r.right > innerWidth || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "auto"); }).map(e => e.outerHTML).join()`); cut != "" {
				t.Errorf("%s: cut %.300s", where, cut)
			}
		}
	}
	tab.Wait(`document.querySelectorAll(".welcome .try").length === 2`)
	fits("the welcome", ".try")
	tab.Click(`document.getElementById("text")`)
	tab.Type("/")
	tab.Wait(`document.querySelectorAll(".complete:not([hidden]) li").length === 3`)
	fits("the commands", ".complete", ".complete li")
	tab.Type("persona create name: Mira age: 7 kind: main")
	tab.Wait(`document.getElementById("option-kind")`)
	fits("the form", ".command", ".option", ".command button")
	a.answers(200, `{"type":4,"data":{"content":"x","flags":64,"components":[{"type":1,"components":[{"type":2,"style":1,"label":"`+long[:75]+`","custom_id":"a"},{"type":2,"style":2,"label":"Other","custom_id":"b"}]},
		{"type":1,"components":[{"type":6,"custom_id":"c","placeholder":"`+long+`","max_values":2}]}]}}`)
	tab.Key("Enter")
	tab.Wait(`document.querySelectorAll(".press").length === 2 && document.querySelectorAll("#chips .try").length === 2`)
	fits("the answer", ".press", ".menu", ".privacy", "#chips .try")
	if low := tab.Eval(`[...document.querySelectorAll(".press, .menu, #chips .try, #send")].filter(e => e.getBoundingClientRect().height < 44).map(e => e.outerHTML).join()`); low != "" {
		t.Errorf("too small to touch: %s", low)
	}
	tab.Click(`document.querySelector(".menu")`)
	tab.Wait(`document.querySelectorAll(".options [role=option]").length > 1`)
	fits("the menu", ".options", ".options li", ".options button")
	tab.Key("Escape")
	a.answers(200, keyForm)
	tab.Click(buttonOf("Other"))
	tab.Wait(`document.querySelector("dialog[open]")`)
	fits("the dialog", "dialog", "dialog input", "dialog textarea", "dialog button")
	tab.Key("Escape")
	sound(t, w, tab)
}

// proposedCommands: a proposal that is a command opens its form; it is there where the command is, and gone when it was used.
func proposedCommands(t *testing.T, b *browsertest.Browser, _ *world) {
	a := &app{status: http.StatusAccepted}
	w := open(t, simdiscord.Options{NoLimits: true, EndpointTransport: a, Welcome: []simdiscord.Welcome{{Channel: "lounge", Title: "Here", Try: []string{"Hello!", "/help", "/persona create name: Mira"}}}})
	tab := w.ready(b, "lounge", "ana", desk)
	const offered = `[...document.querySelectorAll(".welcome .try, #chips .try")].filter(e => !e.hidden).map(e => e.innerText).join()`
	tab.Wait(offered + ` === "Hello!"`)
	a.joins(t, w)
	w.register(pageCommands)
	a.answers(200, `{"type":4,"data":{"content":"done"}}`)
	tab.Wait(offered + ` === "Hello!,/help,/persona create name: Mira"`)
	tab.Click(`[...document.querySelectorAll(".try")].at(-1)`)
	tab.Wait(`document.getElementById("option-name").value === "Mira"`)
	tab.Key("Escape")
	tab.Click(`[...document.querySelectorAll(".try")].find(e => e.innerText === "/help")`)
	tab.Wait(`document.activeElement.id === "send-command" && document.querySelector(".about-option").innerText.includes("What there is")`)
	tab.Key("Enter")
	tab.Wait(said + `.join() === "done" && ` + offered + ` === "Hello!,/persona create name: Mira"`)
	sound(t, w, tab)
}

// traceLeft: the panel of one message's trace does not stay when another channel is opened.
func traceLeft(t *testing.T, b *browsertest.Browser, w *world) {
	id := w.rest("POST", messages(w.State().Lounge), `{"content":"mine"}`).id()
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Wait(`document.querySelector("[data-id='` + id + `']")`)
	tab.Eval(`document.querySelector("[data-id='` + id + `']").focus()`)
	tab.Key("t")
	tab.Wait(`document.querySelectorAll("#trace .stage").length === 40`)
	tab.Key("Alt+ArrowDown")
	tab.Wait(`document.getElementById("title").textContent === "hall" && document.getElementById("trace").hidden && !document.body.classList.contains("tracing") && document.activeElement.id === "text"`)
	sound(t, w, tab)
}
