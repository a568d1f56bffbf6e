package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tsumugi/shared/queue"
)

func benchMessage(i int) queue.Message {
	return queue.Message{Group: strconv.Itoa(i % 50), Dedup: "event#" + strconv.Itoa(i), Body: fmt.Sprintf(`{"v":1,"text":"%0200d"}`, i)}
}

// BenchmarkSend sends one message a transaction.
func BenchmarkSend(b *testing.B) {
	d := open(b, openFile(b, filepath.Join(b.TempDir(), "q.db")), 5)
	for i := 0; b.Loop(); i++ {
		if err := d.Send(b.Context(), queue.Turns, benchMessage(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSendBatch sends ten messages a transaction; ns/op is for the ten.
func BenchmarkSendBatch(b *testing.B) {
	d := open(b, openFile(b, filepath.Join(b.TempDir(), "q.db")), 5)
	for i := 0; b.Loop(); i++ {
		batch := make([]queue.Message, 10)
		for k := range batch {
			batch[k] = benchMessage(10*i + k)
		}
		if err := d.SendBatch(b.Context(), queue.Turns, batch); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSendReceiveDelete is the whole life of one message, three transactions, with a backlog in every group.
func BenchmarkSendReceiveDelete(b *testing.B) {
	d := open(b, openFile(b, filepath.Join(b.TempDir(), "q.db")), 5)
	for i := range 5000 {
		if err := d.Send(b.Context(), queue.Turns, benchMessage(i)); err != nil {
			b.Fatal(err)
		}
	}
	for i := 5000; b.Loop(); i++ {
		if err := d.Send(b.Context(), queue.Turns, benchMessage(i)); err != nil {
			b.Fatal(err)
		}
		got, err := d.Receive(b.Context(), queue.Turns, 1, time.Minute)
		if err != nil || len(got) != 1 {
			b.Fatalf("received %d: %v", len(got), err)
		}
		if err := d.Delete(b.Context(), queue.Turns, got[0].Receipt); err != nil {
			b.Fatal(err)
		}
	}
}
