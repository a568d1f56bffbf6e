package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
)

// canary is a key that no error may repeat a piece of.
const canary = "sk-Canary-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// quiet fails when an error repeats the key, or a piece of it.
func quiet(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if low := strings.ToLower(err.Error()); strings.Contains(low, "canary") || strings.Contains(low, "01234567") {
		t.Errorf("the error repeats the key: %v", err)
	}
}

// guarded is a server that wants the canary.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canary {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","type":"invalid_request_error","code":"invalid_api_key"}}`, r.Header.Get("Authorization"))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// says answers everything with one text.
func says(status int, kind, text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text)) // the client may leave before the end
	})
}

// named is a list of so many models.
func named(n int, more string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"model-%d","object":"model","description":%q},`, i, more)
	}
	return `{"object":"list","data":[` + strings.TrimSuffix(b.String(), ",") + `]}`
}

func TestList(t *testing.T) {
	const js = "application/json"
	cases := map[string]struct {
		serve http.Handler
		want  string // the first models
		n     int    // how many
		kind  llm.Kind
	}{
		"a list":                      {model.New(model.Options{Models: []string{"b", "a"}}), "b a", 2, ""},
		"a bare array":                {says(200, js, ` [{"id":"a"},{"id":"b","pricing":{"in":1}}]`), "a b", 2, ""},
		"an empty list":               {says(200, js, `{"data":[]}`), "", 0, ""},
		"10,000 models":               {says(200, js, named(10000, "")), "model-0 model-1", 1000, ""},
		"a long list":                 {says(200, js, named(400, strings.Repeat("word ", 1000))), "model-0", 400, ""},
		"a list that is too long":     {says(200, js, named(3000, strings.Repeat("word ", 1000))), "", 0, llm.Malformed},
		"an endless list":             {endless{}, "", 0, llm.Malformed},
		"names that are none":         {says(200, js, `{"data":[{"id":""},{"id":"a\u0000b"},{"id":"a\nb"},{"id":"\u202eevil"},{"id":"`+strings.Repeat("x", 257)+`"},{"id":"ok"},{"id":"ok"},{},{"id":7}]}`), "ok", 1, ""},
		"another key":                 {guarded(nil), "", 0, llm.Unauthorized},
		"no such path":                {http.NotFoundHandler(), "", 0, llm.NotFound},
		"moved elsewhere":             {http.RedirectHandler("http://elsewhere.example/v1/models", http.StatusFound), "", 0, llm.NotFound},
		"a web page":                  {says(200, "text/html", "<html>hello</html>"), "", 0, llm.Malformed},
		"a web page, said to be JSON": {says(200, js, "<html>hello</html>"), "", 0, llm.Malformed},
		"garbage":                     {says(200, js, "\x00\xff{{{"), "", 0, llm.Malformed},
		"nothing":                     {says(200, js, ""), "", 0, llm.Malformed},
		"null":                        {says(200, js, "null"), "", 0, llm.Malformed},
		"another document":            {says(200, js, `{"hello":"world"}`), "", 0, llm.Malformed},
		"cut off":                     {says(200, js, `{"data":[{"id":"a"},`), "", 0, llm.Malformed},
		"a word in the data":          {says(200, js, `{"data":"none"}`), "", 0, llm.Malformed},
		"an error of status 200":      {says(200, js, `{"error":{"code":"invalid_api_key"}}`), "", 0, llm.Unauthorized},
		"too many requests":           {says(429, js, `{"error":{"code":"rate_limit_exceeded"}}`), "", 0, llm.RateLimited},
		"out of credit":               {says(429, js, `{"error":{"code":"insufficient_quota"}}`), "", 0, llm.Unauthorized},
		"overloaded":                  {says(503, "text/plain", "later"), "", 0, llm.Overloaded},
		"silence":                     {silent{}, "", 0, llm.TimedOut},
		"silence in the middle":       {silent{`{"data":[{"id":"a"},`}, "", 0, llm.TimedOut},
		"the key in a code":           {says(403, js, `{"error":{"code":"denied.`+canary+`"}}`), "", 0, llm.Unauthorized},
		"the key in another shape":    {says(400, js, `{"error":{"type":"`+strings.ToUpper(canary)+`"}}`), "", 0, llm.Invalid},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				key := canary
				if name == "another key" {
					key = "sk-other-" + canary[:40]
				}
				begun := time.Now()
				got, err := openai.List(t.Context(), openai.Options{BaseURL: "http://model.example", Key: key, HTTPClient: llmtest.Serve(t, c.serve)})
				if llm.KindOf(err) != c.kind || (err == nil) != (c.kind == "") || len(got) != c.n {
					t.Fatalf("%d models, error %v", len(got), err)
				}
				if !strings.HasPrefix(strings.Join(got, " "), c.want) {
					t.Errorf("models %q", got[:min(len(got), 10)])
				}
				if d := time.Since(begun); d > 10*time.Second {
					t.Errorf("it took %v", d)
				}
				quiet(t, err)
			})
		})
	}
}

// endless is a list without an end.
type endless struct{}

func (endless) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, err := w.Write([]byte(`{"data":[`)); err == nil; {
		_, err = w.Write([]byte(`{"id":"again"},`))
	}
}

// silent says something, and then nothing for ever.
type silent struct{ first string }

func (s silent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.first != "" {
		_, _ = w.Write([]byte(s.first))
		w.(http.Flusher).Flush()
	}
	<-r.Context().Done()
}

func TestListSendsTheKeyTheGivenWay(t *testing.T) {
	var went int
	server := httptest.NewServer(guarded(model.New(model.Options{Models: []string{"a"}})))
	defer server.Close()
	through := func(to http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) { went++; return to.RoundTrip(r) })
	}
	got, err := openai.List(t.Context(), openai.Options{BaseURL: server.URL, Key: canary, Through: through})
	if err != nil || !slices.Equal(got, []string{"a"}) || went != 1 {
		t.Errorf("%v, %v after %d requests", got, err, went)
	}
	current := func(_ context.Context, refused string) (string, error) {
		if refused == "" {
			return "sk-of-yesterday", nil
		}
		return canary, nil
	}
	if got, err := openai.List(t.Context(), openai.Options{BaseURL: server.URL, Current: current}); err != nil || len(got) != 1 {
		t.Errorf("with a key that was changed: %v, %v", got, err)
	}
	stop := errors.New("no way out")
	closed := func(http.RoundTripper) http.RoundTripper {
		return roundTrip(func(*http.Request) (*http.Response, error) { return nil, stop })
	}
	if _, err := openai.List(t.Context(), openai.Options{BaseURL: server.URL, Key: canary, Through: closed}); !errors.Is(err, stop) || llm.KindOf(err) != llm.Unreachable {
		t.Errorf("what the way says is lost: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openai.List(ctx, openai.Options{BaseURL: server.URL}); !errors.Is(err, context.Canceled) || llm.KindOf(err) != "" {
		t.Errorf("ended context: %v", err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A server that speaks no HTTP is quoted by the transport; what it says may be the key that it was sent.
func TestNoErrorRepeatsTheKeyOnTheWire(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			fmt.Fprintf(conn, "HTTP/1.1 %s\r\n\r\n", canary)
			_ = conn.Close()
		}
	}()
	o := openai.Options{BaseURL: "http://" + l.Addr().String(), Key: canary}
	_, listed := openai.List(t.Context(), o)
	_, checked := openai.Check(t.Context(), o, "any")
	asked := llmtest.Collect(t, t.Context(), client(t, o), llmtest.Question()).Err
	for _, err := range []error{listed, checked, asked} {
		if llm.KindOf(err) != llm.Unreachable {
			t.Errorf("error %v", err)
		}
		quiet(t, err)
	}
}

func TestForChat(t *testing.T) {
	for all, want := range map[string]string{
		"text-embedding-3-small tts-1 whisper-1 gpt-4o-mini dall-e-3 gpt-4o-mini-tts omni-moderation-latest gpt-image-1 gpt-4.1": "gpt-4o-mini gpt-4.1",
		"nomic-embed-text:latest llama3.2:latest bge-m3 mxbai-embed-large qwen3:8b":                                              "llama3.2:latest qwen3:8b",
		"models/embedding-001 models/gemini-2.5-flash models/imagen-4 models/veo-3 models/gemini-2.5-pro models/aqa":             "models/gemini-2.5-flash models/gemini-2.5-pro",
		"babbage-002 davinci-002 gpt-3.5-turbo-instruct o1-pro gpt-5-pro gpt-5-codex o4-mini":                                    "o4-mini",
		"meta-llama/Llama-Guard-4 BAAI/BGE-reranker deepseek-chat":                                                               "deepseek-chat",
		"only-embed": "only-embed", // whoever has nothing else means it
		"":           "",
	} {
		if got := strings.Join(openai.ForChat(strings.Fields(all)), " "); got != want {
			t.Errorf("of %q it takes %q", all, got)
		}
	}
}

func TestProbe(t *testing.T) {
	server := httptest.NewServer(model.New(model.Options{Models: []string{"llama3.2:latest", "qwen3"}}))
	defer server.Close()
	for _, base := range []string{server.URL, server.URL + "/v1/"} {
		models, err := openai.Probe(t.Context(), base)
		if err != nil || strings.Join(models, " ") != "llama3.2:latest qwen3" {
			t.Errorf("%v, %v", models, err)
		}
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>hello</html>")) }))
	defer page.Close()
	if _, err := openai.Probe(t.Context(), page.URL); llm.KindOf(err) != llm.Malformed {
		t.Errorf("web page: %v", err)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	if _, err := openai.Probe(t.Context(), gone.URL); llm.KindOf(err) != llm.NotFound {
		t.Errorf("no models here: %v", err)
	}
	gone.Close()
	if _, err := openai.Probe(t.Context(), gone.URL); llm.KindOf(err) != llm.Unreachable {
		t.Errorf("nobody there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openai.Probe(ctx, server.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}
