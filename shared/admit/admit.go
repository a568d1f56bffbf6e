// Package admit decides whether an event may enter a channel, and offers it: the stages normalize, admission and
// disposition of the chat pipeline. What must not live here: who answers (package plan), and what the channel's state makes
// of an offer (chat.Decide, package store).
package admit

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// Gate admits events.
type Gate struct {
	offers   chat.Offers
	controls chat.Controls
	lib      guild.Library
	out      chat.Outbox
}

// New makes a gate.
func New(offers chat.Offers, controls chat.Controls, lib guild.Library, out chat.Outbox) *Gate {
	return &Gate{offers, controls, lib, out}
}

// Handle brings one event to its disposition. It may be called again for the same event: the ledger keeps the first.
func (g *Gate) Handle(ctx context.Context, e chat.Event) error {
	ctx = chat.With(ctx, "event", string(e.ID), "channel", string(e.Channel))
	switch e.What {
	case chat.ChannelUpdated, chat.GuildUpdated, chat.GuildDeleted:
		// What is kept does not depend on them: rights and names are Discord's to know, and of a guild that is gone each hold
		// ends at its next call.
		slog.InfoContext(ctx, "noted", "what", string(e.What), "guild", e.Guild)
		return nil
	}
	if e.ID == "" || e.Channel == "" {
		return chat.Drop(fmt.Errorf("event %q of channel %q has no id", e.ID, e.Channel))
	}
	switch e.What {
	case chat.Said:
		return g.offer(ctx, e)
	case chat.Edited:
		return g.offers.Edit(ctx, e)
	case chat.Deleted:
		return g.offers.Delete(ctx, e)
	case chat.ChannelDeleted:
		return g.end(ctx, e)
	}
	return chat.Drop(fmt.Errorf("event %s: unknown kind %q", e.ID, e.What))
}

// end ends what a deleted channel was doing: nobody is there to hear it, and whoever waits would speak into nothing.
func (g *Gate) end(ctx context.Context, e chat.Event) error {
	cleared, err := g.controls.Kill(ctx, e.Channel)
	if err != nil {
		return err
	}
	slog.InfoContext(ctx, "the channel is gone", "what", string(e.What), "guild", e.Guild, "cleared", cleared)
	return nil
}

func (g *Gate) offer(ctx context.Context, e chat.Event) error {
	if e.Author.Us {
		return nil // a gateway echo of our own words; the turn that spoke them has recorded them
	}
	offered, err := g.admit(ctx, e)
	if err != nil || offered.Send == nil {
		return err
	}
	return g.send(ctx, *offered.Send)
}

// admit brings the event to its row in the ledger.
func (g *Gate) admit(ctx context.Context, e chat.Event) (offered chat.Offered, err error) {
	ctx, end := chat.Stage(ctx, chat.StageAdmission)
	defer end(&err)
	w := refuse(e)
	if w == (chat.Wish{}) {
		place, err := g.lib.Place(ctx, e.Guild, e.Channel)
		if err != nil {
			return offered, fmt.Errorf("admit event %s: %w", e.ID, err)
		}
		w = wish(e, place)
	}
	if offered, err = g.offers.Offer(ctx, e, w); err != nil {
		return offered, err
	}
	disposition := string(offered.Disposition())
	chat.Detail(ctx, disposition, offered.Reason)
	chat.Outcome(ctx, offered.Row)
	slog.InfoContext(ctx, "admitted", "disposition", disposition, "row", string(offered.Row), "reason", offered.Reason, "repeat", offered.Repeat)
	return offered, nil
}

// send hands the channel's job over.
func (g *Gate) send(ctx context.Context, j chat.Job) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageDisposition)
	defer end(&err)
	return g.out.Send(ctx, j)
}

// refuse is the part of admission that looks at the event alone, in the order of the chat pipeline, section 1.2.
func refuse(e chat.Event) chat.Wish {
	ignored := func(reason string) chat.Wish { return chat.Wish{Reason: reason} }
	switch {
	case e.System:
		return ignored("system_message")
	case e.Author.Webhook:
		return ignored("unknown_webhook")
	case e.Author.Bot && e.DM:
		return ignored("bot_dm_message")
	case e.Author.Bot:
		return ignored("other_bot_message")
	case e.Withheld && !e.MentionsUs && !e.ReplyToUs && !e.DM:
		return ignored("content_withheld")
	case strings.TrimSpace(e.Text) == "" && e.Extras == "" && !e.MentionsUs && e.Asked == nil:
		return ignored("empty_message")
	}
	return chat.Wish{}
}

// wish is the trigger gate (section 1.4): would somebody who lives there answer this on a free channel? A command needs no
// trigger, and interrupts nothing.
func wish(e chat.Event, place guild.Place) chat.Wish {
	cast := place.Cast
	switch {
	case e.Asked != nil && e.Asked.Redo != nil && !e.Asked.Redo.What.AsksModel(): // it brings nothing new, wherever that may be said
		return chat.Wish{Reply: true, Reason: "non_trigger"}
	case place.Closed:
		return chat.Wish{Closed: true}
	case len(cast.Personas) == 0:
		return chat.Wish{Reason: "no_persona"}
	case e.Asked != nil:
		if _, ok := cast.ByID(e.Asked.Persona); !ok && e.Asked.Persona != "" {
			return chat.Wish{Reason: "persona_missing"}
		}
		return chat.Wish{Reply: true, Reason: "non_trigger"}
	}
	w := chat.Wish{Stop: persona.StopRequest(e.Text, names(cast)...), FollowUp: true, Reason: "non_trigger"}
	switch {
	case strings.HasPrefix(strings.TrimSpace(e.Text), "!"):
		w.FollowUp, w.Reason = false, "command_prefix" // another bot's command, by custom
	case e.DM, e.MentionsUs, e.ReplyToUs, cast.Always, len(persona.Order(cast.Personas, e.Text)) > 0:
		w.Reply = true
	}
	if place.Refusing != 0 && w.Reply && !w.Stop { // nobody would see the answer
		return chat.Wish{Reason: "recent_send_refused", Refuse: true}
	}
	return w
}

// names is what the cast is called by, so that "mira stop" is told from "bus stop".
func names(cast persona.Cast) []string {
	var all []string
	for _, p := range cast.Personas {
		all = append(append(all, p.Name), p.Triggers...)
	}
	return all
}
