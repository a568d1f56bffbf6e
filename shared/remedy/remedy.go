// Package remedy says in one sentence what mends a refusal of AWS, so that the log line of a refusal names its fix. What
// lives here: the codes that all services of AWS share, and the sentences. What must not live here: the SDK (an error is
// read by its two methods), what a refusal means to a caller (that is each adapter's), and faults that no operator can mend.
package remedy

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
)

// Asked is the call that was refused: the action as a policy names it, "dynamodb:PutItem", and on what, "table house-memory".
type Asked struct{ Action, On string }

// Codes by what is wrong, in the spelling of every service that we call.
var (
	missing     = []string{"ResourceNotFoundException", "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"}
	denied      = []string{"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"}
	clock       = []string{"RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture"}
	signature   = []string{"SignatureDoesNotMatch", "InvalidSignatureException", "IncompleteSignature"}
	expired     = []string{"ExpiredToken", "ExpiredTokenException"}
	credentials = []string{"UnrecognizedClientException", "InvalidClientTokenId", "InvalidAccessKeyId", "InvalidToken",
		"MissingAuthenticationToken", "MissingAuthenticationTokenException", "AuthFailure", "OptInRequired"}
	throttled = []string{"Throttling", "ThrottlingException", "ThrottlingError", "ThrottledException", "RequestThrottled",
		"RequestThrottledException", "RequestLimitExceeded", "TooManyRequestsException", "SlowDown",
		"ProvisionedThroughputExceeded", "ProvisionedThroughputExceededException"}
)

// Wrap puts the sentence in front of the error, where there is one. Of a wrong signature it leaves AWS's own words out: they
// repeat what should have been signed, the session's token with it.
func Wrap(err error, asked Asked) error {
	mend := Of(err, asked)
	if mend == "" {
		return err
	}
	var api interface{ ErrorCode() string }
	if errors.As(err, &api) && slices.Contains(signature, api.ErrorCode()) {
		return fmt.Errorf("%s: AWS says %s", mend, api.ErrorCode())
	}
	return fmt.Errorf("%s: %w", mend, err)
}

// Of gives the sentence for an error; "" when nobody knows what to do about it.
func Of(err error, asked Asked) string {
	var api interface {
		ErrorCode() string
		ErrorMessage() string
	}
	if errors.As(err, &api) {
		return For(api.ErrorCode(), api.ErrorMessage(), asked)
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return "there is no such address: correct AWS_REGION, or give the machine a name server"
	}
	// The SDK's chain of credentials gives errors of no type, in the words of whichever place it looked at last.
	if text := strings.ToLower(err.Error()); strings.Contains(text, "credentials") {
		return "no credentials were found: give the function its role, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	}
	return ""
}

// For gives the sentence for a code and AWS's own sentence; "" when nobody knows what to do about it.
func For(code, message string, asked Asked) string {
	of := func(codes []string) bool { return slices.Contains(codes, code) }
	low := strings.ToLower(message)
	switch {
	case encryption.MatchString(code) && strings.Contains(strings.ToLower(code), "throttl"):
		return "requests to the key that encrypts " + asked.On + " are throttled: it is tried again and nothing is lost; if it lasts, raise the account's quota of KMS"
	case encryption.MatchString(code), encryption.MatchString(message):
		return fmt.Sprintf("the key that encrypts %s cannot be used: enable it or cancel its deletion, and allow the role kms:Decrypt and kms:GenerateDataKey on it", asked.On)
	case strings.Contains(low, "does not have the specified index"):
		return asked.On + " lacks the index that this version asks for: deploy the stack again"
	case of(missing):
		return asked.On + " does not exist: deploy the stack again, or correct AWS_REGION and the setting that names it"
	case of(denied):
		return permission(message, asked)
	case of(clock), of(signature) && (strings.Contains(low, "expired") || strings.Contains(low, "not yet current")):
		return "the clock of this machine is minutes off: set it from the network (NTP)"
	case of(signature):
		return "the signature is wrong: correct AWS_SECRET_ACCESS_KEY, which does not belong to AWS_ACCESS_KEY_ID"
	case of(expired):
		return "the credentials have run out: sign in again, or let the role renew them"
	case of(credentials):
		return "AWS does not know these credentials: renew them, or give the function its role back"
	case of(throttled):
		return asked.On + " is throttled: it is tried again and nothing is lost; if it lasts, raise its maximum or the account's quota"
	}
	return ""
}

// encryption is a code of KMS, or what DynamoDB says of a key under another code; a resource may have KMS in its name.
var encryption = regexp.MustCompile(`^(KMS|Kms)|KMS key|AWSKMS`)

// refused are the words in which most services name what a policy lacks.
var refused = regexp.MustCompile(`not authorized to perform: ([\w:*]+)(?: on resource: (arn:[^\s"]+))?`)

// permission prefers AWS's own names: the parts of a transaction are authorised one by one, and only AWS says which failed.
func permission(message string, asked Asked) string {
	if m := refused.FindStringSubmatch(message); m != nil {
		asked.Action = m[1]
		if m[2] != "" {
			asked.On = m[2]
		}
	}
	why := "allow it in the policy of the function"
	if strings.Contains(message, "explicit deny") {
		why = "a policy denies it explicitly: take that out"
	}
	return fmt.Sprintf("the role may not %s on %s: %s", asked.Action, asked.On, why)
}
