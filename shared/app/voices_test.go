package app_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"tsumugi/shared/app"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/outbound"
	"tsumugi/shared/seal/sealtest"
	"tsumugi/shared/sim/model"
	"tsumugi/shared/turn"
)

// providerOf is a provider of a guild, its key sealed for it.
func providerOf(t *testing.T, sealer guild.Sealer, id, address, key string) *guild.Provider {
	t.Helper()
	p := &guild.Provider{Name: "Lab", Kind: "custom", URL: address, Model: "m-" + id}
	if key != "" {
		var err error
		if p.Key, err = sealer.Seal(t.Context(), guild.KeyContext(id, p.Name), key); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// speaks is what a voice says, or why not.
func speaks(ctx context.Context, v turn.Voice) (string, error) {
	var b strings.Builder
	for d, err := range v.Model.Stream(ctx, llm.Request{Model: v.Name, Messages: []llm.Message{{Role: llm.User, Text: "Hello."}}}) {
		if err != nil {
			return b.String(), err
		}
		b.WriteString(d.Text)
	}
	return b.String(), nil
}

// Guilds that share an address share its model, and each is asked with its own key and model.
func TestVoicesOfGuilds(t *testing.T) {
	server := model.New(model.Options{Script: []model.Rule{{Reply: model.Say("Hello.")}}})
	at := httptest.NewServer(server)
	defer at.Close()
	guard, err := outbound.New(outbound.Options{Allow: []string{strings.TrimPrefix(at.URL, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	defer guard.CloseIdleConnections()
	made := 0
	guarded := app.Guarded(guard, nil)
	ports := app.Ports{Sealer: sealtest.Memory(), Outbound: guard, Reach: func(address string, current func(context.Context, string) (string, error)) (llm.Model, error) {
		made++
		return guarded(address, current)
	}}
	voices := ports.Voices()
	for _, c := range []struct{ guild, key string }{{"1", "key-of-one"}, {"2", "key-of-two"}, {"3", ""}, {"1", "key-of-one"}} {
		v, err := voices.For(t.Context(), c.guild, providerOf(t, ports.Sealer, c.guild, at.URL+"/v1", c.key))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := speaks(t.Context(), v); err != nil || text != "Hello." {
			t.Errorf("guild %s: %q, %v", c.guild, text, err)
		}
		all := server.Requests()
		last := all[len(all)-1]
		if got := strings.TrimPrefix(last.Header.Get("Authorization"), "Bearer "); got != c.key || last.Model != "m-"+c.guild {
			t.Errorf("guild %s asked for model %s with key %q", c.guild, last.Model, got)
		}
	}
	if made != 1 {
		t.Errorf("%d models were made for one address", made)
	}
}

func TestVoicesSayWhatPeopleMayMend(t *testing.T) {
	sealer := sealtest.Memory()
	guard, err := outbound.New(outbound.Options{})
	if err != nil {
		t.Fatal(err)
	}
	private := llmtest.NewScripted([]llmtest.Step{{Err: &llm.Error{Kind: llm.Unreachable, Err: fmt.Errorf("dial: %w", guard.Check("https://10.0.0.1/v1"))}}})
	ports := app.Ports{Sealer: sealer, Outbound: guard, Reach: func(string, func(context.Context, string) (string, error)) (llm.Model, error) { return private, nil }}
	voices := ports.Voices()
	if _, err := voices.For(t.Context(), "1", nil); !errors.Is(err, turn.ErrNoVoice) {
		t.Errorf("no model at all: %v", err)
	}
	if _, err := voices.For(t.Context(), "1", providerOf(t, sealer, "2", "https://lab.example/v1", "secret-key")); !errors.Is(err, guild.ErrUnsealable) || strings.Contains(err.Error(), "secret-key") {
		t.Errorf("a key of another guild: %v", err)
	}
	for _, address := range []string{"http://lab.example/v1", "https://127.0.0.1/v1", "https://169.254.169.254/v1", "nonsense"} {
		if _, err := voices.For(t.Context(), "1", providerOf(t, sealer, "1", address, "k")); !errors.Is(err, turn.ErrAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
	v, err := voices.For(t.Context(), "1", providerOf(t, sealer, "1", "https://lab.example/v1", "k"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := speaks(t.Context(), v); !errors.Is(err, turn.ErrAddress) {
		t.Errorf("a name that leads to a private network: %v", err)
	}
}

// A key that cannot be read for now is no reason to tell people anything.
func TestVoicesWaitForTheSealer(t *testing.T) {
	guard, err := outbound.New(outbound.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sealer := sealtest.Memory()
	p := providerOf(t, sealer, "1", "https://lab.example/v1", "k")
	voices := app.Ports{Sealer: sealer, Outbound: guard}.Voices()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := voices.For(ctx, "1", p); err == nil || errors.Is(err, guild.ErrUnsealable) || errors.Is(err, turn.ErrAddress) {
		t.Errorf("%v", err)
	}
}

func TestVoicesProvider(t *testing.T) {
	voices := app.Ports{Voice: turn.Voice{Provider: "bedrock"}}.Voices()
	for address, want := range map[string]string{"": "bedrock", "https://api.deepseek.com/v1": "deepseek", "https://lab.example/v1": "custom"} {
		var p *guild.Provider
		if address != "" {
			p = &guild.Provider{URL: address}
		}
		if got := voices.Provider(p); got != want {
			t.Errorf("%q is served by %s, want %s", address, got, want)
		}
	}
}
