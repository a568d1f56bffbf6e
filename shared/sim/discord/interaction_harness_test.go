package discord_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bwmarrin/discordgo"

	simdiscord "tsumugi/shared/sim/discord"
)

// app is an application behind an endpoint, without a network. It checks signatures with a library that nobody here wrote.
type app struct {
	mu     sync.Mutex
	key    ed25519.PublicKey
	status int
	answer string
	during func(answer) // runs before the endpoint answers
	got    []answer
}

func (a *app) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	reply := func(status int, text string) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
	}
	if a.key != nil && !discordgo.VerifyInteraction(r, a.key) {
		return reply(http.StatusUnauthorized, "")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	in := answer{text: body}
	if in.field("type") == "1" {
		return reply(http.StatusOK, `{"type":1}`)
	}
	a.got = append(a.got, in)
	if a.during != nil {
		a.during(in)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return reply(a.status, a.answer)
}

// last is the newest interaction that came in.
func (a *app) last(t *testing.T) answer {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.got) == 0 {
		t.Fatal("no interaction came in")
	}
	return a.got[len(a.got)-1]
}

// answers makes every later interaction be answered so.
func (a *app) answers(status int, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status, a.answer = status, text
}

// interactive is a world without a network whose application gets its interactions at an endpoint, with some commands.
func interactive(t *testing.T, o simdiscord.Options) (*world, *app) {
	t.Helper()
	a := &app{status: http.StatusAccepted}
	o.EndpointTransport = a
	w := direct(t, o)
	t.Cleanup(w.Close)
	a.joins(t, w)
	return w, a
}

// joins makes it the application of a world, with some commands.
func (a *app) joins(t *testing.T, w *world) {
	t.Helper()
	key, err := hex.DecodeString(w.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	a.key = key
	if p := w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"http://127.0.0.1:9/interactions"}`); p.status != 200 {
		t.Fatalf("endpoint %d %s", p.status, p.text)
	}
	w.register(`[{"name":"greet","description":"d","options":[
			{"type":3,"name":"text","description":"d","required":true},
			{"type":6,"name":"whom","description":"d"},{"type":7,"name":"where","description":"d"},{"type":8,"name":"role","description":"d"},
			{"type":4,"name":"times","description":"d","min_value":1,"max_value":5},{"type":5,"name":"loud","description":"d"},
			{"type":11,"name":"file","description":"d"}]},
		{"name":"persona","description":"d","options":[{"type":2,"name":"card","description":"d","options":[
			{"type":1,"name":"add","description":"d","options":[{"type":3,"name":"name","description":"d","autocomplete":true}]}]}]},
		{"name":"Look at","type":2},{"name":"Quote it","type":3},{"name":"ban","description":"d","default_member_permissions":4}]`)
}

func (w *world) commands() string { return "/applications/" + w.State().Application.ID + "/commands" }

func (w *world) register(body string) answer {
	w.t.Helper()
	a := w.rest("PUT", w.commands(), body)
	if a.status != 200 {
		w.t.Fatalf("register %d %s", a.status, a.text)
	}
	return a
}

// does is what a person does; it must be possible.
func (w *world) does(in simdiscord.Invocation) simdiscord.Outcome {
	w.t.Helper()
	if in.User == "" {
		in.User = "ana"
	}
	if in.Channel == "" {
		in.Channel = "lounge"
	}
	out, err := w.Interact(context.Background(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// greet uses a command.
func (w *world) greet() simdiscord.Outcome {
	w.t.Helper()
	return w.does(simdiscord.Invocation{Kind: "command", Command: "greet", Options: map[string]any{"text": "hi"}})
}

// callback answers an interaction by a call.
func (w *world) callback(in answer, body string) answer {
	w.t.Helper()
	return w.anonymous("POST", "/interactions/"+in.id()+"/"+in.field("token")+"/callback?with_response=true", body)
}

// withToken calls the webhook of an interaction.
func (w *world) withToken(method string, in answer, path, body string) answer {
	w.t.Helper()
	return w.anonymous(method, "/webhooks/"+in.field("application_id")+"/"+in.field("token")+path, body)
}

// anonymous makes a call without the bot's token.
func (w *world) anonymous(method, path, body string) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, w.url+"/api/v10"+path, bytes.NewReader([]byte(body)))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return w.do(r)
}
