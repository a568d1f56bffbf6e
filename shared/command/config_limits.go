package command

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// limitField is a number that a server can set.
type limitField struct {
	id          string
	least, most int
	of          func(*guild.Limits) *int
}

// limitFields are what the form asks for, in its order.
var limitFields = []limitField{
	{"reply", 200, guild.MaxReply, func(l *guild.Limits) *int { return &l.Reply }},
	{"history", 5, guild.MaxPast, func(l *guild.Limits) *int { return &l.History }},
	{"daily", 1, guild.MaxDaily, func(l *guild.Limits) *int { return &l.Daily }},
	{"messages", 1, guild.MaxSends, func(l *guild.Limits) *int { return &l.Messages }},
}

// limitsForm is the form for them.
func (u *use) limitsForm(is guild.Limits) chat.Modal {
	form := chat.Modal{ID: u.id("save"), Title: u.say.Say("config.limits.title")}
	for _, f := range limitFields {
		field := chat.Field{ID: f.id, Label: u.say.Say("config.limits." + f.id), Hint: u.say.Say("config.limits.hint", "least", f.least, "most", f.most), Max: 10}
		if n := *f.of(&is); n != 0 {
			field.Value = strconv.Itoa(n)
		}
		form.Fields = append(form.Fields, field)
	}
	return form
}

func (f *Front) configLimits(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	form := u.limitsForm(s.Limits)
	return chat.Answer{Modal: &form}, nil
}

func (f *Front) configLimitsAgain(ctx context.Context, u *use) (chat.Answer, error) {
	return u.reopened(ctx, f.Book, u.limitsForm(guild.Limits{}))
}

// typedNumber reads a number as people write it: with blanks, commas or other signs between the thousands, and in any digits.
func typedNumber(text string) (int, bool) {
	var digits strings.Builder
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits.WriteRune(r)
		case '０' <= r && r <= '９':
			digits.WriteRune(r - '０' + '0')
		case unicode.IsSpace(r), strings.ContainsRune(",，、'’_", r):
		default:
			return 0, false
		}
	}
	n, err := strconv.Atoi(digits.String())
	return n, err == nil
}

// configLimitsSave keeps what was written; an empty field goes back to the default.
func (f *Front) configLimitsSave(ctx context.Context, u *use) (chat.Answer, error) {
	var is guild.Limits
	var faults []string
	for _, field := range limitFields {
		typed := strings.TrimSpace(u.Field(field.id))
		if typed == "" {
			continue
		}
		n, ok := typedNumber(typed)
		if !ok || n < field.least || n > field.most {
			faults = append(faults, u.say.Say("config.limits.wrong", "what", u.say.Say("config.limits."+field.id), "typed", shown(typed, 40),
				"least", field.least, "most", field.most))
			continue
		}
		*field.of(&is) = n
	}
	if len(faults) > 0 {
		return u.refused(ctx, f.Book, faults, "again")
	}
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		if s.Limits == is {
			return guild.ErrSame
		}
		note.Was, note.Is = limitsNoted(s.Limits), limitsNoted(is)
		s.Limits = is
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	list := []string{u.say.Say("config.limits.done")}
	was, now := strings.Split(c.Was, " / "), strings.Split(c.Is, " / ")
	for n, field := range limitFields {
		if n < len(was) && n < len(now) {
			list = append(list, u.say.Say("config.limits.line", "what", u.say.Say("config.limits."+field.id), "is", u.value(now[n]), "was", u.value(was[n])))
		}
	}
	return u.inPlace(chat.Answer{Text: strings.Join(list, "\n")}), nil
}

// limitsNoted is what the notes say of limits, in the order of limitFields.
func limitsNoted(l guild.Limits) string {
	var list []string
	for _, f := range limitFields {
		word := defaultWord
		if n := *f.of(&l); n != 0 {
			word = strconv.Itoa(n)
		}
		list = append(list, word)
	}
	return strings.Join(list, " / ")
}
