package discord_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

func TestCommandsAreRegistered(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		app, err := w.client.Application(t.Context())
		if err != nil || app.VerifyKey != w.PublicKey() {
			t.Fatalf("%+v, %v", app, err)
		}
		for _, specs := range [][]chat.CommandSpec{
			{{Name: "stop", Description: "Stop", DMs: true}, {Name: "kill", Description: "Kill", Needs: chat.ManageMessages,
				Options: []chat.OptionSpec{{Name: "why", Description: "Why", Kind: chat.OptionText, Required: true}, {Name: "sure", Description: "Sure", Kind: chat.OptionYesNo}}}},
			{},
		} {
			if err := w.client.SetCommands(t.Context(), app.ID, specs); err != nil {
				t.Error(err)
			}
			var sent []struct {
				Name     string            `json:"name"`
				Needs    *chat.Permissions `json:"default_member_permissions"`
				Contexts []int             `json:"contexts"`
				Options  []struct{ Type int }
			}
			calls := w.Calls()
			if err := json.Unmarshal(calls[len(calls)-1].Body, &sent); err != nil || sent == nil || len(sent) != len(specs) {
				t.Fatalf("sent %+v, %v", sent, err)
			}
			if len(sent) == 0 {
				continue
			}
			stop, kill := sent[0], sent[1]
			if stop.Needs != nil || len(stop.Contexts) != 2 || *kill.Needs != chat.ManageMessages || len(kill.Contexts) != 1 || len(kill.Options) != 2 || kill.Options[1].Type != 5 {
				t.Errorf("sent %+v", sent)
			}
		}
		if err := w.client.SetCommands(t.Context(), "../guilds/1", nil); chat.FailureOf(err) != chat.Rejected {
			t.Errorf("an application of another name: %v", err)
		}
		err = w.client.SetCommands(t.Context(), app.ID, []chat.CommandSpec{{Name: "Not A Name", Description: "x"}})
		if chat.FailureOf(err) != chat.Rejected || discord.Unproven(err) {
			t.Errorf("a name that is none: %v", err)
		}
	})
}

// whole is a command with every part that one can have.
func whole() chat.CommandSpec {
	ja := map[string]string{"ja": "訳"}
	return chat.CommandSpec{Name: "persona", Description: "Personas", Local: ja, Needs: chat.ManageGuild, Options: []chat.OptionSpec{
		{Name: "create", Description: "New", Local: ja, Kind: chat.SubCommand, Options: []chat.OptionSpec{
			{Name: "kind", Description: "Which", Local: ja, Kind: chat.OptionText, Choices: []chat.ChoiceSpec{{Name: "Main", Local: ja, Value: "main"}, {Name: "Alter", Value: "alter"}}},
			{Name: "name", Description: "Name", Kind: chat.OptionText, Required: true, Min: 1, Max: 32},
			{Name: "about", Description: "About", Kind: chat.OptionText, Min: 3},
			{Name: "like", Description: "Like", Kind: chat.OptionText, Completes: true},
			{Name: "limit", Description: "Limit", Kind: chat.OptionNumber, Min: -5, Max: 0},
			{Name: "size", Description: "Size", Kind: chat.OptionNumber, Choices: []chat.ChoiceSpec{{Name: "Large", Value: "9007199254740991"}}},
			{Name: "where", Description: "Where", Kind: chat.OptionPlace, Channels: []int{0, 5}},
			{Name: "role", Description: "Role", Kind: chat.OptionRole}, {Name: "face", Description: "Face", Kind: chat.OptionFile}, {Name: "sure", Description: "Sure", Kind: chat.OptionYesNo},
		}},
		{Name: "list", Description: "All", Kind: chat.SubCommand},
	}}
}

// TestAWholeCommandIsRegistered holds every part that a command can have to Discord's description, and to what the words meant.
func TestAWholeCommandIsRegistered(t *testing.T) {
	const want = `[{"type":1,"name":"persona","description":"Personas","description_localizations":{"ja":"訳"},"options":[` +
		`{"type":1,"name":"create","description":"New","description_localizations":{"ja":"訳"},"options":[` +
		`{"type":3,"name":"name","description":"Name","required":true,"min_length":1,"max_length":32},` +
		`{"type":3,"name":"kind","description":"Which","description_localizations":{"ja":"訳"},"choices":[{"name":"Main","name_localizations":{"ja":"訳"},"value":"main"},{"name":"Alter","value":"alter"}]},` +
		`{"type":3,"name":"about","description":"About","min_length":3},` +
		`{"type":3,"name":"like","description":"Like","autocomplete":true},` +
		`{"type":4,"name":"limit","description":"Limit","min_value":-5,"max_value":0},` +
		`{"type":4,"name":"size","description":"Size","choices":[{"name":"Large","value":9007199254740991}]},` +
		`{"type":7,"name":"where","description":"Where","channel_types":[0,5]},` +
		`{"type":8,"name":"role","description":"Role"},{"type":11,"name":"face","description":"Face"},{"type":5,"name":"sure","description":"Sure"}]},` +
		`{"type":1,"name":"list","description":"All"}],"default_member_permissions":32,"contexts":[0],"integration_types":[0]}]`
	if got := string(registered(t, []chat.CommandSpec{whole()})); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestOurCommandsAreTaken registers those that there are: the simulated Discord refuses what is over Discord's limits (100 commands,
// 25 options and choices, 8,000 characters a command with its longest translations), and discordtest what is not of its form.
func TestOurCommandsAreTaken(t *testing.T) {
	var sent []struct{ Name string }
	if err := json.Unmarshal(registered(t, command.Specs()), &sent); err != nil || len(sent) != len(command.Specs()) || len(sent) == 0 {
		t.Errorf("%d are registered, %v", len(sent), err)
	}
}

func TestInteractionsURLIsProven(t *testing.T) {
	here, handler := true, http.Handler(nil)
	reach := tripper(func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		if here {
			handler.ServeHTTP(rec, r)
		} else {
			rec.WriteHeader(http.StatusBadGateway)
		}
		return rec.Result(), nil
	})
	bubble(t, simdiscord.Options{EndpointTransport: reach}, func(t *testing.T, w *world) {
		var err error
		if handler, err = discord.NewEndpoint(w.PublicKey(), nil); err != nil {
			t.Fatal(err)
		}
		const address = "http://localhost/interactions"
		is := func(want string) {
			t.Helper()
			if app, err := w.client.Application(t.Context()); err != nil || app.InteractionsURL != want {
				t.Errorf("the endpoint is %q, %v", app.InteractionsURL, err)
			}
		}
		here = false
		if err := w.client.SetInteractionsURL(t.Context(), address); !discord.Unproven(err) || chat.FailureOf(err) != chat.Rejected {
			t.Errorf("an endpoint that is away: %v", err)
		}
		is("")
		here = true
		if err := w.client.SetInteractionsURL(t.Context(), address); err != nil {
			t.Error(err)
		}
		is(address)
		here = false
		if err := w.client.SetInteractionsURL(t.Context(), ""); err != nil {
			t.Error(err)
		}
		is("")
	})
	if discord.Unproven(errors.New("other")) || discord.Unproven(nil) {
		t.Error("any error is taken for it")
	}
}

// tripper is a function as http.RoundTripper.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
