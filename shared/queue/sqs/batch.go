package sqs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tsumugi/shared/queue"
	"tsumugi/shared/remedy"
)

// SendBatch sends the messages in rounds, a request each: at most ten messages, at most 1 MiB together, and no two of one
// group. SQS may refuse one message of a request and take those behind it, and to send the refused one again would turn the
// order of its group around; so what follows in a group is sent when what went before it is known to be there.
func (d *Driver) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	url, err := d.url(ctx, name, queue.CheckBatch(name, ms))
	if err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	b := batch{ms: ms, each: make([]error, len(ms)), tried: make([]bool, len(ms)), failed: map[string]error{}}
	for {
		round := b.round()
		if len(round) == 0 {
			return b.result()
		}
		out, err := d.client.SendMessageBatch(ctx, b.input(url, round))
		if err != nil {
			return b.broken(round, fmt.Errorf("send to %s: %w", name, d.explain(err, name, "SendMessage")))
		}
		b.settle(name, d.asking(name, "SendMessage"), round, out)
	}
}

// batch is one call of SendBatch.
type batch struct {
	ms     []queue.Message
	each   []error
	tried  []bool
	failed map[string]error // groups of which nothing more is sent
}

// round chooses the next messages, by their index: the first of each group.
func (b *batch) round() []int {
	var round []int
	size, groups := 0, map[string]bool{}
	for i, m := range b.ms {
		if b.tried[i] || groups[m.Group] {
			continue
		}
		if err := b.failed[m.Group]; err != nil {
			b.tried[i], b.each[i] = true, err
			continue
		}
		groups[m.Group] = true
		if size += weight(m); len(round) > 0 && size > queue.MaxBody {
			break
		}
		if round = append(round, i); len(round) == queue.MaxBatch {
			break
		}
	}
	return round
}

// weight is the size of a message as SQS counts it, and a little more.
func weight(m queue.Message) int {
	n := len(m.Body)
	for name, value := range m.Attrs {
		n += len(name) + len(textType) + len(value)
	}
	return n
}

// input is the request for a round. An entry is called by its index in the batch.
func (b *batch) input(url *string, round []int) *sqs.SendMessageBatchInput {
	in := &sqs.SendMessageBatchInput{QueueUrl: url}
	for _, i := range round {
		one := sendInput(url, b.ms[i])
		in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), MessageBody: one.MessageBody,
			MessageGroupId: one.MessageGroupId, MessageDeduplicationId: one.MessageDeduplicationId,
			MessageAttributes: one.MessageAttributes, MessageSystemAttributes: one.MessageSystemAttributes})
	}
	return in
}

// settle notes what became of a round. A message that the answer does not name may not have arrived. SQS's sentence about a
// message is left out, only its code is kept. What somebody can mend is no fault of the message, whoever SQS blames.
func (b *batch) settle(name string, asked remedy.Asked, round []int, out *sqs.SendMessageBatchOutput) {
	state := map[string]error{}
	for _, ok := range out.Successful {
		state[aws.ToString(ok.Id)] = nil
	}
	for _, f := range out.Failed {
		code := aws.ToString(f.Code)
		cause := fmt.Errorf("SQS says %s", code)
		if mend := remedy.For(code, "", asked); mend != "" {
			cause = fmt.Errorf("%s: %w", mend, cause)
		} else if f.SenderFault && malformed(code) {
			cause = fmt.Errorf("%w: %w", queue.ErrInvalid, cause)
		}
		state[aws.ToString(f.Id)] = fmt.Errorf("send to %s: %w", name, cause)
	}
	for _, i := range round {
		err, known := state[strconv.Itoa(i)]
		if !known {
			err = fmt.Errorf("send to %s: SQS does not say what became of the message", name)
		}
		b.tried[i], b.each[i] = true, err
		if err != nil && !queue.Refused(err) {
			b.failed[b.ms[i].Group] = err
		}
	}
}

// malformed tells whether a code of a sender's fault is about the message, which is refused again then. Others are about who
// sends it, a key or a permission that somebody can repair, and to give a message up for them would lose it.
func malformed(code string) bool {
	switch strings.TrimPrefix(code, "AWS.SimpleQueueService.") {
	case "InvalidMessageContents", "InvalidParameterValue", "InvalidAttributeName", "InvalidAttributeValue", "MessageTooLong", "BatchRequestTooLong":
		return true
	}
	return false
}

// broken ends the batch after a request whose outcome is unknown. What was sent in earlier rounds stays known.
func (b *batch) broken(round []int, err error) error {
	if len(round) == len(b.ms) {
		return err
	}
	for i := range b.ms {
		if !b.tried[i] {
			b.each[i] = err
		}
	}
	return &queue.BatchError{Each: b.each}
}

func (b *batch) result() error {
	for _, err := range b.each {
		if err != nil {
			return &queue.BatchError{Each: b.each}
		}
	}
	return nil
}

// HideBatch is Hide for the messages of one delivery, at most ten, in one request. It tries all of them; its error is the first.
func (d *Driver) HideBatch(ctx context.Context, name string, receipts []string, after time.Duration) error {
	url, err := d.url(ctx, name, queue.CheckHide(after))
	var out *sqs.ChangeMessageVisibilityBatchOutput
	if err == nil {
		in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: url}
		for i, r := range receipts {
			in.Entries = append(in.Entries, types.ChangeMessageVisibilityBatchRequestEntry{
				Id: aws.String(strconv.Itoa(i)), ReceiptHandle: &r, VisibilityTimeout: seconds(after)})
		}
		out, err = d.client.ChangeMessageVisibilityBatch(ctx, in)
	}
	if err == nil && len(out.Failed) > 0 {
		err = fmt.Errorf("%d of %d messages: SQS says %s", len(out.Failed), len(receipts), aws.ToString(out.Failed[0].Code))
	}
	if err != nil {
		return fmt.Errorf("hide in %s: %w", name, d.explain(err, name, "ChangeMessageVisibility"))
	}
	return nil
}
