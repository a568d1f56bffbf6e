package discord_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// modules is where npm has installed what a check by an outside program needs; .ci/conform names it.
func modules(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("DISCORD_TEST_MODULES")
	if dir == "" {
		t.Skip("DISCORD_TEST_MODULES does not name a node_modules: .ci/conform installs one and runs this test")
	}
	if _, err := os.Stat(filepath.Join(dir, name, "package.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal(err)
	}
	return dir
}

// outsider is a program that tells on its output what happens to it.
type outsider struct {
	t     *testing.T
	lines chan answer
	rest  []answer // told, but not asked for yet
}

// outside starts testdata/script with node and ends it with the test. It is killed after a while whatever it does.
func outside(t *testing.T, script string, args ...string) *outsider {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 90*time.Second)
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join("testdata", script)}, args...)...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	o := &outsider{t: t, lines: make(chan answer, 1000)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(o.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			o.lines <- answer{text: bytes.Clone(s.Bytes())}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-read
		_ = cmd.Wait() // it was killed, or has told what was wrong
		if t.Failed() && complaints.Len() > 0 {
			t.Logf("%s", complaints.Bytes())
		}
	})
	return o
}

// told waits for something that the program says, whatever else it says before.
func (o *outsider) told(what string, want map[string]string) answer {
	o.t.Helper()
	fits := func(a answer) bool {
		if a.field("what") != what {
			return false
		}
		for key, value := range want {
			if a.field(key) != value {
				return false
			}
		}
		return true
	}
	if i := slices.IndexFunc(o.rest, fits); i >= 0 {
		a := o.rest[i]
		o.rest = slices.Delete(o.rest, i, i+1)
		return a
	}
	for a := range o.lines {
		if fits(a) {
			return a
		}
		if a.field("what") == "failed" {
			o.t.Fatalf("waiting for %s %v: %s", what, want, a.field("error"))
		}
		o.rest = append(o.rest, a)
	}
	var before []string
	for _, a := range o.rest {
		before = append(before, string(a.text))
	}
	o.t.Fatalf("it ended before %s %v; it had told %q", what, want, before)
	return answer{}
}

// TestOutsideDiscordJS: discord.js logs in, receives, sends, edits, reacts, replies, deletes, starts a thread, speaks through a webhook
// in it, registers a command and answers it, comes back after op 7 and after a drop with what it missed.
func TestOutsideDiscordJS(t *testing.T) {
	dir := modules(t, "discord.js")
	// It sends these where they mean nothing, and Discord ignores them.
	w := open(t, simdiscord.Options{MessageContentEnabled: true}, "tts", "enforce_nonce", "username")
	st := w.State()
	bot := outside(t, "discordjs.cjs", dir, w.url, st.Hall)
	bot.told("ready", map[string]string{"user": st.Bot.ID, "guilds.0": st.Guild.ID})

	said := w.Say("hall", "ana", "!talk")
	bot.told("message", map[string]string{"id": said.ID, "content": "!talk", "author": st.User("ana"), "bot": "false"})
	done := bot.told("done", map[string]string{"order": "!talk", "edited": "two", "reply": said.ID, "listed": "2"})
	bot.told("update", map[string]string{"id": done.field("sent"), "content": "two", "edited": "true"})
	bot.told("reaction", map[string]string{"id": done.field("sent"), "emoji": "👍", "user": st.Bot.ID})
	bot.told("delete", nil)

	said = w.Say("hall", "ben", "!thread")
	bot.told("done", map[string]string{"order": "!thread", "thread": said.ID, "inside": said.ID, "spoken": "as Mira, edited", "webhook": "true"})
	bot.told("thread", map[string]string{"id": said.ID, "name": "aside", "parent": st.Hall})
	if got := w.Messages(said.ID); len(got) == 0 || got[len(got)-1].Content != "as Mira, edited" || got[len(got)-1].Author.Username != "Mira the Teller" {
		t.Errorf("the thread holds %+v", got)
	}

	w.Say("hall", "ana", "!command")
	bot.told("done", map[string]string{"order": "!command", "commands": `["tea"]`})
	what := simdiscord.Invocation{Kind: "command", User: "ben", Channel: "hall", Command: "tea", Options: map[string]any{"kind": "green"}}
	if out, err := w.Interact(t.Context(), what); err != nil || out.State != "deferred" {
		t.Fatalf("the command came to %+v, %v", out, err)
	}
	bot.told("answered", map[string]string{"command": "tea", "user": st.User("ben")})
	answered := func(m simdiscord.Message) bool { return m.Content == "tea: green" }
	if !slices.ContainsFunc(w.MessagesAs("hall", "ana"), answered) {
		t.Error("nobody sees the answer to the command")
	}

	for i, accident := range []simdiscord.Fault{{Kind: simdiscord.FaultReconnect}, {Kind: simdiscord.FaultDrop}} {
		if err := w.Fault(accident); err != nil {
			t.Fatal(err)
		}
		missed := w.Say("hall", "ana", fmt.Sprint("missed ", i))
		bot.told("message", map[string]string{"id": missed.ID})
		bot.told("resumed", nil)
	}
	if g := w.State().Gateway; g.Identifies != 1 || g.Resumes != 2 || g.Elsewhere != 2 {
		t.Errorf("gateway %+v", g)
	}
	w.Say("hall", "ana", "!leave")
	bot.told("left", nil)
}

// TestOutsideSignatures: Discord's own library takes what the simulator signs, and nothing that was changed on the way.
func TestOutsideSignatures(t *testing.T) {
	dir := modules(t, "discord-interactions")
	w := open(t, simdiscord.Options{})
	body := `{"type":1,"text":"grün \"🍵\""}`
	signature, at := w.Sign([]byte(body), time.Now())
	_, another := w.Sign([]byte(body), time.Now().Add(time.Minute))
	var requests []string
	want := []bool{true, false, false, false}
	for _, r := range [][3]string{{body, signature, at}, {body + " ", signature, at}, {body, signature, another}, {body, at, at}} {
		text, err := json.Marshal(map[string]string{"body": r[0], "signature": r[1], "timestamp": r[2]})
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, string(text))
	}
	node := outside(t, "verifykey.cjs", append([]string{dir, w.PublicKey()}, requests...)...)
	for i, good := range want {
		if got := (<-node.lines).field("good"); got != fmt.Sprint(good) {
			t.Errorf("request %d: %q, want %v", i, got, good)
		}
	}
}
