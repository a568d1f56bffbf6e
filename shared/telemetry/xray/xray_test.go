package xray_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	sdk "github.com/aws/aws-xray-sdk-go/xray"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry/xray"
)

const (
	root   = "1-5759e988-bd862e3fe1be46a994272793"
	parent = "53995c3f42cd8ad8"
	header = "Root=" + root + ";Parent=" + parent + ";Sampled=1"
	off    = "Root=" + root + ";Parent=" + parent + ";Sampled=0"
)

// document is what a daemon is sent.
type document struct {
	TraceID     string                    `json:"trace_id"`
	ID          string                    `json:"id"`
	ParentID    string                    `json:"parent_id"`
	Type        string                    `json:"type"`
	Name        string                    `json:"name"`
	Start       float64                   `json:"start_time"`
	End         float64                   `json:"end_time"`
	Running     bool                      `json:"in_progress"`
	Error       bool                      `json:"error"`
	Fault       bool                      `json:"fault"`
	Throttle    bool                      `json:"throttle"`
	Namespace   string                    `json:"namespace"`
	Annotations map[string]any            `json:"annotations"`
	Metadata    map[string]map[string]any `json:"metadata"`
	HTTP        *sdk.HTTPData             `json:"http"`
	AWS         map[string]any            `json:"aws"`
	Cause       *sdk.CauseData            `json:"cause"`
	Within      []document                `json:"subsegments"`
}

// names writes the tree of a document down.
func (d document) names() string {
	if len(d.Within) == 0 {
		return d.Name
	}
	var in []string
	for _, w := range d.Within {
		in = append(in, w.names())
	}
	return d.Name + "(" + strings.Join(in, " ") + ")"
}

// find is the first of the name in the tree.
func (d document) find(name string) (document, bool) {
	if d.Name == name {
		return d, true
	}
	for _, w := range d.Within {
		if f, ok := w.find(name); ok {
			return f, true
		}
	}
	return document{}, false
}

// daemon plays Lambda's.
type daemon struct {
	t    *testing.T
	conn net.PacketConn
	raw  bytes.Buffer
}

func open(t *testing.T) (*daemon, xray.Tracer) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := xray.Open(conn.LocalAddr().String()); err != nil {
		t.Fatal(err)
	}
	return &daemon{t: t, conn: conn}, xray.Tracer{}
}

// got are the documents that have come. UDP on one machine is in order, so a last packet of our own ends them.
func (d *daemon) got() []document {
	d.t.Helper()
	end, err := net.Dial("udp", d.conn.LocalAddr().String())
	if err != nil {
		d.t.Fatal(err)
	}
	defer end.Close()
	if _, err := end.Write([]byte("end")); err != nil {
		d.t.Fatal(err)
	}
	var all []document
	packet := make([]byte, 64<<10)
	for {
		_ = d.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		n, _, err := d.conn.ReadFrom(packet)
		if err != nil {
			d.t.Fatal(err)
		}
		if string(packet[:n]) == "end" {
			return all
		}
		d.raw.Write(packet[:n])
		head, body, _ := bytes.Cut(packet[:n], []byte("\n"))
		var doc document
		if err := json.Unmarshal(body, &doc); err != nil || string(head) != `{"format": "json", "version": 1}` {
			d.t.Fatalf("%v: %s", err, packet[:n])
		}
		all = append(all, doc)
	}
}

// invoked is the context of an invocation.
func invoked(t *testing.T, header string) context.Context {
	return context.WithValue(t.Context(), sdk.LambdaTraceHeaderKey, header) //nolint:staticcheck // the key is the SDK's
}

// work is an attempt of two stages, one within the other; it gives the chain in the inner one.
func work(ctx context.Context, r chat.Recorder, inner func(context.Context) error) (in chat.Chain, err error) {
	err = chat.Trace(chat.Recording(ctx, r), chat.Attempt{Queue: "replies", Event: "42", Channel: "10", Turn: 1}, func(ctx context.Context) error {
		return stage(ctx, chat.StageGeneration, func(ctx context.Context) error {
			return stage(ctx, chat.StageSink, func(ctx context.Context) error {
				in = chat.ChainOf(ctx)
				if inner == nil {
					return nil
				}
				return inner(ctx)
			})
		})
	})
	return in, err
}

func stage(ctx context.Context, name string, do func(context.Context) error) (err error) {
	ctx, end := chat.Stage(ctx, name)
	defer end(&err)
	return do(ctx)
}

func TestStagesAreSubsegmentsOfLambdas(t *testing.T) {
	d, r := open(t)
	ctx := chat.InChain(invoked(t, header), chat.Chain{Hops: 3, Trace: "Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad;Sampled=1"})
	in, err := work(ctx, r, func(ctx context.Context) error {
		chat.Mark(ctx, "first visible")
		chat.Detail(ctx, "stop")
		chat.Called(ctx, chat.CallDiscord)
		chat.Outcome(ctx, chat.Answered)
		return nil
	})
	all := d.got()
	if err != nil || len(all) != 1 {
		t.Fatal(err, all)
	}
	top := all[0]
	if top.TraceID != root || top.ParentID != parent || top.Type != "subsegment" || top.names() != "replies(generation(sink))" {
		t.Errorf("%+v", top)
	}
	if a := top.Annotations; a["event"] != "42" || a["channel"] != "10" || a["turn"] != 1.0 || a["sent_by"] != "1-67891233-abcdef012345678912345678" || a["failure"] != nil {
		t.Errorf("annotations %v", a)
	}
	sink, _ := top.find("sink")
	if sink.Annotations["row"] != "answered" || sink.Metadata["default"]["detail"] != "stop" || sink.Metadata["default"]["first visible after ms"] == nil {
		t.Errorf("%+v", sink)
	}
	for _, s := range []document{top, top.Within[0], sink} {
		if s.Running || s.End < s.Start || s.Error || s.Fault {
			t.Errorf("%+v", s)
		}
	}
	if want := (chat.Chain{Hops: 3, Trace: "Root=" + root + ";Parent=" + sink.ID + ";Sampled=1"}); in != want {
		t.Errorf("what is sent in the stage carries %+v, want %+v", in, want)
	}
}

func TestWhatIsNotTraced(t *testing.T) {
	upstream := chat.Chain{Hops: 3, Trace: header}
	for _, c := range []struct{ name, lambda, want string }{
		{"not sampled", off, off},
		{"no decision", "Root=" + root + ";Parent=" + parent, "Root=" + root + ";Parent=" + parent},
		{"no header", "", header},
		{"no parent", "Root=" + root + ";Sampled=1", header},
		{"no header at all", "x", header},
		{"malformed", "Root=;Parent=;;=;Sampled", header},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, r := open(t)
			ctx := chat.InChain(invoked(t, c.lambda), upstream)
			in, err := work(ctx, r, nil)
			if all := d.got(); err != nil || len(all) != 0 {
				t.Error(err, all)
			}
			if in.Trace != c.want || in.Hops != 3 {
				t.Errorf("what is sent carries %+v, want %q", in, c.want)
			}
		})
	}
	t.Run("no invocation", func(t *testing.T) {
		d, r := open(t)
		in, err := work(chat.InChain(t.Context(), upstream), r, nil)
		if all := d.got(); err != nil || len(all) != 0 || in != upstream {
			t.Error(err, all, in)
		}
	})
}

// What is not sampled must cost next to nothing.
func TestAnUnsampledStageCostsNothing(t *testing.T) {
	_, r := open(t)
	ctx, s := r.Begin(invoked(t, off), chat.Attempt{Queue: "replies"})
	if n := testing.AllocsPerRun(100, func() {
		_, stage := s.Stage(ctx, chat.StageSink)
		stage.Mark(ctx, "mark")
		stage.Detail("words")
		stage.End("")
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAFailureIsAWord(t *testing.T) {
	for _, c := range []struct {
		err   error
		word  any
		error bool
	}{
		{errors.New("ana said hello"), "error", true},
		{fmt.Errorf("post: %w", &chat.Failure{Kind: chat.Throttled, Err: errors.New("hello")}), "discord throttled", true},
		{fmt.Errorf("beat: %w", chat.ErrLost), "lost", false},
		{chat.Defer(chat.ErrHandOver, 0), "handover", false},
	} {
		d, r := open(t)
		_, _ = work(invoked(t, header), r, func(context.Context) error { return c.err })
		all := d.got()
		if len(all) != 1 || all[0].Annotations["failure"] != c.word || all[0].Error != c.error || all[0].Fault {
			t.Errorf("%v: %+v", c.err, all)
		}
		if strings.Contains(d.raw.String(), "hello") {
			t.Errorf("the text of the error was sent: %s", &d.raw)
		}
	}
}

func TestAPanicClosesItsStages(t *testing.T) {
	d, r := open(t)
	func() {
		defer func() { _ = recover() }()
		_, _ = work(invoked(t, header), r, func(context.Context) error { panic("hello") })
	}()
	all := d.got()
	if len(all) != 1 || all[0].names() != "replies(generation(sink))" || !all[0].Fault || all[0].Annotations["failure"] != "panic" || all[0].Within[0].Running ||
		strings.Contains(d.raw.String(), "hello") {
		t.Errorf("%+v", all)
	}
}

// A beat may go on for a moment after the work.
func TestWhatEndsLate(t *testing.T) {
	d, r := open(t)
	ctx, s := r.Begin(invoked(t, header), chat.Attempt{Queue: "replies"})
	_, late := s.Stage(ctx, chat.StageLock)
	s.End("")
	if all := d.got(); len(all) != 0 {
		t.Errorf("it was sent while something in it went on: %+v", all)
	}
	late.End("")
	if all := d.got(); len(all) != 1 || all[0].names() != "replies(channel lock)" {
		t.Errorf("%+v", all)
	}
}

// sent is a queue that keeps what it is sent.
type sent map[string]queue.Message

func (s sent) Send(_ context.Context, _ string, m queue.Message) error { s[m.Group] = m; return nil }
func (sent) Hide(context.Context, string, string, time.Duration) error { return nil }

// Lambda brings ten messages in one invocation, each of a trace of its own.
func TestABatchIsASubsegmentEach(t *testing.T) {
	d, r := open(t)
	out := sent{}
	handler := queue.Handler(out, queue.Ingress, queue.Events(func(ctx context.Context, e chat.Event) error {
		return stage(ctx, chat.StageDisposition, func(ctx context.Context) error {
			return queue.Outbox{Sender: out}.Send(ctx, chat.Job{Queue: queue.Turns, Channel: e.Channel, Event: e.ID})
		})
	}))
	var batch events.SQSEvent
	for n := range 10 {
		c := fmt.Sprint(100 + n)
		body, err := queue.Encode(chat.Event{What: chat.Said, ID: chat.EventID("e" + c), Channel: chat.ChannelID(c)})
		if err != nil {
			t.Fatal(err)
		}
		m := queue.Message{Group: c, Dedup: c, Body: body, Attrs: map[string]string{queue.AttrHops: "7",
			queue.AttrTrace: fmt.Sprintf("Root=1-67891233-abcdef0123456789123456%02d;Parent=463ac35c9f6413ad;Sampled=1", n)}}
		batch.Records = append(batch.Records, queue.Record(queue.Ingress, queue.Received{Message: m, ID: c, Receipt: c, Receives: 1}))
	}
	response, err := handler(chat.Recording(invoked(t, header), r), batch)
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatal(response, err)
	}
	all := d.got()
	if len(all) != 10 || len(out) != 10 {
		t.Fatalf("%d subsegments, %d messages", len(all), len(out))
	}
	for n, top := range all {
		disposition, _ := top.find(chat.StageDisposition)
		if top.TraceID != root || top.ParentID != parent || top.names() != "ingress(disposition)" ||
			top.Annotations["sent_by"] != fmt.Sprintf("1-67891233-abcdef0123456789123456%02d", n) {
			t.Errorf("%+v", top)
		}
		attrs := out[fmt.Sprint(100+n)].Attrs
		if want := "Root=" + root + ";Parent=" + disposition.ID + ";Sampled=1"; attrs[queue.AttrTrace] != want || attrs[queue.AttrHops] != "8" {
			t.Errorf("sent %v, want the trace %s", attrs, want)
		}
	}
}

// X-Ray takes only so much of a trace.
func TestSubsegmentsAreBounded(t *testing.T) {
	d, r := open(t)
	_, err := work(invoked(t, header), r, func(ctx context.Context) error {
		for range 1000 {
			if err := stage(ctx, chat.StageSink, func(context.Context) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	var count func(document) int
	count = func(d document) (n int) {
		for _, w := range d.Within {
			n += count(w)
		}
		return n + 1
	}
	total := 0
	for _, top := range d.got() {
		total += count(top)
	}
	if err != nil || total != 101 { // and the delivery's own
		t.Error(err, total)
	}
}

func TestWithoutADaemonNothingFails(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(xray.Open(conn.LocalAddr().String()), conn.Close()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := work(invoked(t, header), xray.Tracer{}, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	d, r := open(t)
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := work(invoked(t, header), r, func(ctx context.Context) error {
				beside := make(chan error)
				go func() { beside <- stage(ctx, chat.StageLock, func(context.Context) error { return nil }) }()
				chat.Mark(ctx, "mark")
				return <-beside
			})
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	var names []string
	for _, top := range d.got() {
		names = append(names, top.names())
	}
	if !slices.Equal(names, slices.Repeat([]string{"replies(generation(sink(channel lock)))"}, 8)) {
		t.Error(names)
	}
}
