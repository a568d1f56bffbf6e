package plan

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/persona"
)

func cast(names ...string) persona.Cast {
	var c persona.Cast
	for i, n := range names {
		c.Personas = append(c.Personas, persona.Persona{ID: n, Name: strings.ToUpper(n), Triggers: []string{n}, Main: i == 1})
	}
	return c
}

func TestChoose(t *testing.T) {
	four := cast("mira", "teo", "nao", "kai")
	round := cast("mira", "teo")
	round.Round = true
	hosted, left := cast("mira", "teo", "nao"), cast("mira", "teo")
	hosted.Host, left.Host = "nao", "zoe"
	cases := []struct {
		name string
		cast persona.Cast
		text string
		kind chat.Kind
		last string
		want string
	}{
		{"nobody is named: the bot's own persona", four, "hello", chat.Ordinary, "", "teo"},
		{"nobody is named: the channel's host", hosted, "hello", chat.Ordinary, "", "nao"},
		{"a name counts more than the host", hosted, "hello mira", chat.Ordinary, "", "mira"},
		{"a host that left", left, "hello", chat.Ordinary, "", "teo"},
		{"the last speaker has no claim on a new message", four, "hello", chat.Ordinary, "nao", "teo"},
		{"the one who is named", four, "hello nao", chat.Ordinary, "", "nao"},
		{"in the order of the names", four, "nao and mira?", chat.Ordinary, "", "nao mira"},
		{"three at most", four, "kai nao teo mira", chat.Ordinary, "", "kai nao teo"},
		{"a round", round, "hello you two", chat.Ordinary, "", "mira teo"},
		{"a name ends the round", round, "only teo please", chat.Ordinary, "", "teo"},
		{"the interrupted one answers a stop", four, "teo stop", chat.StopAsk, "nao", "nao"},
		{"and a follow-up", four, "and tea?", chat.FollowUp, "kai", "kai"},
		{"unless the follow-up names another", four, "and you, nao?", chat.FollowUp, "kai", "nao"},
		{"unless it has left", four, "stop", chat.StopAsk, "zoe", "teo"},
		{"nobody lives here", persona.Cast{}, "hello", chat.Ordinary, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := &chat.Hold{Head: chat.Head{Kind: c.kind, LastPersona: c.last}, Event: chat.Event{Text: c.text}}
			var got []string
			for _, turn := range chosen(t, c.cast, h) {
				got = append(got, turn.Persona)
				if main, _ := c.cast.Main(); (turn.Label == "") != (turn.Persona == main.ID) {
					t.Errorf("persona %s has the label %q", turn.Persona, turn.Label)
				}
				if turn.Name != strings.ToUpper(turn.Persona) {
					t.Errorf("persona %s is named %q in its turn", turn.Persona, turn.Name)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

// spoken knows who spoke which message. The test calls nothing else of it.
type spoken struct {
	chat.Plans
	by  map[chat.MessageID]string
	err error
}

func (s spoken) Whose(_ context.Context, _ chat.ChannelID, ids []chat.MessageID) (map[chat.MessageID]chat.Owner, error) {
	owners := map[chat.MessageID]chat.Owner{}
	for _, id := range ids {
		if p, ok := s.by[id]; ok {
			owners[id] = chat.Owner{Persona: p}
		}
	}
	return owners, s.err
}

func chosen(t *testing.T, cast persona.Cast, h *chat.Hold) []chat.Turn {
	t.Helper()
	turns, err := (&Planner{plans: spoken{by: map[chat.MessageID]string{"5": "nao", "6": "zoe"}}}).choose(t.Context(), cast, h)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

func TestAReplyIsAnsweredByWhoSaidIt(t *testing.T) {
	four := cast("mira", "teo", "nao", "kai")
	for _, c := range []struct {
		name, text string
		to         chat.MessageID
		ours       bool
		want       string
	}{
		{"by the one who said it", "really?", "5", true, "nao"},
		{"a name counts more", "really, kai?", "5", true, "kai"},
		{"it has left since", "really?", "6", true, "teo"},
		{"words of no turn, a notice", "really?", "7", true, "teo"},
		{"another person's words", "really?", "5", false, "teo"},
	} {
		h := &chat.Hold{Event: chat.Event{Text: c.text, ReplyTo: c.to, ReplyToUs: c.ours}}
		if got := chosen(t, four, h); len(got) != 1 || got[0].Persona != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, got, c.want)
		}
	}
	h := &chat.Hold{Event: chat.Event{Text: "really?", ReplyTo: "5", ReplyToUs: true}}
	p := &Planner{plans: spoken{err: errors.New("throttled")}}
	if _, err := p.choose(t.Context(), four, h); err == nil {
		t.Error("what cannot be read must be tried again, or another persona would answer")
	}
	h.Failing = true
	if got, err := p.choose(t.Context(), four, h); err != nil || len(got) != 1 {
		t.Errorf("an event that keeps failing must not need that read: %+v, %v", got, err)
	}
}

func TestACommandIsAnsweredByWhomItAsksFor(t *testing.T) {
	hosted := cast("mira", "teo", "nao")
	hosted.Host, hosted.Round = "nao", true
	for _, c := range []struct{ name, asked, last, want string }{
		{"the one it names", "mira", "teo", "mira"}, {"one who has left", "zoe", "teo", "teo"}, {"the last speaker", "", "teo", "teo"},
		{"the channel's own, and no round", "", "", "nao"}, {"when the last speaker has left", "", "zoe", "nao"},
	} {
		h := &chat.Hold{Head: chat.Head{Kind: chat.Command, LastPersona: c.last}, Event: chat.Event{Asked: &chat.Asked{Persona: c.asked}}}
		if got := chosen(t, hosted, h); len(got) != 1 || got[0].Persona != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, got, c.want)
		}
	}
	if got := chosen(t, persona.Cast{}, &chat.Hold{Event: chat.Event{Asked: &chat.Asked{}}}); len(got) != 0 {
		t.Errorf("nobody lives here, and %+v speaks", got)
	}
}

func TestChooseNeverRepeatsAPersona(t *testing.T) {
	h := &chat.Hold{Event: chat.Event{Text: "mira mira mira teo mira"}}
	if got := chosen(t, cast("mira", "teo"), h); len(got) != 2 {
		t.Errorf("got %+v, want each once", got)
	}
}

func TestNotice(t *testing.T) {
	turns := chosen(t, cast("mira", "teo"), &chat.Hold{Event: chat.Event{Text: "mira and teo"}})
	told := notice(turns, chat.Poison+1)
	if len(told) != 1 || told[0].Persona != "mira" || told[0].Notice != "poison" {
		t.Errorf("got %+v, want one turn that tells the person", told)
	}
	if got := notice(turns, 2*chat.Poison+1); got != nil {
		t.Errorf("where telling fails too the event ends without a word, got %+v", got)
	}
	if got := notice(nil, chat.Poison+1); got != nil {
		t.Errorf("nobody can tell, got %+v", got)
	}
}
