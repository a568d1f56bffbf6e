package command

import (
	"context"
	"errors"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// because is why something is not done, by the key of a text and what fills it in. An edit that fails with it changes nothing,
// and the person reads it.
type because struct {
	key  string
	fill []any
}

// Error is the key: what fills the text in may be what people wrote.
func (b *because) Error() string { return b.key }

// no is an error that a person reads.
func no(key string, fill ...any) error { return &because{key, fill} }

// change edits what the server and, where one is named, its channel have set, and notes that this person did so by this command.
// Repeated for the same interaction it changes nothing and returns what was noted, so answers are made of the Change alone, or of
// what is read after it. What it fails with is for declined.
func (u *use) change(ctx context.Context, book guild.Book, in chat.ChannelID, edit guild.Edit) (guild.Change, error) {
	at, ok := chat.SnowflakeTime(string(u.ID))
	if !ok {
		at = time.Now()
	}
	header := guild.Change{ID: u.ID, By: u.User, At: at, What: u.row.path, In: in}
	made := false
	c, err := book.Change(ctx, u.Guild, in, header, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		made = true
		u.language(*s)
		if err := edit(s, c, note); err != nil {
			return err
		}
		if u.GuildLocale != "" {
			s.Locale = u.GuildLocale
		}
		return nil
	})
	if err == nil && !made { // a repetition is answered in the same language
		_, err = u.settings(ctx, book)
	}
	return c, err
}

// changeCast is change for who lives in the server. A server that had none of its own gets copies of the installation's personas
// first, with the same ids, so that nobody vanishes from it and channels keep who answers in them.
func (u *use) changeCast(ctx context.Context, book guild.Book, in chat.ChannelID, edit guild.Edit) (guild.Change, error) {
	installation, err := book.Settings(ctx, "")
	if err != nil {
		return guild.Change{}, err
	}
	return u.change(ctx, book, in, func(s *guild.Settings, c *guild.Channel, note *guild.Change) error {
		if !s.Own {
			s.Own, s.Personas = true, installation.Personas
		}
		s.Personas = slices.Clone(s.Personas) // edits replace what is in a persona, they do not write into it
		return edit(s, c, note)
	})
}

// declined turns the error of a change into what a person reads. Other errors stay errors: of a store that is away, say.
func (u *use) declined(err error) (chat.Answer, error) {
	text, ok := u.reason(err)
	if !ok {
		return chat.Answer{}, err
	}
	return u.inPlace(chat.Answer{Text: text}), nil
}

// reason is what a person reads of an error; false when it is none of theirs.
func (u *use) reason(err error) (string, bool) {
	var why *because
	switch {
	case errors.As(err, &why):
		return u.say.Say(why.key, why.fill...), true
	case errors.Is(err, guild.ErrSame):
		return u.say.Say("dialog.same"), true
	case errors.Is(err, guild.ErrTooMuch):
		return u.say.Say("dialog.too_much"), true
	case errors.Is(err, guild.ErrInvalid):
		return u.say.Say("dialog.invalid"), true
	}
	return "", false
}

// settings reads what the server has set, and speaks its language from then on.
func (u *use) settings(ctx context.Context, book guild.Book) (guild.Settings, error) {
	s, err := book.Settings(ctx, u.Guild)
	if err == nil {
		u.language(s)
	}
	return s, err
}

// cast reads who lives in the server: its own personas, or the installation's until it has some.
func (u *use) cast(ctx context.Context, book guild.Book) ([]persona.Persona, guild.Settings, error) {
	s, err := u.settings(ctx, book)
	if err != nil || s.Own || u.Guild == "" {
		return s.Personas, s, err
	}
	installation, err := book.Settings(ctx, "")
	return installation.Personas, s, err
}
