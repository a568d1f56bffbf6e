package command_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

func TestAlwaysOnSaysWhoAnswersAndWhatWas(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("channel always", "on", "true", "persona", "fenn")
	p.reads("<#7>: Every message of a person is answered; **Fenn**", "Before: Answered is what addresses somebody", "**Mira**")
	if at := p.book.in("1", "7"); !at.Always || at.Host != "fenn" || p.book.is("1").Own {
		t.Errorf("set is %+v", at)
	}
	p.again()
	p.reads("Before: Answered is what addresses somebody") // the same change, told once more
	if n := len(p.book.noted("1")); n != 1 {
		t.Errorf("%d changes", n)
	}
	p.uses("channel always", "on", "true", "persona", "fenn")
	p.reads("set like this already")
	p.uses("channel always", "on", "true", "persona", "Nobody*")
	p.reads(`Nobody called **Nobody\*** lives here`)
	p.uses("channel always", "on", "false", "channel", "8")
	p.reads("set like this already")
	p.uses("channel always", "on", "false")
	p.reads("<#7>: Answered is what addresses somebody", "**Fenn** answers", "Before: Every message")
	if c := p.book.noted("1")[0]; c.What != "channel always" || c.In != "7" || c.Was != "always: Fenn" || c.Is != "addressed: Fenn" {
		t.Errorf("noted %+v", c)
	}
	if got := p.types("channel always", "persona", "qu"); len(got) != 1 || got[0].Value != "quill" {
		t.Errorf("qu completes to %v", got)
	}
}

func TestAlwaysOnSaysWhatIsInTheWay(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = []chat.ChannelID{"9"} })
	p.who.BotMay, p.who.Thread = chat.ViewChannel, true
	p.uses("channel always", "on", "true")
	p.reads("not on the whitelist", "lacks Send Messages in Threads, Read Message History", "This is a thread")
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Own, s.Whitelist = true, nil })
	p.uses("channel always", "on", "true", "channel", "8")
	p.reads("<#8>: Every message of a person would be answered, but nobody lives here yet")
	if strings.Contains(p.sees.Text, "⚠️") {
		t.Errorf("nothing is in the way in another channel: %s", p.sees.Text)
	}
}

func TestAPromptIsWrittenChangedAndRemoved(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("channel prompt")
	p.fills("prompt", " *All* aboard.\r\nKeep it short. ")
	p.reads(`is now: \*All\* aboard. Keep it short.`, "Before: nothing")
	if at := p.book.in("1", "7"); at.Prompt != "*All* aboard.\nKeep it short." {
		t.Errorf("kept %q", at.Prompt)
	}
	p.uses("channel prompt", "channel", "7")
	if v := p.sees.Modal.Fields[0].Value; v != "*All* aboard.\nKeep it short." {
		t.Errorf("the form has %q", v)
	}
	p.fills()
	p.reads("set like this already")
	p.uses("channel prompt", "channel", "18446744073709551615")
	p.fills("prompt", strings.Repeat("あ", guild.MaxPrompt))
	if at := p.book.in("1", "18446744073709551615"); len([]rune(at.Prompt)) != guild.MaxPrompt {
		t.Errorf("kept %d characters", len([]rune(at.Prompt)))
	}
	p.uses("channel prompt")
	p.fills("prompt", "  ")
	p.reads("is now: nothing", `Before: \*All\* aboard.`)
	if at := p.book.in("1", "7"); at != (guild.Channel{}) {
		t.Errorf("kept %+v", at)
	}
}

func TestAPromptThatIsTooLongIsNotLost(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("channel prompt", "channel", "8")
	p.fills("prompt", strings.Repeat("あ", guild.MaxPrompt)+"い") // no client of Discord's lets one, but others may
	p.reads("at most 4000 characters")
	p.presses("Correct it")
	if f := p.sees.Modal.Fields[0]; f.Value != strings.Repeat("あ", guild.MaxPrompt) {
		t.Errorf("the form has %d characters", len([]rune(f.Value)))
	}
	p.fills("prompt", "short")
	p.reads("<#8> is now: short")
}

func TestTheFirstOnTheWhitelistClosesTheOthers(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("channel whitelist", "action", "list")
	p.reads("every channel is answered in")
	p.uses("channel whitelist", "action", "add")
	p.reads("<#7> would be the first", "All other channels are closed")
	if len(p.book.noted("1")) > 0 {
		t.Error("nobody was asked")
	}
	p.presses("Keep it")
	p.reads("Nothing was changed")
	p.uses("channel whitelist", "action", "add", "channel", "18446744073709551610")
	p.presses("Close the others")
	p.reads("<#18446744073709551610> is on the whitelist now. Channels on it: **1** (was 0)", "All other channels are closed now")
	if !p.sees.Update {
		t.Error("the question stays")
	}
	p.uses("channel whitelist", "action", "add")
	p.reads("<#7> is on the whitelist now. Channels on it: **2** (was 1)")
	p.uses("channel whitelist", "action", "add")
	p.reads("already")
	if got := p.book.is("1").Whitelist; !slices.Equal(got, []chat.ChannelID{"18446744073709551610", "7"}) {
		t.Errorf("the list is %v", got)
	}
}

func TestTheLastOffTheWhitelistOpensAll(t *testing.T) {
	p := newHouse(t).admin()
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = []chat.ChannelID{"7", "8", "9"} })
	p.uses("channel whitelist", "action", "remove", "channel", "6")
	p.reads("<#6> is not on the whitelist")
	p.uses("channel whitelist", "action", "list")
	p.reads("`1` <#7>", "`2` <#8>", "`3` <#9>")
	p.chooses("8")
	p.reads("<#8> is off the whitelist now. Channels on it: **2** (was 3)")
	p.uses("channel whitelist", "action", "clear")
	p.reads("2 channels are on the whitelist")
	p.presses("Open all channels")
	p.reads("**0** (was 2)", "every channel is answered in again")
	p.uses("channel whitelist", "action", "clear")
	p.reads("No channel is on the whitelist")
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = []chat.ChannelID{"7"} })
	p.uses("channel whitelist", "action", "remove")
	p.reads("**0** (was 1)", "every channel is answered in again")
}

func TestTheWhitelistHasPagesAndAnEnd(t *testing.T) {
	p := newHouse(t).admin()
	var list []chat.ChannelID
	for n := range guild.MaxWhitelist {
		list = append(list, chat.ChannelID(strconv.Itoa(1234567890123456000+n)))
	}
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = list })
	p.uses("channel whitelist", "action", "add")
	p.reads("The whitelist is full: it has 100 channels")
	p.uses("channel whitelist", "action", "list")
	p.presses("▶")
	p.presses("▶")
	p.reads("100 channels only", "`51` <#1234567890123456050>", "`75` <#")
	p.chooses("1234567890123456060")
	p.reads("<#1234567890123456060> is off", "**99** (was 100)")
}

func TestShowSaysWhatCountsInAChannel(t *testing.T) {
	h := newHouse(t)
	p := h.admin()
	p.uses("channel show")
	p.reads("What counts in <#7>", "**Mira** answers", "No whitelist", "Prompt: nothing", "Model: the model of this installation (default)", "Streaming: on (default)", "The bot may read and write in it")
	p.book.set("1", "8", func(s *guild.Settings, c *guild.Channel) {
		*c = guild.Channel{Always: true, Host: "quill", Prompt: "Be *brief*."}
		s.Whitelist, s.Humanizer, s.Limits.History = []chat.ChannelID{"8"}, guild.Heavy, 20
	})
	p.uses("channel show", "channel", "8")
	p.reads("**Quill** does so", "(Quill was chosen for this channel.)", "on the whitelist", `Be \*brief\*.`, "Humanizer: Heavy\n", "reads: 20\n", "reply: default", "The bot may read")
	p.uses("channel show")
	p.reads("not on the whitelist")
	p.who.BotMay = 0
	p.uses("channel show")
	p.reads("lacks View Channel, Send Messages")
	for want, rights := range map[string]func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error){
		"The channel is gone": func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
			return nil, nil
		},
		"Discord did not say": func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
			return nil, errors.New("away")
		},
		"lacks Read Message History": func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
			return map[chat.ChannelID]chat.Permissions{"8": chat.ViewChannel | chat.SendMessages}, nil
		},
	} {
		h.back.Checks.Rights = rights
		p.uses("channel show", "channel", "8")
		p.reads(want)
	}
}
