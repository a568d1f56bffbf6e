package app_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	"tsumugi/shared/llm"
	simdiscord "tsumugi/shared/sim/discord"
)

// door carries what the simulator posts to the endpoint of interactions, without a network.
type door struct{ http.Handler }

// RoundTrip lets the endpoint answer.
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

// opens registers the commands and lets the simulator post interactions to the door, which it proves first.
func opens(ctx context.Context, sim *simdiscord.Server, d *door, rest *discord.Client, p app.Ports) (err error) {
	if d.Handler, err = app.NewInteractions(p, sim.PublicKey()); err != nil {
		return err
	}
	if err := rest.SetCommands(ctx, sim.State().Application.ID, command.Specs()); err != nil {
		return err
	}
	return rest.SetInteractionsURL(ctx, "http://127.0.0.1:9"+app.InteractionsPath)
}

// opens lets the simulator post interactions to workers that may die.
func (w *world) opens(ctx context.Context) error {
	if w.mortal != nil {
		return nil
	}
	quiet := discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10", HTTPClient: &http.Client{Transport: w.sim.Direct()}})
	if err := opens(ctx, w.sim, w.door, quiet, w.ready); err != nil {
		return err
	}
	w.mortal = w.door.Handler
	w.door.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		inv := &invocation{name: "interactions"}
		ctx, end := w.live(r.Context(), inv)
		defer end()
		answer := httptest.NewRecorder()
		w.mortal.ServeHTTP(answer, r.WithContext(ctx))
		if inv.dead.Load() { // nobody hears what it wanted to say
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		maps.Copy(rw.Header(), answer.Header())
		rw.WriteHeader(answer.Code)
		_, _ = rw.Write(answer.Body.Bytes())
	})
	return nil
}

// slash lets somebody use a command in the story's channel. It is answered in time, whatever else happens.
func (w *world) slash(ctx context.Context, user, name string) error {
	if err := w.receives(ctx); err != nil {
		return err
	}
	out, err := w.sim.Interact(ctx, simdiscord.Invocation{Kind: "command", User: user, Channel: w.home, Command: name})
	if err == nil && out.State != "answered" {
		err = fmt.Errorf("/%s by %s came to %+v", name, user, out)
	}
	return err
}

// receives lets the simulator post interactions to a function that nothing happens to.
func (w *world) receives(ctx context.Context) error {
	if w.door.Handler != nil {
		return nil
	}
	quiet := discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10", HTTPClient: &http.Client{Transport: w.sim.Direct()}})
	return opens(ctx, w.sim, w.door, quiet, app.Ports{KV: w.store, Queues: w.queues})
}

// answers tells that the model's server is there.
func (w *world) answers(context.Context) error { return nil }

// wirePort is the connection to Discord as the commands function reaches it.
type wirePort struct {
	*wire
	w *world
}

// RoundTrip makes a call, which its worker may not outlive.
func (t wirePort) RoundTrip(r *http.Request) (*http.Response, error) {
	return told(r.Context(), t.w.ports, "call discord", func() (*http.Response, error) { return t.wire.RoundTrip(r) })
}

// probes is how a provider is tried: each offers the same two models, to keys that are not wrong.
type probes struct{ w *world }

// Probe tries one.
func (p probes) Probe(ctx context.Context, _, key, model string) (command.Probed, error) {
	return told(ctx, p.w.ports, "probe", func() (command.Probed, error) {
		if strings.Contains(key, "wrong") {
			return command.Probed{}, &llm.Error{Kind: llm.Unauthorized, Status: http.StatusUnauthorized}
		}
		return command.Probed{Models: []string{"m-1", "m-2"}, Model: cmp.Or(model, "m-1"), Took: time.Second}, nil
	})
}
