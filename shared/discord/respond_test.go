package discord_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// serve runs a gateway that answers interactions, for an application that has one command, "x".
func (w *world) serve(t *testing.T, answer func(context.Context, chat.Interaction) chat.Answer) *running {
	t.Helper()
	if err := w.client.SetCommands(t.Context(), w.State().Application.ID, []chat.CommandSpec{{Name: "x", Description: "x", DMs: true}}); err != nil {
		t.Error(err)
	}
	g := start(t, &discord.Gateway{REST: w.client, MessageContent: true, Dial: w.pipe.Dial, OnInteraction: answer}, nil)
	<-g.ready
	synctest.Wait()
	return g
}

// uses lets somebody use the command.
func (w *world) uses(t *testing.T, channel string) simdiscord.Outcome {
	t.Helper()
	o, err := w.Interact(t.Context(), simdiscord.Invocation{Kind: "command", Command: "x", User: "ana", Channel: channel})
	if err != nil {
		t.Error(err)
	}
	return o
}

// reads is what the person reads last in the lounge.
func (w *world) reads() string {
	all := w.MessagesAs("lounge", "ana")
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].Content
}

func said(text string) func(context.Context, chat.Interaction) chat.Answer {
	return func(context.Context, chat.Interaction) chat.Answer { return chat.Answer{Text: text, Ephemeral: true} }
}

// callbacks is how many first answers were given, whatever came of them.
func (w *world) callbacks() int {
	n := 0
	for _, c := range w.Calls() {
		if strings.HasSuffix(c.Path, "/callback") {
			n++
		}
	}
	return n
}

func TestInteractionsOverTheGateway(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		var asked chat.Interaction
		g := w.serve(t, func(ctx context.Context, i chat.Interaction) chat.Answer {
			asked = i
			if end, ok := ctx.Deadline(); !ok || time.Until(end) > 3*time.Second {
				t.Error("there is time for ever")
			}
			return chat.Answer{Text: "heard", Ephemeral: true}
		})
		if o := w.uses(t, "lounge"); o.State != "answered" || w.reads() != "heard" {
			t.Errorf("%+v, %q", o, w.reads())
		}
		if asked.Kind != chat.UsedCommand || asked.Command != "x" || asked.Channel != w.lounge || asked.Name != "ana" || asked.Guild == "" {
			t.Errorf("heard %+v", asked)
		}
		w.Say("lounge", "ana", "and on it goes")
		if e := <-g.events; e.Text != "and on it goes" {
			t.Errorf("then heard %+v", e)
		}
		if err := g.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestWithoutAnAnswerTheyAreLeftToAnEndpoint(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.serve(t, nil)
		if o := w.uses(t, "lounge"); o.State != "failed" || w.callbacks() != 0 {
			t.Errorf("%+v", o)
		}
		g.end()
	})
}

// However many hang, what is said is heard at once. Those that find no place are refused politely, and the last ones not at all.
func TestInteractionsBlockNobody(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		var atOnce, most atomic.Int32
		g := w.serve(t, func(ctx context.Context, _ chat.Interaction) chat.Answer {
			most.Store(max(most.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			<-ctx.Done()
			return chat.Answer{Text: "late", Ephemeral: true}
		})
		var people sync.WaitGroup
		states := make(chan string, 400)
		for range 300 {
			people.Go(func() { states <- w.uses(t, "lounge").State })
		}
		synctest.Wait()
		began := time.Now()
		w.Say("lounge", "ana", "meanwhile")
		if e := <-g.events; e.Text != "meanwhile" || time.Since(began) > 0 {
			t.Errorf("%+v after %v", e, time.Since(began))
		}
		people.Wait()
		close(states)
		count := map[string]int{}
		for s := range states {
			count[s]++
		}
		if most.Load() != 16 || count["answered"] != 240 || count["failed"] != 60 || !strings.Contains(w.reads(), "try again") {
			t.Errorf("%d at once, %v, %q", most.Load(), count, w.reads())
		}
		g.end()
	})
}

func TestAnAnswerIsTriedAgain(t *testing.T) {
	const route = "/interactions/{interaction_id}/{interaction_token}/callback"
	for name, c := range map[string]struct {
		fault simdiscord.Fault
		calls int
		state string
	}{
		"Discord was ill":           {simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 502}, 2, "answered"},
		"the connection broke":      {simdiscord.Fault{Kind: simdiscord.FaultRefused}, 2, "answered"},
		"the answer was lost":       {simdiscord.Fault{Kind: simdiscord.FaultLost}, 2, "answered"},
		"nobody answered":           {simdiscord.Fault{Kind: simdiscord.FaultTimeout}, 2, "answered"},
		"limited for a moment":      {simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 1}, 2, "answered"},
		"limited for long":          {simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 60}, 1, "failed"},
		"ill twice":                 {simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 500, Count: 2}, 2, "failed"},
		"it is unknown (10062)":     {simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 404}, 1, "failed"},
		"all the bot's are limited": {simdiscord.Fault{Kind: simdiscord.FaultRateLimit, RetryAfter: 1, Global: true}, 2, "answered"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				g := w.serve(t, said("heard"))
				c.fault.Method, c.fault.Route = "POST", route
				w.arm(c.fault)
				o := w.uses(t, "lounge")
				g.end()
				if o.State != c.state || w.callbacks() != c.calls {
					t.Errorf("%+v after %d calls", o, w.callbacks())
				}
			})
		})
	}
}

// The limit of all calls of the bot is not that of interactions.
func TestAnswersPassTheGlobalLimit(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.serve(t, said("heard"))
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultRateLimit, Method: "POST", Route: "/channels/{channel_id}/messages", RetryAfter: 60, Global: true})
		if _, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "x"}); chat.FailureOf(err) != chat.Throttled {
			t.Errorf("%v", err)
		}
		began := time.Now()
		if o := w.uses(t, "lounge"); o.State != "answered" || time.Since(began) > 0 {
			t.Errorf("%+v after %v", o, time.Since(began))
		}
		g.end()
	})
}

// A resume repeats what came while nobody listened. Discord takes no answer to an interaction after three seconds, so nothing is
// done for it either.
func TestRepeatedInteractionsThatAreTooOld(t *testing.T) {
	for name, c := range map[string]struct {
		away  time.Duration
		asked int32
	}{"within its time": {0, 1}, "too late": {4 * time.Second, 0}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				var asked atomic.Int32
				g := w.serve(t, func(context.Context, chat.Interaction) chat.Answer {
					asked.Add(1)
					return chat.Answer{Text: "heard", Ephemeral: true}
				})
				w.arm(simdiscord.Fault{Kind: simdiscord.FaultLostEvent, Event: "INTERACTION_CREATE"})
				var person sync.WaitGroup
				person.Go(func() { w.uses(t, "lounge") })
				synctest.Wait()
				<-time.After(c.away)
				w.Say("lounge", "ana", "what tells that one did not arrive")
				<-g.ready
				if e := <-g.events; e.Text == "" {
					t.Errorf("%+v", e)
				}
				person.Wait()
				if asked.Load() != c.asked || w.callbacks() != int(c.asked) {
					t.Errorf("asked %d times, answered %d", asked.Load(), w.callbacks())
				}
				g.end()
			})
		})
	}
}

// What Discord brings too late it takes no answer to. Nothing is done for it; that our clock is right nobody can know.
func TestInteractionsThatDiscordBringsTooLate(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.serve(t, func(context.Context, chat.Interaction) chat.Answer {
			t.Error("it was obeyed")
			return chat.Answer{}
		})
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultDelay, Event: "INTERACTION_CREATE", DelayMS: 5000})
		if o := w.uses(t, "lounge"); o.State != "failed" {
			t.Errorf("%+v", o)
		}
		<-time.After(5 * time.Second)
		synctest.Wait()
		if w.callbacks() != 1 {
			t.Errorf("answered %d times", w.callbacks())
		}
		g.end()
	})
}

func TestADefectEndsNobodyElsesAnswer(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		var n atomic.Int32
		g := w.serve(t, func(context.Context, chat.Interaction) chat.Answer {
			if n.Add(1) == 1 {
				panic("a defect")
			}
			return chat.Answer{Text: "heard", Ephemeral: true}
		})
		if o := w.uses(t, "lounge"); o.State != "answered" || !strings.Contains(w.reads(), "try again") {
			t.Errorf("%+v, %q", o, w.reads())
		}
		if o := w.uses(t, "lounge"); o.State != "answered" || w.reads() != "heard" {
			t.Errorf("%+v, %q", o, w.reads())
		}
		g.end()
	})
}

// Whoever used a command when the process was told to end has their answer, and the process waits for it.
func TestTheEndWaitsForAnswers(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		at := make(chan struct{})
		g := w.serve(t, func(ctx context.Context, _ chat.Interaction) chat.Answer {
			close(at)
			select {
			case <-time.After(2 * time.Second):
				return chat.Answer{Text: "done", Ephemeral: true}
			case <-ctx.Done():
				return chat.Answer{Text: fmt.Sprint(ctx.Err()), Ephemeral: true}
			}
		})
		var person sync.WaitGroup
		person.Go(func() {
			if o := w.uses(t, "lounge"); o.State != "answered" || w.reads() != "done" {
				t.Errorf("%+v, %q", o, w.reads())
			}
		})
		<-at
		began := time.Now()
		if err := g.end(); err != nil || time.Since(began) < time.Second || time.Since(began) > 4*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		person.Wait()
	})
}
