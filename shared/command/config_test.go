package command_test

import (
	"strconv"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func TestConfigSaysWhatItWasBefore(t *testing.T) {
	p := newHouse(t).admin()
	for _, c := range []struct {
		path, option, value string
		reads               string
		set                 func(guild.Settings) bool
	}{
		{"config humanizer", "style", "light", "Humanizer: **Light** (was default).", func(s guild.Settings) bool { return s.Humanizer == guild.Light }},
		{"config humanizer", "style", "none", "Humanizer: **None** (was Light).", func(s guild.Settings) bool { return s.Humanizer == guild.None }},
		{"config humanizer", "style", "none", "already", func(s guild.Settings) bool { return s.Humanizer == guild.None }},
		{"config humanizer", "style", "wild", "Please choose one from the list", func(s guild.Settings) bool { return s.Humanizer == guild.None }},
		{"config streaming", "mode", "off", "Streaming: **off** (was on).", func(s guild.Settings) bool { return s.Whole }},
		{"config streaming", "mode", "on", "Streaming: **on** (was off).", func(s guild.Settings) bool { return !s.Whole }},
		{"config streaming", "mode", "fresh", "Streaming: **on, and sent anew after 30 seconds** (was on).", func(s guild.Settings) bool { return s.Fresh && !s.Whole }},
		{"config streaming", "mode", "off", "Streaming: **off** (was on, and sent anew after 30 seconds).", func(s guild.Settings) bool { return s.Whole && !s.Fresh }},
		{"config streaming", "mode", "never", "Please choose one from the list", func(s guild.Settings) bool { return s.Whole }},
		{"config language", "language", "ja", "Language: **日本語** (was automatic).", func(s guild.Settings) bool { return s.Language == "ja" }},
		{"config language", "language", "tlh", "Please choose one from the list", func(s guild.Settings) bool { return s.Language == "ja" }},
		{"config language", "language", "auto", "Language: **automatic** (was 日本語).", func(s guild.Settings) bool { return s.Language == "" }},
	} {
		p.uses(c.path, c.option, c.value)
		p.reads(c.reads)
		if !c.set(p.book.is("1")) {
			t.Errorf("after /%s %s it is %+v", c.path, c.value, p.book.is("1"))
		}
		p.again()
		p.reads(c.reads)
	}
	if n := len(p.book.noted("1")); n != 8 {
		t.Errorf("%d changes are noted", n)
	}
}

func TestTheServersLanguageIsForThoseWithoutOne(t *testing.T) {
	p := newHouse(t).admin()
	p.who.Locale = "tlh"
	p.uses("config language", "language", "ja")
	p.reads("言語：**日本語**")
	p.uses("config show")
	p.reads("このサーバーの設定")
	p.who.Locale = "en-GB"
	p.uses("config show")
	p.reads("What is set for this server", "Language: 日本語")
}

func TestLimits(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("config limits")
	p.fills("reply", "1,500", "history", " ２０ ")
	p.reads("- Characters of one reply: **1500** (was default)", "reads: **20** (was default)", "a day: **default** (was default)")
	if got := p.book.is("1").Limits; got != (guild.Limits{Reply: 1500, History: 20}) {
		t.Errorf("set is %+v", got)
	}
	p.uses("config limits")
	p.fills()
	p.reads("already")
	p.uses("config limits")
	p.fills("reply", "199", "history", "many", "daily", "100001")
	p.reads("Characters of one reply: 199 is no number from 200 to 20000", "many is no number from 5 to 100", "100001 is no number from 1 to 100000")
	p.presses("Correct it")
	p.fills("reply", "", "history", "5", "daily", "100 000")
	p.reads("reply: **default** (was 1500)", "reads: **5** (was 20)", "a day: **100000** (was default)")
	if got := p.book.is("1").Limits; got != (guild.Limits{History: 5, Daily: 100_000}) {
		t.Errorf("set is %+v", got)
	}
	for _, wrong := range []string{"-5", "1e3", "9999999999", "٣", "5.5"} {
		p.uses("config limits")
		p.fills("history", wrong)
		p.reads("is no number from 5 to 100")
	}
}

func TestAdminRoles(t *testing.T) {
	h := newHouse(t)
	p := h.admin()
	p.uses("config admins", "action", "add", "role", "77")
	p.reads("role <@&77> may set me up", "<@&77> (before: 0 roles)", "Server Settings → Integrations")
	p.uses("config admins", "action", "add", "role", "1")
	p.reads("This role is everybody's")
	member := h.admin()
	member.who.May, member.who.Roles, member.who.User = 0, []string{"77"}, "5"
	member.uses("config streaming", "mode", "off")
	member.reads("**off**")
	member.uses("config admins", "action", "add", "role", "78") // they cannot widen themselves
	member.reads("needs the permission Manage Server itself")
	member.uses("config admins", "action", "remove", "role", "77")
	member.reads("needs the permission Manage Server itself")
	p.uses("config admins", "action", "remove", "role", "78")
	p.reads("already")
	p.uses("config admins", "action", "remove", "role", "77")
	p.reads("may not set me up any more", "none (before: 1 role)")
	member.uses("config streaming", "mode", "on")
	member.reads("You may not use /config streaming here")
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
		for n := range guild.MaxRoles {
			s.Admins = append(s.Admins, strconv.Itoa(1234567890123456000+n))
		}
	})
	p.uses("config admins", "action", "add", "role", "79")
	p.reads("no room")
	p.uses("config show")
	p.reads("<@&1234567890123456019>")
}

func TestChangesAreListedNewestFirst(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("config changes")
	p.reads("Nothing was changed in the last 90 days")
	long := strings.Repeat("長", 200)
	for n := range 23 {
		p.uses("channel prompt", "channel", strconv.Itoa(1234567890123456000+n))
		p.fills("prompt", strings.Repeat("*", n)+long)
	}
	p.uses("config admins", "action", "add", "role", "77")
	p.uses("config humanizer", "style", "light")
	p.uses("channel always", "on", "true")
	p.uses("config changes")
	p.reads("> <@18446744073709551615> `/channel always` <#7>: when addressed: Mira → every message: Mira\n", "`/config humanizer`: default → Light", "`/config admins` <@&77>: 0 → 1", ":R>")
	if strings.Count(p.sees.Text, "<t:") != 10 {
		t.Errorf("a page has not ten lines:\n%s", p.sees.Text)
	}
	p.presses("Older ▶")
	p.presses("Older ▶")
	p.reads("<#1234567890123456000>: nothing → 長")
	if n := strings.Count(p.sees.Text, "<t:"); n != 6 {
		t.Errorf("the last page has %d lines:\n%s", n, p.sees.Text)
	}
	for _, b := range p.sees.Rows[0].Buttons {
		if b.Off != (b.Label == "Older ▶") {
			t.Errorf("at the end button %q is off: %v", b.Label, b.Off)
		}
	}
	p.presses("◀ Newest")
	p.reads("/channel always")
}

func TestResetAsksAndLeavesTheRest(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("config reset")
	p.reads("are the defaults already")
	p.book.set("1", "8", func(s *guild.Settings, c *guild.Channel) {
		*s = guild.Settings{Own: true, Personas: persona.Demos(), Humanizer: guild.Heavy, Language: "ja", Whole: true, Limits: guild.Limits{Daily: 9}, Whitelist: []chat.ChannelID{"8"}, Admins: []string{"77"}}
		c.Always = true
	})
	p.uses("config reset")
	p.reads("- Humanizer: Heavy", "- Language: 日本語", "- Streaming: off", "- Replies a day: 9", "stay as they are")
	p.presses("Keep it")
	if p.book.is("1").Humanizer != guild.Heavy {
		t.Error("nobody was asked")
	}
	p.uses("config reset")
	p.presses("Go back to the defaults")
	p.reads("are back to the defaults", "- Streaming: off")
	s := p.book.is("1")
	if s.Humanizer != "" || s.Language != "" || s.Whole || s.Limits != (guild.Limits{}) || len(s.Admins) != 1 || len(s.Whitelist) != 1 || len(s.Personas) != 3 || !p.book.in("1", "8").Always {
		t.Errorf("it left %+v", s)
	}
}

func TestConfigShowsEverything(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("config show")
	p.reads("Who lives here: Mira, Fenn, Quill (default)", "Model: the model of this installation (default)", "Humanizer: None (default)", "reply: default", "Language: automatic (default)", "all are answered in",
		"who has Manage Server, and these roles: none")
	p.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) {
		s.Providers, s.Provider = []guild.Provider{{Name: "Our *box*", Kind: "custom", URL: "https://m.example/v1", Model: "small"}}, "Our *box*"
		s.Whitelist, s.Own = []chat.ChannelID{"8"}, true
	})
	p.uses("config show")
	p.reads(`Model: Our \*box\* · small`, "1 is answered in only", "Who lives here: nothing")
}

func TestChangesOfOtherCommandsAreReadable(t *testing.T) {
	_, p := owner(t)
	p.uses("provider use", "name", "installation")
	p.uses("persona assign", "persona", "fenn", "always", "true")
	p.uses("persona delete", "persona", "quill")
	p.presses("Delete Quill")
	p.uses("config changes")
	p.reads("`/persona delete` Quill: Quill → nothing", "`/persona assign` <#7> Fenn: when addressed: Mira → every message: Fenn", "`/provider use`: Our \\*box\\* → the model of this installation")
}

func TestDrafting(t *testing.T) {
	p := newHouse(t).admin()
	p.uses("config drafting", "set", "instructions")
	p.fills("instructions", "  no modern words\r\n")
	p.reads("What is looked at besides: no modern words", "Before: nothing", "not reviewed now")
	p.uses("config drafting", "set", "on")
	p.reads("Review of replies: **on** (was off, with instructions).")
	if got := p.book.is("1").Drafting; got != (guild.Drafting{On: true, Instructions: "no modern words"}) {
		t.Errorf("set is %+v", got)
	}
	p.uses("config show")
	p.reads("Review of replies: on")
	p.uses("config drafting", "set", "perhaps")
	p.reads("Please choose one from the list")
	p.uses("config drafting", "set", "off")
	p.reads("Review of replies: **off, with instructions** (was on).")
	p.uses("config reset")
	p.reads("- Review of replies: off, with instructions")
	p.presses("Go back to the defaults")
	if got := p.book.is("1").Drafting; got != (guild.Drafting{}) {
		t.Errorf("after the reset it is %+v", got)
	}
}
