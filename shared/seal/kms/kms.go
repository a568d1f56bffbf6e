// Package kms keeps secrets under a key of AWS KMS, which never leaves it. What lives here: two calls, and what their errors
// mean. What must not live here: which key it is and who may use it (the assembly's and the template's), and a memory (package
// seal).
package kms

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	sdk "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go"

	"tsumugi/shared/guild"
	"tsumugi/shared/remedy"
	"tsumugi/shared/seal"
)

// maxCiphertext is the longest that KMS takes in Decrypt.
const maxCiphertext = 6144

// api is what is needed of KMS.
type api interface {
	Encrypt(context.Context, *sdk.EncryptInput, ...func(*sdk.Options)) (*sdk.EncryptOutput, error)
	Decrypt(context.Context, *sdk.DecryptInput, ...func(*sdk.Options)) (*sdk.DecryptOutput, error)
}

// Sealer seals under one key.
type Sealer struct {
	api               api
	key, installation string
}

var _ guild.Sealer = (*Sealer)(nil)

// New seals under the key with this ARN or id. The name of the installation is in every encryption context: the policies of its
// functions ask for it, and what one installation sealed no other opens, should they ever have one key.
func New(client *sdk.Client, key, installation string) *Sealer {
	return &Sealer{api: client, key: key, installation: installation}
}

// Seal lets KMS encrypt the secret.
func (s *Sealer) Seal(ctx context.Context, in guild.Context, secret string) (guild.Sealed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := seal.Check(secret); err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	out, err := s.api.Encrypt(ctx, &sdk.EncryptInput{KeyId: &s.key, Plaintext: []byte(secret), EncryptionContext: s.encryption(in)})
	if err != nil {
		return nil, fmt.Errorf("seal: %w", s.explained("kms:Encrypt", err))
	}
	if len(out.CiphertextBlob) == 0 {
		return nil, errors.New("seal: KMS gave nothing")
	}
	return append(guild.Sealed{seal.ByKMS}, out.CiphertextBlob...), nil
}

// Open lets KMS decrypt it. The key is named: what another key of the account encrypted is none of ours.
func (s *Sealer) Open(ctx context.Context, in guild.Context, box guild.Sealed) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if len(box) < 2 || box[0] != seal.ByKMS || len(box)-1 > maxCiphertext {
		return "", fmt.Errorf("open: it was not sealed by KMS: %w", guild.ErrUnsealable)
	}
	out, err := s.api.Decrypt(ctx, &sdk.DecryptInput{KeyId: &s.key, CiphertextBlob: box[1:], EncryptionContext: s.encryption(in)})
	if err != nil {
		return "", fmt.Errorf("open: %w", s.explained("kms:Decrypt", err))
	}
	return string(out.Plaintext), nil
}

// installation is the key of the encryption context that the policies ask for.
const installation = "installation"

// encryption is the encryption context: the installation, and what the caller says, escaped as in a query. CloudTrail shows it,
// and escaped it has only characters that are in everybody's contexts. A lone = is what no escaped text is: it stands for an
// empty one, and in front of a key that would be the installation's.
func (s *Sealer) encryption(in guild.Context) map[string]string {
	escaped := func(text string) string {
		if text == "" {
			return "="
		}
		return url.QueryEscape(text)
	}
	out := map[string]string{installation: s.installation}
	for key, value := range in {
		key = escaped(key)
		if key == installation {
			key = "=" + key
		}
		out[key] = escaped(value)
	}
	return out
}

// mends are the codes of KMS that package remedy does not know, with what to do. Without a word about it they pass by themselves.
var mends = map[string]string{
	"NotFoundException":          "there is no such key in this region: deploy the stack again, or correct TSUMUGI_SEAL_KEY",
	"DisabledException":          "the key is disabled: enable it",
	"KMSInvalidStateException":   "the key cannot be used as it is: enable it, or cancel its deletion",
	"InvalidKeyUsageException":   "the key is for something else: TSUMUGI_SEAL_KEY must name a symmetric key for encryption",
	"InvalidArnException":        "TSUMUGI_SEAL_KEY is not the ARN of a key",
	"KeyUnavailableException":    "",
	"DependencyTimeoutException": "",
	"KMSInternalException":       "",
}

// explained gives the contract's error for one of KMS's, or the error itself with what mends it. Of a request that KMS calls
// invalid it keeps the code alone: KMS's own words may repeat what was sent.
func (s *Sealer) explained(action string, err error) error {
	said, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return remedy.Wrap(err, remedy.Asked{Action: action, On: "key " + s.key})
	}
	code := said.ErrorCode()
	switch mend, known := mends[code]; {
	case code == "InvalidCiphertextException", code == "IncorrectKeyException":
		return fmt.Errorf("KMS says %s: %w", code, guild.ErrUnsealable)
	case strings.HasPrefix(code, "Validation"):
		return fmt.Errorf("KMS says %s", code)
	case known && mend == "":
		return err
	case known:
		return fmt.Errorf("key %s: %s: %w", s.key, mend, err)
	}
	return remedy.Wrap(err, remedy.Asked{Action: action, On: "key " + s.key})
}
