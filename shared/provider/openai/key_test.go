package openai_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
)

// A key that is refused while nobody can tell whether it was changed is no verdict of the model: the turn waits.
func TestRefusedKeyThatCannotBeReadAnew(t *testing.T) {
	away := errors.New("secret tsumugi/key: away")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer server.Close()
	current := func(_ context.Context, refused string) (string, error) {
		if refused != "" {
			return refused, away
		}
		return "old", nil
	}
	r := llmtest.Collect(t, t.Context(), client(t, openai.Options{BaseURL: server.URL, Current: current}), llmtest.Question())
	if !errors.Is(r.Err, away) || llm.KindOf(r.Err) != "" {
		t.Errorf("it ends with %v, of kind %q", r.Err, llm.KindOf(r.Err))
	}
}

func TestRefusedKeyIsChangedForAnother(t *testing.T) {
	denied := errors.New("secret tsumugi/key: denied")
	for name, c := range map[string]struct {
		keys []string // current, and after each refusal
		err  error    // of the first
		want llm.Kind
		sent int
	}{
		"right at once":             {[]string{"right"}, nil, "", 1},
		"changed":                   {[]string{"old", "right"}, nil, "", 2},
		"there is none":             {[]string{"old", "old"}, nil, llm.Unauthorized, 1},
		"another that is wrong too": {[]string{"old", "older"}, nil, llm.Unauthorized, 2},
		"cannot be read":            {[]string{""}, denied, "", 0},
	} {
		for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
			t.Run(name, func(t *testing.T) {
				sent := 0
				s := model.New(model.Options{Script: []model.Rule{{Reply: model.Say("hi")}}})
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					sent++
					if r.Header.Get("Authorization") != "Bearer right" {
						w.WriteHeader(status)
						return
					}
					s.ServeHTTP(w, r)
				}))
				defer server.Close()
				asked := 0
				current := func(_ context.Context, refused string) (string, error) {
					if refused != "" {
						if asked++; refused != c.keys[asked-1] {
							t.Errorf("asked for another than %s", refused)
						}
					}
					return c.keys[asked], c.err
				}
				r := llmtest.Collect(t, t.Context(), client(t, openai.Options{BaseURL: server.URL, Key: "static", Current: current}), llmtest.Question())
				if llm.KindOf(r.Err) != c.want || !errors.Is(r.Err, c.err) && c.err != nil || (r.Err == nil) != (r.Text == "hi") || sent != c.sent {
					t.Errorf("said %q after %d requests: %v", r.Text, sent, r.Err)
				}
			})
		}
	}
}
