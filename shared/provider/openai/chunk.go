package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"tsumugi/shared/llm"
)

// chunk is one data event of the stream, and also a whole reply from a server that does not stream.
type chunk struct {
	Object  string          `json:"object"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // of an error that is not wrapped (vLLM)
	Type    json.RawMessage `json:"type"`
	Code    json.RawMessage `json:"code"`
}

type choice struct {
	Index        int             `json:"index"`
	Delta        *content        `json:"delta"`
	Message      *content        `json:"message"`
	Text         string          `json:"text"` // of old servers
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"` // OpenRouter
}

type content struct {
	Content          json.RawMessage `json:"content"` // a string, null, or an array of parts
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	Refusal          string          `json:"refusal"`
	ToolCalls        []callPart      `json:"tool_calls"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	Details          struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	PromptCacheHit int `json:"prompt_cache_hit_tokens"` // DeepSeek
}

func (u usage) words() llm.Usage {
	return llm.Usage{Prompt: u.PromptTokens, Completion: u.CompletionTokens, Cached: max(u.Details.CachedTokens, u.PromptCacheHit)}
}

// halves are what the strings of a stream hold back.
type halves struct{ text, thinking half }

// parts gives text and reasoning of a content, whatever its shape.
func (c content) parts(h *halves) (text, thinking string, err error) {
	reasoning := c.ReasoningContent
	if len(reasoning) <= len(`""`) || string(reasoning) == "null" {
		reasoning = c.Reasoning // some servers send both, with the same text
	}
	if said, err := h.thinking.text(reasoning); err == nil { // what is no string is no reasoning
		thinking = said
	}
	raw := bytes.TrimSpace(c.Content)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", thinking, nil
	case raw[0] == '"':
		text, err = h.text.text(raw)
		return text, thinking, err
	}
	var parts []struct {
		Text     string `json:"text"`
		Thinking []struct {
			Text string `json:"text"`
		} `json:"thinking"`
	}
	if err = json.Unmarshal(raw, &parts); err != nil {
		return "", "", err
	}
	for _, p := range parts {
		text += p.Text
		for _, t := range p.Thinking {
			thinking += t.Text
		}
	}
	return text, thinking, nil
}

// finished reads a finish reason. The second result is the failure that some servers report in this place.
func finished(reason string) (llm.Reason, llm.Kind) {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "model_length":
		return llm.Length, ""
	case "tool_calls", "function_call", "tool_use":
		return llm.CallsTools, ""
	case "content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation", "refusal", "sensitive":
		return llm.Filtered, ""
	case "error", "insufficient_system_resource", "network_error":
		return "", llm.Overloaded
	case "abort", "cancelled":
		return "", llm.Cut
	}
	return llm.Stopped, ""
}
