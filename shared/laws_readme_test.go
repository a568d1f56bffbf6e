package shared_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

var update = flag.Bool("update", false, "rewrite the list of commands in README.md")

// The marks around the list of commands.
const (
	listBegins = "<!-- The list of commands is made from the code: make golden -->\n"
	listEnds   = "<!-- end of the list -->\n"
)

// listed is the list of commands as a table of Markdown.
func listed() string {
	who := map[chat.Permissions]string{0: "everybody", chat.ManageMessages: "Manage Messages", chat.ManageGuild: "Manage Server"}
	var b strings.Builder
	b.WriteString("\n| command | what it does | who |\n|---|---|---|\n")
	row := func(name, about string, s chat.CommandSpec) {
		dms := ""
		if s.DMs {
			dms = ", also in direct messages"
		}
		fmt.Fprintf(&b, "| `/%s` | %s | %s%s |\n", name, about, who[s.Needs], dms)
	}
	for _, s := range command.Specs() {
		if s.OfMessages {
			fmt.Fprintf(&b, "| Apps → %s | in the menu of a message: the reply that it is part of | whom it answers, and Manage Messages, also in direct messages |\n", s.Name)
			continue
		}
		grouped := false
		for _, o := range s.Options {
			if o.Kind == chat.SubCommand {
				row(s.Name+" "+o.Name, o.Description, s)
				grouped = true
			}
		}
		if !grouped {
			row(s.Name, s.Description, s)
		}
	}
	b.WriteString("\n")
	return b.String()
}

func TestReadmeListsTheCommands(t *testing.T) {
	text := read(t, "README.md")
	before, rest, ok := strings.Cut(text, listBegins)
	list, after, closed := strings.Cut(rest, listEnds)
	if !ok || !closed {
		t.Fatalf("README.md has no list of commands between %q and %q", listBegins, listEnds)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, "README.md"), []byte(before+listBegins+listed()+listEnds+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if list != listed() {
		t.Error("README.md lists other commands than there are: run make golden")
	}
	if strings.Contains(list, "|  |") || strings.Contains(list, "| , ") {
		t.Errorf("the list has a hole:\n%s", list)
	}
}
