// Package sqs is the engine of the queues on SQS FIFO. What lives here: the translation of the contract into requests, and
// of SQS's refusals into the contract's errors. What must not live here: the creation of queues (the template declares
// them), the choice of region and credentials (the caller brings the client), and the meaning of a body.
//
// The address of a queue is the prefix, its name and ".fifo". How often a message is delivered before it goes to the
// dead-letter queue is the queue's own redrive policy.
package sqs

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tsumugi/shared/queue"
)

const (
	suffix = ".fifo"
	// pollEvery bounds a Wait. SQS tells of a new message only to a call that also takes it.
	pollEvery = time.Second
)

// Driver is the set of queues under one prefix. It is safe for concurrent use.
type Driver struct {
	client *sqs.Client
	prefix string
}

var (
	_ queue.Driver      = (*Driver)(nil)
	_ queue.BatchSender = (*Driver)(nil)
	_ queue.Gauge       = (*Driver)(nil)
)

// New gives a driver whose queues have URLs that begin with prefix, for example
// "https://sqs.eu-west-1.amazonaws.com/123456789012/tsumugi-". It makes no call.
func New(client *sqs.Client, prefix string) *Driver {
	return &Driver{client: client, prefix: prefix}
}

// url gives the address of a queue, or refuses what would be refused: a name that is none, and an ended context, with which
// the client would still begin.
func (d *Driver) url(ctx context.Context, name string, invalid error) (*string, error) {
	if err := cmp.Or(queue.CheckName(name), invalid, ctx.Err()); err != nil {
		return nil, err
	}
	return aws.String(d.prefix + name + suffix), nil
}

// Send appends the message to its group. The client sends it again when it does not learn the outcome, which the
// deduplication id makes safe.
func (d *Driver) Send(ctx context.Context, name string, m queue.Message) error {
	url, err := d.url(ctx, name, queue.CheckMessage(m))
	if err == nil {
		_, err = d.client.SendMessage(ctx, sendInput(url, m))
	}
	if err != nil {
		return fmt.Errorf("send to %s: %w", name, d.explain(err, name, "SendMessage"))
	}
	return nil
}

// Hide changes the visibility time-out, rounded up to whole seconds: SQS knows no others, and a message must not come
// back before its time.
func (d *Driver) Hide(ctx context.Context, name, receipt string, after time.Duration) error {
	url, err := d.url(ctx, name, queue.CheckHide(after))
	if err == nil {
		_, err = d.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
			QueueUrl: url, ReceiptHandle: &receipt, VisibilityTimeout: seconds(after)})
	}
	if err != nil {
		return fmt.Errorf("hide in %s: %w", name, d.explain(err, name, "ChangeMessageVisibility"))
	}
	return nil
}

// Receive takes messages. It asks a sample of SQS's servers and may give fewer than there are. Its name for the attempt
// makes SQS give the same messages again when a reply was lost and the client repeats the call.
func (d *Driver) Receive(ctx context.Context, name string, limit int, hide time.Duration) ([]queue.Received, error) {
	url, err := d.url(ctx, name, queue.CheckReceive(limit, hide))
	var out *sqs.ReceiveMessageOutput
	if err == nil {
		out, err = d.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl:                    url,
			MaxNumberOfMessages:         int32(limit), //nolint:gosec // CheckReceive holds it between 1 and 10
			VisibilityTimeout:           seconds(hide),
			MessageAttributeNames:       []string{"All"},
			MessageSystemAttributeNames: asked(),
			ReceiveRequestAttemptId:     aws.String(rand.Text()),
		})
	}
	if err != nil {
		return nil, fmt.Errorf("receive from %s: %w", name, d.explain(err, name, "ReceiveMessage"))
	}
	var got []queue.Received
	for _, m := range out.Messages {
		got = append(got, received(m))
	}
	return got, nil
}

// Delete removes a delivered message.
func (d *Driver) Delete(ctx context.Context, name, receipt string) error {
	url, err := d.url(ctx, name, nil)
	if err == nil {
		_, err = d.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: url, ReceiptHandle: &receipt})
	}
	if err != nil {
		return fmt.Errorf("delete from %s: %w", name, d.explain(err, name, "DeleteMessage"))
	}
	return nil
}

// Waiting is about how many messages SQS has to give.
func (d *Driver) Waiting(ctx context.Context, name string) (int, error) {
	url, err := d.url(ctx, name, nil)
	var out *sqs.GetQueueAttributesOutput
	if err == nil {
		out, err = d.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
			QueueUrl: url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameApproximateNumberOfMessages}})
	}
	if err != nil {
		return 0, fmt.Errorf("look at %s: %w", name, d.explain(err, name, "GetQueueAttributes"))
	}
	n, err := strconv.Atoi(out.Attributes[string(types.QueueAttributeNameApproximateNumberOfMessages)])
	if err != nil {
		return 0, fmt.Errorf("look at %s: no number of messages: %w", name, err)
	}
	return n, nil
}

// Wait paces a poller: it returns after d or a second. On AWS nobody polls, Lambda's event source mapping does.
func (d *Driver) Wait(ctx context.Context, _ string, limit time.Duration) {
	t := time.NewTimer(min(limit, pollEvery))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// seconds rounds up. The contract's bounds are checked before.
func seconds(d time.Duration) int32 { return int32((d + time.Second - 1) / time.Second) } //nolint:gosec // at most MaxHide

// asked is what a Receive wants to know of a message besides its body and attributes.
func asked() []types.MessageSystemAttributeName {
	return []types.MessageSystemAttributeName{
		types.MessageSystemAttributeNameMessageGroupId, types.MessageSystemAttributeNameMessageDeduplicationId,
		types.MessageSystemAttributeNameApproximateReceiveCount, types.MessageSystemAttributeNameSentTimestamp,
		types.MessageSystemAttributeNameAWSTraceHeader,
	}
}
