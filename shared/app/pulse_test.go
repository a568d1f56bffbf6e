package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

// A relay says how it is: at once when a shard is ready, every twenty seconds, and at the end that it left or why it is parked.
func TestListenSaysHowItIs(t *testing.T) {
	hush(t)
	for name, token := range map[string]string{"at work": "simulated", "refused": "another"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{Token: "simulated", MessageContentEnabled: true, Shards: 2, MaxConcurrency: 1}))
				pipe := simdiscord.NewInproc()
				server := &http.Server{Handler: sim}
				served := make(chan error, 1)
				go func() { served <- server.Serve(pipe) }()
				transport := pipe.Transport()
				var lines bytes.Buffer
				ports := app.Ports{KV: kvtest.Memory(), Queues: queuetest.Memory(50), Metrics: &lines}
				health := func() chat.Health {
					h, err := store.NewVitals(ports.KV).Health(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					return h
				}
				g := &discord.Gateway{MessageContent: true, Relays: app.NewRelays(ports, token), Dial: pipe.Dial,
					REST: discord.New(discord.Options{Token: token, BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})}
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() {
					ended <- app.Listen(ctx, g, ports, app.Listening{Settings: app.Settings(token, g)})
				}()
				time.Sleep(3 * time.Second)
				if h := health(); token == "simulated" && (h.Ready != 1 || h.Of != 2 || h.Owner == "" || h.Version != app.Version) {
					t.Errorf("with one shard of two it says %+v", h)
				}
				time.Sleep(5 * time.Minute)
				if h := health(); token == "simulated" && (h.Ready != 2 || h.Silent(time.Now()) > chat.HealthEvery) {
					t.Errorf("after five minutes it says %+v", h)
				}
				stop()
				err := <-ended
				h := health()
				if refused := token != "simulated"; (err != nil) != refused || h.Left == refused || (h.Parked != nil) != refused {
					t.Errorf("ended with %v, and said %+v", err, h)
				}
				if p := h.Parked; p != nil && (!strings.Contains(p.Why, "4004") || p.Fix == "" || p.Settings != app.Settings(token, g) || time.Since(p.Since) < 4*time.Minute) {
					t.Errorf("it is parked as %+v", p)
				}
				time.Sleep(time.Minute)
				measured(t, ports, &lines, h)

				transport.CloseIdleConnections()
				sim.Close()
				server.Close()
				pipe.Close()
				<-served
			})
		})
	}
}

// measured lets the sweeper measure the relay's health.
func measured(t *testing.T, ports app.Ports, lines *bytes.Buffer, h chat.Health) {
	t.Helper()
	if err := app.NewSweeper(ports)(t.Context()); err != nil {
		t.Fatal(err)
	}
	var m struct {
		Silent float64 `json:"relay_silent_s"`
		Parked float64 `json:"relay_parked"`
	}
	if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	if (m.Parked == 1) != (h.Parked != nil) || m.Silent < 60 || m.Silent > 420 {
		t.Errorf("measured %s of %+v", lines, h)
	}
}

func TestSettingsTellNoToken(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []string{
		app.Settings("token", &discord.Gateway{}), app.Settings("other", &discord.Gateway{}),
		app.Settings("token", &discord.Gateway{MessageContent: true}), app.Settings("token", &discord.Gateway{Shards: 2}),
	} {
		if seen[s] || len(s) != 12 {
			t.Errorf("%q is no fingerprint", s)
		}
		seen[s] = true
	}
}
