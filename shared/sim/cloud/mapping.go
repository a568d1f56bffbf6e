package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"sync"
	"time"
)

// pollEvery is how often a mapping looks although nobody has told it of a change: a time-out that ends is told by nobody.
const pollEvery = time.Second

// Mapping is an event source mapping of a FIFO queue: it takes messages to a function, deletes those that the function has
// done, and leaves the others to their visibility time-out.
type Mapping struct {
	Function    *Function
	Endpoint    string          // of SQS
	Role        string          // of the function: its permissions receive and delete
	Queue       string          // its URL
	Batch       int             // messages of one invocation, 1 to 10
	Concurrency int             // invocations at once
	Partial     bool            // the function reports the items that failed (ReportBatchItemFailures)
	Changed     <-chan struct{} // says that something may have become available; nil: it looks every second
}

// message is one of SQS's.
type message struct {
	MessageID         string `json:"MessageId"`
	ReceiptHandle     string
	Body              string
	MD5OfBody         string
	Attributes        map[string]string
	MessageAttributes map[string]struct{ StringValue, DataType string }
}

// mapped is one message as a function gets it.
type mapped struct {
	MessageID         string               `json:"messageId"`
	ReceiptHandle     string               `json:"receiptHandle"`
	Body              string               `json:"body"`
	Attributes        map[string]string    `json:"attributes"`
	MessageAttributes map[string]attribute `json:"messageAttributes"`
	MD5OfBody         string               `json:"md5OfBody"`
	EventSource       string               `json:"eventSource"`
	EventSourceARN    string               `json:"eventSourceARN"`
	AWSRegion         string               `json:"awsRegion"`
}

type attribute struct {
	StringValue string   `json:"stringValue"`
	StringLists []string `json:"stringListValues"`
	BinaryLists []string `json:"binaryListValues"`
	DataType    string   `json:"dataType"`
}

// Run polls until the context ends, and waits for the invocations that run.
func (m Mapping) Run(ctx context.Context) {
	slots := make(chan struct{}, m.Concurrency)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		got, err := m.receive(ctx)
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "event source mapping", "queue", path.Base(m.Queue), "error", err)
		}
		if len(got) == 0 {
			<-slots
			if !m.wait(ctx) {
				return
			}
			continue
		}
		running.Go(func() {
			defer func() { <-slots }()
			if err := m.deliver(ctx, got); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "event source mapping", "queue", path.Base(m.Queue), "error", err)
			}
		})
	}
}

func (m Mapping) client() Client { return Client{Endpoint: m.Endpoint, Role: mappings + m.Role} }

func (m Mapping) wait(ctx context.Context) bool {
	timer := time.NewTimer(pollEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.Changed:
	case <-ctx.Done():
		return false
	}
	return true
}

// receive takes a batch. How long it stays hidden is the queue's own choice.
func (m Mapping) receive(ctx context.Context) ([]message, error) {
	var out struct{ Messages []message }
	err := m.client().Call(ctx, "sqs", "ReceiveMessage", map[string]any{"QueueUrl": m.Queue, "MaxNumberOfMessages": m.Batch,
		"AttributeNames": []string{"All"}, "MessageSystemAttributeNames": []string{"All"}, "MessageAttributeNames": []string{"All"}}, &out)
	return out.Messages, err
}

// deliver invokes the function with a batch and deletes what it has done.
func (m Mapping) deliver(ctx context.Context, got []message) error {
	payload, err := m.event(got)
	if err != nil {
		return err
	}
	answer, err := m.Function.Invoke(ctx, payload)
	if err != nil {
		return err
	}
	failed, err := m.failures(answer, got)
	if err != nil {
		return err
	}
	var done []map[string]string
	for _, g := range got {
		if !failed[g.MessageID] {
			done = append(done, map[string]string{"Id": g.MessageID, "ReceiptHandle": g.ReceiptHandle})
		}
	}
	if len(done) == 0 {
		return nil
	}
	var out struct{ Failed []struct{ Code string } }
	err = m.client().Call(context.WithoutCancel(ctx), "sqs", "DeleteMessageBatch", map[string]any{"QueueUrl": m.Queue, "Entries": done}, &out)
	if err == nil && len(out.Failed) > 0 {
		err = fmt.Errorf("%d messages were not deleted: %s", len(out.Failed), out.Failed[0].Code)
	}
	return err
}

func (m Mapping) event(got []message) ([]byte, error) {
	var e struct{ Records []mapped }
	for _, g := range got {
		r := mapped{MessageID: g.MessageID, ReceiptHandle: g.ReceiptHandle, Body: g.Body, Attributes: g.Attributes, MD5OfBody: g.MD5OfBody,
			MessageAttributes: map[string]attribute{}, EventSource: "aws:sqs", AWSRegion: Region,
			EventSourceARN: "arn:aws:sqs:" + Region + ":" + Account + ":" + path.Base(m.Queue)}
		for name, a := range g.MessageAttributes {
			r.MessageAttributes[name] = attribute{StringValue: a.StringValue, DataType: a.DataType, StringLists: []string{}, BinaryLists: []string{}}
		}
		e.Records = append(e.Records, r)
	}
	return json.Marshal(e)
}

// failures are the messages that the answer reports. An answer that is none, or names a message that is not of the batch,
// makes the whole batch fail.
func (m Mapping) failures(answer []byte, got []message) (map[string]bool, error) {
	failed := map[string]bool{}
	if !m.Partial {
		return failed, nil
	}
	var report struct {
		Failures []struct {
			Item string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if err := json.Unmarshal(answer, &report); err != nil {
		return nil, fmt.Errorf("read the report of a batch: %w", err)
	}
	known := map[string]bool{}
	for _, g := range got {
		known[g.MessageID] = true
	}
	for _, f := range report.Failures {
		if !known[f.Item] {
			return nil, errors.New("the report of a batch names a message that is not in it")
		}
		failed[f.Item] = true
	}
	return failed, nil
}
