package app

import "tsumugi/shared/turn"

// Voices are the models that generation speaks with.
func (p Ports) Voices() turn.Voices { return p.voices() }
