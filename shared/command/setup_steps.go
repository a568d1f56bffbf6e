package command

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// setupTesting and setupLooking stand where the guide stood while somebody is asked.
func setupTesting(u *use) chat.Answer {
	return chat.Answer{Text: u.say.Say("provider.testing"), Rows: []chat.ActionRow{{Buttons: []chat.Button{u.to(stepModel, "setup.back")}}}}
}

func setupLooking(u *use) chat.Answer {
	return chat.Answer{Text: u.say.Say("setup.channel.looking"), Rows: []chat.ActionRow{{Buttons: []chat.Button{u.to(stepChannel, "setup.back")}}}}
}

// setupHouse lets the installation's model speak.
func (f *Front) setupHouse(ctx context.Context, u *use) (chat.Answer, error) {
	return f.settle(ctx, u, stepModel, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if !f.offers(u.Guild) { // the operator's list may have changed since the button was made
			return no("provider.house_refused")
		}
		if s.Uses() == nil && s.Setup.Model {
			return guild.ErrSame
		}
		note.Was = speaker(*s)
		s.Provider, s.Setup.Model = "", true
		note.Is = speaker(*s)
		return nil
	})
}

// The values of the menu of models begin with what they are.
const (
	ofKind   = "k:"
	ofStored = "p:"
)

// setupKind shows how to come by a key, or lets a provider speak that is there already.
func (f *Front) setupKind(ctx context.Context, u *use) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	if t, ok := strings.CutPrefix(u.chosen(), ofStored); ok {
		return f.setupStored(ctx, u, t)
	}
	k, ok := guild.KindOf(strings.TrimPrefix(u.chosen(), ofKind))
	if !ok {
		return g.view(stepModel, ""), nil
	}
	return g.kindView(k), nil
}

func (f *Front) setupStored(ctx context.Context, u *use, t string) (chat.Answer, error) {
	c, err := u.settle(ctx, f.Book, stepModel, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		p := providerTagged(*s, t)
		if p == nil {
			return no("provider.gone")
		}
		if s.Uses() == p {
			return guild.ErrSame
		}
		note.Was, note.Is, s.Provider = speaker(*s), p.Name, p.Name
		return nil
	})
	text, ok := u.reason(err)
	switch {
	case ok:
		return f.stay(ctx, u, stepModel, "⚠️ "+text)
	case err != nil:
		return chat.Answer{}, err
	}
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.modelsView(ctx, f.Book, t, -1, u.settled(c))
}

// setupEnter opens the form for a key.
func (f *Front) setupEnter(ctx context.Context, u *use) (chat.Answer, error) {
	k, ok := guild.KindOf(u.arg(0))
	if !ok {
		return f.stay(ctx, u, stepModel, "")
	}
	m := u.providerForm(u.id("form", k.ID), k, false, "")
	return chat.Answer{Modal: &m}, nil
}

func (f *Front) setupAgain(ctx context.Context, u *use) (chat.Answer, error) {
	k, ok := guild.KindOf(u.arg(1))
	if !ok {
		return f.stay(ctx, u, stepModel, "")
	}
	return u.reopened(ctx, f.Book, u.providerForm(u.id("form", k.ID), k, false, ""))
}

// setupKey tries what was written, keeps it, and shows which models there are.
func (b *Back) setupKey(ctx context.Context, u *use) (chat.Answer, error) {
	o, ok := u.offered(u.arg(0))
	if !ok {
		return u.inPlace(u.text("provider.no_kind")), nil
	}
	t, err := b.tryOffer(ctx, u, o, true)
	if err != nil {
		a, err := b.undone(ctx, u, err, "again", o.kind.ID)
		if err != nil {
			return chat.Answer{}, err
		}
		return u.inGuide(ctx, b.Book, b.offers(u.Guild), stepModel, a)
	}
	g, err := b.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.modelsView(ctx, b.Book, tag(t.Change.On), -1, u.worked(t))
}

// setupModels turns the pages of the models.
func (f *Front) setupModels(ctx context.Context, u *use) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.modelsView(ctx, f.Book, u.arg(0), u.page(1), "")
}

// setupModel takes the model that was chosen, once it has answered.
func (b *Back) setupModel(ctx context.Context, u *use) (chat.Answer, error) {
	g, err := b.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	p := providerTagged(g.s, u.arg(0))
	if p == nil {
		return g.view(stepModel, "⚠️ "+u.say.Say("provider.gone")), nil
	}
	model, err := u.picked(ctx, b.Book, *p)
	if err != nil {
		return chat.Answer{}, err
	}
	t, err := b.choose(ctx, u, p.Name, model)
	text, told := u.reason(err)
	switch {
	case errors.Is(err, guild.ErrSame):
		return g.view(g.next(stepModel), ""), nil
	case told:
		return g.modelsView(ctx, b.Book, u.arg(0), -1, "⚠️ "+text)
	case err != nil:
		return chat.Answer{}, err
	}
	if g, err = b.guide(ctx, u); err != nil {
		return chat.Answer{}, err
	}
	return g.view(g.next(stepModel), u.chose(t)), nil
}

// setupHere lets everything be answered in the channel in which the guide stands. What the bot may do there is known.
func (f *Front) setupHere(ctx context.Context, u *use) (chat.Answer, error) {
	a, err := f.settle(ctx, u, stepChannel, u.Channel, settleHome(u.Channel))
	if missing := lacks(u.BotMay, u.Thread); err == nil && len(missing) > 0 {
		a.Text = u.warn(u.Channel, missing) + "\n" + a.Text
	}
	return a, err
}

// settleHome is the edit that lets everything be answered in a channel.
func settleHome(home chat.ChannelID) guild.Edit {
	return func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		closed := s.Closed(home)
		note.Was, note.Is = notedAddressed, notedAlways
		if c.Always {
			note.Was = notedAlways
		}
		if c.Always && !closed && s.Setup.Channel && s.Setup.Home == home {
			return guild.ErrSame
		}
		if closed && len(s.Whitelist) >= guild.MaxWhitelist {
			return no("setup.channel.closed")
		}
		if closed { // nothing would be answered there
			s.Whitelist = append(slices.Clone(s.Whitelist), home)
		}
		c.Always, s.Setup.Channel, s.Setup.Home = true, true, home
		return nil
	}
}

// setupPlace is setupHere for another channel: what the bot may do there has to be asked.
func (b *Back) setupPlace(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, b.Book); err != nil {
		return chat.Answer{}, err
	}
	home := chat.ChannelID(u.chosen())
	note := ""
	may, known := b.rights(ctx, u, home)
	switch {
	case known && may == 0:
		return b.goTo(ctx, u, func(g guide) chat.Answer { return g.view(stepChannel, "⚠️ "+u.say.Say("setup.channel.unseen")) })
	case known && len(lacks(may, false)) > 0:
		note = u.warn(home, lacks(may, false)) + "\n"
	}
	c, err := u.settle(ctx, b.Book, stepChannel, home, settleHome(home))
	if text, ok := u.reason(err); ok {
		return b.goTo(ctx, u, func(g guide) chat.Answer { return g.view(stepChannel, "⚠️ "+text) })
	}
	if err != nil {
		return chat.Answer{}, err
	}
	return b.goTo(ctx, u, func(g guide) chat.Answer { return g.view(g.next(stepChannel), strings.TrimSpace(note+u.settled(c))) })
}

// rights is what the bot may do in a channel, if that can be known.
func (b *Back) rights(ctx context.Context, u *use, c chat.ChannelID) (may chat.Permissions, known bool) {
	if c == u.Channel {
		return u.BotMay, true
	}
	if b.Checks.Rights == nil {
		return 0, false
	}
	all, err := b.Checks.Rights(ctx, u.Guild, []chat.ChannelID{c})
	if err != nil {
		slog.WarnContext(ctx, "nobody knows what the bot may do in a channel", "error", err)
	}
	return all[c], err == nil
}

func (b *Back) goTo(ctx context.Context, u *use, view func(guide) chat.Answer) (chat.Answer, error) {
	g, err := b.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return view(g), nil
}

// warn says what the bot lacks in a channel.
func (u *use) warn(c chat.ChannelID, missing []string) string {
	return "⚠️ " + u.say.Say("setup.channel.lacks", "channel", link(c), "missing", strings.Join(missing, ", "))
}

// setupCalled lets personas wait until they are called, also in the channel in which they answered everything since they were
// asked to here.
func (f *Front) setupCalled(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	home := s.Setup.Home
	return f.settle(ctx, u, stepChannel, home, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		note.Was, note.Is = notedAddressed, notedAddressed
		if c.Always {
			note.Was = notedAlways
		}
		if !c.Always && s.Setup.Channel && s.Setup.Home == "" {
			return guild.ErrSame
		}
		c.Always, s.Setup.Channel = false, true
		if s.Setup.Home == home { // another admin may have chosen another one meanwhile
			s.Setup.Home = ""
		}
		return nil
	})
}

// setupHumanizer takes how replies are divided.
func (f *Front) setupHumanizer(ctx context.Context, u *use) (chat.Answer, error) {
	h := guild.Humanizer(u.arg(0))
	if !slices.Contains(guild.Humanizers, h) {
		return f.stay(ctx, u, stepHumanizer, "")
	}
	return f.settle(ctx, u, stepHumanizer, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		note.Was, note.Is = string(humanizer(*s)), string(h)
		if s.Humanizer == h {
			return guild.ErrSame
		}
		s.Humanizer, s.Custom = h, guild.Toggles{}
		return nil
	})
}

// humanizer is how replies are divided now.
func humanizer(s guild.Settings) guild.Humanizer {
	return cmp.Or(s.Humanizer, guild.None)
}
