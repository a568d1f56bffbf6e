package app_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

// lambdaLimit is how long Lambda lets a run live.
const lambdaLimit = 15 * time.Minute

// chainWorld is an installation whose relay is a chain: a simulated Discord, a store, a queue with somebody who reads it, and a
// schedule.
type chainWorld struct {
	t     *testing.T
	sim   *simdiscord.Server
	pipe  *simdiscord.Inproc
	store kv.Driver
	queue queue.Driver
	wire  time.Duration             // that dialling takes; half of it each thing that is sent to Discord
	skew  func(n int) time.Duration // of the clock of the nth run; may be nil
	gone  bool                      // Discord does not know the sessions that relays keep

	rooms []string
	token func() string // as the vault has it

	ending    chan struct{}
	scheduled sync.WaitGroup

	mu     sync.Mutex
	runs   []*chainRun
	said   map[string]time.Time // messages, when they were said
	came   map[string]time.Time // and when they came out of the queue, the first time
	orders map[string][]string  // of channels
}

// chainRun is one invocation.
type chainRun struct {
	w       *chainWorld
	n       int
	began   time.Time
	stop    context.CancelFunc
	ended   chan struct{}
	fault   func(kvtest.Call) kvtest.Fault // of its store; may be nil
	away    func(queuetest.Call) queuetest.Accident
	calls   int // of its store
	dials   int
	over    bool
	took    time.Duration
	err     error
	process bool
	late    bool // Lambda would have ended it
	dead    bool
	mu      sync.Mutex
	conns   []net.Conn
	thaw    chan struct{} // closed when it is not frozen any more; nil while it is not
}

// chained runs a test of a chain on a fake clock.
func chained(t *testing.T, o simdiscord.Options, test func(t *testing.T, w *chainWorld)) {
	t.Helper()
	hush(t)
	synctest.Test(t, func(t *testing.T) {
		pass(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)))
		o.CallsKept, o.DispatchesKept = 1<<20, 1<<20
		w := &chainWorld{t: t, rooms: []string{"lounge"}, ending: make(chan struct{}), pipe: simdiscord.NewInproc(), store: kvtest.Memory(), queue: queuetest.Memory(1000),
			said: map[string]time.Time{}, came: map[string]time.Time{}, orders: map[string][]string{}}
		w.sim = simdiscord.New(discordtest.Sample(t, o))
		w.token = w.sim.Token
		server := &http.Server{Handler: w.sim}
		served := make(chan error, 1)
		go func() { served <- server.Serve(w.pipe) }()
		ctx, stop := context.WithCancel(t.Context())
		read := make(chan struct{})
		go func() { w.consume(ctx); close(read) }()

		test(t, w)

		close(w.ending)
		w.scheduled.Wait()
		for _, r := range w.all() {
			r.kill()
			<-r.ended
		}
		pass(2 * w.wire) // whoever still dials, for nobody
		stop()
		<-read
		w.sim.Close()
		server.Close()
		w.pipe.Close()
		<-served
	})
}

// consume reads the queue.
func (w *chainWorld) consume(ctx context.Context) {
	for ctx.Err() == nil {
		got, err := w.queue.Receive(ctx, queue.Ingress, queue.MaxBatch, time.Minute)
		if err != nil {
			return
		}
		for _, r := range got {
			var e chat.Event
			if err := queue.Decode(r.Body, &e); err != nil {
				w.t.Error(err)
			}
			w.mu.Lock()
			if _, twice := w.came[string(e.ID)]; !twice && e.What == chat.Said {
				w.came[string(e.ID)] = time.Now()
				w.orders[string(e.Channel)] = append(w.orders[string(e.Channel)], string(e.ID))
			}
			w.mu.Unlock()
			if err := w.queue.Delete(ctx, queue.Ingress, r.Receipt); err != nil && ctx.Err() == nil {
				w.t.Error(err)
			}
		}
		if len(got) == 0 {
			w.queue.Wait(ctx, queue.Ingress, time.Minute)
		}
	}
}

// vault is what gives the token from now on.
func (w *chainWorld) vault(read func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.token = read
}

// say lets somebody say something.
func (w *chainWorld) say(room string) {
	w.t.Helper()
	m := w.sim.Say(room, "ana", "words")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said[m.ID] = time.Now()
}

// talk lets somebody say something every so often, for a time, in one room after the other.
func (w *chainWorld) talk(d, every time.Duration) {
	w.t.Helper()
	for i, end := 0, time.Now().Add(d); time.Now().Before(end); i++ {
		w.say(w.rooms[i%len(w.rooms)])
		time.Sleep(every)
	}
}

// guilds makes rooms in so many guilds, whose ids are of every shard.
func (w *chainWorld) guilds(n int) {
	w.t.Helper()
	for i := range n {
		name := fmt.Sprint("guild ", i)
		if _, err := w.sim.CreateGuild(name); err != nil {
			w.t.Fatal(err)
		}
		c, err := w.sim.CreateChannel(simdiscord.ChannelSpec{Guild: name, Name: "room"})
		if err != nil {
			w.t.Fatal(err)
		}
		w.rooms = append(w.rooms, c.ID)
		pass(time.Millisecond)
	}
}

// tick starts a run, as the schedule does each minute.
func (w *chainWorld) tick() *chainRun { return w.tickWith(nil, nil) }

func (w *chainWorld) tickWith(fault func(*chainRun, kvtest.Call) kvtest.Fault, away func(queuetest.Call) queuetest.Accident) *chainRun {
	w.mu.Lock()
	r := &chainRun{w: w, n: len(w.runs), began: time.Now(), away: away, ended: make(chan struct{})}
	w.runs = append(w.runs, r)
	w.mu.Unlock()
	if fault != nil {
		r.fault = func(c kvtest.Call) kvtest.Fault { return fault(r, c) }
	}
	ctx, stop := context.WithTimeout(w.t.Context(), lambdaLimit)
	r.stop = stop
	r.start(ctx, app.Relay.Once)
	return r
}

// process starts the other form of the relay.
func (w *chainWorld) process() *chainRun {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &chainRun{w: w, n: len(w.runs), began: time.Now(), ended: make(chan struct{}), process: true}
	w.runs = append(w.runs, r)
	ctx, stop := context.WithCancel(w.t.Context())
	r.stop = stop
	r.start(ctx, app.Relay.Run)
	return r
}

func (r *chainRun) start(ctx context.Context, form func(app.Relay, context.Context) error) {
	go func() {
		defer close(r.ended)
		transport := &http.Transport{DialContext: r.dial}
		err := form(r.relay(transport), ctx)
		transport.CloseIdleConnections()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.over, r.err, r.took, r.late = true, err, time.Since(r.began), ctx.Err() != nil
	}()
}

// relay is what the run runs.
func (r *chainRun) relay(transport http.RoundTripper) app.Relay {
	token := func(context.Context, string) (string, error) {
		r.w.mu.Lock()
		read := r.w.token
		r.w.mu.Unlock()
		return read(), nil
	}
	rest := discord.New(discord.Options{Current: token, BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})
	var clock time.Duration
	if r.w.skew != nil {
		clock = r.w.skew(r.n)
	}
	return app.Relay{Token: token,
		Ports:   app.Ports{KV: kvtest.Wrap(skewed{r.w.store, clock, r.w.gone}, r.stores), Queues: queuetest.NewUnreliable(r.w.queue, r.sends)},
		Gateway: func() *discord.Gateway { return &discord.Gateway{REST: rest, Dial: r.dial} },
	}
}

func (r *chainRun) isDead() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dead
}

func (r *chainRun) isOver() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// dialled is how many connections it made.
func (r *chainRun) dialled() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dials
}

func (r *chainRun) stores(c kvtest.Call) kvtest.Fault {
	r.mu.Lock()
	r.calls++
	c.N = r.calls
	r.mu.Unlock()
	if r.isDead() {
		return kvtest.Broken
	}
	r.wait()
	time.Sleep(r.w.wire / 20)
	if r.fault != nil {
		return r.fault(c)
	}
	return kvtest.None
}

func (r *chainRun) sends(c queuetest.Call) queuetest.Accident {
	r.wait()
	switch {
	case r.isDead():
		return queuetest.Before
	case r.away != nil:
		return r.away(c)
	}
	return queuetest.Fine
}

// slow is a connection over some distance.
type slow struct {
	net.Conn
	r *chainRun
}

// Write sends.
func (s slow) Write(b []byte) (int, error) {
	s.r.wait()
	time.Sleep(s.r.w.wire / 2)
	return s.Conn.Write(b)
}

// Read hears.
func (s slow) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	s.r.wait()
	return n, err
}

func (r *chainRun) dial(ctx context.Context, network, address string) (net.Conn, error) {
	r.wait()
	time.Sleep(r.w.wire)
	if r.isDead() {
		return nil, errKilled
	}
	c, err := r.w.pipe.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dials++
	r.conns = append(r.conns, c)
	return slow{c, r}, nil
}

// freeze keeps the run from doing anything outside of itself for the time.
func (r *chainRun) freeze(d time.Duration) {
	r.mu.Lock()
	thaw := make(chan struct{})
	r.thaw = thaw
	r.mu.Unlock()
	time.AfterFunc(d, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.thaw = nil
		close(thaw)
	})
}

// wait returns when the run is not frozen.
func (r *chainRun) wait() {
	r.mu.Lock()
	thaw := r.thaw
	r.mu.Unlock()
	if thaw != nil {
		<-thaw
	}
}

// kill ends the run as a power cut does.
func (r *chainRun) kill() {
	r.mu.Lock()
	r.dead = true
	for _, c := range r.conns {
		c.Close()
	}
	r.mu.Unlock()
	r.stop()
}

func (w *chainWorld) all() []*chainRun {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.runs)
}

// alive are the runs that have not ended.
func (w *chainWorld) alive() []*chainRun {
	return slices.DeleteFunc(w.all(), func(r *chainRun) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.over || r.dead
	})
}

// orderly fails where a run failed or came near its end.
func (w *chainWorld) orderly() {
	w.t.Helper()
	for _, r := range w.all() {
		r.mu.Lock()
		if r.over && !r.dead && !r.process && (r.err != nil || r.late || r.took > lambdaLimit-5*time.Second) {
			w.t.Errorf("run %d ended after %s with %v", r.n, r.took, r.err)
		}
		r.mu.Unlock()
	}
}

// schedule starts a run each minute, now for the first time, until the test ends.
func (w *chainWorld) schedule() { w.scheduleWith(nil, nil) }

func (w *chainWorld) scheduleWith(fault func(*chainRun, kvtest.Call) kvtest.Fault, away func(queuetest.Call) queuetest.Accident) {
	w.scheduled.Go(func() {
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for w.tickWith(fault, away); ; w.tickWith(fault, away) {
			select {
			case <-tick.C:
			case <-w.ending:
				return
			}
		}
	})
}

func (w *chainWorld) health() chat.Health {
	w.t.Helper()
	h, err := store.NewVitals(w.store).Health(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// begun counts sessions by what they began with: READY or RESUMED.
func (w *chainWorld) begun(event string) int {
	n := 0
	for _, d := range w.sim.Dispatches() {
		if d.Event == event {
			n++
		}
	}
	return n
}

// judge fails for what was lost or came in another order, and gives the longest time that something needed.
func (w *chainWorld) judge() time.Duration {
	w.t.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	var longest time.Duration
	var lost []string
	for id, at := range w.said {
		if came, ok := w.came[id]; ok {
			longest = max(longest, came.Sub(at))
		} else {
			lost = append(lost, at.Format("15:04:05.000"))
		}
	}
	if slices.Sort(lost); len(lost) > 0 {
		w.t.Errorf("%d of %d messages were lost: said at %s and until %s", len(lost), len(w.said), lost[0], lost[len(lost)-1])
	}
	for room, order := range w.orders {
		for i := 1; i < len(order); i++ {
			if byID(order[i-1], order[i]) > 0 {
				w.t.Errorf("in %s %s came before %s", room, order[i-1], order[i])
			}
		}
	}
	if len(w.said) == 0 {
		w.t.Error("nobody said anything")
	}
	return longest
}

// String tells of a run.
func (r *chainRun) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("run %d: over %t after %s with %v, %d calls of the store, %d connections", r.n, r.over, r.took, r.err, r.calls, r.dials)
}
