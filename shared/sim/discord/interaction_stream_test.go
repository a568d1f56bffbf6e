package discord_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestStreamTellsOfInteractions: the page hears of an interaction, its form, and ephemeral messages with whom they are for.
func TestStreamTellsOfInteractions(t *testing.T) {
	a := &app{status: 200, answer: `{"type":4,"data":{"content":"secret","flags":64}}`}
	w := open(t, simdiscord.Options{EndpointTransport: a})
	key, err := hex.DecodeString(w.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	a.key = key
	w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"http://127.0.0.1:9/"}`)
	w.register(`[{"name":"greet","description":"d"}]`)
	resp, err := w.http.Get(w.url + "/sim/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	if first, err := lines.ReadString('\n'); err != nil || first != "retry: 500\n" {
		t.Fatalf("first line %q, %v", first, err)
	}
	next := func() string {
		t.Helper()
		for name := ""; ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if text, is := strings.CutPrefix(line, "event: "); is {
				name = strings.TrimSpace(text)
			}
			if text, is := strings.CutPrefix(line, "data: "); is {
				e := answer{text: []byte(text)}
				return fmt.Sprint(name, " ", e.field("state"), e.field("message.content"), e.field("title"), " to ", e.field("ephemeral_to"), e.field("interaction"))
			}
		}
	}
	ana := w.State().User("ana")
	command := `{"kind":"command","user":"ana","channel":"lounge","command":"greet"}`
	w.sim("POST", "/interactions", command)
	w.withToken("DELETE", a.last(t), "/messages/@original", "")
	a.answers(200, fmt.Sprintf(aModal, inRow(`{"type":4,"style":1,"label":"l","custom_id":"a"}`)))
	opened := w.sim("POST", "/interactions", command)
	if opened.field("modal.interaction") != opened.id() {
		t.Errorf("outcome %s", opened.text)
	}
	for _, want := range []string{"interaction sent to ", "create secret to " + ana, "interaction answered to ", "delete  to " + ana,
		"interaction sent to ", "modal T to " + opened.id(), "interaction answered to "} {
		if got := next(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
