package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	"tsumugi/shared/turn"
)

// commandTime is how long a command may be at work before it is delivered again, as on AWS.
const commandTime = 5 * time.Minute

// terms are the names of the settings that the doctor speaks of.
var terms = command.Terms{ModelURL: "`TSUMUGI_MODEL_URL`", Token: "`DISCORD_TOKEN`", OneLog: true}

// ports are the contracts as this process fills them in.
func (p *process) ports() app.Ports {
	terms := terms
	terms.Pictures = p.public != ""
	return app.Ports{KV: p.kv, Queues: p.queues, Discord: p.client, Voice: p.voice.speaks, Turn: turn.Options{Avatar: p.avatar}, Reach: app.Guarded(p.guard, nil), Plan: p.cfg.Allows(), Terms: terms, Recorder: p.traces,
		Sealer: p.sealer, Outbound: p.guard, Prober: app.Probing(p.guard)}
}

// sources are the event sources of the queues of the channels: what event source mappings are in the cloud.
func sources(ports app.Ports, d queue.Driver) []queue.Source {
	all := []queue.Source{
		{Queue: queue.Ingress, Handler: app.NewAdmission(ports), Batch: 10, Concurrency: 4},
		{Queue: queue.Turns, Handler: app.NewPlanning(ports), Concurrency: 8},
		{Queue: queue.Replies, Handler: app.NewGeneration(ports), Concurrency: 64},
	}
	for _, name := range []string{queue.Ingress, queue.Turns, queue.Replies} {
		all = append(all, queue.Source{Queue: name + queue.DeadSuffix, Handler: app.NewUndertaker(ports, name)})
	}
	for i := range all {
		all[i].Driver, all[i].Drain = d, drain
	}
	return all
}

// commands are the event sources of the commands queue.
func (p *process) commands(ports app.Ports) []queue.Source {
	return []queue.Source{
		{Driver: p.queues, Queue: queue.Commands, Handler: app.NewCommands(ports, p.client, p.voice.probe), Concurrency: 8, Visibility: commandTime, Drain: drain},
		{Driver: p.queues, Queue: queue.Commands + queue.DeadSuffix, Handler: app.NewUndertaker(ports, queue.Commands), Drain: drain},
	}
}

// start runs the gateway, the event sources and the sweeper until the context ends.
func (p *process) start(ctx context.Context, out io.Writer, page string) {
	ports := p.ports()
	for _, s := range append(sources(ports, p.queues), p.commands(ports)...) {
		p.running.Go(func() {
			switch err := s.Run(ctx); {
			case errors.Is(err, queue.ErrDrained):
				slog.InfoContext(ctx, "what still ran is handed over to the next start", "queue", s.Queue)
			case err != nil:
				slog.ErrorContext(ctx, "event source ended", "queue", s.Queue, "error", err)
			}
		})
	}
	p.running.Go(func() { p.sweep(ctx, app.NewSweeper(ports)) })
	p.running.Go(func() { p.listen(ctx, out, page) })
	if p.sim == nil {
		p.running.Go(func() {
			select {
			case <-p.connected: // Discord has taken the token
				p.register(ctx)
			case <-ctx.Done():
			}
		})
	}
}

// register tells Discord which commands there are. The simulated one has forgotten them with its process.
func (p *process) register(ctx context.Context) {
	told := &app.Installation{Discord: p.client, KV: p.kv, Commands: command.Specs(), TokenAt: terms.Token, Again: "at the next start"}
	slog.InfoContext(ctx, "commands", "registered", told.RegisterCommands(ctx, p.sim != nil))
}

// sweep runs the sweeper each minute, the first time at once, and clears expired items away.
func (p *process) sweep(ctx context.Context, sweeper func(context.Context) error) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := sweeper(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "sweep failed", "error", err)
		}
		if _, err := p.kv.Sweep(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "expired items were not cleared", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// listen holds the gateway session. Without the message content intent it explains what is missing and goes on with what
// works; other refusals of Discord park it with the fix in the log and in /healthz, and it does not knock again.
func (p *process) listen(ctx context.Context, out io.Writer, page string) {
	if p.sim != nil { // it is quick, and whoever reads that all is ready finds the commands
		p.register(ctx)
	}
	var told sync.Once
	ports := p.ports()
	relays := app.NewRelays(ports, p.cfg.DiscordToken)
	if p.sim != nil {
		relays = newborn{relays}
	}
	gateway := &discord.Gateway{REST: p.client, MessageContent: true, Relays: relays, OnInteraction: app.NewFront(ports),
		Owner: "local", // the lock of the data directory says that the last one is gone, however it ended
		OnReady: func(u discord.User) {
			p.trouble.Store(nil)
			p.ready.Store(true)
			told.Do(func() {
				p.tell(out, page, u)
				close(p.connected)
			})
		},
		OnLost: func(error) {
			lost := "the connection to discord was lost; making another"
			p.trouble.Store(&lost)
			p.ready.Store(false)
		},
	}
	err := app.Listen(ctx, gateway, ports, app.Listening{File: filepath.Join(p.cfg.Data, spool), Settings: app.Settings(p.cfg.DiscordToken, gateway),
		Tell: func(fix string) { fmt.Fprintln(out, "Note: "+fix+".") }})
	if err == nil {
		return
	}
	p.ready.Store(false)
	if ctx.Err() != nil { // Discord does not tell a new session what this one has read
		slog.ErrorContext(ctx, "stopping: not everything that was read could be kept", "error", err)
		return
	}
	why := err.Error()
	p.trouble.Store(&why)
	slog.ErrorContext(ctx, "not connected to discord", "error", err)
	fmt.Fprintln(out, "Not connected to Discord: "+why)
}

// tell says where to go.
func (p *process) tell(out io.Writer, page string, u discord.User) {
	slog.Info("ready", "page", page)
	fmt.Fprintln(out, p.voice.told)
	if p.sim != nil {
		fmt.Fprintf(out, "Ready. Open %s and say hello to %s.\n", page, persona.Demo().Name)
		return
	}
	fmt.Fprintf(out, "Ready. %s is on Discord: mention it, reply to it, or write to it directly.\n", u.Name)
}
