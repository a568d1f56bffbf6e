package discord_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// world is a simulated Discord inside a synctest bubble, and a client of it.
type world struct {
	*simdiscord.Server
	t      *testing.T
	pipe   *simdiscord.Inproc
	client *discord.Client
	lounge chat.ChannelID
}

// bubble runs the test on a fake clock.
func bubble(t *testing.T, o simdiscord.Options, test func(*testing.T, *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		present()
		sim := simdiscord.New(discordtest.Watch(t, o))
		pipe := simdiscord.NewInproc()
		server := &http.Server{Handler: sim}
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(pipe) }()
		transport := pipe.Transport()
		w := &world{Server: sim, t: t, pipe: pipe, lounge: chat.ChannelID(sim.State().Lounge)}
		w.client = discord.New(discord.Options{
			Token: "simulated", BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport},
		})
		test(t, w)
		transport.CloseIdleConnections()
		sim.Close()
		server.Close()
		pipe.Close()
		<-ended
	})
}

// present moves a bubble's clock, which begins before Discord's first id could have been made, to a day of the present.
func present() {
	<-time.After(time.Until(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)))
}

// count is how many calls of the method the simulator received.
func (w *world) count(method string) int {
	n := 0
	for _, c := range w.Calls() {
		if c.Method == method {
			n++
		}
	}
	return n
}

// running is a gateway at work.
type running struct {
	*discord.Gateway
	t      *testing.T
	ready  chan discord.User
	lost   chan error
	events chan chat.Event
	spool  *spool
	stop   context.CancelFunc
	ended  chan error
	once   sync.Once
	err    error
}

// spool is a chat.Spool that gives each event to a function, which may block or refuse, and reports it done at once. With
// keep it reports nothing until release is called.
type spool struct {
	take func(context.Context, chat.Event) error

	mu   sync.Mutex
	keep bool
	done []func()
	shut chan struct{} // closed when there is room again; nil while there is
}

// block takes the room away, or gives it back.
func (s *spool) block(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.shut = make(chan struct{})
		return
	}
	close(s.shut)
	s.shut = nil
}

// Put takes an event.
func (s *spool) Put(ctx context.Context, e chat.Event, done func()) error {
	s.mu.Lock()
	shut := s.shut
	s.mu.Unlock()
	if shut != nil {
		select {
		case <-shut:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if err := s.take(ctx, e); err != nil {
		return err
	}
	s.mu.Lock()
	keep := s.keep
	if keep {
		s.done = append(s.done, done)
	}
	s.mu.Unlock()
	if !keep {
		done()
	}
	return nil
}

// hold keeps the reports from now on.
func (s *spool) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = true
}

// release reports what was kept, except the events of those numbers.
func (s *spool) release(except ...int) {
	s.mu.Lock()
	done := s.done
	s.done = nil
	s.mu.Unlock()
	for i, f := range done {
		if !slices.Contains(except, i) {
			f()
		}
	}
}

// run starts a gateway whose sink is a channel, unless another is given.
func (w *world) run(t *testing.T, content bool, sink func(context.Context, chat.Event) error) *running {
	g := &discord.Gateway{REST: w.client, MessageContent: content, Dial: w.pipe.Dial}
	return start(t, g, sink)
}

func start(t *testing.T, g *discord.Gateway, sink func(context.Context, chat.Event) error) *running {
	r := prepared(t, g, sink)
	r.begin()
	return r
}

// prepared is a gateway that begin starts. Without a store it gets one of its own.
func prepared(t *testing.T, g *discord.Gateway, sink func(context.Context, chat.Event) error) *running {
	r := &running{
		Gateway: g, t: t, ready: make(chan discord.User, 2000), lost: make(chan error, 2000), events: make(chan chat.Event, 20_000),
		ended: make(chan error, 1),
	}
	if g.Relays == nil {
		g.Relays = books(1)[0]
	}
	g.OnReady = func(u discord.User) { r.ready <- u }
	g.OnLost = func(err error) { r.lost <- err }
	if sink == nil {
		sink = func(_ context.Context, e chat.Event) error { r.events <- e; return nil }
	}
	r.spool = &spool{take: sink}
	return r
}

func (r *running) begin() {
	ctx, stop := context.WithCancel(r.t.Context())
	r.stop = stop
	go func() { r.ended <- r.Run(ctx, r.spool) }()
}

// end stops the gateway if it still runs, and returns what Run returned.
func (r *running) end() error {
	r.once.Do(func() {
		r.stop()
		r.err = <-r.ended
	})
	return r.err
}
