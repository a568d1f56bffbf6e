// Package local is the whole product in one process on one machine: the same handlers as in the cloud over an embedded
// store and queue, with a simulated Discord where no token is set, and a demo voice where no model is. What lives here:
// opening those, and running the event sources. What must not live here: any rule of the product; nothing below this
// package knows that it runs locally.
package local

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv/sqlite"
	"tsumugi/shared/outbound"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	queuesqlite "tsumugi/shared/queue/sqlite"
	"tsumugi/shared/seal"
	sealfile "tsumugi/shared/seal/file"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
)

const (
	file       = "tsumugi.db"
	spool      = "relay.spool"    // events of the gateway while the queue does not take them
	simulated  = "discord.jsonl"  // the simulated Discord outlives the process as the real one does
	drain      = 10 * time.Second // running replies may finish in this time; the rest is handed over
	sweepEvery = time.Minute
	closeIn    = 5 * time.Second // the HTTP server's last answers

	// maxReceives is high: poison is counted in the head, and an outage must not turn good messages into dead letters. At
	// a backoff of a minute it is reached after the age limit of a hold (six hours), which ends it with a record.
	maxReceives = 500
)

// process is the running product.
type process struct {
	cfg     app.Config
	kv      *sqlite.DB
	queues  *queuesqlite.Driver
	client  *discord.Client
	sealer  guild.Sealer
	guard   *outbound.Guard    // to servers that people name
	sim     *simdiscord.Server // nil with a real token
	voice   voice
	traces  *telemetry.Timelines
	public  string // where Discord reaches the pictures of personas; "" for nowhere
	ready   atomic.Bool
	trouble atomic.Pointer[string] // what keeps it from being ready, for whoever asks
	running sync.WaitGroup         // gateway, event sources and sweeper

	connected chan struct{} // closed when Discord has taken the token
	closers   []func() error
}

// Run opens everything, serves until the context ends, and lets go: receiving stops at once, running replies have ten
// seconds to finish, and what is left is handed over to the next start. It tells people where to go on out.
func Run(ctx context.Context, getenv func(string) string, out io.Writer) error {
	cfg, err := app.Load(app.Local, getenv)
	if err != nil {
		return err
	}
	slog.InfoContext(ctx, "start", "settings", cfg.String())
	p := &process{cfg: cfg, traces: telemetry.New(), connected: make(chan struct{})}
	if err := p.open(ctx); err != nil {
		return errors.Join(err, p.close())
	}
	return errors.Join(p.serve(ctx, out), p.close())
}

// open takes the data directory and opens store, queues, model and Discord.
func (p *process) open(ctx context.Context) error {
	if err := os.MkdirAll(p.cfg.Data, 0o700); err != nil {
		return fmt.Errorf("data directory %s (TSUMUGI_DATA): %w", p.cfg.Data, err)
	}
	release, err := sqlite.Lock(p.cfg.Data)
	if err != nil {
		return fmt.Errorf("data directory %s (TSUMUGI_DATA): %w", p.cfg.Data, err)
	}
	p.closers = append(p.closers, release)
	path := filepath.Join(p.cfg.Data, file)
	if p.kv, err = sqlite.Open(ctx, path); err != nil {
		return fmt.Errorf("data directory %s (TSUMUGI_DATA): %w", p.cfg.Data, err)
	}
	p.closers = append(p.closers, p.kv.Close)
	if p.queues, err = queuesqlite.Open(ctx, p.kv.Writer(), queuesqlite.Options{MaxReceives: maxReceives}); err != nil {
		return err
	}
	p.closers = append(p.closers, p.queues.Close)
	if err := p.reclaim(ctx); err != nil {
		return err
	}
	if p.voice, err = chooseVoice(ctx, p.cfg); err != nil {
		return err
	}
	p.sealer = seal.Cached(sealfile.New(filepath.Join(p.cfg.Data, sealfile.Name))) // the file is made when there is something to keep
	if p.guard, err = outbound.New(outbound.Options{Allow: p.cfg.Allowed()}); err != nil {
		return fmt.Errorf("TSUMUGI_ALLOW_HOSTS: %w", err)
	}
	return nil
}

// reclaim takes back what the last process died with. Nobody else can be at work, the lock says so: events are admitted at
// once, and turns go on as soon as the beat of their dead holder tells it.
func (p *process) reclaim(ctx context.Context) error {
	beat := chat.DeadLimit + time.Second
	return errors.Join(p.queues.Reclaim(ctx, queue.Ingress, 0), p.queues.Reclaim(ctx, queue.Commands, 0), p.queues.Reclaim(ctx, queue.Turns, beat), p.queues.Reclaim(ctx, queue.Replies, beat))
}

// close lets go in the reverse order.
func (p *process) close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	return errors.Join(errs...)
}

// serve runs until the context ends.
func (p *process) serve(ctx context.Context, out io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.cfg.Addr)
	if err != nil {
		return fmt.Errorf("listen on TSUMUGI_ADDR %s: %w", p.cfg.Addr, err)
	}
	if err := p.connect(ctx, listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close())
	}
	slog.InfoContext(ctx, "listening", "address", listener.Addr().String())
	server := &http.Server{Handler: p.handler(), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	var work sync.WaitGroup
	working, stop := context.WithCancel(ctx)
	defer stop()
	work.Go(func() { failed <- server.Serve(listener) })
	p.start(working, out, "http://"+listener.Addr().String()+"/")
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	slog.InfoContext(ctx, "stopping: running replies may finish", "seconds", drain.Seconds())
	work.Go(func() { p.shut(context.WithoutCancel(ctx), server) })
	work.Wait()
	if err == nil {
		err = <-failed
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// shut ends the HTTP server after the replies that run: with the simulated Discord they are spoken through it.
func (p *process) shut(ctx context.Context, server *http.Server) {
	p.running.Wait()
	var closing sync.WaitGroup
	defer closing.Wait()
	if p.sim != nil {
		closing.Go(p.sim.Close) // it waits for its clients, who have as long as the server's
	}
	ctx, done := context.WithTimeout(ctx, closeIn)
	defer done()
	if err := server.Shutdown(ctx); err != nil {
		_ = server.Close() // whoever still listens has had their time
	}
}

// connect makes the client of Discord: the real one with a token, else the simulated one at our own address.
func (p *process) connect(ctx context.Context, addr string) error {
	o := discord.Options{Token: p.cfg.DiscordToken, BaseURL: p.cfg.DiscordURL, Version: app.Version, Sealer: p.sealer,
		Hooks: app.Ports{KV: p.kv, Recorder: p.traces}.Hooks()}
	p.public = p.cfg.PublicURL
	if o.Token == "" {
		o.Token = rand.Text()       // nobody else is to speak as the bot
		p.public = "http://" + addr // the simulated Discord is on this machine
		o.BaseURL = p.public + "/api/v10"
		var err error
		p.sim, err = p.simulate(simdiscord.Options{Token: o.Token, MessageContentEnabled: true, Persona: persona.Demo().Name, Notice: p.voice.notice, Log: slog.Default()})
		if err != nil {
			return err
		}
		if err := p.sim.Keep(filepath.Join(p.cfg.Data, simulated)); err != nil {
			return err
		}
	}
	p.client = discord.New(o)
	if err := p.alone(ctx); err != nil {
		return err
	}
	return p.seed(ctx, store.NewBook(p.kv))
}

// alone refuses to start beside another installation of the same bot: both would answer everything. Whoever has set an
// interactions endpoint for the application is such an installation. Where Discord cannot be asked now the gateway says why.
func (p *process) alone(ctx context.Context) error {
	if p.sim != nil || p.cfg.Force != "" {
		return nil
	}
	a, err := p.client.Application(ctx)
	if err != nil {
		slog.WarnContext(ctx, "the application was not read", "error", err)
		return nil
	}
	if a.InteractionsURL == "" {
		return nil
	}
	return errors.New("this bot is installed elsewhere: its application has an interactions endpoint, and two installations would both answer. " +
		"Use the token of another application (DISCORD_TOKEN), or set TSUMUGI_FORCE=1 when the other one is gone")
}

// handler serves /healthz, and the simulated Discord with its page when it is used.
func (p *process) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if p.ready.Load() {
			fmt.Fprintln(w, "ready")
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		if why := p.trouble.Load(); why != nil {
			fmt.Fprintln(w, *why)
			return
		}
		fmt.Fprintln(w, "starting")
	})
	mux.Handle("GET "+app.FacesPath, app.NewFaces(app.Ports{KV: p.kv}))
	if p.sim != nil {
		mux.Handle("/", p.sim)
		return mux
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "Tsumugi talks on Discord. This page shows a simulated one when DISCORD_TOKEN is not set.")
	})
	return mux
}
