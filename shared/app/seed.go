package app

import (
	"context"

	"tsumugi/shared/persona"
	"tsumugi/shared/store"
)

// Seed gives a new installation somebody to talk to. What it has already is left alone.
func Seed(ctx context.Context, lib *store.Library) error {
	return lib.SeedCast(ctx, persona.Cast{Personas: persona.Demos()})
}
