package model

// toolCalls are the shapes in which servers ask for tools. Package llmtest expects exactly these calls.
func toolCalls() map[string]Reply {
	piece := func(call string) Step { return Step{Raw: Chunk(`{"tool_calls":[`+call+`]}`, "")} }
	asked := func(pieces ...string) Reply {
		var steps []Step
		for _, p := range pieces {
			steps = append(steps, piece(p))
		}
		return Reply{Steps: steps, Finish: "tool_calls"}
	}
	const (
		lamp = `{"index":0,"id":"a","type":"function","function":{"name":"light_lamp","arguments":"{\"number\":41}"}}`
	)
	afterText := asked(lamp)
	afterText.Steps = after(texts("One moment."), afterText.Steps...)
	stop, length, cutOff := asked(lamp), asked(`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":"{\"num"}}`), asked(`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":"{\"num"}}`)
	stop.Finish, length.Finish = "stop", "length"
	cutOff.End = Clean
	return map[string]Reply{
		"tool_call": asked(lamp),
		"tool_calls_in_fragments": asked(
			`{"index":0,"id":"a","type":"function","function":{"name":"light_lamp","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"num"}}`,
			`{"index":0,"function":{"arguments":"ber\":41}"}}`,
			`{"index":1,"id":"b","type":"function","function":{"name":"ring_","arguments":null}}`, `{"index":1,"function":{"name":"bell"}}`,
			`{"index":1,"function":{"arguments":"{\"times\":2,\"wh"}}`, `{"index":1,"function":{"arguments":"y\":\"你好\"}"}}`),
		"tool_calls_after_text": afterText,
		"tool_calls_interleaved": asked(
			`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":""}}`, `{"index":1,"id":"b","function":{"name":"ring_bell","arguments":"{\"times\":2,"}}`,
			`{"index":0,"function":{"arguments":"{\"number\":"}}`, `{"index":1,"function":{"arguments":"\"why\":\"你好\"}"}}`, `{"index":0,"function":{"arguments":"41}"}}`),
		"tool_calls_on_one_index": asked(lamp,
			`{"index":0,"id":"b","function":{"name":"ring_bell","arguments":"{\"times\":2,"}}`, `{"index":0,"function":{"arguments":"\"why\":\"你好\"}"}}`),
		"tool_calls_without_index": asked(
			`{"id":"a","function":{"name":"light_lamp","arguments":"{\"num"}}`, `{"function":{"arguments":"ber\":41}"}}`,
			`{"id":"b","function":{"name":"ring_bell","arguments":"{\"times\":2,\"why\":\"你好\"}"}}`),
		"tool_calls_without_ids": asked(
			`{"index":0,"function":{"name":"light_lamp","arguments":"{\"number\":41}"}}`, `{"index":0,"function":{"name":"ring_bell","arguments":"{\"times\":2,\"why\":\"你好\"}"}}`),
		"tool_calls_bare": asked(
			`{"function":{"name":"light_lamp","arguments":"{\"number\":"}}`, `{"function":{"arguments":"41}"}}`, `{"function":{"arguments":"{\"number\":42}"}}`),
		"tool_call_twice_the_document": asked(`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":"{\"a\":1}"}}`, `{"index":0,"function":{"arguments":"{\"b\":2}"}}`),
		"tool_calls_with_stop":         stop,
		"tool_call_as_object":          asked(`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":{"number":41}}}`),
		"tool_call_not_streamed":       {Body: `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` + lamp + `]},"finish_reason":"tool_calls"}]}`},
		"tool_call_split_escape":       asked(`{"index":0,"id":"a","function":{"name":"light_lamp","arguments":"{\"for\":\"\ud83e"}}`, `{"index":0,"function":{"arguments":"\udd80\"}"}}`),
		"tool_call_cut_by_length":      length,
		"tool_call_cut":                cutOff,
	}
}
