package queue

import (
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// Attributes of a record, as Lambda names them.
const (
	recordReceives = "ApproximateReceiveCount"
	recordSent     = "SentTimestamp" // Unix milliseconds
	recordGroup    = "MessageGroupId"
	recordDedup    = "MessageDeduplicationId"
)

// Record is a received message as an event source hands it to a function.
func Record(name string, r Received) events.SQSMessage {
	m := events.SQSMessage{
		MessageId:      r.ID,
		ReceiptHandle:  r.Receipt,
		Body:           r.Body,
		EventSource:    "aws:sqs",
		EventSourceARN: "arn:aws:sqs:local:000000000000:" + name + ".fifo",
		AWSRegion:      "local",
		Attributes: map[string]string{
			recordReceives: strconv.Itoa(r.Receives),
			recordSent:     strconv.FormatInt(r.Sent.UnixMilli(), 10),
			recordGroup:    r.Group,
			recordDedup:    r.Dedup,
		},
		MessageAttributes: map[string]events.SQSMessageAttribute{},
	}
	for key, value := range r.Attrs {
		if key == AttrTrace {
			m.Attributes[AttrTrace] = value
			continue
		}
		m.MessageAttributes[key] = events.SQSMessageAttribute{DataType: "String", StringValue: &value}
	}
	return m
}

// comesFrom tells whether a record is of the queue, whatever stands before its name in this installation. A record that does
// not say where it comes from, as a test event of the console, is taken.
func comesFrom(m events.SQSMessage, name string) bool {
	return m.EventSourceARN == "" || strings.HasSuffix(m.EventSourceARN, name+".fifo")
}

// FromRecord reads a record back. A count that is missing or no number counts as the first delivery.
func FromRecord(m events.SQSMessage) Received {
	r := Received{
		Message:  Message{Group: m.Attributes[recordGroup], Dedup: m.Attributes[recordDedup], Body: m.Body},
		ID:       m.MessageId,
		Receipt:  m.ReceiptHandle,
		Receives: 1,
	}
	if n, err := strconv.Atoi(m.Attributes[recordReceives]); err == nil && n > 0 {
		r.Receives = n
	}
	if ms, err := strconv.ParseInt(m.Attributes[recordSent], 10, 64); err == nil {
		r.Sent = time.UnixMilli(ms)
	}
	attrs := map[string]string{}
	if trace := m.Attributes[AttrTrace]; trace != "" {
		attrs[AttrTrace] = trace
	}
	for key, a := range m.MessageAttributes {
		if key != AttrTrace && a.StringValue != nil && strings.HasPrefix(a.DataType, "String") {
			attrs[key] = *a.StringValue
		}
	}
	if len(attrs) > 0 {
		r.Attrs = attrs
	}
	return r
}
