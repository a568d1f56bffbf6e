package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// questions is a story of one who asks and is answered, again and again. What is in between comes before each.
func questions(n int, between string) string {
	var events, model, posts, saved strings.Builder
	for i := range n {
		fmt.Fprintf(&events, "%sana: mira, question %d?\n", between, i)
		fmt.Fprintf(&model, "mira> The answer to %d.\n", i)
		fmt.Fprintf(&posts, "mira: The answer to %d.\n", i)
		fmt.Fprintf(&saved, "event %d answered · ", i+1)
	}
	return "-- settings.json --\n" + `{"channel":"100","cast":["mira"]}` + "\n-- events --\n" + events.String() + "-- model --\n" + model.String() +
		"-- want.posts --\n" + posts.String() + "-- want.saved --\n" + saved.String() + "lease free · mailbox empty · dead letters 0\n"
}

// sessions counts the sessions that were begun at the gateway; one that is resumed was begun once.
func (s *sky) sessions() int {
	n := 0
	for _, d := range s.sim.Dispatches() {
		if d.Event == "READY" {
			n++
		}
	}
	return n
}

// TestRelayHandsOverOnAWS: a run of the relay's chain lasts a minute in place of fifteen, and then the next has its session.
// What is said all the while is answered, each once and in its order.
func TestRelayHandsOverOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{run: time.Minute, tick: 2 * time.Second})
	s.told(t, questions(34, "wait 1500ms\n"), nil)
	log := s.functions["relay"].Log()
	if n := log.Count(`"msg":"the next run is ready"`); n == 0 {
		t.Error("no run has handed over")
	}
	if n := s.sessions(); n != 1 {
		t.Errorf("%d sessions were begun, want one that all runs resume", n)
	}
}

// TestRelayKilledOnAWS: the run that has the session is killed. The next takes the session for its own when it is sure of that
// death, and has missed nothing.
func TestRelayKilledOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{tick: 10 * time.Second})
	s.told(t, questions(3, "wait 1500ms\n"), func(*open) {
		if n := s.functions["relay"].Kill(func([]byte) bool { return true }); n != 1 {
			t.Errorf("%d relays were killed", n)
		}
	})
	if n := s.sessions(); n != 1 {
		t.Errorf("%d sessions were begun, want one that is resumed", n)
	}
}
