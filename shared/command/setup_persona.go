package command

import (
	"context"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// setupAll leaves those who live there.
func (f *Front) setupAll(ctx context.Context, u *use) (chat.Answer, error) {
	return f.settle(ctx, u, stepPersonas, "", func(s *guild.Settings, _ *guild.Channel, _ *guild.Change) error {
		if s.Setup.Personas {
			return guild.ErrSame
		}
		s.Setup.Personas = true
		return nil
	})
}

// setupOnly lets one of the installation's personas live there alone. Where there are others already it would destroy them, so
// it is not offered there, and does nothing.
func (f *Front) setupOnly(ctx context.Context, u *use) (chat.Answer, error) {
	installation, err := f.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	return f.settle(ctx, u, stepPersonas, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		p, ok := installation.Persona(u.chosen())
		if !ok {
			return no("setup.personas.gone")
		}
		if s.Own {
			return no("setup.personas.own_already")
		}
		p.Main = true // somebody has to speak with the bot's own face
		note.Was, note.Is = names(installation.Personas, lineLength), p.Name
		s.Own, s.Personas = true, []persona.Persona{p}
		return nil
	})
}

// setupWrite opens the form of a persona.
func (f *Front) setupWrite(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	m := u.setupForm()
	return chat.Answer{Modal: &m}, nil
}

// setupForm is the form of /persona create, which leads back to the guide.
func (u *use) setupForm() chat.Modal {
	m := u.newForm(false)
	m.ID = u.id("written")
	return m
}

func (f *Front) setupRewrite(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	return u.reopened(ctx, f.Book, u.setupForm())
}

// setupWritten makes the persona of the form: the first of the server's own in place of the installation's, later ones beside those
// that there are.
func (f *Front) setupWritten(ctx context.Context, u *use) (chat.Answer, error) {
	installation, err := f.Book.Settings(ctx, "")
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.settle(ctx, f.Book, stepPersonas, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		before := s.Personas
		if note.Was = names(before, lineLength); !s.Own {
			before, note.Was = nil, names(installation.Personas, lineLength)
		}
		if len(before) >= guild.MaxPersonas {
			return &faulty{[]string{u.say.Say("persona.create.full", "most", guild.MaxPersonas)}}
		}
		p, faults := u.newcomer(before)
		if faults != nil {
			return &faulty{faults}
		}
		p.Main = mainOf(before).ID == ""
		s.Own, s.Personas = true, append(slices.Clone(before), p)
		note.Is = names(s.Personas, lineLength)
		return nil
	})
	if err != nil {
		a, err := u.unfit(ctx, f.Book, err, "rewrite")
		if err != nil {
			return chat.Answer{}, err
		}
		return u.inGuide(ctx, f.Book, f.offers(u.Guild), stepPersonas, a)
	}
	return f.goOn(ctx, u, stepPersonas, u.settled(c))
}

// names is who they are, as many as there is room for.
func names(all []persona.Persona, most int) string {
	var list []string
	for _, p := range all {
		list = append(list, p.Name)
	}
	return plain(strings.Join(list, ", "), most)
}
