package discord_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// kept opens a simulated Discord on the file.
func kept(t *testing.T, path string) *simdiscord.Server {
	t.Helper()
	s := simdiscord.New(discordtest.Watch(t, simdiscord.Options{NoLimits: true}))
	t.Cleanup(s.Close)
	if err := s.Keep(path); err != nil {
		t.Fatal(err)
	}
	return s
}

// shown is what a reader can tell of a channel.
func shown(s *simdiscord.Server, channel string) []string {
	var all []string
	for _, m := range s.AllMessages(channel) {
		line := m.ID + " " + *m.Author.GlobalName + ": " + m.Content
		if m.Deleted {
			line += " (deleted)"
		}
		for _, e := range m.Edits {
			line += " was " + e.Content
		}
		if r := m.ReferencedMessage; r != nil && r.Message != nil {
			line += " to " + r.Message.Content
		}
		all = append(all, line)
	}
	return all
}

func TestKeepOutlivesTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "discord.jsonl")
	a := kept(t, path)
	one := a.Say("lounge", "ana", "one")
	gone := a.Say("lounge", "ben", "two")
	if _, err := a.Post("lounge", simdiscord.Saying{Author: "ben", Content: "three", ReplyTo: one.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Edit("lounge", one.ID, "one, better"); err != nil {
		t.Fatal(err)
	}
	if err := a.Delete("lounge", gone.ID); err != nil {
		t.Fatal(err)
	}
	a.Say("dm:ana", "ana", "only you")
	mine := create(t, a, "lounge", `{"content":"hello","nonce":"n1","enforce_nonce":true}`)

	// The process dies in the middle of a line: nothing is closed, and half a line stands at the end.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"message":{"id":"9`); err != nil {
		t.Fatal(err)
	}
	f.Close()

	for range 2 { // the second start reads what the first has shortened
		b := kept(t, path)
		for _, channel := range []string{"lounge", "hall", "dm:ana"} {
			if got, want := shown(b, channel), shown(a, channel); !slices.Equal(got, want) {
				t.Errorf("%s:\n got %q\nwant %q", channel, got, want)
			}
		}
		if again := create(t, b, "lounge", `{"content":"hello","nonce":"n1","enforce_nonce":true}`); again != mine {
			t.Errorf("the nonce is forgotten: %s, was %s", again, mine)
		}
		b.Close()
	}
	c := kept(t, path)
	if next := c.Say("lounge", "ana", "next"); next.ID <= mine {
		t.Errorf("id %s does not come after %s", next.ID, mine)
	}
}

func TestKeepNamesWhatItCannotWrite(t *testing.T) {
	s := simdiscord.New(discordtest.Watch(t, simdiscord.Options{}))
	defer s.Close()
	if err := s.Keep(filepath.Join(t.TempDir(), "missing", "discord.jsonl")); err == nil {
		t.Error("a journal in a directory that does not exist was accepted")
	}
}

// create posts as the bot and returns the message's id.
func create(t *testing.T, s *simdiscord.Server, channel, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"http://127.0.0.1/api/v10/channels/"+s.State().Channel(channel)+"/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bot simulated")
	resp, err := (&http.Client{Transport: s.Direct()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var m struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil || m.ID == "" {
		t.Fatalf("create: status %d, error %v", resp.StatusCode, err)
	}
	return m.ID
}
