package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// written is what somebody wrote into a form that could not be taken.
type written struct {
	By     chat.UserID   `json:"by"`
	Fields []chat.Option `json:"fields"`
}

// refused says, a line each, why a form cannot be taken. What was written is kept as long as the answer can be used, and a
// button leads to the step that opens the form again (reopened; its work is noted, as the answer may stand in an old message).
// Secrets are not kept.
func (u *use) refused(ctx context.Context, book guild.Book, faults []string, again string, args ...string) (chat.Answer, error) {
	w := written{By: u.User}
	for _, f := range u.Fields {
		if !slices.Contains(u.work().secret, f.Name) {
			w.Fields = append(w.Fields, f)
		}
	}
	body, err := json.Marshal(w)
	if err != nil {
		return chat.Answer{}, fmt.Errorf("keep form %s: %w", u.ID, err)
	}
	if err := book.Note(ctx, u.Guild, formNote(string(u.ID)), body, stale); err != nil {
		return chat.Answer{}, err
	}
	list := []string{u.say.Say("dialog.wrong")}
	for _, f := range faults {
		list = append(list, "- "+f)
	}
	return u.inPlace(chat.Answer{Text: u.listed(list), Rows: []chat.ActionRow{{Buttons: []chat.Button{
		{ID: u.id(again, append([]string{short(string(u.ID))}, args...)...), Label: u.say.Say("dialog.correct"), Style: chat.Primary},
		{ID: u.id(keepStep), Label: u.say.Say("dialog.leave"), Style: chat.Plain},
	}}}}), nil
}

func formNote(interaction string) string { return "form-" + interaction }

// reopened opens a form filled in as it was when it was refused. The first argument of the step's custom id says which it was.
func (u *use) reopened(ctx context.Context, book guild.Book, m chat.Modal) (chat.Answer, error) {
	body, err := book.Noted(ctx, u.Guild, formNote(long(u.arg(0))))
	if err != nil {
		return chat.Answer{}, err
	}
	var w written
	if len(body) == 0 || json.Unmarshal(body, &w) != nil || w.By != u.User {
		return u.inPlace(u.text("dialog.gone")), nil
	}
	return chat.Answer{Modal: filled(m, w.Fields)}, nil
}

// filled is a form with what is known of its fields. What a field would not take is cut.
func filled(m chat.Modal, with []chat.Option) *chat.Modal {
	m.Fields = slices.Clone(m.Fields)
	for n, f := range m.Fields {
		for _, o := range with {
			if o.Name == f.ID {
				most := f.Max
				if most == 0 {
					most = maxField
				}
				m.Fields[n].Value = fit(o.Value, most)
			}
		}
	}
	return &m
}

// maxField is what a field of a form takes (Discord, Text Input).
const maxField = 4000

// fit is the beginning of a text that a field takes, without a sign that it was cut: it would be stored.
func fit(text string, most int) string {
	if units(text) <= most {
		return text
	}
	return strings.TrimSuffix(cut(text+"…", most+1), "…") // what is longer is cut, also by one
}

// fitsForm tells whether a field of a form can hold the text.
func fitsForm(text string) bool { return units(text) <= maxField }
