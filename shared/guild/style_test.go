package guild_test

import (
	"testing"

	"tsumugi/shared/guild"
)

func TestStyles(t *testing.T) {
	for _, h := range guild.Humanizers {
		s := guild.Style{Humanizer: h}
		if got := s.Toggles().Style(); got != s {
			t.Errorf("%s becomes %+v", h, got)
		}
	}
	for _, c := range []struct {
		toggles guild.Toggles
		want    guild.Humanizer
	}{
		{guild.Toggles{}, guild.None},
		{guild.Toggles{By: guild.ByParagraph}, guild.Light},
		{guild.Toggles{By: guild.ByParagraph, Typing: true}, guild.Medium},
		{guild.Toggles{Typing: true}, guild.Custom},
		{guild.Toggles{By: guild.BySentence, Typing: true}, guild.Custom},
		{guild.Toggles{By: guild.BySentence, Typing: true, Casual: true}, guild.Heavy},
	} {
		s := c.toggles.Style()
		if s.Humanizer != c.want || s.Toggles() != c.toggles {
			t.Errorf("%+v is %+v", c.toggles, s)
		}
		if again := (guild.Style{Humanizer: guild.Custom, Custom: c.toggles}).Toggles().Style(); again != s { // set as custom, it is the same
			t.Errorf("%+v is %+v", c.toggles, again)
		}
	}
	p := guild.Place{Styles: map[string]guild.Style{"mira": {Humanizer: guild.Light}}}
	if p.StyleOf("mira").Humanizer != guild.Light || p.StyleOf("teo").Humanizer != guild.None {
		t.Error("a persona does not have its style")
	}
}

func TestForget(t *testing.T) {
	styles := func() map[string]guild.Style {
		return map[string]guild.Style{"ana": {Humanizer: guild.Light}, "bo": {Humanizer: guild.None}}
	}
	s := guild.Settings{Own: true, Personas: people("Ana"), Styles: styles()}
	s.Forget()
	if _, is := s.Styles["ana"]; !is || len(s.Styles) != 1 {
		t.Errorf("left is %v", s.Styles)
	}
	s = guild.Settings{Styles: styles()}
	if s.Forget(); len(s.Styles) != 2 {
		t.Errorf("of the installation's personas is left %v", s.Styles)
	}
}
