package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
)

// scripted is what the model says in one turn: one list of steps for each ask, as long as an ask ends in a way that is
// tried again.
type scripted struct {
	persona string
	words   int // the number of the words it answers; 0: whatever is next
	asks    [][]llmtest.Step
	again   bool // the last ask will be followed by another
}

var (
	replyLine = regexp.MustCompile(`^([\w-]+)(?:@(\d+))?> ?(.*)$`)
	directive = regexp.MustCompile(`^\{(pause|error|cut|empty|refused|length|then) ?([^}]*)\}`)
)

// reply reads one line of the model section.
func (s *story) reply(line string) error {
	m := replyLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("a line begins with a persona and \">\"")
	}
	words, _ := strconv.Atoi(m[2])
	steps, again, err := script(m[3])
	if err != nil {
		return err
	}
	for i := len(s.replies) - 1; i >= 0; i-- {
		r := s.replies[i]
		if r.persona == m[1] && r.words == words {
			if !r.again {
				break
			}
			r.asks, r.again = append(r.asks, steps), again
			return nil
		}
	}
	s.replies = append(s.replies, &scripted{m[1], words, [][]llmtest.Step{steps}, again})
	return nil
}

// script reads a reply. again tells that the turn asks once more after it.
func script(text string) (steps []llmtest.Step, again bool, err error) {
	done := func(r llm.Reason) llmtest.Step { return llmtest.Step{Done: &llm.Done{Reason: r}} }
	var piece strings.Builder
	var pause time.Duration
	flush := func() {
		said := unescape(piece.String())
		piece.Reset()
		for len(said) > 0 || pause > 0 {
			n := min(len(said), 4096)
			steps = append(steps, llmtest.Step{Pause: pause, Text: said[:n]})
			said, pause = said[n:], 0
		}
	}
	for len(text) > 0 {
		m := directive.FindStringSubmatch(text)
		if m == nil {
			if text[0] == '|' {
				flush()
			} else {
				piece.WriteByte(text[0])
			}
			text = text[1:]
			continue
		}
		text = text[len(m[0]):]
		flush()
		switch m[1] {
		case "pause":
			if pause, err = time.ParseDuration(m[2]); err != nil {
				return nil, false, err
			}
		case "error":
			e := &llm.Error{Kind: llm.Kind(m[2])}
			return append(steps, llmtest.Step{Err: e}), e.Retry(), nil
		case "cut":
			return steps, true, nil
		case "empty":
			return append(steps, done(llm.Stopped)), true, nil
		case "then":
			flush()
			return append(steps, done(llm.Stopped)), true, nil
		case "refused":
			return append(steps, done(llm.Filtered)), false, nil
		case "length":
			return append(steps, done(llm.Length)), false, nil
		}
	}
	flush()
	return append(steps, done(llm.Stopped)), false, nil
}

// turnKey names a turn of a story.
type turnKey struct {
	event chat.EventID
	turn  int
	call  string // what it asks for besides its reply: "-review", "-revision"
}

// callOf is what a request asks for besides a reply.
func callOf(r llm.Request) string {
	switch last := r.Messages[len(r.Messages)-1].Text; {
	case strings.Contains(last, "<candidate>"):
		return "-review"
	case strings.Contains(last, "was reviewed"):
		return "-revision"
	}
	return ""
}

// author is the model of one run: it knows from the asker's job which turn is asked for, and answers it by the script.
type author struct {
	w      *scene
	fickle bool // it says something else each time it is asked for the same turn

	mu      sync.Mutex
	left    []*scripted
	writing map[turnKey]*scripted
	failed  map[turnKey]int // asks that came to their end and are followed by another
	prompts map[chat.EventID][]string
	times   map[turnKey]int // asks
}

func newAuthor(w *scene, fickle bool) *author {
	a := &author{w: w, fickle: fickle, writing: map[turnKey]*scripted{}, failed: map[turnKey]int{}, prompts: map[chat.EventID][]string{},
		times: map[turnKey]int{}}
	a.left = append(a.left, w.story.replies...)
	return a
}

// scripts is the author as a model of the run's own process.
type scripts struct{ *world }

// Stream answers an ask. Its begin and each delta are calls of a port.
func (w scripts) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		inv := invocationOf(ctx)
		key := turnKey{inv.job.Event, inv.job.Turn, callOf(r)}
		var steps []llmtest.Step
		if err := w.call(ctx, "model ask", func() (err error) {
			steps, err = w.model.find(key, r.Messages)
			return err
		}); err != nil {
			yield(llm.Delta{}, err)
			return
		}
		for d, err := range llmtest.NewScripted(steps).Stream(ctx, r) {
			if gone := w.call(ctx, "model delta", func() error { return nil }); gone != nil {
				yield(llm.Delta{}, gone)
				return
			}
			if ctx.Err() == nil && (err != nil || d.Done != nil) {
				w.model.ended(key)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// find gives the steps of the next ask of a turn.
func (a *author) find(key turnKey, said []llm.Message) ([]llmtest.Step, error) {
	p, err := a.w.persona(key)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	prompt, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	a.prompts[key.event] = append(a.prompts[key.event], string(prompt))
	s := a.writing[key]
	if s == nil {
		if s = a.take(p+key.call, a.w.number(key.event)); s == nil {
			a.w.fault("the model was asked for a reply of %s to words %d, which the story does not have", p+key.call, a.w.number(key.event))
			return []llmtest.Step{{Err: &llm.Error{Kind: llm.Invalid, Code: "script_exhausted"}}}, nil
		}
		a.writing[key] = s
	}
	steps := s.asks[min(a.failed[key], len(s.asks)-1)]
	speaks := slices.ContainsFunc(steps, func(s llmtest.Step) bool { return s.Text != "" })
	if a.times[key]++; a.fickle && speaks && key.call == "" && a.times[key] > 1 {
		steps = append([]llmtest.Step{{Text: fmt.Sprintf("This is what I say when I am asked for the %d. time. ", a.times[key])}}, steps...)
	}
	return steps, nil
}

// note adds what is known of an ask besides its prompt.
func (a *author) note(e chat.EventID, what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.prompts[e] = append(a.prompts[e], what)
}

// take finds the script that is for the words, or the persona's next that is for none in particular.
func (a *author) take(p string, words int) *scripted {
	for _, numbered := range []int{words, 0} {
		for i, s := range a.left {
			if strings.EqualFold(s.persona, p) && s.words == numbered {
				a.left = append(append([]*scripted{}, a.left[:i]...), a.left[i+1:]...)
				return s
			}
		}
	}
	return nil
}

func (a *author) ended(key turnKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed[key]++
}

// asked tells whether a prompt of a turn for the words holds the text.
func (a *author) asked(e chat.EventID, text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	quoted, err := json.Marshal(text)
	if err != nil {
		return false
	}
	for _, p := range a.prompts[e] {
		if strings.Contains(p, strings.Trim(string(quoted), `"`)) {
			return true
		}
	}
	return false
}
