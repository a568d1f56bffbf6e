package discord_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestKeepKeepsGuilds: channels, threads with their messages, roles, members and whole guilds are as they were, also after a second
// start, and what was deleted stays so.
func TestKeepKeepsGuilds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "discord.jsonl")
	a := &world{Server: kept(t, path), t: t}
	other, err := a.CreateGuild("Annex")
	a.must(err)
	a.room(simdiscord.ChannelSpec{Name: "late"})
	a.room(simdiscord.ChannelSpec{Name: "rooms", Type: 4})
	a.room(simdiscord.ChannelSpec{Name: "forum", Type: 15, Parent: "rooms", Tags: []string{"red"}})
	_, err = a.ChangeChannel("late", simdiscord.ChannelChange{Parent: text("rooms")})
	a.must(err)
	a.deny("late", "crew", "SEND_MESSAGES")
	post, err := a.StartThread("forum", simdiscord.ThreadSpec{Author: "ben", Name: "post", Content: "first", Tags: []string{"red"}})
	a.must(err)
	said := a.Say("hall", "ana", "said")
	on, err := a.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "on", Message: said.ID})
	a.must(err)
	a.Say("on", "chiyo", "in it")
	archive(a, "on")
	_, err = a.CreateRole("", simdiscord.RoleSpec{Name: "keepers", Permissions: []string{"MANAGE_MESSAGES"}})
	a.must(err)
	a.must(a.ChangeMember("", "ben", simdiscord.MemberChange{Nick: text("Be"), Roles: &[]string{"keepers"}}))
	a.must(a.Leave("", "chiyo"))
	a.must(a.DeleteChannel("lounge"))

	for range 2 {
		b := &world{Server: kept(t, path), t: t}
		before, after := a.State(), b.State()
		for what, pair := range map[string][2]any{
			"channels": {before.Channels, after.Channels}, "guilds": {before.Guilds, after.Guilds}, "roles": {before.Roles, after.Roles},
		} {
			if inJSON(t, pair[0]) != inJSON(t, pair[1]) {
				t.Errorf("%s\n were %+v\nare now %+v", what, pair[0], pair[1])
			}
		}
		for _, id := range []string{"hall", post.ID, on.ID} {
			if got, want := shown(b.Server, id), shown(a.Server, id); fmt.Sprint(got) != fmt.Sprint(want) || len(got) == 0 {
				t.Errorf("%s: %q, was %q", id, got, want)
			}
		}
		for _, ref := range []string{"", other.ID} {
			got, err := b.Guild(ref)
			b.must(err)
			want, err := a.Guild(ref)
			a.must(err)
			if inJSON(t, got) != inJSON(t, want) {
				t.Errorf("guild %q\n is %s\nwas %s", ref, inJSON(t, got), inJSON(t, want))
			}
		}
		if b.Say("hall", "chiyo", "x").ID != "" || b.Say("late", "ben", "y").ID == "" {
			t.Error("chiyo is back, or ben cannot speak")
		}
		a = b
	}
}

func text(s string) *string { return &s }

func inJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
