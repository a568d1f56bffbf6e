package admit

import (
	"context"
	"errors"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

var (
	mira = persona.Persona{ID: "mira", Name: "Mira", Triggers: []string{"mira"}, Main: true}
	hall = persona.Cast{Personas: []persona.Persona{mira}}
)

// said is a message of a person in a guild, changed by with.
func said(text string, with ...func(*chat.Event)) chat.Event {
	e := chat.Event{What: chat.Said, ID: "1000", Channel: "1", Guild: "7", Author: chat.Author{ID: "20", Name: "ana"}, Text: text}
	for _, f := range with {
		f(&e)
	}
	return e
}

func TestRefuse(t *testing.T) {
	cases := []struct {
		name string
		e    chat.Event
		want string
	}{
		{"a person's words pass", said("hello"), ""},
		{"words of another script pass", said("こんにちは"), ""},
		{"a sticker alone passes", said("", func(e *chat.Event) { e.Extras = "[sticker: wave]" }), ""},
		{"a bare mention passes", said(" ", func(e *chat.Event) { e.MentionsUs = true }), ""},
		{"nothing at all", said(" \n\t"), "empty_message"},
		{"a notice of Discord", said("ana pinned a message", func(e *chat.Event) { e.System = true }), "system_message"},
		{"another bot", said("mira hello", func(e *chat.Event) { e.Author.Bot = true }), "other_bot_message"},
		{"another bot that mentions us", said("hi", func(e *chat.Event) { e.Author.Bot, e.MentionsUs = true, true }), "other_bot_message"},
		{"a bot in a direct message", said("hi", func(e *chat.Event) { e.Author.Bot, e.DM = true, true }), "bot_dm_message"},
		{"a webhook, which has the flag of a bot too", said("hi", func(e *chat.Event) { e.Author.Webhook, e.Author.Bot = true, true }), "unknown_webhook"},
		{"content withheld", said("", func(e *chat.Event) { e.Withheld = true }), "content_withheld"},
		{"content withheld, but a reply to us", said("hi", func(e *chat.Event) { e.Withheld, e.ReplyToUs = true, true }), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := refuse(c.e)
			if w.Reason != c.want || w.Reply || w.Stop || w.FollowUp {
				t.Errorf("got %+v, want the reason %q and nothing else", w, c.want)
			}
		})
	}
}

func TestWish(t *testing.T) {
	always := hall
	always.Always = true
	cases := []struct {
		name  string
		e     chat.Event
		cast  persona.Cast
		reply bool
		stop  bool
		why   string
	}{
		{"not addressed", said("hello all"), hall, false, false, "non_trigger"},
		{"trigger word", said("hey Mira!"), hall, true, false, "non_trigger"},
		{"stretched trigger word", said("MIRAAAA"), hall, true, false, "non_trigger"},
		{"trigger inside a word", said("miraculous"), hall, false, false, "non_trigger"},
		{"mention", said("hello", func(e *chat.Event) { e.MentionsUs = true }), hall, true, false, "non_trigger"},
		{"reply to us", said("why?", func(e *chat.Event) { e.ReplyToUs = true }), hall, true, false, "non_trigger"},
		{"reply to somebody else", said("why?", func(e *chat.Event) { e.ReplyTo = "55" }), hall, false, false, "non_trigger"},
		{"direct message", said("hello", func(e *chat.Event) { e.DM, e.Guild = true, "" }), hall, true, false, "non_trigger"},
		{"always-on channel", said("hello"), always, true, false, "non_trigger"},
		{"another bot's command in an always-on channel", said("!play song"), always, false, false, "command_prefix"},
		{"a stop", said("stop!"), hall, false, true, "non_trigger"},
		{"a stop by name", said("mira stop"), hall, true, true, "non_trigger"},
		{"no stop: the word is somewhere", said("the bus stop"), hall, false, false, "non_trigger"},
		{"nobody lives here", said("mira"), persona.Cast{}, false, false, "no_persona"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := wish(c.e, guild.Place{Cast: c.cast})
			if w.Reply != c.reply || w.Stop != c.stop || w.Reason != c.why {
				t.Errorf("got %+v, want reply %v, stop %v, reason %s", w, c.reply, c.stop, c.why)
			}
		})
	}
}

func TestACommandNeedsNoTrigger(t *testing.T) {
	asked := func(id string) chat.Event {
		return said("", func(e *chat.Event) { e.Asked = &chat.Asked{Persona: id} })
	}
	nobody := guild.Place{}
	for name, c := range map[string]struct {
		e     chat.Event
		place guild.Place
		want  chat.Wish
	}{
		"anybody":           {asked(""), guild.Place{Cast: hall}, chat.Wish{Reply: true, Reason: "non_trigger"}},
		"somebody":          {asked("mira"), guild.Place{Cast: hall}, chat.Wish{Reply: true, Reason: "non_trigger"}},
		"one who left":      {asked("zoe"), guild.Place{Cast: hall}, chat.Wish{Reason: "persona_missing"}},
		"nobody lives here": {asked(""), nobody, chat.Wish{Reason: "no_persona"}},
		"a closed channel":  {asked("mira"), guild.Place{Cast: hall, Closed: true}, chat.Wish{Closed: true}},
	} {
		if w := refuse(c.e); w != (chat.Wish{}) {
			t.Errorf("%s: refused with %+v", name, w)
		}
		if w := wish(c.e, c.place); w != c.want {
			t.Errorf("%s: %+v, want %+v", name, w, c.want)
		}
	}
}

func TestAClosedChannelHearsNothing(t *testing.T) {
	for _, e := range []chat.Event{said("mira?"), said("stop"), said("hi", func(e *chat.Event) { e.MentionsUs = true })} {
		if w := wish(e, guild.Place{Cast: hall, Closed: true}); w != (chat.Wish{Closed: true}) {
			t.Errorf("%q: %+v", e.Text, w)
		}
	}
}

// rooms is an admission's surroundings that only take notes.
type rooms struct {
	offered []chat.Wish
	edited  int
	deleted int
	killed  []chat.ChannelID
	sent    []chat.Job
	answer  chat.Offered
	fail    error
}

func (r *rooms) Offer(_ context.Context, _ chat.Event, w chat.Wish) (chat.Offered, error) {
	r.offered = append(r.offered, w)
	return r.answer, r.fail
}
func (r *rooms) Kill(_ context.Context, c chat.ChannelID) (int, error) {
	r.killed = append(r.killed, c)
	return 2, r.fail
}
func (r *rooms) Stop(context.Context, chat.ChannelID, chat.EventID, chat.UserID, bool) (bool, error) {
	return false, errors.New("nobody asked for a stop")
}
func (r *rooms) Edit(context.Context, chat.Event) error   { r.edited++; return r.fail }
func (r *rooms) Delete(context.Context, chat.Event) error { r.deleted++; return r.fail }
func (r *rooms) Send(_ context.Context, j chat.Job) error { r.sent = append(r.sent, j); return nil }
func (r *rooms) Place(context.Context, string, chat.ChannelID) (guild.Place, error) {
	return guild.Place{Cast: hall}, nil
}

func TestHandle(t *testing.T) {
	job := chat.Job{Queue: chat.QueueTurns, Channel: "1", Event: "1000", N: 3}
	r := &rooms{answer: chat.Offered{Row: chat.Granted, Reason: "run", Send: &job}}
	g := New(r, r, r, r)
	ctx := context.Background()
	steps := []struct {
		e    chat.Event
		drop bool
	}{
		{said("mira"), false},
		{said("my own words", func(e *chat.Event) { e.Author.Us = true }), false}, // an echo is not even offered
		{said("new words", func(e *chat.Event) { e.What = chat.Edited }), false},
		{said("", func(e *chat.Event) { e.What = chat.Deleted }), false},
		{said("?", func(e *chat.Event) { e.What = "reacted" }), true},
		{chat.Event{What: chat.ChannelDeleted, ID: "1", Channel: "1", Guild: "7"}, false},
		{chat.Event{What: chat.ChannelUpdated, ID: "1", Channel: "1", Guild: "7"}, false},
		{chat.Event{What: chat.GuildUpdated, ID: "7", Guild: "7"}, false},
		{chat.Event{What: chat.GuildDeleted, ID: "7", Guild: "7"}, false},
		{chat.Event{What: chat.ChannelDeleted, ID: "1"}, true},
		{said("no id", func(e *chat.Event) { e.ID = "" }), true},
	}
	for _, s := range steps {
		if err := g.Handle(ctx, s.e); chat.Dropped(err) != s.drop || !s.drop && err != nil {
			t.Errorf("handle %q: error %v, want a drop: %v", s.e.What, err, s.drop)
		}
	}
	if len(r.offered) != 1 || !r.offered[0].Reply || r.edited != 1 || r.deleted != 1 || len(r.sent) != 1 || r.sent[0] != job {
		t.Errorf("offered %+v, edited %d, deleted %d, sent %+v", r.offered, r.edited, r.deleted, r.sent)
	}
	if len(r.killed) != 1 || r.killed[0] != "1" {
		t.Errorf("killed %v: a deleted channel ends what it does, no other news of channels and guilds does", r.killed)
	}
	r.fail = errors.New("the store is away")
	if err := g.Handle(ctx, said("mira")); !errors.Is(err, r.fail) || chat.Dropped(err) {
		t.Errorf("a failing store must be tried again, got %v", err)
	}
}
