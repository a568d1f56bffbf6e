package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/sqlite"
)

// BenchmarkWrite is the store's usual transaction: a conditional update, a new item and a check.
func BenchmarkWrite(b *testing.B) {
	d := open(b, filepath.Join(b.TempDir(), "bench.db"))
	ctx := context.Background()
	head := kv.Key{Space: "channels", Partition: "c1", Sort: "head"}
	must(b, d.Write(ctx, kv.Op{Verb: kv.Put, Key: head, Attrs: kv.Attrs{"seq": int64(0)}}))
	i := 0
	for b.Loop() {
		must(b, d.Write(ctx,
			kv.Op{Verb: kv.Update, Key: head, Set: kv.Attrs{"seq": int64(i + 1)}, If: []kv.Cond{kv.Is("seq", int64(i))}},
			kv.Op{Verb: kv.Put, Key: kv.Key{Space: "channels", Partition: "c1", Sort: fmt.Sprintf("event#%012d", i)},
				Attrs: kv.Attrs{"text": "a message of ordinary length, as people write them", "due": int64(i), "ttl": int64(1 << 40)},
				If:    []kv.Cond{kv.Missing("")}},
			kv.Op{Verb: kv.Check, Key: kv.Key{Space: "channels", Partition: "c1", Sort: "lease"}, If: []kv.Cond{kv.Missing("")}},
		))
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "tx/s")
}

func BenchmarkGet(b *testing.B) {
	d := open(b, filepath.Join(b.TempDir(), "bench.db"))
	ctx := context.Background()
	key := kv.Key{Space: "channels", Partition: "c1", Sort: "head"}
	must(b, d.Write(ctx, kv.Op{Verb: kv.Put, Key: key, Attrs: kv.Attrs{"seq": int64(1), "text": "some text"}}))
	for b.Loop() {
		if _, err := d.Get(ctx, key); err != nil {
			b.Fatal(err)
		}
	}
}

func open(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	d, err := sqlite.Open(context.Background(), path)
	must(tb, err)
	tb.Cleanup(func() { must(tb, d.Close()) })
	return d
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
