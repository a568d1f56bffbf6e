package discord_test

import (
	"fmt"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestMembers: by user id, in pages, with the intent only; who is not in the guild is an unknown member.
func TestMembers(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, GuildMembersEnabled: true})
	st := w.State()
	path := "/guilds/" + st.Guild.ID + "/members"
	ids := func(query string) string {
		var page []struct {
			User struct{ Username string }
		}
		w.rest("GET", path+query, "").into(t, &page)
		var names []string
		for _, m := range page {
			names = append(names, m.User.Username)
		}
		return strings.Join(names, " ")
	}
	for query, want := range map[string]string{
		"": "tsumugi", "?limit=1000": "tsumugi ana ben chiyo clockwork", "?limit=2&after=" + st.User("ana"): "ben chiyo",
		"?limit=5&after=" + st.User("clockwork"): "",
	} {
		if got := ids(query); got != want {
			t.Errorf("%q gives %q, want %q", query, got, want)
		}
	}
	w.rest("GET", path+"?limit=1001", "").denied(t, 400, 50035)
	nick, seconds := "Benno", 60
	w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Nick: &nick, Timeout: &seconds, Roles: &[]string{"crew"}}))
	m := w.rest("GET", path+"/"+st.User("ben"), "")
	if m.field("nick") != "Benno" || m.field("roles.0") != st.Role("crew") || m.field("communication_disabled_until") == "null" || m.field("user.username") != "ben" {
		t.Errorf("member %s", m.text)
	}
	w.must(w.Leave("", "ben"))
	w.rest("GET", path+"/"+st.User("ben"), "").denied(t, 404, 10007)
	w.rest("GET", path+"/4", "").denied(t, 404, 10013)
	without := open(t, simdiscord.Options{})
	without.rest("GET", path, "").denied(t, 403, 50001)
	if a := without.rest("GET", path+"/"+st.User("ana"), ""); a.status != 200 {
		t.Errorf("one member needs no intent: %d", a.status)
	}
}

// TestRoles: a new role, its tags where it is a bot's, and that neither it nor everyone's can be deleted.
func TestRoles(t *testing.T) {
	w := open(t, simdiscord.Options{})
	st := w.State()
	made, err := w.CreateRole("", simdiscord.RoleSpec{Name: "keepers", Color: 255, Permissions: []string{"MANAGE_MESSAGES"}, Mentionable: true})
	w.must(err)
	var roles []struct {
		ID, Name, Permissions string
		Color                 int
		Managed               bool
		Tags                  struct {
			BotID string `json:"bot_id"`
		}
	}
	w.rest("GET", "/guilds/"+st.Guild.ID+"/roles", "").into(t, &roles)
	if len(roles) != 4 || roles[0].ID != st.Guild.ID || roles[2].Tags.BotID != st.Bot.ID || !roles[2].Managed ||
		roles[3].ID != made.ID || roles[3].Permissions != "8192" || roles[3].Color != 255 {
		t.Errorf("roles %+v", roles)
	}
	for _, name := range []string{"@everyone", "Tsumugi"} {
		if w.DeleteRole("", name) == nil {
			t.Errorf("%s was deleted", name)
		}
	}
	w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Roles: &[]string{"keepers"}}))
	w.must(w.DeleteRole("", "keepers"))
	if m := w.rest("GET", "/guilds/"+st.Guild.ID+"/members/"+st.User("ben"), ""); m.field("roles") != "[]" {
		t.Errorf("a role that is gone: %s", m.text)
	}
}

// TestChannelPatch is what a bot that manages channels may make of one, and what not.
func TestChannelPatch(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	w.lay(simdiscord.ChannelSpec{Name: "rooms", Type: 4}, simdiscord.ChannelSpec{Name: "voice", Type: 2}, simdiscord.ChannelSpec{Name: "forum", Type: 15})
	st := w.State()
	w.grant("MANAGE_CHANNELS", "MANAGE_ROLES")
	for _, c := range []struct {
		name, channel, body string
		code                int
		field, value        string
	}{
		{"name", "hall", `{"name":"big hall"}`, 0, "name", "big hall"},
		{"name of 101", "big hall", `{"name":"` + strings.Repeat("n", 101) + `"}`, 50035, "", ""},
		{"name and topic", "big hall", `{"name":"hall","topic":"all"}`, 0, "topic", "all"},
		{"null takes the topic away", "hall", `{"topic":null}`, 0, "topic", "null"},
		{"topic of 1025", "hall", `{"topic":"` + strings.Repeat("n", 1025) + `"}`, 50035, "", ""},
		{"a forum's topic of 1025", "forum", `{"topic":"` + strings.Repeat("n", 1025) + `"}`, 0, "type", "15"},
		{"category", "hall", `{"parent_id":"` + st.Channel("rooms") + `"}`, 0, "parent_id", st.Channel("rooms")},
		{"out of it", "hall", `{"parent_id":null}`, 0, "parent_id", "null"},
		{"a text channel is no category", "hall", `{"parent_id":"` + st.Lounge + `"}`, 50035, "", ""},
		{"becomes an announcement channel", "hall", `{"type":5}`, 0, "type", "5"},
		{"and text again", "hall", `{"type":0}`, 0, "type", "0"},
		{"text becomes no forum", "hall", `{"type":15}`, 50024, "", ""},
		{"voice becomes no text", "voice", `{"type":0}`, 50024, "", ""},
		{"slowmode", "hall", `{"rate_limit_per_user":30}`, 0, "rate_limit_per_user", "30"},
		{"slowmode of 21601", "hall", `{"rate_limit_per_user":21601}`, 50035, "", ""},
		{"nsfw", "hall", `{"nsfw":true}`, 0, "nsfw", "true"},
		{"overwrites", "hall", `{"permission_overwrites":[{"id":"` + st.Guild.ID + `","type":0,"deny":2048}]}`, 0, "permission_overwrites.0.deny", "2048"},
		{"tags", "forum", `{"available_tags":[{"name":"red"}]}`, 0, "available_tags.0.name", "red"},
	} {
		a := w.rest("PATCH", "/channels/"+w.State().Channel(c.channel), c.body)
		if c.code != 0 {
			if a.field("code") != fmt.Sprint(c.code) {
				t.Errorf("%s: %d %s, want %d", c.name, a.status, a.text, c.code)
			}
			continue
		}
		if a.status != 200 || a.field(c.field) != c.value {
			t.Errorf("%s: %d %s, want %s %q", c.name, a.status, a.text, c.field, c.value)
		}
	}
	dm := w.Say("dm:ana", "ana", "x").ChannelID
	w.rest("PATCH", "/channels/"+dm, `{"name":"x"}`).denied(t, 403, 50003)
}

// TestSecondGuild: its channels work as those of the first, its id is of another shard, and one guild's roles are not the other's.
func TestSecondGuild(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	home := w.State().Guild
	other, err := w.CreateGuild("Annex")
	w.must(err)
	var general string
	for _, c := range w.State().Channels {
		if c.Guild == other.ID {
			general = c.ID
		}
	}
	if a := w.rest("GET", "/guilds/"+other.ID+"/channels", ""); a.field("0.id") != general || a.field("0.guild_id") != other.ID {
		t.Errorf("channels %s", a.text)
	}
	if a := w.rest("POST", messages(general), `{"content":"<@&`+w.State().Role("crew")+`>"}`); a.status != 200 || a.field("mention_roles") != "[]" {
		t.Errorf("%d %s", a.status, a.text)
	}
	if m := w.Say(general, "ana", "hi"); m.ID == "" {
		t.Error("ana cannot speak there")
	}
	shard := func(id string) string {
		var n int64
		if _, err := fmt.Sscan(id, &n); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint((n >> 22) % 2)
	}
	if shard(home.ID) == shard(other.ID) {
		t.Errorf("%s and %s are of one shard of two", home.ID, other.ID)
	}
	w.must(w.RemoveBot("Annex"))
	w.rest("GET", "/guilds/"+other.ID, "").denied(t, 404, 10004)
	w.rest("GET", "/channels/"+general, "").denied(t, 403, 50001)
	w.must(w.InviteBot("Annex", []string{"VIEW_CHANNEL"}))
	if a := w.rest("GET", "/channels/"+general, ""); a.status != 200 {
		t.Errorf("invited again: %d %s", a.status, a.text)
	}
}

// TestDeletedChannels take their threads along; a category leaves its channels behind.
func TestDeletedChannels(t *testing.T) {
	w := open(t, simdiscord.Options{})
	w.lay(simdiscord.ChannelSpec{Name: "rooms", Type: 4}, simdiscord.ChannelSpec{Name: "inner", Parent: "rooms"})
	inner := w.State().Channel("inner")
	thread := w.rest("POST", threadsOf(inner), `{"name":"t","type":11}`).id()
	w.must(w.DeleteChannel("rooms"))
	if a := w.rest("GET", "/channels/"+inner, ""); a.status != 200 || a.field("parent_id") != "null" {
		t.Errorf("%d %s", a.status, a.text)
	}
	w.must(w.DeleteChannel("inner"))
	for _, id := range []string{inner, thread} {
		w.rest("GET", "/channels/"+id, "").denied(t, 404, 10003)
	}
}
