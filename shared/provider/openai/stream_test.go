package openai

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"tsumugi/shared/llm"
)

type heard struct {
	text, thinking string
	done           llm.Done
	terminals      int
	err            error
}

func hear(r io.Reader, limit int) (h heard) {
	d := decoder{limit: limit}
	h.err = d.decode(r, func(bool) {}, func(x llm.Delta) bool {
		h.text += x.Text
		h.thinking += x.Thinking
		if x.Done != nil {
			h.done = *x.Done
			h.terminals++
		}
		return true
	})
	if h.err != nil {
		h.terminals++
	}
	return h
}

func TestRecordedStreams(t *testing.T) {
	cases := []struct {
		file, text, thinking string
		done                 llm.Done
		err                  llm.Error
	}{
		{file: "openai", text: "Hello there.", done: llm.Done{Reason: llm.Stopped, Usage: llm.Usage{Prompt: 19, Completion: 3, Cached: 8}}},
		{file: "openai_refusal", text: "I cannot do that.", done: llm.Done{Reason: llm.Filtered}},
		{file: "openrouter", text: "Hello there.", thinking: "A greeting.", done: llm.Done{Reason: llm.Stopped, Usage: llm.Usage{Prompt: 19, Completion: 9}}},
		{file: "openrouter_error", text: "Hello", err: llm.Error{Kind: llm.Overloaded, Code: "server_error"}},
		{file: "ollama", text: "Hello there.", done: llm.Done{Reason: llm.Stopped, Usage: llm.Usage{Prompt: 26, Completion: 4}}},
		{file: "llamacpp", text: "Hello there.", thinking: "A greeting.", done: llm.Done{Reason: llm.Length, Usage: llm.Usage{Prompt: 26, Completion: 4}}},
		{file: "vllm", text: "Hello there.", done: llm.Done{Reason: llm.Stopped, Usage: llm.Usage{Prompt: 26, Completion: 3}}},
		{file: "vllm_error", text: "Hello", err: llm.Error{Kind: llm.Overloaded, Code: "internalservererror", Status: 500}},
		{file: "azure", text: "Hello there.", done: llm.Done{Reason: llm.Filtered, Usage: llm.Usage{Prompt: 11, Completion: 3}}},
		{file: "ollama_tools", done: llm.Done{Reason: llm.CallsTools, Calls: []llm.Call{{ID: "call_x1y2z3", Name: "tide_table", Arguments: `{"day":"today"}`}}}},
		{file: "vllm_tools", done: llm.Done{Reason: llm.CallsTools, Usage: llm.Usage{Prompt: 158, Completion: 21}, Calls: []llm.Call{
			{ID: "chatcmpl-tool-0a1b2c", Name: "tide_table", Arguments: `{"day": "today"}`}, {ID: "chatcmpl-tool-3d4e5f", Name: "fog", Arguments: `{}`}}}},
		{file: "llamacpp_tools", done: llm.Done{Reason: llm.CallsTools, Usage: llm.Usage{Prompt: 140, Completion: 16},
			Calls: []llm.Call{{ID: "k9Qm2", Name: "tide_table", Arguments: `{"day":"today"}`}}}},
		{file: "openrouter_tools", text: "Let me look.", done: llm.Done{Reason: llm.CallsTools, Usage: llm.Usage{Prompt: 99, Completion: 24},
			Calls: []llm.Call{{ID: "toolu_01A", Name: "tide_table", Arguments: `{"day": "today"}`}}}},
		{file: "deepseek_busy", text: "Hello", err: llm.Error{Kind: llm.Overloaded, Code: "insufficient_system_resource"}},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			raw, err := os.ReadFile("testdata/" + c.file + ".sse")
			if err != nil {
				t.Fatal(err)
			}
			crlf := bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))
			for how, r := range map[string]io.Reader{"at once": bytes.NewReader(raw), "one byte per read": iotest.OneByteReader(bytes.NewReader(raw)), "crlf": bytes.NewReader(crlf)} {
				h := hear(r, 1<<20)
				if h.text != c.text || h.thinking != c.thinking || !reflect.DeepEqual(h.done, c.done) || h.terminals != 1 {
					t.Errorf("%s: heard %+v", how, h)
				}
				var e *llm.Error
				if errors.As(h.err, &e) != (c.err.Kind != "") || e != nil && *e != c.err {
					t.Errorf("%s: error %+v, want %+v", how, h.err, c.err)
				}
			}
		})
	}
}

// Wherever a recorded stream is cut before its finish reason, the end is an error of kind Cut and what came before stays.
func TestEveryCutIsSeen(t *testing.T) {
	raw, err := os.ReadFile("testdata/ollama.sse")
	if err != nil {
		t.Fatal(err)
	}
	finish := bytes.Index(raw, []byte(`"finish_reason":"stop"`))
	for n := range raw {
		h := hear(bytes.NewReader(raw[:n]), 1<<20)
		if n <= finish && llm.KindOf(h.err) != llm.Cut {
			t.Fatalf("cut at %d: %v", n, h.err)
		}
		if h.terminals != 1 || !strings.HasPrefix("Hello there.", h.text) {
			t.Fatalf("cut at %d: heard %+v", n, h)
		}
	}
}

func TestConsumerLeavesAtAnyDelta(t *testing.T) {
	raw, err := os.ReadFile("testdata/openrouter.sse")
	if err != nil {
		t.Fatal(err)
	}
	for leave := 1; ; leave++ {
		n, left := 0, false
		d := decoder{limit: 1 << 20}
		err := d.decode(bytes.NewReader(raw), func(bool) {}, func(llm.Delta) bool {
			if left {
				t.Fatalf("yielded after the consumer left at %d", leave)
			}
			n++
			left = n == leave
			return !left
		})
		if err != nil {
			t.Fatal(err)
		}
		if n < leave {
			if n < 7 {
				t.Fatalf("only %d deltas", n)
			}
			return
		}
	}
}

func TestFinishReasons(t *testing.T) {
	cases := map[string]llm.Reason{"stop": llm.Stopped, "STOP": llm.Stopped, "eos": llm.Stopped, "tool_calls": llm.CallsTools, "function_call": llm.CallsTools, "length": llm.Length, "MAX_TOKENS": llm.Length}
	for _, s := range []string{"content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation"} {
		cases[s], cases[strings.ToUpper(s)] = llm.Filtered, llm.Filtered
	}
	for in, want := range cases {
		if got, kind := finished(in); got != want || kind != "" {
			t.Errorf("%s: %s, %s", in, got, kind)
		}
	}
	for in, want := range map[string]llm.Kind{"error": llm.Overloaded, "network_error": llm.Overloaded, "abort": llm.Cut} {
		if _, got := finished(in); got != want {
			t.Errorf("%s: kind %s", in, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"openai", "openrouter_error", "azure", "vllm_error"} {
		raw, err := os.ReadFile("testdata/" + name + ".sse")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":[{\"text\":1}]},\"error\":{}}]}\n\ndata: [DONE]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		h := hear(bytes.NewReader(in), 1000)
		if h.terminals != 1 {
			t.Fatalf("%d terminals: %+v", h.terminals, h)
		}
		if !utf8.ValidString(h.text) || len(h.text)+len(h.thinking) > 1000 {
			t.Fatalf("text of %d bytes", len(h.text))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	line := "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" lantern\"},\"finish_reason\":null}]}\n\n"
	in := []byte(strings.Repeat(line, 1000) + "data: [DONE]\n\n")
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if h := hear(bytes.NewReader(in), 1<<20); h.err != nil {
			b.Fatal(h.err)
		}
	}
}
