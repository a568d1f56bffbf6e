package command_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// watched is a book that notes who writes into it.
type watched struct {
	*book
	writes []string
}

func (w *watched) Change(ctx context.Context, g string, in chat.ChannelID, c guild.Change, edit guild.Edit) (guild.Change, error) {
	w.writes = append(w.writes, "change")
	return w.book.Change(ctx, g, in, c, edit)
}

func (w *watched) SaveModels(ctx context.Context, g, provider string, models []string) error {
	w.writes = append(w.writes, "models")
	return w.book.SaveModels(ctx, g, provider, models)
}

func (w *watched) SaveFace(ctx context.Context, g, persona string, picture []byte) error {
	w.writes = append(w.writes, "face")
	return w.book.SaveFace(ctx, g, persona, picture)
}

func (w *watched) Note(ctx context.Context, g, name string, text []byte, life time.Duration) error {
	w.writes = append(w.writes, "note")
	return w.book.Note(ctx, g, name, text, life)
}

// The circumstances in which everything is tried. The role 77 is one of the admins' of server 1, and 78 of server 2.
var circumstances = []struct {
	name   string
	change func(*chat.Interaction)
	old    bool // the message of the component is of yesterday
	others bool // the component belongs to somebody else
}{
	{name: "nobody", change: func(i *chat.Interaction) { i.Roles = []string{"76"} }},
	{name: "messages", change: func(i *chat.Interaction) { i.May = chat.ManageMessages }},
	{name: "server", change: func(i *chat.Interaction) { i.May = chat.ManageGuild }},
	{name: "administrator", change: func(i *chat.Interaction) { i.May = chat.Administrator }},
	{name: "admins", change: func(i *chat.Interaction) { i.Roles = []string{"76", "77"} }},
	{name: "foreign", change: func(i *chat.Interaction) { i.Roles = []string{"78"} }},
	{name: "direct", change: func(i *chat.Interaction) { i.Guild, i.May = "", 0 }},
	{name: "another's", change: func(i *chat.Interaction) { i.May = chat.Administrator }, others: true},
	{name: "stale", change: func(i *chat.Interaction) { i.May = chat.Administrator }, old: true},
}

// allowed is the rule once more, in other words than the code's.
func allowed(s command.Step, circumstance string, component bool) string {
	managing := map[string]chat.Permissions{"messages": chat.ManageMessages, "server": chat.ManageGuild, "administrator": s.Needs, "another's": s.Needs, "stale": s.Needs}
	switch {
	case circumstance == "another's" && s.Name != "":
		return "refused.another"
	case circumstance == "stale" && component && s.Name != "" && !s.Noted:
		return "refused.stale"
	case circumstance == "direct" && !s.DMs:
		return "refused.servers_only"
	case circumstance == "direct", managing[circumstance] == s.Needs, s.Needs == 0, circumstance == "admins" && !s.Strict:
		return ""
	case s.Strict:
		return "refused.strict"
	}
	return "refused.permission"
}

// tries lets somebody do a step, by command, component or form, and says how the step was refused: "" when it was not.
func tries(t *testing.T, s command.Step, kind chat.InteractionKind, circumstance int) string {
	t.Helper()
	c := circumstances[circumstance]
	b := &watched{book: newBook(t)}
	for g, role := range map[string]string{"1": "77", "2": "78"} {
		b.set(g, "", func(s *guild.Settings, _ *guild.Channel) { s.Admins = []string{role} })
	}
	i := use(s.Path, "12345678", 0)
	c.change(&i)
	i.Kind, i.BotMay = kind, botNeeds
	if s.Name != "" {
		owner, at := uint64(12345678), time.Now()
		if c.others {
			owner++
		}
		if c.old {
			at = at.Add(-24 * time.Hour)
		}
		i.Command, i.CustomID, i.Message = "", strings.Join([]string{"1", s.Path, s.Name, strconv.FormatUint(owner, 36), "x"}, "|"), chat.MessageID(chat.Snowflake(at))
	}
	h := newHouse(t)
	h.front.Book, h.back.Book = b, b
	a := h.front.Answer(t.Context(), i)
	key := refusedBy(s, a.Text)
	if key == "refused.stale" && (!c.old || kind == chat.SentModal) && !c.others {
		key = "" // said by the step itself, for which "x" is nothing
	}
	if s.Later && key == "" && len(h.queue.kept) == 0 && !s.Looks {
		t.Errorf("%s: /%s %s is answered at once: %q", c.name, s.Path, s.Name, a.Text)
	}
	if key != "" && (a.Deferred || a.Modal != nil || len(a.Rows) > 0 || len(b.writes) > 0 || len(h.queue.kept) > 0) {
		t.Errorf("%s: /%s %s is refused, and yet: %+v, writes %q", c.name, s.Path, s.Name, a, b.writes)
	}
	if s.Later { // whatever came through the queue, it is looked at again
		if err := h.back.Handle(t.Context(), i); err == nil && len(h.says) == 1 {
			if again := refusedBy(s, h.says[0].Text); again != key {
				t.Errorf("%s: /%s %s is %q at the front and %q at the back", c.name, s.Path, s.Name, key, again)
			}
		} else if key != "" {
			t.Errorf("%s: /%s %s is not answered at the back: %v", c.name, s.Path, s.Name, err)
		}
		if key != "" && len(b.writes) > 0 {
			t.Errorf("%s: /%s %s is refused at the back, and writes %q", c.name, s.Path, s.Name, b.writes)
		}
	}
	return key
}

// refusedBy is the key of the refusal that a text is.
func refusedBy(s command.Step, text string) string {
	for _, key := range []string{"refused.permission", "refused.strict", "refused.servers_only", "refused.another", "refused.stale", "refused.unknown", "refused.kind"} {
		head, _, _ := strings.Cut(locale.Default.Say(key, "command", "/"+s.Path), "{")
		if text != "" && strings.HasPrefix(text, head) && (key != "refused.permission" && key != "refused.strict" || strings.Contains(text, "roles that may set me up") == (key == "refused.permission")) {
			return key
		}
	}
	return ""
}

func TestWhoMayDoWhat(t *testing.T) {
	var table strings.Builder
	line := func(first string, cell func(n int) string) {
		fmt.Fprintf(&table, "%-34s", first)
		for n, c := range circumstances {
			fmt.Fprintf(&table, " %-*s", max(len(c.name), 4), cell(n))
		}
		table.WriteString("\n")
	}
	line("", func(n int) string { return circumstances[n].name })
	for _, s := range command.Steps() {
		kinds := []chat.InteractionKind{chat.UsedCommand}
		if s.Name != "" {
			kinds = []chat.InteractionKind{chat.UsedComponent, chat.SentModal}
		}
		for _, kind := range kinds {
			got := make([]string, len(circumstances))
			for n, c := range circumstances {
				got[n] = tries(t, s, kind, n)
				if want := allowed(s, c.name, kind == chat.UsedComponent); got[n] != want {
					t.Errorf("%s: %s of /%s %s is %q, want %q", c.name, kind, s.Path, s.Name, got[n], want)
				}
			}
			if s.Everywhere || kind == chat.SentModal {
				continue // what does nothing would hide what does, and forms differ in this alone: they are never stale
			}
			name := "/" + s.Path
			if s.Name != "" {
				name += " › " + s.Name
			}
			line(name, func(n int) string {
				switch {
				case s.Name == "" && (circumstances[n].others || circumstances[n].old):
					return ""
				case got[n] == "":
					return "yes"
				}
				return "-"
			})
		}
	}
	golden := filepath.Join("testdata", "permissions.golden")
	text := trimmed(table.String())
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != text {
		t.Errorf("who may do what is not as in %s (make golden rewrites it): %v\n%s", golden, err, text)
	}
}

// trimmed is a text without blanks at the ends of its lines.
func trimmed(text string) string {
	list := strings.Split(text, "\n")
	for n := range list {
		list[n] = strings.TrimRight(list[n], " ")
	}
	return strings.Join(list, "\n")
}

func TestChoicesAreForThoseWhoMayUseTheCommand(t *testing.T) {
	for _, s := range command.Steps() {
		for _, option := range s.Completes {
			for n, c := range circumstances {
				h := newHouse(t)
				h.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Admins = []string{"77"} })
				i := use(s.Path, "u", 0)
				circumstances[n].change(&i)
				i.Kind, i.Focused = chat.AskedChoices, option
				i.Options = []chat.Option{{Name: option}}
				a := h.front.Answer(t.Context(), i)
				if allowed(s, c.name, false) != "" && len(a.Choices) > 0 {
					t.Errorf("%s is offered choices for %s of /%s: %v", c.name, option, s.Path, a.Choices)
				}
				if a.Text != "" || a.Modal != nil || len(a.Choices) > 25 {
					t.Errorf("%s of /%s completes to %+v", option, s.Path, a)
				}
			}
		}
	}
}

// TestEveryRowIsWhole: what the table says of a command can be registered and done.
func TestEveryRowIsWhole(t *testing.T) {
	groups := map[string]command.Step{}
	for _, s := range command.Steps() {
		group, _, _ := strings.Cut(s.Path, " ")
		if first, ok := groups[group]; ok && (first.Needs != s.Needs || first.DMs != s.DMs) {
			t.Errorf("/%s and /%s need different things; Discord knows one permission for a command with all below it", first.Path, s.Path)
		}
		groups[group] = s
		if strings.Contains(s.Name, "|") || len("1|"+s.Path+"|"+s.Name+"|3w5e11264sgsf") > 60 {
			t.Errorf("a custom id for step %s of /%s has no room for what it carries", s.Name, s.Path)
		}
	}
	if len(groups) < 4 || !slices.Contains(paths(), "help") {
		t.Errorf("%d groups", len(groups))
	}
}
