package plan

import (
	"context"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// Options are what the operator allows on the model of the installation. A guild with a provider of its own pays for itself.
type Options struct {
	Guilds     []string // that may use it, guild.DirectMessages among them; empty for all
	Daily      int      // turns in a day, of UTC, over all guilds; 0 for no cap
	GuildDaily int      // the same for each guild; direct messages together count as one
}

// Offers tells whether the operator lets a guild, or guild.DirectMessages, use the model of the installation.
func (o Options) Offers(g string) bool { return len(o.Guilds) == 0 || slices.Contains(o.Guilds, g) }

// restricts tells whether the operator's model may not be used by the guild as often as it likes.
func (o Options) restricts(g string) bool { return !o.Offers(g) || o.Daily > 0 || o.GuildDaily > 0 }

// guard takes the turns that may not be spoken. Where that is all of them the reason says why, and one is left to tell it to
// whoever addressed the bot.
func (p *Planner) guard(ctx context.Context, h *chat.Hold, place guild.Place, turns []chat.Turn) ([]chat.Turn, string, error) {
	g := h.Event.Guild
	if g == "" {
		g = guild.DirectMessages
	}
	caps := guild.Caps{Guild: place.Limits.Daily}
	if place.Provider == nil {
		if !p.opt.Offers(g) {
			return p.tell(ctx, h, place, g, turns, guild.NoProvider)
		}
		caps.Operator, caps.OperatorGuild = p.opt.Daily, p.opt.GuildDaily
	} else if p.opt.restricts(g) {
		for n := range turns { // also when the provider is gone by the time they are spoken
			turns[n].Own = true
		}
	}
	if caps == (guild.Caps{}) {
		return turns, "", nil
	}
	got, err := p.meter.Charge(ctx, guild.Bill{Guild: g, Event: h.Event.ID, Day: time.Now().UTC().Format(time.DateOnly), Turns: len(turns), Caps: caps})
	if err != nil {
		return nil, "", err
	}
	if got.Turns == 0 {
		return p.tell(ctx, h, place, g, turns, got.Over)
	}
	return turns[:min(got.Turns, len(turns))], "", nil
}

// tell leaves one turn that tells the reason, if it is to be told.
func (p *Planner) tell(ctx context.Context, h *chat.Hold, place guild.Place, g string, turns []chat.Turn, reason string) ([]chat.Turn, string, error) {
	if !addressed(h.Event, place.Personas) {
		return nil, reason, nil
	}
	if told, err := p.meter.Tell(ctx, g, h.Channel, h.Event.ID, reason); !told || err != nil {
		return nil, reason, err
	}
	turns[0].Notice, turns[0].Redo = reason, nil // a reply is left as it is
	return turns[:1], reason, nil
}

// addressed tells whether somebody waits for an answer to the event, rather than talks where all is answered.
func addressed(e chat.Event, personas []persona.Persona) bool {
	return e.DM || e.MentionsUs || e.ReplyToUs || e.Asked != nil || len(persona.Order(personas, e.Text)) > 0
}
