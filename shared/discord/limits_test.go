package discord_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// The simulator allows five creates and five edits in five seconds, counted apart.
func TestWaitsForTheBucket(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		id := w.post(t, 0)
		began := time.Now()
		for i := range 11 {
			w.post(t, i+1)
		}
		if d := time.Since(began); d < 10*time.Second || d > 11*time.Second {
			t.Errorf("12 creates took %v", d)
		}
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "e"}); err != nil {
			t.Error(err)
		}
		for _, c := range w.Calls() {
			if c.Status == http.StatusTooManyRequests {
				t.Fatal("the client ran into a limit that the headers had told")
			}
		}
	})
}

// They show the same hash, and so does the simulator; yet a channel full of creates still takes edits.
func TestEditsAreCountedApart(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		id := w.post(t, 0)
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "a"}); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			w.post(t, i+1)
		}
		began := time.Now()
		if d := w.client.EditWait(chat.Ref{Channel: w.lounge}); d != 0 {
			t.Errorf("an edit would wait %v", d)
		}
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "b"}); err != nil || time.Since(began) != 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestWaitsTogether(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		w.post(t, 0) // from here on the limit is known
		var all sync.WaitGroup
		for i := range 7 { // fewer than two windows hold: the estimate of the second may leave places free
			all.Go(func() { w.post(t, i+1) })
		}
		all.Wait()
		for _, c := range w.Calls() {
			if c.Status == http.StatusTooManyRequests {
				t.Error("calls at the same time ran into the limit")
			}
		}
	})
}

func TestContextWhileWaiting(t *testing.T) {
	t.Run("too short for the wait", func(t *testing.T) {
		bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
			for i := range 5 {
				w.post(t, i)
			}
			ctx, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer done()
			began := time.Now()
			_, err := w.client.Create(ctx, chat.Post{Channel: w.lounge, Content: "x", Nonce: "x"})
			var f *chat.Failure
			if !errors.As(err, &f) || f.Kind != chat.Throttled || f.After < 4*time.Second || f.After > 6*time.Second {
				t.Errorf("got %v", err)
			}
			if time.Since(began) != 0 || w.count("POST") != 5 {
				t.Errorf("after %v, %d calls", time.Since(began), w.count("POST"))
			}
		})
	})
	t.Run("cancelled during the wait", func(t *testing.T) {
		bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
			for i := range 5 {
				w.post(t, i)
			}
			ctx, stop := context.WithCancelCause(t.Context())
			defer time.AfterFunc(time.Second, func() { stop(chat.ErrHandOver) }).Stop()
			began := time.Now()
			_, err := w.client.Create(ctx, chat.Post{Channel: w.lounge, Content: "x", Nonce: "x"})
			if !errors.Is(err, chat.ErrHandOver) || chat.FailureOf(err) != chat.Throttled || time.Since(began) != time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		})
	})
	t.Run("longer than a call lasts", func(t *testing.T) {
		bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
			w.arm(simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 42})
			for i := range 2 {
				_, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "x", Nonce: "x"})
				var f *chat.Failure
				if !errors.As(err, &f) || f.Kind != chat.Throttled || f.After < 41*time.Second || f.After > 43*time.Second {
					t.Errorf("call %d: %v", i, err)
				}
			}
			if n := w.count("POST"); n != 1 {
				t.Errorf("%d calls", n)
			}
		})
	})
}

func TestEditWait(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		id := w.post(t, 0)
		began := time.Now()
		edits := 0
		for ; w.client.EditWait(chat.Ref{Channel: w.lounge}) == 0; edits++ {
			if err := w.client.Edit(t.Context(), id, chat.Shown{Content: fmt.Sprint(edits)}); err != nil {
				t.Fatal(err)
			}
		}
		if edits != 4 {
			t.Errorf("%d edits were free; one place of five is kept", edits)
		}
		if d := w.client.EditWait(chat.Ref{Channel: w.lounge}); d <= 4*time.Second || d > 6*time.Second {
			t.Errorf("wait %v", d)
		}
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "the last one"}); err != nil || time.Since(began) > time.Second {
			t.Errorf("the last edit waited: %v, %v", time.Since(began), err)
		}
		<-time.After(6 * time.Second)
		if d := w.client.EditWait(chat.Ref{Channel: w.lounge}); d != 0 {
			t.Errorf("wait %v in a new window", d)
		}
	})
}

func TestGlobalLimitBlocksAllChannels(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 3, Global: true})
		if err := w.client.Typing(t.Context(), w.lounge); chat.FailureOf(err) != chat.Throttled {
			t.Fatal(err)
		}
		began := time.Now()
		if err := w.client.Typing(t.Context(), chat.ChannelID(w.State().Hall)); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d < 3*time.Second || d > 4*time.Second {
			t.Errorf("another channel went after %v", d)
		}
	})
}

// Discord bans an address after 10,000 invalid requests in ten minutes; a limit shared with others does not count.
func TestInvalidRequestsOpenTheBreaker(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		scope   string
		breaker bool
	}{
		{"401", 401, "", true}, {"403", 403, "", true}, {"429", 429, "user", true}, {"429 shared", 429, "shared", false}, {"404", 404, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int32
			client := discord.New(discord.Options{BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.Header().Set("X-RateLimit-Scope", c.scope)
				w.WriteHeader(c.status)
				fmt.Fprint(w, `{"code":1,"message":"no","retry_after":0}`)
			})}})
			const tries = 3000
			for i := range tries {
				if err := client.Typing(t.Context(), chat.ChannelID(fmt.Sprint(i+1))); err == nil {
					t.Fatal("no error")
				}
			}
			if n := calls.Load(); (n < tries) != c.breaker || n < 1000 {
				t.Errorf("%d calls", n)
			}
		})
	}
}

func TestLimiterForgetsIdleBuckets(t *testing.T) {
	client := discord.New(discord.Options{BaseURL: "http://localhost", HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Bucket", "hash")
		w.Header().Set("X-RateLimit-Limit", "5")
		w.Header().Set("X-RateLimit-Remaining", "4")
		w.Header().Set("X-RateLimit-Reset-After", "600")
		w.WriteHeader(204)
	})}})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	talk := func(from, to int) {
		for i := from; i < to; i++ {
			if err := client.Typing(t.Context(), chat.ChannelID(fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	talk(1, 5000)
	before := heap()
	talk(5000, 30000)
	if after := heap(); after > before+2<<20 {
		t.Errorf("%d bytes grew to %d", before, after)
	}
	runtime.KeepAlive(client)
}

// inside is a RoundTripper that serves without a network.
type inside http.HandlerFunc

func (h inside) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	h(rec, r)
	return rec.Result(), nil
}

func (w *world) post(t *testing.T, i int) chat.Ref {
	id, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: fmt.Sprint(i), Nonce: fmt.Sprintf("n%d", i)})
	if err != nil {
		t.Errorf("create %d: %v", i, err)
	}
	return id
}
