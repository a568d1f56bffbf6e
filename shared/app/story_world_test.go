package app_test

import (
	"context"
	"encoding/json"
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
	"tsumugi/shared/persona"
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
	story   *story
	with    conditions
	sim     *simdiscord.Server
	wire    *wire
	store   kv.Driver // beneath the ports
	queues  *tracked  // beneath the ports, where the relay sends: it is no worker
	workers queue.Driver
	library *store.Library
	control *store.Channels
	relay   func(context.Context, chat.Event) error
	model   *author
	sweep   func(context.Context) error
	ready   app.Ports

	home   string // the simulator's channel that the story's happens in
	guild  string
	us     chat.UserID
	rest   *discord.Client
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu       sync.Mutex
	said     []simdiscord.Message // words of people, numbered from 1
	alive    map[*invocation]bool
	faults   []string
	deleted  map[string]bool      // posts of the bot that somebody else deleted
	vanished []simdiscord.Message // with their channel
}

func newWorld(ctx context.Context, s *story, with conditions) (*world, error) {
	pass(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC))) // the bubble's clock begins in 2000
	w := &world{story: s, with: with, alive: map[*invocation]bool{}, deleted: map[string]bool{}}
	w.ports = &ports{what: with.accidents, happens: with.happens}
	w.sim = simdiscord.New(discordtest.Sample(faults{w}, simdiscord.Options{
		Users: s.authors(), MessageContentEnabled: true, NoLimits: true, CallsKept: 50}))
	state := w.sim.State()
	w.guild, w.us, w.home = state.Guild.ID, chat.UserID(state.Bot.ID), state.Lounge
	if s.settings.Channel == "hall" {
		w.home = state.Hall
	}
	w.wire = &wire{RoundTripper: w.sim.Direct(), n: with.wire}
	w.rest = discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10", Self: w.us,
		HTTPClient: &http.Client{Transport: w.wire}})

	w.store = with.engines.kv
	if w.store == nil {
		w.store = kvtest.Memory()
	}
	queues := with.engines.queue
	if queues == nil {
		queues = queuetest.Memory(receives)
	}
	w.queues = track(queues)
	w.idle = w.queues.empty
	w.workers = queuePort{&clumsy{Driver: queuetest.NewUnreliable(w.queues, with.queues), message: w.queues.message,
		deletes: with.deletes, hides: with.hides, done: map[string]bool{}}, w.ports}
	w.library, w.control = store.NewLibrary(w.store), store.NewChannels(w.store)
	w.model = newAuthor(w)
	w.ready = app.Ports{KV: storePort{kvtest.Wrap(w.store, with.store), w.ports}, Queues: w.workers, Discord: discordPort{w.rest, w.ports},
		Model: w.model, Turn: turn.Options{Context: s.settings.Context, History: s.settings.History, MaxReply: s.settings.Reply},
		Recorder: with.recorder}
	w.relay = func(ctx context.Context, e chat.Event) error {
		m, err := queue.OfEvent(e)
		if err != nil {
			return err
		}
		return w.queues.Send(ctx, queue.Ingress, m)
	}
	w.sweep = app.NewSweeper(w.ready)

	all, err := personas(s.settings.Cast)
	if err != nil {
		return nil, err
	}
	at := persona.Cast{Personas: all, Round: s.settings.Order == "round", Always: s.settings.Always || s.settings.Order != ""}
	else_ := persona.Cast{Personas: all}
	for _, c := range []struct {
		guild, channel string
		cast           persona.Cast
	}{{w.guild, w.home, at}, {w.guild, "", else_}, {"", "", else_}} {
		if err := w.library.SaveCast(ctx, c.guild, c.channel, c.cast); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// start runs the event sources of every queue, and the sweeper each minute.
func (w *world) start(ctx context.Context) {
	ctx, w.cancel = context.WithCancel(ctx)
	handlers := map[string]queue.BatchHandler{
		queue.Ingress: app.NewAdmission(w.ready), queue.Turns: app.NewPlanning(w.ready), queue.Replies: app.NewGeneration(w.ready),
	}
	for _, name := range []string{queue.Ingress, queue.Turns, queue.Replies} {
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
	w.mu.Lock()
	w.alive[inv] = true
	w.mu.Unlock()
	return ctx, func() {
		inv.cancel(nil)
		w.mu.Lock()
		delete(w.alive, inv)
		w.mu.Unlock()
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
	w.mu.Lock()
	defer w.mu.Unlock()
	for inv := range w.alive {
		do(inv)
	}
}

// faults makes the calls that break Discord's description faults of the run.
type faults struct{ *world }

// Errorf reports one call.
func (f faults) Errorf(format string, args ...any) { f.fault(format, args...) }

func (w *world) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// channels are all places that a story may happen in.
func (w *world) channels() []string {
	state := w.sim.State()
	all := []string{state.Lounge, state.Hall}
	if len(w.vanished) > 0 { // it was deleted, and what is kept of it is still judged
		all = []string{w.home, state.Hall}
	}
	for _, d := range state.DMs {
		all = append(all, d.ID)
	}
	return all
}

// quiet tells whether nothing is left to do.
func (w *world) quiet(ctx context.Context) bool {
	w.mu.Lock()
	busy := len(w.alive)
	w.mu.Unlock()
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

// number is that of the words with the id, 0 when there are none.
func (w *world) number(e chat.EventID) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, m := range w.said {
		if m.ID == string(e) {
			return i + 1
		}
	}
	return 0
}

// words are those with the number.
func (w *world) words(n int) (simdiscord.Message, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n < 1 || n > len(w.said) {
		return simdiscord.Message{}, fmt.Errorf("there are no words %d", n)
	}
	return w.said[n-1], nil
}

// plan reads the plan of an event from the store.
func (w *world) plan(channel string, e chat.EventID) (chat.Plan, error) {
	var p chat.Plan
	item, err := w.store.Get(context.Background(), kv.Key{Space: store.SpaceChannels, Partition: channel, Sort: "plan#" + string(e)})
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(item.Bytes("plan"), &p)
}

// persona is who speaks in a turn.
func (w *world) persona(key turnKey) (string, error) {
	m, err := w.words(w.number(key.event))
	if err != nil {
		return "", err
	}
	p, err := w.plan(m.ChannelID, key.event)
	if err != nil {
		return "", err
	}
	return p.Turns[key.turn].Persona, nil
}

// pass lets time pass on the clock of the run's bubble, which costs nothing.
func pass(d time.Duration) { time.Sleep(d) }
