package llm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"tsumugi/shared/llm"
)

func read(r io.Reader, limit int) (events []llm.Event, err error) {
	for e, err := range llm.Events(r, limit) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func show(events []llm.Event) string { return fmt.Sprintf("%.300s", fmt.Sprintf("%+v", events)) }

func data(texts ...string) (events []llm.Event) {
	for _, s := range texts {
		events = append(events, llm.Event{Data: s})
	}
	return events
}

func TestEvents(t *testing.T) {
	comment := func(s string) llm.Event { return llm.Event{Data: s, Comment: true} }
	long := strings.Repeat("x", 70_000)
	huge := strings.Repeat("y", 5<<20)
	cases := []struct {
		name, in string
		want     []llm.Event
	}{
		{"nothing", "", nil},
		{"only blank lines", "\n\n\r\n\r", nil},
		{"plain", "data: a\n\ndata: b\n\n", data("a", "b")},
		{"crlf", "data: a\r\n\r\ndata: b\r\n\r\n", data("a", "b")},
		{"cr only", "data: a\r\rdata: b\r\r", data("a", "b")},
		{"mixed line ends", "data: a\r\n\ndata: b\n\r\ndata: c\r\r", data("a", "b", "c")},
		{"several data lines join with a newline", "data: {\"a\":\ndata: 1}\n\n", data("{\"a\":\n1}")},
		{"one blank is stripped, not two", "data:  a\n\ndata:b\n\n", data(" a", "b")},
		{"empty data is an event", "data:\n\ndata\n\n", data("", "")},
		{"colons in data", "data: a: b:c\n\n", data("a: b:c")},
		{"event name", "event: error\ndata: x\n\ndata: y\n\n", []llm.Event{{Name: "error", Data: "x"}, {Data: "y"}}},
		{"event without data is dropped with its name", "event: ping\n\ndata: y\n\n", data("y")},
		{"id and retry and unknown fields", "id: 1\nretry: 5\nwhat\nfoo: bar\ndata: y\n\n", data("y")},
		{"openrouter comment", ": OPENROUTER PROCESSING\n\ndata: y\n\n", append([]llm.Event{comment("OPENROUTER PROCESSING")}, data("y")...)},
		{"bare colon", ":\n\ndata: y\n\n", append([]llm.Event{comment("")}, data("y")...)},
		{"comment inside an event", "data: a\n: ping\ndata: b\n\n", append([]llm.Event{comment("ping")}, data("a\nb")...)},
		{"byte order mark", "\ufeffdata: y\n\ndata: \ufeffz\n\n", data("y", "\ufeffz")},
		{"last event without blank line", "data: a\n\ndata: [DONE]\n", []llm.Event{{Data: "a"}, {Data: "[DONE]", Unended: true}}},
		{"last line without end", "data: a\n\ndata: {\"cu", []llm.Event{{Data: "a"}, {Data: "{\"cu", Unended: true}}},
		{"line of 70000 bytes", "data: " + long + "\n\ndata: b\n\n", data(long, "b")},
		{"line of 5 MB", "data: " + huge + "\n\ndata: b\n\n", data(huge, "b")},
		{"multi-byte characters", "data: 你好🦀\n\n", data("你好🦀")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			readers := map[string]io.Reader{"at once": strings.NewReader(c.in), "error with data": iotest.DataErrReader(strings.NewReader(c.in))}
			if len(c.in) < 1<<20 {
				readers["one byte per read"] = iotest.OneByteReader(strings.NewReader(c.in))
			}
			for how, r := range readers {
				got, err := read(r, 0)
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				if !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s: got %s, want %s", how, show(got), show(c.want))
				}
			}
		})
	}
}

// A server that sends a lone CR and then waits must still be heard: the reader may not look ahead for an LF.
func TestLoneCRIsHeardAtOnce(t *testing.T) {
	r := io.MultiReader(strings.NewReader("data: a\r\r"), iotest.ErrReader(errors.New("looked ahead")))
	for e, err := range llm.Events(r, 0) {
		if err != nil || e.Data != "a" {
			t.Fatalf("got %q, %v", e.Data, err)
		}
		break
	}
}

func TestReadErrorIsNeverACleanEnd(t *testing.T) {
	boom := errors.New("boom")
	got, err := read(io.MultiReader(strings.NewReader("data: a\n\ndata: half"), iotest.ErrReader(boom)), 0)
	if !errors.Is(err, boom) {
		t.Fatalf("error %v, want %v", err, boom)
	}
	if !reflect.DeepEqual(got, data("a")) {
		t.Fatalf("got %s", show(got))
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestReaderThatGivesNothing(t *testing.T) {
	if _, err := read(stuck{}, 0); !errors.Is(err, io.ErrNoProgress) {
		t.Fatalf("error %v", err)
	}
}

func TestLimit(t *testing.T) {
	cases := []struct {
		name, in string
		large    bool
	}{
		{"a line", "data: " + strings.Repeat("x", 200) + "\n\n", true},
		{"a line that never ends", "data: " + strings.Repeat("x", 200), true},
		{"many small lines of one event", strings.Repeat("data: x\n", 40) + "\n", true},
		{"an endless comment", ": " + strings.Repeat("x", 200), true},
		{"many events", strings.Repeat("data: x\n\n", 100), false},
		{"many comments", strings.Repeat(": ping\n", 100), false},
		{"many comments inside an event", "data: x\n" + strings.Repeat(": ping\n", 100) + "\n", false},
		{"many blank lines", strings.Repeat("\r\n", 200), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				if _, err := read(r, 100); errors.Is(err, llm.ErrEventTooLarge) != c.large || (err != nil) != c.large {
					t.Errorf("error %v, want too large: %v", err, c.large)
				}
			}
		})
	}
}

func TestLeavingTheLoopStopsReading(t *testing.T) {
	r := strings.NewReader(strings.Repeat("data: "+strings.Repeat("x", 8000)+"\n\n", 10))
	for range llm.Events(r, 0) {
		break
	}
	if r.Len() < 40_000 {
		t.Fatalf("read on after the loop was left: %d bytes remain", r.Len())
	}
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: a\r\n\r\n", ": c\rdata: b\n\n", "\ufeffevent: e\ndata: 你好🦀\n\n", "data", "data: a\n:\ndata: b", "\r\n\r\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err1 := read(bytes.NewReader(in), 64)
		bytewise, err2 := read(iotest.OneByteReader(bytes.NewReader(in)), 64)
		if fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Fatalf("at once %v, byte by byte %v", err1, err2)
		}
		if !reflect.DeepEqual(whole, bytewise) {
			t.Fatalf("at once %s, byte by byte %s", show(whole), show(bytewise))
		}
		n := 0
		for _, e := range whole {
			n += len(e.Data) + len(e.Name)
		}
		if n > len(in) {
			t.Fatalf("%d bytes of events out of %d", n, len(in))
		}
	})
}

func BenchmarkEvents(b *testing.B) {
	in := []byte(strings.Repeat("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" lantern\"}}]}\n\n", 1000))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range llm.Events(bytes.NewReader(in), 0) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
