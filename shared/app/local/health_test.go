//go:build unix

package local_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	simmodel "tsumugi/shared/sim/model"
)

func TestHealthFollowsDiscord(t *testing.T) {
	w := newWorld(t, open())
	if err := w.discord.Fault(simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 503, Route: "/gateway/bot", Count: -1}); err != nil {
		t.Fatal(err)
	}
	i := w.start()
	eventually(t, soon, "an attempt to find the gateway", func() bool { return len(w.discord.Calls()) > 0 })
	if status, _, body := i.get("/healthz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "starting") {
		t.Errorf("health before discord is there: %d %q", status, body)
	}
	w.discord.ClearFaults()
	i.until("ready", `"msg":"ready"`)
	if status, _, body := i.get("/healthz"); status != http.StatusOK || body != "ready\n" {
		t.Errorf("health with discord: %d %q", status, body)
	}
	if status, _, _ := i.get("/sim/state"); status != http.StatusNotFound {
		t.Errorf("with a token the process serves a simulated discord: %d", status)
	}
}

func TestMessageContentNotEnabled(t *testing.T) {
	w := newWorld(t, simdiscord.Options{})
	w.model.Script(simmodel.Rule{Reply: simmodel.Say("I hear you.")})
	i := w.ready()
	if out := i.out.String(); !strings.Contains(out, "Message Content Intent") || !strings.Contains(out, "developer portal") {
		t.Errorf("it told people %q; the missing intent is not explained", out)
	}
	if status, _, body := i.get("/healthz"); status != http.StatusOK {
		t.Errorf("health: %d %q", status, body)
	}
	w.say("a mention")
	w.reply(soon, 1, "I hear you.")
	answer := simdiscord.Saying{Author: "ben", Content: "a reply to the bot", ReplyTo: w.replies("hall")[0].ID}
	if _, err := w.discord.Post("hall", answer); err != nil {
		t.Fatal(err)
	}
	w.reply(soon, 2, "I hear you.")
	dm, err := w.discord.OpenDM("chiyo")
	if err != nil {
		t.Fatal(err)
	}
	w.discord.Say(dm, "chiyo", "a direct message")
	eventually(t, soon, "an answer to the direct message", func() bool { return len(w.replies(dm)) == 1 })
}

func TestWrongToken(t *testing.T) {
	w := newWorld(t, open())
	w.env["DISCORD_TOKEN"] = "another-token"
	i := w.start()
	i.until("the refusal", "not connected to discord")
	status, _, body := i.get("/healthz")
	if status != http.StatusServiceUnavailable || !strings.Contains(body, "token is not valid") || !strings.Contains(body, "developer portal") {
		t.Errorf("health: %d %q", status, body)
	}
	eventually(t, soon, "a word to people", func() bool { return strings.Contains(i.out.String(), "token is not valid") })
	calls := len(w.discord.Calls())
	i.signal(os.Interrupt)
	if code := i.exit(soon); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if n := w.discord.State().Gateway.Identifies; n > 2 {
		t.Errorf("it introduced itself %d times; Discord takes a token away for that", n)
	}
	if n := len(w.discord.Calls()); calls > 2 || n != calls {
		t.Errorf("it called %d times, and %d times after it knew better", calls, n-calls)
	}
	if strings.Contains(i.err.String()+i.out.String(), "another-token") {
		t.Error("the token is in the log")
	}
}

// The whole product without any setting but where to live: its own Discord, a page, and a model server that was found, whose first
// model does not chat.
func TestModelFoundOnThisMachine(t *testing.T) {
	w := newWorld(t, open())
	found := simmodel.New(simmodel.Options{Models: []string{"tiny-embed:latest", "tiny-llama"}, Script: []simmodel.Rule{{Reply: simmodel.Say("Found me.")}}})
	probe := serve(t, found)
	i := launch(t, map[string]string{"TSUMUGI_DATA": w.data, "TSUMUGI_ADDR": "127.0.0.1:0", "TSUMUGI_MODEL_PROBE": probe})
	i.until("ready", `"msg":"ready"`)
	eventually(t, soon, "the name of the model", func() bool {
		return strings.Contains(i.out.String(), "tiny-llama at "+probe) && strings.Contains(i.out.String(), "Open "+i.address())
	})
	status, header, body := i.get("/")
	if status != http.StatusOK || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || !strings.Contains(body, "<html") {
		t.Errorf("the page: %d, policy %q", status, header.Get("Content-Security-Policy"))
	}
	i.say("lounge", "ana", "hello")
	eventually(t, soon, "a reply", func() bool { return strings.Contains(i.read("lounge"), "Found me.") })
	if asked := found.Requests()[0].Model; asked != "tiny-llama" {
		t.Errorf("the server was asked for model %q", asked)
	}
}

// Nobody listens where the model should be. That is found out when it is asked, and a person is told then (a story).
func TestUnreachableModelIsNoReasonNotToStart(t *testing.T) {
	w := newWorld(t, open())
	w.env["TSUMUGI_MODEL_URL"] = "http://127.0.0.1:1/v1"
	i := w.ready()
	w.say("hello")
	i.until("the failure in the log", `"kind":"unreachable"`)
	if status, _, body := i.get("/healthz"); status != http.StatusOK {
		t.Errorf("health: %d %q", status, body)
	}
}
