package discord_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// world is a simulated Discord on a loopback listener and what a test does to it.
type world struct {
	*simdiscord.Server
	t    *testing.T
	url  string
	http *http.Client
}

func open(t *testing.T, o simdiscord.Options, ignored ...string) *world {
	t.Helper()
	sim := simdiscord.New(discordtest.Watch(t, o, ignored...))
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		sim.Close()
		server.Close()
	})
	return &world{sim, t, server.URL, server.Client()}
}

// lay makes channels.
func (w *world) lay(specs ...simdiscord.ChannelSpec) {
	w.t.Helper()
	for _, spec := range specs {
		if _, err := w.CreateChannel(spec); err != nil {
			w.t.Fatal(err)
		}
	}
}

// answer is what came back of a call.
type answer struct {
	status int
	header http.Header
	text   []byte
	err    error // the connection ended without an answer
}

func (a answer) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(a.text, v); err != nil {
		t.Fatalf("decode %s: %v", a.text, err)
	}
}

// id is the id field of the body.
func (a answer) id() string { return a.field("id") }

// field is a string of the body at a dotted path, or its JSON where it is something else.
func (a answer) field(path string) string {
	at := json.RawMessage(a.text)
	for _, key := range strings.Split(path, ".") {
		var object map[string]json.RawMessage
		var array []json.RawMessage
		switch {
		case json.Unmarshal(at, &object) == nil:
			at = object[key]
		case json.Unmarshal(at, &array) == nil && len(array) > 0 && key == "0":
			at = array[0]
		default:
			return ""
		}
	}
	var text string
	if string(at) != "null" && json.Unmarshal(at, &text) == nil {
		return text
	}
	return string(at)
}

// rest makes a call with the bot's token. The world's observer holds it to Discord's OpenAPI file, request and reply.
func (w *world) rest(method, path, body string) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, w.url+"/api/v10"+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot simulated")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return w.do(r)
}

func (w *world) do(r *http.Request) answer {
	w.t.Helper()
	resp, err := w.http.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{err: err}
	}
	return answer{status: resp.StatusCode, header: resp.Header, text: text}
}

// sim makes a call of the control API.
func (w *world) sim(method, path, body string, header ...string) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, w.url+"/sim"+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	return w.do(r)
}

// TestOpenAPIAtHand says loudly when nothing was checked against Discord's own description.
func TestOpenAPIAtHand(t *testing.T) {
	if err := discordtest.Available(); errors.Is(err, fs.ErrNotExist) {
		t.Skip("discord-openapi-min.json is not beside the repository: requests and answers are not checked against it")
	} else if err != nil {
		t.Fatal(err)
	}
}
