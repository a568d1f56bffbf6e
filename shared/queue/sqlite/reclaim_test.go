package sqlite_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	kvsqlite "tsumugi/shared/kv/sqlite"
	"tsumugi/shared/queue"
	queuesqlite "tsumugi/shared/queue/sqlite"
)

func TestReclaimTakesBackWhatADeadProcessHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	synctest.Test(t, func(t *testing.T) {
		db, err := kvsqlite.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		d, err := queuesqlite.Open(t.Context(), db, queuesqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		receive := func(name string) int {
			got, err := d.Receive(t.Context(), name, 10, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		for _, name := range []string{queue.Ingress, queue.Replies} {
			for _, id := range []string{"1", "2"} {
				if err := d.Send(t.Context(), name, queue.Message{Group: "g", Dedup: name + id, Body: "b"}); err != nil {
					t.Fatal(err)
				}
			}
			if n := receive(name); n != 2 {
				t.Fatalf("received %d of %s", n, name)
			}
		}
		if err := d.Reclaim(t.Context(), queue.Ingress, 0); err != nil {
			t.Fatal(err)
		}
		if err := d.Reclaim(t.Context(), queue.Replies, 46*time.Second); err != nil {
			t.Fatal(err)
		}
		if in, out := receive(queue.Ingress), receive(queue.Replies); in != 2 || out != 0 {
			t.Errorf("at once: %d of ingress, %d of replies; want 2 and 0", in, out)
		}
		time.Sleep(46 * time.Second)
		if n := receive(queue.Replies); n != 2 {
			t.Errorf("after 46 s: %d of replies, want 2", n)
		}
		if err := d.Reclaim(t.Context(), queue.Replies, time.Hour); err != nil { // never later than it would have been
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if n := receive(queue.Replies); n != 2 {
			t.Errorf("after its time-out: %d of replies, want 2", n)
		}
	})
}
