package app

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync"

	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/outbound"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/turn"
)

// mostModels is how many servers' models are kept ready.
const mostModels = 256

// Reach makes the model at an address that people named. current gives the key for the context of a request, as openai.Options
// wants it.
type Reach func(address string, current func(ctx context.Context, refused string) (string, error)) (llm.Model, error)

// Guarded reaches models through the guard, for nobody knows where an address leads, and through what else there is; nil for
// nothing.
func Guarded(g *outbound.Guard, through func(http.RoundTripper) http.RoundTripper) Reach {
	return func(address string, current func(context.Context, string) (string, error)) (llm.Model, error) {
		return openai.New(openai.Options{BaseURL: address, Current: current, HTTPClient: g.Client(), Through: through})
	}
}

// voices are the models of all guilds. One for each address is kept, with what it has learned of its server and its connections;
// the key comes with each request.
type voices struct {
	own    turn.Voice
	sealer guild.Sealer
	guard  *outbound.Guard
	reach  Reach

	mu     sync.Mutex
	models map[string]llm.Model
}

func (p Ports) voices() *voices {
	return &voices{own: p.Voice, sealer: p.Sealer, guard: p.Outbound, reach: p.Reach, models: map[string]llm.Model{}}
}

// Provider is the word for who serves the model.
func (v *voices) Provider(p *guild.Provider) string {
	if p == nil {
		return v.own.Provider
	}
	return openai.Provider(p.URL)
}

// For is the voice of a guild's provider.
func (v *voices) For(ctx context.Context, id string, p *guild.Provider) (turn.Voice, error) {
	if p == nil {
		if v.own.Model == nil {
			return v.own, turn.ErrNoVoice
		}
		return v.own, nil
	}
	voice := turn.Voice{Name: p.Model, Provider: v.Provider(p)}
	if err := v.guard.Check(p.URL); err != nil {
		return voice, fmt.Errorf("%w: %w", turn.ErrAddress, err)
	}
	key := ""
	if len(p.Key) > 0 {
		var err error
		if key, err = v.sealer.Open(ctx, guild.KeyContext(id, p.Name), p.Key); err != nil {
			return voice, fmt.Errorf("key of a provider: %w", err)
		}
	}
	model, err := v.model(p.URL)
	if err != nil {
		return voice, fmt.Errorf("%w: %w", turn.ErrAddress, err)
	}
	voice.Model = keyed{model, key}
	return voice, nil
}

// model is the one at an address.
func (v *voices) model(address string) (llm.Model, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if m := v.models[address]; m != nil {
		return m, nil
	}
	m, err := v.reach(address, keyOf)
	if err != nil {
		return nil, err
	}
	if len(v.models) >= mostModels {
		clear(v.models) // who is asked again is made again
	}
	v.models[address] = m
	return m, nil
}

// keyed is a model with the key of one guild.
type keyed struct {
	llm.Model
	key string
}

type keyOfRequest struct{}

func keyOf(ctx context.Context, _ string) (string, error) {
	key, _ := ctx.Value(keyOfRequest{}).(string)
	return key, nil
}

// Stream asks the model with the key.
func (k keyed) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		for d, err := range k.Model.Stream(context.WithValue(ctx, keyOfRequest{}, k.key), r) {
			if outbound.AsRefused(err) != nil { // only the name's address told
				err = errors.Join(turn.ErrAddress, err)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
