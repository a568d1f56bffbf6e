package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
)

// refusing answers a request with a status and a code.
func refusing(status int, code string) model.Reply {
	return model.Reply{Status: status, Body: `{"error":{"message":"refused","code":"` + code + `"}}`}
}

func TestCheck(t *testing.T) {
	list := []string{"text-embed", "old-chat", "new-chat", "third", "fourth"}
	notHere := refusing(404, "model_not_found")
	cases := map[string]struct {
		model  string
		script []model.Rule
		want   string // the model that answered
		kind   llm.Kind
		asked  int // requests
	}{
		"it answers":              {"mine", []model.Rule{{Reply: model.Say("ok")}}, "mine", "", 1},
		"it answers nothing":      {"mine", []model.Rule{{Reply: model.Say()}}, "mine", "", 1},
		"it thinks":               {"mine", []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Thinking: "Hm"}}, End: model.Open}}}, "mine", "", 1},
		"it is cut short":         {"mine", []model.Rule{{Reply: model.Reply{Finish: "length"}}}, "mine", "", 1},
		"it speaks for ever":      {"mine", []model.Rule{{Reply: model.Trap(llmtest.Endless)[0].Reply}}, "mine", "", 1},
		"it takes no parameters":  {"mine", append(model.Trap("parameter_refused"), model.Rule{Reply: model.Say("ok")}), "mine", "", 3},
		"the server chooses":      {"", []model.Rule{{Reply: model.Say("ok")}}, "old-chat", "", 1},
		"the first does not chat": {"", []model.Rule{{Once: true, Reply: notHere}, {Reply: model.Say("ok")}}, "new-chat", "", 2},
		"the first is refused":    {"", []model.Rule{{Once: true, Reply: refusing(400, "not_a_chat_model")}, {Reply: model.Say("ok")}}, "new-chat", "", 2},
		"none of them chats":      {"", []model.Rule{{Reply: notHere}}, "", llm.NotFound, 3},
		"out of credit":           {"", []model.Rule{{Reply: refusing(429, "insufficient_quota")}}, "", llm.Unauthorized, 1},
		"no such model":           {"mine", []model.Rule{{Reply: notHere}}, "", llm.NotFound, 1},
		"rate limited":            {"mine", []model.Rule{{Reply: refusing(429, "")}}, "", llm.RateLimited, 1},
		"overloaded":              {"mine", []model.Rule{{Reply: refusing(529, "")}}, "", llm.Overloaded, 1},
		"an error after a sign":   {"mine", []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Raw: ": waiting\n\n"}, {Raw: "data: {\"error\":{\"code\":401}}\n\n"}}}}}, "", llm.Unauthorized, 1},
		"a web page":              {"mine", []model.Rule{{Reply: model.Reply{Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"}}}, "", llm.Malformed, 1},
		"garbage":                 {"mine", []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Raw: "data: {{{\n\n"}}}}}, "", llm.Malformed, 1},
		"half an answer":          {"mine", []model.Rule{{Reply: model.Reply{End: model.Clean}}}, "", llm.Cut, 1},
		"not even headers":        {"mine", []model.Rule{{Reply: model.Reply{Late: true}}}, "", llm.TimedOut, 1},
		"signs of life, no word":  {"mine", []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Raw: ": waiting\n\n", Wait: time.Second, Times: -1}}}}}, "", llm.TimedOut, 1},
		"the key in a code":       {"mine", []model.Rule{{Reply: refusing(401, canary)}}, "", llm.Unauthorized, 1},
		"the key in the stream":   {"mine", []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Raw: "data: {\"error\":{\"code\":\"" + canary + "\"}}\n\n"}}}}}, "", llm.Overloaded, 1},
		"the key in a finish":     {"mine", []model.Rule{{Reply: model.Reply{Finish: canary}}}, "mine", "", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := model.New(model.Options{Models: list, Script: c.script})
				begun := time.Now()
				got, err := openai.Check(t.Context(), openai.Options{BaseURL: "http://model.example", Key: canary, HTTPClient: llmtest.Serve(t, guarded(s))}, c.model)
				if llm.KindOf(err) != c.kind || (err == nil) != (c.kind == "") || got.Model != c.want {
					t.Errorf("%+v, error %v", got, err)
				}
				if d := time.Since(begun); d > 15*time.Second || (d < 15*time.Second) == (c.kind == llm.TimedOut) {
					t.Errorf("it took %v", d)
				}
				if n := len(s.Requests()); n != c.asked {
					t.Errorf("it asked %d times, want %d", n, c.asked)
				}
				for _, q := range s.Requests() {
					if len(q.Body) > 300 || len(q.Messages) != 1 || strings.Contains(string(q.Body), "temperature") {
						t.Errorf("request %s", q.Body)
					}
				}
				quiet(t, err)
				synctest.Wait()
				if n := s.Live(); n != 0 {
					t.Errorf("%d requests go on", n)
				}
			})
		})
	}
}

// A check has one bound for all that it asks.
func TestCheckIsBoundedAsAWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := model.New(model.Options{Models: []string{"a", "b", "c"}, Script: []model.Rule{{Reply: model.Reply{Steps: []model.Step{{Raw: "data: {\"error\":{\"code\":404}}\n\n", Wait: 4 * time.Second}}}}}})
		slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/models") {
				time.Sleep(6 * time.Second)
			}
			s.ServeHTTP(w, r)
		})
		begun := time.Now()
		_, err := openai.Check(t.Context(), openai.Options{BaseURL: "http://model.example", HTTPClient: llmtest.Serve(t, slow)}, "")
		if d := time.Since(begun); llm.KindOf(err) != llm.TimedOut || d != 15*time.Second {
			t.Errorf("after %v: %v", d, err)
		}
	})
}

func TestCheckWithoutAnAnswerFromThere(t *testing.T) {
	o := openai.Options{BaseURL: "http://model.example", Key: canary, HTTPClient: llmtest.Refuse()}
	for _, name := range []string{"", "mine"} {
		if _, err := openai.Check(t.Context(), o, name); llm.KindOf(err) != llm.Unreachable {
			t.Errorf("nobody there: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"", "mine"} {
		if _, err := openai.Check(ctx, o, name); !errors.Is(err, context.Canceled) || llm.KindOf(err) != "" {
			t.Errorf("ended context: %v", err)
		}
	}
	o.BaseURL = "ftp://" + canary
	if _, err := openai.Check(t.Context(), o, ""); err == nil {
		t.Error("an address of another kind is taken")
	} else {
		quiet(t, err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := model.New(model.Options{Models: []string{}})
		o := openai.Options{BaseURL: "http://model.example", HTTPClient: llmtest.Serve(t, s)}
		if _, err := openai.Check(t.Context(), o, ""); llm.KindOf(err) != llm.NotFound || !strings.Contains(err.Error(), "name one") {
			t.Errorf("no models: %v", err)
		}
	})
}
