package command

import (
	"context"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// view is the guide at a step: what is done, what came of the last step, and the controls of this one.
func (g guide) view(at, note string) chat.Answer {
	parts := []string{g.head(at)}
	if note != "" {
		parts = append(parts, note)
	}
	var body string
	var rows []chat.ActionRow
	switch at {
	case stepModel:
		body, rows = g.modelStep()
	case stepPersonas:
		body, rows = g.personasStep()
	case stepChannel:
		body, rows = g.channelStep()
	case stepHumanizer:
		body, rows = g.humanizerStep()
	default:
		body, rows = g.doneStep()
	}
	return g.inPlace(chat.Answer{Text: cut(strings.Join(append(parts, body), "\n\n"), maxText), Rows: rows})
}

// head is a line for each step.
func (g guide) head(at string) string {
	list := []string{"**" + g.say.Say("setup.title") + "**"}
	for _, step := range setupSteps {
		name := g.say.Say("setup.names." + step)
		line := "· " + name
		switch {
		case step == at && g.done(step):
			line = "▶ **" + name + "**: " + g.what(step)
		case step == at:
			line = "▶ **" + name + "**"
		case g.done(step):
			line = "✅ " + name + ": " + g.what(step)
		case at == stepDone:
			line = "❌ " + name
		}
		list = append(list, line)
	}
	return strings.Join(list, "\n")
}

// inGuide is an answer to a form of the guide that was refused, as a part of the guide: it can be gone on with in another way too.
func (u *use) inGuide(ctx context.Context, book guild.Book, house bool, step string, a chat.Answer) (chat.Answer, error) {
	g, err := u.guide(ctx, book, house)
	if err != nil {
		return chat.Answer{}, err
	}
	a.Text = cut(g.head(step)+"\n\n"+a.Text, maxText)
	back := u.to(step, "setup.back")
	if len(a.Rows) == 0 {
		a.Rows = []chat.ActionRow{{Buttons: []chat.Button{back}}}
	} else {
		a.Rows[0].Buttons[len(a.Rows[0].Buttons)-1] = back // in place of leaving it
	}
	return a, nil
}

// what is what was chosen in a step.
func (g guide) what(step string) string {
	switch step {
	case stepModel:
		if p := g.s.Uses(); p != nil {
			return shown(p.Name, maxProvider) + " · " + shown(sketch(*p), lineLength)
		}
		return g.say.Say("provider.house")
	case stepPersonas:
		return shown(names(g.cast, lineLength), lineLength)
	case stepChannel:
		if g.home.Always {
			return g.say.Say("setup.channel.always", "channel", link(g.s.Setup.Home))
		}
		return g.say.Say("setup.channel.called")
	}
	return g.say.Say("setup.humanizer." + string(humanizer(g.s)) + ".name")
}

// to is a button that leads to a step.
func (u *use) to(step, label string) chat.Button {
	return chat.Button{ID: u.id("go", step), Label: u.say.Say(label), Style: chat.Plain}
}

func (g guide) modelStep() (string, []chat.ActionRow) {
	var rows []chat.ActionRow
	body := g.say.Say("setup.model.own_only")
	if g.house {
		body = g.say.Say("setup.model.about")
		rows = append(rows, chat.ActionRow{Buttons: []chat.Button{{ID: g.id("house"), Label: g.say.Say("setup.model.house"), Style: chat.Primary}}})
	}
	m := chat.Menu{ID: g.id("kind"), Of: chat.OfTexts, Hint: g.say.Say("setup.model.hint")}
	for _, p := range g.s.Providers {
		m.Items = append(m.Items, chat.MenuItem{Label: plain(p.Name, maxItem), Value: ofStored + tag(p.Name), Hint: plain(sketch(p), maxItem)})
	}
	for _, k := range guild.Kinds {
		hint := g.say.Say("setup.model.key")
		if k.URL == "" {
			hint = g.say.Say("setup.model.custom")
		}
		m.Items = append(m.Items, chat.MenuItem{Label: g.kindName(k), Value: ofKind + k.ID, Hint: plain(hint, maxItem)})
	}
	rows = append(rows, chat.ActionRow{Menu: &m})
	if g.done(stepModel) || g.house {
		return body, rows
	}
	return body, append(rows, chat.ActionRow{Buttons: []chat.Button{g.to(stepPersonas, "setup.skip")}})
}

// kindName is what people call a kind: the company's name, and our words where there is none.
func (u *use) kindName(k guild.Kind) string {
	return u.say.Say("commands.provider.add.choices.kind." + k.ID)
}

// kindView says how to come by what reaches a provider of the kind.
func (g guide) kindView(k guild.Kind) chat.Answer {
	body := g.say.Say("setup.model.enter", "kind", g.kindName(k))
	var buttons []chat.Button
	if k.URL == "" {
		body = g.say.Say("setup.model.enter_custom")
	}
	if k.Keys != "" {
		buttons = append(buttons, chat.Button{Label: g.say.Say("setup.model.make"), URL: k.Keys})
	}
	buttons = append(buttons, chat.Button{ID: g.id("enter", k.ID), Label: g.say.Say("setup.model.enter_it"), Style: chat.Primary}, g.to(stepModel, "setup.back"))
	return g.inPlace(chat.Answer{Text: g.head(stepModel) + "\n\n" + body, Rows: []chat.ActionRow{{Buttons: buttons}}})
}

// modelsView offers the models of a provider, after it was tried.
func (g guide) modelsView(ctx context.Context, book guild.Book, t string, page int, note string) (chat.Answer, error) {
	p := providerTagged(g.s, t)
	if p == nil {
		return g.view(stepModel, "⚠️ "+g.say.Say("provider.gone")), nil
	}
	rows, err := g.modelMenu(ctx, book, *p, page, p.Model)
	if err != nil {
		return chat.Answer{}, err
	}
	body := g.say.Say("setup.model.choose")
	if len(rows) == 0 {
		body = g.say.Say("model.no_list")
	}
	if note != "" {
		body = note + "\n\n" + body
	}
	rows = append(rows, chat.ActionRow{Buttons: []chat.Button{
		{ID: g.id("go", g.next(stepModel)), Label: plain(g.say.Say("setup.model.keep", "model", p.Model), maxLabel), Style: chat.Primary},
		g.to(stepModel, "setup.back"),
	}})
	return g.inPlace(chat.Answer{Text: cut(g.head(stepModel)+"\n\n"+body, maxText), Rows: rows}), nil
}

func (g guide) personasStep() (string, []chat.ActionRow) {
	body, keep := "setup.personas.about", "setup.personas.keep"
	if g.s.Own {
		body, keep = "setup.personas.about_own", "setup.personas.keep_own"
	}
	buttons := []chat.Button{{ID: g.id("all"), Label: plain(g.say.Say(keep, "names", names(g.cast, 50)), maxLabel), Style: chat.Primary}}
	if len(g.cast) == 0 {
		body, buttons = "setup.personas.nobody", nil
	}
	if len(g.cast) < guild.MaxPersonas || !g.s.Own {
		buttons = append(buttons, chat.Button{ID: g.id("write"), Label: g.say.Say("setup.personas.write"), Style: chat.Plain})
	}
	rows := []chat.ActionRow{{Buttons: append(buttons, g.to(stepModel, "setup.back"))}}
	if !g.s.Own && len(g.cast) > 1 {
		m := chat.Menu{ID: g.id("only"), Of: chat.OfTexts, Hint: g.say.Say("setup.personas.only")}
		for _, p := range g.cast[:min(len(g.cast), maxItems)] {
			m.Items = append(m.Items, chat.MenuItem{Label: plain(p.Name, maxItem), Value: p.ID})
		}
		rows = append(rows, chat.ActionRow{Menu: &m})
	}
	return g.say.Say(body), rows
}

// Types of channels in which people write (Discord, Channel Types).
const (
	channelText         = 0
	channelAnnouncement = 5
)

func (g guide) channelStep() (string, []chat.ActionRow) {
	m := chat.Menu{ID: g.id("place"), Of: chat.OfChannels, Hint: g.say.Say("setup.channel.hint"), Channels: []int{channelText, channelAnnouncement}}
	if g.home.Always {
		m.Chosen = []string{string(g.s.Setup.Home)}
	}
	buttons := []chat.Button{{ID: g.id("called"), Label: g.say.Say("setup.channel.only_called"), Style: chat.Plain}, g.to(stepPersonas, "setup.back")}
	if !g.Thread {
		buttons = append([]chat.Button{{ID: g.id("here"), Label: g.say.Say("setup.channel.here"), Style: chat.Primary}}, buttons...)
	}
	return g.say.Say("setup.channel.about"), []chat.ActionRow{{Buttons: buttons}, {Menu: &m}}
}

func (g guide) humanizerStep() (string, []chat.ActionRow) {
	list := []string{g.say.Say("setup.humanizer.about")}
	var buttons []chat.Button
	for _, h := range guild.Humanizers {
		name := g.say.Say("setup.humanizer." + string(h) + ".name")
		list = append(list, "- **"+name+"**: "+g.say.Say("setup.humanizer."+string(h)+".means"))
		style := chat.Plain
		if h == humanizer(g.s) {
			style = chat.Primary
		}
		buttons = append(buttons, chat.Button{ID: g.id("humanizer", string(h)), Label: name, Style: style})
	}
	return strings.Join(list, "\n"), []chat.ActionRow{{Buttons: append(buttons, g.to(stepChannel, "setup.back"))}}
}

// doneStep says where to say hello and how.
func (g guide) doneStep() (string, []chat.ActionRow) {
	var rows []chat.ActionRow
	var buttons []chat.Button
	for _, step := range setupSteps {
		style := chat.Plain
		if !g.done(step) {
			style = chat.Primary
		}
		buttons = append(buttons, chat.Button{ID: g.id("go", step), Label: g.say.Say("setup.changes." + step), Style: style})
	}
	rows = append(rows, chat.ActionRow{Buttons: buttons})
	switch {
	case !g.done(stepModel):
		return g.say.Say("setup.done.no_model"), rows
	case len(g.cast) == 0:
		return g.say.Say("setup.done.nobody"), rows
	}
	main := mainOf(g.cast)
	where, hello := link(g.Channel), g.say.Say("setup.done.hello_name", "name", strings.ReplaceAll(plain(main.Name, 80), "`", "'"))
	if g.home.Always {
		where, hello = link(g.s.Setup.Home), g.say.Say("setup.done.hello")
	}
	return g.say.Say("setup.done.about", "where", where, "hello", "```\n"+hello+"\n```", "name", shown(main.Name, 80)), rows
}
