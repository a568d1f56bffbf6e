// Package seal holds what all ways to keep a secret share: how a sealed secret tells its way, what a context is in bytes, the
// bounds, and a memory for secrets that were opened a moment ago. What must not live here: a way itself (file and kms, below),
// and what is kept or whose it is (package guild).
package seal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tsumugi/shared/guild"
)

// The first byte of a sealed secret, which is its way. They are stored, so they never change; a new way takes a new one.
const (
	ByFile byte = 1 // AES-256-GCM under the key of a file: nonce, text, tag
	ByKMS  byte = 2 // AWS KMS's ciphertext
)

// Errors of a secret's size. They do not hold it.
var (
	errEmpty = errors.New("the secret is empty")
	errLong  = fmt.Errorf("the secret is longer than %d bytes", guild.MaxSecret)
)

// Check refuses a secret that cannot be sealed.
func Check(secret string) error {
	switch {
	case secret == "":
		return errEmpty
	case len(secret) > guild.MaxSecret:
		return errLong
	}
	return nil
}

// Canonical is a context as bytes: two contexts have the same only if they are the same. Each key and each value stands behind
// its length, in the order of the keys.
func Canonical(in guild.Context) []byte {
	var out []byte
	for _, key := range slices.Sorted(maps.Keys(in)) {
		for _, text := range []string{key, in[key]} {
			out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
		}
	}
	return out
}
