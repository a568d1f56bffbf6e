// Package app is the assembly: configuration, and the wiring of verbs to contracts, the same for every mode. What lives
// here: which handler serves which queue. What must not live here: engines and adapters (app/local and app/aws open them),
// and any rule of the product.
package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"tsumugi/shared/admit"
	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/outbound"
	"tsumugi/shared/plan"
	"tsumugi/shared/queue"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
	"tsumugi/shared/turn"
)

// Queues is what the handlers need of a queue system.
type Queues interface {
	queue.Sender
	queue.Hider
}

// Ports are the contracts that a mode fills in. A role needs only those that its constructor names.
type Ports struct {
	KV      kv.Driver
	Queues  Queues
	Discord chat.Discord  // generation
	Voice   turn.Voice    // generation: the installation's own; without a Model it has none
	Reach   Reach         // generation: the models of guilds
	Turn    turn.Options  // generation
	Plan    plan.Options  // planning; interactions and commands, which say what it allows
	Terms   command.Terms // commands

	Sealer   guild.Sealer    // generation, interactions, commands
	Outbound *outbound.Guard // to servers that people name: generation, commands
	Prober   command.Prober  // commands

	Recorder chat.Recorder // is told what the workers do; nil: nobody is
	Metrics  io.Writer     // where lines for CloudWatch go; nil: nowhere
	// Namespace is where CloudWatch files what the lines measure.
	Namespace string
}

// Hooks keeps webhooks for the client of Discord that is to wear faces.
func (p Ports) Hooks() guild.Hooks { return p.counted().channels() }

func (p Ports) channels() *store.Channels { return store.NewChannels(p.KV) }
func (p Ports) book() *store.Book         { return store.NewBook(p.KV) }
func (p Ports) vitals() chat.Vitals       { return store.NewVitals(p.KV) }
func (p Ports) outbox() queue.Outbox      { return queue.Outbox{Sender: p.Queues} }

// NewAdmission handles the ingress queue.
func NewAdmission(p Ports) queue.BatchHandler {
	p = p.counted()
	gate := admit.New(p.channels(), p.channels(), p.book(), p.outbox())
	return p.recorded(queue.Handler(p.Queues, queue.Ingress, queue.Events(gate.Handle)))
}

// NewPlanning handles the turns queue.
func NewPlanning(p Ports) queue.BatchHandler {
	p = p.counted()
	planner := plan.New(p.channels(), p.book(), store.NewMeter(p.KV), p.outbox(), p.Plan)
	return p.recorded(queue.Handler(p.Queues, queue.Turns, queue.Jobs(queue.Turns, planner.Handle)))
}

// NewGeneration handles the replies queue.
func NewGeneration(p Ports) queue.BatchHandler {
	p = p.counted()
	p.Turn.Crowd, p.Turn.Refusals = store.NewCrowd(p.KV), p.book()
	speaker := turn.New(p.channels(), p.Discord, p.voices(), p.book(), p.outbox(), p.Turn)
	return p.recorded(queue.Handler(p.Queues, queue.Replies, queue.Jobs(queue.Replies, speaker.Handle)))
}

// NewUndertaker handles the dead letters of a queue.
func NewUndertaker(p Ports, name string) queue.BatchHandler {
	p = p.counted()
	channels, out := p.channels(), p.outbox()
	var do func(context.Context, queue.Delivery) error
	switch name {
	case queue.Ingress:
		do = queue.Events(func(ctx context.Context, e chat.Event) error { return chat.BuryEvent(ctx, channels, e) })
	case queue.Commands:
		do = queue.Interactions(forget)
	default:
		do = queue.Jobs(name, func(ctx context.Context, j chat.Job, _ chat.Delivery) error {
			return chat.BuryJob(ctx, channels, out, j)
		})
	}
	return p.recorded(queue.Handler(p.Queues, name+queue.DeadSuffix, do))
}

// forget logs a command that was never answered. It holds no channel, and Discord takes no answer to it by now.
func forget(ctx context.Context, i chat.Interaction) error {
	ctx = chat.With(ctx, "event", string(i.ID), "channel", string(i.Channel))
	slog.WarnContext(ctx, "dropped a dead letter", "what", string(i.Kind), "command", i.Command, "queue", queue.Commands)
	return nil
}

// NewSweeper is run each minute.
func NewSweeper(p Ports) func(context.Context) error {
	p = p.counted()
	channels, out := p.channels(), p.outbox()
	return func(ctx context.Context) error {
		n, err := chat.Sweep(p.recording(ctx), channels, out)
		if n > 0 {
			slog.InfoContext(ctx, "sweep", "sent", n)
		}
		return errors.Join(err, p.measureRelay(ctx))
	}
}

// measureRelay tells for how long the relay has been silent, and whether it is parked. Nobody else would: a relay that is
// dead cannot.
func (p Ports) measureRelay(ctx context.Context) error {
	if p.Metrics == nil {
		return nil
	}
	h, err := p.vitals().Health(ctx)
	if err != nil {
		return err
	}
	now, parked := time.Now(), 0.0
	if h.Parked != nil {
		parked = 1
		slog.ErrorContext(ctx, "the relay is parked", "why", h.Parked.Why)
	}
	return telemetry.Measure(p.Metrics, p.Namespace, now, telemetry.Metric{Name: "relay_silent_s", Unit: "Seconds", Value: h.Silent(now).Round(time.Second).Seconds()},
		telemetry.Metric{Name: "relay_parked", Unit: "Count", Value: parked})
}

// Logger writes one JSON line for each record, with the five keys of the context.
func Logger(w io.Writer) *slog.Logger {
	return slog.New(chat.LogHandler(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: stamped})))
}

// stamped calls the time of a line what Lambda calls it: it takes a line without for one of level INFO.
func stamped(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		a.Key = "timestamp"
	}
	return a
}

// Version is what every process calls itself to Discord.
const Version = "0.1"
