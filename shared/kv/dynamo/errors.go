package dynamo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"tsumugi/shared/kv"
)

// verdicts maps DynamoDB's codes, of errors and of the reasons why a transaction was cancelled, to the contract's errors.
var verdicts = map[string]error{
	"TransactionConflictException":           kv.ErrContention,
	"TransactionConflict":                    kv.ErrContention,
	"ProvisionedThroughputExceededException": kv.ErrThrottled,
	"ProvisionedThroughputExceeded":          kv.ErrThrottled,
	"ThrottlingException":                    kv.ErrThrottled,
	"ThrottlingError":                        kv.ErrThrottled,
	"RequestLimitExceeded":                   kv.ErrThrottled,
	"ValidationException":                    kv.ErrInvalid,
	"ValidationError":                        kv.ErrInvalid,
}

// explain gives the contract's error for one of DynamoDB's, or the error itself, which leaves the outcome unknown.
func explain(err error) error {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return err
	}
	if v := verdict(api.ErrorCode(), api.ErrorMessage()); v != nil {
		return v
	}
	return err
}

// verdict reads a code, and for a refused size the message, which is the only place where DynamoDB says so.
func verdict(code, message string) error {
	v := verdicts[code]
	if v == nil {
		return nil
	}
	if errors.Is(v, kv.ErrInvalid) {
		if low := strings.ToLower(message); strings.Contains(low, "size") && strings.Contains(low, "exceed") {
			return kv.ErrTooLarge
		}
		return fmt.Errorf("%s: %w", message, v)
	}
	return v
}

// refusal is one op that was refused: its index, the contract's error (kv.ErrCondition for its conditions), and for a
// failed condition the item as it is.
type refusal struct {
	op  int
	err error
	old map[string]types.AttributeValue
}

// refusals reads why a request was refused as a whole; none when err does not say.
func refusals(err error) []refusal {
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return []refusal{{0, kv.ErrCondition, failed.Item}}
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return nil
	}
	var out []refusal
	for i, reason := range cancelled.CancellationReasons {
		var code, message string
		if reason.Code != nil {
			code = *reason.Code
		}
		if reason.Message != nil {
			message = *reason.Message
		}
		if code == "ConditionalCheckFailed" {
			out = append(out, refusal{i, kv.ErrCondition, reason.Item})
		} else if v := verdict(code, message); v != nil {
			out = append(out, refusal{i, v, nil})
		}
	}
	return out
}
