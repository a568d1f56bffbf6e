// Package llm holds the words and the contract of talking to a language model: Request, Delta, Model, and the reader of
// server-sent events that the wire formats share. What must not live here: any provider's wire format (package provider
// and below), the making of prompts (package prompt), and anything of Discord.
//
// A Model is held to package llmtest.
package llm

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Role says who speaks a Message.
type Role string

// The roles of chat completion.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of a prompt.
type Message struct {
	Role Role
	Name string // of the speaker, if the wire has room for it; may be empty
	Text string
}

// Request is what a model is asked. Zero values leave the choice to the provider.
type Request struct {
	Model       string
	Messages    []Message
	MaxTokens   int
	Temperature *float64
	Stop        []string
	Prefill     string // the reply is to continue from here; models that cannot ignore it
	User        string // an opaque, stable id for abuse detection; never a Discord id
}

// Delta is one step of a stream: some text, or the end.
type Delta struct {
	Text     string // may be empty on liveness steps and on the final one
	Thinking string // reasoning that is not part of the reply
	Done     *Done  // set on the final delta and only there
}

// Done is how a stream ended.
type Done struct {
	Reason Reason
	Usage  Usage
	Calls  []Call // with CallsTools: what the model asks for, in order
}

// Call is a tool that the model asks to be called. It is complete: pieces never leave an adapter.
type Call struct {
	ID        string // of this reply's calls, unique; made up where the provider gave none
	Name      string
	Arguments string // as the model wrote them: meant to be one JSON object, and not always that
}

// Reason says why a model stopped.
type Reason string

// The reasons for which a stream ends without an error.
const (
	Stopped    Reason = "stop"       // the model was finished, or met a stop text
	Length     Reason = "length"     // the token limit cut it off
	CallsTools Reason = "tool_calls" // it waits for what the tools say
	Filtered   Reason = "refused"    // the provider filtered the reply or refused the prompt for its content: the same prompt is not sent again
)

// Usage counts tokens as the provider reports them; zero when it does not.
type Usage struct{ Prompt, Completion, Cached int }

// Model streams replies.
type Model interface {
	// Stream asks the model. The sequence yields deltas with text, in order, and ends with exactly one Delta whose Done is
	// set, or with exactly one error; text already yielded stays valid. An *Error says what kind of failure it was. A
	// stream that ends without the wire's terminal event is an error of kind Cut. Leaving the loop, or the end of the
	// context, stops the request at once and leaves no goroutine behind; the error is then the context's own (it matches
	// ctx.Err() and has no kind). Bytes that carry no text (comments, keep-alives) may be yielded as empty deltas: they
	// count as liveness. Ranging over the sequence again asks again. A Model may be used by many goroutines at once.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// Kind is what kind of failure an Error is; it decides who can do something about it.
type Kind string

// The kinds of failure of a model.
const (
	Unauthorized Kind = "unauthorized" // the key is missing, wrong, not allowed or out of credit: an admin must act
	NotFound     Kind = "not_found"    // no such model or address: an admin must act
	Invalid      Kind = "invalid"      // the request was refused as it is: never retried
	RateLimited  Kind = "rate_limited" // try again after RetryAfter
	Overloaded   Kind = "overloaded"   // the provider fails for now (5xx, overload): try again later
	Unreachable  Kind = "unreachable"  // no connection, or it broke before the reply began
	TimedOut     Kind = "timed_out"    // a watchdog ran out
	Cut          Kind = "cut"          // the stream ended or broke without its terminal event
	Malformed    Kind = "malformed"    // what came is not the wire format
)

// Error is a failure of a model. Its text is safe to log: it never holds prompts, keys or bodies.
type Error struct {
	Kind       Kind
	Status     int           // HTTP status, if there was one
	Code       string        // the provider's own code, at most 64 bytes, if it gave one
	RetryAfter time.Duration // when the provider named a time
	Err        error         // the cause, if it is safe; may be nil
}

// Error gives kind, status and code.
func (e *Error) Error() string {
	s := "model: " + string(e.Kind)
	if e.Code != "" {
		s += " (" + e.Code + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Word gives the kind, for traces.
func (e *Error) Word() string { return "model " + string(e.Kind) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retry tells whether the same request may succeed later.
func (e *Error) Retry() bool {
	switch e.Kind {
	case RateLimited, Overloaded, Unreachable, TimedOut, Cut:
		return true
	}
	return false
}

// KindOf is the kind of the failure in err, or "" when it is none of a model's.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
