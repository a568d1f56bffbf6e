package discord_test

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

var (
	desk  = browsertest.View{Width: 1280, Height: 800, Still: true}
	small = browsertest.View{Width: 360, Height: 740, Phone: true, Still: true}
)

// said is the JavaScript for the texts of the messages that a tab shows.
const said = `[...document.querySelectorAll("#log [role=article] > .text")].map(e => e.innerText)`

// TestPageInBrowser does with the page what people do, in one browser, each case with a Discord of its own. Whatever a case does,
// its page must not complain, nor ask another host for anything. A browser shares a machine badly:
// make browser runs this alone.
func TestPageInBrowser(t *testing.T) {
	if os.Getenv("TSUMUGI_BROWSER") == "" {
		t.Skip("make browser runs it: a browser wants the machine for itself")
	}
	b := browsertest.Start(t, os.Getenv("CHROMIUM"))
	cases := []struct {
		name string
		run  func(*testing.T, *browsertest.Browser, *world)
	}{
		{"two people in two tabs", twoPeople}, {"streamed edits grow and are marked when they end", streamedEdits}, {"the newest stays in view unless the reader goes up", staysInView},
		{"replies, edits and deletions by hand", byHand}, {"drafts, the limit and unread marks", draftsAndUnread},
		{"hostile text stays text", hostile}, {"a phone of 360 pixels", phone}, {"the keyboard alone", keyboard},
		{"themes", themes}, {"how a reply came to be", traceView}, {"a welcome and what it proposes", welcomed},
		{"a lost connection loses and doubles nothing", reconnected}, {"direct messages are between two", directMessages}, {"applications answer", applications}, {"reactions, threads and voices of webhooks", guildLife},
		{"several voices of one application", voices}, {"proposals stay until they are used", proposals}, {"what is not there is not offered", nothingOffered}, {"the connection is lost for as long as it is", offline},
		{"commands by the keyboard alone", commandsByKeyboard}, {"every kind of option", everyOption}, {"a command that is refused keeps what was typed", refusedCommand}, {"values that an application proposes", autocompleted},
		{"everybody's own language", languages}, {"answers for one alone, and late ones", answersForOne}, {"an application that does not answer", unanswered},
		{"buttons and menus", components}, {"what changes keeps its place", inPlace}, {"forms", forms}, {"all that a form may hold", formParts},
		{"applications on a phone of 375 pixels", appsOnPhone}, {"commands that a channel proposes", proposedCommands}, {"a trace stays with its channel", traceLeft},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, simdiscord.Options{
				NoLimits: true, MessageContentEnabled: true, Channels: []string{"workshop"}, Explain: func(string) ([]byte, bool) { return trace(40, "answered"), true },
				Welcome: []simdiscord.Welcome{{Channel: "workshop", Title: "The workshop", Text: "Ask **her**.", Try: []string{"What is wrong with the clock?"}}},
			})
			c.run(t, b, w)
		})
	}
}

// sound fails where a tab complained, or asked any other host.
func sound(t *testing.T, w *world, tabs ...*browsertest.Tab) {
	t.Helper()
	for _, tab := range tabs {
		if c := tab.Complaints(); len(c) > 0 {
			t.Errorf("the console says: %s", strings.Join(c, "\n"))
		}
		for _, r := range tab.Requests() {
			if u, err := url.Parse(r); err != nil || u.Scheme != "data" && "http://"+u.Host != w.url {
				t.Errorf("the page asked %s", r)
			}
		}
	}
}

func twoPeople(t *testing.T, b *browsertest.Browser, w *world) {
	ana, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	ana.Click(`document.getElementById("text")`)
	ana.Type("Is anybody **here**?")
	ben.Wait(`document.querySelector("#typing b").textContent === "ana"`)
	ana.Key("Enter")
	ben.Wait(said + `.includes("Is anybody here?") && document.querySelector(".text strong")`)
	ana.Wait(said + `.length === 1 && document.getElementById("text").value === ""`)
	ben.Wait(`!document.querySelector("#typing b")`)
	ben.Click(`document.getElementById("text")`)
	ben.Type("I am, @tsu")
	ben.Wait(`document.querySelector(".complete:not([hidden]) [aria-selected=true]").innerText.startsWith("Tsumugi")`)
	ben.Key("Enter")
	ben.Key("Enter")
	ana.Wait(said + `.length === 2 && document.querySelector("discord-mention").textContent === "Tsumugi"`)
	if ms := w.Messages("lounge"); len(ms) != 2 || ms[1].Content != "I am, <@"+w.State().Bot.ID+">" || ms[1].Author.ID != w.State().User("ben") {
		t.Errorf("said %+v", ms)
	}
	sound(t, w, ana, ben)
}

func streamedEdits(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	lounge := messages(w.State().Lounge)
	for i := range 30 {
		w.Say("lounge", "ben", fmt.Sprintf("line %d of what was said before", i))
	}
	id := w.rest("POST", lounge, `{"content":"Once"}`).id()
	tab.Wait(said + `.at(-1) === "Once"`)
	first := tab.Eval(`window.node = document.querySelector("[data-id='` + id + `']"); node.tagName`)
	tab.Eval(`document.documentElement.dataset.growth = "3600000"`)
	for i := range 12 {
		w.rest("PATCH", lounge+"/"+id, `{"content":"Once upon`+strings.Repeat(` a time\n`, i+1)+`"}`)
	}
	tab.Wait(said + `.at(-1).split("a time").length === 13 && node.classList.contains("growing") && !node.hasAttribute("edited")`)
	tab.Wait(`log.scrollHeight - log.scrollTop - log.clientHeight < 2`) // it follows
	tab.Eval(`document.documentElement.dataset.growth = "0"`)
	w.rest("PATCH", lounge+"/"+id, `{"content":"Once upon a time it ended."}`)
	tab.Wait(`node.isConnected && node.hasAttribute("edited") && !node.classList.contains("growing")`)
	tab.Wait(`document.getElementById("said").textContent.startsWith("Tsumugi: Once upon")`)
	if first != "DISCORD-MESSAGE" {
		t.Errorf("a message is a %s", first)
	}
	// Whoever reads further up is left where they are, and told that there is more.
	for range 3 {
		tab.Wheel(`log`, -4000)
	}
	tab.Wait(`log.scrollTop === 0 && !document.getElementById("newest").hidden`)
	w.rest("PATCH", lounge+"/"+id, `{"content":"`+strings.Repeat(`longer\n`, 60)+`"}`)
	w.Say("lounge", "ben", "one more")
	tab.Wait(said + `.at(-1) === "one more" && log.scrollTop === 0 && document.getElementById("newest").classList.contains("more")`)
	tab.Click(`document.getElementById("newest")`)
	tab.Wait(`log.scrollHeight - log.scrollTop - log.clientHeight < 2 && document.getElementById("newest").hidden`)
	sound(t, w, tab)
}

func byHand(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	target := w.Say("lounge", "ben", "Which key?")
	tab.Wait(`document.querySelector("[data-id='` + target.ID + `']")`)
	tab.Click(`document.querySelector("[data-id='` + target.ID + `']")`)
	tab.Click(`document.querySelector("[data-id='` + target.ID + `'] [data-act=reply]")`)
	tab.Wait(`document.activeElement.id === "text" && document.getElementById("replying").innerText.includes("ben")`)
	tab.Type("This one")
	tab.Key("Enter")
	tab.Wait(`document.querySelector("discord-reply").textContent === "Which key?"`)
	tab.Wait(`document.getElementById("replying").hidden`)
	tab.Key("ArrowUp")
	tab.Wait(`document.activeElement.value === "This one"`)
	tab.Type(", or that")
	tab.Key("Enter")
	tab.Wait(said + `.at(-1) === "This one, or that" && document.activeElement.id === "text"`)
	mine := w.Messages("lounge")[1]
	if mine.Content != "This one, or that" || mine.MessageReference == nil || mine.MessageReference.MessageID != target.ID {
		t.Errorf("mine is %+v", mine)
	}
	tab.Wait(`document.querySelector("[data-id='` + mine.ID + `']").hasAttribute("edited")`)
	tab.Click(`document.querySelector("discord-reply")`)
	tab.Wait(`document.activeElement.dataset.id === "` + target.ID + `"`)
	tab.Key("Delete")
	tab.Wait(`document.activeElement.textContent === "Delete"`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector("dialog") && document.activeElement.dataset.id === "` + target.ID + `"`)
	tab.Key("Delete")
	tab.Wait(`document.activeElement.textContent === "Delete"`)
	tab.Key("Enter")
	tab.Wait(said + `.length === 1 && document.querySelector("discord-reply").hasAttribute("deleted")`)
	sound(t, w, tab)
}

func draftsAndUnread(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	hall := w.State().Hall
	tab.Click(`document.getElementById("text")`)
	tab.Type("half a thought")
	w.Say("hall", "ben", "come to the hall")
	tab.Wait(`document.querySelector(".room[data-id='` + hall + `'].unread")`)
	tab.Key("Alt+ArrowDown")
	tab.Wait(`document.getElementById("title").textContent === "hall" && document.activeElement.id === "text" && document.getElementById("text").value === ""`)
	tab.Wait(`document.querySelector(".line.fresh") && !document.querySelector(".room.unread")`)
	tab.Key("Alt+ArrowUp")
	tab.Wait(`document.getElementById("title").textContent === "lounge" && document.getElementById("text").value === "half a thought"`)
	tab.Type(strings.Repeat("é", 4001))
	tab.Wait(`document.getElementById("count").textContent === "-15" && document.getElementById("count").classList.contains("over")`)
	tab.Key("Enter")
	tab.Wait(`document.getElementById("toasts").innerText.includes("4015 characters") && document.getElementById("text").value.length === 4015`)
	if ms := w.Messages("lounge"); len(ms) != 0 {
		t.Errorf("sent %d messages", len(ms))
	}
	sound(t, w, tab)
}

func themes(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "lounge", "ana", desk)
	back := func() string { return tab.Eval(`getComputedStyle(document.querySelector("main")).backgroundColor`) }
	dark := back()
	light := desk
	light.Light = true
	tab.Show(light)
	tab.Wait(`getComputedStyle(document.querySelector("main")).backgroundColor === "rgb(255, 255, 255)"`)
	tab.Click(`document.getElementById("theme")`)
	if got := back(); got != dark || got == "rgb(255, 255, 255)" {
		t.Errorf("the toggle shows %s, dark is %s", got, dark)
	}
	tab.Eval(`window.before = true; setTimeout(() => location.reload()); 1`)
	tab.Wait(`!window.before && document.body.dataset.ready === "" && document.documentElement.dataset.theme === "dark"`)
	if got := back(); got != dark {
		t.Errorf("after a reload %s, not %s", got, dark)
	}
	sound(t, w, tab)
}

func traceView(t *testing.T, b *browsertest.Browser, w *world) {
	id := w.rest("POST", messages(w.State().Lounge), `{"content":"mine"}`).id()
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Wait(`document.querySelector("[data-id='` + id + `']")`)
	tab.Eval(`document.querySelector("[data-id='` + id + `']").focus()`)
	tab.Key("t")
	tab.Wait(`document.querySelectorAll("#trace .stage").length === 40 && document.querySelectorAll("#trace .pin").length === 2`)
	tab.Wait(`document.querySelector("#trace").innerText.includes("first visible") && document.querySelector("#trace .failed")`)
	tab.Wait(`document.querySelector("#trace .scroll").scrollWidth <= document.querySelector("#trace .scroll").clientWidth`)
	tab.Click(`document.querySelector("[data-keep=table]")`)
	tab.Wait(`document.querySelectorAll("#trace tbody tr").length === 40 && document.activeElement.dataset.keep === "table"`)
	tab.Key("Escape")
	tab.Wait(`document.getElementById("trace").hidden && document.activeElement.dataset.id === "` + id + `"`)
	sound(t, w, tab)
}

func welcomed(t *testing.T, b *browsertest.Browser, w *world) {
	tab := w.ready(b, "workshop", "ana", desk)
	tab.Wait(`document.querySelector(".welcome h2").textContent === "The workshop" && document.querySelector(".welcome strong").textContent === "her"`)
	tab.Click(`document.querySelector(".try")`)
	tab.Wait(`document.activeElement.id === "text" && document.activeElement.value === "What is wrong with the clock?"`)
	tab.Key("Enter")
	tab.Wait(said + `.length === 1 && !document.querySelector(".welcome")`)
	tab.Click(`document.getElementById("help")`)
	tab.Wait(`document.querySelector("dialog .welcome .try")`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector("dialog")`)
	sound(t, w, tab)
}
