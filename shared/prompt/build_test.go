package prompt_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"tsumugi/shared/llm"
	"tsumugi/shared/persona"
	"tsumugi/shared/prompt"
)

var update = flag.Bool("update", false, "rewrite want.prompt and want.trace of the golden files")

// Each golden file is a scene, the messages it becomes, and the trace: which block is there, whence, and what was cut.
func TestGoldenPrompts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range a.Files {
				parts[f.Name] = string(f.Data)
			}
			var s prompt.Scene
			dec := json.NewDecoder(strings.NewReader(parts["scene.json"]))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&s); err != nil {
				t.Fatal(err)
			}
			p, err := prompt.Build(s)
			got, trace := rendered(p, err), traced(p)
			if *update {
				a.Files = []txtar.File{
					{Name: "scene.json", Data: []byte(parts["scene.json"])},
					{Name: "want.prompt", Data: []byte(got)}, {Name: "want.trace", Data: []byte(trace)},
				}
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != parts["want.prompt"] {
				t.Errorf("prompt:\n%s\nwant:\n%s", got, parts["want.prompt"])
			}
			if trace != parts["want.trace"] {
				t.Errorf("trace:\n%s\nwant:\n%s", trace, parts["want.trace"])
			}
		})
	}
}

func rendered(p prompt.Prompt, err error) string {
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	var b strings.Builder
	for _, m := range p.Request.Messages {
		fmt.Fprintf(&b, "[%s]\n%s\n", m.Role, m.Text)
	}
	return b.String()
}

func traced(p prompt.Prompt) string {
	var b strings.Builder
	list := func(mark string, blocks []prompt.Block) {
		for _, k := range blocks {
			kept := ""
			if k.Protected {
				kept = " protected"
			}
			fmt.Fprintf(&b, "%s %s %s %d%s from %s\n", mark, k.Slot, k.Role, k.Tokens, kept, k.From)
		}
	}
	list("+", p.Blocks)
	list("-", p.Cut)
	fmt.Fprintf(&b, "%d of %d tokens\n", p.Tokens(), p.Budget)
	return b.String()
}

func TestStagesAreFourteen(t *testing.T) {
	seen := map[prompt.Stage]bool{}
	for _, s := range prompt.Stages() {
		seen[s] = true
	}
	if len(seen) != 14 || prompt.Stages()[0] != prompt.UserInput || prompt.Stages()[13] != prompt.SaveMessage {
		t.Errorf("got %v", prompt.Stages())
	}
}

func TestBudgetErrors(t *testing.T) {
	scene := prompt.Scene{Persona: persona.Demo(), Asker: prompt.Speaker{Name: "Ana"}, Limit: 600, Reserve: 100}
	scene.Input.Text = strings.Repeat("fog. ", 800)
	_, err := prompt.Build(scene)
	if !errors.Is(err, prompt.ErrInput) || !errors.Is(err, prompt.ErrBudget) || strings.Contains(err.Error(), "fog") {
		t.Errorf("4,000 characters in a tiny window: got %v", err)
	}
	scene.Input.Text, scene.Limit = "hi", 120
	if _, err = prompt.Build(scene); !errors.Is(err, prompt.ErrBudget) || errors.Is(err, prompt.ErrInput) {
		t.Errorf("a card that does not fit: got %v", err)
	}
	scene.Limit, scene.Reserve = 50, 100
	if _, err = prompt.Build(scene); !errors.Is(err, prompt.ErrBudget) {
		t.Errorf("no room at all: got %v", err)
	}
}

func TestInputIsExpandedOnceAndHistoryNever(t *testing.T) {
	p, err := prompt.Build(prompt.Scene{
		Persona: persona.Persona{Name: "{{user}}", Description: "{{char}} knows {{user}}; {{pet}} stays, {{ USER }} too"},
		Asker:   prompt.Speaker{Name: "{{char}}"},
		History: []prompt.Line{{Speaker: "{{char}}", Text: "old {{user}}"}},
		Input:   prompt.Line{Speaker: "{{char}}", Text: "I am {{user}} and you {{char}}"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.Input != "I am {{char}} and you {{user}}" {
		t.Errorf("input %q", p.Input)
	}
	for _, b := range p.Blocks {
		switch {
		case b.Slot == prompt.Description && b.Text != "{{user}} knows {{char}}; {{pet}} stays, {{char}} too",
			b.Slot == prompt.ChatHistory && b.Text != "old {{user}}":
			t.Errorf("%s: %q", b.Slot, b.Text)
		}
	}
}

func TestBuildKeepsItsPromises(t *testing.T) {
	text := rapid.SampledFrom([]string{"hi", "", " ", "a longer line of text", "日本語の文", "{{user}}", "$1", "\u200b", "😀😀"})
	name := rapid.SampledFrom([]string{"Ana", "Teo", "", "Mira", "{{char}}", "a\nb"})
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Custom(func(t *rapid.T) prompt.Line {
			return prompt.Line{Speaker: name.Draw(t, "speaker"), Persona: rapid.Bool().Draw(t, "own"), Text: text.Draw(t, "text")}
		})
		s := prompt.Scene{
			Persona: persona.Demo(), Asker: prompt.Speaker{Name: name.Draw(t, "asker")}, Input: line.Draw(t, "input"),
			History: rapid.SliceOfN(line, 0, 20).Draw(t, "history"), Limit: rapid.IntRange(0, 700).Draw(t, "limit"),
			Reserve: rapid.IntRange(0, 100).Draw(t, "reserve"), Channel: "quay",
			Kind: rapid.SampledFrom([]prompt.Kind{prompt.AnswerMessage, prompt.AnswerStop}).Draw(t, "kind"),
		}
		p, err := prompt.Build(s)
		again, errAgain := prompt.Build(s)
		if !reflect.DeepEqual(p, again) || (err == nil) != (errAgain == nil) {
			t.Fatal("two builds of one scene differ")
		}
		if err != nil {
			if !errors.Is(err, prompt.ErrBudget) {
				t.Fatal(err)
			}
			return
		}
		if p.Tokens() > p.Budget {
			t.Fatalf("%d tokens of %d", p.Tokens(), p.Budget)
		}
		checkMessages(t, p)
		inputs := 0
		for _, b := range p.Blocks {
			if b.Slot == prompt.CurrentInput {
				inputs++
			}
		}
		for _, b := range p.Cut {
			if b.Protected || b.Slot == prompt.CurrentInput {
				t.Fatalf("%s was cut", b.Slot)
			}
		}
		if inputs != 1 {
			t.Fatalf("%d current inputs", inputs)
		}
	})
}

func checkMessages(t *rapid.T, p prompt.Prompt) {
	user := false
	for i, m := range p.Request.Messages {
		user = user || m.Role == llm.User
		switch {
		case m.Text == "":
			t.Fatal("an empty message")
		case i > 0 && p.Request.Messages[i-1].Role == m.Role:
			t.Fatalf("two messages of %s in a row", m.Role)
		case m.Role == llm.Assistant && !user:
			t.Fatal("the assistant speaks before a user")
		}
	}
}

func TestEstimateNeverShrinks(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abcd": 1, "abcde": 2, "日本語": 4, "éé": 1, "😀": 3} {
		if got := prompt.Estimate(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if prompt.Estimate(a+b) < max(prompt.Estimate(a), prompt.Estimate(b)) {
			t.Fatal("it shrank")
		}
	})
}
