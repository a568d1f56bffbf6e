package command

import (
	"context"
	"errors"
	"slices"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// The guide is one message that is updated in place. It has no state of its own: which steps are done is seen in the settings, and
// the custom ids say which step is shown. So it goes on after any restart, in another message, and beside another admin.
func setupRows() []row {
	return []row{
		{path: setupPath, needs: chat.ManageGuild, work: work{now: (*Front).setup}, steps: map[string]work{
			"go":        {now: (*Front).setupGo},
			"house":     {now: (*Front).setupHouse},
			"kind":      {now: (*Front).setupKind},
			"enter":     {now: (*Front).setupEnter},
			"again":     {now: (*Front).setupAgain, noted: true},
			"form":      {look: (*Front).providerWritten, later: (*Back).setupKey, secret: []string{fieldKey}, meanwhile: setupTesting},
			"page":      {now: (*Front).setupModels},
			"model":     {later: (*Back).setupModel, meanwhile: setupTesting},
			"all":       {now: (*Front).setupAll},
			"only":      {now: (*Front).setupOnly},
			"write":     {now: (*Front).setupWrite},
			"rewrite":   {now: (*Front).setupRewrite, noted: true},
			"written":   {now: (*Front).setupWritten},
			"here":      {now: (*Front).setupHere},
			"place":     {later: (*Back).setupPlace, meanwhile: setupLooking},
			"called":    {now: (*Front).setupCalled},
			"humanizer": {now: (*Front).setupHumanizer},
		}},
	}
}

const setupPath = "setup"

// The steps of the guide, in their order; stepDone is what comes after the last.
const (
	stepModel     = "model"
	stepPersonas  = "personas"
	stepChannel   = "channel"
	stepHumanizer = "humanizer"
	stepDone      = "done"
)

var setupSteps = []string{stepModel, stepPersonas, stepChannel, stepHumanizer}

// guide is a server as the guide finds it.
type guide struct {
	*use
	s     guild.Settings
	cast  []persona.Persona
	home  guild.Channel // of s.Setup.Home
	house bool          // the installation's model may speak here
}

func (u *use) guide(ctx context.Context, book guild.Book, house bool) (g guide, err error) {
	g = guide{use: u, house: house}
	if g.cast, g.s, err = u.cast(ctx, book); err != nil || g.s.Setup.Home == "" {
		return g, err
	}
	g.home, err = book.Channel(ctx, u.Guild, g.s.Setup.Home)
	return g, err
}

func (f *Front) guide(ctx context.Context, u *use) (guide, error) {
	return u.guide(ctx, f.Book, f.offers(u.Guild))
}

func (b *Back) guide(ctx context.Context, u *use) (guide, error) {
	return u.guide(ctx, b.Book, b.offers(u.Guild))
}

// done tells whether a step is.
func (g guide) done(step string) bool {
	switch step {
	case stepModel:
		return g.s.Uses() != nil || g.s.Setup.Model && g.house
	case stepPersonas:
		return len(g.cast) > 0 && (g.s.Own || g.s.Setup.Personas)
	case stepChannel:
		return g.s.Setup.Channel
	case stepHumanizer:
		return g.s.Humanizer != "" || g.s.Setup.Humanizer
	}
	return true
}

// next is the first step after the one given that is not done; "" asks for the first of all.
func (g guide) next(after string) string {
	for _, step := range setupSteps[slices.Index(setupSteps, after)+1:] {
		if !g.done(step) {
			return step
		}
	}
	return stepDone
}

// setup goes on with the first step that is not done.
func (f *Front) setup(ctx context.Context, u *use) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.view(g.next(""), ""), nil
}

// setupGo shows a step, be it done or not.
func (f *Front) setupGo(ctx context.Context, u *use) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	if step := u.arg(0); slices.Contains(setupSteps, step) {
		return g.view(step, ""), nil
	}
	return g.view(stepDone, ""), nil
}

// goOn shows what comes after a step, with what came of it.
func (f *Front) goOn(ctx context.Context, u *use, step, note string) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.view(g.next(step), note), nil
}

// stay shows a step again, with why it is not done.
func (f *Front) stay(ctx context.Context, u *use, step, note string) (chat.Answer, error) {
	g, err := f.guide(ctx, u)
	if err != nil {
		return chat.Answer{}, err
	}
	return g.view(step, note), nil
}

// settle makes the change of a step and goes on. What was so before is no mistake here, and nothing to tell; other reasons are
// told where the step is.
func (f *Front) settle(ctx context.Context, u *use, step string, in chat.ChannelID, edit guild.Edit) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	c, err := u.settle(ctx, f.Book, step, in, edit)
	if text, ok := u.reason(err); ok {
		return f.stay(ctx, u, step, "⚠️ "+text)
	}
	if err != nil {
		return chat.Answer{}, err
	}
	return f.goOn(ctx, u, step, u.settled(c))
}

// settle is the change alone; none when it was so before.
func (u *use) settle(ctx context.Context, book guild.Book, step string, in chat.ChannelID, edit guild.Edit) (guild.Change, error) {
	c, err := u.change(ctx, book, in, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		note.On = step
		return edit(s, c, note)
	})
	if errors.Is(err, guild.ErrSame) {
		return guild.Change{}, nil
	}
	return c, err
}

// settled says what is so now, and what was.
func (u *use) settled(c guild.Change) string {
	if c.Was == c.Is {
		return ""
	}
	return u.say.Say("setup.changed", "what", u.say.Say("setup.names."+c.On), "is", u.state(c, c.Is), "was", u.state(c, c.Was))
}

// state is a word of the notes, for people.
func (u *use) state(c guild.Change, word string) string {
	switch {
	case c.On == stepModel && word == houseName:
		return u.say.Say("provider.house")
	case c.On == stepChannel && word == notedAlways:
		return u.say.Say("setup.channel.always", "channel", link(c.In))
	case c.On == stepChannel:
		return u.say.Say("setup.channel.called")
	case c.On == stepHumanizer:
		return u.say.Say("setup.humanizer." + word + ".name")
	}
	return shown(word, lineLength)
}
