package remedy_test

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"tsumugi/shared/remedy"
)

// refusal is an error as the SDK makes it.
type refusal struct{ code, message string }

func (r refusal) Error() string        { return r.code + ": " + r.message }
func (r refusal) ErrorCode() string    { return r.code }
func (r refusal) ErrorMessage() string { return r.message }

func TestSentenceNamesTheFix(t *testing.T) {
	const by = "User: arn:aws:sts::123456789012:assumed-role/house-admission/house-admission is not authorized to perform: "
	asked := remedy.Asked{Action: "dynamodb:GetItem", On: "table house-memory"}
	for name, c := range map[string]struct {
		err  error
		want string // "" where there is no fix to name
	}{
		"table is gone":    {refusal{"ResourceNotFoundException", "Requested resource not found"}, "table house-memory does not exist: deploy the stack again"},
		"queue is gone":    {refusal{"AWS.SimpleQueueService.NonExistentQueue", ""}, "does not exist"},
		"index is missing": {refusal{"ValidationException", "The table does not have the specified index: due"}, "table house-memory lacks the index"},
		"action and resource are AWS's": {refusal{"AccessDeniedException", by +
			"dynamodb:ConditionCheckItem on resource: arn:aws:dynamodb:eu-west-1:123456789012:table/house-channels because no identity-based policy allows the dynamodb:ConditionCheckItem action"},
			"the role may not dynamodb:ConditionCheckItem on arn:aws:dynamodb:eu-west-1:123456789012:table/house-channels: allow it"},
		"AWS names the action only": {refusal{"AccessDenied", by + "sqs:sendmessage"}, "the role may not sqs:sendmessage on table house-memory"},
		"AWS names nothing":         {refusal{"AccessDeniedException", "Access to the resource is denied."}, "the role may not dynamodb:GetItem on table house-memory"},
		"a policy denies":           {refusal{"AccessDeniedException", by + "dynamodb:GetItem on resource: arn:x with an explicit deny in a service control policy"}, "dynamodb:GetItem on arn:x: a policy denies it explicitly"},
		"right to a key":            {refusal{"AccessDeniedException", by + "kms:Decrypt on resource: arn:aws:kms:eu-west-1:123456789012:key/1"}, "may not kms:Decrypt on arn:aws:kms:eu-west-1:123456789012:key/1"},
		"key of a table":            {refusal{"AccessDeniedException", "KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException"}, "the key that encrypts table house-memory cannot be used"},
		"key, called invalid":       {refusal{"ValidationException", "KMS key disabled error"}, "enable it"},
		"key of a queue":            {refusal{"KmsDisabled", ""}, "enable it"},
		"key is throttled":          {refusal{"KmsThrottled", ""}, "quota of KMS"},
		"name with KMS in it":       {refusal{"ResourceNotFoundException", "Table: KMS-house not found"}, "does not exist"},
		"clock":                     {refusal{"RequestExpired", ""}, "clock"},
		"clock, by the signature":   {refusal{"InvalidSignatureException", "Signature expired: 20261130T120000Z is now earlier than 20261130T121500Z"}, "clock"},
		"clock ahead":               {refusal{"SignatureDoesNotMatch", "Signature not yet current: 20261130T123000Z"}, "clock"},
		"wrong secret":              {refusal{"SignatureDoesNotMatch", "The request signature we calculated does not match"}, "AWS_SECRET_ACCESS_KEY"},
		"token has run out":         {refusal{"ExpiredTokenException", "The security token included in the request is expired"}, "run out"},
		"key id is unknown":         {refusal{"UnrecognizedClientException", "The security token included in the request is invalid."}, "does not know these credentials"},
		"throttling":                {refusal{"ThrottlingException", "Rate exceeded"}, "table house-memory is throttled"},
		"wrapped":                   {fmt.Errorf("get: %w", refusal{"RequestThrottled", ""}), "is throttled"},
		"no such region":            {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}, "AWS_REGION"},
		"nobody gave credentials":   {errors.New("get identity: get credentials: failed to refresh cached credentials, no EC2 IMDS role found"), "no credentials were found"},

		"condition":     {refusal{"ConditionalCheckFailedException", "The conditional request failed"}, ""},
		"server":        {refusal{"InternalServerError", ""}, ""},
		"lost reply":    {errors.New("unexpected EOF"), ""},
		"name servers":  {&net.DNSError{Err: "server misbehaving"}, ""},
		"in progress":   {refusal{"TransactionInProgressException", ""}, ""},
		"another fault": {refusal{"ValidationException", "One or more parameter values were invalid"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := remedy.Of(c.err, asked)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if strings.ContainsAny(got, "\n") || strings.HasSuffix(got, ".") {
				t.Errorf("%q is no part of a line", got)
			}
		})
	}
}

func TestWrapKeepsTheCauseAndNoToken(t *testing.T) {
	asked := remedy.Asked{Action: "sqs:SendMessage", On: "queue house-turns.fifo"}
	for _, cause := range []error{errors.New("unexpected EOF"), refusal{"AccessDenied", "no"}} {
		err := remedy.Wrap(fmt.Errorf("attempt: %w", cause), asked)
		if !errors.Is(err, cause) || !strings.HasSuffix(err.Error(), "attempt: "+cause.Error()) {
			t.Errorf("%v became %v", cause, err)
		}
	}
	const words = "The Canonical String for this request should have been 'POST\n/\nx-amz-security-token:FwoGZXIvYXdz'"
	for _, code := range []string{"SignatureDoesNotMatch", "InvalidSignatureException"} {
		err := remedy.Wrap(fmt.Errorf("attempt: %w", refusal{code, words}), asked)
		if strings.Contains(err.Error(), "FwoG") || !strings.Contains(err.Error(), code) || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
			t.Errorf("%s became %v", code, err)
		}
	}
}
