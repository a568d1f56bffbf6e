package store_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// TestAChannelThatRefuses is known to every process for a while, whether or not something is set for it.
func TestAChannelThatRefuses(t *testing.T) {
	for name, set := range map[string]bool{"where nothing is set": false, "beside what is set": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := kvtest.Memory()
				if set {
					if err := store.NewBook(d).SeedChannel(t.Context(), "7", "1", guild.Channel{Prompt: "be brief"}); err != nil {
						t.Fatal(err)
					}
				}
				refuses := func(g string, c chat.ChannelID, want int) {
					t.Helper()
					place, err := store.NewBook(d).Place(t.Context(), g, c)
					if err != nil || place.Refusing != want || set && g == "7" && c == "1" && place.Prompt == "" {
						t.Errorf("channel %s of guild %q: %d and %q, want %d (%v)", c, g, place.Refusing, place.Prompt, want, err)
					}
				}
				ok := func(err error) {
					t.Helper()
					if err != nil {
						t.Error(err)
					}
				}
				b := store.NewBook(d)
				ok(b.Accept(t.Context(), "7", "1")) // of what nobody has noted
				ok(b.Refuse(t.Context(), "7", "1", 50013))
				refuses("7", "1", 50013)
				refuses("7", "2", 0)
				if all, err := b.Channels(t.Context(), "7"); err != nil || len(all) > 0 != set {
					t.Errorf("what is set: %v, %v", all, err)
				}
				time.Sleep(chat.RefusedFor - 2*time.Second)
				refuses("7", "1", 50013)
				time.Sleep(3 * time.Second)
				refuses("7", "1", 0)
				ok(b.Refuse(t.Context(), "7", "1", 50001))
				refuses("7", "1", 50001)
				ok(b.Accept(t.Context(), "7", "1"))
				refuses("7", "1", 0)
				ok(b.Refuse(t.Context(), "7", "1", 50001))
				_, err := b.Change(t.Context(), "7", "1", guild.Change{ID: "9", By: "5"}, func(_ *guild.Settings, c *guild.Channel, _ *guild.Change) error {
					c.Prompt = "be kind"
					return nil
				})
				ok(err)
				refuses("7", "1", 0) // somebody is at work there
				ok(b.Refuse(t.Context(), "", "3", 50013))
				refuses("", "3", 0)
			})
		})
	}
}

// TestInvalidsAreCountedTogether by processes that have nothing else in common.
func TestInvalidsAreCountedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := kvtest.Memory()
		add := func(n, want int) {
			t.Helper()
			if got, err := store.NewInvalids(d).Invalid(t.Context(), n); err != nil || got != want {
				t.Errorf("%d, want %d (%v)", got, want, err)
			}
		}
		add(0, 0)
		add(3, 3)
		time.Sleep(5 * time.Minute)
		add(4, 7)
		time.Sleep(4*time.Minute + 59*time.Second)
		add(0, 7)
		time.Sleep(time.Minute)
		add(0, 4)
		time.Sleep(10 * time.Minute)
		add(1, 1)
	})
}
