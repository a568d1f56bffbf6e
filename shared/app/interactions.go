package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/queue"
)

// InteractionsPath is where Discord posts interactions.
const InteractionsPath = "/interactions"

// NewFront gives interactions their first answer, whichever way they come.
func NewFront(p Ports) func(context.Context, chat.Interaction) chat.Answer {
	p = p.counted()
	front := command.Front{Controls: p.channels(), Replies: p.channels(), Book: p.book(), Errands: queue.Errands{Sender: p.Queues}, Ingress: queue.Entrance{Sender: p.Queues}, Sealer: p.Sealer, Offers: p.Plan.Offers}
	return func(ctx context.Context, i chat.Interaction) (a chat.Answer) {
		_ = chat.Trace(p.recording(ctx), chat.Attempt{Queue: "interactions", Event: i.ID, Channel: i.Channel}, func(ctx context.Context) error {
			a = front.Answer(ctx, i)
			return nil
		})
		return a
	}
}

// NewInteractions handles what Discord posts; the key is the application's, in hex.
func NewInteractions(p Ports, publicKey string) (http.Handler, error) {
	endpoint, err := discord.NewEndpoint(publicKey, NewFront(p))
	if err != nil {
		return nil, fmt.Errorf("interactions: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle(http.MethodPost+" "+InteractionsPath, endpoint)
	mux.Handle(http.MethodGet+" "+FacesPath, NewFaces(p))
	return mux, nil
}

// NewCommands handles the commands queue. model tells whether something answers at the model's address.
func NewCommands(p Ports, rest *discord.Client, model func(context.Context) error) queue.BatchHandler {
	gauge, _ := p.Queues.(queue.Gauge)
	p = p.counted()
	back := command.Back{Responses: rest, Book: p.book(), Files: rest, Sealer: p.Sealer, Prober: p.Prober, Offers: p.Plan.Offers, Checks: command.Checks{
		Store: func(ctx context.Context, c chat.ChannelID) error {
			_, err := p.channels().Whose(ctx, c, []chat.MessageID{"1"}) // nobody's
			return err
		},
		Relay:   p.vitals().Health,
		Account: func(ctx context.Context) error { _, err := rest.Me(ctx); return err },
		Content: func(ctx context.Context) (bool, error) {
			a, err := rest.Application(ctx)
			return a.MessageContent, err
		},
		Model:  model,
		Rights: rest.Rights,
		Hooks: func(ctx context.Context, all []chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) {
			return p.channels().Hooks(ctx, all...)
		},
		Queues: func(ctx context.Context) (command.Backlog, error) { return backlog(ctx, gauge) },
		Terms:  p.Terms,
	}}
	return p.recorded(queue.Handler(p.Queues, queue.Commands, queue.Interactions(back.Handle)))
}

// backlog asks all queues at once.
func backlog(ctx context.Context, gauge queue.Gauge) (b command.Backlog, err error) {
	if gauge == nil {
		return b, errors.ErrUnsupported
	}
	asked := map[string]*chat.Early[int]{}
	for _, name := range queue.Names() {
		asked[name] = chat.Begin(func() (int, error) { return gauge.Waiting(ctx, name) })
	}
	for name, early := range asked {
		n, failed := early.Wait()
		if err = errors.Join(err, failed); queue.Dead(name) == "" {
			b.Dead += n
		} else {
			b.Waiting += n
		}
	}
	return b, err
}
