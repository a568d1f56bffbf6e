package command_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/locale"
)

// owner is a server with a provider of its own, whose key is goodKey.
func owner(t *testing.T) (*shop, *person) {
	s := newShop(t)
	sealed, err := s.locks.Seal(t.Context(), guild.KeyContext("1", "Our *box*"), goodKey)
	if err != nil {
		t.Fatal(err)
	}
	s.book.set("1", "", func(set *guild.Settings, _ *guild.Channel) {
		set.Providers = []guild.Provider{{Name: "Our *box*", Kind: "custom", URL: "https://m.example/v1", Model: "small", Key: sealed, Last4: "wxyz"}}
		set.Provider = "Our *box*"
	})
	s.back.Checks.Model = func(context.Context) error { return errAway } // nobody needs it
	return s, s.admin()
}

func TestTheDoctorTriesTheServersOwnProvider(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*shop)
		says   []string
	}{
		"well":           {func(*shop) {}, []string{`✅ Our \*box\*, which speaks in this server, answers with the model small.`}},
		"key refused":    {func(s *shop) { s.at.keys = nil }, []string{`❌ Our \*box\*, which speaks in this server, does not work.`, "-# Fix, for who manages this server: ", "refuses this key"}},
		"model gone":     {func(s *shop) { s.at.models = []string{"large"} }, []string{"does not know the model small"}},
		"not reached":    {func(s *shop) { s.at.fails = &llm.Error{Kind: llm.Unreachable} }, []string{"Nothing answers at m.example"}},
		"refused by us":  {func(s *shop) { s.at.fails = command.NotPublic }, []string{"not on the public internet"}},
		"another cipher": {func(s *shop) { s.locks.broken = true }, []string{"Enter it again: /provider add"}},
		"no model":       {func(s *shop) { s.book.set("1", "", func(set *guild.Settings, _ *guild.Channel) { set.Provider = "" }) }, []string{"❌ Nothing answers at the address of this installation's model"}},
		"not a guest": {func(s *shop) {
			s.book.set("1", "", func(set *guild.Settings, _ *guild.Channel) { set.Provider = "" })
			s.back.Offers = func(g string) bool { return g != "1" }
		}, []string{"this installation's is not offered to it", "Fix, for who manages this server: use /setup"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := owner(t)
			c.change(s)
			p.who.BotMay |= chat.ManageWebhooks
			p.uses("doctor")
			p.reads(c.says...)
			if red := strings.Count(p.sees.Text, "❌"); (red == 0) != (name == "well") || red > 1 {
				t.Errorf("%d red lines:\n%s", red, p.sees.Text)
			}
		})
	}
}

// stuck is a model server that takes its time.
type stuck struct{}

func (stuck) Probe(ctx context.Context, _, _, _ string) (command.Probed, error) {
	<-ctx.Done()
	return command.Probed{}, ctx.Err()
}

func TestTheDoctorFitsWithASlowProviderOfALongName(t *testing.T) {
	for _, l := range locale.Languages() {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)))
			long := strings.Repeat("*長", guild.MaxName/2)
			k := kept{set: guild.Settings{Provider: long, Providers: []guild.Provider{{Name: long, Kind: "custom", URL: "https://" + strings.Repeat("m", 200) + ".example", Model: strings.Repeat("*m", 100)}}}}
			for n := range guild.MaxWhitelist {
				k.set.Whitelist = append(k.set.Whitelist, chat.ChannelID("12345678901234567"+string(rune('0'+n/10))+string(rune('0'+n%10))))
			}
			i, s := use("doctor", "u", chat.ManageGuild), &shown{}
			i.Locale, i.Channel = string(l), "1234567890123456799"
			began := time.Now()
			if err := (&command.Back{Responses: s, Checks: sick(), Book: k, Prober: stuck{}}).Handle(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			if n := length(s.texts[0]); n > 2000 || strings.Count(s.texts[0], "\n- <#") < 3 || time.Since(began) > 6*time.Second {
				t.Errorf("%s: %d characters after %v:\n%s", l, n, time.Since(began), s.texts[0])
			}
			if want := map[locale.Language]string{"en": "did not answer in time", "ja": "時間内に応答しませんでした"}[l]; !strings.Contains(s.texts[0], want) {
				t.Errorf("%s: %q is not in\n%s", l, want, s.texts[0])
			}
		})
	}
}
