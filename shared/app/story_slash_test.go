package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"tsumugi/shared/app"
	"tsumugi/shared/command"
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
func opens(sim *simdiscord.Server, d *door, p app.Ports) error {
	h, err := app.NewInteractions(p, sim.PublicKey())
	if err != nil {
		return err
	}
	d.Handler = h
	var specs []map[string]any
	for _, s := range command.Specs() {
		one := map[string]any{"name": s.Name, "description": s.Description, "contexts": []int{0}}
		if s.DMs {
			one["contexts"] = []int{0, 1}
		}
		if s.Needs != 0 {
			one["default_member_permissions"] = s.Needs
		}
		specs = append(specs, one)
	}
	if err := ask(sim, http.MethodPut, "/applications/"+sim.State().Application.ID+"/commands", specs); err != nil {
		return err
	}
	return ask(sim, http.MethodPatch, "/applications/@me", map[string]string{"interactions_endpoint_url": "http://127.0.0.1:9" + app.InteractionsPath})
}

// ask makes a call of the bot's, as the registrar does.
func ask(sim *simdiscord.Server, method, path string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, "http://127.0.0.1/api/v10"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bot simulated")
	r.Header.Set("Content-Type", "application/json")
	resp, err := sim.Direct().RoundTrip(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: status %d, %s (%v)", method, path, resp.StatusCode, said, err)
	}
	return nil
}

// slash lets somebody use a command in the story's channel. It is answered in time, whatever else happens.
func (w *world) slash(ctx context.Context, user, name string) error {
	if w.door.Handler == nil {
		if err := opens(w.sim, w.door, app.Ports{KV: w.store, Queues: w.queues}); err != nil {
			return err
		}
	}
	out, err := w.sim.Interact(ctx, simdiscord.Invocation{Kind: "command", User: user, Channel: w.home, Command: name})
	if err == nil && out.State != "answered" {
		err = fmt.Errorf("/%s by %s came to %+v", name, user, out)
	}
	return err
}
