package command_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
)

// adds lets an admin add OpenAI.
func adds(s *shop) *person {
	p := s.admin()
	p.uses("provider add", "kind", "openai")
	p.fills("key", goodKey)
	return p
}

func TestAProviderIsTriedAndKept(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.reads("✅ **OpenAI** works", "small", "••••wxyz", "0.8 s", "OpenAI speaks in this server")
	got := s.server()
	if len(got.Providers) != 1 || got.Provider != "OpenAI" || got.Providers[0].Model != "small" || got.Providers[0].Last4 != "wxyz" || got.Providers[0].Tested.IsZero() ||
		got.Providers[0].URL != "https://api.openai.com/v1" {
		t.Fatalf("kept %+v", got)
	}
	key, err := s.locks.Open(t.Context(), guild.KeyContext("1", "OpenAI"), got.Providers[0].Key)
	if err != nil || key != goodKey {
		t.Errorf("the key is kept as %q, %v", key, err)
	}
	if c := s.changes()[0]; c.What != "provider add" || c.On != "OpenAI" || c.Was != "" || c.Is != "small · ••••wxyz" {
		t.Errorf("noted %+v", c)
	}
	if models, _ := s.book.Models(t.Context(), "1", "OpenAI"); !slices.Equal(models, s.at.models) {
		t.Errorf("its models are kept as %q", models)
	}
	before := p.sees.Text
	s.at.fails = failing(llm.Overloaded, 503, "") // delivered again, nobody is asked any more
	if p.again(); p.sees.Text != before || len(s.changes()) != 1 || len(s.server().Providers) != 1 {
		t.Errorf("delivered again it says %q, and there are %d changes", p.sees.Text, len(s.changes()))
	}
}

func TestAKeyIsReplaced(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.chooses("large")
	p.reads("Model of OpenAI: **large** (was small)")
	p.uses("model remove", "model", "small")
	second := "sk-another-0123456789-stuv"
	s.at.keys = append(s.at.keys, second)
	p.uses("provider add", "kind", "openai", "name", " openai ")
	p.fills("key", "Bearer "+second+"\n")
	p.reads("**openai** works: large · ••••stuv", "It takes the place of: large · ••••wxyz")
	if got := s.server(); len(got.Providers) != 1 || got.Provider != "openai" || got.Providers[0].Model != "large" || len(got.Providers[0].Hidden) != 1 {
		t.Errorf("kept %+v", got)
	}
	p.uses("provider test", "name", "openai") // its key is sealed for the name that it has now
	p.reads("✅")
	s.keepsSecret(second)
}

func TestWhyAProviderIsNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		found []string
		says  string
	}{
		"key":           {failing(llm.Unauthorized, 401, ""), nil, "refuses this key"},
		"credit":        {failing(llm.Unauthorized, 429, "insufficient_quota"), nil, "no credit left"},
		"payment":       {failing(llm.Unauthorized, 402, ""), nil, "no credit left"},
		"rate":          {failing(llm.RateLimited, 429, ""), nil, "no more calls"},
		"nowhere":       {failing(llm.NotFound, 404, ""), nil, "usually ends with /v1"},
		"invalid":       {failing(llm.Invalid, 400, ""), nil, "refused the call"},
		"unreachable":   {failing(llm.Unreachable, 0, ""), nil, "Nothing answers at api.openai.com"},
		"slow":          {failing(llm.TimedOut, 0, ""), nil, "did not answer in time"},
		"web page":      {failing(llm.Malformed, 200, ""), nil, "may be a web page"},
		"busy":          {failing(llm.Overloaded, 503, ""), nil, "overloaded"},
		"cut":           {failing(llm.Cut, 0, ""), nil, "overloaded"},
		"not public":    {command.NotPublic, nil, "not on the public internet"},
		"not encrypted": {command.Insecure, nil, "must begin with https"},
		"odd port":      {command.OddPort, nil, "443"},
		"no address":    {command.NoAddress, nil, "no web address"},
		"anything else": {errors.New("disk on fire"), nil, "could not be tried"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.at.fails, s.at.models = c.err, c.found
			p := s.admin()
			p.uses("provider add", "kind", "openai", "name", "Mine")
			p.fills("key", goodKey, "model", "small")
			p.reads(c.says)
			if strings.Contains(p.sees.Text, "disk") || strings.Contains(s.log.String(), "disk") {
				t.Errorf("tells what it should not: %q", p.sees.Text)
			}
			if len(s.server().Providers)+len(s.changes()) > 0 {
				t.Error("it is kept though it does not work")
			}
			m := p.presses("Correct it").Modal
			if m == nil || value(m, "model") != "small" || value(m, "name") != "Mine" || value(m, "key") != "" {
				t.Fatalf("the form is opened again with %+v", m)
			}
			s.at.fails, s.at.models = nil, []string{"small"}
			p.fills("key", goodKey)
			p.reads("✅ **Mine** works")
		})
	}
}

func value(m *chat.Modal, field string) string {
	for _, f := range m.Fields {
		if f.ID == field {
			return f.Value
		}
	}
	return "no such field"
}

func TestAnUnknownModelCostsNobodyTheirKey(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("provider add", "kind", "openai")
	p.fills("key", goodKey, "model", "smal")
	p.reads("✅ **OpenAI** works: small", "does not know the model smal, so another one was tried")
	p.again()
	p.reads("does not know the model smal")
	p.chooses("large")
	if got := s.server().Providers[0].Model; got != "large" {
		t.Errorf("it speaks with %q", got)
	}
}

func TestWhatIsTypedIntoTheFormIsLookedAt(t *testing.T) {
	const other = "sk-canary-9876543210-lmno"
	for name, c := range map[string]struct {
		kind   string
		fields []string
		says   string
	}{
		"no key":                 {"openai", nil, "This is no key"},
		"two words":              {"openai", []string{"key", "sk canary"}, "This is no key"},
		"a key as the model":     {"openai", []string{"key", goodKey, "model", other}, "where none belongs"},
		"the key as the model":   {"openai", []string{"key", "password", "model", "my password"}, "where none belongs"},
		"a key as the name":      {"openai", []string{"key", goodKey, "name", other}, "where none belongs"},
		"a key in the address":   {"custom", []string{"address", "https://a.example/?api-key=" + other}, "where none belongs"},
		"a key in the path":      {"custom", []string{"address", "https://a.example/" + other}, "where none belongs"},
		"a key as the address":   {"custom", []string{"address", other + " "}, "where none belongs"},
		"a password":             {"custom", []string{"address", "https://me:" + other + "@a.example"}, "user name or password"},
		"no address":             {"custom", []string{"address", "at home"}, "no web address"},
		"another scheme":         {"custom", []string{"address", "file:///etc/passwd"}, "no web address"},
		"a long model":           {"openai", []string{"key", goodKey, "model", strings.Repeat("m", 101)}, "at most 100 characters"},
		"a long name":            {"openai", []string{"key", goodKey, "name", strings.Repeat("n", 41)}, "at most 40 characters"},
		"the installation's own": {"openai", []string{"key", goodKey, "name", " Installation"}, "means the model of this installation"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			p := s.admin()
			p.uses("provider add", "kind", c.kind)
			p.fills(c.fields...)
			p.reads(c.says)
			if len(s.queue.kept)+len(s.at.asked)+len(s.changes()) > 0 {
				t.Error("it went on")
			}
			m := p.presses("Correct it").Modal
			if m == nil || strings.Contains(value(m, "model")+value(m, "name")+value(m, "address"), other) {
				t.Errorf("opened again with %+v", m)
			}
			s.keepsSecret(other)
		})
	}
}

func TestAServerOfOnesOwn(t *testing.T) {
	s := newShop(t)
	s.at.keys = []string{""}
	p := s.admin()
	p.uses("provider add", "kind", "custom")
	p.fills("address", "llm.example.com/v1?version=hidden")
	p.reads("✅ **llm.example.com** works: small.")
	if strings.Contains(p.sees.Text, "••••") || strings.Contains(p.sees.Text, "hidden") {
		t.Errorf("it says %q", p.sees.Text)
	}
	if got := s.server().Providers[0]; got.URL != "https://llm.example.com/v1?version=hidden" || len(got.Key) > 0 {
		t.Errorf("kept %+v", got)
	}
	p.uses("provider list")
	p.reads("▶ **llm.example.com** · llm.example.com · small · no key · answered <t:")
	if strings.Contains(p.sees.Text, "hidden") {
		t.Errorf("the list tells what is behind the address: %q", p.sees.Text)
	}
	s.at.keys = []string{"shortkey"}
	p.uses("provider add", "kind", "custom", "name", "Two")
	p.fills("address", "https://two.example", "key", "shortkey")
	p.uses("provider list")
	p.reads("**Two** · two.example · small · •••• ·")
}

func TestWhoSpeaks(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.uses("provider add", "kind", "openai", "name", "Second")
	p.fills("key", goodKey, "model", "large")
	p.reads("OpenAI goes on speaking")
	if len(p.presses("Let it speak").Rows) > 0 || s.server().Provider != "Second" {
		t.Errorf("Second does not speak: %q", p.sees.Text)
	}
	p.reads("**Second** (was OpenAI)")
	p.uses("provider use", "name", "second")
	p.reads("already")
	p.uses("provider use", "name", "installation")
	p.reads("**the model of this installation** (was Second)")
	p.uses("provider use", "name", "Third")
	p.reads("There is no provider Third")
	p.uses("provider use", "name", "OpenAI")
	if choices := p.types("provider use", "name", ""); len(choices) != 3 || choices[2].Value != "installation" {
		t.Errorf("to choose from: %+v", choices)
	}
	if choices := p.types("provider test", "name", "sec"); len(choices) != 1 || choices[0].Value != "Second" {
		t.Errorf("to choose from: %+v", choices)
	}
	s.front.Offers = func(string) bool { return false }
	p.uses("provider use", "name", "installation")
	p.reads("not for this server")
	if choices := p.types("provider use", "name", "in"); len(choices) != 0 {
		t.Errorf("to choose from: %+v", choices)
	}
	p.uses("provider list")
	p.reads("▶ **OpenAI**", "· **Second**", "not for this server")
}

func TestAProviderIsForgotten(t *testing.T) {
	for name, offered := range map[string]bool{"the installation's model speaks then": true, "nobody answers then": false} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.front.Offers = func(string) bool { return offered }
			p := adds(s)
			then := map[bool]string{true: "The model of this installation speaks then", false: "Nobody answers then"}[offered]
			p.uses("provider remove", "name", "OPENAI")
			p.reads("Forget **OpenAI** (small · ••••wxyz)?", "cannot be brought back", then)
			if p.presses("Keep it"); len(s.server().Providers) != 1 {
				t.Fatal("it is gone though it was to be kept")
			}
			p.uses("provider remove", "name", "OpenAI")
			yes := p.press("Forget it")
			p.does(yes)
			p.reads("forgotten (was small · ••••wxyz)", then)
			if got := s.server(); len(got.Providers) != 0 || got.Provider != "" || len(s.changes()) != 2 {
				t.Errorf("kept %+v", got)
			}
			twice := yes
			twice.ID = chat.EventID(p.id())
			p.does(twice) // a second press of the same button
			p.reads("not there any more")
			if len(s.changes()) != 2 {
				t.Errorf("%d changes", len(s.changes()))
			}
		})
	}
}

func TestAProviderIsTested(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.uses("provider test", "name", "openai")
	p.reads("✅ **OpenAI** works: small · ••••wxyz. It answered after 0.8 s")
	s.at.took = 9 * time.Second
	p.uses("provider test", "name", "openai")
	p.reads("That took long")
	s.at.keys = nil
	p.uses("provider test", "name", "openai")
	p.reads("refuses this key")
	p.uses("provider test", "name", "nobody")
	p.reads("There is no provider nobody")
	p.uses("provider test", "name", goodKey)
	p.reads("where none belongs")
	s.locks.broken = true
	p.uses("provider test", "name", "openai")
	p.reads("cannot be read any more")
	s.locks.broken, s.at.keys = false, []string{goodKey}
	changes := len(s.changes())
	s.at.during = func() { // somebody replaces it while it is asked
		s.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Providers[0].Key = guild.Sealed("another") })
	}
	p.uses("provider test", "name", "openai")
	p.reads("Somebody changed OpenAI meanwhile")
	if len(s.changes()) != changes {
		t.Error("a test of what is not there any more is noted")
	}
}

func TestThereIsRoomForSoManyProviders(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	for n := range guild.MaxProviders {
		p.uses("provider add", "kind", "openai", "name", strings.Repeat("n", n+1))
		p.fills("key", goodKey)
		p.reads("✅")
	}
	p.uses("provider add", "kind", "openai", "name", "more")
	p.fills("key", goodKey)
	p.reads("at most 5 providers")
	p.uses("provider add", "kind", "openai", "name", "n") // in place of one of them
	p.fills("key", goodKey)
	p.reads("✅")
}

// Two admins add a provider of one name at once: there is one, and its key is the one that it was sealed with.
func TestTwoAdminsAtOnce(t *testing.T) {
	s := newShop(t)
	p, q := s.admin(), s.admin()
	q.who.User = "8"
	p.uses("provider add", "kind", "openai", "name", "Ours")
	q.uses("provider add", "kind", "openai", "name", "OURS")
	mine := p.fill("key", goodKey)
	theirs := q.fill("key", goodKey, "model", "large")
	s.book.faster = func() {
		s.front.Answer(t.Context(), theirs)
		if err := s.back.Handle(t.Context(), s.queue.kept[len(s.queue.kept)-1]); err != nil {
			t.Error(err)
		}
		s.says = s.says[:len(s.says)-1]
	}
	p.does(mine)
	got := s.server()
	if len(got.Providers) != 1 || got.Provider != got.Providers[0].Name || len(s.changes()) != 2 {
		t.Fatalf("kept %+v", got)
	}
	if key, err := s.locks.Open(t.Context(), guild.KeyContext("1", got.Providers[0].Name), got.Providers[0].Key); err != nil || key != goodKey {
		t.Errorf("its key is %q, %v", key, err)
	}
}
