package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func modelRows() []row {
	return []row{
		{path: "model choose", needs: chat.ManageGuild, work: work{look: (*Front).modelTyped, later: (*Back).modelChoose},
			options:  []option{{name: "model", kind: chat.OptionText, required: true, max: maxModelLen}},
			complete: map[string]completion{"model": (*Front).modelNames}},
		{path: "model list", needs: chat.ManageGuild, work: work{now: (*Front).modelList},
			steps: map[string]work{
				"page":  {now: (*Front).modelPage},
				"model": {later: (*Back).modelPicked, meanwhile: trying},
			}},
		{path: "model test", needs: chat.ManageGuild, work: work{later: (*Back).modelTest}},
		{path: "model add", needs: chat.ManageGuild, work: work{look: (*Front).modelTyped, later: (*Back).modelAdd},
			options: []option{{name: "model", kind: chat.OptionText, required: true, max: maxModelLen}}},
		{path: "model remove", needs: chat.ManageGuild, work: work{now: (*Front).modelRemove},
			options:  []option{{name: "model", kind: chat.OptionText, required: true, max: maxModelLen}},
			complete: map[string]completion{"model": (*Front).modelNames}},
	}
}

// seconds is a time in seconds, for people.
func (u *use) seconds(d time.Duration) string {
	return u.say.Say("provider.seconds", "n", fmt.Sprintf("%.1f", max(d, 100*time.Millisecond).Seconds()))
}

// modelTyped looks at the name of a model before it goes anywhere.
func (f *Front) modelTyped(ctx context.Context, u *use) (*chat.Answer, error) {
	if tooLong(u.Option("model")) {
		a := u.text("model.long", "n", maxModelLen)
		return &a, nil
	}
	return f.noKeyTyped(ctx, u)
}

// tooLong tells whether a model's name has no room in the settings, or none in what Discord shows.
func tooLong(model string) bool {
	return len(model) > guild.MaxModel || utf8.RuneCountInString(model) > maxModelLen
}

// modelsOf are the models of a provider: those that it offered, without those that were taken out, and those that were added.
func (u *use) modelsOf(ctx context.Context, book guild.Book, p guild.Provider) ([]string, error) {
	models, err := book.Models(ctx, u.Guild, p.Name)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(models, func(m string) bool { return slices.Contains(p.Hidden, m) || slices.Contains(p.Added, m) })
	return append(slices.Clone(p.Added), list...), nil
}

// modelNames completes the name of a model of the provider that speaks; the one that speaks comes first.
func (f *Front) modelNames(ctx context.Context, u *use) ([]chat.Choice, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil || s.Uses() == nil {
		return nil, err
	}
	models, err := u.modelsOf(ctx, f.Book, *s.Uses())
	if err != nil {
		return nil, err
	}
	var all []chat.Choice
	for _, m := range first(models, s.Uses().Model) {
		if units(m) <= maxItem {
			all = append(all, chat.Choice{Name: m, Value: m})
		}
	}
	return complete(all, u.Option("model")), nil
}

// first moves one of the list to its front, if it is there.
func first(list []string, one string) []string {
	if n := slices.Index(list, one); n > 0 {
		return append([]string{one}, slices.Delete(slices.Clone(list), n, n+1)...)
	}
	return list
}

// modelMenu is a menu of a provider's models below an answer: the page, or for -1 the one on which the model stands that speaks.
func (u *use) modelMenu(ctx context.Context, book guild.Book, p guild.Provider, page int, chosen string) ([]chat.ActionRow, error) {
	models, err := u.modelsOf(ctx, book, p)
	if err != nil || len(models) == 0 {
		return nil, err
	}
	m := chat.Menu{ID: u.id("model", tag(p.Name)), Of: chat.OfTexts, Hint: u.say.Say("model.hint")}
	for _, name := range models {
		m.Items = append(m.Items, chat.MenuItem{Label: plain(name, maxItem), Value: modelValue(name), Chosen: name == chosen})
	}
	if page < 0 {
		page = pageWith(m.Items, modelValue(chosen))
	}
	return u.paged(m, page, func(n int) string { return u.id("page", tag(p.Name), fmt.Sprint(n)) }), nil
}

// modelValue stands for a model in a menu, where long names have no room.
func modelValue(name string) string {
	if units(name) <= maxItem {
		return name
	}
	return "#" + tag(name)
}

// modelPage turns the pages of the menu.
func (f *Front) modelPage(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	p := providerTagged(s, u.arg(0))
	if p == nil {
		return u.inPlace(u.text("provider.gone")), nil
	}
	rows, err := u.modelMenu(ctx, f.Book, *p, u.page(1), p.Model)
	return u.inPlace(chat.Answer{Text: u.modelNow(*p), Rows: rows}), err
}

func (u *use) modelNow(p guild.Provider) string {
	return u.say.Say("model.now", "name", shown(p.Name, maxProvider), "model", shown(p.Model, maxModelLen))
}

// modelPicked takes what was chosen in the menu.
func (b *Back) modelPicked(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, b.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	p := providerTagged(s, u.arg(0))
	if p == nil {
		return u.inPlace(u.text("provider.gone")), nil
	}
	model, err := u.picked(ctx, b.Book, *p)
	if err != nil {
		return chat.Answer{}, err
	}
	t, err := b.choose(ctx, u, p.Name, model)
	text, ok := u.reason(err)
	switch {
	case err != nil && !ok:
		return chat.Answer{}, err
	case err == nil:
		text = u.chose(t)
	}
	if s, err = u.settings(ctx, b.Book); err != nil {
		return chat.Answer{}, err
	}
	if p = providerTagged(s, u.arg(0)); p == nil {
		return u.inPlace(u.text("provider.gone")), nil
	}
	rows, err := u.modelMenu(ctx, b.Book, *p, -1, p.Model)
	return u.inPlace(chat.Answer{Text: text, Rows: rows}), err
}

// picked is the model that a value of the menu stands for.
func (u *use) picked(ctx context.Context, book guild.Book, p guild.Provider) (string, error) {
	models, err := u.modelsOf(ctx, book, p)
	if n := slices.IndexFunc(models, func(m string) bool { return modelValue(m) == u.chosen() }); n >= 0 {
		return models[n], err
	}
	return u.chosen(), err
}

// choose lets a provider speak with another model, once that one has answered.
func (b *Back) choose(ctx context.Context, u *use, provider, model string) (tried, error) {
	if tooLong(model) {
		return tried{}, no("model.long", "n", maxModelLen)
	}
	return b.retry(ctx, u, provider, model, func(p *guild.Provider, note *guild.Change) error {
		note.Was, note.Is = p.Model, model
		if p.Model == model {
			return guild.ErrSame
		}
		p.Model = model
		return nil
	})
}

// chose says what came of choosing.
func (u *use) chose(t tried) string {
	text := u.say.Say("model.chosen", "name", shown(t.Change.On, maxProvider), "is", shown(t.Change.Is, maxModelLen), "was", shown(t.Change.Was, maxModelLen), "time", u.seconds(t.Took))
	if t.Took >= slowAfter {
		text += "\n" + u.say.Say("provider.slow")
	}
	return text
}

// own is the provider that speaks, if it is the server's: what the installation's model is its operator chooses.
func (u *use) own(ctx context.Context, book guild.Book) (guild.Provider, error) {
	s, err := u.settings(ctx, book)
	if err != nil {
		return guild.Provider{}, err
	}
	if s.Uses() == nil {
		return guild.Provider{}, no("model.house")
	}
	return *s.Uses(), nil
}

func (b *Back) modelChoose(ctx context.Context, u *use) (chat.Answer, error) {
	p, err := u.own(ctx, b.Book)
	if err != nil {
		return u.declined(err)
	}
	t, err := b.choose(ctx, u, p.Name, strings.TrimSpace(u.Option("model")))
	if err != nil {
		return u.declined(err)
	}
	return chat.Answer{Text: u.chose(t)}, nil
}

func (f *Front) modelList(ctx context.Context, u *use) (chat.Answer, error) {
	p, err := u.own(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	rows, err := u.modelMenu(ctx, f.Book, p, -1, p.Model)
	text := u.modelNow(p)
	if len(rows) == 0 {
		text += "\n" + u.say.Say("model.no_list")
	}
	return chat.Answer{Text: text, Rows: rows}, err
}

func (b *Back) modelTest(ctx context.Context, u *use) (chat.Answer, error) {
	p, err := u.own(ctx, b.Book)
	var why *because
	if errors.As(err, &why) { // the installation's is looked at as the doctor does
		if err := b.Checks.Model(ctx); err != nil {
			return u.text("model.house_silent"), nil
		}
		return u.text("model.house_answers"), nil
	}
	if err != nil {
		return chat.Answer{}, err
	}
	return b.tested(ctx, u, p.Name)
}

// modelAdd puts a model that works into the list, also one that the server does not list.
func (b *Back) modelAdd(ctx context.Context, u *use) (chat.Answer, error) {
	p, err := u.own(ctx, b.Book)
	if err != nil {
		return u.declined(err)
	}
	model := strings.TrimSpace(u.Option("model"))
	if models, err := u.modelsOf(ctx, b.Book, p); err != nil {
		return chat.Answer{}, err
	} else if _, again, err := b.triedBefore(ctx, u); err != nil {
		return chat.Answer{}, err
	} else if slices.Contains(models, model) && !again {
		return u.text("model.listed", "model", shown(model, maxModelLen)), nil
	}
	t, err := b.retry(ctx, u, p.Name, model, func(p *guild.Provider, note *guild.Change) error {
		note.Is = model
		p.Hidden = slices.DeleteFunc(slices.Clone(p.Hidden), func(m string) bool { return m == model })
		if slices.Contains(p.Added, model) {
			return guild.ErrSame
		}
		if len(p.Added) >= guild.MaxOwnModels {
			return no("model.many", "n", guild.MaxOwnModels)
		}
		p.Added = append(slices.Clone(p.Added), model)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.text("model.added", "name", shown(t.Change.On, maxProvider), "model", shown(t.Change.Is, maxModelLen), "time", u.seconds(t.Took)), nil
}

// modelRemove takes a model out of the list from which people choose. Nothing happens to it at the provider.
func (f *Front) modelRemove(ctx context.Context, u *use) (chat.Answer, error) {
	if u.keyTyped() {
		return u.text("provider.form.key_elsewhere"), nil
	}
	p, err := u.own(ctx, f.Book)
	if err != nil {
		return u.declined(err)
	}
	model := strings.TrimSpace(u.Option("model"))
	offered, err := f.Book.Models(ctx, u.Guild, p.Name)
	if err != nil {
		return chat.Answer{}, err
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		now := s.ProviderNamed(p.Name)
		note.On, note.Was = p.Name, model
		added := now != nil && slices.Contains(now.Added, model)
		hidden := now != nil && slices.Contains(now.Hidden, model)
		switch {
		case now == nil:
			return no("provider.gone")
		case now.Model == model:
			return no("model.speaks", "model", shown(model, maxModelLen))
		case !added && (hidden || !slices.Contains(offered, model)):
			return no("model.unlisted", "model", shown(model, maxModelLen))
		case slices.Contains(offered, model) && len(now.Hidden) >= guild.MaxOwnModels:
			return no("model.many_hidden", "n", guild.MaxOwnModels)
		}
		now.Added = slices.DeleteFunc(slices.Clone(now.Added), func(m string) bool { return m == model })
		if slices.Contains(offered, model) {
			now.Hidden = append(slices.Clone(now.Hidden), model)
		}
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.text("model.removed", "model", shown(c.Was, maxModelLen), "name", shown(c.On, maxProvider)), nil
}
