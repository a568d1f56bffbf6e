package sealtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"sync"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal"
)

// Twin is a sealer that keeps the secrets themselves and gives out tokens for them. It is for tests of those who use a Sealer.
type Twin struct {
	mu   sync.Mutex
	kept map[string]kept // by token
}

type kept struct {
	in     guild.Context
	secret string
}

// Memory makes a twin that has sealed nothing.
func Memory() *Twin { return &Twin{kept: map[string]kept{}} }

// Seal keeps the secret.
func (m *Twin) Seal(ctx context.Context, in guild.Context, secret string) (guild.Sealed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := seal.Check(secret); err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	token := "twin " + rand.Text()
	m.kept[token] = kept{maps.Clone(in), secret}
	return guild.Sealed(token), nil
}

// Open gives it back.
func (m *Twin) Open(ctx context.Context, in guild.Context, s guild.Sealed) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.kept[string(s)]
	if !ok || !maps.Equal(k.in, in) {
		return "", fmt.Errorf("open: %w", guild.ErrUnsealable)
	}
	return k.secret, nil
}
