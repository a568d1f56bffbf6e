package app_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

func TestListenGoesOnWithoutMessageContent(t *testing.T) {
	hush(t)
	for name, c := range map[string]struct {
		allowed bool
		token   string
		told    int
		fatal   int // close code; 0 means that it gets ready
	}{
		"intent is allowed": {true, "simulated", 0, 0},
		"intent is missing": {false, "simulated", 1, 0},
		"token is wrong":    {true, "another", 0, 4004},
		"wrong and missing": {false, "another", 0, 4004},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{Token: "simulated", MessageContentEnabled: c.allowed}))
				pipe := simdiscord.NewInproc()
				server := &http.Server{Handler: sim}
				served := make(chan error, 1)
				go func() { served <- server.Serve(pipe) }()
				transport := pipe.Transport()

				ctx, stop := context.WithCancel(t.Context())
				ready := 0
				ports := app.Ports{KV: kvtest.Memory(), Queues: queuetest.Memory(50)}
				g := &discord.Gateway{MessageContent: true, Relays: app.NewRelays(ports, c.token), Dial: pipe.Dial, OnReady: func(discord.User) { ready++; stop() },
					REST: discord.New(discord.Options{Token: c.token, BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})}
				var told []string
				err := app.Listen(ctx, g, ports, app.Listening{Tell: func(fix string) { told = append(told, fix) }})
				stop()

				fatal, refused := errors.AsType[*discord.Fatal](err)
				if refused != (c.fatal != 0) || refused && fatal.Code != c.fatal || !refused && (err != nil || ready != 1) {
					t.Errorf("ended with %v, %d times ready", err, ready)
				}
				if len(told) != c.told || c.told > 0 && !strings.Contains(told[0], "Message Content Intent") {
					t.Errorf("told %q", told)
				}
				transport.CloseIdleConnections()
				sim.Close()
				server.Close()
				pipe.Close()
				<-served
			})
		})
	}
}

// Who ends while the intent is being taken away ends in order: without it Listen would have gone on.
func TestListenEndsWhileTheIntentGoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spool")
	synctest.Test(t, func(t *testing.T) {
		sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{Token: "simulated", MessageContentEnabled: true, Shards: 2}))
		pipe := simdiscord.NewInproc()
		server := &http.Server{Handler: sim}
		served := make(chan error, 1)
		go func() { served <- server.Serve(pipe) }()
		transport := pipe.Transport()
		away := queuetest.NewUnreliable(queuetest.Memory(50), func(queuetest.Call) queuetest.Accident { return queuetest.Before })
		ports := app.Ports{KV: kvtest.Memory(), Queues: away}
		ready := make(chan struct{}, 10)
		g := &discord.Gateway{MessageContent: true, Relays: app.NewRelays(ports, "simulated"), Dial: pipe.Dial,
			OnReady: func(discord.User) { ready <- struct{}{} },
			REST:    discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- app.Listen(ctx, g, ports, app.Listening{File: file}) }()
		<-ready
		sim.Say("lounge", "ana", "for which one shard waits at its end, as long as the queue is away")
		if err := sim.Fault(simdiscord.Fault{Kind: simdiscord.FaultIntentOff}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * time.Second)
		stop()
		if err := <-ended; err != nil {
			t.Errorf("ended with %v", err)
		}
		if len(ready) != 0 || sim.State().Gateway.Identifies != 2 {
			t.Errorf("%+v", sim.State().Gateway)
		}
		transport.CloseIdleConnections()
		sim.Close()
		server.Close()
		pipe.Close()
		<-served
	})
}
