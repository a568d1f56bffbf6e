//go:build unix

package local_test

import (
	"os"
	"testing"

	"tsumugi/shared/sim/discord/browsertest"
)

// TestControlsInBrowser is a person who has buttons below replies, and uses them, and then the menu of a message.
func TestControlsInBrowser(t *testing.T) {
	dir := os.Getenv("TSUMUGI_SCREENSHOTS")
	if dir == "" && os.Getenv("TSUMUGI_BROWSER") == "" {
		t.Skip("make browser runs it: a browser wants the machine for itself")
	}
	b := browsertest.Start(t, os.Getenv("CHROMIUM"))
	i := launch(t, map[string]string{"TSUMUGI_DATA": t.TempDir(), "TSUMUGI_ADDR": "127.0.0.1:0"})
	i.until("ready", `"msg":"ready"`)
	p := page{t, b.Open(t, i.address()+"/#channel=hall&as=ana", browsertest.View{Width: 1280, Height: 800, Still: true}), i, dir}
	p.shows(`document.body.dataset.ready === "" && document.getElementById("text")`)
	p.tab.Eval(`fetch("/sim/interactions", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({kind: "command", user: "ana", channel: "hall", command: "config controls", options: {on: true}})}).then(() => document.body.dataset.set = "1")`)
	p.shows(`document.body.dataset.set === "1"`)
	button := func(label string) string {
		return `[...document.querySelectorAll("discord-message[bot]:not([ephemeral]) .press")].find(e => e.innerText.includes("` + label + `"))`
	}
	p.says("Mira, what about the bell?")
	p.shows(button("Stop"))
	p.shot("reply-grows")
	p.ends(1)
	p.shows(`!` + button("Stop") + ` && ` + button("Continue") + ` && ` + button("Delete"))
	p.tab.Click(button("Continue")) // the demo voice would say the same again
	p.ends(2)
	p.shows(button("2/2"))
	p.shot("reply-controls")
	p.tab.Click(button("◀"))
	p.ends(3)
	p.shows(button("1/2"))
	p.tab.Eval(`[...document.querySelectorAll("discord-message[bot]:not([ephemeral])")].at(-1).dispatchEvent(new Event("pointerenter"))`)
	p.shows(`!document.querySelector("discord-message[bot]:not([ephemeral]) [data-act=apps]").hidden`)
	p.tab.Click(button("Delete"))
	p.ends(4)
	p.shows(`document.querySelectorAll("discord-message[bot]:not([ephemeral])").length === 0`)
}
