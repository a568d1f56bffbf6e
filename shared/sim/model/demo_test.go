package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/sim/model"
)

func ask(texts ...string) llm.Request {
	r := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "You are Mira."}}}
	for i, s := range texts {
		role := llm.User
		if i%2 == 1 {
			role = llm.Assistant
		}
		r.Messages = append(r.Messages, llm.Message{Role: role, Text: s})
	}
	return r
}

func say(t *testing.T, r llm.Request) string {
	t.Helper()
	got := llmtest.Collect(t, t.Context(), model.Demo(0), r)
	if got.Err != nil || got.Done.Reason != llm.Stopped || strings.TrimSpace(got.Text) == "" || !utf8.ValidString(got.Text) {
		t.Fatalf("said %q, error %v", got.Text, got.Err)
	}
	return got.Text
}

func TestDemoReactsToWhatWasSaid(t *testing.T) {
	named := ask("Hello!", "Hi.", "hello again")
	named.Messages[3].Name = "ana"
	cases := []struct {
		name string
		r    llm.Request
		has  string
		min  int
		max  int
	}{
		{"a short hello", ask("Hello!", "Hi.", "hello"), "", 10, 160},
		{"by name", named, "Ana", 10, 200},
		{"by the name in the text", ask("x", "y", "ben: hi there"), "ben", 10, 200},
		{"a name given", ask("x", "y", "My name is chiara, by the way"), "Chiara", 20, 300},
		{"a name remembered", ask("I'd like you to call me Teo", "Gladly.", "do you know my name?"), "Teo", 20, 300},
		{"a name never given", ask("x", "y", "what is my name?"), "lamp", 20, 300},
		{"a question's words", ask("x", "y", "How do you keep lamps alight in a thunderstorm?"), "hunderstorm", 20, 400},
		{"a statement's words", ask("x", "y", "Yesterday I repaired the lighthouse"), "ighthouse", 20, 400},
		{"other writing", ask("x", "y", "灯台の話をしてください"), "灯台", 10, 400},
		{"a story", ask("x", "y", "Tell me a story about whales"), "whales", 600, 1900},
		{"is it an ai", ask("x", "y", "are you an AI?"), "TSUMUGI_MODEL_URL", 50, 600},
		{"is it a bot", ask("x", "y", "wait, is this a bot"), "demo voice", 50, 600},
		{"the first reply is labelled", ask("hello"), "TSUMUGI_MODEL_URL", 50, 400},
		{"only an emoji", ask("x", "y", "🦀"), "", 10, 300},
		{"nothing at all", ask("x", "y", ""), "", 10, 300},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := say(t, c.r)
			if !strings.Contains(got, c.has) || len(got) < c.min || len(got) > c.max {
				t.Errorf("said %q (%d bytes)", got, len(got))
			}
		})
	}
	if n := strings.Count(say(t, ask("x", "y", "tell me a story about whales")), "\n\n"); n != 2 && n != 3 {
		t.Errorf("story of %d paragraphs", n+1)
	}
}

func TestDemoWithoutAnyMessage(t *testing.T) { say(t, llm.Request{}) }

func TestDemoIsDeterministicAndVaried(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []string{"hello", "hello!", "hello?", "hello…", "Hello", "HELLO", "hello.", "hello ~", "hello :)", "hello ^^"} {
		first := say(t, ask("x", "y", s))
		if again := say(t, ask("x", "y", s)); again != first {
			t.Errorf("%q: %q, then %q", s, first, again)
		}
		seen[first] = true
	}
	if len(seen) < 3 {
		t.Errorf("only %d different replies to ten greetings", len(seen))
	}
}

// Whatever is said comes back at most as plain words: no pings, links or markup.
func TestDemoRepeatsNoMarkup(t *testing.T) {
	for _, s := range []string{"@everyone listen to thunder", "<@123456789012345678> likes thunder", "see https://evil.example/thunder now", "**thunder** `rm` ||spoiler||",
		"<@&42> <#42> <:crab:42> <a:crab:42> thunder", "[click](https://evil.example)", "{name} {topic} {Topic} thunder", "My name is @everyone"} {
		got := say(t, ask("x", "y", s))
		for _, bad := range []string{"@", "<", "http", "evil.example", "`", "||", "{", "**"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q: said %q", s, got)
			}
		}
	}
}

func TestDemoPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := llmtest.Collect(t, t.Context(), model.Demo(model.HumanPace), ask("x", "y", "tell me a story about whales"))
		speed := float64(utf8.RuneCountInString(got.Text)) / time.Since(start).Seconds()
		if speed < 40 || speed > 60 || got.Deltas < len(got.Text)/8 {
			t.Errorf("%.1f characters a second in %d pieces", speed, got.Deltas)
		}
	})
}

func TestDemoStopsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		got := llmtest.Collect(t, ctx, model.Demo(model.HumanPace), ask("x", "y", "tell me a story about whales"))
		if !errors.Is(got.Err, context.DeadlineExceeded) || got.Text == "" || time.Since(start) != 3*time.Second {
			t.Errorf("after %v said %q, error %v", time.Since(start), got.Text, got.Err)
		}
		for range model.Demo(model.HumanPace).Stream(t.Context(), ask("hello")) {
			break
		}
	})
}

func TestDemoHearsTheLastOfSeveralSpeakers(t *testing.T) {
	r := ask("ana: tell me a story about whales\nben: thank you, Mira")
	if got := llmtest.Collect(t, t.Context(), model.Demo(0), r); strings.Contains(got.Text, "whale") || len(got.Text) > 300 {
		t.Errorf("said %q", got.Text)
	}
}

func TestDemoFallsSilentWhenItIsAsked(t *testing.T) {
	r := ask("x", "y", "stop")
	r.Messages = append(r.Messages, llm.Message{Role: llm.System, Text: "Ana has asked Mira to stop speaking. Answer in one short sentence."})
	if got := llmtest.Collect(t, t.Context(), model.Demo(0), r); len(got.Text) > 80 || strings.Contains(got.Text, "?") {
		t.Errorf("said %q", got.Text)
	}
}

func TestDemoHonoursLimits(t *testing.T) {
	r := ask("x", "y", "tell me a story about whales")
	r.MaxTokens = 10
	if got := llmtest.Collect(t, t.Context(), model.Demo(0), r); utf8.RuneCountInString(got.Text) != 40 || got.Done.Reason != llm.Length {
		t.Errorf("said %q, %+v", got.Text, got.Done)
	}
	r.MaxTokens, r.Stop = 0, []string{"\n\n"}
	if got := llmtest.Collect(t, t.Context(), model.Demo(0), r); strings.Contains(got.Text, "\n\n") || got.Done.Reason != llm.Stopped {
		t.Errorf("said %q, %+v", got.Text, got.Done)
	}
}

func BenchmarkDemo(b *testing.B) {
	r := ask("x", "y", "How do you keep lamps alight in a thunderstorm?")
	for b.Loop() {
		for _, err := range model.Demo(0).Stream(b.Context(), r) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
