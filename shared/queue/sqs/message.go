package sqs

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"tsumugi/shared/queue"
	"tsumugi/shared/remedy"
)

// textType is the type of every attribute.
const textType = "String"

// sendInput is the request for a message. The trace header is an attribute of the system: X-Ray looks for it there, and it
// counts neither among the ten attributes nor in the size.
func sendInput(url *string, m queue.Message) *sqs.SendMessageInput {
	in := &sqs.SendMessageInput{QueueUrl: url, MessageBody: &m.Body, MessageGroupId: &m.Group, MessageDeduplicationId: &m.Dedup}
	for key, value := range m.Attrs {
		if key == queue.AttrTrace {
			in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{
				string(types.MessageSystemAttributeNameForSendsAWSTraceHeader): {DataType: aws.String(textType), StringValue: &value},
			}
			continue
		}
		if in.MessageAttributes == nil {
			in.MessageAttributes = map[string]types.MessageAttributeValue{}
		}
		in.MessageAttributes[key] = types.MessageAttributeValue{DataType: aws.String(textType), StringValue: &value}
	}
	return in
}

// received reads a message. A count that is missing or no number counts as the first delivery.
func received(m types.Message) queue.Received {
	system := func(name types.MessageSystemAttributeName) string { return m.Attributes[string(name)] }
	r := queue.Received{
		Message: queue.Message{
			Group: system(types.MessageSystemAttributeNameMessageGroupId),
			Dedup: system(types.MessageSystemAttributeNameMessageDeduplicationId),
			Body:  aws.ToString(m.Body),
		},
		ID:       aws.ToString(m.MessageId),
		Receipt:  aws.ToString(m.ReceiptHandle),
		Receives: 1,
	}
	if n, err := strconv.Atoi(system(types.MessageSystemAttributeNameApproximateReceiveCount)); err == nil && n > 0 {
		r.Receives = n
	}
	if ms, err := strconv.ParseInt(system(types.MessageSystemAttributeNameSentTimestamp), 10, 64); err == nil {
		r.Sent = time.UnixMilli(ms)
	}
	attrs := map[string]string{}
	if trace := system(types.MessageSystemAttributeNameAWSTraceHeader); trace != "" {
		attrs[queue.AttrTrace] = trace
	}
	for key, a := range m.MessageAttributes {
		if key != queue.AttrTrace && a.StringValue != nil && strings.HasPrefix(aws.ToString(a.DataType), textType) {
			attrs[key] = *a.StringValue
		}
	}
	if len(attrs) > 0 {
		r.Attrs = attrs
	}
	return r
}

// explain gives the contract's error for one of SQS's; any other, throttling included, stays as it is and leaves the outcome
// unknown. What mends it comes with it where that is known. SQS's sentence about a handle is left out: it repeats the handle.
func (d *Driver) explain(err error, name, action string) error {
	asked := d.asking(name, action)
	if _, ok := errors.AsType[*types.QueueDoesNotExist](err); ok {
		return fmt.Errorf("%w: %s", queue.ErrNoQueue, remedy.Of(err, asked))
	}
	if _, ok := errors.AsType[*types.ReceiptHandleIsInvalid](err); ok {
		return queue.ErrReceipt
	}
	if _, ok := errors.AsType[*types.MessageNotInflight](err); ok {
		return queue.ErrReceipt
	}
	if _, ok := errors.AsType[*types.InvalidMessageContents](err); ok {
		return queue.ErrInvalid
	}
	// A handle of FIFO whose time has run out is a wrong value of a parameter, a code of many faults.
	api, ok := errors.AsType[smithy.APIError](err)
	if ok && strings.Contains(api.ErrorCode(), "InvalidParameterValue") {
		text := strings.ReplaceAll(strings.ToLower(api.ErrorMessage()), " ", "")
		if strings.Contains(text, "receipthandle") {
			return queue.ErrReceipt
		}
	}
	return remedy.Wrap(err, asked)
}

// asking tells for a refusal what was asked of which queue.
func (d *Driver) asking(name, action string) remedy.Asked {
	return remedy.Asked{Action: "sqs:" + action, On: "queue " + path.Base(d.prefix+name+suffix)}
}
