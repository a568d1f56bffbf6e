package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// sayLimit bounds one word of the relay about itself.
const sayLimit = 5 * time.Second

// pulse says how the relay is while it runs. Next to another relay that is at work it says nothing.
type pulse struct {
	vitals chat.Vitals
	change chan struct{} // something is to be said at once; holds one

	mu     sync.Mutex
	health chat.Health
}

func newPulse(v chat.Vitals, owner string) *pulse {
	return &pulse{vitals: v, change: make(chan struct{}, 1), health: chat.Health{Owner: owner, Version: Version}}
}

// shards takes note of how many are ready, of how many.
func (p *pulse) shards(ready, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.health.Ready, p.health.Of = ready, of
	select {
	case p.change <- struct{}{}:
	default:
	}
}

// run speaks until the context ends.
func (p *pulse) run(ctx context.Context) {
	tick := time.NewTicker(chat.HealthEvery)
	defer tick.Stop()
	for {
		p.say(ctx, nil)
		select {
		case <-ctx.Done():
			return
		case <-p.change:
		case <-tick.C:
		}
	}
}

// end says the last word: why the relay is parked under these settings, or that another may go on.
func (p *pulse) end(ctx context.Context, err error, settings string) {
	p.say(context.WithoutCancel(ctx), func(h *chat.Health) {
		h.Ready = 0
		if fatal, ok := errors.AsType[*discord.Fatal](err); ok {
			h.Parked = parkedBy(fatal, settings)
			return
		}
		h.Left = true
	})
}

func parkedBy(f *discord.Fatal, settings string) *chat.Parked {
	return &chat.Parked{Why: f.Error(), Fix: f.Fix, Settings: settings, Since: time.Now(), Later: f.Later}
}

// say speaks once, with a last change if any. A store that is away stops nothing: the next word says the same.
func (p *pulse) say(ctx context.Context, change func(*chat.Health)) {
	p.mu.Lock()
	h := p.health
	p.mu.Unlock()
	h.Alive = time.Now()
	if change != nil {
		change(&h)
	}
	ctx, done := context.WithTimeout(ctx, sayLimit)
	defer done()
	if err := p.vitals.Say(ctx, h); err != nil && !errors.Is(err, chat.ErrHeld) && !errors.Is(err, context.Canceled) {
		slog.WarnContext(ctx, "the relay could not say how it is", "error", err)
	}
}
