package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/sqlite"
)

var (
	ctx = context.Background()
	one = kv.Key{Space: "a", Partition: "p", Sort: "one"}
)

// explains demands an error that names the file, gives the advice and keeps the directory to itself.
func explains(t *testing.T, err error, name, advice string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), advice) {
		t.Errorf("got %v, want an error with %q and %q", err, name, advice)
	}
	if err != nil && strings.Contains(err.Error(), string(filepath.Separator)+"Test") {
		t.Errorf("the error tells the path: %v", err)
	}
	if kv.Retryable(err) {
		t.Errorf("%v is not to be retried", err)
	}
}

func TestOpenOfWhatIsNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.db")
	must(t, os.WriteFile(path, []byte(strings.Repeat("these are somebody's notes\n", 100)), 0o600))
	_, err := sqlite.Open(ctx, path)
	explains(t, err, "notes.db", "not a database")
}

func TestOpenInADirectoryThatIsNotThere(t *testing.T) {
	_, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "nowhere", "store.db"))
	explains(t, err, "store.db", "cannot be written")
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	d, err := sqlite.Open(ctx, path)
	must(t, err)
	for i := range 200 {
		must(t, d.Write(ctx, kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: fmt.Sprint(i)},
			Attrs: kv.Attrs{"text": strings.Repeat("x", 500)}}))
	}
	must(t, d.Close())
	bytes, err := os.ReadFile(path)
	must(t, err)
	for i := 4096; i < len(bytes); i++ {
		bytes[i] = 0xaa
	}
	must(t, os.WriteFile(path, bytes, 0o600))
	if d, err = sqlite.Open(ctx, path); err == nil {
		_, err = d.Query(ctx, kv.Query{Space: "a", Partition: "p"})
		must(t, d.Close())
	}
	explains(t, err, "store.db", "damaged")
}

func TestFullDisk(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"))
	must(t, d.Write(ctx, kv.Op{Verb: kv.Put, Key: one, Attrs: kv.Attrs{"a": "kept"}}))
	_, err := d.Writer().Exec("PRAGMA max_page_count = 10")
	must(t, err)
	big := kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: "big"}, Attrs: kv.Attrs{"a": strings.Repeat("x", 100<<10)}}
	explains(t, d.Write(ctx, big), "store.db", "disk is full")
	if item, err := d.Get(ctx, one); err != nil || item.String("a") != "kept" {
		t.Errorf("after the disk was full: %v, %v", item, err)
	}
	_, err = d.Writer().Exec("PRAGMA max_page_count = 10000")
	must(t, err)
	must(t, d.Write(ctx, big))
}

// Two handles on one file, as the store and the queues have. The five seconds pass in the bubble's clock.
func TestWriterWaitsForAnotherHandle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "store.db")
		d := open(t, path)
		other, err := sqlite.OpenFile(path)
		must(t, err)
		defer other.Close()
		tx, err := other.Begin()
		must(t, err)

		start := time.Now()
		put := kv.Op{Verb: kv.Put, Key: one}
		if err := d.Write(ctx, put); !errors.Is(err, kv.ErrContention) {
			t.Errorf("write beside an open transaction: %v, want contention", err)
		}
		if waited := time.Since(start); waited < time.Second {
			t.Errorf("the writer gave up after %v", waited)
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		start = time.Now()
		if err := d.Write(short, put); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
			t.Errorf("write with a deadline: %v after %v", err, time.Since(start))
		}
		if _, err := d.Get(ctx, one); !errors.Is(err, kv.ErrNotFound) {
			t.Errorf("a reader must not wait for a writer: %v", err)
		}

		done := make(chan error)
		go func() { done <- d.Write(ctx, put) }()
		time.Sleep(time.Second)
		must(t, tx.Commit())
		must(t, <-done)
	})
}

func TestItemsOutliveTheHandle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	first, err := sqlite.Open(ctx, path)
	must(t, err)
	must(t, first.Write(ctx, kv.Op{Verb: kv.Put, Key: one, Attrs: kv.Attrs{"a": "kept"}}))
	must(t, first.Close())
	if item, err := open(t, path).Get(ctx, one); err != nil || item.String("a") != "kept" {
		t.Errorf("after reopening: %v, %v", item, err)
	}
}

func TestSweepDeletesWhatHasExpired(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "store.db"))
	const dead, live = 450, 30
	for i := range dead + live {
		attrs := kv.Attrs{kv.TTL: time.Now().Unix() - int64(i)}
		if i >= dead {
			attrs[kv.TTL] = time.Now().Unix() + 3600
		}
		must(t, d.Write(ctx, kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: fmt.Sprint(i)}, Attrs: attrs}))
	}
	must(t, d.Write(ctx, kv.Op{Verb: kv.Put, Key: one}))
	for _, want := range []int{dead, 0} {
		if n, err := d.Sweep(ctx); err != nil || n != want {
			t.Errorf("sweep: %d, %v, want %d", n, err, want)
		}
	}
	var rows int
	must(t, d.Writer().QueryRow("SELECT count(*) FROM kv").Scan(&rows))
	if rows != live+1 {
		t.Errorf("%d rows are left, want %d", rows, live+1)
	}
}

// The plan of each hot statement must be a search: a scan would only show once the file has grown.
func TestReadsUseTheIndexes(t *testing.T) {
	d := open(t, sqlite.Memory)
	for _, c := range []struct{ query, want string }{
		{"SELECT pk, sk, attrs FROM kv WHERE space = 'a' AND due <= 5 ORDER BY due, pk, sk LIMIT 3", "USING INDEX kv_due"},
		{"SELECT pk FROM kv WHERE ttl <= 5 LIMIT 3", "USING COVERING INDEX kv_ttl"},
		{"SELECT attrs FROM kv WHERE space = 'a' AND pk = x'00' AND sk >= x'00' AND sk < x'ff' ORDER BY sk DESC", "USING PRIMARY KEY"},
	} {
		rows, err := d.Writer().Query("EXPLAIN QUERY PLAN " + c.query)
		must(t, err)
		plan := ""
		for rows.Next() {
			var a, b, e int
			var detail string
			must(t, rows.Scan(&a, &b, &e, &detail))
			plan += detail + "; "
		}
		must(t, errors.Join(rows.Err(), rows.Close()))
		if !strings.Contains(plan, c.want) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", c.query, plan)
		}
	}
}
