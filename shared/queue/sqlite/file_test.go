package sqlite_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqlite"
)

func run(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

func message(n string) queue.Message { return queue.Message{Group: "g", Dedup: n, Body: n} }

// Messages, time-outs, counts and deduplication ids outlive the process.
func TestReopenKeepsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "q.db")
		ctx := t.Context()
		db := openFile(t, path)
		d := open(t, db, 5)
		for _, n := range []string{"1", "2"} {
			if err := d.Send(ctx, queue.Turns, message(n)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := d.Receive(ctx, queue.Turns, 1, time.Minute)
		if err != nil || len(got) != 1 {
			t.Fatalf("received %d: %v", len(got), err)
		}
		if err := errors.Join(d.Close(), db.Close()); err != nil {
			t.Fatal(err)
		}

		d = open(t, openFile(t, path), 5)
		if err := d.Send(ctx, queue.Turns, message("2")); err != nil {
			t.Fatal(err)
		}
		if early, err := d.Receive(ctx, queue.Turns, 10, time.Minute); err != nil || len(early) != 0 {
			t.Fatalf("received %d while in flight: %v", len(early), err)
		}
		if err := d.Hide(ctx, queue.Turns, got[0].Receipt, 0); err != nil {
			t.Fatal(err)
		}
		again, err := d.Receive(ctx, queue.Turns, 10, time.Minute)
		if err != nil || len(again) != 2 || again[0].Receives != 2 || again[0].ID != got[0].ID || again[1].Body != "2" {
			t.Fatalf("received %v: %v", again, err)
		}
	})
}

// A receipt never names a message that came later, even when the table was empty in between.
func TestReceiptsAreNeverUsedAgain(t *testing.T) {
	db := openFile(t, ":memory:")
	d := open(t, db, 5)
	receipts := map[string]bool{}
	for _, n := range []string{"1", "2", "3"} {
		if err := d.Send(t.Context(), queue.Turns, message(n)); err != nil {
			t.Fatal(err)
		}
		got, err := d.Receive(t.Context(), queue.Turns, 1, time.Minute)
		if err != nil || len(got) != 1 || receipts[got[0].Receipt] {
			t.Fatalf("received %v: %v", got, err)
		}
		receipts[got[0].Receipt] = true
		if err := d.Delete(t.Context(), queue.Turns, got[0].Receipt); err != nil {
			t.Fatal(err)
		}
	}
}

func TestForeignReceiptIsInvalid(t *testing.T) {
	d := open(t, openFile(t, ":memory:"), 5)
	for _, receipt := range []string{"", "1", "x.1", "1.x", ".", "AQEB+/="} {
		if err := d.Delete(t.Context(), queue.Turns, receipt); !errors.Is(err, queue.ErrInvalid) {
			t.Errorf("%q: %v", receipt, err)
		}
	}
}

// A full disk is told as such, and nothing is half written.
func TestFullDisk(t *testing.T) {
	db := openFile(t, filepath.Join(t.TempDir(), "q.db"))
	d := open(t, db, 5)
	run(t, db, "PRAGMA max_page_count = 1") // SQLite takes the present size when that is more
	big := []queue.Message{message("1"), {Group: "g", Dedup: "2", Body: strings.Repeat("x", 500<<10)}}
	if err := d.SendBatch(t.Context(), queue.Turns, big); !errors.Is(err, sqlite.ErrFull) {
		t.Fatalf("error %v", err)
	}
	run(t, db, "PRAGMA max_page_count = 1000000")
	if got, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute); err != nil || len(got) != 0 {
		t.Fatalf("received %d: %v", len(got), err)
	}
	if err := d.SendBatch(t.Context(), queue.Turns, big); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Receive(t.Context(), queue.Turns, 10, time.Minute); err != nil || len(got) != 2 {
		t.Fatalf("received %d: %v", len(got), err)
	}
}

// A file that somebody else writes to is told as such, and works again afterwards.
func TestLockedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	db, other := openFile(t, path), openFile(t, path)
	d := open(t, db, 5)
	run(t, db, "PRAGMA busy_timeout = 0")
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), queue.Turns, message("1")); !errors.Is(err, sqlite.ErrLocked) {
		t.Fatalf("error %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), queue.Turns, message("1")); err != nil {
		t.Fatal(err)
	}
}

// Deduplication ids are swept when their window has ended, and not before.
func TestDedupIdsAreSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openFile(t, ":memory:")
		d := open(t, db, 5)
		send := func(from, to rune) {
			var batch []queue.Message
			for r := from; r < to; r++ {
				batch = append(batch, message("d"+strings.Repeat("x", int(r-from)/90)+string(rune('!'+(r-from)%90))+string(rune('A'+from/1000))))
			}
			if err := d.SendBatch(t.Context(), queue.Turns, batch); err != nil {
				t.Fatal(err)
			}
		}
		count := func() (n int) {
			if err := db.QueryRow("SELECT COUNT(*) FROM queue_dedup").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		send(0, 200)
		time.Sleep(queue.Window - 1)
		send(1000, 1100)
		if n := count(); n != 300 {
			t.Fatalf("%d ids within the window", n)
		}
		time.Sleep(time.Nanosecond)
		send(2000, 2100)
		if n := count(); n != 200 {
			t.Fatalf("%d ids after the window", n)
		}
	})
}

// Receive must not sort: with a sort, a long backlog would be read whole for each message.
func TestReceiveReadsByIndexOnly(t *testing.T) {
	db := openFile(t, ":memory:")
	open(t, db, 5)
	rows, err := db.Query("EXPLAIN QUERY PLAN "+sqlite.ReadyQuery, queue.Turns, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	steps := 0
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps++
		if strings.Contains(step, "TEMP B-TREE") || strings.Contains(step, "SCAN") {
			t.Errorf("plan: %s", step)
		}
	}
	if steps == 0 || rows.Err() != nil {
		t.Fatalf("%d steps: %v", steps, rows.Err())
	}
}
