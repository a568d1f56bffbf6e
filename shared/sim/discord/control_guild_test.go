package discord_test

import (
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestGuildControls walks through what a moderator does by the control API.
func TestGuildControls(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	var thread, message string
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		field, want              string
	}{
		{"one more guild", "POST", "/guilds", `{"name":"Annex"}`, 200, "name", "Annex"},
		{"a guild without a name", "POST", "/guilds", `{"name":""}`, 400, "", ""},
		{"its state", "GET", "/guilds/Annex", "", 200, "owner", w.State().User("ana")},
		{"no such guild", "GET", "/guilds/Nowhere", "", 404, "", ""},
		{"rename", "PATCH", "/guilds/Annex", `{"name":"Cellar","owner":"ben"}`, 204, "", ""},
		{"renamed", "GET", "/guilds/Cellar", "", 200, "owner", w.State().User("ben")},
		{"bot out", "DELETE", "/guilds/Cellar/bot", "", 204, "", ""},
		{"bot out twice", "DELETE", "/guilds/Cellar/bot", "", 404, "", ""},
		{"bot in", "PUT", "/guilds/Cellar/bot", `{"permissions":["VIEW_CHANNEL"]}`, 204, "", ""},
		{"bot in twice", "PUT", "/guilds/Cellar/bot", `{}`, 400, "", ""},
		{"leave", "DELETE", "/guilds/Tea House/members/ben", "", 204, "", ""},
		{"join", "PUT", "/guilds/Tea House/members/ben", "", 204, "", ""},
		{"the bot cannot leave", "DELETE", "/guilds/Tea House/members/Tsumugi", "", 400, "", ""},
		{"role", "POST", "/guilds/Tea House/roles", `{"name":"r","permissions":["VIEW_CHANNEL"]}`, 200, "name", "r"},
		{"permission of nobody's", "POST", "/guilds/Tea House/roles", `{"name":"r","permissions":["FLY"]}`, 404, "", ""},
		{"role changed", "PATCH", "/guilds/Tea House/roles/r", `{"color":7}`, 204, "", ""},
		{"member", "PATCH", "/guilds/Tea House/members/ben", `{"nick":"Be","roles":["r"],"timeout":0}`, 204, "", ""},
		{"member with a role of nobody's", "PATCH", "/guilds/Tea House/members/ben", `{"roles":["q"]}`, 404, "", ""},
		{"role gone", "DELETE", "/guilds/Tea House/roles/r", "", 204, "", ""},
		{"channel", "POST", "/channels", `{"name":"c","type":5,"topic":"t","overwrites":[{"for":"@everyone","deny":["SEND_MESSAGES"]}]}`, 200, "type", "5"},
		{"channel that cannot be", "POST", "/channels", `{"name":"c","type":11}`, 400, "", ""},
		{"channel changed", "PATCH", "/channels/c", `{"name":"d","nsfw":true}`, 200, "name", "d"},
		{"a channel is not archived", "PATCH", "/channels/d", `{"archived":true}`, 400, "", ""},
		{"overwrite", "PUT", "/channels/d/overwrites", `{"for":"ben","allow":["SEND_MESSAGES"]}`, 204, "", ""},
		{"ben may", "POST", "/channels/d/messages", `{"author":"ben","content":"x"}`, 200, "content", "x"},
		{"chiyo may not", "POST", "/channels/d/messages", `{"author":"chiyo","content":"x"}`, 400, "", ""},
		{"message", "POST", "/channels/hall/messages", `{"author":"ben","content":"y"}`, 200, "content", "y"},
		{"thread", "POST", "/channels/hall/threads", `{"author":"ben","name":"t","message":"{m}"}`, 200, "type", "11"},
		{"twice on a message", "POST", "/channels/hall/threads", `{"author":"ben","name":"t","message":"{m}"}`, 400, "", ""},
		{"thread by nobody", "POST", "/channels/hall/threads", `{"author":"zoe","name":"t"}`, 404, "", ""},
		{"thread archived", "PATCH", "/channels/{t}", `{"archived":true}`, 200, "archived", "true"},
		{"a thread has no topic", "PATCH", "/channels/{t}", `{"topic":"x"}`, 400, "", ""},
		{"bulk", "POST", "/channels/hall/bulk-delete", `{"messages":["{m}"]}`, 204, "", ""},
		{"bulk of what is gone", "POST", "/channels/hall/bulk-delete", `{"messages":["{m}"]}`, 404, "", ""},
		{"channel gone", "DELETE", "/channels/d", "", 204, "", ""},
		{"no direct messages", "PATCH", "/users/ben", `{"dms_closed":true}`, 204, "", ""},
		{"not a person", "PATCH", "/users/clockwork", `{"dms_closed":true}`, 404, "", ""},
		{"wrong method", "PUT", "/guilds/Cellar", `{}`, 405, "", ""},
		{"too long a path", "PUT", "/guilds/Cellar/members/ben/more", `{}`, 404, "", ""},
		{"misspelt field", "PATCH", "/guilds/Cellar", `{"title":"x"}`, 400, "", ""},
	} {
		fill := strings.NewReplacer("{m}", message, "{t}", thread, " ", "%20")
		a := w.sim(c.method, fill.Replace(c.path), strings.ReplaceAll(c.body, "{m}", message))
		if a.status != c.status || c.field != "" && a.field(c.field) != c.want || a.status >= 400 && a.field("error") == "" {
			t.Errorf("%s: %d %s", c.name, a.status, a.text)
		}
		switch c.name {
		case "message":
			message = a.id()
		case "thread":
			thread = a.id()
		}
	}
	if c := w.sim("POST", "/guilds", `{"name":"x"}`, "Origin", "http://evil.example"); c.status != 403 {
		t.Errorf("another site made a guild: %d", c.status)
	}
}

// TestGuildIsACopy: what Guild has returned is not changed by who changes a role later, for it is read without the lock.
func TestGuildIsACopy(t *testing.T) {
	w := open(t, simdiscord.Options{})
	before, err := w.Guild("")
	if err != nil {
		t.Fatal(err)
	}
	name := "sailors"
	if err := w.ChangeRole("", "crew", simdiscord.RoleChange{Name: &name}); err != nil {
		t.Fatal(err)
	}
	after, err := w.Guild("")
	if err != nil || before.Roles[1].Name != "crew" || after.Roles[1].Name != name {
		t.Errorf("%s became %s, %v", before.Roles[1].Name, after.Roles[1].Name, err)
	}
}
