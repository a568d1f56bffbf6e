package discord_test

import (
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bwmarrin/discordgo"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestEndpointMustProveItself: Discord believes in an endpoint that answers a PING and refuses a wrong signature, and in no other.
func TestEndpointMustProveItself(t *testing.T) {
	w := open(t, simdiscord.Options{})
	key, err := hex.DecodeString(w.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	pong := func(w http.ResponseWriter, kind string, status int, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
	var handler atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.Load().(func(http.ResponseWriter, *http.Request, bool))(w, r, discordgo.VerifyInteraction(r, key))
	}))
	defer server.Close()
	checked := func(kind string, status int, body string) func(http.ResponseWriter, *http.Request, bool) {
		return func(w http.ResponseWriter, _ *http.Request, good bool) {
			if !good {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			pong(w, kind, status, body)
		}
	}
	const json = "application/json"
	for name, c := range map[string]struct {
		handler func(http.ResponseWriter, *http.Request, bool)
		url     string
		want    string
	}{
		"right": {checked(json, 200, `{"type":1}`), server.URL, ""},
		"no check of signatures": {func(w http.ResponseWriter, _ *http.Request, _ bool) { pong(w, json, 200, `{"type":1}`) }, server.URL,
			"interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"refuses all":      {checked(json, 401, ``), server.URL, "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"another type":     {checked(json, 200, `{"type":4}`), server.URL, "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"no content type":  {checked("text/plain", 200, `{"type":1}`), server.URL, "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"204":              {checked(json, 204, ``), server.URL, "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"no URL":           {checked(json, 200, `{"type":1}`), "nowhere", "interactions_endpoint_url URL_TYPE_INVALID_URL"},
		"another machine":  {checked(json, 200, `{"type":1}`), "http://192.0.2.1/x", "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"nobody is there":  {checked(json, 200, `{"type":1}`), "http://127.0.0.1:1/", "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
		"sends one around": {func(w http.ResponseWriter, r *http.Request, _ bool) { http.Redirect(w, r, "/", http.StatusFound) }, server.URL, "interactions_endpoint_url APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID"},
	} {
		handler.Store(c.handler)
		if a := w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":null}`); a.status != 200 {
			t.Fatalf("removed: %d", a.status)
		}
		a := w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"`+c.url+`"}`)
		kept := w.rest("GET", "/applications/@me", "").field("interactions_endpoint_url")
		if got := a.complaint(); got != c.want || (kept == c.url) != (c.want == "") {
			t.Errorf("%s: %d %q, want %q; kept %q", name, a.status, got, c.want, kept)
		}
	}
	handler.Store(checked(json, 200, `{"type":1}`))
	w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"`+server.URL+`"}`)
	if err := w.Recheck(t.Context()); err != nil {
		t.Errorf("a good endpoint: %v", err)
	}
	handler.Store(func(w http.ResponseWriter, _ *http.Request, _ bool) { pong(w, json, 200, `{"type":1}`) })
	if err := w.Recheck(t.Context()); err == nil || w.rest("GET", "/applications/@me", "").field("interactions_endpoint_url") != "null" {
		t.Errorf("an endpoint that stopped checking stays: %v", err)
	}
}

// TestApplicationEdit: all of an edit is taken over or nothing.
func TestApplicationEdit(t *testing.T) {
	w := open(t, simdiscord.Options{})
	for name, c := range map[string]struct{ body, want string }{
		"text and tags":    {`{"description":"tells","tags":["a","b"],"custom_install_url":"https://example.invalid/"}`, ""},
		"six tags":         {`{"description":"no","tags":["a","b","c","d","e","f"]}`, "tags BASE_TYPE_MAX_LENGTH"},
		"a tag of 21":      {`{"tags":["` + strings.Repeat("t", 21) + `"]}`, "tags.0 BASE_TYPE_BAD_LENGTH"},
		"description":      {`{"description":"` + strings.Repeat("t", 401) + `"}`, "description BASE_TYPE_MAX_LENGTH"},
		"no link":          {`{"custom_install_url":"x"}`, "custom_install_url URL_TYPE_INVALID_URL"},
		"a flag of others": {`{"description":"no","flags":2}`, "flags APPLICATION_FLAGS_INVALID"},
		"no picture":       {`{"icon":"x"}`, "icon BASE_TYPE_CONVERT"},
		"an intent":        {`{"flags":524288}`, ""},
		"a picture":        {`{"icon":"data:image/png;base64,AA=="}`, ""},
	} {
		if a := w.rest("PATCH", "/applications/@me", c.body); a.complaint() != c.want {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	got := w.rest("GET", "/applications/@me", "")
	if got.field("description") != "tells" || got.field("tags.0") != "a" || got.field("flags") != "524288" || len(got.field("icon")) != 32 {
		t.Errorf("application %s", got.text)
	}
}

// TestARefusedEditSwitchesNothing: an edit that is refused for a later field leaves the message content intent as it was.
func TestARefusedEditSwitchesNothing(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	a := w.rest("PATCH", "/applications/@me", `{"flags":0,"icon":"x"}`)
	if flags := w.rest("GET", "/applications/@me", "").field("flags"); a.complaint() != "icon BASE_TYPE_CONVERT" || flags != "524288" {
		t.Errorf("%d %s, flags %s", a.status, a.text, flags)
	}
	a = w.rest("PATCH", "/applications/@me", `{"flags":0}`)
	if flags := w.rest("GET", "/applications/@me", "").field("flags"); a.status != 200 || flags != "0" {
		t.Errorf("switched off: %d %s, flags %s", a.status, a.text, flags)
	}
}
