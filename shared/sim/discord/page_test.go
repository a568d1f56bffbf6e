package discord_test

import (
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestExplain passes on what is known of a message, and says so where nothing is.
func TestExplain(t *testing.T) {
	w := open(t, simdiscord.Options{Explain: func(id string) ([]byte, bool) { return []byte(`{"event":"` + id + `"}`), id == "7" }})
	if a := w.sim("GET", "/explain?message=7", ""); a.status != 200 || a.field("event") != "7" || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("known: %d %s", a.status, a.text)
	}
	if a := w.sim("GET", "/explain?message=8", ""); a.status != 404 || a.field("error") == "" {
		t.Errorf("unknown: %d %s", a.status, a.text)
	}
	if a := w.sim("GET", "/state", ""); a.field("explains") != "true" {
		t.Errorf("state %s", a.text)
	}
	w = open(t, simdiscord.Options{})
	if a := w.sim("GET", "/explain?message=7", ""); a.status != 404 || w.State().Explains {
		t.Errorf("nobody explains: %d %s", a.status, a.text)
	}
}

// TestWelcome is part of the state.
func TestWelcome(t *testing.T) {
	w := open(t, simdiscord.Options{Welcome: []simdiscord.Welcome{{Channel: "lounge", Title: "Hello", Text: "Speak.", Try: []string{"hi"}}}})
	if a := w.sim("GET", "/state", ""); a.field("welcome.0.channel") != "lounge" || a.field("welcome.0.try.0") != "hi" {
		t.Errorf("state %s", a.text)
	}
}
