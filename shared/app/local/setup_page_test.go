//go:build unix

package local_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/sim/discord/browsertest"
	"tsumugi/shared/sim/model"
)

// guide is the page of somebody who uses /setup.
type guide struct {
	page
	data   string // where the program keeps its files
	clicks int
}

// sets opens /setup in the hall of a program that runs in this environment.
func sets(t *testing.T, env map[string]string) *guide {
	t.Helper()
	dir := os.Getenv("TSUMUGI_SCREENSHOTS")
	if dir == "" && os.Getenv("TSUMUGI_BROWSER") == "" {
		t.Skip("make browser runs it: a browser wants the machine for itself")
	}
	b := browsertest.Start(t, os.Getenv("CHROMIUM"))
	env["TSUMUGI_DATA"], env["TSUMUGI_ADDR"] = t.TempDir(), "127.0.0.1:0"
	i := launch(t, env)
	i.until("ready", `"msg":"ready"`)
	g := &guide{page: page{t, b.Open(t, i.address()+"/#channel=hall&as=ana", browsertest.View{Width: 1280, Height: 900, Still: true}), i, dir}, data: env["TSUMUGI_DATA"]}
	g.shows(`document.body.dataset.ready === "" && document.getElementById("text")`)
	g.tab.Click(`document.getElementById("text")`)
	g.tab.Type("/setup")
	g.shows(`document.querySelector(".complete:not([hidden]) [aria-selected=true]")?.innerText.startsWith("/setup")`)
	g.tab.Key("Enter")
	g.tab.Key("Enter")
	return g
}

func (g *guide) click(label string) {
	g.t.Helper()
	button := `[...document.querySelectorAll("discord-message[ephemeral] .press")].find(e => e.innerText.includes("` + label + `"))`
	g.shows(button)
	g.tab.Click(button)
	g.clicks++
}

func (g *guide) reads(text string) {
	g.t.Helper()
	g.shows(`[...document.querySelectorAll("discord-message[ephemeral] .text")].at(-1)?.innerText.includes("` + text + `")`)
}

func (g *guide) choose(label string) {
	g.t.Helper()
	g.shows(`document.querySelector("discord-message[ephemeral] .menu")`)
	g.tab.Click(`document.querySelector("discord-message[ephemeral] .menu")`)
	g.shows(`document.querySelector(".options li")`)
	g.tab.Click(`[...document.querySelectorAll(".options li")].find(o => o.innerText.includes("` + label + `"))`)
	g.clicks += 2
}

func (g *guide) fill(label, text string) {
	g.t.Helper()
	field := `[...document.querySelectorAll("dialog label")].find(l => l.innerText.startsWith("` + label + `"))`
	g.shows(field)
	g.tab.Click(field)
	g.tab.Type(text)
}

// keepsSecret fails where a secret stands in the clear in what the program has written: its files and its log.
func (g *guide) keepsSecret(secret string) {
	g.t.Helper()
	files := 0
	err := filepath.WalkDir(g.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		body, err := os.ReadFile(path)
		if bytes.Contains(body, []byte(secret)) {
			g.t.Errorf("the key stands in the clear in %s", d.Name())
		}
		return err
	})
	if err != nil || files == 0 {
		g.t.Errorf("%d files, %v", files, err)
	}
	if strings.Contains(g.i.out.String()+g.i.err.String(), secret) {
		g.t.Error("the key stands in the log")
	}
}

// TestSetupInBrowser is what the owner of a server does who has just invited the bot: from /setup to a persona that answers, all in
// the page, in a few clicks.
func TestSetupInBrowser(t *testing.T) {
	begun := time.Now()
	g := sets(t, map[string]string{})
	g.reads("Whose model")
	g.shot("setup-1")
	g.click("Use this installation's model")
	g.reads("Who lives here")
	g.shot("setup-2")
	g.click("Keep Mira")
	g.reads("Where do they answer")
	g.shot("setup-3")
	g.click("Everything in this channel")
	g.reads("How do replies arrive")
	g.shot("setup-4")
	g.click("None")
	g.reads("Say hello in")
	g.shot("setup-5")
	g.says("Hello! Who are you?")
	g.ends(1)
	g.shot("setup-6")
	if took := time.Since(begun); g.clicks > 6 || took > 3*time.Minute {
		t.Errorf("it took %d clicks and %s", g.clicks, took)
	}
}

// TestSetupWithAKeyInBrowser is the same with a server and a key of one's own, at the second try.
func TestSetupWithAKeyInBrowser(t *testing.T) {
	const key = "sk-canary-0123456789-wxyz"
	models := []string{"text-embedding-3"}
	for n := range 40 {
		models = append(models, "chat-"+strconv.Itoa(n))
	}
	brain := model.New(model.Options{Models: models, Script: []model.Rule{{Reply: model.Say("Good evening from a model of your own.")}}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		brain.ServeHTTP(w, r)
	}))
	defer server.Close()
	g := sets(t, map[string]string{"TSUMUGI_ALLOW_HOSTS": server.Listener.Addr().String()})
	g.choose("Another server")
	g.reads("Any server")
	g.click("Enter it")
	g.fill("Address", server.URL)
	g.fill("Key", "sk-canary-wrong-one-0000")
	g.shot("setup-key-1")
	g.tab.Key("Enter")
	g.reads("refuses this key")
	g.shot("setup-key-2")
	g.click("Correct it")
	g.fill("Key", key)
	g.tab.Key("Enter")
	g.reads("works: chat-0")
	g.shot("setup-key-3")
	g.click("▶")
	g.shows(`[...document.querySelectorAll(".press")].some(e => e.innerText === "2 of 2")`)
	g.choose("chat-30")
	g.reads("chat-30 (was chat-0)")
	g.shot("setup-key-4")
	g.click("Keep Mira")
	g.click("Only when they are called")
	g.click("Heavy")
	g.reads("Say hello")
	g.says("Mira, hello!")
	g.ends(1)
	g.shows(`[...document.querySelectorAll("discord-message[bot]:not([ephemeral]) .text")].at(-1)?.innerText.includes("a model of your own")`)
	g.shot("setup-key-5")
	g.keepsSecret(key[3:])
}
