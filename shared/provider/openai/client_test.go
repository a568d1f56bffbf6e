package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
)

func client(t *testing.T, o openai.Options) *openai.Client {
	t.Helper()
	c, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestAddress(t *testing.T) {
	cases := map[string]string{
		"":                              "/v1/chat/completions",
		"/":                             "/v1/chat/completions",
		"/v1":                           "/v1/chat/completions",
		"/v1/":                          "/v1/chat/completions",
		"/api":                          "/api/v1/chat/completions",
		"/api/v1":                       "/api/v1/chat/completions",
		"/api/paas/v4":                  "/api/paas/v4/chat/completions",
		"/v1beta/openai/":               "/v1beta/openai/chat/completions",
		"/v1/chat/completions":          "/v1/chat/completions",
		"/vision":                       "/vision/v1/chat/completions",
		"/openai/v1?api-version=latest": "/openai/v1/chat/completions?api-version=latest",
	}
	var got atomic.Value
	s := model.New(model.Options{Script: []model.Rule{{Reply: model.Say("hi")}}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.URL.RequestURI())
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	for base, want := range cases {
		r := llmtest.Collect(t, t.Context(), client(t, openai.Options{BaseURL: server.URL + base}), llmtest.Question())
		if r.Text != "hi" || got.Load() != want {
			t.Errorf("%q: asked %v, want %s (%v)", base, got.Load(), want, r.Err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []openai.Options{
		{}, {BaseURL: "localhost:11434"}, {BaseURL: "ftp://h/v1"}, {BaseURL: "file:///secret-path"}, {BaseURL: "http:///v1"}, {BaseURL: "http://u:secret-path@h"},
		{BaseURL: "http://%zz/secret-path"}, {BaseURL: "http://h", Key: "a\r\nX-Evil: secret-path"}, {BaseURL: "http://h", Key: "Bearer secret-path"},
	} {
		_, err := openai.New(o)
		if err == nil {
			t.Errorf("accepted %+v", o)
		} else if strings.Contains(err.Error(), "secret-path") {
			t.Errorf("error repeats what it was given: %v", err)
		}
	}
}

// On a real network: the request as it arrives, many streams at once, connections used again, and nothing left running.
func TestRealNetwork(t *testing.T) {
	s := model.New(model.Options{Script: []model.Rule{
		{User: "endless", Reply: model.Trap(llmtest.Endless)[0].Reply},
		{System: "Mira", User: "Hello", Reply: model.Say("Good ", "evening.")},
	}})
	server := httptest.NewServer(s)
	defer server.Close()
	c := client(t, openai.Options{BaseURL: server.URL, Key: "sk-1", Model: "fallback"})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			q := llmtest.Question()
			q.Model = ""
			if r := llmtest.Collect(t, t.Context(), c, q); r.Text != "Good evening." {
				t.Errorf("text %q, error %v", r.Text, r.Err)
			}
		})
	}
	wg.Wait()
	q := s.Requests()[0]
	if q.Header.Get("Authorization") != "Bearer sk-1" || q.Header.Get("Accept") != "text/event-stream" || q.Model != "fallback" || q.Messages[1].Name != "ana" {
		t.Errorf("request %+v", q)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := llmtest.Collect(t, ctx, c, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "endless"}}})
	if !errors.Is(r.Err, context.Canceled) {
		t.Errorf("error %v", r.Err)
	}
	server.Close() // waits for every request that is under way
	r = llmtest.Collect(t, t.Context(), c, llmtest.Question())
	if llm.KindOf(r.Err) != llm.Unreachable || strings.Contains(r.Err.Error(), "/v1/") {
		t.Errorf("error %v", r.Err)
	}
}

func TestKeyAndPromptStayAtTheirHost(t *testing.T) {
	var reached atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer other.Close()
	s := model.New(model.Options{Script: []model.Rule{{Reply: model.Say("hi")}}})
	mux := http.NewServeMux()
	mux.Handle("/away/", http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/v1/chat/completions", http.StatusPermanentRedirect)
	})
	mux.Handle("/get/", http.RedirectHandler("/v1/chat/completions", http.StatusFound))
	mux.Handle("/loop/", http.RedirectHandler("/loop/", http.StatusTemporaryRedirect))
	mux.Handle("/", s)
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, want := range map[string]llm.Kind{"/away/v1": llm.NotFound, "/get/v1": llm.NotFound, "/loop/v1": llm.NotFound, "/moved/v1": ""} {
		r := llmtest.Collect(t, t.Context(), client(t, openai.Options{BaseURL: server.URL + path, Key: "sk-1"}), llmtest.Question())
		if llm.KindOf(r.Err) != want || want == "" && r.Text != "hi" {
			t.Errorf("%s: text %q, error %v", path, r.Text, r.Err)
		}
	}
	if reached.Load() != 0 {
		t.Error("the other host was asked")
	}
}

// What a model refused once is not sent to it again, and still to others.
func TestRefusalsAreLearned(t *testing.T) {
	s := model.New(model.Options{Script: model.Trap("parameter_refused")})
	server := httptest.NewServer(s)
	defer server.Close()
	c := client(t, openai.Options{BaseURL: server.URL})
	counts := []int{}
	q := llmtest.Question()
	for _, name := range []string{"one", "one", "two"} {
		q.Model = name
		before := len(s.Requests())
		if r := llmtest.Collect(t, t.Context(), c, q); r.Text != llmtest.Reply {
			t.Fatalf("text %q, error %v", r.Text, r.Err)
		}
		counts = append(counts, len(s.Requests())-before)
	}
	if counts[0] != 3 || counts[1] != 1 || counts[2] != 3 {
		t.Errorf("requests %v, want 3 1 3", counts)
	}
	var last map[string]any
	if err := json.Unmarshal(s.Requests()[3].Body, &last); err != nil {
		t.Fatal(err)
	}
	if last["max_tokens"] != nil || last["stream_options"] != nil || last["max_completion_tokens"] != 200.0 {
		t.Errorf("request %v", last)
	}
}

// A server that refuses whatever comes is not asked for ever.
func TestRefusingServerIsLeftAlone(t *testing.T) {
	s := model.New(model.Options{Script: []model.Rule{{Reply: model.Reply{Status: 400,
		Body: `{"error":{"message":"unsupported: 'stream_options' 'max_tokens' 'max_completion_tokens' 'temperature' 'stop' 'user'"}}`}}}})
	server := httptest.NewServer(s)
	defer server.Close()
	q := llmtest.Question()
	q.Stop, q.User, q.Temperature = []string{"x"}, "u", new(float64)
	r := llmtest.Collect(t, t.Context(), client(t, openai.Options{BaseURL: server.URL}), q)
	if n := len(s.Requests()); llm.KindOf(r.Err) != llm.Invalid || n != 6 {
		t.Errorf("%d requests, error %v", n, r.Err)
	}
}
