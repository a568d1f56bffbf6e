package discord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	simdiscord "tsumugi/shared/sim/discord"
)

// TestOutsideVerifier: Discord's own library judges the same requests, and takes exactly those that are signed; of what is
// signed we refuse what is no interaction, and what was signed at another time.
func TestOutsideVerifier(t *testing.T) {
	dir := os.Getenv("DISCORD_TEST_MODULES")
	if dir == "" {
		t.Skip("DISCORD_TEST_MODULES does not name a node_modules: .ci/conform installs one and runs this test")
	}
	cases := signatures()
	names := slices.Sorted(maps.Keys(cases))
	args := []string{filepath.Join("..", "sim", "discord", "testdata", "verifykey.cjs"), dir, publicKey()}
	for _, name := range names {
		text, err := json.Marshal(cases[name].posted)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, string(text))
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, err := exec.CommandContext(ctx, "node", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(names) {
		t.Fatalf("%d verdicts on %d requests", len(lines), len(names))
	}
	for n, name := range names {
		c := cases[name]
		if want := fmt.Sprintf(`"good":%t}`, c.theirs); !strings.HasSuffix(lines[n], want) {
			t.Errorf("%s: they say %s, want %s", name, lines[n], want)
		}
		if c.status == 200 && !c.theirs {
			t.Errorf("%s: taken here, and refused by Discord's own library", name)
		}
	}
}

// registered is the body with which commands are registered, as it left.
func registered(t *testing.T, specs []chat.CommandSpec) (body json.RawMessage) {
	t.Helper()
	seen := simdiscord.Options{Observe: func(x simdiscord.Exchange) {
		if x.Method == http.MethodPut {
			body = x.Sent
		}
	}}
	bubble(t, seen, func(t *testing.T, w *world) {
		if err := w.client.SetCommands(t.Context(), w.State().Application.ID, specs); err != nil {
			t.Error(err)
		}
	})
	return body
}

// TestOutsideBuilders: the builders of discord.js, which check lengths, names, counts and languages, build the same commands and
// answers as we do.
func TestOutsideBuilders(t *testing.T) {
	dir := os.Getenv("DISCORD_TEST_MODULES")
	if dir == "" {
		t.Skip("DISCORD_TEST_MODULES does not name a node_modules: .ci/conform installs one and runs this test")
	}
	var all struct {
		Commands []json.RawMessage `json:"commands"`
		Answers  []json.RawMessage `json:"answers"`
	}
	for _, body := range []json.RawMessage{registered(t, []chat.CommandSpec{whole()}), registered(t, command.Specs())} {
		var some []json.RawMessage
		if err := json.Unmarshal(body, &some); err != nil {
			t.Fatal(err)
		}
		all.Commands = append(all.Commands, some...)
	}
	menus := chat.Answer{Text: "x", Rows: []chat.ActionRow{
		{Menu: &chat.Menu{ID: "r", Of: chat.OfRoles, Chosen: []string{"132271575138304000"}, Min: -1, Max: 20}},
		{Menu: &chat.Menu{ID: "c", Of: chat.OfChannels, Chosen: []string{"132271575138304000"}, Channels: []int{0, 5}, Hint: "Which?"}},
		{Buttons: []chat.Button{{ID: "b", Label: "Go", Style: chat.Danger, Off: true}, {URL: "https://discord.com/x", Label: "There"}}},
	}}
	all.Answers = append(all.Answers, json.RawMessage(answered(t, 2, menus)), json.RawMessage(answered(t, 2, chat.Answer{Deferred: true, Ephemeral: true})))
	for kind, a := range tooMuch() {
		if kind != 4 { // which no builder is for
			all.Answers = append(all.Answers, json.RawMessage(answered(t, kind, a)))
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	node := exec.CommandContext(ctx, "node", filepath.Join("testdata", "builders.cjs"), dir)
	node.Stdin = bytes.NewReader(text)
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if want := len(all.Commands) + len(all.Answers); len(lines) != want {
		t.Fatalf("%d verdicts on %d things", len(lines), want)
	}
	for _, line := range lines {
		var verdict struct{ What, Wrong string }
		if err := json.Unmarshal([]byte(line), &verdict); err != nil || verdict.Wrong != "" {
			t.Errorf("%s: %.2000s, %v", verdict.What, verdict.Wrong, err)
		}
	}
}
