package app

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/command"
	"tsumugi/shared/llm"
	"tsumugi/shared/outbound"
	"tsumugi/shared/sim/model"
)

// guardFor is a guard that trusts the host of a server.
func guardFor(t *testing.T, server *httptest.Server) *outbound.Guard {
	t.Helper()
	g, err := outbound.New(outbound.Options{Allow: []string{server.Listener.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.CloseIdleConnections)
	return g
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestProviderIsTried(t *testing.T) {
	const key = "sk-canary-0123456789"
	says := []model.Rule{{Reply: model.Say("ok")}}
	status := func(code int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		})
	}
	for name, c := range map[string]struct {
		server http.Handler
		model  string
		want   command.Probed // without its time
		kind   llm.Kind
	}{
		"it chooses one that chats": {model.New(model.Options{Script: says, Models: []string{"text-embedding-3", "small-chat"}}), "",
			command.Probed{Models: []string{"small-chat", "text-embedding-3"}, Model: "small-chat"}, ""},
		"the model that was named": {model.New(model.Options{Script: says, Models: []string{"small-chat"}}), "mine",
			command.Probed{Models: []string{"small-chat"}, Model: "mine"}, ""},
		"no list, a model": {withoutList(model.New(model.Options{Script: says})), "mine", command.Probed{Model: "mine"}, ""},
		"no list, no name": {withoutList(model.New(model.Options{Script: says})), "", command.Probed{}, llm.NotFound},
		"a key that is refused": {status(401, `{"error":{"message":"Incorrect API key: `+key+`","code":"invalid_api_key"}}`), "mine",
			command.Probed{}, llm.Unauthorized},
		"a web page": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Hello</title>"))
		}), "mine", command.Probed{}, llm.Malformed},
		"a model that is unknown": {model.New(model.Options{Models: []string{"small-chat"}, Script: []model.Rule{{Reply: model.Reply{Status: 404, Body: `{"error":{"code":"model_not_found"}}`}}}}), "mine",
			command.Probed{Models: []string{"small-chat"}}, llm.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, c.server)
			got, err := prober{guardFor(t, server)}.Probe(t.Context(), server.URL+"/v1?secret=hidden", key, c.model)
			if llm.KindOf(err) != c.kind || (err == nil) != (c.kind == "") || got.Model != c.want.Model || !slices.Equal(got.Models, c.want.Models) {
				t.Errorf("got %+v, %v", got, err)
			}
			if err != nil && (strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "hidden")) {
				t.Errorf("the error tells a secret: %v", err)
			}
		})
	}
}

// withoutList is a server that knows nothing of /models.
func withoutList(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func TestWhereNothingIsSent(t *testing.T) {
	server := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	g, err := outbound.New(outbound.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]command.Refusal{
		"https://127.0.0.1:" + port: command.NotPublic, "https://localhost:" + port: command.NotPublic, "http://api.example.com": command.Insecure,
		"https://api.example.com:22": command.OddPort, "https://me:pass@api.example.com": command.NoAddress, "": command.NoAddress, "https://2130706433": command.NotPublic,
	} {
		if _, err := (prober{g}).Probe(t.Context(), address, "key", "m"); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", address, err, want)
		}
	}
}

// The cause of a call that failed has the address that was dialled, which people typed; it may be logged by whoever asked.
func TestWhatFailsDoesNotSayWhere(t *testing.T) {
	server := serve(t, http.NotFoundHandler())
	g := guardFor(t, server)
	server.Close()
	_, err := prober{g}.Probe(t.Context(), server.URL+"/v1", "key", "m")
	if llm.KindOf(err) != llm.Unreachable || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("it says %v", err)
	}
}
