package command

import (
	"context"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

const instructionsWord = "instructions"

// draftingWord is whether replies are reviewed, as the notes say it.
func draftingWord(d guild.Drafting) string {
	switch {
	case d.On:
		return onWord
	case d.Instructions != "":
		return instructionsWord
	}
	return offWord
}

// configDrafting lets replies be reviewed or no longer, or opens the form of what to look at.
func (f *Front) configDrafting(ctx context.Context, u *use) (chat.Answer, error) {
	switch set := u.Option("set"); set {
	case onWord, offWord:
		return u.set(ctx, f, "config.drafting.done", func(s *guild.Settings) (was, is string) {
			was, s.Drafting.On = draftingWord(s.Drafting), set == onWord
			return was, draftingWord(s.Drafting)
		})
	case instructionsWord:
		s, err := u.settings(ctx, f.Book)
		if err != nil {
			return chat.Answer{}, err
		}
		form := u.draftingForm(s.Drafting.Instructions)
		return chat.Answer{Modal: &form}, nil
	}
	return u.declined(no("config.unknown"))
}

func (u *use) draftingForm(is string) chat.Modal {
	return chat.Modal{ID: u.id("save"), Title: u.say.Say("config.drafting.title"), Fields: []chat.Field{{
		ID: instructionsWord, Label: u.say.Say("config.drafting.label"), Hint: u.say.Say("config.drafting.hint"),
		Value: fit(is, maxField), Long: true, Max: guild.MaxReview}}}
}

// configDraftingAgain opens the form as it was when it was refused.
func (f *Front) configDraftingAgain(ctx context.Context, u *use) (chat.Answer, error) {
	return u.reopened(ctx, f.Book, u.draftingForm(""))
}

// configDraftingSave keeps what was written; nothing written removes it.
func (f *Front) configDraftingSave(ctx context.Context, u *use) (chat.Answer, error) {
	is := tidy(u.Field(instructionsWord))
	if units(is) > guild.MaxReview {
		return u.refused(ctx, f.Book, []string{u.say.Say("config.drafting.long", "most", guild.MaxReview)}, "again")
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if s.Drafting.Instructions == is {
			return guild.ErrSame
		}
		note.Was, note.Is = plain(s.Drafting.Instructions, notedText), plain(is, notedText)
		s.Drafting.Instructions = is
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	text := u.say.Say("config.drafting.told", "is", u.orNothing(c.Is), "was", u.orNothing(c.Was))
	if !s.Drafting.On {
		text += "\n" + u.say.Say("config.drafting.idle")
	}
	return u.inPlace(chat.Answer{Text: text}), nil
}
