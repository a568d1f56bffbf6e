package llmtest

import (
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/llm"
)

// situation is one thing that can happen to a stream, and what the contract makes of it. steps is how it looks without a
// wire; nil where only a wire has it.
type situation struct {
	name       string
	steps      []Step
	text       string
	thinking   string
	reason     llm.Reason // Stopped when empty and kind is empty
	usage      llm.Usage
	calls      []llm.Call
	kind       llm.Kind
	code       string
	status     int
	retryAfter time.Duration
	after      time.Duration // how long it takes
}

// Half is what comes before a stream breaks.
const Half = "Good evening. The la"

// HugeLine is the number of bytes of the reply that comes as one line.
const HugeLine = 1 << 20

var counted = llm.Usage{Prompt: 12, Completion: 7, Cached: 4}

func done(r llm.Reason, u llm.Usage) Step { return Step{Done: &llm.Done{Reason: r, Usage: u}} }

func fails(k llm.Kind) []Step { return []Step{{Err: &llm.Error{Kind: k}}} }

func failsAs(e llm.Error) []Step { return []Step{{Err: &e}} }

// Two calls, which most of the situations with tools ask for.
var (
	lamp = llm.Call{ID: "a", Name: "light_lamp", Arguments: `{"number":41}`}
	bell = llm.Call{ID: "b", Name: "ring_bell", Arguments: `{"times":2,"why":"你好"}`}
)

func asks(calls ...llm.Call) Step {
	return Step{Done: &llm.Done{Reason: llm.CallsTools, Calls: calls}}
}

// made is a call whose id the adapter had to make up.
func made(n int, c llm.Call) llm.Call { c.ID = "call_" + strconv.Itoa(n); return c }

// another is the same tool with other arguments.
func another(c llm.Call) llm.Call { c.Arguments = `{"number":42}`; return c }

var three = []Step{{Text: "Good evening. "}, {Text: "你好🦀 "}, {Text: "The lamps are lit."}}

func ending(s ...Step) []Step { return append(append([]Step{}, three...), s...) }

var situations = []situation{
	// Replies that end well.
	{name: "plain", steps: ending(done(llm.Stopped, counted)), text: Reply, usage: counted},
	{name: "one_chunk", steps: []Step{{Text: "."}, done(llm.Stopped, llm.Usage{})}, text: "."},
	{name: "text_with_finish", text: Reply},
	{name: "empty", steps: []Step{done(llm.Stopped, llm.Usage{})}},
	{name: "length", steps: []Step{{Text: Half}, done(llm.Length, llm.Usage{})}, text: Half, reason: llm.Length},
	{name: "filtered", steps: []Step{done(llm.Filtered, llm.Usage{})}, reason: llm.Filtered},
	{name: "prompt_filtered", reason: llm.Filtered},
	{name: "thinking", steps: []Step{{Thinking: "They greet me. "}, {Thinking: "So do I."}, {Text: "Hello."}, done(llm.Stopped, llm.Usage{})},
		text: "Hello.", thinking: "They greet me. So do I."},
	{name: "thinking_other_name", text: "Hello.", thinking: "They greet me. So do I."},
	{name: "content_parts", text: "Hello.", thinking: "They greet me."},
	{name: "usage_chunk_without_choices", text: Reply, usage: counted},
	{name: "usage_chunk_missing_choices", text: Reply, usage: counted},
	{name: "usage_chunk_null_choices", text: Reply, usage: counted},
	{name: "empty_choices_first", text: Reply, usage: counted},
	{name: "odd_usage", text: Reply},

	// Tools that are asked for. The pieces are the wire's; what leaves an adapter is whole.
	{name: "tool_call", steps: []Step{asks(lamp)}, reason: llm.CallsTools, calls: []llm.Call{lamp}},
	{name: "tool_calls_in_fragments", steps: []Step{asks(lamp, bell)}, reason: llm.CallsTools, calls: []llm.Call{lamp, bell}},
	{name: "tool_calls_after_text", steps: append([]Step{{Text: "One moment."}}, asks(lamp)), text: "One moment.", reason: llm.CallsTools, calls: []llm.Call{lamp}},
	{name: "tool_calls_interleaved", reason: llm.CallsTools, calls: []llm.Call{lamp, bell}},                                                       // B70
	{name: "tool_calls_on_one_index", reason: llm.CallsTools, calls: []llm.Call{lamp, bell}},                                                      // B71
	{name: "tool_calls_without_index", reason: llm.CallsTools, calls: []llm.Call{lamp, bell}},                                                     //
	{name: "tool_calls_without_ids", reason: llm.CallsTools, calls: []llm.Call{made(1, lamp), made(2, bell)}},                                     //
	{name: "tool_calls_bare", reason: llm.CallsTools, calls: []llm.Call{made(1, lamp), made(2, another(lamp))}},                                   // neither index nor id, and the name once
	{name: "tool_call_twice_the_document", reason: llm.CallsTools, calls: []llm.Call{{ID: "a", Name: "light_lamp", Arguments: `{"a":1}{"b":2}`}}}, // X10: one bad call
	{name: "tool_calls_with_stop", reason: llm.CallsTools, calls: []llm.Call{lamp}},                                                               // a finish reason that does not say it
	{name: "tool_call_as_object", reason: llm.CallsTools, calls: []llm.Call{lamp}},                                                                // arguments that are no string
	{name: "tool_call_not_streamed", reason: llm.CallsTools, calls: []llm.Call{lamp}},
	{name: "tool_call_split_escape", reason: llm.CallsTools, calls: []llm.Call{{ID: "a", Name: "light_lamp", Arguments: `{"for":"🦀"}`}}},
	{name: "tool_call_cut_by_length", reason: llm.Length},
	{name: "tool_call_cut", kind: llm.Cut},

	// The bytes on the way.
	{name: "split_surrogate_escape", text: Reply}, // B60, X03
	{name: "lone_surrogate_escape", text: "Good\ufffd evening."},
	{name: "comments", text: Reply},
	{name: "crlf", text: Reply},
	{name: "lone_cr", text: Reply},
	{name: "byte_order_mark", text: Reply},
	{name: "multiline_data", text: Reply},
	{name: "split_utf8", text: Reply},
	{name: "no_blank_line_at_end", text: Reply},
	{name: "huge_line", steps: []Step{{Text: strings.Repeat("x", HugeLine)}, done(llm.Stopped, llm.Usage{})}, text: strings.Repeat("x", HugeLine)},
	{name: "line_over_limit", text: "Hello.", kind: llm.Malformed},
	{name: "reply_over_limit", text: strings.Repeat("x", 4*HugeLine), kind: llm.Malformed},
	{name: "not_json", text: Half, kind: llm.Malformed},
	{name: "web_page", kind: llm.Malformed},

	// Ends that are missing, doubled or odd.
	{name: "cut", steps: []Step{{Text: Half}}, text: Half, kind: llm.Cut},
	{name: "cut_at_once", steps: []Step{}, kind: llm.Cut},
	{name: "cut_in_json", text: Half, kind: llm.Cut},
	{name: "connection_lost", text: Half, kind: llm.Cut},
	{name: "finish_without_done", text: Reply},
	{name: "done_without_finish", text: Reply},
	{name: "open_after_finish", text: Reply, after: 5 * time.Second},
	{name: "open_after_done", text: Reply},
	{name: "chunks_after_done", text: Reply},
	{name: "repeated", text: Reply},
	{name: "not_streamed", text: Reply, usage: counted},

	// Errors within a stream that began well.
	{name: "error_event_first", steps: failsAs(llm.Error{Kind: llm.Overloaded, Code: "server_error"}), kind: llm.Overloaded, code: "server_error"},
	{name: "error_event_after_text", steps: append([]Step{{Text: Half}}, failsAs(llm.Error{Kind: llm.RateLimited, Code: "rate_limit_exceeded"})...),
		text: Half, kind: llm.RateLimited, code: "rate_limit_exceeded"},
	{name: "error_named_event", text: Half, kind: llm.Overloaded, code: "overloaded_error"},
	{name: "error_as_text", text: Half, kind: llm.Overloaded},
	{name: "error_unwrapped", text: Half, kind: llm.Invalid, status: 400},
	{name: "error_finish_reason", text: Half, kind: llm.Overloaded, status: 502},
	{name: "error_in_json_with_200", kind: llm.Unauthorized, status: 401},

	// Refusals.
	{name: "status_400", steps: failsAs(llm.Error{Kind: llm.Invalid, Status: 400, Code: "context_length_exceeded"}), kind: llm.Invalid, code: "context_length_exceeded", status: 400},
	{name: "status_401", steps: failsAs(llm.Error{Kind: llm.Unauthorized, Status: 401, Code: "invalid_api_key"}), kind: llm.Unauthorized, code: "invalid_api_key", status: 401},
	{name: "status_402", kind: llm.Unauthorized, status: 402},
	{name: "status_403", kind: llm.Unauthorized, status: 403},
	{name: "status_404", steps: failsAs(llm.Error{Kind: llm.NotFound, Status: 404, Code: "model_not_found"}), kind: llm.NotFound, code: "model_not_found", status: 404},
	{name: "status_429_seconds", steps: failsAs(llm.Error{Kind: llm.RateLimited, Status: 429, RetryAfter: 17 * time.Second}), kind: llm.RateLimited, status: 429, retryAfter: 17 * time.Second},
	{name: "status_429_date", kind: llm.RateLimited, status: 429, retryAfter: 90 * time.Second},
	{name: "status_429_out_of_credit", kind: llm.Unauthorized, code: "insufficient_quota", status: 429},
	{name: "status_500", steps: failsAs(llm.Error{Kind: llm.Overloaded, Status: 500}), kind: llm.Overloaded, status: 500},
	{name: "status_503", kind: llm.Overloaded, status: 503, retryAfter: 5 * time.Second},
	{name: "status_503_web_page", kind: llm.Overloaded, status: 503},
	{name: "redirect_elsewhere", kind: llm.NotFound, status: 307},
	{name: "connection_refused", steps: fails(llm.Unreachable), kind: llm.Unreachable},
	{name: "parameter_refused", text: Reply},

	// Time.
	{name: "slow_first_token", steps: append([]Step{{Pause: FirstToken - time.Second}}, ending(done(llm.Stopped, llm.Usage{}))...), text: Reply, after: FirstToken - time.Second},
	{name: "no_headers", kind: llm.TimedOut, after: FirstToken},
	{name: "no_first_token", kind: llm.TimedOut, after: FirstToken},
	{name: "comments_instead_of_text", kind: llm.TimedOut, after: FirstToken},
	{name: "stall", text: Half, kind: llm.TimedOut, after: Idle},
	{name: "comments_keep_alive", text: Reply, after: 4 * time.Minute},
	{name: "comments_for_ever", text: Half, kind: llm.TimedOut, after: FirstToken},
}
