package turn

import (
	"context"
	"errors"

	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/speech"
)

// Voice is a model as turns speak with it.
type Voice struct {
	Model llm.Model
	Name  string // passed on to the model
	// Provider is who serves it, in one of the words of the metric of turns.
	Provider string
}

// Voices give turns the models that they speak with. Of a provider they need what is in guild.Provider, so what is changed there
// counts at the next turn.
type Voices interface {
	// For is the voice of a guild's provider; with nil the installation's own. It asks no model. guild.ErrUnsealable, ErrNoVoice
	// and ErrAddress say that people have something to mend; any other error passes. Provider is set in any case.
	For(ctx context.Context, guild string, p *guild.Provider) (Voice, error)
	// Provider is the word for who serves the model.
	Provider(p *guild.Provider) string
}

// What keeps a voice from speaking until somebody changes a setting. The model of a voice may fail with ErrAddress too.
var (
	// ErrNoVoice means that the guild has chosen no provider, and the installation has no model of its own.
	ErrNoVoice = errors.New("no other model is for it")
	// ErrAddress means that the address of the provider may not be asked from here.
	ErrAddress = errors.New("the address of the model may not be asked")
)

// manner is how a turn is spoken in its place.
type manner struct {
	place   guild.Place
	grain   speech.Grain
	held    bool // nothing is shown before all of it is there
	casual  bool // written as in passing
	typed   bool // each further message takes as long as typing it
	longest int  // characters of the reply
	most    int  // messages of the reply
	past    int  // messages of history
	style   string
	joined  string // what stands between two messages where the turn is one text
}

// mannerOf is how the place wants a persona to speak, and where it wants nothing, the installation.
func mannerOf(p guild.Place, persona string, opt Options) manner {
	m := manner{place: p, held: p.Whole || p.Drafting.On, longest: opt.MaxReply, most: guild.MaxSends, past: opt.History, joined: "\n"}
	if p.Limits.Reply > 0 {
		m.longest = min(p.Limits.Reply, guild.MaxReply)
	}
	if p.Limits.Messages > 0 {
		m.most = min(p.Limits.Messages, guild.MaxSends)
	}
	if p.Limits.History > 0 {
		m.past = p.Limits.History
	}
	toggles := p.StyleOf(persona).Toggles()
	m.typed, m.casual, m.style = toggles.Typing, toggles.Casual, string(toggles.Style().Humanizer)
	switch toggles.By {
	case guild.ByParagraph:
		m.grain, m.joined = speech.Paragraphs, "\n\n"
	case guild.BySentence:
		m.grain, m.joined = speech.Sentences, "\n\n"
	}
	return m
}
