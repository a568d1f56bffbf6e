package guild_test

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

func people(names ...string) []persona.Persona {
	var all []persona.Persona
	for n, name := range names {
		all = append(all, persona.Persona{ID: strings.ToLower(name), Name: name, Triggers: []string{name}, Main: n == 0})
	}
	return all
}

func provider(name string) guild.Provider {
	return guild.Provider{Name: name, Kind: "custom", URL: "https://example.com/v1", Model: "m"}
}

func TestAt(t *testing.T) {
	installation := guild.Settings{Own: true, Personas: people("Mira"), Language: "en-US", Humanizer: guild.Light,
		Limits: guild.Limits{Reply: 10, History: 20, Daily: 30}, Providers: []guild.Provider{provider("operator's")}, Provider: "operator's",
		Whitelist: []chat.ChannelID{"9"}}
	inherited := guild.Place{Cast: persona.Cast{Personas: people("Mira")}, Language: "en-US", Humanizer: guild.Light, Limits: installation.Limits}
	with := func(change func(*guild.Place)) guild.Place {
		p := inherited
		change(&p)
		return p
	}
	one := provider("One")
	for name, c := range map[string]struct {
		g    guild.Settings
		c    guild.Channel
		want guild.Place
	}{
		"nothing is set":   {guild.Settings{}, guild.Channel{}, inherited},
		"its own personas": {guild.Settings{Own: true, Personas: people("Ana")}, guild.Channel{}, with(func(p *guild.Place) { p.Personas = people("Ana") })},
		"none of its own":  {guild.Settings{Own: true}, guild.Channel{}, with(func(p *guild.Place) { p.Personas = nil })},
		"a channel":        {guild.Settings{}, guild.Channel{Always: true, Round: true, Host: "x", Prompt: "brief"}, with(func(p *guild.Place) { p.Always, p.Round, p.Host, p.Prompt = true, true, "x", "brief" })},
		"on the whitelist": {guild.Settings{Whitelist: []chat.ChannelID{"4", "5"}}, guild.Channel{}, inherited},
		"not on it":        {guild.Settings{Whitelist: []chat.ChannelID{"4"}}, guild.Channel{}, with(func(p *guild.Place) { p.Closed = true })},
		"Discord's locale": {guild.Settings{Locale: "ja"}, guild.Channel{}, with(func(p *guild.Place) { p.Language = "ja" })},
		"a language":       {guild.Settings{Locale: "ja", Language: "de"}, guild.Channel{}, with(func(p *guild.Place) { p.Language = "de" })},
		"a plain delivery": {guild.Settings{Humanizer: guild.None, Whole: true}, guild.Channel{}, with(func(p *guild.Place) { p.Humanizer, p.Whole = guild.None, true })},
		"a custom style": {guild.Settings{Humanizer: guild.Custom, Custom: guild.Toggles{Typing: true}, Styles: map[string]guild.Style{"mira": {Humanizer: guild.None}}}, guild.Channel{},
			with(func(p *guild.Place) {
				p.Humanizer, p.Custom, p.Styles = guild.Custom, guild.Toggles{Typing: true}, map[string]guild.Style{"mira": {Humanizer: guild.None}}
			})},
		"some limits":        {guild.Settings{Limits: guild.Limits{History: 5}}, guild.Channel{}, with(func(p *guild.Place) { p.Limits.History = 5 })},
		"a provider":         {guild.Settings{Providers: []guild.Provider{one}, Provider: "one"}, guild.Channel{}, with(func(p *guild.Place) { p.Provider = &one })},
		"one that is unused": {guild.Settings{Providers: []guild.Provider{one}}, guild.Channel{}, inherited},
	} {
		if got := guild.At(installation, c.g, "5", c.c); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Mira", "mira", true}, {" Lady \t Mira ", "lady mira", true}, {"МИРА", "мира", true}, {"ミラ", "ミラ", true},
		{"Mira", "Mirra", false}, {"Lady Mira", "LadyMira", false}, {"", " ", true}, {"ß", "ss", false},
	} {
		if guild.SameName(c.a, c.b) != c.same || guild.SameName(c.b, c.a) != c.same {
			t.Errorf("%q and %q: want the same %v", c.a, c.b, c.same)
		}
	}
	s := guild.Settings{Personas: people("Lady Mira", "Bo"), Providers: []guild.Provider{provider("My Server")}}
	if p, ok := s.PersonaNamed(" lady  mira"); !ok || p.ID != "lady mira" {
		t.Errorf("found %+v", p)
	}
	if _, ok := s.PersonaNamed("Mira"); ok || s.ProviderNamed("") != nil || s.ProviderNamed("my") != nil {
		t.Error("somebody is called by a part of a name, or by none")
	}
	if p := s.ProviderNamed("MY  server"); p == nil || p != &s.Providers[0] {
		t.Errorf("found %+v", p)
	}
	if who, ok := s.Owner("BO "); !ok || who.ID != "bo" {
		t.Errorf("the trigger is %+v's", who)
	}
}

func TestValidate(t *testing.T) {
	fine := func() guild.Settings {
		return guild.Settings{Own: true, Personas: people("Ana", "Bo"), Providers: []guild.Provider{provider("One"), provider("Two")}, Provider: "two",
			Language: "pt-BR", Locale: "ja", Humanizer: guild.Heavy, Limits: guild.Limits{Reply: guild.MaxReply, History: guild.MaxPast, Daily: guild.MaxDaily},
			Whitelist: []chat.ChannelID{"1", "2"}, Admins: []string{"3"}}
	}
	if err := errors.Join(fine().Validate(), guild.Settings{}.Validate(), guild.Channel{}.Validate(), guild.Channel{Prompt: strings.Repeat("霧", guild.MaxPrompt)}.Validate()); err != nil {
		t.Fatal(err)
	}
	many := func(n int) (ids []string) {
		for i := range n {
			ids = append(ids, strconv.Itoa(i))
		}
		return ids
	}
	for name, spoil := range map[string]func(s *guild.Settings){
		"too many personas": func(s *guild.Settings) { s.Personas = people(many(guild.MaxPersonas + 1)...) },
		"no main persona":   func(s *guild.Settings) { s.Personas[0].Main = false },
		"two main personas": func(s *guild.Settings) { s.Personas[1].Main = true },
		"an invalid card":   func(s *guild.Settings) { s.Personas[1].ID = "bo bo" },
		"one name":          func(s *guild.Settings) { s.Personas[1].Name = " ANA" },
		"one id":            func(s *guild.Settings) { s.Personas[1].ID = "ana" },
		"one trigger":       func(s *guild.Settings) { s.Personas[1].Triggers = []string{"x", "aNa "} },
		"too many triggers": func(s *guild.Settings) { s.Personas[1].Triggers = many(guild.MaxTriggers + 1) },
		"too many providers": func(s *guild.Settings) {
			for _, n := range many(guild.MaxProviders) {
				s.Providers = append(s.Providers, provider("x"+n))
			}
		},
		"one provider's name": func(s *guild.Settings) { s.Providers[0].Name = "TWO" },
		"an unseen provider":  func(s *guild.Settings) { s.Providers[0].Name = " " },
		"no such kind":        func(s *guild.Settings) { s.Providers[0].Kind = "x" },
		"no address":          func(s *guild.Settings) { s.Providers[0].URL = "file:///etc" },
		"a password in it":    func(s *guild.Settings) { s.Providers[0].URL = "https://a:b@example.com" },
		"a broken address":    func(s *guild.Settings) { s.Providers[0].URL = "https://[" },
		"a long model":        func(s *guild.Settings) { s.Providers[0].Model = strings.Repeat("x", guild.MaxModel+1) },
		"a long key":          func(s *guild.Settings) { s.Providers[0].Key = make([]byte, 2*guild.MaxSecret+1) },
		"more than its end":   func(s *guild.Settings) { s.Providers[0].Last4 = "12345" },
		"nobody's provider":   func(s *guild.Settings) { s.Provider = "three" },
		"no such humanizer":   func(s *guild.Settings) { s.Humanizer = "x" },
		"toggles of a name":   func(s *guild.Settings) { s.Custom.Typing = true },
		"no such portion":     func(s *guild.Settings) { s.Humanizer, s.Custom = guild.Custom, guild.Toggles{By: "word"} },
		"a style of nobody":   func(s *guild.Settings) { s.Styles = map[string]guild.Style{"": {Humanizer: guild.None}} },
		"a style of nothing":  func(s *guild.Settings) { s.Styles = map[string]guild.Style{"ana": {}} },
		"a long review":       func(s *guild.Settings) { s.Drafting.Instructions = strings.Repeat("x", guild.MaxReview+1) },
		"whole and grown":     func(s *guild.Settings) { s.Whole, s.Fresh = true, true },
		"a long language":     func(s *guild.Settings) { s.Language = strings.Repeat("x", 17) },
		"a limit below none":  func(s *guild.Settings) { s.Limits.Daily = -1 },
		"a high limit":        func(s *guild.Settings) { s.Limits.Reply = guild.MaxReply + 1 },
		"a channel twice":     func(s *guild.Settings) { s.Whitelist[1] = "1" },
		"no channel":          func(s *guild.Settings) { s.Whitelist[1] = "" },
		"too many roles":      func(s *guild.Settings) { s.Admins = many(guild.MaxRoles + 1) },
	} {
		s := fine()
		spoil(&s)
		if err := s.Validate(); !errors.Is(err, guild.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more is wrong than that: %v", name, err)
		}
	}
	for _, c := range []guild.Channel{{Prompt: strings.Repeat("x", guild.MaxPrompt+1)}, {Prompt: "\xff"}, {Host: strings.Repeat("x", 65)}} {
		if err := c.Validate(); !errors.Is(err, guild.ErrInvalid) {
			t.Errorf("a channel: %v", err)
		}
	}
}
