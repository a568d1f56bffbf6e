package command

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func providerRows() []row {
	return []row{
		{path: "provider add", needs: chat.ManageGuild, work: work{now: (*Front).providerAdd},
			options: []option{
				{name: "kind", kind: chat.OptionText, required: true, choices: kindIDs},
				{name: "name", kind: chat.OptionText, min: 1, max: maxProvider},
			},
			steps: map[string]work{
				"form":  {look: (*Front).providerWritten, later: (*Back).providerAdded, secret: []string{fieldKey}, meanwhile: trying},
				"again": {now: (*Front).providerAgain, noted: true},
				"use":   {now: (*Front).providerUseNow},
				"page":  {now: (*Front).modelPage},
				"model": {later: (*Back).modelPicked, meanwhile: trying},
			}},
		{path: "provider list", needs: chat.ManageGuild, work: work{now: (*Front).providerList}},
		{path: "provider test", needs: chat.ManageGuild, work: work{look: (*Front).noKeyTyped, later: (*Back).providerTest},
			options:  []option{{name: "name", kind: chat.OptionText, required: true, max: maxProvider}},
			complete: map[string]completion{"name": (*Front).providerNames}},
		{path: "provider use", needs: chat.ManageGuild, work: work{now: (*Front).providerUse},
			options:  []option{{name: "name", kind: chat.OptionText, required: true, max: maxProvider}},
			complete: map[string]completion{"name": (*Front).speakerNames}},
		{path: "provider remove", needs: chat.ManageGuild, work: work{now: (*Front).providerRemove},
			options:  []option{{name: "name", kind: chat.OptionText, required: true, max: maxProvider}},
			steps:    map[string]work{"yes": {now: (*Front).providerRemoved}},
			complete: map[string]completion{"name": (*Front).providerNames}},
	}
}

// kindIDs are the IDs of guild.Kinds, whose names are in the texts.
var kindIDs = []string{"openai", "openrouter", "google", "anthropic", "deepseek", "nvidia", "zai", "zaicoding", "custom"}

// tag stands for a name in custom ids, which have no room for names.
func tag(name string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.Join(strings.Fields(name), " "))))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))
}

// providerTagged finds the provider that a tag stands for; nil when it is gone.
func providerTagged(s guild.Settings, t string) *guild.Provider {
	for n, p := range s.Providers {
		if tag(p.Name) == t {
			return &s.Providers[n]
		}
	}
	return nil
}

// trying is what stands in the place of a dialogue while a provider is asked.
func trying(u *use) chat.Answer { return u.text("provider.testing") }

// keyTyped tells whether there seems to be a key in what was given for the options. It must go nowhere.
func (u *use) keyTyped() bool {
	return slices.ContainsFunc(u.Options, func(o chat.Option) bool { return keyLike(o.Value) })
}

// noKeyTyped refuses such before it goes anywhere.
func (f *Front) noKeyTyped(_ context.Context, u *use) (*chat.Answer, error) {
	if !u.keyTyped() {
		return nil, nil
	}
	a := u.text("provider.form.key_elsewhere")
	return &a, nil
}

// providerAdd opens the form.
func (f *Front) providerAdd(_ context.Context, u *use) (chat.Answer, error) {
	k, ok := guild.KindOf(u.Option("kind"))
	if !ok {
		return u.text("provider.no_kind"), nil
	}
	if u.keyTyped() {
		return u.text("provider.form.key_elsewhere"), nil
	}
	name := u.Option("name")
	m := u.providerForm(u.id("form", k.ID), k, true, plain(name, maxProvider))
	return chat.Answer{Modal: &m}, nil
}

// providerAgain opens the form as it was when it was refused, without the key.
func (f *Front) providerAgain(ctx context.Context, u *use) (chat.Answer, error) {
	k, ok := guild.KindOf(u.arg(1))
	if !ok {
		return u.inPlace(u.text("provider.no_kind")), nil
	}
	return u.reopened(ctx, f.Book, u.providerForm(u.id("form", k.ID), k, true, ""))
}

// providerAdded tries what was written, and keeps it.
func (b *Back) providerAdded(ctx context.Context, u *use) (chat.Answer, error) {
	o, ok := u.offered(u.arg(0))
	if !ok {
		return u.inPlace(u.text("provider.no_kind")), nil
	}
	t, err := b.tryOffer(ctx, u, o, false)
	if err != nil {
		return b.undone(ctx, u, err, "again", o.kind.ID)
	}
	return u.added(ctx, b.Book, t)
}

// added tells of a provider that works, and offers its models.
func (u *use) added(ctx context.Context, book guild.Book, t tried) (chat.Answer, error) {
	s, err := u.settings(ctx, book)
	if err != nil {
		return chat.Answer{}, err
	}
	p := s.ProviderNamed(t.Change.On)
	if p == nil {
		return u.inPlace(u.text("provider.gone")), nil
	}
	text := u.worked(t)
	speaks := s.Uses() == p
	if speaks {
		text += "\n" + u.say.Say("provider.speaks", "name", shown(p.Name, maxProvider))
	} else {
		text += "\n" + u.say.Say("provider.waits", "name", shown(p.Name, maxProvider), "other", shown(s.Provider, maxProvider))
	}
	rows, err := u.modelMenu(ctx, book, *p, -1, p.Model)
	if err != nil {
		return chat.Answer{}, err
	}
	if !speaks {
		rows = append(rows, chat.ActionRow{Buttons: []chat.Button{{ID: u.id("use", tag(p.Name)), Label: u.say.Say("provider.use_it"), Style: chat.Primary}}})
	}
	return u.inPlace(chat.Answer{Text: text, Rows: rows}), nil
}

// worked says what came of a try: that it works, how long it took, and what was there before.
func (u *use) worked(t tried) string {
	text := u.say.Say("provider.works", "name", shown(t.Change.On, maxProvider), "what", shown(t.Change.Is, lineLength), "time", u.seconds(t.Took))
	if t.Took >= slowAfter {
		text += "\n" + u.say.Say("provider.slow")
	}
	if t.Unknown != "" {
		text += "\n" + u.say.Say("provider.unknown", "model", shown(t.Unknown, maxModelLen))
	}
	if t.Change.Was != "" {
		text += "\n" + u.say.Say("provider.was", "what", shown(t.Change.Was, lineLength))
	}
	return text
}

// lineLength is how long a line of the notes may be (store, Book).
const lineLength = 200

func (f *Front) providerList(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	list := []string{u.say.Say("provider.list")}
	for _, p := range s.Providers {
		list = append(list, u.providerLine(p, s.Uses() != nil && guild.SameName(s.Provider, p.Name)))
	}
	house := "provider.house"
	if !f.offers(u.Guild) {
		house = "provider.house_closed"
	}
	list = append(list, mark(s.Uses() == nil && f.offers(u.Guild))+u.say.Say(house))
	if len(s.Providers) == 0 {
		list = append(list, "-# "+u.say.Say("provider.none_yet"))
	} else {
		list = append(list, "-# "+u.say.Say("provider.legend"))
	}
	return chat.Answer{Text: u.listed(list)}, nil
}

// mark begins the line of what speaks, and of what does not.
func mark(speaks bool) string {
	if speaks {
		return "▶ "
	}
	return "· "
}

func (u *use) providerLine(p guild.Provider, speaks bool) string {
	key := u.say.Say("provider.keyless")
	if len(p.Key) > 0 {
		key = tail(p)
	}
	tested := u.say.Say("provider.untested")
	if !p.Tested.IsZero() {
		tested = u.say.Say("provider.tested", "when", fmt.Sprintf("<t:%d:R>", p.Tested.Unix()))
	}
	return mark(speaks) + strings.Join([]string{"**" + shown(p.Name, maxProvider) + "**", shown(hostOf(p.URL), 80), shown(p.Model, maxModelLen), key, tested}, " · ")
}

// providerTest asks a provider for a word.
func (b *Back) providerTest(ctx context.Context, u *use) (chat.Answer, error) {
	return b.tested(ctx, u, u.Option("name"))
}

func (b *Back) tested(ctx context.Context, u *use, name string) (chat.Answer, error) {
	t, err := b.retry(ctx, u, name, "", func(p *guild.Provider, note *guild.Change) error {
		note.Is = sketch(*p)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.inPlace(chat.Answer{Text: u.worked(t)}), nil
}

// providerUse lets another provider speak.
func (f *Front) providerUse(ctx context.Context, u *use) (chat.Answer, error) {
	if u.keyTyped() {
		return u.text("provider.form.key_elsewhere"), nil
	}
	return f.speak(ctx, u, u.Option("name"))
}

func (f *Front) providerUseNow(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	p := providerTagged(s, u.arg(0))
	if p == nil {
		return u.inPlace(u.text("provider.gone")), nil
	}
	return f.speak(ctx, u, p.Name)
}

func (f *Front) speak(ctx context.Context, u *use, name string) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	house := guild.SameName(name, houseName)
	if house && !f.offers(u.Guild) {
		return u.inPlace(u.text("provider.house_refused")), nil
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		next := ""
		if p := s.ProviderNamed(name); p != nil {
			next = p.Name
		} else if !house {
			return no("provider.none", "name", shown(name, maxProvider))
		}
		note.Was, note.Is = speaker(*s), next
		if s.Uses() != nil && guild.SameName(s.Provider, next) || s.Uses() == nil && house {
			return guild.ErrSame
		}
		s.Provider = next
		note.Is = speaker(*s)
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	return u.inPlace(u.text("provider.used", "is", u.called(c.Is), "was", u.called(c.Was))), nil
}

// speaker is what speaks, for the notes.
func speaker(s guild.Settings) string {
	if p := s.Uses(); p != nil {
		return p.Name
	}
	return houseName
}

// called is what speaks, for people.
func (u *use) called(speaker string) string {
	if speaker == houseName {
		return u.say.Say("provider.house")
	}
	return shown(speaker, maxProvider)
}

// providerRemove asks before a provider is forgotten.
func (f *Front) providerRemove(ctx context.Context, u *use) (chat.Answer, error) {
	if u.keyTyped() {
		return u.text("provider.form.key_elsewhere"), nil
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	p := s.ProviderNamed(u.Option("name"))
	if p == nil {
		return u.text("provider.none", "name", shown(u.Option("name"), maxProvider)), nil
	}
	text := u.say.Say("provider.remove", "name", shown(p.Name, maxProvider), "what", shown(sketch(*p), lineLength))
	if s.Uses() == p {
		text += "\n" + u.say.Say(f.after(u.Guild))
	}
	return u.confirm(text, u.say.Say("provider.remove_it"), "yes", tag(p.Name)), nil
}

// after is the key of what speaks where a server's provider is gone.
func (f *Front) after(g string) string {
	if f.offers(g) {
		return "provider.then_house"
	}
	return "provider.then_nobody"
}

func (f *Front) providerRemoved(ctx context.Context, u *use) (chat.Answer, error) {
	if _, err := u.settings(ctx, f.Book); err != nil {
		return chat.Answer{}, err
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		p := providerTagged(*s, u.arg(0))
		if p == nil {
			return no("provider.gone")
		}
		name := p.Name
		note.On, note.Was, note.Is = name, sketch(*p), speaker(*s)
		if s.Uses() == p {
			s.Provider, note.Is = "", "" // nothing of the server's speaks any more
		}
		s.Providers = slices.DeleteFunc(s.Providers, func(other guild.Provider) bool { return other.Name == name })
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	text := u.say.Say("provider.removed", "name", shown(c.On, maxProvider), "what", shown(c.Was, lineLength))
	if c.Is == "" {
		text += "\n" + u.say.Say(f.after(u.Guild))
	}
	return u.inPlace(chat.Answer{Text: text}), nil
}

// providerNames completes the name of a provider.
func (f *Front) providerNames(ctx context.Context, u *use) ([]chat.Choice, error) {
	s, err := u.settings(ctx, f.Book)
	return complete(providerChoices(s), u.Option(u.Focused)), err
}

func providerChoices(s guild.Settings) (all []chat.Choice) {
	for _, p := range s.Providers {
		all = append(all, chat.Choice{Name: plain(p.Name+" · "+p.Model, maxItem), Value: p.Name})
	}
	return all
}

// speakerNames are those of the providers, and of the installation's model where it may speak.
func (f *Front) speakerNames(ctx context.Context, u *use) ([]chat.Choice, error) {
	s, err := u.settings(ctx, f.Book)
	all := providerChoices(s)
	if f.offers(u.Guild) {
		all = append(all, chat.Choice{Name: u.say.Say("provider.house"), Value: houseName})
	}
	return complete(all, u.Option(u.Focused)), err
}
