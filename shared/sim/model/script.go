package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Rule answers the requests it fits. Conditions that are empty fit everything.
type Rule struct {
	System string `json:"system"` // the system messages contain this
	User   string `json:"user"`   // the last user message contains this
	Body   string `json:"body"`   // the request as it came contains this
	Once   bool   `json:"once"`   // used up by the first request it fits; rules like this are a script in order
	Reply  Reply  `json:"reply"`
}

func (r Rule) fits(q Request) bool {
	if !strings.Contains(string(q.Body), r.Body) {
		return false
	}
	var system, user string
	for _, m := range q.Messages {
		switch m.Role {
		case "system":
			system += m.Content + "\n"
		case "user":
			user = m.Content
		}
	}
	return strings.Contains(system, r.System) && strings.Contains(user, r.User)
}

// Reply is what a request gets: a stream of steps, or with a Status other than 200, or with a Body, that and nothing else.
type Reply struct {
	Status    int               `json:"status"` // 0 means 200
	Header    map[string]string `json:"header"`
	Body      string            `json:"body"`
	RetryDate time.Duration     `json:"-"` // sets Retry-After to the date this far from now
	Late      bool              `json:"-"` // not even headers come

	Steps    []Step `json:"steps"`
	Finish   string `json:"finish"` // the finish reason; "" means stop
	Usage    *Usage `json:"usage"`  // sent before the end, as servers do that were asked for it
	End      End    `json:"end"`
	LineEnd  string `json:"line_end"`  // in place of a newline
	EachByte bool   `json:"each_byte"` // every byte is written by itself
}

// End is how a stream ends.
type End string

// The ends of a stream.
const (
	Done  End = ""      // finish reason, usage, [DONE]
	Clean End = "clean" // the response ends in good order after the last step
	Lost  End = "lost"  // the connection breaks after the last step
	Open  End = "open"  // nothing more comes; the connection stays
)

// Usage is the token count that a reply reports.
type Usage struct{ Prompt, Completion, Cached int }

// Step is one write of a stream, Wait after the one before. In JSON, wait is a text such as "1.5s".
type Step struct {
	Wait     time.Duration `json:"-"`
	Text     string        `json:"text"`
	Thinking string        `json:"thinking"`
	Raw      string        `json:"raw"`   // written as it is, in place of a chunk
	Times    int           `json:"times"` // how often; 0 means once, -1 for ever
}

// UnmarshalJSON reads a step with its wait as text.
func (s *Step) UnmarshalJSON(b []byte) error {
	type plain Step
	var in struct {
		plain
		Wait string `json:"wait"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = Step(in.plain)
	if in.Wait == "" {
		return nil
	}
	d, err := time.ParseDuration(in.Wait)
	if err != nil {
		return fmt.Errorf("read wait of a step: %w", err)
	}
	s.Wait = d
	return nil
}

// Say is a reply in pieces that ends well.
func Say(parts ...string) Reply { return Reply{Steps: texts(parts...)} }

func texts(parts ...string) []Step {
	steps := make([]Step, 0, len(parts))
	for _, p := range parts {
		steps = append(steps, Step{Text: p})
	}
	return steps
}

// bytes is what a step puts on the wire.
func (s Step) bytes() string {
	switch {
	case s.Raw != "":
		return s.Raw
	case s.Thinking != "":
		return Chunk(`{"reasoning_content":`+quote(s.Thinking)+`}`, "")
	}
	return Chunk(`{"content":`+quote(s.Text)+`}`, "")
}

// Chunk is one data event with a delta, given as JSON, and a finish reason, which may be empty.
func Chunk(delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = quote(finish)
	}
	return event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[{"index":0,"delta":` +
		delta + `,"finish_reason":` + reason + `}]}`)
}

func event(data string) string { return "data: " + data + "\n\n" }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string always marshals
	}
	return string(b)
}

func (u Usage) json() string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}`,
		u.Prompt, u.Completion, u.Prompt+u.Completion, u.Cached)
}

// ending is what follows the steps of a reply that ends well.
func (r Reply) ending() string {
	finish := r.Finish
	if finish == "" {
		finish = "stop"
	}
	out := Chunk(`{}`, finish)
	if r.Usage != nil {
		out += event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"scripted","choices":[],"usage":` + r.Usage.json() + `}`)
	}
	return out + event("[DONE]")
}
