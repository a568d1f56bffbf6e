package store_test

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/admit"
	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/persona"
	"tsumugi/shared/plan"
	"tsumugi/shared/store"
	"tsumugi/shared/turn"
)

// change is how a rule is turned off: decorators around what a worker is given. The production code has no switches.
type change struct {
	kv     func(*proc, kv.Driver) kv.Driver
	offers func(*proc, chat.Offers) chat.Offers
	plans  func(*proc, chat.Plans) chat.Plans
	turns  func(*proc, chat.Turns) chat.Turns
	repair func(*proc, chat.Repairs) chat.Repairs
	outbox func(*proc, chat.Outbox) chat.Outbox
}

func decorated[T any](p *proc, v T, with func(*proc, T) T) T {
	if with == nil {
		return v
	}
	return with(p, v)
}

// channels are the repositories as the process sees them.
func (p *proc) channels() *store.Channels {
	return store.NewChannels(decorated[kv.Driver](p, gatedKV{p}, p.w.change.kv))
}

func (p *proc) outbox() chat.Outbox { return decorated[chat.Outbox](p, outbox{p}, p.w.change.outbox) }

// outbox is one process's way to the queues.
type outbox struct{ p *proc }

// Send puts the job on its queue when the gate opens.
func (o outbox) Send(ctx context.Context, j chat.Job) error { return o.send(ctx, j, j.Dedup()) }

func (o outbox) send(ctx context.Context, j chat.Job, dedup string) error {
	w := o.p.w
	m := message{dedup: dedup, job: j}
	return o.p.do(ctx, "send "+w.text(j.Queue, &m), func() error {
		if !w.queues[j.Queue].send(m) {
			w.note("         swallowed by deduplication")
		}
		return nil
	})
}

// delivery is one process's hold on its message.
type delivery struct{ p *proc }

// Hide hides the message when the gate opens.
func (d delivery) Hide(ctx context.Context, after time.Duration) error {
	return d.p.do(ctx, "hide", func() error { return d.p.w.queues[d.p.queue].hide(d.p.receipt, after) })
}

// library has two personas; planning finds none for an event of kind Z.
type library struct{ p *proc }

// Place is the channel.
func (l library) Place(context.Context, string, chat.ChannelID) (guild.Place, error) {
	if l.p.queue == chat.QueueTurns && l.p.w.kind(l.p.job.Event) == 'Z' {
		return guild.Place{}, nil
	}
	return guild.Place{Cast: persona.Cast{Personas: []persona.Persona{
		{ID: "mira", Name: "Mira", Triggers: []string{"mira"}, Main: true},
		{ID: "tomo", Name: "Tomo", Triggers: []string{"tomo"}}}}}, nil
}

func (w *world) kind(id chat.EventID) byte {
	for i, e := range w.events {
		if e.ID == id {
			return w.kinds[i]
		}
	}
	return 0
}

// deliver hands the first message of a queue to a worker.
func (w *world) deliver(name string) *proc {
	msg, receipt := w.queues[name].receive()
	p := &proc{queue: name, msg: msg, receipt: receipt, job: msg.job}
	run := map[string]func(context.Context, *proc) error{
		ingress: func(ctx context.Context, p *proc) error {
			offers := decorated[chat.Offers](p, p.channels(), w.change.offers)
			return admit.New(offers, p.channels(), library{p}, p.outbox()).Handle(ctx, msg.event)
		},
		chat.QueueTurns: func(ctx context.Context, p *proc) error {
			plans := decorated[chat.Plans](p, p.channels(), w.change.plans)
			return plan.New(plans, library{p}, nil, p.outbox(), plan.Options{}).Handle(ctx, msg.job, delivery{p})
		},
		chat.QueueReplies: func(ctx context.Context, p *proc) error {
			turns := decorated[chat.Turns](p, p.channels(), w.change.turns)
			return turn.New(turns, gatedDiscord{p}, gatedModel{p}, library{p}, p.outbox(), turn.Options{}).Handle(ctx, msg.job, delivery{p})
		},
	}
	p.name = map[string]string{ingress: "admission", chat.QueueTurns: "planner", chat.QueueReplies: "speaker"}[name] + " of " + w.text(name, msg)
	w.note("%s delivers %s for the %d. time", name, w.text(name, msg), msg.receives)
	return w.start(p, run[name])
}

func (p *proc) repairs() chat.Repairs {
	return decorated[chat.Repairs](p, p.channels(), p.w.change.repair)
}

// sweep starts the sweeper.
func (w *world) sweep() *proc {
	w.note("the sweeper starts")
	return w.start(&proc{name: "sweeper"}, func(ctx context.Context, p *proc) error {
		_, err := chat.Sweep(ctx, p.repairs(), p.outbox())
		return err
	})
}

// undertake starts the undertaker on the first dead letter. Its queue redelivers until it is done.
func (w *world) undertake() *proc {
	l := w.letters[0]
	w.note("the undertaker gets %s", w.text(l.queue, l.msg))
	return w.start(&proc{name: "undertaker", job: l.msg.job}, func(ctx context.Context, p *proc) error {
		var err error
		if l.queue == ingress {
			err = chat.BuryEvent(ctx, p.repairs(), l.msg.event)
		} else {
			err = chat.BuryJob(ctx, p.repairs(), p.outbox(), l.msg.job)
		}
		if err != nil {
			return err
		}
		return p.do(ctx, "delete the letter", func() error {
			w.letters = w.letters[1:]
			return nil
		})
	})
}

// arrive lets the next event happen.
func (w *world) arrive() *proc {
	i := w.arrived
	kind := w.kinds[i]
	at := time.Now()
	text := map[byte]string{'M': "mira, hello", 'P': "mira and tomo, hello", 'B': "mira, and I?", 'S': "stop", 'F': "mira, and tea?", 'Z': "mira?", 'L': "mira, tell me all"}
	e := chat.Event{What: chat.Said, ID: chat.EventID(w.discord.snowflake()), Channel: place, Guild: "1",
		Author: chat.Author{ID: "100", Name: "Ann"}, Text: text[kind], At: at}
	switch kind {
	case 'B':
		e.Author = chat.Author{ID: "200", Name: "Ben"}
	case 'X':
		e.What, e.ID = chat.Deleted, w.events[i-1].ID
	case 'E':
		e = w.events[i-1]
		e.What, e.Text = chat.Edited, e.Text+" please"
	}
	w.events = append(w.events, e)
	w.arrived++
	w.note("event e%d (%c) happens", i+1, kind)
	if kind == 'K' {
		return w.start(&proc{name: "command"}, func(ctx context.Context, p *proc) error {
			_, err := p.channels().Kill(ctx, place)
			return err
		})
	}
	if e.What == chat.Said {
		w.discord.says(e)
	}
	w.repeat(i)
	return nil
}

// repeat sends an event to ingress, for the first time or once more.
func (w *world) repeat(i int) {
	w.born++
	w.queues[ingress].send(message{dedup: fmt.Sprintf("%d/%d", i, w.born), event: w.events[i]})
}
