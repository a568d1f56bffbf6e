//go:build unix

package local_test

import (
	"os"
	"path/filepath"
	"testing"

	"tsumugi/shared/sim/discord/browsertest"
)

// TestFirstMinuteInBrowser is what somebody sees who has typed make run: the real program, its page, and a person who tries what
// the page proposes. With TSUMUGI_SCREENSHOTS ("make screenshots") it leaves the pictures of the README there.
func TestFirstMinuteInBrowser(t *testing.T) {
	dir := os.Getenv("TSUMUGI_SCREENSHOTS")
	if dir == "" && os.Getenv("TSUMUGI_BROWSER") == "" {
		t.Skip("make browser runs it: a browser wants the machine for itself")
	}
	b := browsertest.Start(t, os.Getenv("CHROMIUM"))
	i := launch(t, map[string]string{"TSUMUGI_DATA": t.TempDir(), "TSUMUGI_ADDR": "127.0.0.1:0"})
	i.until("ready", `"msg":"ready"`)
	wide := browsertest.View{Width: 1280, Height: 800, Still: true}
	p := page{t, b.Open(t, i.address()+"/#channel=lounge&as=ana", wide), i, dir}

	p.shows(`document.querySelector(".welcome .try") && document.querySelector(".welcome img").naturalWidth === 128`)
	p.tab.Click(`document.querySelector(".welcome .try")`)
	p.tab.Key("Enter")
	p.shows(`document.querySelectorAll("discord-message").length === 2 && document.querySelectorAll("discord-message")[1].hasAttribute("bot")`)
	p.ends(1)
	p.says("What about the bell?")
	p.ends(2)
	p.tab.Eval(`[...document.querySelectorAll("discord-message[bot]")].at(-1).focus()`)
	p.tab.Key("t")
	p.shows(`document.querySelectorAll("#trace .stage").length > 6 && !document.querySelector("#trace .error")`)
	p.shot("trace")
	p.tab.Key("Escape")

	p.enters("ferry")
	p.says("What is the ferry called?")
	p.shows(`document.querySelector("discord-message[bot][author=Fenn] .text")?.innerText.length > 250`)
	p.says("stop")
	p.ends(3)
	p.shot("chat-dark")

	p.enters("hall")
	p.says("Mira and Quill, what do you say about the fog?")
	p.ends(5)
	light := wide
	light.Light = true
	p.tab.Show(light)
	p.shot("chat-light")

	phone := browsertest.View{Width: 390, Height: 780, Phone: true, Still: true}
	p.tab = b.Open(t, i.address()+"/#channel=ledger&as=chiyo", phone)
	p.says("My name is Chiyo. I like rain, and my cat is called Soot.")
	p.ends(6)
	p.says("What do you know about me?")
	p.ends(7)
	p.shows(`[...document.querySelectorAll("discord-message[bot] .text")].at(-1).innerText.includes("our cat is called Soot")`)
	p.shot("phone")
}

// page is a tab on the program's page.
type page struct {
	t   *testing.T
	tab *browsertest.Tab
	i   *instance
	dir string // for pictures; "" draws none
}

func (p *page) shows(what string) { p.t.Helper(); p.tab.Wait(what) }

// says writes something where the person is, and waits until it is among the messages.
func (p *page) says(text string) {
	p.t.Helper()
	p.shows(`document.body.dataset.ready === "" && document.getElementById("text")`)
	p.tab.Click(`document.getElementById("text")`)
	p.tab.Type(text)
	p.tab.Key("Enter")
	p.shows(`document.getElementById("text").value === ""`)
}

// ends waits until so many replies have ended since the start, and the page shows the last.
func (p *page) ends(n int) {
	p.t.Helper()
	eventually(p.t, recovery, "the end of the reply", func() bool { return p.i.ends() >= n })
	p.shows(`!document.querySelector(".growing")`)
}

func (p *page) enters(channel string) {
	p.t.Helper()
	p.tab.Click(`[...document.querySelectorAll("#rooms .room")].find(e => e.textContent.includes("` + channel + `"))`)
	p.shows(`document.getElementById("title").textContent.includes("` + channel + `")`)
}

func (p *page) shot(name string) {
	if p.dir != "" {
		p.tab.Shot(filepath.Join(p.dir, name+".png"))
	}
}
