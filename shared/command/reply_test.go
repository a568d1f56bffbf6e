package command_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/locale"
)

// replies knows the reply of message 900, and of no other.
type replies struct {
	reply chat.Reply
	fails error
}

func (r *replies) ReplyOf(_ context.Context, c chat.ChannelID, m chat.MessageID) (chat.Reply, error) {
	if r.fails != nil {
		return chat.Reply{}, r.fails
	}
	if c != "7" || m != "900" {
		return chat.Reply{}, chat.ErrMissing
	}
	return r.reply, nil
}

// shelf is a front with one reply of Fenn's to user 5, of which the second of three variants is shown.
type shelf struct {
	*person
	in *entrance
	of *replies
	at *channel
}

func newShelf(t *testing.T) shelf {
	p, in := guest(t)
	of := &replies{reply: chat.Reply{Event: answered, Turn: 1, Asker: "5", Persona: "fenn", Name: "Fenn", Label: "**Fenn** ", Current: 2,
		Variants: []chat.Variant{{N: 1, Text: "a"}, {N: 2, Text: "b"}, {N: 4, Text: "d"}}}}
	at := &channel{asker: "5"}
	p.front.Replies, p.front.Controls = of, at
	return shelf{p, in, of, at}
}

// presses uses the button with the custom id below message 900.
func (s shelf) presses(id string) {
	s.t.Helper()
	i := s.next(chat.UsedComponent)
	i.CustomID, i.Message = id, "900"
	s.does(i)
}

// applies uses the command in the menu of a message.
func (s shelf) applies(name string, m chat.MessageID) {
	s.t.Helper()
	i := s.next(chat.UsedCommand)
	i.Command, i.Target = name, m
	s.does(i)
}

func TestControlsAskForTheirTurn(t *testing.T) {
	press := func(what chat.Doing, n int) func(shelf) {
		return func(s shelf) { s.presses(chat.ControlID(what, answered, 1, n)) }
	}
	apply := func(name string) func(shelf) { return func(s shelf) { s.applies(name, "900") } }
	for name, c := range map[string]struct {
		does    func(shelf)
		what    chat.Doing
		variant int
		says    string // "" where the message itself will change
	}{
		"Regenerate pressed": {press(chat.Regenerate, 0), chat.Regenerate, 0, ""},
		"Continue pressed":   {press(chat.Continue, 0), chat.Continue, 0, ""},
		"Delete pressed":     {press(chat.RemoveReply, 0), chat.RemoveReply, 0, ""},
		"back pressed":       {press(chat.ShowVariant, 1), chat.ShowVariant, 1, ""},
		"forward pressed":    {press(chat.ShowVariant, 4), chat.ShowVariant, 4, ""},
		"Regenerate":         {apply("Regenerate"), chat.Regenerate, 0, "Another answer"},
		"Continue":           {apply("Continue"), chat.Continue, 0, "It goes on"},
		"Delete reply":       {apply("Delete reply"), chat.RemoveReply, 0, "The reply goes"},
		"Previous version":   {apply("Previous version"), chat.ShowVariant, 1, "The other version"},
		"Next version":       {apply("Next version"), chat.ShowVariant, 4, "The other version"},
		"before the first":   {func(s shelf) { s.of.reply.Current = 1; s.applies("Previous version", "900") }, chat.ShowVariant, 4, "The other version"},
		"behind the last":    {func(s shelf) { s.of.reply.Current = 4; s.applies("Next version", "900") }, chat.ShowVariant, 1, "The other version"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			c.does(s)
			if len(s.in.events) != 1 {
				t.Fatalf("%d events, %+v", len(s.in.events), s.sees)
			}
			e := s.in.events[0]
			want := chat.Redo{What: c.what, Event: answered, Turn: 1, From: s.of.reply.Current, Variant: c.variant, Name: "Fenn", Label: "**Fenn** "}
			if e.Asked == nil || e.Asked.Persona != "fenn" || *e.Asked.Redo != want || e.ID != s.did.ID || e.Author.ID != "5" || e.Channel != "7" {
				t.Errorf("%+v, %+v", e, e.Asked)
			}
			if silent := s.sees.Deferred && s.sees.Update; silent != (c.says == "") || !strings.Contains(s.sees.Text, c.says) || !s.sees.Ephemeral {
				t.Errorf("answered %+v", s.sees)
			}
			if len(s.queue.kept) > 0 {
				t.Error("it waits for the commands function, which has nothing to do")
			}
		})
	}
}

// TestWhoMayChangeAReply is the matrix of who may use which control, under the rule once more in other words.
func TestWhoMayChangeAReply(t *testing.T) {
	uses := map[string]func(shelf){
		"Regenerate":       func(s shelf) { s.presses(chat.ControlID(chat.Regenerate, answered, 1, 0)) },
		"Continue":         func(s shelf) { s.presses(chat.ControlID(chat.Continue, answered, 1, 0)) },
		"Delete":           func(s shelf) { s.presses(chat.ControlID(chat.RemoveReply, answered, 1, 0)) },
		"◀":                func(s shelf) { s.presses(chat.ControlID(chat.ShowVariant, answered, 1, 1)) },
		"menu regenerate":  func(s shelf) { s.applies("Regenerate", "900") },
		"menu continue":    func(s shelf) { s.applies("Continue", "900") },
		"menu delete":      func(s shelf) { s.applies("Delete reply", "900") },
		"menu previous":    func(s shelf) { s.applies("Previous version", "900") },
		"menu next":        func(s shelf) { s.applies("Next version", "900") },
		"menu in Japanese": func(s shelf) { s.who.Locale = "ja"; s.applies("Next version", "900") },
	}
	writes := chat.SendMessages
	for who, c := range map[string]struct {
		change func(*chat.Interaction)
		may    bool
	}{
		"whom it answers":      {func(*chat.Interaction) {}, true},
		"somebody":             {func(i *chat.Interaction) { i.User = "6" }, false},
		"who manages messages": {func(i *chat.Interaction) { i.User, i.May = "6", writes|chat.ManageMessages }, true},
		"who manages servers":  {func(i *chat.Interaction) { i.User, i.May = "6", writes|chat.ManageGuild }, false},
		"administrator":        {func(i *chat.Interaction) { i.User, i.May = "6", chat.Administrator }, true},
		"admins' role":         {func(i *chat.Interaction) { i.User, i.Roles = "6", []string{"76", "77"} }, true},
		"role of another's":    {func(i *chat.Interaction) { i.User, i.Roles = "6", []string{"78"} }, false},
		"direct, asker":        {func(i *chat.Interaction) { i.Guild, i.May = "", 0 }, true},
		"direct, another":      {func(i *chat.Interaction) { i.User, i.Guild, i.May = "6", "", 0 }, false},
	} {
		for use, does := range uses {
			s := newShelf(t)
			s.book.set("1", "", func(g *guild.Settings, _ *guild.Channel) { g.Admins = []string{"77"} })
			s.book.set("2", "", func(g *guild.Settings, _ *guild.Channel) { g.Admins = []string{"78"} })
			c.change(&s.who)
			does(s)
			if asked := len(s.in.events) == 1; asked != c.may || !asked && s.sees.Text == "" || !s.sees.Ephemeral || !asked && s.sees.Update {
				t.Errorf("%s by %s: %v, %+v", use, who, asked, s.sees)
			}
		}
	}
}

func TestControlsSayWhyNot(t *testing.T) {
	regenerate := func(s shelf) { s.presses(chat.ControlID(chat.Regenerate, answered, 1, 0)) }
	for name, c := range map[string]struct {
		is   func(shelf)
		does func(shelf)
		key  string
	}{
		"is being written":       {func(s shelf) { s.of.reply.Speaking = true }, regenerate, "reply.speaking"},
		"is worked on":           {func(s shelf) { s.of.reply.Coming = true }, regenerate, "reply.coming"},
		"was deleted":            {func(s shelf) { s.of.reply.Remove() }, regenerate, "reply.deleted"},
		"nobody's message":       {nil, func(s shelf) { s.applies("Regenerate", "901") }, "reply.unknown"},
		"has one variant":        {func(s shelf) { s.of.reply.Variants = s.of.reply.Variants[1:2] }, func(s shelf) { s.applies("Next version", "900") }, "reply.only_one"},
		"variant is gone":        {nil, func(s shelf) { s.presses(chat.ControlID(chat.ShowVariant, answered, 1, 3)) }, "reply.variant_gone"},
		"is as long as may be":   {func(s shelf) { s.of.reply.Variants[1].Text = strings.Repeat("界", guild.MaxReply) }, func(s shelf) { s.applies("Continue", "900") }, "reply.full"},
		"its persona left":       {func(s shelf) { s.of.reply.Persona = "nobody" }, regenerate, "reply.left"},
		"may not write any more": {func(s shelf) { s.who.May = chat.ViewChannel }, regenerate, "respond.may_not"},
		"the bot may not":        {func(s shelf) { s.who.BotMay = chat.ViewChannel }, regenerate, "channel.silenced"},
		"closed": {func(s shelf) {
			s.book.set("1", "", func(g *guild.Settings, _ *guild.Channel) { g.Whitelist = []chat.ChannelID{"8"} })
		}, regenerate, "respond.closed"},
		"the store is away":     {func(s shelf) { s.of.fails = errAway }, regenerate, "refused.again"},
		"the queue is away":     {func(s shelf) { s.in.fails = errAway }, regenerate, "refused.again"},
		"a menu of later times": {nil, func(s shelf) { s.applies("Explain", "900") }, "refused.unknown"},
		"no menu's":             {nil, func(s shelf) { s.uses("Regenerate") }, "refused.unknown"},
		"a slash command's":     {nil, func(s shelf) { s.applies("stop", "900") }, "refused.unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			if c.is != nil {
				c.is(s)
			}
			c.does(s)
			head, _, _ := strings.Cut(locale.Default.Say(c.key), "{")
			if len(s.in.events) > 0 || !strings.HasPrefix(s.sees.Text, strings.TrimRight(head, "*")) || !s.sees.Ephemeral || s.sees.Update || s.sees.Deferred {
				t.Errorf("%d events, %+v", len(s.in.events), s.sees)
			}
		})
	}
	s := newShelf(t) // what needs no model is done also where nobody may speak
	s.of.reply.Persona, s.who.May, s.who.BotMay = "nobody", chat.ViewChannel, chat.ViewChannel
	s.presses(chat.ControlID(chat.RemoveReply, answered, 1, 0))
	if len(s.in.events) != 1 {
		t.Errorf("answered %+v", s.sees)
	}
}

// Whatever a custom id says, it is the message below which it stands that tells what it is about.
func TestForgedControls(t *testing.T) {
	ids := []string{
		chat.ControlID(chat.Regenerate, "4243", 1, 0), chat.ControlID(chat.Regenerate, answered, 0, 0), chat.ControlID(chat.RemoveReply, "", 1, 0),
		"1|reply|regenerate|0", "1|reply|regenerate|0|4242", "1|reply|regenerate|0|4242|x", "1|reply|regenerate|0|4242|01", "1|reply|regenerate|0|4242|-1",
		"1|reply|show|0|4242|1", "1|reply|show|0|4242|1|x", "1|reply|show|0|4242|1|99999999999999999999", "1|reply|show|0|4242|1|-1", "1|reply|show|0|4242|1|0",
		"1|reply||0|4242|1", "1|reply|explain|0|4242|1", "1|reply regenerate||0|4242|1", "1|reply regenerate|regenerate|0|4242|1", "2|reply|regenerate|0|4242|1",
		"1|reply|stop|0|", "1|reply|stop|0", "1|reply|stop|0|4243", "1|reply|stop|5|<@&1>", "1|stop|stop|0|4242", "1|reply|keep|0|4242|1", "1|reply|\x00|0|4242|1",
	}
	for _, id := range ids {
		s := newShelf(t)
		s.presses(id)
		if len(s.in.events) > 0 || s.at.stopped || s.sees.Text == "" || !s.sees.Ephemeral {
			t.Errorf("%q: %d events, stopped %v, %+v", id, len(s.in.events), s.at.stopped, s.sees)
		}
		i := s.next(chat.SentModal) // as if a form had been opened by it
		i.CustomID, i.Message = id, "900"
		if s.does(i); len(s.in.events) > 0 || s.at.stopped {
			t.Errorf("%q as a form: %d events, stopped %v, %+v", id, len(s.in.events), s.at.stopped, s.sees)
		}
	}
}

func TestStopBelowAReply(t *testing.T) {
	for name, c := range map[string]struct {
		by      chat.UserID
		may     chat.Permissions
		of      chat.EventID
		stopped bool
		key     string
	}{
		"whom it answers":      {"5", 0, answered, true, ""},
		"somebody":             {"6", chat.ManageGuild, answered, false, "reply.ended_or_not_yours"},
		"who manages messages": {"6", chat.ManageMessages, answered, true, ""},
		"it has ended":         {"5", 0, "4243", false, "reply.ended_or_not_yours"},
		"it has, to managers":  {"6", chat.ManageMessages, "4243", false, "reply.ended"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			s.who.User, s.who.May = c.by, c.may
			s.presses(chat.ControlID(chat.StopSpeaking, c.of, 0, 0))
			want := ""
			if c.key != "" {
				want = locale.Default.Say(c.key)
			}
			if s.at.stopped != c.stopped || s.sees.Text != want || c.stopped != (s.sees.Deferred && s.sees.Update) {
				t.Errorf("stopped %v, %+v", s.at.stopped, s.sees)
			}
		})
	}
}

// A button below a reply works as long as the reply is kept, unlike one below an answer.
func TestControlsOfOldMessages(t *testing.T) {
	s := newShelf(t)
	s.of.reply.Event = chat.EventID(chat.Snowflake(time.Now().Add(-40 * time.Hour)))
	s.presses(chat.ControlID(chat.Regenerate, s.of.reply.Event, 1, 0)) // message 900 is of 2015
	if len(s.in.events) != 1 {
		t.Errorf("answered %+v", s.sees)
	}
}
