package llmtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
)

func TestScriptedIsAModel(t *testing.T) {
	lacks := map[string]string{}
	for _, name := range llmtest.Situations() {
		if llmtest.Steps(name) == nil {
			lacks[name] = "only a wire or a watchdog has this, and the twin has neither"
		}
	}
	llmtest.Run(t, llmtest.Harness{Lacks: lacks, Open: func(t *testing.T, name string) llmtest.Opened {
		m := llmtest.ScriptedBy(func(int, llm.Request) []llmtest.Step { return script(name) })
		return llmtest.Opened{Model: m, Live: m.Live}
	}})
}

func script(name string) (steps []llmtest.Step) {
	switch name {
	case llmtest.Endless:
		for range 1000 {
			steps = append(steps, llmtest.Step{Pause: time.Second, Text: "tick "})
		}
		return steps
	case llmtest.Silent:
		return []llmtest.Step{{Pause: 1000 * time.Hour}}
	}
	return llmtest.Steps(name)
}

func TestScriptedPlaysInOrderAndRecords(t *testing.T) {
	m := llmtest.NewScripted(llmtest.Say("one"), llmtest.Say("t", "wo"))
	messages := []llm.Message{{Role: llm.User, Text: "first"}}
	if got := llmtest.Collect(t, t.Context(), m, llm.Request{Messages: messages}); got.Text != "one" {
		t.Errorf("first call said %q", got.Text)
	}
	messages[0].Text = "changed by its owner"
	if got := llmtest.Collect(t, t.Context(), m, llm.Request{}); got.Text != "two" {
		t.Errorf("second call said %q", got.Text)
	}
	if got := llmtest.Collect(t, t.Context(), m, llm.Request{}); llm.KindOf(got.Err) != llm.Invalid {
		t.Errorf("third call: %v", got.Err)
	}
	if r := m.Requests(); len(r) != 3 || r[0].Messages[0].Text != "first" {
		t.Errorf("recorded %+v", r)
	}
}

func TestScriptedPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := llmtest.NewScripted([]llmtest.Step{{Pause: time.Minute, Text: "at last"}, {Pause: time.Hour, Done: &llm.Done{Reason: llm.Stopped}}})
		if got := llmtest.Collect(t, t.Context(), m, llm.Request{}); got.Text != "at last" {
			t.Errorf("said %q", got.Text)
		}
		if took := time.Since(start); took != time.Hour+time.Minute {
			t.Errorf("took %v", took)
		}
	})
}
