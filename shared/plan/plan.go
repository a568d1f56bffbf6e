// Package plan decides who speaks on an event, and in which order: stage 05 of the chat pipeline. What must not live here:
// whether the event may enter (package admit), and how a turn is spoken (package turn).
package plan

import (
	"context"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// matchLimit is how many personas one message can call (chat pipeline, section 0.3).
const matchLimit = 3

// Planner makes plans.
type Planner struct {
	plans chat.Plans
	lib   guild.Library
	meter guild.Meter
	out   chat.Outbox
	opt   Options
}

// New makes a planner.
func New(plans chat.Plans, lib guild.Library, meter guild.Meter, out chat.Outbox, opt Options) *Planner {
	return &Planner{plans, lib, meter, out, opt}
}

// Handle works on a message of the turns queue. It may be called again for the same job: the plan is made once.
func (p *Planner) Handle(ctx context.Context, j chat.Job, d chat.Delivery) error {
	ahead := chat.Ahead(ctx, chat.StagePlan)
	early := chat.Begin(func() (guild.Place, error) { return p.lib.Place(ahead, j.Guild, j.Channel) })
	defer func() { _, _ = early.Wait() }() // no read outlives its job
	return chat.Work(ctx, p.plans, p.out, j, d, func(ctx context.Context, k *chat.Keeper) error { return p.plan(ctx, k, early) })
}

func (p *Planner) plan(ctx context.Context, k *chat.Keeper, early *chat.Early[guild.Place]) (err error) {
	ctx, end := chat.Stage(ctx, chat.StagePlan)
	defer end(&err)
	h, began := k.Hold, time.Now()
	if sig := k.Signal(); sig.Kind != chat.NoSignal {
		return p.end(ctx, k, chat.Ending{Row: chat.Interrupted, Reason: string(sig.Kind)})
	}
	place, err := early.Wait()
	if err != nil && !h.Failing {
		return k.Retry(ctx, err)
	}
	if place.Closed && !h.Failing && !quiet(h.Event) { // it was open when the event came
		return p.end(ctx, k, chat.Ending{Row: chat.Ignored, Reason: "rejected_by_whitelist"})
	}
	turns, err := p.choose(ctx, place.Cast, h)
	if err != nil {
		return k.Retry(ctx, err)
	}
	reason := "no_persona"
	switch {
	case h.Failing:
		turns = notice(turns, h.Head.Starts)
	case len(turns) > 0 && !quiet(h.Event):
		if turns, reason, err = p.guard(ctx, h, place, turns); err != nil {
			return k.Retry(ctx, err)
		}
	}
	switch {
	case len(turns) == 0 && h.Failing:
		return p.end(ctx, k, chat.Ending{Row: chat.Failed, Reason: "poison"})
	case len(turns) == 0:
		return p.end(ctx, k, chat.Ending{Row: chat.Ignored, Reason: reason})
	}
	chat.Planned(ctx, turns)
	now := time.Now()
	j, err := p.plans.SavePlan(ctx, h, chat.Plan{Event: h.Event.ID, Turns: turns, At: now, Took: now.Sub(began),
		Charges: []chat.Charge{{Counter: "turns", N: int64(len(turns))}}})
	if err != nil {
		return k.Retry(ctx, err)
	}
	ctx = chat.WithJob(ctx, j)
	slog.InfoContext(ctx, "planned", "turns", h.Head.Turns)
	return p.out.Send(ctx, j)
}

func (p *Planner) end(ctx context.Context, k *chat.Keeper, ending chat.Ending) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageRelease)
	defer end(&err)
	next, err := p.plans.EndPlan(ctx, k.Hold, ending)
	if err != nil {
		return k.Retry(ctx, err)
	}
	chat.Detail(ctx, string(ending.Row), ending.Reason)
	chat.Outcome(ctx, ending.Row)
	if next == nil {
		return nil
	}
	return p.out.Send(ctx, *next)
}

// choose selects personas: the one that was stopped answers that; a command is answered by whom it asks for, else by the last
// speaker, else by the channel's own; otherwise those whose names were called answer, in the order of the calls; otherwise the one whose words the message replies to; otherwise the one that a follow-up interrupted;
// otherwise, where the message was addressed to the bot or needs no address, the channel's own.
func (p *Planner) choose(ctx context.Context, cast persona.Cast, h *chat.Hold) ([]chat.Turn, error) {
	last, known := cast.ByID(h.Head.LastPersona)
	if known && h.Head.Kind == chat.StopAsk {
		return turns(cast, last), nil
	}
	if h.Event.Asked != nil && h.Event.Asked.Redo != nil {
		return redone(cast, *h.Event.Asked), nil
	}
	if h.Event.Asked != nil {
		return asked(cast, h.Event.Asked.Persona, h.Head.LastPersona), nil
	}
	if called := persona.Order(cast.Personas, h.Event.Text); len(called) > 0 {
		return turns(cast, called[:min(len(called), matchLimit)]...), nil
	}
	if who, ok, err := p.spoke(ctx, cast, h); ok || err != nil {
		return turns(cast, who), err
	}
	if known && h.Head.Kind == chat.FollowUp {
		return turns(cast, last), nil
	}
	if cast.Round {
		return turns(cast, cast.Personas...), nil
	}
	if host, ok := cast.Answers(); ok {
		return turns(cast, host), nil
	}
	return nil, nil
}

// asked is the turn of the first of the personas that lives here, else of the channel's own.
func asked(cast persona.Cast, ids ...string) []chat.Turn {
	for _, id := range ids {
		if who, ok := cast.ByID(id); ok {
			return turns(cast, who)
		}
	}
	if host, ok := cast.Answers(); ok {
		return turns(cast, host)
	}
	return nil
}

// spoke finds the persona whose words the event replies to. With one persona there is nothing to ask.
func (p *Planner) spoke(ctx context.Context, cast persona.Cast, h *chat.Hold) (persona.Persona, bool, error) {
	to := h.Event.ReplyTo
	if !h.Event.ReplyToUs || len(cast.Personas) < 2 || h.Failing { // what fails must not depend on one read more
		return persona.Persona{}, false, nil
	}
	owners, err := p.plans.Whose(ctx, h.Channel, []chat.MessageID{to})
	if err != nil {
		return persona.Persona{}, false, err
	}
	who, ok := cast.ByID(owners[to].Persona)
	return who, ok, nil
}

// notice is the plan of an event whose planning was started too often without an end: one turn that tells the person, for
// only generation speaks to Discord. Where that fails as often again, the event ends without a word.
func notice(turns []chat.Turn, starts int) []chat.Turn {
	if len(turns) == 0 || starts > 2*chat.Poison {
		return nil
	}
	if turns[0].Redo != nil { // its reply is left as it is, and whoever asked can do so again
		return nil
	}
	turns[0].Notice = "poison"
	return turns[:1]
}

func turns(cast persona.Cast, personas ...persona.Persona) []chat.Turn {
	out := make([]chat.Turn, len(personas))
	for i, p := range personas {
		out[i] = chat.Turn{Persona: p.ID, Name: p.Name, Label: cast.Label(p)}
	}
	return out
}
