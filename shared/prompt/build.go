package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tsumugi/shared/llm"
)

// ErrBudget means that the text which must not be dropped is larger than the context allows.
var ErrBudget = errors.New("token budget exceeded")

// ErrInput means that the current message alone is what does not fit. It comes together with ErrBudget.
var ErrInput = errors.New("message too long")

// Build runs the pure stages over s. It fails only with ErrBudget (and ErrInput, where the message to answer is what is
// too long); the texts of its errors hold numbers and nothing of the scene.
func Build(s Scene) (Prompt, error) {
	d := &Draft{Scene: s}
	for _, stage := range []struct {
		name Stage
		run  func(*Draft) error
	}{
		{UserInput, takeInput},
		{Macros, prepareMacros},
		{CharacterData, placePersona},
		{Lorebook, placeLore},
		{Memory, pass}, // nothing is recalled yet
		{TokenCounting, countTokens},
		{ContextShifting, shift},
		{Interceptors, pass}, // no interceptor can be installed yet
		{InstructRendering, render},
	} {
		if err := stage.run(d); err != nil {
			return Prompt{}, fmt.Errorf("%s: %w", stage.name, err)
		}
	}
	return d.prompt(), nil
}

// pass is a stage that has nothing to do: the draft goes on as it is.
func pass(*Draft) error { return nil }

func (d *Draft) prompt() Prompt {
	p := Prompt{
		Request: llm.Request{Model: d.Scene.Model, Messages: d.messages, MaxTokens: d.Scene.Reserve},
		Blocks:  d.Blocks, Cut: d.Cut, Budget: d.Budget,
		Input: d.Scene.Input.Text, Self: d.Scene.Persona.Name, Others: d.Others,
	}
	return p
}

// takeInput is stage 1: the scene is captured once, with names that can stand in a label and defaults for what was left
// out, and the conversation becomes blocks.
func takeInput(d *Draft) error {
	s := &d.Scene
	s.Persona.Name = label(s.Persona.Name, "Assistant")
	s.Asker.Name = label(s.Asker.Name, "User")
	if s.Count == nil {
		s.Count = Estimate
	}
	if s.Limit <= 0 {
		s.Limit = 8192
	}
	if s.Reserve <= 0 {
		s.Reserve = 1024
	}
	s.Input.Speaker = label(s.Input.Speaker, s.Asker.Name)
	s.Input.Persona = false
	if blank(s.Input.Text) {
		s.Input.Text = "(a message without text)"
	}

	var lines []Line
	for _, l := range s.History {
		if blank(l.Text) {
			continue
		}
		l.Speaker = label(l.Speaker, "User")
		lines = append(lines, l)
	}
	s.History = lines
	for _, l := range append(slices.Clone(lines), s.Input) {
		if !l.Persona && !slices.Contains(d.Others, l.Speaker) {
			d.Others = append(d.Others, l.Speaker)
		}
	}
	for _, l := range lines {
		d.Blocks = append(d.Blocks, d.line(l, ChatHistory))
	}
	d.Blocks = append(d.Blocks, d.line(s.Input, CurrentInput))
	d.begun()
	return nil
}

// line makes the block of a message. With several speakers each line says whose it is; with one it needs not.
func (d *Draft) line(l Line, slot Slot) Block {
	b := Block{Slot: slot, Role: llm.User, Name: l.Speaker, Text: l.Text, From: "message " + l.ID, Protected: slot == CurrentInput}
	if l.Persona {
		b.Role, b.Name = llm.Assistant, d.Scene.Persona.Name
	} else if len(d.Others) > 1 {
		b.Text = l.Speaker + ": " + d.onlyOwn(l.Text)
	}
	return b
}

// onlyOwn sets in what looks like another speaker's line: in a text with labels a person could speak as somebody else.
func (d *Draft) onlyOwn(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		for _, name := range append([]string{d.Scene.Persona.Name}, d.Others...) {
			if start := strings.TrimLeft(line, " *_>#-"); len(start) > len(name) && strings.EqualFold(start[:len(name)], name) && strings.HasPrefix(strings.TrimLeft(start[len(name):], " *_"), ":") {
				lines[i+1] = "    " + line
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// render is stage 9. Chat models get messages: neighbours of one role become one, for several providers refuse or
// mishandle repeated roles. Text models, which would get one string here, are not served yet.
func render(d *Draft) error {
	for _, b := range d.Blocks {
		n := len(d.messages)
		if n == 0 || d.messages[n-1].Role != b.Role {
			d.messages = append(d.messages, llm.Message{Role: b.Role, Text: b.Text})
			continue
		}
		gap := "\n"
		if b.Role == llm.System {
			gap = "\n\n"
		}
		d.messages[n-1].Text += gap + b.Text
	}
	return nil
}

// label makes name fit for one line and a label before a text: no line breaks or control characters, which could pass
// for another speaker's line.
func label(name, missing string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > 80 {
		name = strings.TrimSpace(string(runes[:80]))
	}
	if blank(name) {
		return missing
	}
	return name
}

// blank tells whether nothing of s can be seen: blanks, control and format characters, and letters that are fillers.
func blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Variation_Selector) &&
			!strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0", r)
	})
}
