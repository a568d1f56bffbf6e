package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

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

// A receipt that is not good any more keeps none of the other messages of its batch.
func TestDeleteBatch(t *testing.T) {
	ctx := t.Context()
	d := open(t, openFile(t, ":memory:"), 5)
	for _, group := range []string{"a", "b", "c"} {
		if err := d.Send(ctx, queue.Turns, queue.Message{Group: group, Dedup: group, Body: "{}"}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := d.Receive(ctx, queue.Turns, 10, time.Minute)
	if err != nil || len(got) != 3 {
		t.Fatalf("received %d: %v", len(got), err)
	}
	if err := d.Hide(ctx, queue.Turns, got[1].Receipt, 0); err != nil { // its delivery ends
		t.Fatal(err)
	}
	var receipts []string
	for _, r := range got {
		receipts = append(receipts, r.Receipt)
	}
	if err := queue.DeleteAll(ctx, d, queue.Turns, receipts); !errors.Is(err, queue.ErrReceipt) {
		t.Errorf("a receipt that has run out: %v, want ErrReceipt", err)
	}
	left, err := d.Receive(ctx, queue.Turns, 10, time.Minute)
	if err != nil || len(left) != 1 || left[0].Group != got[1].Group {
		t.Errorf("left are %d: %v; want the one whose receipt had run out", len(left), err)
	}
	if err := d.DeleteBatch(ctx, queue.Turns, receipts[:1]); err != nil {
		t.Errorf("deleting twice: %v", err)
	}
}
