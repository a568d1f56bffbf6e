package kms_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"errors"

	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/kms"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal/kms"
	"tsumugi/shared/seal/sealtest"
)

func newClient(change ...func(*sdk.Options)) *sdk.Client {
	return sdk.New(sdk.Options{
		Region: "eu-west-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	}, change...)
}

// service is a KMS with some keys at the end of a wire. What it refuses it refuses as KMS's reference says, by the order of its
// checks: size, whose text it is, which key, and then the text with its context.
type service struct {
	mu    sync.Mutex
	keys  map[string]cipher.AEAD
	asked []asked
}

// asked is a call, as far as tests look at it.
type asked struct {
	Action            string
	KeyId             string
	Plaintext         []byte
	CiphertextBlob    []byte
	EncryptionContext map[string]string
}

func (s *service) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var in asked
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	_, in.Action, _ = strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, in)
	key := s.keys[in.KeyId]
	context, err := json.Marshal(in.EncryptionContext) // in the order of its keys
	switch {
	case err != nil:
		return nil, err
	case key == nil:
		return refusal("NotFoundException", "Key "+in.KeyId+" does not exist"), nil
	case in.Action == "Encrypt" && (len(in.Plaintext) < 1 || len(in.Plaintext) > 4096):
		return refusal("ValidationException", "Value '"+string(in.Plaintext)+"' at 'plaintext'"), nil
	case in.Action == "Encrypt":
		blob := key.Seal([]byte(in.KeyId+"|"), nil, in.Plaintext, context)
		return answer(200, map[string]any{"CiphertextBlob": blob, "KeyId": in.KeyId}), nil
	case len(in.CiphertextBlob) < 1 || len(in.CiphertextBlob) > 6144:
		return refusal("ValidationException", "Value at 'ciphertextBlob'"), nil
	}
	of, text, _ := strings.Cut(string(in.CiphertextBlob), "|")
	if s.keys[of] == nil {
		return refusal("InvalidCiphertextException", ""), nil
	}
	if of != in.KeyId {
		return refusal("IncorrectKeyException", "The key ID in the request does not identify a CMK that can perform this operation."), nil
	}
	plain, err := key.Open(nil, nil, []byte(text), context)
	if err != nil {
		return refusal("InvalidCiphertextException", ""), nil
	}
	return answer(200, map[string]any{"Plaintext": plain, "KeyId": in.KeyId}), nil
}

func answer(status int, body any) *http.Response {
	text, _ := json.Marshal(body) // of strings and bytes
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.1"}}, Body: io.NopCloser(strings.NewReader(string(text)))}
}

func refusal(code, message string) *http.Response {
	return answer(400, map[string]any{"__type": code, "message": message})
}

func newService(t testing.TB, keys ...string) *service {
	t.Helper()
	s := &service{keys: map[string]cipher.AEAD{}}
	for i, name := range keys {
		block, err := aes.NewCipher([]byte(strings.Repeat(string(rune('a'+i)), 32)))
		if err != nil {
			t.Fatal(err)
		}
		if s.keys[name], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func over(w aws.HTTPClient) *sdk.Client { return newClient(func(o *sdk.Options) { o.HTTPClient = w }) }

func TestConformsOnATwin(t *testing.T) {
	sealtest.Run(t, sealtest.Harness{New: func(t testing.TB) func(string) guild.Sealer {
		s := newService(t, "a", "b")
		return func(key string) guild.Sealer { return kms.New(over(s), key, "house") }
	}})
}

func FuzzOpen(f *testing.F) { sealtest.Fuzz(f, kms.New(over(newService(f, "a")), "a", "house")) }

// TestConforms runs the suite on a server that nobody here wrote.
func TestConforms(t *testing.T) {
	url := os.Getenv("AWS_TEST_KMS_ENDPOINT")
	if url == "" {
		t.Skip("AWS_TEST_KMS_ENDPOINT names no KMS-compatible server; .ci/conform starts one")
	}
	client := newClient(func(o *sdk.Options) { o.BaseEndpoint = &url })
	sealtest.Run(t, sealtest.Harness{New: func(t testing.TB) func(string) guild.Sealer {
		arns := map[string]string{}
		return func(key string) guild.Sealer {
			if arns[key] == "" {
				out, err := client.CreateKey(t.Context(), &sdk.CreateKeyInput{})
				if err != nil {
					t.Fatal(err)
				}
				arns[key] = *out.KeyMetadata.Arn
			}
			return kms.New(client, arns[key], "house")
		}
	}})
}

// Every call names the key and the installation, which is what the policies ask for.
func TestEveryCallNamesKeyAndInstallation(t *testing.T) {
	w := newService(t, "arn:key")
	s := kms.New(over(w), "arn:key", "house")
	in := guild.KeyContext("1001", "鍵 & Söhne")
	box, err := s.Seal(t.Context(), in, "sk-Canary")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), in, box); err != nil {
		t.Fatal(err)
	}
	for i, action := range []string{"Encrypt", "Decrypt"} {
		got := w.asked[i]
		if got.Action != action || got.KeyId != "arn:key" || len(got.EncryptionContext) != 4 || got.EncryptionContext["installation"] != "house" ||
			got.EncryptionContext["guild"] != "1001" || got.EncryptionContext["secret"] != "provider+key" || got.EncryptionContext["provider"] != "%E9%8D%B5+%26+S%C3%B6hne" {
			t.Errorf("%s was asked %+v", action, got)
		}
	}
	if box[0] != 2 {
		t.Errorf("it is marked as of way %d", box[0])
	}
	// Nobody can name another installation in its place.
	other := kms.New(over(w), "arn:key", "garden")
	for _, in := range []guild.Context{in, {"installation": "house"}} {
		box, err := s.Seal(t.Context(), in, "sk-Canary")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Open(t.Context(), in, box); !errors.Is(err, guild.ErrUnsealable) {
			t.Errorf("another installation opens %v: %v", in, err)
		}
	}
	if got := w.asked[len(w.asked)-1].EncryptionContext; len(got) != 2 || got["installation"] != "garden" || got["=installation"] != "house" {
		t.Errorf("asked in %v", got)
	}
}

// refusing answers every call alike.
type refusing struct {
	response func() *http.Response
	calls    int
}

func (r *refusing) Do(*http.Request) (*http.Response, error) {
	r.calls++
	if out := r.response(); out != nil {
		return out, nil
	}
	return nil, io.ErrUnexpectedEOF
}

func TestRefusalsNameTheFix(t *testing.T) {
	const secret = "sk-Canary-0123456789"
	for _, c := range []struct {
		code, message string
		says          string
		never         bool // it is no use to try again
	}{
		{"InvalidCiphertextException", "", "", true},
		{"IncorrectKeyException", "The key ID in the request does not identify a CMK that can perform this operation.", "", true},
		{"AccessDeniedException", "User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:eu-west-1:1:key/k because no identity-based policy allows the kms:Decrypt action",
			"the role may not kms:Decrypt on arn:aws:kms:eu-west-1:1:key/k: allow it", false},
		{"AccessDeniedException", "The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.", "on key arn:key: allow it", false},
		{"NotFoundException", "Key 'arn:key' does not exist", "correct TSUMUGI_SEAL_KEY", false},
		{"DisabledException", "arn:key is disabled.", "enable it", false},
		{"KMSInvalidStateException", "arn:key is pending deletion.", "cancel its deletion", false},
		{"InvalidKeyUsageException", "", "symmetric key", false},
		{"InvalidArnException", "", "not the ARN", false},
		{"ThrottlingException", "Rate exceeded", "key arn:key is throttled", false},
		{"KMSInternalException", "", "KMSInternalException", false},
		{"DependencyTimeoutException", "", "DependencyTimeoutException", false},
		{"ExpiredTokenException", "The security token included in the request is expired", "run out", false},
		{"InvalidSignatureException", "x-amz-security-token:" + secret, "AWS_SECRET_ACCESS_KEY", false},
		{"ValidationException", "1 validation error detected: Value '" + secret + "' at 'plaintext'", "ValidationException", false},
		{"", "", "EOF", false},
	} {
		for _, action := range []string{"seal", "open"} {
			t.Run(c.code+" "+action, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // the SDK waits before it tries again
					w := &refusing{response: func() *http.Response {
						if c.code == "" {
							return nil
						}
						return refusal(c.code, c.message)
					}}
					s := kms.New(over(w), "arn:key", "house")
					var err error
					if action == "seal" {
						_, err = s.Seal(t.Context(), guild.Context{}, secret)
					} else {
						_, err = s.Open(t.Context(), guild.Context{}, guild.Sealed("\x02 sealed"))
					}
					if err == nil || !strings.HasPrefix(err.Error(), action+": ") || !strings.Contains(err.Error(), c.says) {
						t.Errorf("%v does not say %q", err, c.says)
					}
					if errors.Is(err, guild.ErrUnsealable) != c.never {
						t.Errorf("whether it is of use to try again: %v", err)
					}
					if err != nil && strings.Contains(err.Error(), "Canary") {
						t.Errorf("the error repeats the secret: %v", err)
					}
					if again := c.code == "" || c.code == "ThrottlingException"; again != (w.calls > 1) && c.code != "KMSInternalException" && c.code != "DependencyTimeoutException" {
						t.Errorf("KMS was asked %d times", w.calls)
					}
				})
			})
		}
	}
}

// A secret that another way sealed costs no call, which would be paid for.
func TestWhatIsNoneOfKMSIsNotSentThere(t *testing.T) {
	w := &refusing{response: func() *http.Response { return refusal("AccessDeniedException", "") }}
	s := kms.New(over(w), "arn:key", "house")
	for _, box := range []guild.Sealed{nil, {}, {2}, []byte("\x01 of a file"), append(guild.Sealed{2}, make([]byte, 6145)...)} {
		if _, err := s.Open(t.Context(), guild.Context{}, box); !errors.Is(err, guild.ErrUnsealable) {
			t.Errorf("%d bytes: %v", len(box), err)
		}
	}
	for _, secret := range []string{"", strings.Repeat("k", 4097)} {
		if _, err := s.Seal(t.Context(), guild.Context{}, secret); err == nil {
			t.Errorf("%d bytes were sealed", len(secret))
		}
	}
	if w.calls != 0 {
		t.Errorf("KMS was asked %d times", w.calls)
	}
	empty := kms.New(over(&refusing{response: func() *http.Response { return answer(200, map[string]any{}) }}), "arn:key", "house")
	if box, err := empty.Seal(t.Context(), guild.Context{}, "k"); err == nil {
		t.Errorf("sealed to %d bytes", len(box))
	}
}
