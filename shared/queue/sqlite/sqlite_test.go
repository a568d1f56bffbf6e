package sqlite_test

import (
	"context"
	"database/sql"
	"testing"

	kvsqlite "tsumugi/shared/kv/sqlite"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	"tsumugi/shared/queue/sqlite"
)

// openFile opens a database in the way that the assembly does.
func openFile(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := kvsqlite.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func open(t testing.TB, db *sql.DB, maxReceives int) *sqlite.Driver {
	t.Helper()
	d, err := sqlite.Open(context.Background(), db, sqlite.Options{MaxReceives: maxReceives})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestConforms(t *testing.T) {
	queuetest.Run(t, queuetest.Harness{
		Open: func(t testing.TB, maxReceives int) queue.Driver { return open(t, openFile(t, ":memory:"), maxReceives) },
	})
}
