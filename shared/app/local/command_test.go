//go:build unix

package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// use does what a person does in the process's own simulated Discord, and gives what came of it.
func (i *instance) use(in simdiscord.Invocation) (out simdiscord.Outcome) {
	i.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		i.t.Fatal(err)
	}
	ctx, done := context.WithTimeout(context.Background(), soon)
	defer done()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, i.address()+"/sim/interactions", bytes.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusOK {
		i.t.Fatalf("use %+v: %d, %v", in, resp.StatusCode, err)
	}
	return out
}

// seen is what one person reads in a channel, with what is theirs alone.
func (i *instance) seen(channel, user string) string {
	i.t.Helper()
	_, _, body := i.get("/sim/channels/" + channel + "/messages?as=" + user)
	return body
}

// With its own Discord a process has its commands as soon as it is ready, also after another start: those that are answered at
// once, and those that a worker answers.
func TestCommandsOverTheGateway(t *testing.T) {
	w := newWorld(t, open())
	env := map[string]string{"TSUMUGI_DATA": w.data, "TSUMUGI_ADDR": "127.0.0.1:0"}
	for range 2 {
		i := launch(t, env)
		i.until("ready", `"msg":"ready"`)
		if o := i.use(simdiscord.Invocation{Kind: "command", Command: "stop", User: "ana", Channel: "hall"}); o.State != "answered" {
			t.Errorf("/stop: %+v", o)
		}
		if o := i.use(simdiscord.Invocation{Kind: "command", Command: "doctor", User: "ana", Channel: "hall"}); o.State != "deferred" {
			t.Errorf("/doctor: %+v", o)
		}
		eventually(t, soon, "the doctor answers", func() bool { return strings.Contains(i.seen("hall", "ana"), "✅") })
		if all := i.seen("hall", "ben"); strings.Contains(all, "✅") {
			t.Errorf("it is ana's alone, and ben reads %s", all)
		}
		i.kill()
	}
}

// With a token the commands are registered once, and again when they have changed or a day has passed.
func TestCommandsAreRegisteredOnce(t *testing.T) {
	w := newWorld(t, open())
	registered := func() (n int) {
		for _, c := range w.discord.Calls() {
			if c.Method == http.MethodPut && strings.HasSuffix(c.Path, "/commands") && c.Status == http.StatusOK {
				n++
			}
		}
		return n
	}
	for range 2 {
		i := w.ready()
		i.until("its commands", `"registered":"Registered: `)
		o, err := w.discord.Interact(t.Context(), simdiscord.Invocation{Kind: "command", Command: "stop", User: "ana", Channel: "hall"})
		if err != nil || o.State != "answered" {
			t.Errorf("/stop: %+v, %v", o, err)
		}
		i.kill()
	}
	if n := registered(); n != 1 {
		t.Errorf("registered %d times", n)
	}
}
