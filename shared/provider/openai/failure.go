package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/llm"
)

// failure is what can be read from an error object, in any of the shapes that servers use.
type failure struct {
	code    string // cleaned
	status  int    // a numeric code in the range of HTTP statuses
	message string // used to find a refused parameter, and then forgotten: it may hold prompts or keys
	param   string
}

// readFailure reads {"error":{…}}, {"error":"text"}, an error that is not wrapped, and FastAPI's {"detail":…}.
func readFailure(body []byte) failure {
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' { // Google's compatible endpoint wraps its error in an array
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	if json.Unmarshal(body, &outer) != nil {
		return failure{message: string(body)}
	}
	switch {
	case present(outer.Error):
		return readErrorObject(outer.Error)
	case present(outer.Detail):
		return failure{message: string(outer.Detail)}
	}
	return readErrorObject(body)
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func readErrorObject(raw json.RawMessage) failure {
	var o struct {
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Status  json.RawMessage `json:"status"`
		Param   json.RawMessage `json:"param"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return failure{message: plain(raw)}
	}
	f := failure{message: plain(o.Message), param: plain(o.Param)}
	for _, field := range []json.RawMessage{o.Code, o.Type, o.Status} {
		s := plain(field)
		if n, err := strconv.Atoi(s); err == nil {
			if n >= 400 && n < 600 && f.status == 0 {
				f.status = n
			}
		} else if f.code == "" {
			f.code = cleanCode(s)
		}
	}
	if f.code == "" && f.status != 0 {
		f.code = strconv.Itoa(f.status)
	}
	return f
}

// plain is the text of a JSON string, and the JSON itself for anything else but null.
func plain(raw json.RawMessage) string {
	var s string
	if !present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// cleanCode keeps at most 64 bytes of the alphabet of codes, so that no text of the provider's can hide in one.
func cleanCode(s string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(s) {
		if b.Len() == 64 {
			break
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-' {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// refusal is the error of an answer with another status than 200.
func (f failure) refusal(resp *http.Response) *llm.Error {
	return &llm.Error{Kind: f.kind(resp.StatusCode), Status: resp.StatusCode, Code: f.code, RetryAfter: retryAfter(resp.Header, time.Now())}
}

// kind is what the failure is. The code is asked first: gateways are freer with statuses than with codes.
func (f failure) kind(status int) llm.Kind {
	switch f.code {
	case "insufficient_quota", "invalid_api_key", "authentication_error", "permission_error", "permission_denied", "unauthenticated", "billing_error":
		return llm.Unauthorized // out of credit included: waiting does not help
	case "model_not_found", "not_found_error", "not_found", "deploymentnotfound":
		return llm.NotFound
	case "rate_limit_exceeded", "rate_limit_error", "rate_limit", "resource_exhausted", "too_many_requests":
		return llm.RateLimited
	case "overloaded_error", "overloaded", "server_error", "internal_server_error", "api_error", "service_unavailable", "unavailable":
		return llm.Overloaded
	case "context_length_exceeded", "invalid_argument", "content_filter", "content_policy_violation":
		return llm.Invalid
	}
	if status == http.StatusOK {
		status = f.status
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusPaymentRequired:
		return llm.Unauthorized
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusGone, status >= 300 && status < 400:
		return llm.NotFound // a redirect means that the address is wrong
	case status == http.StatusTooManyRequests:
		return llm.RateLimited
	case status == http.StatusRequestTimeout:
		return llm.TimedOut
	case status >= 400 && status < 500:
		return llm.Invalid
	case status >= 500:
		return llm.Overloaded
	case f.code == "invalid_request_error" || f.code == "badrequesterror":
		return llm.Invalid
	}
	return llm.Overloaded // an error in the stream that explains nothing
}

// refusesContent tells whether the prompt was refused for what it says, which callers meet as llm.Filtered, like a reply
// that was filtered.
func (f failure) refusesContent() bool {
	return f.code == "content_filter" || f.code == "content_policy_violation"
}

// refused gives the optional parameter that the failure says is not supported, if the request had it.
func (f failure) refused(status int, sent []byte) string {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return ""
	}
	text := strings.ToLower(f.message)
	unsupported := f.code == "unsupported_parameter" || f.code == "unsupported_value"
	for _, s := range []string{"unsupported", "not support", "n't support", "unknown", "unrecognized", "unexpected", "extra", "permitted", "not allowed"} {
		unsupported = unsupported || strings.Contains(text, s)
	}
	if !unsupported {
		return "" // a limit that is too high is not a parameter that is unknown
	}
	for _, name := range []string{streamOptions, maxTokens, temperature, stop, user} {
		if f.param != name && !mentions(text, name) {
			continue
		}
		if bytes.Contains(sent, []byte(`"`+name+`":`)) {
			return name
		}
	}
	return ""
}

// mentions tells whether text has name as a word in quotes, or anywhere when the name cannot be an ordinary word.
func mentions(text, name string) bool {
	if strings.Contains(name, "_") || name == temperature {
		return strings.Contains(text, name)
	}
	for _, q := range []string{"'", `"`, "`"} {
		if strings.Contains(text, q+name+q) {
			return true
		}
	}
	return false
}

// maxRetryAfter bounds what a provider may ask for; beyond it the header is more likely a mistake.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the wait that a provider asks for: milliseconds, seconds or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	var d time.Duration
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		d = time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	} else if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil {
		d = time.Duration(min(s, 1e6) * float64(time.Second))
	} else if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
