package queue_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

type turnBody struct {
	Turn string `json:"turn"`
	Text string `json:"text,omitempty"`
}

func TestBodyRoundTrip(t *testing.T) {
	for name, text := range map[string]string{
		"plain":                "hello",
		"html":                 "<b>&amp;</b>",
		"noncharacters":        "a\uffff\ufffeb",
		"control characters":   "\x00\x01\x1b\x7f",
		"emoji":                "\U0001f469\u200d\U0001f467",
		"backslashes in front": `\` + "\uffff" + `\\` + "\ufffe",
		"line separators":      "\u2028\u2029",
	} {
		t.Run(name, func(t *testing.T) {
			body, err := queue.Encode(turnBody{Turn: "1", Text: text})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(body, `{"v":1,"turn":"1"`) {
				t.Fatalf("body %s", body)
			}
			if err := queue.CheckMessage(queue.Message{Group: "g", Dedup: "d", Body: body}); err != nil {
				t.Fatalf("no queue carries it: %v", err)
			}
			var got turnBody
			if err := queue.Decode(body, &got); err != nil || got.Text != text {
				t.Fatalf("text %q, error %v", got.Text, err)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, v := range map[string]any{
		"a list":         []int{1},
		"a string":       "{}",
		"nil":            nil,
		"a v of its own": map[string]any{"v": 2},
		"a null v":       map[string]any{"v": nil},
		"a channel":      make(chan int),
	} {
		if body, err := queue.Encode(v); err == nil {
			t.Errorf("%s: %s", name, body)
		}
	}
	if body, err := queue.Encode(struct{}{}); err != nil || body != `{"v":1}` {
		t.Errorf("empty: %s, %v", body, err)
	}
}

func TestDecodeNewerIsNoDrop(t *testing.T) {
	body := `{"v":2,"turn":{"shape":"changed"}}`
	if v, err := queue.Version(body); v != 2 || err != nil {
		t.Fatalf("version %d, %v", v, err)
	}
	err := queue.Decode(body, &turnBody{})
	if !errors.Is(err, queue.ErrNewer) || chat.Dropped(err) {
		t.Fatalf("error %v", err)
	}
}

func TestDecodeMalformedIsDropWithoutText(t *testing.T) {
	for _, body := range []string{
		"", "secret", "[]", "null", `{}`, `{"v":0}`, `{"v":-1}`, `{"v":1.5}`, `{"v":"1"}`, `{"v":null}`,
		`{"v":1,"turn":7}`, `{"v":1,"turn":"secret"`, `{"v":1} {"v":1}`,
	} {
		err := queue.Decode(body, &turnBody{})
		if !chat.Dropped(err) || !errors.Is(err, queue.ErrMalformed) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v", body, err)
		}
	}
}

// A job that names no channel can be neither worked on nor buried: as a dead letter it would come back for a fortnight.
func TestAJobOfNoChannelIsMalformed(t *testing.T) {
	for _, body := range []string{`{"v":1}`, `{"v":1,"channel":"","event":"1"}`, `{"v":1,"channel":"7"}`} {
		err := queue.Jobs(queue.Turns, func(context.Context, chat.Job, chat.Delivery) error { return nil })(t.Context(), queue.Delivery{
			Received: queue.Received{Message: queue.Message{Group: "7", Body: body}}})
		if !errors.Is(err, queue.ErrMalformed) || !chat.Dropped(err) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
