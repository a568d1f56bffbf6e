package openai_test

import (
	"slices"
	"testing"

	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
)

func open(t *testing.T, name string) llmtest.Opened {
	s := model.New(model.Options{Script: model.Trap(name)})
	hc := llmtest.Serve(t, s)
	if name == "connection_refused" {
		hc = llmtest.Refuse()
	}
	c, err := openai.New(openai.Options{BaseURL: "http://model.example/v1", Key: "sk-secret", Model: "test", HTTPClient: hc,
		FirstToken: llmtest.FirstToken, Idle: llmtest.Idle})
	if err != nil {
		t.Fatal(err)
	}
	return llmtest.Opened{Model: c, Live: s.Live}
}

func TestClientIsAModel(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{Open: open})
}

// A situation without its trap would meet an empty script and could pass for the wrong reason; a trap without its situation
// would be tested by nobody.
func TestEverySituationHasItsTrap(t *testing.T) {
	situations := map[string]bool{llmtest.Endless: true, llmtest.Silent: true}
	traps := model.Traps()
	for _, name := range llmtest.Situations() {
		situations[name] = true
		if name != "connection_refused" && !slices.Contains(traps, name) {
			t.Errorf("situation %s has no trap", name)
		}
	}
	for _, name := range traps {
		if !situations[name] {
			t.Errorf("trap %s has no situation", name)
		}
	}
}
