package store

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
)

// Models reads what a provider offered.
func (b *Book) Models(ctx context.Context, g, provider string) ([]string, error) {
	item, err := lookup(ctx, b.kv, modelsKey(g, provider))
	if err != nil {
		return nil, fmt.Errorf("read models of guild %s: %w", g, err)
	}
	return optional[[]string](item, "models")
}

// SaveModels keeps what a provider offers. A list that would not fit is cut.
func (b *Book) SaveModels(ctx context.Context, g, provider string, models []string) error {
	size := 0
	for n, m := range models {
		body, err := encode(m) // as long as it is kept: a sign of a name may take six bytes
		if err != nil {
			return err
		}
		if size += len(body) + 1; size > guild.MaxSettings {
			models = models[:n]
			break
		}
	}
	body, err := encode(models)
	if err != nil {
		return err
	}
	return b.put(ctx, modelsKey(g, provider), kv.Attrs{"models": body})
}

// Face reads a picture.
func (b *Book) Face(ctx context.Context, g, persona string) ([]byte, error) {
	item, err := lookup(ctx, b.kv, faceKey(g, persona))
	if err != nil {
		return nil, fmt.Errorf("read the face of persona %s of guild %s: %w", persona, g, err)
	}
	return item.Bytes("face"), nil
}

// SaveFace keeps or removes a picture.
func (b *Book) SaveFace(ctx context.Context, g, persona string, picture []byte) error {
	switch {
	case len(picture) > guild.MaxFace:
		return fmt.Errorf("face of %d bytes: %w", len(picture), guild.ErrTooMuch)
	case len(picture) > 0:
		return b.put(ctx, faceKey(g, persona), kv.Attrs{"face": picture})
	}
	return b.write(ctx, kv.Op{Verb: kv.Delete, Key: faceKey(g, persona)})
}

// Note keeps a note.
func (b *Book) Note(ctx context.Context, g, name string, text []byte, life time.Duration) error {
	if len(text) > guild.MaxNote {
		return fmt.Errorf("note of %d bytes: %w", len(text), guild.ErrTooMuch)
	}
	return b.put(ctx, noteKey(g, name), kv.Attrs{"text": text, kv.TTL: expires(life)})
}

// Noted reads a note.
func (b *Book) Noted(ctx context.Context, g, name string) ([]byte, error) {
	item, err := lookup(ctx, b.kv, noteKey(g, name))
	if err != nil {
		return nil, fmt.Errorf("read a note of guild %s: %w", g, err)
	}
	return item.Bytes("text"), nil
}

func (b *Book) put(ctx context.Context, k kv.Key, attrs kv.Attrs) error {
	return b.write(ctx, kv.Op{Verb: kv.Put, Key: k, Attrs: attrs})
}

// write makes one write that may be repeated whatever became of it.
func (b *Book) write(ctx context.Context, op kv.Op) error {
	if err := patiently(ctx, func() error { return b.kv.Write(ctx, op) }); err != nil {
		return fmt.Errorf("keep %s: %w", op.Key, err)
	}
	return nil
}
