package app_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// clinic is an installation without anything but the commands: the endpoint, the queue, and the function behind it.
type clinic struct {
	sim    *simdiscord.Server
	queues *queuetest.Unreliable
	amends func() int // how often the answer was amended
}

// visit plays what happens at a clinic whose queues have accidents.
func visit(t *testing.T, accidents func(queuetest.Call) queuetest.Accident, happens func(*testing.T, clinic)) {
	synctest.Test(t, func(t *testing.T) {
		pass(time.Until(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)))
		d, mu, amends := &door{}, sync.Mutex{}, 0
		sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{Users: []string{"ana", "ben"}, MessageContentEnabled: true, EndpointTransport: d,
			Observe: func(x simdiscord.Exchange) {
				mu.Lock()
				defer mu.Unlock()
				if x.Method == http.MethodPatch && strings.HasSuffix(x.Target, "/messages/@original") {
					amends++
				}
			}}))
		defer sim.Close()
		queues := queuetest.NewUnreliable(queuetest.Memory(receives), accidents)
		ports := app.Ports{KV: kvtest.Memory(), Queues: queues}
		rest := discord.New(discord.Options{Token: "simulated", BaseURL: "http://127.0.0.1/api/v10", HTTPClient: &http.Client{Transport: sim.Direct()}})
		if err := opens(t.Context(), sim, d, rest, ports); err != nil {
			t.Fatal(err)
		}
		model := func(context.Context) error { return errors.New("nobody answers") }
		ctx, stop := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() {
			source := queue.Source{Driver: queues, Queue: queue.Commands, Handler: app.NewCommands(ports, rest, model), Concurrency: 2,
				Visibility: 5 * time.Minute} // as on AWS: the time that the function has
			if err := source.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		happens(t, clinic{sim, queues, func() int { mu.Lock(); defer mu.Unlock(); return amends }})
		stop()
		done.Wait()
	})
}

func (c clinic) asks(t *testing.T, user string) simdiscord.Outcome {
	t.Helper()
	out, err := c.sim.Interact(t.Context(), simdiscord.Invocation{Kind: "command", User: user, Channel: "lounge", Command: "doctor"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sees is what a user reads in the lounge.
func (c clinic) sees(user string) (texts []string) {
	for _, m := range c.sim.MessagesAs("lounge", user) {
		texts = append(texts, m.Content)
	}
	return texts
}

// diagnosis tells whether somebody reads exactly one answer of the doctor, and what it says.
func (c clinic) diagnosis(user string) (string, bool) {
	all := slices.DeleteFunc(c.sees(user), func(s string) bool { return !strings.Contains(s, "✅") })
	if len(all) != 1 {
		return strings.Join(all, "\n---\n"), false
	}
	return all[0], true
}

func TestTheDoctorAnswersThroughTheQueue(t *testing.T) {
	on := func(op queuetest.Op, a queuetest.Accident) func(queuetest.Call) queuetest.Accident {
		return func(c queuetest.Call) queuetest.Accident {
			if c.Op == op && c.N == 1 && (op != queuetest.Receive || c.Received != nil) {
				return a
			}
			return queuetest.Fine
		}
	}
	const route = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
	for name, c := range map[string]struct {
		queues  func(queuetest.Call) queuetest.Accident
		discord *simdiscord.Fault
		amends  int // at least
	}{
		"as it should":                            {nil, nil, 1},
		"crash after the amendment":               {on(queuetest.Delete, queuetest.Before), nil, 2},
		"deleted, and not told so":                {on(queuetest.Delete, queuetest.After), nil, 1},
		"delivered twice at once":                 {on(queuetest.Receive, queuetest.Twice), nil, 2},
		"delivered to nobody":                     {on(queuetest.Receive, queuetest.Lost), nil, 1},
		"amended, and nobody heard it":            {nil, &simdiscord.Fault{Kind: simdiscord.FaultLost, Method: "PATCH", Route: route}, 2},
		"Discord was away":                        {nil, &simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 502, Method: "PATCH", Route: route, Count: 3}, 4},
		"Discord does not know the answer (B122)": {nil, &simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 404, Method: "PATCH", Route: route, Count: 2}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			visit(t, c.queues, func(t *testing.T, at clinic) {
				if c.discord != nil {
					if err := at.sim.Fault(*c.discord); err != nil {
						t.Fatal(err)
					}
				}
				if out := at.asks(t, "ana"); out.State != "deferred" {
					t.Fatalf("came to %+v", out)
				}
				pass(12 * time.Minute)
				text, one := at.diagnosis("ana")
				if !one || strings.Count(text, "✅") != 6 || !strings.Contains(text, "The relay has been silent") || !strings.Contains(text, "Nothing answers at the address") {
					t.Errorf("ana reads\n%s", text)
				}
				if text, _ := at.diagnosis("ben"); text != "" {
					t.Errorf("it is ana's alone, and ben reads\n%s", text)
				}
				if at.amends() < c.amends {
					t.Errorf("amended %d times, want %d or more: the accident did not happen", at.amends(), c.amends)
				}
			})
		})
	}
}

func TestTheDoctorIsGivenUpAfterItsTime(t *testing.T) {
	log := logged(t)
	visit(t, nil, func(t *testing.T, at clinic) {
		if err := at.sim.Fault(simdiscord.Fault{Kind: simdiscord.FaultStatus, Status: 502, Method: "PATCH", Route: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", Count: -1}); err != nil {
			t.Fatal(err)
		}
		at.asks(t, "ana")
		pass(20 * time.Minute)
		before := at.amends()
		pass(20 * time.Minute)
		if before < 10 || at.amends() != before {
			t.Errorf("%d attempts in twenty minutes and %d later; a dead token is given up", before, at.amends()-before)
		}
		if !strings.Contains(log.String(), "too old to be answered") {
			t.Error("the log does not say so")
		}
	})
	if strings.Contains(log.String(), "aW50ZXJhY3Rpb24") {
		t.Error("the log tells the token")
	}
}

func TestWithoutAQueueTheDoctorSaysSoPolitely(t *testing.T) {
	away := func(c queuetest.Call) queuetest.Accident {
		if c.Op == queuetest.Send {
			return queuetest.Before
		}
		return queuetest.Fine
	}
	visit(t, away, func(t *testing.T, at clinic) {
		if out := at.asks(t, "ana"); out.State != "answered" || !strings.Contains(strings.Join(at.sees("ana"), "\n"), "try again") {
			t.Errorf("came to %+v; ana reads %q", out, at.sees("ana"))
		}
	})
}

func TestDiscordKeepsTheEndpoint(t *testing.T) {
	visit(t, nil, func(t *testing.T, at clinic) {
		if err := at.sim.Recheck(t.Context()); err != nil {
			t.Errorf("Discord would take the endpoint away: %v", err)
		}
		_, err := at.sim.Interact(t.Context(), simdiscord.Invocation{Kind: "command", User: "ben", Channel: "lounge", Command: "doctor"})
		if !errors.Is(err, simdiscord.ErrRefused) {
			t.Errorf("ben, who may not manage the server, got %v", err)
		}
	})
}
