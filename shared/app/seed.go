package app

import (
	"context"

	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
	"tsumugi/shared/store"
)

// Seed gives a new installation somebody to talk to. What it has already is left alone.
func Seed(ctx context.Context, b *store.Book) error {
	return b.Seed(ctx, guild.Settings{Own: true, Personas: persona.Demos()})
}
