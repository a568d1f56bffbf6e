package app_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the table of outcomes in the documentation of package turn")

// tried is an operation of a turn, and how a turn comes to need it.
type tried struct{ operation, persona, model, whole string }

const (
	shortly = "> Everything begins with the tide."
	slowly  = "> Everything begins with the tide, as you know. |{pause 3s}The moon |{pause 3s}is another story."
	anew    = "> {long 3000}|{pause 3s} and{cut}\n%s> It was the tide."
)

// operations are what a turn does in Discord: with the account of the bot, as mira speaks, and by the webhook of a face.
var operations = []tried{
	{"create", "mira", shortly, "Everything begins with the tide."},
	{"edit", "mira", slowly, "Everything begins with the tide, as you know. The moon is another story."},
	{"delete", "mira", anew, "It was the tide."},
	{"webhook", "teo", shortly, "Everything begins with the tide."},
	{"edit by webhook", "teo", slowly, "Everything begins with the tide, as you know. The moon is another story."},
	{"delete by webhook", "teo", anew, "It was the tide."},
}

// mishaps are what Discord or the way to it may do, by the words of the table.
var mishaps = []struct{ name, fault string }{
	{"lost response", `"kind":"lost"`},
	{"timeout", `"kind":"timeout"`},
	{"429 with headers", `"kind":"429","retry_after":2`},
	{"429 without", `"kind":"429","bare":true`},
	{"500", `"kind":"status","status":500`},
	{"502", `"kind":"status","status":502`},
	{"10003", `"kind":"status","status":404,"code":10003`},
	{"10008", `"kind":"status","status":404,"code":10008`},
	{"10015", `"kind":"status","status":404,"code":10015`},
	{"30007", `"kind":"status","status":400,"code":30007`},
	{"30046", `"kind":"status","status":400,"code":30046`},
	{"50001", `"kind":"status","status":403,"code":50001`},
	{"50006", `"kind":"status","status":400,"code":50006`},
	{"50013", `"kind":"status","status":403,"code":50013`},
	{"50027", `"kind":"status","status":401,"code":50027`},
	{"50035", `"kind":"status","status":400,"code":50035`},
	{"160005", `"kind":"status","status":403,"code":160005`},
	{"200000", `"kind":"status","status":400,"code":200000`},
}

// lasts is how long a mishap lasts that happens again and again.
const lasts = 20 * time.Minute

// TestEveryRefusalHasItsOutcome plays every operation of a turn under everything that may happen to it, once and again and again
// for a while. Whatever it comes to, there is one reply, what is saved is what people see, and the channel is free. What it comes
// to is the table in the documentation of package turn.
func TestEveryRefusalHasItsOutcome(t *testing.T) {
	hush(t)
	lines := []string{fmt.Sprintf("%-19s%-18s%-56s%s", "call", "accident", "once", "for "+strings.TrimSuffix(lasts.String(), "0s"))}
	for _, op := range operations {
		for _, m := range mishaps {
			once := outcome(t, op, m.name, m.fault, 1)
			always := outcome(t, op, m.name, m.fault, -1)
			lines = append(lines, strings.TrimRight(fmt.Sprintf("%-19s%-18s%-56s%s", op.operation, m.name, once, always), " "))
		}
	}
	const file, begin, end = "../turn/doc.go", "//\tcall", "package turn"
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(doc), begin)
	want := head + "//\t" + strings.Join(lines, "\n//\t") + "\n" + end + "\n"
	switch {
	case want == string(doc):
	case !*update:
		t.Errorf("what refusals come to is not what the documentation says (make golden writes it):\n%s", strings.Join(lines, "\n"))
	default:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome plays one story and says what people see and how the turn has ended.
func outcome(t *testing.T, op tried, name, fault string, count int) string {
	t.Helper()
	text := fmt.Sprintf("# %s\n-- settings.json --\n{\"channel\":\"100\",\"cast\":[\"mira\",\"teo\"]}\n-- events --\nfault {%s,\"route\":%q,\"count\":%d}\n"+
		"ana: %s, tell me everything\n@%s fault {\"kind\":\"off\"}\n-- model --\n%s\n", name, fault, op.operation, count, op.persona, lasts,
		op.persona+strings.Replace(op.model, "%s", op.persona, 1))
	s, err := parseStory(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%s under %s, %d times", op.operation, name, count)
	got, err := run(t, s, conditions{})
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return "?"
	}
	gone := !slices.Contains([]string{"create", "webhook"}, op.operation) && (name == "10003" || name == "10008") // as Discord has it; the simulated one still shows it
	for _, w := range got.wrong {
		if !gone || !strings.HasPrefix(w, "a part that counts as deleted is visible") {
			t.Errorf("%s: %s", what, w)
		}
	}
	ended := "answered"
	if i := slices.IndexFunc(got.saved, func(s string) bool { return strings.HasPrefix(s, "turn 1 "+op.persona+" ") }); i >= 0 {
		ended = strings.TrimPrefix(got.saved[i], "turn 1 "+op.persona+" ")
	}
	if gone {
		return ended
	}
	return ended + ": " + sees(op, got.posts)
}

// sees says what is to be seen of a reply.
func sees(op tried, posts []string) string {
	whole := op.whole
	text := strings.ReplaceAll(strings.ReplaceAll(strings.Join(posts, "\n"), op.persona+": ", ""), `\n`, "\n")
	words, notice, told := strings.Cut(text, "-# ")
	switch words = strings.TrimSpace(words); {
	case text == whole:
		return "all of it"
	case told && strings.Contains(words, whole):
		return "all of it, and a note"
	case told && words == "":
		return "why there is none"
	case told && notice != "":
		return "what was said, and why no more"
	case text == "":
		return "nothing"
	case strings.HasPrefix(whole, words):
		return "what was said"
	case strings.HasPrefix(text, whole):
		return "all of it, and what was before"
	}
	return "what was before"
}
