package openai

import (
	"bytes"
	"encoding/json"
	"fmt"

	"tsumugi/shared/llm"
)

// The parameters that some servers and models refuse (reasoning models their limits and samplers, strict servers whatever
// they do not know). A request without them is still the same question, so they are left out when refused.
const (
	streamOptions = "stream_options"
	maxTokens     = "max_tokens"
	temperature   = "temperature"
	stop          = "stop"
	user          = "user"
)

// without says which parameters a model has refused. renamed says that it wants max_completion_tokens for max_tokens.
type without struct {
	names   [5]string
	renamed bool
}

func (w without) has(name string) bool {
	for _, n := range w.names {
		if n == name {
			return true
		}
	}
	return false
}

// and gives w with one parameter more.
func (w without) and(name string) without {
	for i, n := range w.names {
		if n == "" || n == name {
			w.names[i] = name
			break
		}
	}
	return w
}

type wireMessage struct {
	Role    string `json:"role"`
	Name    string `json:"name,omitempty"`
	Content string `json:"content"`
}

type wireRequest struct {
	Model               string             `json:"model,omitempty"`
	Messages            []wireMessage      `json:"messages"`
	Stream              bool               `json:"stream"`
	StreamOptions       *wireStreamOptions `json:"stream_options,omitempty"`
	MaxTokens           int                `json:"max_tokens,omitempty"`
	MaxCompletionTokens int                `json:"max_completion_tokens,omitempty"`
	Temperature         *float64           `json:"temperature,omitempty"`
	Stop                []string           `json:"stop,omitempty"`
	User                string             `json:"user,omitempty"`
}

type wireStreamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// encode writes a request for the wire. A prefill continues the last message when the assistant already has it, and is a
// trailing assistant message of its own otherwise.
func encode(r llm.Request, w without) ([]byte, error) {
	out := wireRequest{Model: r.Model, Stream: true, Messages: make([]wireMessage, 0, len(r.Messages)+1)}
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, wireMessage{Role: string(m.Role), Name: wireName(m), Content: m.Text})
	}
	if r.Prefill != "" {
		if n := len(out.Messages); n > 0 && out.Messages[n-1].Role == string(llm.Assistant) {
			out.Messages[n-1].Content += r.Prefill
		} else {
			out.Messages = append(out.Messages, wireMessage{Role: string(llm.Assistant), Content: r.Prefill})
		}
	}
	if !w.has(streamOptions) {
		out.StreamOptions = &wireStreamOptions{IncludeUsage: true}
	}
	switch {
	case w.renamed:
		out.MaxCompletionTokens = r.MaxTokens
	case !w.has(maxTokens):
		out.MaxTokens = r.MaxTokens
	}
	if !w.has(temperature) {
		out.Temperature = r.Temperature
	}
	if !w.has(stop) {
		out.Stop = r.Stop
	}
	if !w.has(user) {
		out.User = r.User
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // "<" as six bytes would only cost bandwidth, and some servers count it
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// wireName is the speaker's name if the wire has room for it. Servers refuse the whole request for a name outside this
// alphabet, so one that does not fit is left out; a mangled one would only mislead the model.
func wireName(m llm.Message) string {
	if m.Role == llm.System || len(m.Name) > 64 {
		return ""
	}
	for _, c := range m.Name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return ""
		}
	}
	return m.Name
}
