package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
)

// tried is what came of trying a provider, as far as people are told of it.
type tried struct {
	Change  guild.Change  `json:"-"`
	Took    time.Duration `json:"took,omitempty"`
	Unknown string        `json:"unknown,omitempty"` // model that was asked for and is not known there
}

// tryOffer tries what was written into the form with a real call, and keeps it when that works: under its name, in place of what
// was there, whose model stays unless another was written. speaks makes it the one that speaks at once; it is so anyway where
// the installation's model spoke before. The error is for undone.
//
// Repeated, it calls nobody once it is kept, and gives what it gave before.
func (b *Back) tryOffer(ctx context.Context, u *use, o offer, speaks bool) (tried, error) {
	if t, ok, err := b.triedBefore(ctx, u); ok || err != nil {
		return t, err
	}
	s, err := u.settings(ctx, b.Book)
	if err != nil {
		return tried{}, err
	}
	old := s.ProviderNamed(o.name)
	if old == nil && len(s.Providers) >= guild.MaxProviders {
		return tried{}, no("provider.many", "n", guild.MaxProviders)
	}
	p := guild.Provider{Name: o.name, Kind: o.kind.ID, URL: o.address}
	ask := o.model
	if old != nil && old.URL == p.URL { // the same server: what was settled about its models stays
		p.Added, p.Hidden = old.Added, old.Hidden
		if ask == "" {
			ask = old.Model
		}
	}
	key, err := b.secret(ctx, u, fieldKey)
	if err != nil {
		return tried{}, err
	}
	var t tried
	found, err := b.Prober.Probe(ctx, p.URL, key, ask)
	if llm.KindOf(err) == llm.NotFound && ask != "" && len(found.Models) > 0 { // the key is good, so it is not asked for again
		t.Unknown = ask
		found, err = b.Prober.Probe(ctx, p.URL, key, "")
	}
	if err != nil {
		return t, b.failed(ctx, p, ask, found, err)
	}
	t.Took, p.Model, p.Last4, p.Tested = found.Took, found.Model, last4(key), time.Now().UTC().Truncate(time.Second)
	if key != "" {
		if p.Key, err = b.Sealer.Seal(ctx, guild.KeyContext(u.Guild, p.Name), key); err != nil {
			return t, fmt.Errorf("seal the key of a provider: %w", err)
		}
	}
	return b.keepOffer(ctx, u, p, found.Models, t, speaks)
}

// keepOffer keeps a provider that works.
func (b *Back) keepOffer(ctx context.Context, u *use, p guild.Provider, models []string, t tried, speaks bool) (tried, error) {
	if err := b.noteTried(ctx, u, t); err != nil {
		return t, err
	}
	if err := b.Book.SaveModels(ctx, u.Guild, p.Name, models); err != nil {
		return t, err
	}
	var err error
	t.Change, err = u.change(ctx, b.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		note.On, note.Is = p.Name, sketch(p)
		was := s.Provider
		if old := s.ProviderNamed(p.Name); old != nil {
			note.Was = sketch(*old)
			if guild.SameName(was, old.Name) {
				speaks = true
			}
			*old = p
		} else if len(s.Providers) >= guild.MaxProviders {
			return no("provider.many", "n", guild.MaxProviders)
		} else {
			s.Providers = append(s.Providers, p)
		}
		if speaks || s.Uses() == nil {
			s.Provider = p.Name
		}
		return nil
	})
	return t, err
}

// sketch is a provider for the notes and for people: never more of its key than the last four characters.
func sketch(p guild.Provider) string {
	text := p.Model
	if len(p.Key) > 0 {
		text += " · " + tail(p)
	}
	return text
}

// tail is what is shown of a provider's key.
func tail(p guild.Provider) string { return "••••" + p.Last4 }

// triedNote is where it is kept what came of trying, for whoever is asked again.
func triedNote(u *use) string { return "tried-" + string(u.ID) }

func (b *Back) noteTried(ctx context.Context, u *use, t tried) error {
	body, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("keep what came of a try: %w", err)
	}
	return b.Book.Note(ctx, u.Guild, triedNote(u), body, stale)
}

// errUntried ends a change that is not to be made yet.
var errUntried = errors.New("not tried yet")

// triedBefore tells whether this interaction has changed what it is to change, and gives what came of it then.
func (b *Back) triedBefore(ctx context.Context, u *use) (t tried, ok bool, err error) {
	t.Change, err = u.change(ctx, b.Book, "", func(*guild.Settings, *guild.Channel, *guild.Change) error { return errUntried })
	if errors.Is(err, errUntried) {
		return t, false, nil
	}
	if err != nil {
		return t, false, err
	}
	if _, err = u.settings(ctx, b.Book); err != nil { // for the language
		return t, false, err
	}
	body, err := b.Book.Noted(ctx, u.Guild, triedNote(u))
	if len(body) > 0 && err == nil {
		err = json.Unmarshal(body, &t)
	}
	return t, err == nil, err
}

// retry tries a stored provider again, with the model if one is named; edit is told what was found and changes more of it.
func (b *Back) retry(ctx context.Context, u *use, name, model string, edit func(p *guild.Provider, note *guild.Change) error) (tried, error) {
	if t, ok, err := b.triedBefore(ctx, u); ok || err != nil {
		return t, err
	}
	s, err := u.settings(ctx, b.Book)
	if err != nil {
		return tried{}, err
	}
	old := s.ProviderNamed(name)
	if old == nil {
		return tried{}, no("provider.none", "name", shown(name, maxProvider))
	}
	p := *old
	key := ""
	if len(p.Key) > 0 {
		if key, err = b.Sealer.Open(ctx, guild.KeyContext(u.Guild, p.Name), p.Key); errors.Is(err, guild.ErrUnsealable) {
			slog.WarnContext(ctx, "a stored key cannot be opened", "kind", p.Kind)
			return tried{}, no("provider.unsealable", "name", shown(p.Name, maxProvider))
		} else if err != nil {
			return tried{}, err
		}
	}
	if model == "" {
		model = p.Model
	}
	found, err := b.Prober.Probe(ctx, p.URL, key, model)
	if err != nil {
		return tried{}, b.failed(ctx, p, model, found, err)
	}
	t := tried{Took: found.Took}
	if err := b.noteTried(ctx, u, t); err != nil {
		return t, err
	}
	if found.Models != nil {
		if err := b.Book.SaveModels(ctx, u.Guild, p.Name, found.Models); err != nil {
			return t, err
		}
	}
	t.Change, err = u.change(ctx, b.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		now := s.ProviderNamed(p.Name)
		if now == nil || now.URL != p.URL || !slices.Equal(now.Key, p.Key) {
			return no("provider.changed", "name", shown(p.Name, maxProvider)) // what was tried is not what is there
		}
		now.Tested, note.On = time.Now().UTC().Truncate(time.Second), now.Name
		return edit(now, note)
	})
	return t, err
}

// failed is what people are told of a provider that does not work. The log has less: no address that somebody typed.
func (b *Back) failed(ctx context.Context, p guild.Provider, model string, found Probed, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	key := trouble(err, found)
	slog.InfoContext(ctx, "a provider does not work", "kind", p.Kind, "why", key)
	return no(key, "name", shown(p.Name, maxProvider), "host", shown(hostOf(p.URL), 100), "model", shown(model, maxModelLen))
}

// undone turns what tryOffer failed with into an answer that lets the form be written again, with all but the key.
func (b *Back) undone(ctx context.Context, u *use, err error, again string, args ...string) (chat.Answer, error) {
	text, ok := u.reason(err)
	if !ok {
		return chat.Answer{}, err
	}
	return u.refused(ctx, b.Book, []string{text}, again, args...)
}
