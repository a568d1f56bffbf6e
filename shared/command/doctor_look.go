package command

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// From when on the doctor says that something is wrong.
const (
	relaySilent = 2 * time.Minute // without a sign of life of the relay; the alarm says so then too
	muchWaits   = 100             // messages in the queues
)

func (b *Back) lookAtStore(ctx context.Context, p patient) finding {
	if err := cmp.Or(b.Checks.Store(ctx, p.Channel), p.trouble); err != nil {
		return p.ill(ctx, err, operator, "doctor.store.silent", "log", p.log("commands"))
	}
	return p.well("doctor.store.well")
}

func (b *Back) lookAtQueues(ctx context.Context, p patient) finding {
	load, err := b.Checks.Queues(ctx)
	switch {
	case err != nil:
		return p.ill(ctx, err, operator, "doctor.queues.silent", "log", p.log("commands"))
	case load.Dead > 0:
		return p.ill(ctx, nil, operator, "doctor.queues.dead", "n", load.Dead, "log", p.log("undertaker"))
	case load.Waiting > muchWaits:
		return p.ill(ctx, nil, operator, "doctor.queues.many", "n", load.Waiting, "log", p.log("generation"))
	}
	return p.well("doctor.queues.well", "n", load.Waiting)
}

func (b *Back) lookAtRelay(ctx context.Context, p patient) finding {
	h, err := b.Checks.Relay(ctx)
	silent := h.Silent(time.Now())
	switch {
	case err != nil:
		return p.ill(ctx, err, operator, "doctor.relay.unknown")
	case h.Parked != nil && h.Parked.Fix != "":
		return p.ill(ctx, nil, operator, "doctor.relay.parked", "fix", plain(h.Parked.Fix, 150))
	case h.Parked != nil:
		return p.ill(ctx, nil, operator, "doctor.relay.parked", "fix", p.log("relay"))
	case silent > relaySilent:
		return p.ill(ctx, nil, operator, "doctor.relay.silent", "time", p.span(silent), "log", p.log("relay"))
	case h.Ready < max(h.Of, 1):
		return p.ill(ctx, nil, anybody, "doctor.relay.starting", "ready", h.Ready, "all", max(h.Of, 1))
	}
	return p.well("doctor.relay.well")
}

// span is a time that has passed, in words.
func (p patient) span(d time.Duration) string {
	if d < 2*time.Hour {
		return p.say.Count("doctor.minutes", int(d.Round(time.Minute).Minutes()))
	}
	return p.say.Count("doctor.hours", int(d.Round(time.Hour).Hours()))
}

func (b *Back) lookAtAccount(ctx context.Context, p patient) finding {
	err := b.Checks.Account(ctx)
	var f *chat.Failure
	switch {
	case err == nil:
		return p.well("doctor.token.well")
	case errors.As(err, &f) && f.Status == http.StatusUnauthorized:
		return p.ill(ctx, err, operator, "doctor.token.refused", "setting", p.terms.Token)
	case f != nil && f.Kind == chat.Throttled && f.Status == 0: // the token could not be read, or Discord not be reached
		return p.ill(ctx, err, operator, "doctor.token.unasked", "log", p.log("commands"))
	}
	return p.ill(ctx, err, anybody, "doctor.token.unsaid")
}

func (b *Back) lookAtContent(ctx context.Context, p patient) finding {
	on, err := b.Checks.Content(ctx)
	switch {
	case err != nil:
		return p.ill(ctx, err, anybody, "doctor.content.unsaid")
	case !on:
		return p.mild(ctx, operator, "doctor.content.off")
	}
	return p.well("doctor.content.well")
}

// lookAtChannels looks at this channel, whose rights came with the interaction, and at all where something is set.
func (b *Back) lookAtChannels(ctx context.Context, p patient) finding {
	others := p.others()
	rights, err := b.mays(ctx, p, others)
	if err != nil {
		return p.ill(ctx, err, anybody, "doctor.channels.unsaid")
	}
	var bad []string
	n := 0
	for _, c := range append([]chat.ChannelID{p.Channel}, others...) {
		may, there := rights[c]
		if !there {
			continue // it is gone, and nobody waits for an answer in it
		}
		n++
		if missing := lacks(may, c == p.Channel && p.Thread); len(missing) > 0 {
			bad = append(bad, link(c)+": "+strings.Join(missing, ", "))
		}
	}
	if len(bad) > 0 {
		f := p.ill(ctx, nil, managers, "doctor.channels.lack")
		f.lines = bad
		return f
	}
	return finding{sign: wellSign, what: p.say.Count("doctor.channels.well", n)}
}

// others are the channels besides this one where something is set and personas may answer.
func (p patient) others() (others []chat.ChannelID) {
	open := func(c chat.ChannelID) bool { return len(p.set.Whitelist) == 0 || slices.Contains(p.set.Whitelist, c) }
	for _, c := range append(slices.Sorted(maps.Keys(p.rooms)), p.set.Whitelist...) {
		if c != p.Channel && open(c) && !slices.Contains(others, c) {
			others = append(others, c)
		}
	}
	return others
}

// mays are the bot's rights in this channel, which came with the interaction, and in others.
func (b *Back) mays(ctx context.Context, p patient, others []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
	rights := map[chat.ChannelID]chat.Permissions{p.Channel: p.BotMay}
	if len(others) == 0 {
		return rights, nil
	}
	more, err := b.Checks.Rights(ctx, p.Guild, others)
	maps.Copy(rights, more)
	return rights, err
}

// lacks names what the bot needs in a channel and may not do.
func lacks(may chat.Permissions, thread bool) (missing []string) {
	needed := []chat.Permissions{chat.ViewChannel, chat.SendMessages, chat.ReadHistory}
	if thread {
		needed[1] = chat.SendInThreads
	}
	for _, n := range needed {
		if !may.Allow(n) {
			missing = append(missing, nameOf(n))
		}
	}
	return missing
}

// hookTroubles are the words for why a channel has no webhook, by Discord's code.
var hookTroubles = map[int]string{
	10015: "doctor.webhooks.gone",
	30007: "doctor.webhooks.full",
	30058: "doctor.webhooks.guild_full",
	50001: "doctor.webhooks.access",
	50013: "doctor.webhooks.lacks",
}

// lookAtWebhooks looks at what faces are worn with: whether the bot may have webhooks, why it has none, and pictures that Discord
// cannot reach.
func (b *Back) lookAtWebhooks(ctx context.Context, p patient) finding {
	all := append([]chat.ChannelID{p.Channel}, p.others()...)
	rights, _ := b.mays(ctx, p, all[1:]) // where nobody knows them lookAtChannels says so
	known, err := b.Checks.Hooks(ctx, all)
	if err != nil {
		return p.mild(ctx, anybody, "doctor.webhooks.unsaid")
	}
	permission := nameOf(chat.ManageWebhooks)
	var lines []string
	for _, c := range all {
		may, there := rights[c]
		switch key := hookTroubles[known[c].Trouble]; {
		case !there, len(lacks(may, c == p.Channel && p.Thread)) > 0, c == p.Channel && !may.Allow(chat.ManageWebhooks):
		case !may.Allow(chat.ManageWebhooks):
			lines = append(lines, link(c)+": "+p.say.Say("doctor.webhooks.lacks", "permission", permission))
		case known[c].ID == "" && key != "" && key != "doctor.webhooks.lacks": // a right that is there by now needs no word
			lines = append(lines, link(c)+": "+p.say.Say(key))
		}
	}
	if hidden := p.hidden(); hidden != "" {
		lines = append(lines, p.say.Say("doctor.webhooks.pictures", "names", hidden))
	}
	f := p.well("doctor.webhooks.well")
	switch {
	case !p.BotMay.Allow(chat.ManageWebhooks):
		f = p.mild(ctx, managers, "doctor.webhooks.off", "permission", permission)
	case len(lines) > 0:
		f = p.mild(ctx, managers, "doctor.webhooks.some")
	}
	f.lines = lines
	return f
}

// hidden names the personas whose pictures Discord cannot reach.
func (p patient) hidden() string {
	var names []string
	for _, who := range p.set.Personas {
		if !p.terms.Pictures && !who.Main && persona.PictureName(who.Avatar) {
			names = append(names, shown(who.Name, 40))
		}
	}
	return strings.Join(names, ", ")
}

// lookAtModel looks at whoever speaks here: the server's own provider, by a real call as everywhere, else the operator's.
func (b *Back) lookAtModel(ctx context.Context, p patient) finding {
	if own := p.set.Uses(); own != nil {
		return b.lookAtProvider(ctx, p, *own)
	}
	if !b.offers(p.Guild) {
		return p.ill(ctx, nil, managers, "doctor.model.withheld")
	}
	if err := b.Checks.Model(ctx); err != nil {
		return p.ill(ctx, err, operator, "doctor.model.silent", "setting", p.terms.ModelURL)
	}
	return p.well("doctor.model.well")
}

func (b *Back) lookAtProvider(ctx context.Context, p patient, own guild.Provider) finding {
	name, key := shown(own.Name, 40), ""
	if len(own.Key) > 0 {
		var err error
		if key, err = b.Sealer.Open(ctx, guild.KeyContext(p.Guild, own.Name), own.Key); errors.Is(err, guild.ErrUnsealable) {
			return p.ill(ctx, err, managers, "doctor.provider.ill", "name", name, "fix", p.say.Say("provider.unsealable", "name", name))
		} else if err != nil {
			return p.ill(ctx, err, operator, "doctor.provider.unopened", "name", name, "log", p.log("commands"))
		}
	}
	found, err := b.Prober.Probe(ctx, own.URL, key, own.Model)
	if err == nil {
		return p.well("doctor.provider.well", "name", name, "model", shown(found.Model, 60))
	}
	why := trouble(err, found)
	if ctx.Err() != nil {
		why = "provider.failed.slow"
	}
	fix := p.say.Say(why, "name", name, "host", shown(hostOf(own.URL), 60), "model", shown(own.Model, 60))
	return p.ill(ctx, err, managers, "doctor.provider.ill", "name", name, "fix", fix)
}

// nameOf is what Discord calls a permission in its settings.
func nameOf(p chat.Permissions) string {
	switch p {
	case chat.ManageGuild:
		return "Manage Server"
	case chat.ManageMessages:
		return "Manage Messages"
	case chat.ManageWebhooks:
		return "Manage Webhooks"
	case chat.ViewChannel:
		return "View Channel"
	case chat.SendMessages:
		return "Send Messages"
	case chat.SendInThreads:
		return "Send Messages in Threads"
	case chat.ReadHistory:
		return "Read Message History"
	}
	return "Administrator"
}
