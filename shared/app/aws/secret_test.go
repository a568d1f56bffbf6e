package aws

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/smithy-go"

	"tsumugi/shared/app"
)

// safe is a Secrets Manager with one secret.
type safe struct {
	value string
	err   error
	slow  bool
	reads int
}

func (s *safe) GetSecretValue(ctx context.Context, in *secretsmanager.GetSecretValueInput, _ ...func(*secretsmanager.Options)) (*secretsmanager.GetSecretValueOutput, error) {
	s.reads++
	if s.slow {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if s.err != nil || *in.SecretId != "house/token" {
		return nil, s.err
	}
	out := &secretsmanager.GetSecretValueOutput{}
	if s.value != "binary" {
		out.SecretString = &s.value
	}
	return out, nil
}

// kept runs a test with a secret on a fake clock, and gives what was logged. No line may repeat a value.
func kept(t *testing.T, box *safe, test func(t *testing.T, s *secret)) string {
	t.Helper()
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(app.Logger(&log))
	defer slog.SetDefault(before)
	synctest.Test(t, func(t *testing.T) {
		test(t, &secret{api: box, setting: "DISCORD_TOKEN", name: "house/token"})
	})
	if strings.Contains(log.String(), "v4lue") {
		t.Errorf("a value is in the log: %s", log.String())
	}
	return log.String()
}

func TestSecretIsReadAgainWhenItIsRefused(t *testing.T) {
	box := &safe{value: " v4lue-1\n"}
	log := kept(t, box, func(t *testing.T, s *secret) {
		is := func(refused, want string, reads int) {
			t.Helper()
			if got, err := s.current(t.Context(), refused); got != want || err != nil || box.reads != reads {
				t.Fatalf("current(%q) is %q after %d readings (%v), want %q after %d", refused, got, box.reads, err, want, reads)
			}
		}
		is("", "v4lue-1", 1)
		is("", "v4lue-1", 1)
		box.value = "v4lue-2"
		is("v4lue-1", "v4lue-2", 2) // it was changed as soon as it was read
		is("v4lue-1", "v4lue-2", 2) // another call that was under way
		is("", "v4lue-2", 2)
		time.Sleep(time.Hour)
		is("v4lue-2", "v4lue-2", 3) // nobody has changed it
		is("v4lue-2", "v4lue-2", 3) // within a moment of the last reading
		box.value = "v4lue-1"
		time.Sleep(secretEvery)
		is("v4lue-2", "v4lue-1", 4) // and back
		is("v4lue-1", "v4lue-1", 5) // refused too
		box.err = errors.New("away")
		time.Sleep(secretEvery)
		if got, err := s.current(t.Context(), "v4lue-1"); got != "v4lue-1" || err == nil {
			t.Errorf("got %q, %v", got, err)
		}
		is("", "v4lue-1", 6)
	})
	for want, times := range map[string]int{`"a secret was changed"`: 2, `"a secret could not be read"`: 1,
		`"a secret is refused where it is used","secret":"house/token","fix":"put the right value of DISCORD_TOKEN into it`: 2} {
		if strings.Count(log, want) != times {
			t.Errorf("the log does not say %d times %s: %s", times, want, log)
		}
	}
}

func TestBadSecretIsExplained(t *testing.T) {
	code := func(c string) error { return &smithy.GenericAPIError{Code: c, Message: "words of AWS"} }
	for name, c := range map[string]struct {
		box  safe
		says string
	}{
		"missing":             {safe{err: code("ResourceNotFoundException")}, "set DISCORD_TOKEN_SECRET"},
		"denied":              {safe{err: code("AccessDeniedException")}, "secretsmanager:GetSecretValue"},
		"its key is denied":   {safe{err: code("DecryptionFailure")}, "kms:Decrypt"},
		"about to be deleted": {safe{err: code("InvalidRequestException")}, "restore it"},
		"another clock":       {safe{err: code("RequestTimeTooSkewed")}, "set it from the network"},
		"another signature":   {safe{err: &smithy.GenericAPIError{Code: "SignatureDoesNotMatch", Message: "x-amz-security-token:v4lue"}}, "AWS_SECRET_ACCESS_KEY"},
		"throttled":           {safe{err: code("ThrottlingException")}, "ThrottlingException"},
		"no answer":           {safe{slow: true}, "deadline"},
		"empty":               {safe{value: " \n"}, "empty"},
		"binary":              {safe{value: "binary"}, "plain text"},
		"wrapped":             {safe{value: `{"token":"v4lue"}`}, "JSON"},
		"quoted":              {safe{value: `"v4lue"`}, "JSON"},
		"with its scheme":     {safe{value: "Bot v4lue"}, `without "Bot "`},
		"two of them":         {safe{value: "v4lue\nv4lue"}, "alone"},
		"typographic":         {safe{value: "“v4lue”"}, "alone"},
		"a whole file":        {safe{value: strings.Repeat("v4lue", 64<<10/5)}, "alone"},
		"with a zero":         {safe{value: "v4lue\x00"}, "alone"},
	} {
		t.Run(name, func(t *testing.T) {
			log := kept(t, &c.box, func(t *testing.T, s *secret) {
				begun := time.Now()
				value, err := s.current(t.Context(), "")
				if value != "" || err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "secret house/token") {
					t.Errorf("%q, %v: it does not say %s", value, err, c.says)
				}
				if err != nil && strings.Contains(err.Error(), "v4lue") {
					t.Errorf("the error repeats the value: %v", err)
				}
				if d := time.Since(begun); d > secretWait {
					t.Errorf("it took %v", d)
				}
				if _, again := s.current(t.Context(), ""); again == nil || again.Error() != err.Error() || c.box.reads != 1 {
					t.Errorf("asked again at once it says %v after %d readings", again, c.box.reads)
				}
				c.box = safe{value: "v4lue"}
				time.Sleep(time.Minute)
				if value, err := s.current(t.Context(), ""); value != "v4lue" || err != nil {
					t.Errorf("mended, it gives %q, %v", value, err)
				}
			})
			if strings.Count(log, `"level":"ERROR","msg":"a secret could not be read","secret":"house/token"`) != 1 {
				t.Errorf("logged %s", log)
			}
		})
	}
}
