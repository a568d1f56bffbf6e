package llmtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/llm"
)

// behaviour is what a caller may do to a stream.
type behaviour struct {
	name      string
	situation string // in which it does so
	run       func(*testing.T, Opened)
}

// Endless is the situation without an end: a piece of text each second for ever. A context or a leaving consumer ends it.
const Endless = "endless"

// Silent is the situation in which nothing is ever said.
const Silent = "silent"

var behaviours = []behaviour{
	{"leaving the loop stops the request", Endless, leave},
	{"the end of the context stops the request", Endless, endContext},
	{"the end of the context stops a wait", Silent, endContext},
	{"a deadline is the context's", Silent, deadline},
	{"an ended context asks nothing", "plain", endedContext},
	{"a slow consumer is not a slow model", "plain", slowConsumer},
	{"two streams at once", "plain", twoAtOnce},
	{"ranging again asks again", "plain", again},
	{"the request is not changed", "plain", unchanged},
}

func leave(t *testing.T, o Opened) {
	for n := range 3 { // more than once: what a first stream leaves behind, the second meets
		seen := 0
		for d, err := range o.Model.Stream(t.Context(), Question()) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != "" {
				if seen++; seen > n {
					break
				}
			}
		}
		over(t, o)
	}
}

func endContext(t *testing.T, o Opened) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	start := time.Now()
	stop := time.AfterFunc(2500*time.Millisecond, cancel)
	defer stop.Stop()
	got := Collect(t, ctx, o.Model, Question())
	if !errors.Is(got.Err, context.Canceled) || llm.KindOf(got.Err) != "" {
		t.Errorf("error %v, want the context's own", got.Err)
	}
	if took := time.Since(start); took != 2500*time.Millisecond {
		t.Errorf("stopped after %v", took)
	}
	over(t, o)
}

func deadline(t *testing.T, o Opened) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	got := Collect(t, ctx, o.Model, Question())
	if !errors.Is(got.Err, context.DeadlineExceeded) || llm.KindOf(got.Err) != "" {
		t.Errorf("error %v, want the context's own", got.Err)
	}
	over(t, o)
}

func endedContext(t *testing.T, o Opened) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := Collect(t, ctx, o.Model, Question())
	if !errors.Is(got.Err, context.Canceled) || got.Text != "" {
		t.Errorf("text %q, error %v", got.Text, got.Err)
	}
	over(t, o)
}

func slowConsumer(t *testing.T, o Opened) {
	text := ""
	for d, err := range o.Model.Stream(t.Context(), Question()) {
		if err != nil {
			t.Fatal(err)
		}
		text += d.Text
		time.Sleep(2 * FirstToken)
	}
	if text != Reply {
		t.Errorf("text %q", text)
	}
	over(t, o)
}

func twoAtOnce(t *testing.T, o Opened) {
	var results [2]Result
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = Collect(t, t.Context(), o.Model, Question()) })
	}
	wg.Wait()
	for _, r := range results {
		if r.Err != nil || r.Text != Reply {
			t.Errorf("text %q, error %v", r.Text, r.Err)
		}
	}
	synctest.Wait()
	over(t, o)
}

func again(t *testing.T, o Opened) {
	seq := o.Model.Stream(t.Context(), Question())
	for range 2 {
		text := ""
		for d, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			text += d.Text
		}
		if text != Reply {
			t.Errorf("text %q", text)
		}
	}
	over(t, o)
}

func unchanged(t *testing.T, o Opened) {
	r := Question()
	r.Prefill = "Well, "
	r.Stop = []string{"\nUser:"}
	backing := append(r.Messages, llm.Message{Text: "beyond the end"})
	r.Messages = backing[:2]
	Collect(t, t.Context(), o.Model, r)
	if backing[2].Text != "beyond the end" || r.Stop[0] != "\nUser:" || r.Messages[1].Text != "Hello there" {
		t.Errorf("request is now %+v", r)
	}
}
