package sealtest_test

import (
	"testing"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal/sealtest"
)

func TestMemoryConforms(t *testing.T) {
	sealtest.Run(t, sealtest.Harness{New: func(testing.TB) func(string) guild.Sealer {
		keys := map[string]guild.Sealer{}
		return func(key string) guild.Sealer {
			if keys[key] == nil {
				keys[key] = sealtest.Memory()
			}
			return keys[key]
		}
	}})
}

func FuzzMemory(f *testing.F) { sealtest.Fuzz(f, sealtest.Memory()) }
