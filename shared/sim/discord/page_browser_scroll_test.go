package discord_test

import (
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/sim/discord/browsertest"
)

// staysInView: what is added while a scroll of the page's own is still to be told of leaves the newest in view, and so does a trace,
// which makes the list narrower. Only a reader who goes up leaves it.
func staysInView(t *testing.T, b *browsertest.Browser, w *world) {
	lounge := messages(w.State().Lounge)
	for i := range 30 {
		w.Say("lounge", "ben", fmt.Sprintf("line %d: %s", i, strings.Repeat("so many words that they need a second line where it is narrow ", 3)))
	}
	tab := w.ready(b, "lounge", "ana", desk)
	const atEnd = `log.scrollHeight - log.scrollTop - log.clientHeight < 2 && document.getElementById("newest").hidden`
	tab.Wait(said + `.length === 30 && ` + atEnd)

	tab.Eval(`(() => { const tall = document.createElement("div"); tall.id = "tall"; tall.style.flex = "none"; tall.style.height = "300px";
		log.append(tall); log.dispatchEvent(new Event("scroll")); })()`)
	if tab.Eval(`document.getElementById("newest").hidden`) != "true" {
		t.Error("a late event of the page's own scroll counts as the reader's")
	}
	tab.Wait(atEnd)
	tab.Eval(`document.getElementById("tall").remove()`)

	id := w.rest("POST", lounge, `{"content":"`+strings.Repeat("the newest, of many words, ", 20)+`"}`).id()
	tab.Wait(said + `.length === 31 && ` + atEnd)
	last := `document.querySelector("[data-id='` + id + `']")`
	tab.Eval(last + `.focus()`)
	tab.Key("t")
	tab.Wait(`document.querySelectorAll("#trace .stage").length === 40 && ` + last + `.classList.contains("traced") && ` + atEnd)
	tab.Key("Escape")
	tab.Wait(`document.getElementById("trace").hidden && !` + last + `.classList.contains("traced") && ` + atEnd)

	// The trace of a message further up keeps that in view, and the reader there.
	tab.Wheel(`log`, -4000)
	tab.Wheel(`log`, -4000)
	tab.Wait(`!document.getElementById("newest").hidden && log.scrollTop === 0`)
	tab.Wheel(`log`, 900)
	tab.Wait(`log.scrollTop === 900`)
	tab.Eval(`window.node = [...document.querySelectorAll("discord-message")].find(m => m.getBoundingClientRect().top > 300); window.was = node.getBoundingClientRect().top; node.focus({preventScroll: true})`)
	tab.Key("t")
	tab.Wait(`document.querySelectorAll("#trace .stage").length === 40 && Math.abs(node.getBoundingClientRect().top - was) < 3 && !document.getElementById("newest").hidden`)
	sound(t, w, tab)
}
