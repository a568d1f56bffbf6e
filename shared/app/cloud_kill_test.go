package app_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/sim/cloud"
)

// recovery is how long a reply may take that somebody began who died.
const recovery = 90 * time.Second

// sweeping is how often the sweeper's schedule fires, four times as often as it is deployed.
const sweeping = 15 * time.Second

// kettle is what most of these tests are about.
const kettle = `
-- settings.json --
{"channel":"100","cast":["mira"]}
-- events --
ana: mira, may I come in?
-- model --
mira> The kettle is on the fire. |Sit down.
-- want.posts --
mira: The kettle is on the fire. Sit down.
-- want.saved --
turn 1 mira · event 1 answered · lease free · mailbox empty · dead letters 0
`

// told plays a story in a scene, after what is to be prepared in it, and demands that its posts are the only ones ever made.
func (s *sky) told(t *testing.T, text string, prepare func(*open)) *open {
	t.Helper()
	o, err := s.tried(t, text, prepare)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// tried is the same for goroutines, which may not end the test.
func (s *sky) tried(t *testing.T, text string, prepare func(*open)) (*open, error) {
	t.Helper()
	st, err := parseStory(strings.ReplaceAll(t.Name(), "/", " "), []byte(text))
	if err != nil {
		return nil, err
	}
	o, err := s.stageOn(t.Context(), st)
	if err != nil {
		return nil, err
	}
	if prepare != nil {
		prepare(o)
	}
	if err := o.play(t.Context()); err != nil {
		return nil, fmt.Errorf("%w\n  faults: %v", err, o.faults)
	}
	return o, o.verdict(t)
}

// verdict says what is wrong with the end.
func (o *open) verdict(t *testing.T) error {
	t.Helper()
	got, err := o.judge(t.Context())
	if err != nil {
		return err
	}
	for _, wrong := range o.story.wanted(got) {
		t.Error(wrong)
	}
	if n := len(o.posts()); n != len(o.story.posts) {
		t.Errorf("%d messages were posted, deleted ones included, want %d", n, len(o.story.posts))
	}
	return nil
}

// TestKilledOnAWS kills the real processes, each at one call: SIGKILL before the call is heard, or after it was done. The reply
// is there within a minute and a half, once, and in one message.
func TestKilledOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{})
	s.every(sweeping, "sweeper")
	for _, c := range []struct {
		name, role, operation string
		after                 int
		kind                  cloud.FaultKind
	}{
		{"admission, before it offers", "admission", "TransactWriteItems", 0, cloud.Unheard},
		{"admission, when it has offered", "admission", "TransactWriteItems", 0, cloud.ReplyLost},
		{"admission, when it has handed over", "admission", "SendMessage", 0, cloud.ReplyLost},
		{"planning, before it takes the channel", "planning", "UpdateItem", 0, cloud.Unheard},
		{"planning, when it has the channel", "planning", "UpdateItem", 0, cloud.ReplyLost},
		{"planning, when the plan is kept and not handed over", "planning", "UpdateItem", 1, cloud.ReplyLost},
		{"planning, when it has handed over", "planning", "SendMessage", 0, cloud.ReplyLost},
		{"generation, when it has the channel", "generation", "UpdateItem", 0, cloud.ReplyLost},
		{"generation, when it is about to post", "generation", "UpdateItem", 1, cloud.ReplyLost},
		{"generation, when it has posted and nobody knows where", "generation", "UpdateItem", 2, cloud.Unheard},
		{"generation, when the text is kept and does not count", "generation", "PutItem", 0, cloud.ReplyLost},
		{"generation, when the text counts", "generation", "UpdateItem", 3, cloud.ReplyLost},
		{"generation, before the turn is ended", "generation", "TransactWriteItems", 0, cloud.Unheard},
		{"generation, when the turn is ended", "generation", "TransactWriteItems", 0, cloud.ReplyLost},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := s
			if c.role == "admission" { // it has events of many channels at once: the others would die with it
				s = newSky(t, laying{})
			}
			var died atomic.Int64
			s.told(t, kettle, func(o *open) {
				t.Cleanup(s.proxy.Fault(cloud.Fault{Kind: c.kind, Role: c.role, Operation: c.operation, Holds: o.home, After: c.after, Count: 1, Hit: func() {
					if s.functions[c.role].Kill(o.here) != 1 {
						t.Error("nobody was there to die")
					}
					died.Store(time.Now().UnixMilli())
				}}))
			})
			if died.Load() == 0 {
				t.Fatal("the call was never made")
			}
			if took := time.Since(time.UnixMilli(died.Load())); took > recovery {
				t.Errorf("it took %s", took)
			}
		})
	}
	t.Run("generation, in the middle of its words", func(t *testing.T) {
		t.Parallel()
		began := time.Now()
		s.told(t, strings.Replace(strings.Replace(kettle, "|Sit", "|{pause 6s}Sit", 1), "-- model", "while speaking crash\n-- model", 1), nil)
		if took := time.Since(began); took > recovery+6*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// TestLostOnAWS: what was committed is not handed on, for the queue says that it has the message and has not.
func TestLostOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{})
	s.every(sweeping, "sweeper")
	round := strings.NewReplacer("mira, may", "may", `["mira"]`, `["mira","teo"],"order":"round"`, "-- want.posts", "teo> *nods*\n-- want.posts",
		"Sit down.\n-- want.saved", "Sit down.\nteo: *nods*\n-- want.saved", "turn 1 mira", "turn 1 mira · turn 2 teo").Replace(kettle)
	for _, c := range []struct{ name, role, queue, story string }{
		{"from admission to planning", "admission", queue.Turns, kettle},
		{"from planning to generation", "planning", queue.Replies, kettle},
		{"from one persona to the next", "generation", queue.Replies, round},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var lost atomic.Int64
			s.told(t, c.story, func(o *open) {
				t.Cleanup(s.proxy.Fault(cloud.Fault{Kind: cloud.Swallowed, Role: c.role, Operation: "SendMessage", Resource: s.queue(c.queue), Holds: o.home,
					Count: 1, Hit: func() { lost.Add(1) }}))
			})
			if lost.Load() != 1 {
				t.Error("nothing was lost")
			}
		})
	}
}

// TestAgainOnAWS delivers an event a second time with the id that it had. SQS would drop that for five minutes and then not;
// moto forgets the id with the message's deletion, so what comes here at once is what comes on AWS after six minutes. The
// relay is a process here; everywhere else it is a chain of functions.
func TestAgainOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{process: true})
	o := s.told(t, kettle, nil)
	words, err := o.words(1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := o.event(words)
	if err != nil {
		t.Fatal(err)
	}
	m, err := queue.OfEvent(e)
	if err != nil {
		t.Fatal(err)
	}
	before := s.functions["admission"].Log().Count(`"msg":"admitted"`)
	if err := o.resend(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	s.eventually(time.Minute, "the duplicate is admitted", func() bool { return s.functions["admission"].Log().Count(`"msg":"admitted"`) > before })
	o.answered(t)
}

// TestHandedOverOnAWS: Lambda ends a function at its time-out, wherever it is. A turn that takes longer is handed to a fresh
// invocation before that, and goes on in the same message; nobody waits for a beat to be found dead.
func TestHandedOverOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{turn: 16 * time.Second})
	began := time.Now()
	s.told(t, strings.Replace(kettle, "|Sit", "|{pause 80s}Sit", 1), func(o *open) {
		go func() {
			o.await(0, time.Minute, func() bool { return len(o.posts()) > 0 })
			o.model.hurry()
		}()
	})
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	handed := 0
	for _, r := range s.proxy.Records() {
		if r.Role == "generation" && r.Operation == "SendMessage" {
			handed++
		}
	}
	if handed != 1 {
		t.Errorf("handed over %d times", handed)
	}
}
