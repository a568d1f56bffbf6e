package local

import (
	"context"
	"fmt"

	"tsumugi/shared/app"
	"tsumugi/shared/llm"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/sim/model"
	"tsumugi/shared/turn"
)

// voice is the model that speaks, and what people are told of it.
type voice struct {
	speaks turn.Voice
	told   string // at start
	notice string // on the page

	probe func(context.Context) error // whether something answers at its address
}

// chooseVoice takes the model that is set; else one that a server on this machine offers; else the demo voice.
func chooseVoice(ctx context.Context, cfg app.Config) (voice, error) {
	address, name := cfg.ModelURL, cfg.Model
	if address == "" {
		offered, err := openai.Probe(ctx, cfg.ModelProbe)
		if err != nil || len(offered) == 0 {
			return voice{speaks: turn.Voice{Model: model.Demo(model.HumanPace)}, probe: func(context.Context) error { return nil },
				told:   "No model is configured: a demo voice speaks. Set TSUMUGI_MODEL_URL (and TSUMUGI_MODEL, TSUMUGI_MODEL_KEY) for a real one.",
				notice: "demo voice: no model is configured (set TSUMUGI_MODEL_URL)"}, nil
		}
		address = cfg.ModelProbe
		if name == "" {
			name = openai.ForChat(offered)[0]
		}
	}
	client, err := openai.New(openai.Options{BaseURL: address, Key: cfg.ModelKey, Model: name})
	if err != nil {
		return voice{}, fmt.Errorf("TSUMUGI_MODEL_URL: %w", err)
	}
	probe := func(ctx context.Context) error {
		if _, err := openai.Probe(ctx, address); llm.KindOf(err) == llm.Unreachable {
			return err
		}
		return nil // whatever it answers, it is there
	}
	v := voice{speaks: turn.Voice{Model: client, Name: name, Provider: openai.Provider(address)}, probe: probe, told: fmt.Sprintf("The model is %s at %s.", shown(name), app.Redacted(address))}
	if cfg.ModelURL == "" {
		v.told = fmt.Sprintf("Found a model server on this machine: %s at %s speaks. Set TSUMUGI_MODEL or TSUMUGI_MODEL_URL for another.", shown(name), app.Redacted(address))
	}
	if probe(ctx) != nil {
		v.told += " Nothing answers there now: is it running?"
		v.notice = "model: " + shown(name) + ", but nothing answered at its address when the program started"
		return v, nil
	}
	v.notice = "model: " + shown(name)
	return v, nil
}

func shown(name string) string {
	if name == "" {
		return "the server's own choice"
	}
	return name
}
