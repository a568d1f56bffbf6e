package seal

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"tsumugi/shared/guild"
)

const (
	cacheLife = 5 * time.Minute
	cacheMost = 256 // secrets
)

// Cache is a Sealer that remembers what it opened: at most 256 secrets, each for at most five minutes. A reply needs its
// provider's key at once, and AWS KMS wants milliseconds and money for it. What is changed counts at once all the same: another
// secret is sealed to other bytes. Failures are not remembered.
type Cache struct {
	sealer guild.Sealer

	mu     sync.Mutex
	opened map[[sha256.Size]byte]*opened
}

// opened is a secret in memory.
type opened struct {
	secret string
	until  time.Time // by the wall clock: a function that is frozen ages, and its timers do not
	forget *time.Timer
}

var _ guild.Sealer = (*Cache)(nil)

// Cached makes a sealer remember.
func Cached(s guild.Sealer) *Cache {
	return &Cache{sealer: s, opened: map[[sha256.Size]byte]*opened{}}
}

// Seal encrypts, and remembers nothing.
func (c *Cache) Seal(ctx context.Context, in guild.Context, secret string) (guild.Sealed, error) {
	return c.sealer.Seal(ctx, in, secret)
}

// Open gives the secret from memory, or opens it.
func (c *Cache) Open(ctx context.Context, in guild.Context, s guild.Sealed) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	key := cacheKey(in, s)
	if secret, ok := c.known(key); ok {
		return secret, nil
	}
	secret, err := c.sealer.Open(ctx, in, s)
	if err != nil {
		return "", err
	}
	c.keep(key, secret)
	return secret, nil
}

// cacheKey stands for a context and what was sealed in it.
func cacheKey(in guild.Context, s guild.Sealed) [sha256.Size]byte {
	context, sealed := sha256.Sum256(Canonical(in)), sha256.Sum256(s)
	return sha256.Sum256(append(context[:], sealed[:]...))
}

func (c *Cache) known(key [sha256.Size]byte) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.opened[key]
	if o == nil {
		return "", false
	}
	// A clock that was set back must not make it live longer.
	if left := o.until.Sub(wall()); left <= 0 || left > cacheLife {
		c.drop(key, o)
		return "", false
	}
	return o.secret, true
}

func (c *Cache) keep(key [sha256.Size]byte, secret string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before := c.opened[key]; before != nil { // another call was as fast: its life is not prolonged
		return
	}
	if len(c.opened) >= cacheMost {
		c.dropOldest()
	}
	o := &opened{secret: secret, until: wall().Add(cacheLife)}
	o.forget = time.AfterFunc(cacheLife, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.drop(key, o)
	})
	c.opened[key] = o
}

// drop forgets an entry, unless another has taken its place. The lock is held.
func (c *Cache) drop(key [sha256.Size]byte, o *opened) {
	o.forget.Stop()
	if c.opened[key] == o {
		delete(c.opened, key)
	}
}

// dropOldest makes room. The lock is held.
func (c *Cache) dropOldest() {
	var oldest *opened
	var at [sha256.Size]byte
	for key, o := range c.opened {
		if oldest == nil || o.until.Before(oldest.until) {
			oldest, at = o, key
		}
	}
	c.drop(at, oldest)
}

// wall is the time without the clock that stands still while a process is frozen.
func wall() time.Time { return time.Now().Round(0) }
