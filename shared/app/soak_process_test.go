package app_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue/queuetest"
)

// errKilled is what a dead process gets from everything it still tries.
var errKilled = errors.New("the process is dead")

// soakProcess is one relay: what app.Listen runs, over a network, a store and a queue that end with it.
type soakProcess struct {
	w     *soakWorld
	name  string
	dead  atomic.Bool
	stop  context.CancelFunc
	ended chan error
	file  string

	mu    sync.Mutex
	conns []net.Conn
}

// begin starts a relay. It may inherit the spool's file of another.
func (w *soakWorld) begin(name, file string) *soakProcess {
	p := &soakProcess{w: w, name: name, ended: make(chan error, 1), file: filepath.Join(w.dir, name, "relay.spool")}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(p.file, text, 0o600)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			w.t.Fatal(err)
		}
	}
	ports := app.Ports{
		KV: kvtest.Wrap(w.store, func(kvtest.Call) kvtest.Fault {
			if p.dead.Load() {
				return kvtest.Broken
			}
			return w.storeFault()
		}),
		Queues: queuetest.NewUnreliable(w.queue, p.sends),
	}
	transport := &http.Transport{DialContext: p.dial}
	client := discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport}})
	g := &discord.Gateway{REST: client, MessageContent: true, Relays: app.NewRelays(ports, "simulated"), Owner: name, Dial: p.dial}
	var ctx context.Context
	ctx, p.stop = context.WithCancel(w.t.Context())
	go func() {
		err := app.Listen(ctx, g, ports, app.Listening{File: p.file})
		transport.CloseIdleConnections()
		p.ended <- err
	}()
	return p
}

// sends are the accidents of the queue.
func (p *soakProcess) sends(c queuetest.Call) queuetest.Accident {
	switch {
	case p.dead.Load() || p.w.away.Load() && c.Op == queuetest.Batch:
		return queuetest.Before
	case c.Op == queuetest.Send:
		return p.w.sendFault()
	}
	return queuetest.Fine
}

func (p *soakProcess) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if p.dead.Load() {
		return nil, errKilled
	}
	c, err := p.w.pipe.Dial(ctx, network, address)
	if err == nil {
		p.mu.Lock()
		p.conns = append(p.conns, c)
		p.mu.Unlock()
	}
	return c, err
}

// kill ends it as a power cut does, and waits until nothing of it is left. It gives its file as it was then.
func (p *soakProcess) kill() string {
	text, err := os.ReadFile(p.file)
	p.dead.Store(true)
	p.mu.Lock()
	for _, c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	p.stop()
	<-p.ended // with whatever it says: it is dead
	left := filepath.Join(p.w.dir, p.name+".left")
	if err == nil {
		err = os.WriteFile(left, text, 0o600)
	}
	if err != nil {
		p.w.t.Fatal(err)
	}
	return left
}

// end ends it in order.
func (p *soakProcess) end() {
	p.stop()
	select {
	case err := <-p.ended:
		if err != nil {
			p.w.bad("relay %s ended with %v", p.name, err)
		}
	case <-time.After(time.Minute):
		p.w.bad("relay %s does not end", p.name)
	}
}
