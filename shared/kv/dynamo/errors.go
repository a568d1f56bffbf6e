package dynamo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"tsumugi/shared/kv"
	"tsumugi/shared/remedy"
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

// explain gives the contract's error for one of DynamoDB's, or the error itself, which leaves the outcome unknown; with the
// sentence that mends it where there is one.
func explain(err error, asked remedy.Asked) error {
	var api smithy.APIError
	if errors.As(err, &api) {
		if v := verdict(api.ErrorCode(), api.ErrorMessage(), asked); v != nil {
			return v
		}
	}
	return remedy.Wrap(err, asked)
}

// verdict reads a code, and for a refused size the message, which is the only place where DynamoDB says so. What an operator
// can mend is no fault of the operation, though DynamoDB may call it invalid.
func verdict(code, message string, asked remedy.Asked) error {
	v := verdicts[code]
	switch mend := remedy.For(code, message, asked); {
	case !errors.Is(v, kv.ErrInvalid):
		if v != nil && mend != "" {
			return fmt.Errorf("%w: %s", v, mend)
		}
		return v
	case mend != "":
		return nil
	}
	if low := strings.ToLower(message); strings.Contains(low, "size") && strings.Contains(low, "exceed") {
		return kv.ErrTooLarge
	}
	return fmt.Errorf("%s: %w", message, v)
}

// refusal is one op that was refused: its index, the contract's error (kv.ErrCondition for its conditions), and for a
// failed condition the item as it is.
type refusal struct {
	op  int
	err error
	old map[string]types.AttributeValue
}

// refusals reads why a request was refused as a whole; none when err does not say.
func refusals(err error, asked remedy.Asked) []refusal {
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
		} else if v := verdict(code, message, asked); v != nil {
			out = append(out, refusal{i, v, nil})
		}
	}
	return out
}
