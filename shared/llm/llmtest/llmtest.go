// Package llmtest holds every llm.Model to its contract: Run is the conformance suite, Scripted the in-process twin that
// tests use in place of a provider, and Serve a network without a network, so that a provider's client runs on a fake clock.
// It is for tests only and knows no wire format.
package llmtest

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/llm"
)

// The watchdogs that a harness sets on the models it opens, where its models have any.
const (
	FirstToken = 300 * time.Second
	Idle       = 120 * time.Second
)

// Reply is the text that most situations say, in three pieces at least.
const Reply = "Good evening. 你好🦀 The lamps are lit."

// Opened is a model that will meet the situation it was opened for.
type Opened struct {
	Model llm.Model
	// Live counts the requests under way on the other side. Nil when the harness cannot see them.
	Live func() int
}

// Harness says how to open a model.
type Harness struct {
	// Open gives a model whose every call meets the named situation, one of Situations. It is called inside a synctest
	// bubble: whatever it starts must have ended after t's cleanups. A network is to be had from Serve.
	Open func(t *testing.T, situation string) Opened
	// Lacks names the situations that cannot happen to this model, each with its reason.
	Lacks map[string]string
}

// Situations are the names of all situations, in order.
func Situations() []string {
	names := make([]string, 0, len(situations))
	for _, s := range situations {
		names = append(names, s.name)
	}
	return names
}

// Steps is what happens in a situation, without a wire: the script with which a Scripted meets it. It is nil for situations
// that only a wire has.
func Steps(name string) []Step {
	for _, s := range situations {
		if s.name == name {
			return s.steps
		}
	}
	return nil
}

// Run runs every situation against the harness.
func Run(t *testing.T, h Harness) {
	for name := range h.Lacks {
		if !known(name) {
			t.Fatalf("harness lacks %q, which is no situation", name)
		}
	}
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			if reason := h.Lacks[s.name]; reason != "" {
				t.Skip(reason)
			}
			synctest.Test(t, func(t *testing.T) { s.meet(t, h.Open(t, s.name)) })
		})
	}
	for _, b := range behaviours {
		t.Run(b.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { b.run(t, h.Open(t, b.situation)) })
		})
	}
}

func known(name string) bool {
	for _, s := range situations {
		if s.name == name {
			return true
		}
	}
	return false
}

// Result is what came of one stream.
type Result struct {
	Text     string
	Thinking string
	Done     *llm.Done
	Err      error
	Deltas   int
}

// Collect ranges over one stream and checks what holds for every one: exactly one terminal, nothing after it, no text beside
// an error.
func Collect(t testing.TB, ctx context.Context, m llm.Model, r llm.Request) Result {
	t.Helper()
	var out Result
	terminals := 0
	for d, err := range m.Stream(ctx, r) {
		out.Deltas++
		if terminals > 0 {
			t.Fatalf("delta after the terminal: %+v, %v", d, err)
		}
		if err != nil {
			if d != (llm.Delta{}) {
				t.Errorf("delta beside an error: %+v", d)
			}
			out.Err = err
			terminals++
			continue
		}
		out.Text += d.Text
		out.Thinking += d.Thinking
		if out.Done = d.Done; d.Done != nil {
			terminals++
		}
	}
	if terminals != 1 {
		t.Fatalf("%d terminals, want 1", terminals)
	}
	return out
}

// Question is the request of every situation. Its secret must not be found in any error.
func Question() llm.Request {
	return llm.Request{Model: "test", MaxTokens: 200, Messages: []llm.Message{
		{Role: llm.System, Text: "You are Mira. " + secret},
		{Role: llm.User, Name: "ana", Text: "Hello there"},
	}}
}

const secret = "the-lantern-code-is-4711"

// meet runs one stream and compares.
func (s situation) meet(t *testing.T, o Opened) {
	start := time.Now()
	got := Collect(t, t.Context(), o.Model, Question())
	took := time.Since(start)
	if got.Text != s.text {
		t.Errorf("text %s, want %s", short(got.Text), short(s.text))
	}
	if got.Thinking != s.thinking {
		t.Errorf("thinking %s, want %s", short(got.Thinking), short(s.thinking))
	}
	if s.kind == "" {
		if got.Err != nil {
			t.Fatalf("error %v", got.Err)
		}
		want := llm.Done{Reason: s.reason, Usage: s.usage}
		if want.Reason == "" {
			want.Reason = llm.Stopped
		}
		want.Calls = s.calls
		if !reflect.DeepEqual(*got.Done, want) {
			t.Errorf("done %+v, want %+v", *got.Done, want)
		}
	} else {
		s.check(t, got.Err)
	}
	if took < s.after || took > s.after+10*time.Second {
		t.Errorf("took %v, want %v", took, s.after)
	}
	over(t, o)
}

// check compares an error.
func (s situation) check(t *testing.T, err error) {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want kind %s", err, s.kind)
	}
	if e.Kind != s.kind || s.code != "" && e.Code != s.code || s.status != 0 && e.Status != s.status {
		t.Errorf("kind %s, code %q, status %d; want %s, %q, %d", e.Kind, e.Code, e.Status, s.kind, s.code, s.status)
	}
	if d := e.RetryAfter - s.retryAfter; d < -time.Second || d > time.Second {
		t.Errorf("retry after %v, want %v", e.RetryAfter, s.retryAfter)
	}
	if len(e.Code) > 64 {
		t.Errorf("code of %d bytes", len(e.Code))
	}
	for _, word := range []string{secret, "Hello there", "provider's own words"} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("error holds %q", word)
		}
	}
}

// over checks that nothing of the stream runs on.
func over(t *testing.T, o Opened) {
	t.Helper()
	synctest.Wait()
	if o.Live != nil && o.Live() != 0 {
		buf := make([]byte, 64<<10)
		t.Errorf("%d requests still run\n%s", o.Live(), buf[:runtime.Stack(buf, true)])
	}
}

func short(s string) string {
	if len(s) > 120 {
		s = s[:60] + "…" + s[len(s)-50:]
	}
	return "\"" + s + "\""
}
