package command_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/locale"
	"tsumugi/shared/persona"
)

func TestAServerIsSetUpInFourClicks(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.reads("▶ **Model**", "· Personas", "· Channel", "· Humanizer", "works at once")
	first := p.at
	p.presses("Use this installation's model")
	p.reads("✅ Model: the model of this installation", "▶ **Personas**")
	p.presses("Keep Mira, Fenn, Quill")
	p.reads("✅ Personas: Mira, Fenn, Quill", "▶ **Channel**")
	p.presses("Everything in this channel")
	p.reads("✅ Channel: everything in <#7>", "Channel: **everything in <#7>** (was only when they are called)", "▶ **Humanizer**", "- **Light**: a message for each paragraph")
	p.presses("None")
	p.reads("✅ Humanizer: None", "Say hello in <#7>", "```\nHello! Who are you?\n```", "**Mira** answers", "/help", "/doctor")
	if got := s.server(); got.Setup != (guild.Setup{Model: true, Personas: true, Channel: true, Home: "7"}) || got.Humanizer != guild.None || got.Own {
		t.Errorf("kept %+v", got)
	}
	if !s.book.in("1", "7").Always || len(s.changes()) != 4 {
		t.Errorf("channel %+v, %d changes", s.book.in("1", "7"), len(s.changes()))
	}
	if p.at != first {
		t.Error("it was more than one message")
	}
	p.uses("setup")
	p.reads("Say hello in <#7>")
	p.presses("Change the humanizer")
	p.reads("▶ **Humanizer**: None")
	p.presses("Heavy")
	p.reads("Humanizer: **Heavy** (was None)", "Say hello")
}

func TestAServerIsSetUpWithAKey(t *testing.T) {
	for _, l := range locale.Languages() {
		s := newShop(t)
		s.front.Offers = func(string) bool { return false }
		s.back.Offers = s.front.Offers
		p := s.admin()
		p.who.Locale = l.Discord()[0]
		p.uses("setup")
		p.reads(l.Say("setup.model.own_only"))
		p.presses(l.Say("setup.skip"))
		p.presses(l.Say("setup.back"))
		p.chooses("k:openai")
		if b := p.sees.Rows[0].Buttons[0]; b.URL != "https://platform.openai.com/api-keys" {
			t.Errorf("keys are made at %+v", b)
		}
		p.presses(l.Say("setup.model.enter_it"))
		p.fills("key", "two words", "model", "large")
		p.reads("▶ **"+l.Say("setup.names.model")+"**", l.Say("provider.form.bad_key"))
		p.presses(l.Say("setup.back"))
		p.chooses("k:openai")
		p.presses(l.Say("setup.model.enter_it"))
		p.fills("key", "wrong-key-123456", "model", "large")
		p.reads(l.Say("provider.failed.key", "name", "OpenAI"))
		if m := p.presses(l.Say("dialog.correct")).Modal; value(m, "model") != "large" || value(m, "key") != "" {
			t.Errorf("%+v", m)
		}
		p.fills("key", goodKey)
		p.reads("✅ **OpenAI**", "large · ••••wxyz")
		p.chooses("small")
		p.reads("**small**", "▶ **"+l.Say("setup.names.personas")+"**")
		p.chooses("fenn")
		p.reads("✅ "+l.Say("setup.names.personas"), "**Fenn**")
		p.presses(l.Say("setup.channel.only_called"))
		p.presses(l.Say("setup.humanizer.light.name"))
		p.reads("<#7>", "```\n"+l.Say("setup.done.hello_name", "name", "Fenn")+"\n```")
		got := s.server()
		if got.Provider != "OpenAI" || got.Providers[0].Model != "small" || !got.Own || len(got.Personas) != 1 || !got.Personas[0].Main || got.Humanizer != guild.Light {
			t.Errorf("kept %+v", got)
		}
	}
}

// Whatever became of the process and the message, it goes on where it stood.
func TestTheGuideGoesOn(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.presses("Use this installation's model")
	restarted := *s.front
	s.front = &restarted
	q := s.admin() // another admin
	q.who.User = "8"
	q.uses("setup")
	q.reads("▶ **Personas**")
	q.presses("Keep Mira, Fenn, Quill")
	p.presses("Keep Mira, Fenn, Quill") // in the older message
	p.reads("▶ **Channel**")
	if n := len(s.changes()); n != 2 {
		t.Errorf("%d changes: what was so before is none", n)
	}
	p.presses("◀ Back")
	p.reads("▶ **Personas**: Mira, Fenn, Quill")
	p.presses("◀ Back")
	p.reads("▶ **Model**: the model of this installation")
	s.front.Offers = func(string) bool { return false } // the operator takes the server off the list
	p.presses("Use this installation's model")
	p.reads("⚠️ The model of this installation is not for this server", "▶ **Model**")
	p.uses("setup")
	p.reads("▶ **Model**", "✅ Personas")
}

// The notes name what the guide changed as the guide does, and do not say twice what only was agreed to.
func TestChangesOfTheGuideAreReadable(t *testing.T) {
	p := newShop(t).admin()
	p.uses("setup")
	p.presses("Use this installation's model")
	p.presses("Keep Mira, Fenn, Quill")
	p.presses("Everything in this channel")
	p.uses("config changes")
	p.reads("`/setup` Model: the model of this installation", "`/setup` Personas\n", "`/setup` <#7> Channel: when addressed → every message\n")
}

func TestAnOldGuideIsNotObeyed(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	i := p.press("Use this installation's model")
	i.Message = chat.MessageID(chat.Snowflake(time.Now().Add(-16 * time.Minute)))
	p.does(i)
	p.reads("too old")
	p.uses("setup")
	i = p.press("Use this installation's model")
	i.User = "8"
	p.does(i)
	p.reads("belongs to somebody else")
}

func TestAProviderThatIsGoneBetweenSteps(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.chooses("k:openai")
	p.presses("Enter it")
	p.fills("key", goodKey)
	menu, keep, page := p.choose("large"), p.press("Keep small"), p.press("◀ Back")
	s.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Providers, s.Provider = nil, "" })
	p.does(menu)
	p.reads("⚠️ This provider is not there any more", "▶ **Model**")
	p.does(keep)
	p.reads("▶ **Personas**")
	p.does(page)
	p.reads("▶ **Model**")
}

func TestAStoredProviderIsChosenAgain(t *testing.T) {
	s := newShop(t)
	p := adds(s)
	p.uses("provider add", "kind", "custom", "name", "Mine")
	p.fills("address", "https://a.example", "key", goodKey)
	p.uses("setup")
	p.reads("✅ Model: OpenAI · small · ••••wxyz", "▶ **Personas**")
	p.presses("◀ Back")
	p.chooses(p.sees.Rows[1].Menu.Items[1].Value)
	p.reads("Model: **Mine** (was OpenAI)")
	p.presses("Keep small")
	p.reads("✅ Model: Mine", "▶ **Personas**")
}

func TestAnotherChannelIsLookedAt(t *testing.T) {
	all := chat.ViewChannel | chat.SendMessages | chat.ReadHistory
	for name, c := range map[string]struct {
		rights map[chat.ChannelID]chat.Permissions
		fails  error
		says   string
		set    bool
	}{
		"all is well":      {map[chat.ChannelID]chat.Permissions{"9": all}, nil, "✅ Channel: everything in <#9>", true},
		"it may not write": {map[chat.ChannelID]chat.Permissions{"9": chat.ViewChannel}, nil, "In <#9> I lack: Send Messages, Read Message History", true},
		"it sees nothing":  {nil, nil, "I cannot see this channel", false},
		"nobody knows":     {nil, &chat.Failure{Kind: chat.Unknown}, "✅ Channel: everything in <#9>", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.back.Checks.Rights = rights(c.rights, c.fails)
			p := s.admin()
			p.uses("setup")
			p.presses("Use this installation's model")
			p.presses("Keep Mira, Fenn, Quill")
			p.chooses("9")
			p.reads(c.says)
			if s.book.in("1", "9").Always != c.set {
				t.Error("it is set, or not, as it should not be")
			}
		})
	}
}

func TestTheChannelIsChangedAgain(t *testing.T) {
	s := newShop(t)
	s.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Whitelist = []chat.ChannelID{"5"} })
	p := s.admin()
	p.who.BotMay = chat.ViewChannel
	p.uses("setup")
	p.presses("Use this installation's model")
	p.presses("Keep Mira, Fenn, Quill")
	p.presses("Everything in this channel")
	p.reads("In <#7> I lack: Send Messages")
	if got := s.server().Whitelist; len(got) != 2 || got[1] != "7" {
		t.Errorf("nothing is answered there: the list has %q", got)
	}
	p.presses("◀ Back")
	p.reads("▶ **Channel**: everything in <#7>")
	p.presses("Only when they are called")
	p.reads("**only when they are called** (was everything in <#7>)")
	if s.book.in("1", "7").Always || s.server().Setup.Home != "" {
		t.Error("everything is answered there still")
	}
	p.who.Thread = true // a thread is no place to set up
	p.uses("setup")
	p.presses("◀ Back")
	if len(p.sees.Rows[0].Buttons) != 2 {
		t.Errorf("in a thread there are %+v", p.sees.Rows[0].Buttons)
	}
}

func TestPersonasOfOnesOwnAreNotLost(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.presses("Use this installation's model")
	only := p.choose("quill")
	s.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { // somebody makes the server a persona of its own meanwhile
		s.Own, s.Personas = true, persona.Demos()[1:2]
		s.Personas[0].Main = true
	})
	p.does(only)
	p.reads("⚠️", "would be lost", "▶ **Personas**: Fenn")
	p.presses("Go on with Fenn")
	p.reads("▶ **Channel**")
	s.book.set("1", "", func(s *guild.Settings, _ *guild.Channel) { s.Personas = nil })
	p.uses("setup")
	p.reads("Nobody lives here yet")
}

// A model that fails leaves the guide where it is.
func TestAModelThatFailsIsNotChosen(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.chooses("k:openai")
	p.presses("Enter it")
	p.fills("key", goodKey)
	s.at.fails = failing(llm.RateLimited, 429, "")
	p.chooses("large")
	p.reads("⚠️", "no more calls")
	s.at.fails = nil
	p.chooses("small") // it is the one that speaks already
	p.reads("▶ **Personas**")
	if s.server().Providers[0].Model != "small" {
		t.Error("a model that fails was chosen")
	}
}

// While a provider is asked, the guide says so, and a way back is left in case that no answer comes.
func TestTheGuideWaits(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.chooses("k:custom")
	p.reads("Any server that understands")
	p.presses("Enter it")
	p.fills("address", "https://a.example", "key", goodKey)
	a := s.first[len(s.first)-1]
	if a.Deferred || !a.Update || !strings.Contains(a.Text, "⏳") || len(a.Rows) != 1 {
		t.Errorf("meanwhile it says %+v", a)
	}
	if s.server().Providers[0].Name != "a.example" {
		t.Errorf("kept %+v", s.server())
	}
}

func rights(all map[chat.ChannelID]chat.Permissions, err error) func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
	return func(context.Context, string, []chat.ChannelID) (map[chat.ChannelID]chat.Permissions, error) {
		return all, err
	}
}

func TestSomebodyIsWrittenInTheGuide(t *testing.T) {
	s := newShop(t)
	p := s.admin()
	p.uses("setup")
	p.presses("Use this installation's model")
	p.presses("Write your own")
	p.fills("name", "Teo", "description", "")
	p.reads("I cannot take this as it is")
	if m := p.presses("Correct it").Modal; value(m, "name") != "Teo" {
		t.Errorf("opened again with %+v", m)
	}
	sent := p.fill("description", "{{char}} keeps bees.")
	p.does(sent)
	p.reads("✅ Personas: Teo", "Personas: **Teo** (was Mira, Fenn, Quill)", "▶ **Channel**")
	p.does(sent)
	p.reads("▶ **Channel**")
	p.presses("◀ Back")
	p.presses("Write your own")
	p.fills("name", "Una", "description", "{{char}} keeps cats.")
	p.reads("Personas: **Teo, Una** (was Teo)")
	got := s.server()
	if len(got.Personas) != 2 || !got.Personas[0].Main || got.Personas[1].Main || len(s.changes()) != 3 {
		t.Errorf("kept %+v", got.Personas)
	}
}
