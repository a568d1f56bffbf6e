// Package file keeps secrets under a key in a file of this machine: AES-256-GCM, with the context as additional data. What
// lives here: the cipher, and how the key file is made and read. What must not live here: where the file is (the assembly's)
// and any other way to keep a secret.
//
// Whoever has both the key file and what was sealed has the secrets. The file is readable by its owner alone; a backup of the
// data without it is of no use to a thief, nor to its owner.
package file

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal"
)

// Name is what the key file is called in its directory.
const Name = "seal.key"

// Sealer seals under the key of one file.
type Sealer struct {
	path string

	mu   sync.Mutex
	aead cipher.AEAD // nil until the key was read
}

var _ guild.Sealer = (*Sealer)(nil)

// New seals under the key in the file at path, whose directory must be there. The file is read at the first use, and made by the
// first secret that is sealed: whoever keeps no secret has no key to lose.
func New(path string) *Sealer { return &Sealer{path: path} }

// Seal encrypts the secret.
func (s *Sealer) Seal(ctx context.Context, in guild.Context, secret string) (guild.Sealed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := seal.Check(secret); err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	aead, err := s.key(obtain)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	out := make([]byte, 1, 1+len(secret)+aead.Overhead())
	out[0] = seal.ByFile
	return aead.Seal(out, nil, []byte(secret), additional(in)), nil //nolint:gosec // nil: this cipher draws its nonce
}

// Open decrypts it.
func (s *Sealer) Open(ctx context.Context, in guild.Context, box guild.Sealed) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if len(box) == 0 || box[0] != seal.ByFile {
		return "", fmt.Errorf("open: it was not sealed with a key file: %w", guild.ErrUnsealable)
	}
	aead, err := s.key(read)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("open: the key file %s is gone; put it back, or enter the secret again: %w", s.path, guild.ErrUnsealable)
	}
	if err != nil {
		return "", fmt.Errorf("open: %w", err)
	}
	text, err := aead.Open(nil, nil, box[1:], additional(in))
	if err != nil {
		return "", fmt.Errorf("open: %w", guild.ErrUnsealable) // the cipher says no more than that
	}
	return string(text), nil
}

// key gives the cipher, with the key that get finds when there is none yet. A failure is not kept: what mends it counts at once.
func (s *Sealer) key(get func(path string) ([]byte, error)) (cipher.AEAD, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aead != nil {
		return s.aead, nil
	}
	key, err := get(s.path)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	// A random nonce of 96 bits is good for 2^32 secrets under one key (NIST SP 800-38D, 8.3).
	s.aead, err = cipher.NewGCMWithRandomNonce(block)
	return s.aead, err
}

// additional is what is authenticated beside the secret.
func additional(in guild.Context) []byte { return append([]byte{seal.ByFile}, seal.Canonical(in)...) }
