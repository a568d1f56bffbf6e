package llmtest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/llm"
)

// Step is one thing a Scripted model does: wait for Pause, then say something, end or fail. Done and Err end the call.
type Step struct {
	Pause    time.Duration
	Text     string
	Thinking string
	Done     *llm.Done
	Err      error
}

// Say is a reply in pieces that ends well.
func Say(parts ...string) []Step {
	steps := make([]Step, 0, len(parts)+1)
	for _, p := range parts {
		steps = append(steps, Step{Text: p})
	}
	return append(steps, Step{Done: &llm.Done{Reason: llm.Stopped}})
}

// Scripted is the in-process twin of llm.Model. Each call plays a script; a script without an end is a stream that was cut.
// Pauses are real waits, so tests run it in a synctest bubble. It has no watchdogs: only the context ends a pause.
type Scripted struct {
	choose func(call int, r llm.Request) []Step

	mu       sync.Mutex
	requests []llm.Request
	live     int
}

var _ llm.Model = (*Scripted)(nil)

// NewScripted plays one script a call, in order. A call beyond the last fails as Invalid with code script_exhausted.
func NewScripted(calls ...[]Step) *Scripted {
	return ScriptedBy(func(call int, _ llm.Request) []Step {
		if call >= len(calls) {
			return []Step{{Err: &llm.Error{Kind: llm.Invalid, Code: "script_exhausted"}}}
		}
		return calls[call]
	})
}

// ScriptedBy asks choose for the script of each call; call counts from 0. A story whose steps may be repeated answers by the
// request and not by the count. choose may be called by several goroutines, one at a time.
func ScriptedBy(choose func(call int, r llm.Request) []Step) *Scripted {
	return &Scripted{choose: choose}
}

// Requests gives copies of the requests so far, in order of their calls.
func (s *Scripted) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Live is the number of streams that run.
func (s *Scripted) Live() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// Stream plays the script of this call.
func (s *Scripted) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		steps := s.begin(r)
		defer s.end()
		for _, step := range steps {
			if err := pause(ctx, step.Pause); err != nil {
				yield(llm.Delta{}, err)
				return
			}
			if step.Err != nil {
				yield(llm.Delta{}, step.Err)
				return
			}
			d := llm.Delta{Text: step.Text, Thinking: step.Thinking, Done: step.Done}
			if !yield(d, nil) || step.Done != nil {
				return
			}
		}
		yield(llm.Delta{}, &llm.Error{Kind: llm.Cut})
	}
}

func (s *Scripted) begin(r llm.Request) []Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := len(s.requests)
	r.Messages, r.Stop = slices.Clone(r.Messages), slices.Clone(r.Stop) // the caller may reuse its slices
	s.requests = append(s.requests, r)
	s.live++
	return s.choose(call, r)
}

func (s *Scripted) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live--
}

// pause waits for d or the end of ctx, which it reports even when d is 0.
func pause(ctx context.Context, d time.Duration) error {
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("ask model: %w", err)
	}
	return nil
}
