package dynamo

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"tsumugi/shared/kv"
)

// What an emulator hardly ever answers: mixtures of reasons for which a transaction is cancelled.
func TestReasonsOfACancelledTransaction(t *testing.T) {
	now := time.Unix(1000, 0)
	stale := map[string]types.AttributeValue{kv.TTL: attribute(int64(1000))}
	for _, c := range []struct {
		name    string
		codes   []string
		message string
		old     map[string]types.AttributeValue // of every failed condition
		again   bool
		want    error
		op      int
	}{
		{name: "conflict alone", codes: []string{"None", "TransactionConflict", "None"}, want: kv.ErrContention},
		{name: "condition beside conflict", codes: []string{"TransactionConflict", "None", "ConditionalCheckFailed"},
			want: kv.ErrCondition, op: 2},
		{name: "first condition in order", codes: []string{"None", "ConditionalCheckFailed", "ConditionalCheckFailed"},
			want: kv.ErrCondition, op: 1},
		{name: "conflict beside throttling", codes: []string{"ThrottlingError", "TransactionConflict", "None"}, want: kv.ErrContention},
		{name: "throttling", codes: []string{"None", "ThrottlingError", "None"}, want: kv.ErrThrottled},
		{name: "capacity", codes: []string{"ProvisionedThroughputExceeded", "None", "None"}, want: kv.ErrThrottled},
		{name: "size", codes: []string{"None", "ValidationError", "None"},
			message: "Item size to update has exceeded the maximum allowed size", want: kv.ErrTooLarge},
		{name: "operand", codes: []string{"ValidationError", "None", "None"},
			message: "An operand in the update expression has an incorrect data type", want: kv.ErrInvalid},
		{name: "expired item under an update", codes: []string{"ConditionalCheckFailed", "None", "None"}, old: stale, again: true},
		{name: "expired item and a condition", codes: []string{"ConditionalCheckFailed", "None", "ConditionalCheckFailed"}, old: stale,
			want: kv.ErrCondition, op: 2},
		{name: "expired item and a conflict", codes: []string{"ConditionalCheckFailed", "TransactionConflict", "None"}, old: stale,
			want: kv.ErrContention},
		{name: "expired item whose conditions want presence", codes: []string{"None", "ConditionalCheckFailed", "None"}, old: stale,
			want: kv.ErrCondition, op: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &write{now: now, reborn: make([]bool, 3), ops: []kv.Op{
				{Verb: kv.Update, Key: kv.Key{Sort: "0"}, If: []kv.Cond{kv.Missing("a")}},
				{Verb: kv.Update, Key: kv.Key{Sort: "1"}, If: []kv.Cond{kv.Is("a", "b")}},
				{Verb: kv.Put, Key: kv.Key{Sort: "2"}},
			}}
			cancelled := &types.TransactionCanceledException{}
			for _, code := range c.codes {
				reason := types.CancellationReason{Code: aws.String(code), Message: aws.String(c.message)}
				if code == "ConditionalCheckFailed" {
					reason.Item = c.old
				}
				cancelled.CancellationReasons = append(cancelled.CancellationReasons, reason)
			}
			again, err := w.judge(&smithy.OperationError{ServiceID: "DynamoDB", Err: cancelled})
			var refused *kv.ConditionError
			if again != c.again || !errors.Is(err, c.want) || errors.As(err, &refused) && refused.Op != c.op {
				t.Errorf("got %v, %v", again, err)
			}
		})
	}
}

func TestExpiredItemThatCameAliveIsContention(t *testing.T) {
	w := &write{now: time.Unix(1000, 0), reborn: []bool{true}, ops: []kv.Op{{Verb: kv.Update}}}
	again, err := w.judge(&types.ConditionalCheckFailedException{})
	if again || !errors.Is(err, kv.ErrContention) {
		t.Errorf("got %v, %v, want contention", again, err)
	}
}

func TestUnknownErrorsStayUnknown(t *testing.T) {
	for _, cause := range []error{errors.New("connection reset"), &types.InternalServerError{}, &types.TransactionInProgressException{}} {
		w := &write{reborn: []bool{false}, ops: []kv.Op{{Verb: kv.Put}}}
		again, err := w.judge(cause)
		if again || !errors.Is(err, cause) || kv.Retryable(err) || errors.Is(err, kv.ErrCondition) {
			t.Errorf("%T: got %v, %v", cause, again, err)
		}
	}
}
