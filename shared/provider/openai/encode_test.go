package openai

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"tsumugi/shared/llm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEncodeGolden(t *testing.T) {
	hot := 0.7
	hello := []llm.Message{{Role: llm.System, Text: "You are Mira."}, {Role: llm.User, Name: "ana", Text: "Hello"}}
	cases := []struct {
		name string
		r    llm.Request
		w    without
	}{
		{"plain", llm.Request{Model: "m", Messages: hello}, without{}},
		{"no_model", llm.Request{Messages: hello}, without{}},
		{"everything", llm.Request{Model: "m", Messages: hello, MaxTokens: 300, Temperature: &hot, Stop: []string{"\nUser:"}, User: "u-1"}, without{}},
		{"temperature_zero_is_sent", llm.Request{Model: "m", Messages: hello, Temperature: new(float64)}, without{}},
		{"prefill_is_a_trailing_message", llm.Request{Model: "m", Messages: hello, Prefill: "*smiles* "}, without{}},
		{"prefill_continues_the_assistant", llm.Request{Model: "m", Messages: append(hello, llm.Message{Role: llm.Assistant, Text: "Well, "}), Prefill: "hello"}, without{}},
		{"prefill_without_messages", llm.Request{Model: "m", Prefill: "Once "}, without{}},
		{"text_stays_as_it_is", llm.Request{Model: "m", Messages: []llm.Message{{Role: llm.User, Text: "<b> & \"q\" \\ 你好🦀 \u2028 \xff\ttab"}}}, without{}},
		{"names_that_do_not_fit", llm.Request{Model: "m", Messages: []llm.Message{
			{Role: llm.System, Name: "rules", Text: "a"}, {Role: llm.User, Name: "李", Text: "b"}, {Role: llm.User, Name: "Ana B.", Text: "c"}, {Role: llm.Assistant, Name: "Mira-2_x", Text: "d"}}}, without{}},
		{"nothing_refused_is_sent", llm.Request{Model: "m", Messages: hello, MaxTokens: 300, Temperature: &hot, Stop: []string{"x"}, User: "u-1"},
			without{}.and(streamOptions).and(maxTokens).and(temperature).and(stop).and(user)},
		{"renamed_limit", llm.Request{Model: "m", Messages: hello, MaxTokens: 300}, without{renamed: true}.and(maxTokens)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw, err := encode(c.r, c.w)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, raw, "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", c.name+".golden.json")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
			}
		})
	}
}

func TestEncodeDoesNotChangeTheRequest(t *testing.T) {
	messages := []llm.Message{{Role: llm.Assistant, Text: "Well, "}}
	if _, err := encode(llm.Request{Messages: messages, Prefill: "hello"}, without{}); err != nil {
		t.Fatal(err)
	}
	if messages[0].Text != "Well, " {
		t.Errorf("message is now %q", messages[0].Text)
	}
}
