package queuetest

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/queue"
)

// sendCases are about what a queue accepts.
func sendCases() []testCase {
	return []testCase{
		{name: "dedup within the window", run: func(t *testing.T, s suite) {
			s.send(t, "a1", "a1")
			must(t, s.Send(t.Context(), queue.Turns, queue.Message{Group: "a", Dedup: "dedup-a1", Body: "a9"}))
			s.take(t, 10, "a1")
		}},
		{name: "dedup after delete", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			s.drop(t, s.take(t, 1, "a1")...)
			s.send(t, "a1")
			s.none(t)
		}},
		{name: "dedup ends with the window", long: true, run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			s.drop(t, s.take(t, 1, "a1")...)
			time.Sleep(queue.Window - time.Second)
			s.send(t, "a1") // dropped, and does not prolong the window
			s.none(t)
			time.Sleep(time.Second)
			s.send(t, "a1")
			s.drop(t, s.take(t, 10, "a1")...)
			time.Sleep(queue.Window - time.Second)
			s.send(t, "a1")
			s.none(t)
		}},
		{name: "dedup is each queue's own", run: func(t *testing.T, s suite) {
			s.send(t, "a1")
			must(t, s.Send(t.Context(), queue.Replies, message("a1")))
			s.take(t, 10, "a1")
			s.takeFrom(t, queue.Replies, 10, "a1")
		}},
		{name: "attributes round trip", run: attributes},
		{name: "size limit is exact", run: sizes},
		{name: "malformed messages are refused", run: malformed},
		{name: "every character of a body arrives", run: func(t *testing.T, s suite) {
			body := "{\"t\":\"\t\n\r \u00a0\u200d\ud7ff\ue000\ufffd\U0001f469\u200d\U0001f467\U0010ffff '\\\"%_\"}"
			must(t, s.Send(t.Context(), queue.Turns, queue.Message{Group: "!~:/", Dedup: "'\"%_\\", Body: body}))
			got, err := s.Receive(t.Context(), queue.Turns, 1, s.hide)
			must(t, err)
			if len(got) != 1 || got[0].Body != body || got[0].Group != "!~:/" || got[0].Dedup != "'\"%_\\" {
				t.Fatal("body, group or deduplication id was changed")
			}
		}},
		{name: "unknown queue", run: func(t *testing.T, s suite) {
			const name = "nowhere"
			mustBe(t, s.Send(t.Context(), name, message("a1")), queue.ErrNoQueue)
			_, err := s.Receive(t.Context(), name, 1, s.hide)
			mustBe(t, err, queue.ErrNoQueue)
			s.send(t, "a1")
			receipt := s.take(t, 1, "a1")[0].Receipt
			mustBe(t, s.Delete(t.Context(), name, receipt), queue.ErrNoQueue)
			mustBe(t, s.Hide(t.Context(), name, receipt, 0), queue.ErrNoQueue)
		}},
		{name: "an ended context does nothing", run: func(t *testing.T, s suite) {
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			mustBe(t, s.Send(ended, queue.Turns, message("a1")), context.Canceled)
			s.none(t)
			s.send(t, "a1")
			_, err := s.Receive(ended, queue.Turns, 1, s.hide)
			mustBe(t, err, context.Canceled)
			got := s.take(t, 1, "a1")[0]
			mustBe(t, s.Hide(ended, queue.Turns, got.Receipt, 0), context.Canceled)
			mustBe(t, s.Delete(ended, queue.Turns, got.Receipt), context.Canceled)
			s.putBack(t, got, 0)
			s.Wait(ended, queue.Replies, time.Hour)
			s.take(t, 1, "a1")
		}},
		{name: "a batch is sent in order and without duplicates", run: func(t *testing.T, s suite) {
			batch := []queue.Message{message("a1"), message("b1"), message("a2"), message("a1"), message("a3")}
			must(t, queue.SendAll(t.Context(), s.Driver, queue.Turns, batch))
			must(t, queue.SendAll(t.Context(), s.Driver, queue.Turns, batch))
			must(t, queue.SendAll(t.Context(), s.Driver, queue.Turns, nil))
			s.take(t, 10, "a1", "a2", "a3", "b1")
		}},
		{name: "a batch of any number and size is sent in order", run: batches},
		{name: "a batch with a malformed message is kept back", run: func(t *testing.T, s suite) {
			bad := message("b1")
			bad.Dedup = "a b"
			mustBe(t, queue.SendAll(t.Context(), s.Driver, queue.Turns, []queue.Message{message("a1"), bad, message("a2")}), queue.ErrInvalid)
			mustBe(t, queue.SendAll(t.Context(), s.Driver, "nowhere", []queue.Message{message("a1")}), queue.ErrNoQueue)
			s.none(t)
		}},
	}
}

// batches sends more messages than one request of SQS carries, and some that only fill it together.
func batches(t *testing.T, s suite) {
	var batch []queue.Message
	var want []string
	for i := range 12 {
		for _, group := range []string{"a", "b"} {
			m := message(group + strconv.Itoa(i+10))
			want = append(want, m.Body)
			if i%4 == 0 {
				m.Body += strings.Repeat(" ", 300<<10)
			}
			batch = append(batch, m)
		}
	}
	must(t, queue.SendAll(t.Context(), s.Driver, queue.Turns, batch))
	var got []string
	for tries := 0; len(got) < len(want) && tries < 50; tries++ {
		some, err := s.Receive(t.Context(), queue.Turns, 10, s.hide)
		must(t, err)
		for _, r := range some {
			got = append(got, strings.TrimSpace(r.Body))
		}
		s.drop(t, some...)
	}
	if have, all := byGroup(got), byGroup(want); fmt.Sprint(have) != fmt.Sprint(all) {
		t.Fatalf("received %v, want %v", have, all)
	}
}

func attributes(t *testing.T, s suite) {
	attrs := map[string]string{queue.AttrTrace: "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"}
	for i := range 10 {
		attrs["name-"+strconv.Itoa(i)] = "值 " + strconv.Itoa(i)
	}
	m := message("a1")
	m.Attrs = maps.Clone(attrs)
	must(t, s.Send(t.Context(), queue.Turns, m))
	m.Attrs["late"] = "the driver does not keep the caller's map"
	s.send(t, "b1")
	for _, r := range s.take(t, 10, "a1", "b1") {
		if r.Group == "a" && !maps.Equal(r.Attrs, attrs) {
			t.Fatalf("attributes: %v", r.Attrs)
		}
		if r.Group == "b" && len(r.Attrs) != 0 {
			t.Fatalf("attributes from nowhere: %v", r.Attrs)
		}
	}
	m = message("a2")
	m.Attrs = map[string]string{"eleventh": "x"}
	for i := range 10 {
		m.Attrs["name-"+strconv.Itoa(i)] = "x"
	}
	mustBe(t, s.Send(t.Context(), queue.Turns, m), queue.ErrInvalid)
}

// sizes counts as SQS does: the body, and of each attribute name, type and value; the trace header weighs nothing.
func sizes(t *testing.T, s suite) {
	const name, value = "key", "värde"
	attrs := map[string]string{name: value, queue.AttrTrace: "Root=1-0-0"}
	room := queue.MaxBody - len(name) - len("String") - len(value)
	for i, c := range []struct {
		size  int
		attrs map[string]string
		want  error
	}{
		{queue.MaxBody, nil, nil},
		{queue.MaxBody + 1, nil, queue.ErrTooLarge},
		{room, attrs, nil},
		{room + 1, attrs, queue.ErrTooLarge},
	} {
		m := queue.Message{Group: "g", Dedup: strconv.Itoa(i), Body: strings.Repeat("x", c.size), Attrs: c.attrs}
		err := s.Send(t.Context(), queue.Turns, m)
		if c.want == nil {
			must(t, err)
			got, err := s.Receive(t.Context(), queue.Turns, 1, s.hide)
			must(t, err)
			if len(got) != 1 || len(got[0].Body) != c.size {
				t.Fatalf("body of %d bytes did not arrive", c.size)
			}
			s.drop(t, got...)
			continue
		}
		mustBe(t, err, c.want)
	}
	s.none(t)
}

func malformed(t *testing.T, s suite) {
	long := strings.Repeat("x", 129)
	for name, m := range map[string]queue.Message{
		"no group":               {Dedup: "d", Body: "b"},
		"group of 129":           {Group: long, Dedup: "d", Body: "b"},
		"group with a blank":     {Group: "a b", Dedup: "d", Body: "b"},
		"group beyond ASCII":     {Group: "ä", Dedup: "d", Body: "b"},
		"no dedup":               {Group: "g", Body: "b"},
		"dedup of 129":           {Group: "g", Dedup: long, Body: "b"},
		"dedup with a control":   {Group: "g", Dedup: "a\x7f", Body: "b"},
		"no body":                {Group: "g", Dedup: "d"},
		"body with NUL":          {Group: "g", Dedup: "d", Body: "a\x00b"},
		"body with U+FFFF":       {Group: "g", Dedup: "d", Body: "a\uffffb"},
		"body that is not UTF-8": {Group: "g", Dedup: "d", Body: "a\xff"},
		"attribute without name": {Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{"": "v"}},
		"attribute name":         {Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{"a b": "v"}},
		"attribute of AWS":       {Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{"AWS.x": "v"}},
		"attribute empty":        {Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{"a": ""}},
	} {
		if err := s.Send(t.Context(), queue.Turns, m); err == nil {
			t.Errorf("%s: accepted", name)
		} else {
			mustBe(t, err, queue.ErrInvalid)
		}
	}
	s.none(t)
	id := strings.Repeat("x", 128)
	must(t, s.Send(t.Context(), queue.Turns, queue.Message{Group: id, Dedup: id, Body: "b"}))
}
