package discord_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// vault is where the token is kept: what Options.Current asks.
type vault struct {
	right func() string // what the vault has now
	known atomic.Pointer[string]
	asked atomic.Int32 // after a refusal
	err   error
}

func (v *vault) current(_ context.Context, refused string) (string, error) {
	if known := v.known.Load(); known != nil && *known != refused {
		return *known, nil
	}
	if v.err != nil {
		return "", v.err
	}
	if refused != "" {
		v.asked.Add(1)
	}
	now := v.right()
	v.known.Store(&now)
	return now, nil
}

// keyed is the world's client with its token in a vault.
func (w *world) keyed(v *vault) *discord.Client {
	return discord.New(discord.Options{Current: v.current, BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: w.pipe.Transport()}})
}

func (w *world) refusals() int {
	n := 0
	for _, c := range w.Calls() {
		if c.Status == http.StatusUnauthorized {
			n++
		}
	}
	return n
}

func TestCallIsRepeatedWithTheNewToken(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		v := &vault{right: w.Token}
		c := w.keyed(v)
		post := func(text string) {
			t.Helper()
			if _, err := c.Create(t.Context(), chat.Post{Channel: w.lounge, Content: text}); err != nil {
				t.Error(err)
			}
		}
		post("one")
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultToken})
		post("two")
		post("three")
		if n := w.refusals(); n != 1 || v.asked.Load() != 1 {
			t.Errorf("%d refusals, asked %d times", n, v.asked.Load())
		}
	})
}

func TestRefusedTokenIsNotForEver(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		for name, v := range map[string]*vault{
			"there is no other":      {right: func() string { return "old" }},
			"the other is wrong too": {right: func() string { return rand.Text() }},
			"it cannot be read":      {right: func() string { return "old" }, err: errors.New("secret tsumugi/token: denied")},
		} {
			begun := w.refusals()
			_, err := w.keyed(v).Create(t.Context(), chat.Post{Channel: w.lounge, Content: "words"})
			f, ok := errors.AsType[*chat.Failure](err)
			if !ok || f.Kind != chat.Throttled || f.After != time.Minute {
				t.Errorf("%s: %v: the turn would end without a word", name, err)
			}
			if v.err != nil && (!errors.Is(err, v.err) || w.refusals() != begun) {
				t.Errorf("%s: %v, and Discord was asked %d times", name, err, w.refusals()-begun)
			}
		}
	})
}

func TestGatewayGoesOnWithTheNewToken(t *testing.T) {
	for name, v := range map[string]struct {
		late bool // the vault has the new token only later
		end  bool
	}{"changed in the vault first": {}, "not in the vault": {late: true, end: true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, contentOn(), func(t *testing.T, w *world) {
				box := &vault{right: w.Token}
				if v.late {
					box.right = func() string { return "simulated" }
				}
				g := start(t, &discord.Gateway{REST: w.keyed(box), MessageContent: true, Dial: w.pipe.Dial}, nil)
				<-g.ready
				w.arm(simdiscord.Fault{Kind: simdiscord.FaultToken})
				if v.end {
					err := <-g.ended
					g.ended <- err
					if fatal, ok := errors.AsType[*discord.Fatal](err); !ok || fatal.Code != 4004 || !strings.Contains(fatal.Fix, "token") {
						t.Errorf("ended with %v", err)
					}
				} else {
					<-g.ready
					if s := w.State().Gateway; s.Identifies != 2 || s.Connections != 1 {
						t.Errorf("%+v", s)
					}
					w.Say("lounge", "ana", "hello")
					g.texts(1)
				}
				g.end()
			})
		})
	}
}
