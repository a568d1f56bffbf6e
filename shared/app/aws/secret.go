package aws

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/smithy-go"

	"tsumugi/shared/app"
	"tsumugi/shared/remedy"
)

const (
	secretWait  = 4 * time.Second  // for one reading, its repetitions included: a function has ten seconds to start
	secretEvery = 10 * time.Second // between two readings for the same reason
)

// secrets is what is needed of Secrets Manager.
type secrets interface {
	GetSecretValue(context.Context, *secretsmanager.GetSecretValueInput, ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error)
}

// secret is a value in Secrets Manager. It is read at the start, and again when it is refused where it is used: so an operator
// changes a token without a deployment. One that cannot be read does not keep a function from starting. Its messages would wait
// for the whole visibility of their queue, but this way they come back as after any other outage.
type secret struct {
	api     secrets
	setting string // that the value stands for
	name    string // or ARN

	mu      sync.Mutex
	value   string
	read    time.Time // the last time
	refused string    // why: this was
	err     error     // of that reading
}

// current is what adapters ask: for "" the value, and for one that was refused another one, or the same when there is no other.
func (s *secret) current(ctx context.Context, refused string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.value != "" && s.value != refused {
		return s.value, nil
	}
	// A value that was never asked about may have been changed a moment after it was read: that is always looked up.
	if !s.read.IsZero() && time.Since(s.read) < secretEvery && (s.err != nil || s.refused == refused) {
		return s.value, s.err
	}
	s.read, s.refused = time.Now(), refused
	value, err := s.fetch(context.WithoutCancel(ctx)) // whoever asks may leave, the others wait for the same
	s.err = err
	switch {
	case err != nil:
		slog.ErrorContext(ctx, "a secret could not be read", "secret", s.name, "error", err)
		return s.value, err
	case value == refused:
		slog.ErrorContext(ctx, "a secret is refused where it is used", "secret", s.name, "fix", "put the right value of "+s.setting+" into it, as plain text")
	case refused != "":
		slog.InfoContext(ctx, "a secret was changed", "secret", s.name)
	}
	s.value = value
	return value, nil
}

// fetch reads the secret. Its error says what to do.
func (s *secret) fetch(ctx context.Context) (string, error) {
	ctx, done := context.WithTimeout(ctx, secretWait)
	defer done()
	out, err := s.api.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: aws.String(s.name)})
	if err != nil {
		return "", fmt.Errorf("read secret %s: %w", s.name, s.explained(err))
	}
	if out.SecretString == nil {
		return "", fmt.Errorf("secret %s: %s must be plain text; it is binary", s.name, s.setting)
	}
	value, err := app.Secret(s.setting, *out.SecretString)
	if err != nil {
		return "", fmt.Errorf("secret %s: %s %w", s.name, s.setting, err)
	}
	return value, nil
}

// explained adds to a refusal of Secrets Manager what mends it.
func (s *secret) explained(err error) error {
	own := map[string]string{
		"ResourceNotFoundException": "there is none of this name in this region: make it, or set " + s.setting + "_SECRET to the one there is",
		"DecryptionFailure":         "the function's role needs kms:Decrypt on the key that it is encrypted with",
		"InvalidRequestException":   "it is about to be deleted, or has no value: restore it, or put the value into it",
	}
	if said, ok := errors.AsType[smithy.APIError](err); ok && own[said.ErrorCode()] != "" {
		return fmt.Errorf("%s: %w", own[said.ErrorCode()], err)
	}
	return remedy.Wrap(err, remedy.Asked{Action: "secretsmanager:GetSecretValue", On: "secret " + s.name})
}
