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
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        string          `json:"reasoning"`
	Refusal          string          `json:"refusal"`
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

// parts gives text and reasoning of a content, whatever its shape.
func (c content) parts() (text, thinking string, err error) {
	thinking = c.ReasoningContent
	if thinking == "" {
		thinking = c.Reasoning // some servers send both, with the same text
	}
	raw := bytes.TrimSpace(c.Content)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", thinking, nil
	case raw[0] == '"':
		err = json.Unmarshal(raw, &text)
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
	case "content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation", "refusal", "sensitive":
		return llm.Filtered, ""
	case "error", "insufficient_system_resource", "network_error":
		return "", llm.Overloaded
	case "abort", "cancelled":
		return "", llm.Cut
	}
	return llm.Stopped, ""
}
