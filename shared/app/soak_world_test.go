package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

// soakWorld is what a soak happens in.
type soakWorld struct {
	t    *testing.T
	p    soakPlan
	dir  string
	sim  *simdiscord.Server
	pipe *simdiscord.Inproc
	http *http.Server
	over chan error

	store  kv.Driver
	queue  queue.Driver
	ledger *store.Channels
	away   atomic.Bool // the queue

	rooms  []string
	people []string

	mu     sync.Mutex
	dice   *rand.Rand
	rough  bool // stores and queues fail now and then
	orders map[string][]string
	rows   map[string]int // events that the ledger took for new
	hidden int            // of them those without their content
	wrong  []string

	reading context.CancelFunc
	read    sync.WaitGroup
}

func newSoakWorld(t *testing.T, p soakPlan, dir string) *soakWorld {
	pass(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC))) // the bubble's clock begins in 2000
	w := &soakWorld{t: t, p: p, dir: dir, dice: rand.New(rand.NewPCG(p.seed, 0)), store: kvtest.Memory(), queue: queuetest.Memory(1000),
		pipe: simdiscord.NewInproc(), over: make(chan error, 1), orders: map[string][]string{}, rows: map[string]int{}}
	for i := range 10 {
		w.people = append(w.people, fmt.Sprint("person", i))
	}
	w.sim = simdiscord.New(discordtest.Sample(t, simdiscord.Options{Users: w.people, MessageContentEnabled: true, Shards: 2, MaxConcurrency: 1,
		Seed: p.seed, CallsKept: 1 << 20, DispatchesKept: 1 << 20}))
	w.http = &http.Server{Handler: w.sim}
	go func() { w.over <- w.http.Serve(w.pipe) }()
	w.ledger = store.NewChannels(w.store)
	w.lay()
	pass(2 * time.Minute) // what was said in laying is older than what a first session looks at
	var ctx context.Context
	ctx, w.reading = context.WithCancel(t.Context())
	w.read.Go(func() { w.consume(ctx) })
	return w
}

// lay makes the places: text channels of two guilds, a third as many threads, and as many direct messages.
func (w *soakWorld) lay() {
	if _, err := w.sim.CreateGuild("Annex"); err != nil {
		w.t.Fatal(err)
	}
	for i := range w.p.channels {
		guild := ""
		if i%3 == 0 {
			guild = "Annex"
		}
		c, err := w.sim.CreateChannel(simdiscord.ChannelSpec{Guild: guild, Name: fmt.Sprint("room-", i)})
		if err != nil {
			w.t.Fatal(err)
		}
		w.rooms = append(w.rooms, c.ID)
		if i%3 != 0 {
			continue
		}
		th, err := w.sim.StartThread(c.ID, simdiscord.ThreadSpec{Author: w.people[i%len(w.people)], Name: fmt.Sprint("thread ", i)})
		if err != nil {
			w.t.Fatal(err)
		}
		w.rooms = append(w.rooms, th.ID)
	}
	for i := range min(w.p.channels/3, len(w.people)) {
		dm, err := w.sim.OpenDM(w.people[i])
		if err != nil {
			w.t.Fatal(err)
		}
		w.rooms = append(w.rooms, dm)
	}
}

// consume is the other end of the queue: it notes the order, and lets the ledger decide what is new.
func (w *soakWorld) consume(ctx context.Context) {
	for ctx.Err() == nil {
		got, err := w.queue.Receive(ctx, queue.Ingress, queue.MaxBatch, time.Minute)
		if err != nil {
			return
		}
		for _, r := range got {
			if err := w.admit(ctx, r); err != nil && ctx.Err() == nil {
				w.bad("an event was not admitted: %v", err)
			}
		}
		if len(got) == 0 {
			w.queue.Wait(ctx, queue.Ingress, time.Minute)
		}
	}
}

func (w *soakWorld) admit(ctx context.Context, r queue.Received) error {
	var e chat.Event
	if err := queue.Decode(r.Body, &e); err != nil {
		return err
	}
	if e.What == chat.Said {
		offered, err := w.ledger.Offer(ctx, e, chat.Wish{Reason: "non_trigger"})
		if err != nil {
			return err
		}
		w.mu.Lock()
		if !offered.Repeat {
			w.rows[string(e.ID)]++
			if e.Withheld {
				w.hidden++
			}
			w.orders[string(e.Channel)] = append(w.orders[string(e.Channel)], string(e.ID))
		}
		w.mu.Unlock()
	}
	return w.queue.Delete(ctx, queue.Ingress, r.Receipt)
}

func (w *soakWorld) bad(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// roll gives a number below n.
func (w *soakWorld) roll(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dice.IntN(n)
}

func (w *soakWorld) isRough() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rough
}

func (w *soakWorld) setRough(rough bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rough = rough
}

// storeFault fails one call of the store in thirty.
func (w *soakWorld) storeFault() kvtest.Fault {
	if !w.isRough() || w.roll(30) > 0 {
		return kvtest.None
	}
	return []kvtest.Fault{kvtest.Contention, kvtest.Throttling, kvtest.Broken, kvtest.LostReply}[w.roll(4)]
}

// sendFault fails one message in twenty.
func (w *soakWorld) sendFault() queuetest.Accident {
	if !w.isRough() || w.roll(20) > 0 {
		return queuetest.Fine
	}
	return []queuetest.Accident{queuetest.Before, queuetest.After}[w.roll(2)]
}

func (w *soakWorld) close() {
	w.reading()
	w.read.Wait()
	w.sim.Close()
	w.http.Close()
	w.pipe.Close()
	<-w.over
}
