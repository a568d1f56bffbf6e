package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// whitelist is the list of channels that are answered in at all. While it is empty all are.
func (f *Front) whitelist(ctx context.Context, u *use) (chat.Answer, error) {
	in := u.place()
	switch u.Option("action") {
	case "list":
		return f.whitelistList(ctx, u)
	case "remove":
		return f.takenOff(ctx, u, in)
	case "clear":
		s, err := u.settings(ctx, f.Book)
		if err != nil {
			return chat.Answer{}, err
		}
		if len(s.Whitelist) == 0 {
			return u.text("channel.whitelist.empty"), nil
		}
		return u.confirm(u.say.Count("channel.whitelist.clear", len(s.Whitelist)), u.say.Say("channel.whitelist.open"), "clear"), nil
	}
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	if len(s.Whitelist) == 0 {
		return u.confirm(u.say.Say("channel.whitelist.first", "channel", link(in)), u.say.Say("channel.whitelist.close"), "close", short(string(in))), nil
	}
	return f.putOn(ctx, u, in)
}

// whitelistClose puts the first channel on the list, now that it is known what that means.
func (f *Front) whitelistClose(ctx context.Context, u *use) (chat.Answer, error) {
	return f.putOn(ctx, u, u.place())
}

func (f *Front) putOn(ctx context.Context, u *use, in chat.ChannelID) (chat.Answer, error) {
	return f.relist(ctx, u, in, func(list []chat.ChannelID) ([]chat.ChannelID, error) {
		switch {
		case slices.Contains(list, in):
			return nil, guild.ErrSame
		case len(list) >= guild.MaxWhitelist:
			return nil, no("channel.whitelist.full", "most", guild.MaxWhitelist)
		}
		return append(slices.Clone(list), in), nil
	})
}

func (f *Front) takenOff(ctx context.Context, u *use, in chat.ChannelID) (chat.Answer, error) {
	return f.relist(ctx, u, in, func(list []chat.ChannelID) ([]chat.ChannelID, error) {
		if !slices.Contains(list, in) {
			return nil, no("channel.whitelist.not_on", "channel", link(in))
		}
		return slices.DeleteFunc(slices.Clone(list), func(c chat.ChannelID) bool { return c == in }), nil
	})
}

// whitelistClear takes all channels off.
func (f *Front) whitelistClear(ctx context.Context, u *use) (chat.Answer, error) {
	return f.relist(ctx, u, "", func(list []chat.ChannelID) ([]chat.ChannelID, error) {
		if len(list) == 0 {
			return nil, guild.ErrSame
		}
		return nil, nil
	})
}

// relist changes the list and says what it became.
func (f *Front) relist(ctx context.Context, u *use, about chat.ChannelID, edit func([]chat.ChannelID) ([]chat.ChannelID, error)) (chat.Answer, error) {
	c, err := u.change(ctx, f.Book, "", func(s *guild.Settings, _ *guild.Channel, note *guild.Change) error {
		list, err := edit(s.Whitelist)
		if err != nil {
			return err
		}
		note.In, note.Was, note.Is = about, strconv.Itoa(len(s.Whitelist)), strconv.Itoa(len(list))
		s.Whitelist = list
		return nil
	})
	if err != nil {
		return u.declined(err)
	}
	was, is := number(c.Was), number(c.Is)
	texts := []string{u.relisted(c, was, is)}
	if is == 0 {
		texts = append(texts, u.say.Say("channel.whitelist.opened"))
	} else if was == 0 {
		texts = append(texts, u.say.Say("channel.whitelist.closed"))
	}
	return u.inPlace(chat.Answer{Text: strings.Join(texts, "\n")}), nil
}

func (u *use) relisted(c guild.Change, was, is int) string {
	switch {
	case c.In == "":
		return u.say.Say("channel.whitelist.cleared", "was", was)
	case is > was:
		return u.say.Say("channel.whitelist.added", "channel", link(c.In), "is", is, "was", was)
	}
	return u.say.Say("channel.whitelist.removed", "channel", link(c.In), "is", is, "was", was)
}

func number(text string) int { n, _ := strconv.Atoi(text); return n }

// whitelistList shows a page of the list. Channels that are gone cannot be named in a command: they are taken off by their number.
func (f *Front) whitelistList(ctx context.Context, u *use) (chat.Answer, error) {
	s, err := u.settings(ctx, f.Book)
	if err != nil {
		return chat.Answer{}, err
	}
	if len(s.Whitelist) == 0 {
		return u.inPlace(u.text("channel.whitelist.empty")), nil
	}
	menu := chat.Menu{ID: u.id("off"), Of: chat.OfTexts, Hint: u.say.Say("channel.whitelist.pick")}
	for n, c := range s.Whitelist {
		menu.Items = append(menu.Items, chat.MenuItem{Label: strconv.Itoa(n + 1), Value: string(c)})
	}
	rows := u.paged(menu, u.page(0), func(page int) string { return u.id("list", strconv.Itoa(page)) })
	text := []string{u.say.Count("channel.whitelist.listed", len(s.Whitelist))}
	for _, item := range rows[0].Menu.Items {
		text = append(text, fmt.Sprintf("`%s` %s", item.Label, link(chat.ChannelID(item.Value))))
	}
	return u.inPlace(chat.Answer{Text: u.listed(text), Rows: rows}), nil
}

// whitelistOff takes the channel off that was chosen in the list.
func (f *Front) whitelistOff(ctx context.Context, u *use) (chat.Answer, error) {
	return f.takenOff(ctx, u, chat.ChannelID(u.chosen()))
}
