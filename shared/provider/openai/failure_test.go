package openai

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/llm"
)

func TestReadFailure(t *testing.T) {
	cases := []struct {
		name, body string
		status     int
		kind       llm.Kind
		code       string
	}{
		{"openai", `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, 401, llm.Unauthorized, "invalid_api_key"},
		{"code beats status", `{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}`, 429, llm.Unauthorized, "insufficient_quota"},
		{"type when code is null", `{"error":{"message":"m","type":"server_error","code":null}}`, 500, llm.Overloaded, "server_error"},
		{"openrouter numeric code", `{"error":{"code":402,"message":"m"}}`, 402, llm.Unauthorized, "402"},
		{"ollama text", `{"error":"model 'x' not found"}`, 404, llm.NotFound, ""},
		{"fastapi detail", `{"detail":"Not Found"}`, 404, llm.NotFound, ""},
		{"google array", `[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]`, 429, llm.RateLimited, "resource_exhausted"},
		{"not json", "<html>", 502, llm.Overloaded, ""},
		{"nothing", "", 529, llm.Overloaded, ""},
		{"timeout of the server", "", 408, llm.TimedOut, ""},
		{"too large", "", 413, llm.Invalid, ""},
		{"code is cleaned", `{"error":{"code":"Bad Thing!\n<b>日本"}}`, 400, llm.Invalid, "badthingb"},
		{"code is cut", `{"error":{"code":"` + strings.Repeat("a", 100) + `"}}`, 400, llm.Invalid, strings.Repeat("a", 64)},
		{"odd types", `{"error":{"code":{"a":1},"type":["x"],"message":7}}`, 400, llm.Invalid, "a1"},
		{"null error", `{"error":null}`, 500, llm.Overloaded, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := readFailure([]byte(c.body))
			if got := f.kind(c.status); got != c.kind {
				t.Errorf("kind %s, want %s", got, c.kind)
			}
			if c.code != f.code {
				t.Errorf("code %q, want %q", f.code, c.code)
			}
		})
	}
}

func TestRefusedParameter(t *testing.T) {
	sent := []byte(`{"messages":[{"content":"the \"user\": said 'stop'"}],"stream":true,"stream_options":{},"max_tokens":5,"temperature":0.7,"stop":["x"]}`)
	cases := []struct {
		name, body string
		status     int
		want       string
	}{
		{"openai limit", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","code":"unsupported_parameter","param":"max_tokens"}}`, 400, maxTokens},
		{"openai temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model.","code":"unsupported_value"}}`, 400, temperature},
		{"pydantic", `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, 422, streamOptions},
		{"stop by param", `{"error":{"message":"Unsupported parameter","code":"unsupported_parameter","param":"stop"}}`, 400, stop},
		{"a limit too high is not unknown", `{"error":{"message":"max_tokens is too large: 9000. This model supports at most 4096 completion tokens","code":"invalid_value","param":"max_tokens"}}`, 400, ""},
		{"context too long", `{"error":{"message":"maximum context length is 4097 tokens; you requested max_tokens 5000","code":"context_length_exceeded"}}`, 400, ""},
		{"an ordinary word is no name", `{"error":{"message":"the user is not allowed to stop","code":null}}`, 400, ""},
		{"not sent", `{"error":{"message":"Unsupported parameter: 'user'","code":"unsupported_parameter","param":"user"}}`, 400, ""},
		{"other status", `{"error":{"message":"Unsupported parameter: 'max_tokens'","code":"unsupported_parameter"}}`, 500, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := readFailure([]byte(c.body)).refused(c.status, sent); got != c.want {
				t.Errorf("refused %q, want %q", got, c.want)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		header, value string
		want          time.Duration
	}{
		{"Retry-After", "30", 30 * time.Second},
		{"Retry-After", "1.5", 1500 * time.Millisecond},
		{"Retry-After", "Sat, 01 Aug 2026 12:02:00 GMT", 2 * time.Minute},
		{"Retry-After", "Sat, 01 Aug 2026 11:00:00 GMT", 0},
		{"Retry-After", "-5", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "1e300", 24 * time.Hour},
		{"Retry-After", "NaN", 0},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
		{"X-Other", "5", 0},
	}
	for _, c := range cases {
		if got := retryAfter(http.Header{c.header: {c.value}}, now); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.header, c.value, got, c.want)
		}
	}
}
