package queue_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

// sent is a Sender that keeps what it is given.
type sent []queue.Message

func (s *sent) Send(_ context.Context, _ string, m queue.Message) error {
	*s = append(*s, m)
	return nil
}

const header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"

// onward delivers a message with the attributes, to a worker that sends a job.
func onward(t *testing.T, receives int, attrs map[string]string) sent {
	t.Helper()
	var out sent
	do := func(ctx context.Context, _ queue.Delivery) error {
		return queue.Outbox{Sender: &out}.Send(ctx, chat.Job{Queue: queue.Replies, Channel: "c", Event: "9", N: 3})
	}
	m := queue.Message{Group: "c", Dedup: "d", Body: "b", Attrs: attrs}
	e := events.SQSEvent{Records: []events.SQSMessage{queue.Record(queue.Turns, queue.Received{Message: m, ID: "m", Receipt: "r", Receives: receives})}}
	response, err := queue.Handler(&hides{}, queue.Turns, do)(t.Context(), e)
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatal(response, err)
	}
	return out
}

func TestAJobContinuesTheChain(t *testing.T) {
	for _, c := range []struct {
		name        string
		attrs, want map[string]string
		receives    int
	}{
		{"the first message", nil, map[string]string{"hops": "1"}, 1},
		{"of an older program", map[string]string{queue.AttrTrace: header}, map[string]string{"hops": "1", queue.AttrTrace: header}, 1},
		{"in the middle", map[string]string{"hops": "7", queue.AttrTrace: header}, map[string]string{"hops": "8", queue.AttrTrace: header}, 1},
		{"received again", map[string]string{"hops": "7"}, map[string]string{"hops": "8"}, 5},
		{"the last", map[string]string{"hops": "199"}, map[string]string{"hops": "200"}, 1},
		{"no number", map[string]string{"hops": "many"}, map[string]string{"hops": "1"}, 1},
		{"no count", map[string]string{"hops": "-3"}, map[string]string{"hops": "1"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := onward(t, c.receives, c.attrs)
			if len(out) != 1 || !maps.Equal(out[0].Attrs, c.want) {
				t.Errorf("sent %+v, want the attributes %v", out, c.want)
			}
		})
	}
}

func TestAChainEnds(t *testing.T) {
	for _, hops := range []string{strconv.Itoa(chat.MaxHops), strconv.Itoa(chat.MaxHops + 1), "9223372036854775807", "1" + strings.Repeat("0", 30)} {
		var log bytes.Buffer
		old := slog.Default()
		slog.SetDefault(slog.New(chat.LogHandler(slog.NewJSONHandler(&log, nil))))
		out := onward(t, 1, map[string]string{"hops": hops})
		slog.SetDefault(old)
		if len(out) > 0 {
			t.Errorf("after %s hops %+v was sent", hops, out)
		}
		lines := strings.TrimSpace(log.String())
		for _, part := range []string{`"level":"ERROR"`, `"msg":"the chain of messages is too long, its next job waits for the sweeper"`, `"channel":"c"`, `"queue":"replies"`} {
			if strings.Contains(lines, "\n") || !strings.Contains(lines, part) {
				t.Errorf("after %s hops the log has no one line with %s:\n%s", hops, part, lines)
			}
		}
	}
}

// Work that goes on with the next event of the mailbox begins a chain: a person wrote it.
func TestAnotherEventBeginsAChain(t *testing.T) {
	for event, want := range map[chat.EventID]string{"9": "200", "10": "1"} {
		var out sent
		do := func(ctx context.Context, _ chat.Job, _ chat.Delivery) error {
			return queue.Outbox{Sender: &out}.Send(ctx, chat.Job{Queue: queue.Turns, Channel: "c", Event: event, N: 4})
		}
		body, err := queue.Encode(chat.Job{Channel: "c", Event: "9", N: 3})
		if err != nil {
			t.Fatal(err)
		}
		m := queue.Message{Group: "c", Dedup: "d", Body: body, Attrs: map[string]string{"hops": "199"}}
		e := events.SQSEvent{Records: []events.SQSMessage{queue.Record(queue.Replies, queue.Received{Message: m, ID: "m", Receipt: "r", Receives: 1})}}
		if _, err := queue.Handler(&hides{}, queue.Replies, queue.Jobs(queue.Replies, do))(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if len(out) != 1 || out[0].Attrs["hops"] != want {
			t.Errorf("the job of event %s after one of event 9: sent %+v, want %s hops", event, out, want)
		}
	}
}

// What a caller puts on a message stays.
func TestOnwardKeepsWhatIsThere(t *testing.T) {
	m := queue.Message{Group: "g", Dedup: "d", Body: "b", Attrs: map[string]string{"k": "v"}}
	got := queue.Onward(chat.InChain(t.Context(), chat.Chain{Trace: header}), m)
	if want := map[string]string{"k": "v", "hops": "1", queue.AttrTrace: header}; !maps.Equal(got.Attrs, want) || len(m.Attrs) != 1 {
		t.Errorf("got %v of %v, want %v", got.Attrs, m.Attrs, want)
	}
}

// The trace is what SQS has checked, or SQS would refuse the next message of the chain; an attribute of the same name is none.
func TestATraceIsTheSystems(t *testing.T) {
	for _, system := range []string{"", header} {
		fake := "Root=1\nX: " + strings.Repeat("y", 5000)
		m := queue.Record(queue.Turns, queue.Received{Message: queue.Message{Group: "c", Attrs: map[string]string{queue.AttrTrace: system}}})
		m.MessageAttributes[queue.AttrTrace] = events.SQSMessageAttribute{DataType: "String", StringValue: &fake}
		if got := queue.FromRecord(m).Attrs[queue.AttrTrace]; got != system {
			t.Errorf("the trace is %.40q, want %q", got, system)
		}
	}
}
