package app_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/outbound"
	"tsumugi/shared/persona"
	"tsumugi/shared/plan"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
	"tsumugi/shared/turn"
)

// Bounds of a run.
const (
	quietWithin = 3 * time.Hour // of the fake clock, for everything before an event to be done
	speakWithin = 10 * time.Minute
	receives    = 200 // as the local assembly's
	// ingressAgain is how long events are hidden. It is short against the pauses of the stories' streams, so that what is said
	// while a reply streams is handled while it streams also when the first worker dies.
	ingressAgain = 5 * time.Second
)

// engines are what a run stores in. The zero value takes the twins.
type engines struct {
	kv    kv.Driver
	queue queue.Driver
}

// conditions are what a run is played under.
type conditions struct {
	open      func(*testing.T) (e engines, closed func(), err error) // in the bubble; nil: the twins
	engines   engines
	accidents []accident
	happens   func(string) bool                       // the calls that accidents count
	store     func(kvtest.Call) kvtest.Fault          // faults of the store
	queues    func(queuetest.Call) queuetest.Accident // accidents of the queues
	deletes   queuetest.Accident                      // of the first deletion of each message
	hides     queuetest.Accident                      // and of the first hiding
	twice     bool                                    // every event is delivered twice
	wire      int64                                   // the call of Discord that is answered with a 500 after it was done
	fickle    bool                                    // the model says something else each time it is asked for the same turn
	recorder  chat.Recorder                           // is told what the workers do; nil: nobody is
}

// world is one run of a story, in a bubble of its own.
type world struct {
	*ports
	*scene
	with    conditions
	wire    *wire
	queues  *tracked // beneath the ports, where the relay sends: it is no worker
	workers queue.Driver
	sweep   func(context.Context) error
	ready   app.Ports

	rest   *discord.Client
	desk   *discord.Client // of the commands function, whose calls are ports too
	door   *door           // to the endpoint of interactions
	mortal http.Handler    // behind it, in stories about commands: it may die at any call
	cancel context.CancelFunc
	done   sync.WaitGroup

	awake sync.Mutex
	alive map[*invocation]bool
}

func newWorld(ctx context.Context, s *story, with conditions) (*world, error) {
	pass(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC))) // the bubble's clock begins in 2000
	w := &world{with: with, alive: map[*invocation]bool{}, door: &door{}}
	w.scene = newScene(w, s)
	w.ports = &ports{what: with.accidents, happens: with.happens}
	w.sim = simdiscord.New(discordtest.Sample(faults{w.scene}, simdiscord.Options{
		Users: s.authors(), MessageContentEnabled: true, NoLimits: true, CallsKept: 50, EndpointTransport: w.door}))
	state := w.sim.State()
	w.us = chat.UserID(state.Bot.ID)
	w.in(state.Guild.ID, state.Lounge, state.Hall)
	w.wire = &wire{RoundTripper: w.sim.Direct(), n: with.wire}
	w.desk = discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10",
		HTTPClient: &http.Client{Transport: wirePort{w.wire, w}}})

	w.keep(kvtest.Memory())
	if with.engines.kv != nil {
		w.keep(with.engines.kv)
	}
	queues := with.engines.queue
	if queues == nil {
		queues = queuetest.Memory(receives)
	}
	w.queues = track(queues)
	w.idle = w.queues.empty
	w.workers = queuePort{&clumsy{Driver: queuetest.NewUnreliable(w.queues, with.queues), message: w.queues.message,
		deletes: with.deletes, hides: with.hides, done: map[string]bool{}}, w.ports}
	w.model = newAuthor(w.scene, with.fickle)
	guard, err := outbound.New(outbound.Options{})
	if err != nil {
		return nil, err
	}
	reached := storePort{kvtest.Wrap(w.store, with.store), w.ports}
	w.rest = discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10", Self: w.us,
		HTTPClient: &http.Client{Transport: w.wire}, Hooks: app.Ports{KV: reached, Recorder: with.recorder}.Hooks(), Sealer: w.sealer})
	w.ready = app.Ports{KV: reached, Queues: w.workers, Discord: discordPort{w.rest, w.ports},
		Voice: turn.Voice{Model: scripts{w}, Name: "the story", Provider: "custom"}, Turn: turn.Options{Context: s.settings.Context, History: s.settings.History, MaxReply: s.settings.Reply},
		Plan:  plan.Options{Guilds: s.settings.Guilds, Daily: s.settings.Daily, GuildDaily: s.settings.GuildDaily},
		Reach: w.reach, Sealer: w.sealer, Outbound: guard, Prober: probes{w}, Recorder: with.recorder}
	w.sweep = app.NewSweeper(w.ready)

	return w, w.settled(ctx, func(p persona.Persona) persona.Persona { return p })
}

// start runs the event sources of every queue, and the sweeper each minute.
func (w *world) start(ctx context.Context) {
	ctx, w.cancel = context.WithCancel(ctx)
	handlers := map[string]queue.BatchHandler{
		queue.Ingress: app.NewAdmission(w.ready), queue.Turns: app.NewPlanning(w.ready), queue.Replies: app.NewGeneration(w.ready),
	}
	handlers[queue.Commands] = app.NewCommands(w.ready, w.desk, w.answers)
	for _, name := range []string{queue.Ingress, queue.Turns, queue.Replies, queue.Commands} {
		handlers[name+queue.DeadSuffix] = app.NewUndertaker(w.ready, name)
	}
	for name, h := range handlers {
		s := queue.Source{Driver: w.workers, Queue: name, Handler: w.invoke(name, h), Concurrency: 4}
		if name == queue.Ingress {
			s.Batch, s.Visibility = queue.MaxBatch, ingressAgain
		}
		w.done.Go(func() {
			if err := s.Run(ctx); err != nil {
				w.fault("%v", err)
			}
		})
	}
	w.done.Go(func() {
		for tick := time.NewTicker(time.Minute); ; {
			select {
			case <-tick.C:
				w.swept(ctx)
			case <-ctx.Done():
				tick.Stop()
				return
			}
		}
	})
}

// stop ends the run: everything dies, and the sources are waited for.
func (w *world) stop() {
	w.cancel()
	w.each(func(inv *invocation) { inv.die() })
	w.done.Wait()
	w.wire.landing.Wait()
	w.sim.Close()
}

// invoke makes each call of a handler an invocation. The batch of a dead one fails as a whole: nothing is deleted.
func (w *world) invoke(name string, h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		inv := &invocation{name: name}
		if name == queue.Turns || name == queue.Replies {
			inv.job.Queue = name
			if err := queue.Decode(e.Records[0].Body, &inv.job); err != nil {
				w.fault("%v", err)
			}
		}
		ctx, end := w.live(ctx, inv)
		defer end()
		response, err := h(ctx, e)
		if inv.dead.Load() {
			return events.SQSEventResponse{}, errDead
		}
		return response, err
	}
}

func (w *world) live(ctx context.Context, inv *invocation) (context.Context, func()) {
	ctx, inv.cancel = context.WithCancelCause(context.WithValue(ctx, invocationKey{}, inv))
	w.awake.Lock()
	w.alive[inv] = true
	w.awake.Unlock()
	return ctx, func() {
		inv.cancel(nil)
		w.awake.Lock()
		delete(w.alive, inv)
		w.awake.Unlock()
	}
}

// swept lets the sweeper look once. Its errors are the next minute's business.
func (w *world) swept(ctx context.Context) {
	ctx, end := w.live(ctx, &invocation{name: "sweeper"})
	defer end()
	_ = w.sweep(ctx)
}

// each does something to every invocation that runs.
func (w *world) each(do func(*invocation)) {
	w.awake.Lock()
	defer w.awake.Unlock()
	for inv := range w.alive {
		do(inv)
	}
}

// quiet tells whether nothing is left to do.
func (w *world) quiet(ctx context.Context) bool {
	w.awake.Lock()
	busy := len(w.alive)
	w.awake.Unlock()
	if busy > 0 || !w.queues.empty() {
		return false
	}
	for _, c := range w.channels() {
		head, err := w.store.Get(ctx, kv.Key{Space: store.SpaceChannels, Partition: c, Sort: "head"})
		if err == nil && head.String("phase") != string(chat.Free) {
			return false
		}
	}
	return true
}

// await lets time pass until the condition holds.
func (w *world) await(step, bound time.Duration, holds func() bool) bool {
	for end := time.Now().Add(bound); ; {
		synctest.Wait()
		if holds() {
			return true
		}
		if !time.Now().Before(end) {
			return false
		}
		pass(step)
	}
}

// relay puts an event on the ingress queue.
func (w *world) relay(ctx context.Context, e chat.Event) error {
	m, err := queue.OfEvent(e)
	if err != nil {
		return err
	}
	if err := w.queues.Send(ctx, queue.Ingress, m); err != nil || !w.with.twice || e.What != chat.Said {
		return err
	}
	m.Dedup += "-twice"
	return w.resend(ctx, m)
}

func (w *world) resend(ctx context.Context, m queue.Message) error {
	return w.queues.Send(ctx, queue.Ingress, m)
}

// befall lets something happen to the workers, or to the connection to Discord.
func (w *world) befall(ctx context.Context, st step) error {
	switch st.verb {
	case "crash":
		w.each(func(inv *invocation) { inv.die() })
	case "handover":
		w.each(func(inv *invocation) { inv.cancel(chat.ErrHandOver) })
	case "sweep":
		w.swept(ctx)
	case "late":
		w.wire.late.Store(int64(st.after))
	case "lateedit":
		w.wire.lateEdit.Store(int64(st.after))
	}
	return nil
}

// queued demands that every queue is empty.
func (w *world) queued(ctx context.Context) (wrong []string, letters int) {
	for _, name := range queue.Names() {
		if got, err := w.queues.Driver.Receive(ctx, name, 10, 0); err != nil || len(got) > 0 {
			wrong = append(wrong, fmt.Sprintf("queue %s holds %d messages in the end (%v)", name, len(got), err))
		}
	}
	return wrong, len(w.queues.letters)
}

func (w *world) outstanding() string {
	w.queues.mu.Lock()
	defer w.queues.mu.Unlock()
	return fmt.Sprintf("outstanding %v", w.queues.waiting)
}

func (w *world) pass(d time.Duration) { pass(d) }

// pass lets time pass on the clock of the run's bubble, which costs nothing.
func pass(d time.Duration) { time.Sleep(d) }
