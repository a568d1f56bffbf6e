package discord_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

func contentOn() simdiscord.Options {
	return simdiscord.Options{MessageContentEnabled: true, NoLimits: true}
}

func TestGatewayKeepsTheOrder(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		if me := <-g.ready; me.Name != "Tsumugi" || string(me.ID) != w.State().Bot.ID {
			t.Errorf("ready as %+v", me)
		}
		const n = 2000
		for i := range n {
			w.Say([]string{"lounge", "hall"}[i%2], "ana", fmt.Sprint(i))
		}
		for i := range n {
			if e := <-g.events; e.Text != fmt.Sprint(i) || e.What != chat.Said {
				t.Fatalf("event %d is %q", i, e.Text)
			}
		}
		if err := g.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestGatewayForwardsEditsAndDeletions(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		m := w.Say("lounge", "ana", "one")
		if _, err := w.Edit("lounge", m.ID, "two"); err != nil {
			t.Fatal(err)
		}
		if err := w.Server.Delete("lounge", m.ID); err != nil {
			t.Fatal(err)
		}
		for _, want := range []chat.Event{{What: chat.Said, Text: "one"}, {What: chat.Edited, Text: "two"}, {What: chat.Deleted}} {
			e := <-g.events
			if e.What != want.What || e.Text != want.Text || string(e.ID) != m.ID || e.Channel != w.lounge {
				t.Errorf("got %+v, want %+v", e, want)
			}
		}
		g.end()
	})
}

// Our own messages come back from the gateway, once for every edit of a reply that grows.
func TestGatewayIgnoresOurOwnEcho(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		id, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "hello", Nonce: "n"})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "hello there"}); err != nil {
			t.Fatal(err)
		}
		w.Say("lounge", "ana", "hi")
		if e := <-g.events; e.Text != "hi" {
			t.Errorf("got %+v", e)
		}
		g.end()
	})
}

func TestGatewayNoticesADeadPeer(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		synctest.Wait()
		began := time.Now()
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultWithholdAcks})
		<-g.lost
		if after := time.Since(began); after > 2*41250*time.Millisecond+2*time.Second {
			t.Errorf("noticed after %v", after)
		}
		w.Say("lounge", "ana", "in between")
		<-g.ready
		if e := <-g.events; e.Text != "in between" {
			t.Errorf("got %+v", e)
		}
		if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != 1 {
			t.Errorf("%+v: the session was not resumed", s)
		}
		g.end()
	})
}

func TestGatewayResumes(t *testing.T) {
	for name, f := range map[string]simdiscord.Fault{
		"dropped socket":       {Kind: simdiscord.FaultDrop},
		"op 7":                 {Kind: simdiscord.FaultReconnect},
		"op 9, resumable":      {Kind: simdiscord.FaultInvalid, Resumable: true},
		"closed with 4000":     {Kind: simdiscord.FaultClose, Code: 4000},
		"closed with 1001":     {Kind: simdiscord.FaultClose, Code: 1001},
		"closed without words": {Kind: simdiscord.FaultClose, Code: 4008},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				g := w.run(t, true, nil)
				<-g.ready
				w.Say("lounge", "ana", "before")
				<-g.events
				w.arm(f)
				<-g.lost
				w.Say("lounge", "ana", "in between")
				<-g.ready
				if e := <-g.events; e.Text != "in between" {
					t.Errorf("got %+v", e)
				}
				if s := w.State().Gateway; s.Identifies != 1 || s.Resumes != 1 {
					t.Errorf("%+v", s)
				}
				g.end()
			})
		})
	}
}

func TestGatewayStartsAnewWhenTheSessionIsGone(t *testing.T) {
	for name, f := range map[string]simdiscord.Fault{
		"op 9": {Kind: simdiscord.FaultInvalid},
		"4003": {Kind: simdiscord.FaultClose, Code: 4003},
		"4007": {Kind: simdiscord.FaultClose, Code: 4007},
		"4009": {Kind: simdiscord.FaultClose, Code: 4009},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				g := w.run(t, true, nil)
				<-g.ready
				began := time.Now()
				w.arm(f)
				<-g.ready
				if s := w.State().Gateway; s.Identifies != 2 {
					t.Errorf("%+v", s)
				}
				if after := time.Since(began); after < 5*time.Second {
					t.Errorf("identified again after %v", after)
				}
				w.Say("lounge", "ana", "hi")
				if e := <-g.events; e.Text != "hi" {
					t.Errorf("got %+v", e)
				}
				g.end()
			})
		})
	}
}

// A session that Discord forgot answers the resume with op 9, on which nothing is sent on that socket any more.
func TestGatewayComesBackTooLate(t *testing.T) {
	o := contentOn()
	o.ResumeWindow = time.Nanosecond
	bubble(t, o, func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		<-g.ready
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultDrop})
		<-g.ready
		if s := w.State().Gateway; s.Identifies != 2 || s.Resumes != 0 || s.Connections != 1 {
			t.Errorf("%+v", s)
		}
		g.end()
	})
}

func TestGatewayEndsOnFatalCodes(t *testing.T) {
	for code, hint := range map[int]string{
		4004: "token", 4010: "shard", 4011: "number of shards", 4012: "update", 4013: "update", 4014: "Message Content Intent",
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				g := w.run(t, true, nil)
				<-g.ready
				w.arm(simdiscord.Fault{Kind: simdiscord.FaultClose, Code: code})
				err := <-g.ended
				g.ended <- err
				var fatal *discord.Fatal
				if !errors.As(err, &fatal) || fatal.Code != code || !strings.Contains(err.Error(), hint) || fatal.Intent != (code == 4014) {
					t.Fatalf("ended with %v", err)
				}
				if n := w.State().Gateway.Identifies; n != 1 {
					t.Errorf("%d identifies", n)
				}
				g.end()
			})
		})
	}
}

func TestGatewayWithoutTheIntent(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		var fatal *discord.Fatal
		if err := g.wait(); !errors.As(err, &fatal) || !fatal.Intent || !strings.Contains(fatal.Fix, "Mentions") {
			t.Fatalf("ended with %v", err)
		}
		g.MessageContent = false
		g = start(t, g.Gateway, nil)
		<-g.ready
		w.Say("hall", "ana", "to nobody")
		w.Say("hall", "ana", "@Tsumugi to you")
		if e := <-g.events; !e.Withheld || e.Text != "" || e.MentionsUs {
			t.Errorf("got %+v", e)
		}
		if e := <-g.events; e.Withheld || e.Text != "@Tsumugi to you" || !e.MentionsUs {
			t.Errorf("got %+v", e)
		}
		g.end()
	})
}

func TestGatewayExplainsABadToken(t *testing.T) {
	bubble(t, simdiscord.Options{Token: "another"}, func(t *testing.T, w *world) {
		var fatal *discord.Fatal
		if err := w.run(t, true, nil).wait(); !errors.As(err, &fatal) || fatal.Code != 4004 || fatal.Intent {
			t.Fatalf("ended with %v", err)
		}
	})
}

// A bad day: every session is thrown out as soon as it stands.
func TestGatewayIdentifiesSparingly(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		g := w.run(t, true, nil)
		day := time.Now().Add(23 * time.Hour)
		for time.Now().Before(day) {
			select {
			case <-g.ready:
				w.arm(simdiscord.Fault{Kind: simdiscord.FaultInvalid})
			case <-time.After(time.Until(day)):
			}
		}
		if n := w.State().Gateway.Identifies; n > 500 || n < 200 {
			t.Errorf("%d identifies in a day", n)
		}
		g.end()
	})
}

func (w *world) arm(f simdiscord.Fault) {
	w.t.Helper()
	if err := w.Fault(f); err != nil {
		w.t.Fatal(err)
	}
}

// wait returns what Run returns by itself.
func (r *running) wait() error {
	r.once.Do(func() { r.err = <-r.ended; r.stop() })
	return r.err
}

// Sessions that nobody counts could be too many in a day.
func TestGatewayNeedsRelays(t *testing.T) {
	if err := (&discord.Gateway{}).Run(t.Context(), &spool{}); err == nil || !strings.Contains(err.Error(), "Relays") {
		t.Errorf("ended with %v", err)
	}
}
