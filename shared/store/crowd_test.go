package store_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// TestCrowd lets streams come and go, in spans of which each begins a moment after the last one.
func TestCrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := kvtest.Memory()
		next := func(into time.Duration) {
			time.Sleep(time.Until(time.Now().Truncate(chat.CrowdSpan).Add(chat.CrowdSpan + into)))
		}
		join := func(ended, streams, rank int) {
			t.Helper()
			// each process has a repository of its own
			got, err := store.NewCrowd(d).Join(t.Context(), ended)
			if want := (chat.Standing{Streams: streams, Rank: rank}); err != nil || got != want {
				t.Errorf("%v into the span: %+v, want %+v (%v)", time.Since(time.Now().Truncate(chat.CrowdSpan)), got, want, err)
			}
		}
		next(0)
		join(0, 1, 0)
		join(0, 2, 1)
		time.Sleep(10 * time.Second)
		join(0, 3, 2)
		join(1, 3, 2) // where one was over in the same process, another began
		next(time.Second)
		join(0, 3, 0) // the others have not said yet that they go on
		time.Sleep(5 * time.Second)
		join(0, 2, 1) // the third was silent: its process died, or it is over
		next(5 * time.Second)
		next(5 * time.Second)
		join(0, 1, 0)
		time.Sleep(2 * time.Minute)
		page, err := d.Query(t.Context(), kv.Query{Space: store.SpaceMemory, Partition: "crowd"})
		if err != nil || len(page.Items) > 0 {
			t.Errorf("spans that are long over are kept: %v (%v)", page.Items, err)
		}
	})
}

// TestCrowdIsNotCountedTwice: a write whose outcome is unknown is not repeated.
func TestCrowdIsNotCountedTwice(t *testing.T) {
	d := kvtest.Memory()
	failing := kvtest.Wrap(d, func(kvtest.Call) kvtest.Fault { return kvtest.LostReply })
	if _, err := store.NewCrowd(failing).Join(context.Background(), 0); err == nil {
		t.Error("a lost answer is no error")
	}
	if got, err := store.NewCrowd(d).Join(context.Background(), 0); err != nil || got.Rank != 1 {
		t.Errorf("after it: %+v, %v", got, err)
	}
}
