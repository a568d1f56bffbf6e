package discord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	simdiscord "tsumugi/shared/sim/discord"
)

// world is a simulated Discord on a loopback listener and what a test does to it.
type world struct {
	*simdiscord.Server
	t    *testing.T
	url  string
	http *http.Client
}

func open(t *testing.T, o simdiscord.Options) *world {
	t.Helper()
	sim := simdiscord.New(o)
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		sim.Close()
		server.Close()
	})
	return &world{sim, t, server.URL, server.Client()}
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

// rest makes a call that must be valid by Discord's OpenAPI file, request and reply.
func (w *world) rest(method, path, body string) answer {
	w.t.Helper()
	return w.send(method, path, body, true)
}

func (w *world) send(method, path, body string, valid bool) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, w.url+"/api/v10"+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot simulated")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	a := w.do(r)
	if a.err == nil {
		conform(w.t, method, path, body, a, valid)
	}
	return a
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

// openAPI loads Discord's description of its API from beside the repository, once.
var openAPI = sync.OnceValues(func() (routers.Router, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return nil, errors.New("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join(dir, "..", "shared", "discord-openapi-min.json"))
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// Validation takes a tenth of a second. A call that differs from an earlier one only in numbers and words is not checked again.
var (
	values  = regexp.MustCompile(`"(?:\\.|[^"\\])*"([^:])|[0-9]+`)
	checked sync.Map
)

// conform checks one call against Discord's own description, where the file is at hand and knows the path.
func conform(t *testing.T, method, path, body string, a answer, valid bool) {
	t.Helper()
	router, err := openAPI()
	if err != nil || strings.HasPrefix(path, "/oauth2/") {
		return
	}
	shape := method + " " + values.ReplaceAllString(path+body+string(a.text), "0$1") + fmt.Sprint(a.status, valid)
	if _, before := checked.LoadOrStore(shape, true); before {
		return
	}
	r := httptest.NewRequest(method, "https://discord.com/api/v10"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	route, vars, err := router.FindRoute(r)
	if err != nil {
		if valid {
			t.Errorf("%s %s is not in the OpenAPI file: %v", method, path, err)
		}
		return
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true, IncludeResponseStatus: true}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: vars, Route: route, Options: options}
	if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil && valid {
		t.Errorf("request %s %s %s: %v", method, path, body, err)
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: a.status, Header: a.header,
		Body: io.NopCloser(bytes.NewReader(a.text)), Options: options,
	}
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		t.Errorf("answer of %s %s: %d %s: %v", method, path, a.status, a.text, err)
	}
}

// TestOpenAPIAtHand says loudly when nothing was checked against Discord's own description.
func TestOpenAPIAtHand(t *testing.T) {
	if _, err := openAPI(); errors.Is(err, os.ErrNotExist) {
		t.Skip("discord-openapi-min.json is not beside the repository: requests and answers are not checked against it")
	} else if err != nil {
		t.Fatal(err)
	}
}
