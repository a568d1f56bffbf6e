package model

import (
	"slices"
	"strings"
	"time"
)

// The text of most traps, and of those that break in the middle. Package llmtest, which cannot be imported outside tests,
// expects exactly these.
const (
	trapText = "Good evening. 你好🦀 The lamps are lit."
	trapHalf = "Good evening. The la"
)

// Trap gives the script of a situation that package llmtest names, and nil for a name it does not know.
func Trap(name string) []Rule {
	for _, table := range []map[string]Reply{goodReplies(), toolCalls(), oddBytes(), oddEnds(), errorsInStream(), refusals(), times()} {
		if r, ok := table[name]; ok {
			return []Rule{{Reply: r}}
		}
	}
	if name == "parameter_refused" {
		return refusedParameters()
	}
	return nil
}

// Traps gives the names of all traps, sorted.
func Traps() []string {
	names := []string{"parameter_refused"}
	for _, table := range []map[string]Reply{goodReplies(), toolCalls(), oddBytes(), oddEnds(), errorsInStream(), refusals(), times()} {
		for name := range table {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func evening() []Step { return texts("Good evening. ", "你好🦀 ", "The lamps are lit.") }

func raws(parts ...string) []Step {
	steps := make([]Step, 0, len(parts))
	for _, p := range parts {
		steps = append(steps, Step{Raw: p})
	}
	return steps
}

func after(first []Step, more ...Step) []Step { return append(first, more...) }

var trapUsage = Usage{Prompt: 12, Completion: 7, Cached: 4}

const finishStop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

func goodReplies() map[string]Reply {
	usageAs := func(choices string) Reply {
		return Reply{Steps: after(evening(), raws(event(finishStop), event(`{`+choices+`"usage":`+trapUsage.json()+`}`), event("[DONE]"))...), End: Clean}
	}
	return map[string]Reply{
		"plain":            {Steps: evening(), Usage: &trapUsage},
		"one_chunk":        {Steps: raws(Chunk(`{"role":"assistant","content":"."}`, "stop"), event("[DONE]")), End: Clean},
		"text_with_finish": {Steps: after(texts("Good evening. 你好🦀 The lamps are lit"), raws(Chunk(`{"content":"."}`, "stop"), event("[DONE]"))...), End: Clean},
		"empty":            {Steps: raws(Chunk(`{"role":"assistant","content":""}`, ""))},
		"length":           {Steps: texts(trapHalf), Finish: "length"},
		"filtered":         {Steps: raws(Chunk(`{"content":null}`, "")), Finish: "CONTENT_FILTER"},
		"prompt_filtered":  {Status: 400, Body: `{"error":{"code":"content_filter","message":"the provider's own words","param":"prompt","status":400}}`},
		"thinking":         {Steps: []Step{{Thinking: "They greet me. "}, {Thinking: "So do I."}, {Text: "Hello."}}},
		"thinking_other_name": {Steps: after(raws(Chunk(`{"content":"","reasoning":"They greet me. "}`, ""),
			Chunk(`{"content":null,"reasoning":"So do I."}`, "")), texts("Hello.")...)},
		"content_parts": {Steps: raws(Chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"They greet me."}]}]}`, ""),
			Chunk(`{"content":[{"type":"text","text":"Hello."}]}`, ""))},
		"usage_chunk_without_choices": usageAs(`"choices":[],`),
		"usage_chunk_missing_choices": usageAs(``),
		"usage_chunk_null_choices":    usageAs(`"choices":null,`),
		"empty_choices_first": {Steps: after(raws(event(`{"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`)),
			evening()...), Usage: &trapUsage},
		"odd_usage": {Steps: after(evening(), raws(event(finishStop), event(`{"choices":[],"usage":{"prompt_tokens":"many"}}`), event("[DONE]"))...), End: Clean},
	}
}

func oddBytes() map[string]Reply {
	large := func(n int) Step { return Step{Text: strings.Repeat("x", n)} }
	return map[string]Reply{
		"comments":        {Steps: after(append([]Step{{Raw: ": OPENROUTER PROCESSING\n\n", Times: 60}, {Raw: ":\n\n"}, {Raw: ": ping\n"}}, evening()...), Step{Raw: ": bye\n\n"})},
		"crlf":            {Steps: evening(), LineEnd: "\r\n"},
		"lone_cr":         {Steps: evening(), LineEnd: "\r"},
		"byte_order_mark": {Steps: after(raws("\ufeff"), evening()...)},
		"multiline_data":  {Steps: raws("data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":" + quote(trapText) + "}}]}\n\n")},
		"split_utf8":      {Steps: evening(), EachByte: true},
		"split_surrogate_escape": {Steps: after(raws(Chunk(`{"content":"Good evening. 你好\ud83e"}`, ""),
			Chunk(`{"content":""}`, ""), Chunk(`{"content":"\udd80 The lamps are lit."}`, "")))},
		"lone_surrogate_escape": {Steps: raws(Chunk(`{"content":"Good\ud83e"}`, ""), Chunk(`{"content":" evening."}`, ""))},
		"no_blank_line_at_end":  {Steps: after(evening(), raws(event(finishStop), "data: [DONE]")...), End: Clean},
		"huge_line":             {Steps: []Step{large(1 << 20)}},
		"line_over_limit":       {Steps: after(texts("Hello."), large(9<<20))},
		"reply_over_limit":      {Steps: []Step{{Text: strings.Repeat("x", 1<<20), Times: 6}}},
		"not_json":              {Steps: after(texts(trapHalf), raws(event("so it goes"))...)},
		"web_page":              {Header: map[string]string{"Content-Type": "text/html"}, Body: "<!doctype html><title>Welcome</title>"},
	}
}

func oddEnds() map[string]Reply {
	return map[string]Reply{
		"cut":                 {Steps: texts(trapHalf), End: Clean},
		"cut_at_once":         {End: Clean},
		"cut_in_json":         {Steps: after(texts(trapHalf), raws(`data: {"choices":[{"index":0,"delta":{"con`)...), End: Clean},
		"connection_lost":     {Steps: texts(trapHalf), End: Lost},
		"finish_without_done": {Steps: after(evening(), raws(event(finishStop))...), End: Clean},
		"done_without_finish": {Steps: after(evening(), raws(event("[DONE]"))...), End: Clean},
		"open_after_finish":   {Steps: after(evening(), raws(event(finishStop))...), End: Open},
		"open_after_done":     {Steps: after(evening(), raws(event(finishStop), event("[DONE]"))...), End: Open},
		"chunks_after_done":   {Steps: after(evening(), raws(event("[DONE]"), Chunk(`{"content":"ghost"}`, ""), event(`{"error":{"code":500}}`))...), End: Clean},
		"repeated": {Steps: after(evening(), raws(event(`{"choices":[{"index":0,"message":{"role":"assistant","content":`+quote(trapText)+`},"finish_reason":"stop"}]}`),
			event("[DONE]"))...), End: Clean},
		"not_streamed": {Body: `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + quote(trapText) +
			`},"finish_reason":"stop"}],"usage":` + trapUsage.json() + `}`},
	}
}

func errorsInStream() map[string]Reply {
	broken := func(raw string) Reply { return Reply{Steps: after(texts(trapHalf), raws(raw)...), End: Clean} }
	return map[string]Reply{
		"error_event_first":      {Steps: raws(event(`{"error":{"message":"the provider's own words","type":"server_error","code":null}}`)), End: Clean},
		"error_event_after_text": broken(event(`{"error":{"message":"the provider's own words","type":"tokens","code":"rate_limit_exceeded"}}`)),
		"error_named_event":      broken("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"the provider's own words\"}}\n\n"),
		"error_as_text":          broken(event(`{"error":"the provider's own words"}`)),
		"error_unwrapped":        broken(event(`{"object":"error","message":"the provider's own words","type":"BadRequestError","param":null,"code":400}`)),
		"error_finish_reason": broken(event(`{"id":"gen-1","error":{"code":502,"message":"the provider's own words"},` +
			`"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`)),
		"error_in_json_with_200": {Body: `{"error":{"message":"the provider's own words","code":401}}`},
	}
}

func refusals() map[string]Reply {
	refused := func(status int, code string, header ...string) Reply {
		h := map[string]string{}
		for i := 0; i+1 < len(header); i += 2 {
			h[header[i]] = header[i+1]
		}
		return Reply{Status: status, Header: h,
			Body: `{"error":{"message":"the provider's own words for the-lantern-code-is-4711","type":"invalid_request_error","param":null,"code":` + quote(code) + `}}`}
	}
	date := refused(429, "rate_limit_exceeded")
	date.RetryDate = 90 * time.Second
	page := Reply{Status: 503, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>the provider's own words" + strings.Repeat(".", 200_000)}
	return map[string]Reply{
		"status_400":               refused(400, "context_length_exceeded"),
		"status_401":               refused(401, "invalid_api_key"),
		"status_402":               refused(402, "402"),
		"status_403":               refused(403, "Forbidden by the-lantern… "+strings.Repeat("x", 200)),
		"status_404":               refused(404, "model_not_found"),
		"status_429_seconds":       refused(429, "rate_limit_exceeded", "Retry-After", "17"),
		"status_429_date":          date,
		"status_429_out_of_credit": refused(429, "insufficient_quota"),
		"status_500":               refused(500, ""),
		"status_503":               refused(503, "", "Retry-After", "60", "Retry-After-Ms", "5000"),
		"status_503_web_page":      page,
		"redirect_elsewhere":       {Status: 307, Header: map[string]string{"Location": "http://elsewhere.example/v1/chat/completions"}},
	}
}

func times() map[string]Reply {
	comment := func(each time.Duration, n int) Step { return Step{Raw: ": ping\n\n", Wait: each, Times: n} }
	late := evening()
	late[0].Wait = 299 * time.Second
	return map[string]Reply{
		"slow_first_token":         {Steps: late},
		"no_headers":               {Late: true},
		"no_first_token":           {End: Open},
		"comments_instead_of_text": {Steps: []Step{comment(10*time.Second, -1)}},
		"stall":                    {Steps: texts(trapHalf), End: Open},
		"comments_keep_alive":      {Steps: after(append(texts("Good evening. "), comment(time.Minute, 4)), texts("你好🦀 ", "The lamps are lit.")...)},
		"comments_for_ever":        {Steps: after(texts(trapHalf), comment(time.Minute, -1))},
		"endless":                  {Steps: []Step{{Text: "tick ", Wait: time.Second, Times: -1}}},
		"silent":                   {End: Open},
	}
}

// refusedParameters is a reasoning model: it refuses what it does not support, one parameter at a time.
func refusedParameters() []Rule {
	refuse := func(body, message, code string) Rule {
		return Rule{Body: body, Reply: Reply{Status: 400,
			Body: `{"error":{"message":` + quote(message) + `,"type":"invalid_request_error","param":null,"code":` + code + `}}`}}
	}
	return []Rule{
		refuse(`"stream_options":`, "Extra inputs are not permitted: stream_options", "null"),
		refuse(`"max_tokens":`, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", `"unsupported_parameter"`),
		{Body: `"max_completion_tokens":200`, Reply: Reply{Steps: evening()}},
	}
}
