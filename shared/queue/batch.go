package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// BatchSender is a Sender that takes many messages at once more cheaply than one by one.
type BatchSender interface {
	// SendBatch sends the messages in order, with Send's promises for each. A message that CheckMessage refuses keeps all of
	// them back. An error leaves the outcome of all unknown, unless it is a *BatchError; sending again what may not have
	// arrived, in the same order, is safe within Window.
	SendBatch(ctx context.Context, queue string, ms []Message) error
}

// BatchError tells what became of each message of a batch that was not sent as a whole. Nothing was sent of a group
// behind a message that may still be sent, so that what failed can be sent again in order.
type BatchError struct {
	// Each has an entry for every message: nil when it is on the queue; ErrInvalid or ErrTooLarge when it can never be;
	// any other when its outcome is unknown or it was not tried.
	Each []error
}

// Error counts the failures and gives the first.
func (e *BatchError) Error() string {
	failed, first := 0, error(nil)
	for _, err := range e.Each {
		if err != nil {
			failed++
			first = cmp.Or(first, err)
		}
	}
	return fmt.Sprintf("%d of %d messages were not sent: %v", failed, len(e.Each), first)
}

// CheckBatch refuses a batch that no driver would take, with the error of the queue or of its first such message.
func CheckBatch(queue string, ms []Message) error {
	err := CheckName(queue)
	for _, m := range ms {
		err = cmp.Or(err, CheckMessage(m))
	}
	return err
}

// Refused tells whether a message can never be sent, whoever tries.
func Refused(err error) bool { return errors.Is(err, ErrInvalid) || errors.Is(err, ErrTooLarge) }

// SendAll sends the messages in order, in one call where the sender can. Its error is that of a BatchSender.
func SendAll(ctx context.Context, s Sender, queue string, ms []Message) error {
	if b, ok := s.(BatchSender); ok {
		return b.SendBatch(ctx, queue, ms)
	}
	if err := CheckBatch(queue, ms); err != nil {
		return fmt.Errorf("send to %s: %w", queue, err)
	}
	return sendEach(ctx, s, queue, ms)
}

// sendEach sends one by one. It goes on after a message that can never be sent, but not after another failure: the queue is
// likely away for the rest too.
func sendEach(ctx context.Context, s Sender, queue string, ms []Message) error {
	each, failed, away := make([]error, len(ms)), false, error(nil)
	for i, m := range ms {
		if each[i] = away; away != nil {
			continue
		}
		if each[i] = s.Send(ctx, queue, m); each[i] != nil {
			failed = true
			if !Refused(each[i]) {
				away = each[i]
			}
		}
	}
	if !failed {
		return nil
	}
	return &BatchError{Each: each}
}

// outcomes sends the messages and gives an entry for each, as BatchError has them. When the batch was refused as a whole,
// they are sent one by one, for a single message may be at fault.
func outcomes(ctx context.Context, s Sender, queue string, ms []Message) []error {
	err := SendAll(ctx, s, queue, ms)
	if Refused(err) && len(ms) > 1 {
		err = sendEach(ctx, s, queue, ms)
	}
	if b, ok := errors.AsType[*BatchError](err); ok && len(b.Each) == len(ms) {
		return b.Each
	}
	each := make([]error, len(ms))
	for i := range each {
		each[i] = err
	}
	return each
}

// BatchDeleter is a Driver that deletes many messages at once more cheaply than one by one.
type BatchDeleter interface {
	// DeleteBatch deletes the messages, with Delete's promises for each. A receipt whose time has run out does not keep the
	// others; it gives ErrReceipt after they are deleted.
	DeleteBatch(ctx context.Context, queue string, receipts []string) error
}

// DeleteAll deletes delivered messages in order, in one call where the driver can. It tries all of them; its error is the
// first.
func DeleteAll(ctx context.Context, d Driver, queue string, receipts []string) error {
	if b, ok := d.(BatchDeleter); ok {
		return b.DeleteBatch(ctx, queue, receipts)
	}
	var first error
	for _, r := range receipts {
		first = cmp.Or(first, d.Delete(ctx, queue, r))
	}
	return first
}
