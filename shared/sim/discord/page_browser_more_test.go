package discord_test

import (
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/sim/discord/browsertest"
)

// hostile: whatever a message holds, it is text. It makes no element of its own, runs nothing, leads nowhere but to the web, and
// pushes nothing out of place.
func hostile(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	texts := []string{
		`<img src=x onerror="window.ran=1"><script>window.ran=1</script><style>*{display:none}</style>`,
		`[press](javascript:window.ran=1) <javascript:window.ran=1> [p](data:text/html,x) javascript:alert(1)`,
		"**<b>bold</b>** `<i>` ||<u>hidden</u>|| > <h1>",
		strings.Repeat("W", 4000),
		"\u202e" + strings.Repeat("right to left ", 20) + "مرحبا بالعالم",
		"Z" + strings.Repeat("̴͔", 1000),
		strings.Repeat("*_~|`[<>", 480),
		strings.Repeat("> ", 1900),
		strings.Repeat("- ", 900) + "\n" + strings.Repeat("  - x\n", 300),
		strings.Repeat("[a](http://b ", 280),
		strings.Repeat("||**__~~", 400) + "deep",
	}
	for _, text := range texts {
		if w.Say("lounge", "ben", text).ID == "" {
			t.Fatalf("refused: %.40q", text)
		}
	}
	w.rest("POST", messages(w.State().Lounge), `{"content":"x","embeds":[{"title":"132271571363430400 <b>","url":"javascript:ran=1","description":"[a](javascript:ran=1)","image":{"url":"http://tracker.invalid/a.png"},
		"author":{"name":"<i>132271571363430400","icon_url":"http://tracker.invalid/b.png"},"fields":[{"name":"<script>132271571363430400","value":"<img src=x onerror=ran=1>","inline":true}]}]}`)
	tab.Wait(fmt.Sprintf(`document.querySelectorAll("discord-message").length === %d && document.querySelector("discord-embed")`, len(texts)+1))
	tab.Wait(said + `[0].startsWith("<img src=x onerror=")`)
	for what, script := range map[string]string{
		"something ran":            `window.ran !== undefined`,
		"markup became elements":   `document.querySelectorAll("#log img[src=x], #log script, #log style, #log h1, #log iframe, #log .text b, #log .text i").length > 0`,
		"a link leads elsewhere":   `[...document.querySelectorAll("#log a")].some(a => !/^https?:/.test(a.href))`,
		"it is wider than the log": `document.documentElement.scrollWidth > innerWidth || log.scrollWidth > log.clientWidth`,
		"the page is hidden":       `getComputedStyle(document.querySelector("main")).display === "none"`,
		"marks climb out":          `/\p{M}{7}/u.test(log.innerText)`,
	} {
		if tab.Eval(script) != "false" {
			t.Errorf("%s: %s", what, tab.Eval(script))
		}
	}
	sound(t, w, tab)
}

func phone(t *testing.T, b *browsertest.Browser, w *world) {
	for i := range 12 {
		w.Say("lounge", "ben", fmt.Sprintf("line %d that is long enough to need more than the width of a narrow phone", i))
	}
	tab := w.ready(b, "lounge", "ana", small)
	fits := func(where string) {
		t.Helper()
		if wide := tab.Eval(`document.documentElement.scrollWidth + " " + log.scrollWidth + " " + log.clientWidth`); wide != "360 360 360" {
			t.Errorf("%s: widths %s", where, wide)
		}
	}
	tab.Wait(said + `.length === 12 && log.scrollHeight - log.scrollTop - log.clientHeight < 2`)
	fits("the channel")
	tab.Click(`document.getElementById("drawer")`)
	tab.Wait(`document.getElementById("side").getBoundingClientRect().left === 0 && document.activeElement.classList.contains("room")`)
	if low := tab.Eval(`[...document.querySelectorAll("#side button, #side a, #top button, #send")].filter(e => e.offsetParent && e.getBoundingClientRect().height < 44).map(e => e.outerHTML).join()`); low != "" {
		t.Errorf("too small to touch: %s", low)
	}
	tab.Click(`[...document.querySelectorAll(".room")].find(r => r.innerText === "hall")`)
	tab.Wait(`document.getElementById("title").textContent === "hall" && !document.body.classList.contains("drawn")`)
	tab.Click(`document.getElementById("drawer")`)
	tab.Click(`[...document.querySelectorAll(".room")].find(r => r.innerText === "lounge")`)
	tab.Wait(said + `.length === 12`)
	tab.Click(`[...document.querySelectorAll("discord-message")].at(-1)`)
	tab.Wait(`(() => { const r = [...document.querySelectorAll("discord-message")].at(-1).querySelector(".bar").getBoundingClientRect();
		return r.width > 200 && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= document.getElementById("compose").getBoundingClientRect().top; })()`)
	tab.Click(`[...document.querySelectorAll("discord-message")].at(-1).querySelector("[data-act=trace]")`)
	tab.Wait(`document.querySelectorAll("#trace .stage").length === 40`)
	fits("the trace")
	tab.Click(`document.querySelector("[data-keep=table]")`)
	tab.Wait(`document.querySelector("#trace .scroll").scrollWidth > document.querySelector("#trace .scroll").clientWidth && document.getElementById("trace").scrollWidth <= innerWidth`)
	fits("the table of the trace")
	tab.Click(`document.querySelector("#trace .close")`)
	tab.Wait(`document.getElementById("trace").hidden`)
	sound(t, w, tab)
}

// keyboard walks through everything without a mouse, and sees where it is.
func keyboard(t *testing.T, b *browsertest.Browser, w *world) {
	w.Say("lounge", "ben", "first")
	w.Say("lounge", "ana", "second")
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Wait(`document.activeElement.id === "text" && ` + said + `.length === 2`)
	tab.Key("Shift+Tab")
	tab.Wait(`document.activeElement.getAttribute("role") === "article"`)
	tab.Key("ArrowUp")
	tab.Wait(`document.activeElement.querySelector(".text").innerText === "first" && getComputedStyle(document.activeElement).outlineStyle === "solid"`)
	tab.Key("r")
	tab.Wait(`document.activeElement.id === "text" && !document.getElementById("replying").hidden`)
	tab.Key("Escape")
	tab.Wait(`document.getElementById("replying").hidden`)
	tab.Key("Shift+Tab")
	tab.Key("Tab") // from the message into its bar
	tab.Wait(`document.activeElement.dataset.act === "react"`)
	tab.Key("Enter")
	tab.Wait(`document.activeElement.closest(".board")`)
	tab.Key("ArrowRight")
	tab.Wait(`document.activeElement === document.querySelector(".board").children[1]`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector(".board") && document.activeElement.dataset.act === "react"`)
	seen := map[string]bool{}
	for range 60 {
		tab.Key("Tab")
		seen[tab.Eval(`document.activeElement.id || document.activeElement.dataset.act || document.activeElement.className`)] = true
	}
	for _, wanted := range []string{"skip", "room", "who", "theme", "help", "people", "member", "text", "send", "reply", "copy", "delete"} {
		found := false
		for at := range seen {
			found = found || strings.Contains(at, wanted)
		}
		if !found {
			t.Errorf("Tab never reaches %s; it was at %v", wanted, seen)
		}
	}
	sound(t, w, tab)
}

// reconnected: the stream breaks while things go on; afterwards the tab shows what there is, once.
func reconnected(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	kept, gone := w.Say("lounge", "ben", "kept"), w.Say("lounge", "ben", "gone")
	tab.Wait(said + `.length === 2`)
	tab.Eval(`window.node = document.querySelector("[data-id='` + kept.ID + `']"); 1`)
	w.Starve()
	w.Say("lounge", "ben", "while away")
	if _, err := w.Edit("lounge", kept.ID, "kept and edited"); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete("lounge", gone.ID); err != nil {
		t.Fatal(err)
	}
	w.Say("hall", "ben", "in the hall")
	tab.Wait(`JSON.stringify(` + said + `) === '["kept and edited","while away"]' && node.isConnected`)
	tab.Wait(`document.querySelector(".room[data-id='` + w.State().Hall + `'].unread") && !document.body.classList.contains("offline")`)
	w.Say("lounge", "ben", "and after")
	tab.Wait(`JSON.stringify(` + said + `) === '["kept and edited","while away","and after"]'`)
}

func directMessages(t *testing.T, b *browsertest.Browser, w *world) {
	ana, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	ana.Click(`[...document.querySelectorAll(".room")].at(-1)`)
	ana.Wait(`document.getElementById("text").placeholder === "Message @Tsumugi"`)
	ana.Type("only you")
	ana.Key("Enter")
	ana.Wait(said + `.length === 1`)
	dm, err := w.OpenDM("ana")
	if err != nil {
		t.Fatal(err)
	}
	ana.Key("Alt+ArrowDown") // round to the first
	ana.Wait(`document.getElementById("title").textContent === "lounge"`)
	w.rest("POST", messages(dm), `{"content":"only you too"}`)
	ana.Wait(`document.querySelector(".room.unread[data-id='` + dm + `']")`)
	ben.Wait(`document.querySelector("#self .dot").title === "Unread for ana"`)
	if ben.Eval(`document.querySelectorAll(".room.unread").length`) != "0" {
		t.Error("ben is shown ana's direct messages as unread")
	}
	// ben's tab lets ana speak, and is in her place then.
	ben.Eval(`(() => { const who = document.getElementById("who"); who.value = "` + w.State().User("ana") + `"; who.dispatchEvent(new Event("change")); })()`)
	ben.Wait(`document.querySelector(".room.unread[data-id='` + dm + `']")`)
	ben.Click(`document.querySelector(".room.unread")`)
	ben.Wait(said + `.join() === "only you,only you too" && !document.querySelector(".room.unread")`)
	sound(t, w, ana, ben)
}

// guildLife: what Discord has besides messages. A reaction is that of who speaks; a thread shows up where it belongs; two voices of
// one webhook are two.
func guildLife(t *testing.T, b *browsertest.Browser, w *world) {
	lounge := w.State().Lounge
	said1 := w.Say("lounge", "ben", "Who is for tea?")
	tab := w.ready(b, "lounge", "ana", desk)
	if err := w.React("lounge", said1.ID, "ben", "👍"); err != nil {
		t.Fatal(err)
	}
	reaction := `document.querySelector("discord-reaction")`
	tab.Wait(reaction + `.getAttribute("count") === "1" && !` + reaction + `.hasAttribute("reacted")`)
	tab.Click(reaction)
	tab.Wait(reaction + `.getAttribute("count") === "2" && ` + reaction + `.hasAttribute("reacted") && ` + reaction + `.getAttribute("aria-pressed") === "true"`)
	tab.Click(reaction)
	tab.Wait(reaction + `.getAttribute("count") === "1" && !` + reaction + `.hasAttribute("reacted")`)
	tab.Eval(`document.querySelector("[data-id='` + said1.ID + `']").focus()`)
	tab.Key("Tab")
	tab.Wait(`document.activeElement === ` + reaction)
	tab.Key("Tab")
	tab.Wait(`document.activeElement.dataset.act === "react"`)
	tab.Key("Enter")
	tab.Key("ArrowRight")
	tab.Key("Enter")
	tab.Wait(`document.querySelectorAll("discord-reaction[reacted]").length === 1`)
	hook := w.rest("POST", "/channels/"+lounge+"/webhooks", `{"name":"voices"}`)
	for _, name := range []string{"Mira", "Orin", "Orin"} {
		w.rest("POST", "/webhooks/"+hook.id()+"/"+hook.field("token")+"?wait=true", `{"username":"`+name+`","content":"I am `+name+`"}`)
	}
	tab.Wait(said + `.length === 4 && document.querySelectorAll("discord-message[bot]").length === 3 && document.querySelectorAll("discord-message[message-body-only]").length === 1`)
	tab.Wait(`document.getElementById("members").innerText.includes("Orin")`)
	thread := w.sim("POST", "/channels/lounge/threads", `{"name":"tea time","message":"`+said1.ID+`","author":"ana"}`)
	if thread.status != 200 {
		t.Fatalf("thread %d %s", thread.status, thread.text)
	}
	tab.Wait(`document.querySelector(".room.thread[data-id='` + thread.id() + `']").innerText === "tea time"`)
	tab.Click(`document.querySelector(".room.thread")`)
	tab.Wait(`document.getElementById("title").textContent === "tea time"`)
	sound(t, w, tab)
}
