package model_test

import (
	"strings"
	"testing"

	"tsumugi/shared/llm"
)

// as is a request for a persona's reply: its prompt, then what people said and it answered in turn.
func as(prompt string, texts ...string) llm.Request {
	r := ask(texts...)
	r.Messages[0].Text = prompt
	return r
}

const (
	askFenn  = "Write Fenn's next reply.\n\nFenn rows the ferry and knows Mira.\n\nThe bell has had no rope for sixty years."
	askQuill = "Write Quill's next reply.\n\nQuill is a clerk."
)

func TestDemoPlaysWhomThePromptAsksFor(t *testing.T) {
	if got := say(t, as(askFenn, "hello")); !strings.Contains(got, "Fenn is a demo voice") {
		t.Errorf("Fenn said %q", got)
	}
	if got := say(t, as(askQuill, "hello")); !strings.Contains(got, "Quill is a demo voice") {
		t.Errorf("Quill said %q", got)
	}
	if got := say(t, as("", "hello")); !strings.Contains(got, "Mira is a demo voice") {
		t.Errorf("nobody in particular said %q", got)
	}
}

// A persona that somebody made has its own name, and none of the three's lamps.
func TestDemoPlaysWhomItDoesNotKnow(t *testing.T) {
	const askKoto = "Write Koto's next reply in a conversation.\n\nKoto is a fox who knows Mira."
	for _, s := range []string{"hello", "who are you?", "my name is Ana", "are you a bot?", "tell me a story", "I saw a heron today", "what now?"} {
		got := say(t, as(askKoto, s))
		if !strings.Contains(got, "Koto") || strings.Contains(got, "Mira") || strings.Contains(got, "{") || strings.Contains(got, "lamp") {
			t.Errorf("%q: said %q", s, got)
		}
	}
}

func TestDemoFennTalksLongEnoughToBeStopped(t *testing.T) {
	for _, s := range []string{"what is for supper?", "I saw a heron today", "tell me a story"} {
		if got := say(t, as(askFenn, "x", "y", s)); len(got) < 700 || len(got) > 1950 {
			t.Errorf("%q: said %d bytes: %q", s, len(got), got)
		}
	}
}

func TestDemoTellsWhatThePromptKnows(t *testing.T) {
	const lore = "The bell has had no rope for sixty years."
	for _, s := range []string{"what about the bell?", "tell me about those bells", "The BELL rang."} {
		if got := say(t, as(askFenn, "x", "y", s)); !strings.Contains(got, lore) {
			t.Errorf("%q: said %q", s, got)
		}
	}
	for _, s := range []string{"do you know a belly dancer?", "and the ferry?"} { // another word; a paragraph about Fenn, not the world
		if got := say(t, as(askFenn, "x", "y", s)); strings.Contains(got, lore) || strings.Contains(got, "knows Mira") {
			t.Errorf("%q: said %q", s, got)
		}
	}
	if got := say(t, as(askFenn, "x", "The bell. "+lore, "what about the bell?")); strings.Contains(got, lore) {
		t.Errorf("said the same again: %q", got)
	}
}

func TestDemoRemembersWhatItWasTold(t *testing.T) {
	const question = "What do you know about me?"
	for _, c := range []struct {
		name string
		r    llm.Request
		has  []string
		not  []string
	}{
		{"facts, turned round", as(askQuill, "I like rain. My cat is called Soot!", "Entered.", question), []string{"You like rain.", "Your cat is called Soot."}, nil},
		{"the newest eight, each once", as(askQuill, "I like a. I like b. I like c. I like d. I like e. I like f. I like g. I like h. I like k. I like k.", "Entered.", question),
			[]string{"You like b.", "You like k."}, []string{"You like a.", "k. You like k"}},
		{"two in one sentence", as(askQuill, "I like rain, and my cat is called Soot", "Entered.", question), []string{"You like rain. Your cat is called Soot."}, nil},
		{"what was asked for alone", as(askQuill, "I like rain. My cat is called Soot.", "Entered.", "What is my cat called?"), []string{"Your cat is called Soot."}, []string{"rain"}},
		{"what somebody of theirs does", as(askQuill, "My brother lives in Porto and I am allergic to nuts", "Entered.", "where does my brother live?"),
			[]string{"Your brother lives in Porto."}, []string{"nuts"}},
		{"what was never told", as(askQuill, "I like rain", "Entered.", "What is my sister called?"), nil, []string{"rain", "You like"}},
		{"what was to be forgotten", as(askQuill, "I like rain. My cat is called Soot. Forget my cat.", "Struck out.", question), []string{"You like rain."}, []string{"Soot"}},
		{"questions are none", as(askQuill, "I am sad? My word is what?", "No.", question), nil, []string{"You are"}},
		{"only of who asks", as(askQuill, "ana: I like rain\nben: I like snow", "Entered.", "ben: "+question), []string{"You like snow."}, []string{"rain"}},
		{"nothing yet", as(askQuill, "hello", "Good evening.", question), nil, []string{"{Facts}", "You "}},
		{"I was becomes you were", as(askQuill, "I was born at sea", "Entered.", "do you remember?"), []string{"You were born at sea."}, nil},
		{"no markup comes back", as(askQuill, "I like **@everyone** <@12> https://evil.example/x rain", "Entered.", question), []string{"rain"}, []string{"@", "<", "evil", "*"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := say(t, c.r)
			for _, s := range c.has {
				if !strings.Contains(got, s) {
					t.Errorf("%q is missing in %q", s, got)
				}
			}
			for _, s := range c.not {
				if strings.Contains(strings.ReplaceAll(got, "*turns back some pages*", ""), s) {
					t.Errorf("%q stands in %q", s, got)
				}
			}
		})
	}
}
