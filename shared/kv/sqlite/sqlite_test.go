package sqlite_test

import (
	"path/filepath"
	"testing"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/kv/sqlite"
)

func TestFileConforms(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{Bubble: true, Open: func(t *testing.T) kv.Driver {
		return open(t, filepath.Join(t.TempDir(), "a name with ? # % in it.db"))
	}})
}

func TestMemoryConforms(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{Bubble: true, Open: func(t *testing.T) kv.Driver { return open(t, sqlite.Memory) }})
}

func TestAgreesWithTheTwin(t *testing.T) {
	kvtest.Agree(t, func(t *testing.T) kv.Driver { return open(t, sqlite.Memory) })
}
