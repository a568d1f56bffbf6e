package discord_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/seal/sealtest"
	simdiscord "tsumugi/shared/sim/discord"
)

// shelf keeps webhooks in memory, as the store does.
type shelf struct {
	mu   sync.Mutex
	kept map[chat.ChannelID]guild.Hook
	read int
}

func (s *shelf) Hooks(_ context.Context, channels ...chat.ChannelID) (map[chat.ChannelID]guild.Hook, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read++
	out := map[chat.ChannelID]guild.Hook{}
	for _, c := range channels {
		if h, ok := s.kept[c]; ok {
			out[c] = h
		}
	}
	return out, nil
}

func (s *shelf) SaveHook(_ context.Context, c chat.ChannelID, h guild.Hook) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[c].Rev != h.Rev {
		return chat.ErrRaced
	}
	h.Rev++
	s.kept[c] = h
	return nil
}

// masked is a world whose clients have one shelf.
type masked struct {
	*world
	shelf  *shelf
	sealer guild.Sealer
}

func masks(t *testing.T, o simdiscord.Options, test func(*testing.T, masked)) {
	t.Helper()
	bubble(t, o, func(t *testing.T, w *world) {
		m := masked{w, &shelf{kept: map[chat.ChannelID]guild.Hook{}}, sealtest.Memory()}
		m.client = m.another()
		test(t, m)
	})
}

// another is the client of another process.
func (m masked) another() *discord.Client {
	transport := m.pipe.Transport()
	m.t.Cleanup(transport.CloseIdleConnections)
	return discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", HTTPClient: &http.Client{Transport: transport},
		Hooks: m.shelf, Sealer: m.sealer})
}

func as(name string) *chat.Face { return &chat.Face{Name: name} }

// speak posts, and demands that it goes well.
func (m masked) speak(t *testing.T, c *discord.Client, ch chat.ChannelID, name, text string) chat.Ref {
	t.Helper()
	ref, err := c.Create(t.Context(), chat.Post{Channel: ch, Content: text, As: as(name)})
	if err != nil {
		t.Fatal(err)
	}
	if ref.Channel != ch || ref.Hook == "" {
		t.Fatalf("it is %+v", ref)
	}
	return ref
}

// message is a message as the channel has it.
func (m masked) message(t *testing.T, ref chat.Ref) simdiscord.Message {
	t.Helper()
	for _, got := range m.AllMessages(string(ref.Channel)) {
		if got.ID == string(ref.Message) {
			return got
		}
	}
	t.Fatal("the message is not there")
	return simdiscord.Message{}
}

// made counts calls by method and the end of their pattern.
func (m masked) made(method, pattern string) (n int) {
	for _, c := range m.Calls() {
		if c.Method == method && c.Route == pattern {
			n++
		}
	}
	return n
}

const (
	hooksOf   = "/channels/{channel_id}/webhooks"
	execution = "/webhooks/{webhook_id}/{webhook_token}"
)

func TestAFaceIsWorn(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		if err := m.client.Mask(t.Context(), m.lounge); err != nil {
			t.Fatal(err)
		}
		ref := m.speak(t, m.client, m.lounge, "Mira", "Hello, @everyone.")
		if got := m.message(t, ref); got.Author.Username != "Mira" || got.WebhookID != string(ref.Hook) || len(got.Pinged) > 0 {
			t.Errorf("it is %+v", got)
		}
		if err := m.client.Edit(t.Context(), ref, chat.Shown{Content: "Hello again, @everyone."}); err != nil {
			t.Fatal(err)
		}
		if got := m.message(t, ref); got.Content != "Hello again, @everyone." || got.Author.Username != "Mira" || len(got.Pinged) > 0 {
			t.Errorf("it is %+v", got)
		}
		read, err := m.client.Before(t.Context(), m.lounge, "", 10)
		if last := read[len(read)-1]; err != nil || !last.Author.Us || last.Author.Webhook || last.Hook != ref.Hook || last.Author.Name != "Mira" {
			t.Errorf("it is read as %+v, %v", last, err)
		}
		m.speak(t, m.client, m.lounge, "Kazue", "And I.") // the same webhook
		m.speak(t, m.another(), m.lounge, "Mira", "From another process.")
		if n := m.made("POST", hooksOf); n != 1 {
			t.Errorf("%d webhooks were made", n)
		}
		if err := m.client.Delete(t.Context(), ref); err != nil || !m.message(t, ref).Deleted {
			t.Errorf("it was not deleted: %v", err)
		}
		if err := m.client.Delete(t.Context(), ref); err != nil {
			t.Errorf("what is gone is %v", err)
		}
		if kept := m.shelf.kept[m.lounge]; len(kept.Token) == 0 || strings.Contains(fmt.Sprint(m.Calls()), string(kept.Token)) {
			t.Errorf("kept is %+v", kept)
		}
	})
}

func TestThreadsAndPostsShareTheWebhook(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		first := m.speak(t, m.client, m.lounge, "Mira", "Outside.")
		thread, err := m.StartThread(string(m.lounge), simdiscord.ThreadSpec{Name: "tea", Author: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		ch := chat.ChannelID(thread.ID)
		ref := m.speak(t, m.client, ch, "Mira", "Inside.")
		if ref.Hook != first.Hook {
			t.Error("the thread has a webhook of its own")
		}
		for _, c := range []*discord.Client{m.client, m.another()} {
			if err := c.Edit(t.Context(), ref, chat.Shown{Content: "Inside still."}); err != nil {
				t.Fatal(err)
			}
		}
		if got := m.message(t, ref); got.Content != "Inside still." {
			t.Errorf("it says %q", got.Content)
		}
		if err := m.client.Delete(t.Context(), ref); err != nil || !m.message(t, ref).Deleted {
			t.Errorf("it was not deleted: %v", err)
		}
		if n := m.made("POST", hooksOf); n != 1 {
			t.Errorf("%d webhooks were made", n)
		}
	})
}

// Two processes that know of no webhook make two at once, and one is left.
func TestARaceEndsWithOneWebhook(t *testing.T) {
	masks(t, simdiscord.Options{NoLimits: true}, func(t *testing.T, m masked) {
		var all sync.WaitGroup
		refs := make([]chat.Ref, 8)
		for i := range refs {
			c := m.another()
			all.Go(func() {
				var err error
				if refs[i], err = c.Create(t.Context(), chat.Post{Channel: m.lounge, Content: fmt.Sprint(i), As: as("Mira")}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, r := range refs {
			if r.Hook != refs[0].Hook {
				t.Errorf("two speak: %s and %s", r.Hook, refs[0].Hook)
			}
		}
		if made, gone := m.made("POST", hooksOf), m.made("DELETE", "/webhooks/{webhook_id}"); made-gone != 1 {
			t.Errorf("%d were made, and %d deleted", made, gone)
		}
	})
}

func TestAWebhookThatIsGoneIsMadeAgain(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		foreign, err := m.CreateWebhook(string(m.lounge), "ana", "Tsumugi")
		if err != nil {
			t.Fatal(err)
		}
		old := m.speak(t, m.client, m.lounge, "Mira", "Before.")
		if err := m.DeleteWebhook(string(old.Hook)); err != nil {
			t.Fatal(err)
		}
		if err := m.client.Edit(t.Context(), old, chat.Shown{Content: "Changed."}); chat.FailureOf(err) != chat.NoHook {
			t.Errorf("an edit through a webhook that is gone: %v", err)
		}
		ref := m.speak(t, m.client, m.lounge, "Mira", "After.")
		if ref.Hook == old.Hook || ref.Hook == chat.HookID(foreign.ID) {
			t.Errorf("%s speaks", ref.Hook)
		}
		if n := m.made("POST", hooksOf); n != 2 {
			t.Errorf("%d webhooks were made", n)
		}
		for _, c := range m.Calls() {
			if strings.Contains(c.Path, foreign.ID) {
				t.Errorf("somebody else's webhook was touched: %s %s", c.Method, c.Path)
			}
		}
		m.speak(t, m.another(), m.lounge, "Mira", "Another process.")
		if err := m.client.Delete(t.Context(), old); err != nil {
			t.Logf("the old one stays: %v", err) // without the right to delete the messages of others
		}
	})
}

// Each code is told apart, and the channel is left in peace for a while (bugs.md B19, B20).
func TestWithoutAWebhook(t *testing.T) {
	full := func(t *testing.T, m masked) {
		for i := range 15 {
			if _, err := m.CreateWebhook(string(m.lounge), "ana", fmt.Sprint("w", i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	barred := func(t *testing.T, m masked) {
		if err := m.SetOverwrite(string(m.lounge), simdiscord.Overwrite{For: m.State().Bot.ID, Deny: []string{"MANAGE_WEBHOOKS"}}); err != nil {
			t.Fatal(err)
		}
	}
	for code, spoil := range map[int]func(*testing.T, masked){30007: full, 50013: barred} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
				spoil(t, m)
				var f *chat.Failure
				for range 3 {
					for _, err := range []error{m.client.Mask(t.Context(), m.lounge), m.another().Mask(t.Context(), m.lounge)} {
						if !errors.As(err, &f) || f.Kind != chat.NoHook || f.Code != code {
							t.Fatalf("it is %v", err)
						}
					}
					if _, err := m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: "x", As: as("Mira")}); !errors.As(err, &f) || f.Kind != chat.NoHook {
						t.Fatalf("it is %v", err)
					}
				}
				asked := m.made("GET", hooksOf)
				if asked != 1 {
					t.Errorf("asked %d times", asked)
				}
				<-time.After(11 * time.Minute)
				_ = m.client.Mask(t.Context(), m.lounge)
				if n := m.made("GET", hooksOf); n != 2 {
					t.Errorf("asked %d times after a rest", n)
				}
			})
		})
	}
}

func TestDirectMessagesHaveNoFaces(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		dm, err := m.OpenDM("ana")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.client.Mask(t.Context(), chat.ChannelID(dm)); chat.FailureOf(err) != chat.NoHook {
			t.Error(err)
		}
	})
}

// What goes wrong before the message is no unknown outcome of the message: nothing was posted.
func TestWhatComesBeforeAMessageIsNotTheMessage(t *testing.T) {
	for _, f := range []simdiscord.Fault{
		{Kind: simdiscord.FaultLost, Method: "POST", Route: hooksOf},
		{Kind: simdiscord.FaultStatus, Status: 502, Method: "GET", Route: hooksOf},
		{Kind: simdiscord.FaultStatus, Status: 500, Method: "GET", Route: "/channels/{channel_id}"},
	} {
		masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
			m.arm(f)
			if _, err := m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: "x", As: as("Mira")}); chat.FailureOf(err) != chat.Throttled {
				t.Errorf("%s of %s: %v", f.Kind, f.Route, err)
			}
			m.speak(t, m.client, m.lounge, "Mira", "Now.")
			if n := m.made("POST", hooksOf); n != 1 { // the one whose answer was lost is found
				t.Errorf("%s of %s: %d webhooks were made", f.Kind, f.Route, n)
			}
		})
	}
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		m.speak(t, m.client, m.lounge, "Mira", "One.")
		m.arm(simdiscord.Fault{Kind: simdiscord.FaultLost, Method: "POST", Route: execution})
		if _, err := m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: "x", As: as("Mira")}); chat.FailureOf(err) != chat.Unknown {
			t.Errorf("a lost answer is %v", err)
		}
	})
}

// All webhooks of a channel have thirty messages in a minute, of which no header tells. We do not meet the limit by our own fault.
func TestTheHiddenLimitOfAChannelIsNotMet(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		for i := 0; i < 40; i++ {
			_, err := m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: fmt.Sprint(i), As: as("Mira")})
			var f *chat.Failure
			if errors.As(err, &f) && f.Kind == chat.Throttled {
				<-time.After(f.After)
				i--
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if n := slices.IndexFunc(m.Calls(), func(c simdiscord.Call) bool { return c.Status == http.StatusTooManyRequests }); n >= 0 {
			t.Errorf("the %d. call was refused", n)
		}
	})
}

// A webhook that somebody moved to another channel does not carry words there.
func TestAMovedWebhookIsNotUsed(t *testing.T) {
	masks(t, simdiscord.Options{}, func(t *testing.T, m masked) {
		old := m.speak(t, m.client, m.lounge, "Mira", "Here.")
		hall := m.State().Hall
		if err := m.MoveWebhook(string(old.Hook), hall); err != nil {
			t.Fatal(err)
		}
		m.speak(t, m.client, m.lounge, "Mira", "Still here.")
		for _, got := range m.AllMessages(hall) {
			if got.WebhookID != "" && !got.Deleted {
				t.Errorf("the hall hears %q", got.Content)
			}
		}
	})
}
