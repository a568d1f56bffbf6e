package model_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/sim/model"
)

func post(t *testing.T, s http.Handler, path, kind, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// said puts the text of a stream together, trusting nothing but the shape of this server's own chunks.
func said(t *testing.T, stream string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(stream) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var c struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("chunk %s: %v", data, err)
		}
		for _, ch := range c.Choices {
			out.WriteString(ch.Delta.Content)
		}
	}
	return out.String()
}

func request(system, user string) string {
	b, _ := json.Marshal(map[string]any{"model": "m", "messages": []map[string]string{
		{"role": "system", "content": system}, {"role": "user", "content": "earlier"}, {"role": "assistant", "content": "so"}, {"role": "user", "content": user}}})
	return string(b)
}

func TestRules(t *testing.T) {
	s := model.New(model.Options{Script: []model.Rule{
		{Once: true, Reply: model.Say("the ", "first")},
		{System: "Mira", User: "lamp", Reply: model.Say("mira on lamps")},
		{System: "Mira", Reply: model.Say("mira")},
		{User: "earlier", Reply: model.Say("never: only the last user message counts")},
		{Body: `"m"`, User: "any", Reply: model.Say("by body")},
	}})
	for _, c := range []struct{ system, user, want string }{
		{"You are Mira", "a lamp", "the first"}, {"You are Mira", "a lamp", "mira on lamps"}, {"You are Mira", "hello", "mira"}, {"You are Teo", "any", "by body"},
	} {
		status, body := post(t, s, "/v1/chat/completions", "application/json", request(c.system, c.user))
		if got := said(t, body); status != 200 || got != c.want || !strings.HasSuffix(body, "data: [DONE]\n\n") {
			t.Errorf("%s, %s: %d %q, want %q", c.system, c.user, status, got, c.want)
		}
	}
	if status, body := post(t, s, "/v1/chat/completions", "application/json", request("You are Teo", "x")); status != 400 || !strings.Contains(body, "no_rule_fits") {
		t.Errorf("no rule: %d %s", status, body)
	}
	if status, _ := post(t, s, "/v1/chat/completions", "application/json", "{"); status != 400 {
		t.Errorf("half a request: %d", status)
	}
	if n := len(s.Requests()); n != 5 || s.Live() != 0 {
		t.Errorf("%d requests, %d live", n, s.Live())
	}
}

func TestControl(t *testing.T) {
	s := model.New(model.Options{})
	script := `[{"user":"hi","reply":{"steps":[{"text":"from "},{"wait":"1ms","text":"afar"}],"finish":"length"}}]`
	if status, _ := post(t, s, "/sim/script", "text/plain", script); status != http.StatusUnsupportedMediaType {
		t.Errorf("another site's form: %d", status)
	}
	for _, bad := range []string{"{", `[{"reply":{"steps":[{"wait":"soon"}]}}]`} {
		if status, _ := post(t, s, "/sim/script", "application/json", bad); status != 400 {
			t.Errorf("%s: %d", bad, status)
		}
	}
	if status, body := post(t, s, "/sim/script", "application/json; charset=utf-8", script); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, body)
	}
	_, body := post(t, s, "/v1/chat/completions", "application/json", request("", "hi"))
	if said(t, body) != "from afar" || !strings.Contains(body, `"finish_reason":"length"`) {
		t.Errorf("said %s", body)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sim/requests", nil))
	var bodies []struct{ Model string }
	if err := json.NewDecoder(w.Body).Decode(&bodies); err != nil || len(bodies) != 1 || bodies[0].Model != "m" {
		t.Errorf("requests %+v, %v", bodies, err)
	}
}

func TestStepReadsItsWait(t *testing.T) {
	var step model.Step
	if err := json.Unmarshal([]byte(`{"wait":"1.5s","text":"a","times":2}`), &step); err != nil || step != (model.Step{Wait: 1500 * time.Millisecond, Text: "a", Times: 2}) {
		t.Errorf("%+v, %v", step, err)
	}
}

func TestModelsAndUnknownPaths(t *testing.T) {
	s := model.New(model.Options{})
	for path, want := range map[string]int{"/v1/models": 200, "/models": 200, "/": 404, "/v1/completions": 404} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// The demo voice behind the wire says what it says without one.
func TestOtherwiseSpeaksOverTheWire(t *testing.T) {
	server := httptest.NewServer(model.New(model.Options{Otherwise: model.Demo(0)}))
	defer server.Close()
	resp, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"system","content":"You are Mira."},{"role":"user","content":"hello"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(t, string(body)), say(t, ask("hello")); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}
