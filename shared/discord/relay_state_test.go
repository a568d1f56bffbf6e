package discord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
)

// book is one process's access to what relays keep. It can be cut off.
type book struct {
	chat.Relays
	mu    sync.Mutex
	away  bool
	keeps int
}

// books gives n processes access to one store.
func books(n int) []*book {
	shared := store.NewRelays(kvtest.Memory(), "bot")
	out := make([]*book, n)
	for i := range out {
		out[i] = &book{Relays: shared}
	}
	return out
}

var errAway = errors.New("the store is away")

func (b *book) cut(off bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = off
}

func (b *book) ask() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return errAway
	}
	return nil
}

func (b *book) Shard(ctx context.Context, n int) (chat.Shard, error) {
	if err := b.ask(); err != nil {
		return chat.Shard{}, err
	}
	return b.Relays.Shard(ctx, n)
}

func (b *book) Keep(ctx context.Context, n int, s chat.Shard) error {
	if err := b.ask(); err != nil {
		return err
	}
	b.mu.Lock()
	b.keeps++
	b.mu.Unlock()
	return b.Relays.Keep(ctx, n, s)
}

func (b *book) Start(ctx context.Context, now time.Time) (time.Duration, error) {
	if err := b.ask(); err != nil {
		return 0, err
	}
	return b.Relays.Start(ctx, now)
}

// since is how often something was kept since the last call.
func (b *book) since() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.keeps
	b.keeps = 0
	return n
}

// kept is what the store has of shard 0.
func (b *book) kept(t *testing.T) chat.Shard {
	t.Helper()
	s, err := b.Relays.Shard(context.WithoutCancel(t.Context()), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// process starts a relay with an access to the store.
func (w *world) process(t *testing.T, b *book, name string) *running {
	return start(t, &discord.Gateway{REST: w.client, MessageContent: true, Dial: w.pipe.Dial, Relays: b, Owner: name}, nil)
}

// texts are the words of the next n events.
func (r *running) texts(n int) []string {
	var out []string
	for range n {
		out = append(out, r.next().Text)
	}
	return out
}

// next is the next event. A bubble with a relay in it never comes to rest, so the wait needs an end.
func (r *running) next() chat.Event {
	r.t.Helper()
	select {
	case e := <-r.events:
		return e
	case <-time.After(3 * time.Hour):
		r.t.Fatal("no event")
		return chat.Event{}
	}
}

// none fails when an event came.
func (r *running) none(what string) {
	r.t.Helper()
	synctest.Wait()
	select {
	case e := <-r.events:
		r.t.Errorf("%s: got %q", what, e.Text)
	default:
	}
}

func later(d time.Duration) { <-time.After(d) }

// Bad order of B134: what is not on the queue must not be told as handed on, whatever came after it.
func TestSeqAndWatermarkWaitForTheQueue(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(1)[0]
		g := w.process(t, b, "a")
		<-g.ready
		later(2 * time.Second)
		before := b.kept(t)
		if before.Session.ID == "" || before.Session.Seq == 0 || before.Watermark == "" || before.Session.Shards != 1 {
			t.Fatalf("kept %+v", before)
		}
		g.spool.hold()
		var ids []chat.MessageID
		for i := range 3 {
			ids = append(ids, chat.MessageID(w.Say("lounge", "ana", fmt.Sprint(i)).ID))
		}
		g.texts(3)
		g.spool.release(0)
		later(2 * time.Second)
		if s := b.kept(t); s.Session.Seq != before.Session.Seq || s.Watermark != before.Watermark {
			t.Errorf("kept %+v while the first event waits, before it %+v", s, before)
		}
		g.spool.release()
		g.end()
		if s := b.kept(t); s.Session.Seq != before.Session.Seq || s.Watermark != before.Watermark {
			t.Errorf("kept %+v, but the first event was never on the queue", s)
		}
		g = w.process(t, b, "b")
		if got := g.texts(3); !slices.Equal(got, []string{"0", "1", "2"}) {
			t.Errorf("the next process got %v", got)
		}
		g.end()
		if s := b.kept(t); s.Session.Seq < before.Session.Seq+3 || s.Watermark != ids[2] || !s.Alive.IsZero() {
			t.Errorf("kept %+v", s)
		}
	})
}

func TestTheNextProcessResumes(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(2)
		g := w.process(t, b[0], "a")
		<-g.ready
		w.Say("lounge", "ana", "one")
		g.texts(1)
		g.end()
		w.Say("lounge", "ana", "two")
		began := time.Now()
		g = w.process(t, b[1], "b")
		if me := <-g.ready; string(me.ID) != w.State().Bot.ID || me.Name != "Tsumugi" {
			t.Errorf("ready as %+v", me)
		}
		if got := g.texts(1); got[0] != "two" {
			t.Errorf("got %v", got)
		}
		if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != 1 || time.Since(began) > time.Second {
			t.Errorf("%+v after %v", s, time.Since(began))
		}
		id, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "an echo", Nonce: "n"})
		if err != nil || id.Message == "" {
			t.Fatal(err)
		}
		g.none("our own words")
		g.end()
	})
}

// What a session was started with must still be what we want of it.
func TestASessionOfOtherTermsIsNotResumed(t *testing.T) {
	for name, change := range map[string]func(*discord.Gateway){
		"another number of shards": func(g *discord.Gateway) { g.Shards = 2 },
		"without message content":  func(g *discord.Gateway) { g.MessageContent = false },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				b := books(1)[0]
				g := w.process(t, b, "a")
				<-g.ready
				w.Say("lounge", "ana", "@Tsumugi one")
				g.texts(1)
				later(time.Hour)
				g.end()
				w.Say("lounge", "ana", "@Tsumugi two")
				next := &discord.Gateway{REST: w.client, MessageContent: true, Dial: w.pipe.Dial, Relays: b, Owner: "b"}
				change(next)
				g = start(t, next, nil)
				<-g.ready
				if s := w.State().Gateway; s.Resumes != 0 || s.Identifies != 1+max(next.Shards, 1) {
					t.Errorf("%+v", s)
				}
				if got := g.texts(2); got[0] != "@Tsumugi one" || got[1] != "@Tsumugi two" { // read from the channel, from a minute before
					t.Errorf("got %v", got)
				}
				g.none("after what was missed")
				g.end()
			})
		})
	}
}

func TestAStoreThatIsAwayStopsNothing(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(1)[0]
		b.cut(true)
		g := w.process(t, b, "a")
		later(10 * time.Minute)
		if n := w.State().Gateway.Identifies; n != 0 {
			t.Errorf("%d sessions were started that nobody counted", n)
		}
		b.cut(false)
		<-g.ready
		b.cut(true)
		w.Say("lounge", "ana", "one")
		g.texts(1)
		later(10 * time.Minute)
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultDrop})
		<-g.ready
		m := w.Say("lounge", "ana", "two")
		g.texts(1)
		if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != 1 {
			t.Errorf("%+v", s)
		}
		b.cut(false)
		later(30 * time.Second)
		if s := b.kept(t); string(s.Watermark) != m.ID {
			t.Errorf("kept %+v", s)
		}
		g.end()
	})
}

func TestTheStateIsKeptNowAndThen(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(1)[0]
		g := w.process(t, b, "a")
		<-g.ready
		later(10 * time.Minute)
		if n := b.since(); n < 30 || n > 40 {
			t.Errorf("kept %d times in ten idle minutes", n)
		}
		if age := time.Since(b.kept(t).Alive); age > 21*time.Second {
			t.Errorf("alive %v ago", age)
		}
		b.since()
		for i := range 600 {
			w.Say("lounge", "ana", fmt.Sprint(i))
			later(100 * time.Millisecond)
		}
		if n := b.since(); n < 50 || n > 62 {
			t.Errorf("kept %d times in a busy minute", n)
		}
		g.end()
	})
}

// Two relays on one token: everything arrives at both. The second brings what the first has not put on the queue at once,
// before anything newer of the same channel, for nobody knows whether the first still lives. When that dies without a word,
// the second goes on.
func TestTwoRelays(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(2)
		first := w.process(t, b[0], "a")
		<-first.ready
		w.Say("lounge", "ana", "early")
		first.texts(1)
		later(2 * time.Second)
		first.spool.hold() // from now on nothing of it gets on the queue
		w.Say("lounge", "ana", "lost with the first")
		first.texts(1)
		second := w.process(t, b[1], "b")
		<-second.ready
		if s := w.State().Gateway; s.Identifies != 2 || s.Connections != 2 {
			t.Fatalf("%+v: the second took the session of the first, which is alive", s)
		}
		w.Say("lounge", "ana", "newer")
		first.texts(1)
		later(time.Minute)
		var read []string
		for len(second.events) > 0 {
			read = append(read, (<-second.events).Text)
		}
		if lost, newer := slices.Index(read, "lost with the first"), slices.Index(read, "newer"); lost < 0 || newer < lost {
			t.Errorf("read %v of what the first had not handed on", read)
		}
		w.Say("hall", "ben", "to both")
		if a, b := first.texts(1), second.texts(1); a[0] != "to both" || b[0] != "to both" {
			t.Errorf("got %v and %v", a, b)
		}
		later(5 * time.Minute)
		if s := b[0].kept(t); s.Owner != "a" {
			t.Errorf("kept by %q", s.Owner)
		}
		b[0].cut(true) // a kill: it says nothing any more
		first.stop()
		w.Say("hall", "ben", "to the second")
		if got := second.texts(1); got[0] != "to the second" {
			t.Errorf("got %v", got)
		}
		later(2 * time.Minute)
		if s := b[1].kept(t); s.Owner != "b" || time.Since(s.Alive) > 21*time.Second {
			t.Errorf("kept by %+v", s)
		}
		second.none("after it was alone: it had read what there was")
		second.end()
		first.end()
	})
}

// A relay that leaves in order has handed on everything: nothing is read twice.
func TestAnOrderlyLeaveIsTakenOverWithoutReading(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(2)
		first := w.process(t, b[0], "a")
		<-first.ready
		w.Say("hall", "ben", "old")
		first.texts(1)
		later(5 * time.Minute)
		second := w.process(t, b[1], "b")
		<-second.ready
		later(time.Minute)
		for len(second.events) > 0 { // what it reads next to the first, which may be dead
			<-second.events
		}
		w.Say("lounge", "ana", "to both")
		first.texts(1)
		second.texts(1)
		later(5 * time.Minute)
		first.end()
		later(time.Minute)
		if s := b[1].kept(t); s.Owner != "b" {
			t.Errorf("kept by %q", s.Owner)
		}
		second.none("after the first left")
		second.end()
	})
}

// Cut off from the store, a relay is taken for dead, and another goes on with its session. They must not take it from each
// other for ever.
func TestASessionThatIsTakenIsLeft(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		b := books(2)
		first := w.process(t, b[0], "a")
		<-first.ready
		b[0].cut(true)
		later(2 * time.Minute)
		second := w.process(t, b[1], "b")
		<-second.ready
		b[0].cut(false)
		later(5 * time.Minute)
		s := w.State().Gateway
		if s.Connections != 2 || s.Identifies != 2 {
			t.Errorf("%+v", s)
		}
		w.Say("lounge", "ana", "hi")
		if a, b := first.texts(1), second.texts(1); a[0] != "hi" || b[0] != "hi" {
			t.Errorf("got %v and %v", a, b)
		}
		later(time.Hour)
		if again := w.State().Gateway; again.Identifies != s.Identifies || again.Resumes != s.Resumes || again.Connections != s.Connections {
			t.Errorf("%+v became %+v", s, again)
		}
		first.end()
		second.end()
	})
}
