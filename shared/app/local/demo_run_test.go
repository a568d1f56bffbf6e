//go:build unix

package local_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// spoken are the bot's messages in a channel.
func (i *instance) spoken(channel string) (texts []string) {
	texts, _ = i.spokenBy(channel)
	return texts
}

// spokenBy tells their names as well.
func (i *instance) spokenBy(channel string) (texts, names []string) {
	i.t.Helper()
	var all []struct {
		Content string
		Author  struct {
			Bot      bool
			Username string
		}
	}
	if err := json.Unmarshal([]byte(i.read(channel)), &all); err != nil {
		i.t.Fatal(err)
	}
	for _, m := range all {
		if m.Author.Bot {
			texts, names = append(texts, m.Content), append(names, m.Author.Username)
		}
	}
	return texts, names
}

// What the first minute of a new installation shows: a greeting, a persona interrupted, one that remembers, and two that
// answer one after the other, each saying whose words it has.
func TestTheFirstMinute(t *testing.T) {
	w := newWorld(t, open())
	i := launch(t, map[string]string{"TSUMUGI_DATA": w.data, "TSUMUGI_ADDR": "127.0.0.1:0"})
	i.until("ready", `"msg":"ready"`)
	ended := 0
	turns := func(n int, what string) {
		ended += n
		eventually(t, recovery, what, func() bool { return i.ends() >= ended })
	}
	heard := func(channel string, n int, has string) {
		t.Helper()
		texts := i.spoken(channel)
		if len(texts) != n || !strings.Contains(texts[n-1], has) {
			t.Errorf("%s: got %q, want %d messages and %q in the last", channel, texts, n, has)
		}
	}

	i.say("ledger", "ana", "My name is Ana. I like rain, and my cat is called Soot.")
	i.say("ferry", "ben", "What became of the herring?")
	eventually(t, soon, "Fenn speaks", func() bool { return len(i.spoken("ferry")) == 1 })
	i.say("ferry", "ben", "stop")
	turns(2, "Fenn said that he stopped, Quill entered")
	heard("ferry", 2, "")
	if _, names := i.spokenBy("ferry"); names[1] != "Fenn" {
		t.Errorf("the ferry was spoken on by %q", names)
	}
	if tale := i.spoken("ferry")[0]; len(tale) > 700 {
		t.Errorf("Fenn was not interrupted: %q", tale)
	}
	i.say("ledger", "ana", "What do you know about me?")
	i.say("lounge", "chiyo", "Hello!")
	i.say("hall", "chiyo", "Mira and Quill, thank you")
	turns(4, "all four answers")
	heard("ledger", 2, "our cat is called Soot.")
	heard("lounge", 1, "")
	heard("hall", 2, "")
	if _, names := i.spokenBy("hall"); names[0] == "Mira" || names[1] != "Quill" { // Mira has the account's own
		t.Errorf("the hall was spoken in by %q", names)
	}
}
