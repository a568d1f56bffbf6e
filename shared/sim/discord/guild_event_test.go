package discord_test

import (
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

const (
	guildsOnly = 1 << 0
	members    = 1 << 1
)

// hears is every event up to a message that marks the end, in words: its name and some of its fields.
func (w *world) hears(c *raw, fields ...string) string {
	w.t.Helper()
	mark := w.Say("dm:chiyo", "chiyo", "mark").ID
	var lines []string
	for {
		g := c.next()
		if g.field("id") == mark {
			return strings.Join(lines, "; ")
		}
		line := g.T
		for _, f := range fields {
			if v := g.field(f); v != "" {
				line += " " + f + "=" + v
			}
		}
		lines = append(lines, line)
	}
}

// TestGuildEvents: each change of a guild is heard once, in words that say what it is.
func TestGuildEvents(t *testing.T) {
	for name, c := range map[string]struct {
		intents int
		set     func(*world)
		do      func(*world)
		want    string
	}{
		"channel made":   {do: func(w *world) { w.room(simdiscord.ChannelSpec{Name: "n"}) }, want: "CHANNEL_CREATE name=n"},
		"channel gone":   {do: func(w *world) { w.must(w.DeleteChannel("hall")) }, want: "CHANNEL_DELETE name=hall"},
		"unseen channel": {do: func(w *world) { w.deny("hall", "@everyone", "VIEW_CHANNEL") }, want: "CHANNEL_UPDATE name=hall"},
		"words in an unseen channel": {
			set: func(w *world) { w.deny("hall", "@everyone", "VIEW_CHANNEL") },
			do:  func(w *world) { w.Say("hall", "ana", "x") }, want: ""},
		"sight of threads": {
			set: func(w *world) {
				w.deny("hall", "@everyone", "VIEW_CHANNEL")
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ana", Name: "t"})
				w.must(err)
			},
			do:   func(w *world) { w.allow("hall", "@everyone", "VIEW_CHANNEL") },
			want: "CHANNEL_UPDATE name=hall; THREAD_LIST_SYNC threads.0.name=t"},
		"thread by a person": {
			do: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t"})
				w.must(err)
			},
			want: "THREAD_CREATE name=t newly_created=true; MESSAGE_CREATE type=18"},
		"thread on a message": {
			do: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t", Message: w.Say("hall", "ben", "x").ID})
				w.must(err)
			},
			want: "MESSAGE_CREATE type=0; THREAD_CREATE name=t newly_created=true; MESSAGE_UPDATE type=0; MESSAGE_CREATE type=21"},
		"private thread without the bot": {
			do: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t", Private: true})
				w.must(err)
			},
			want: ""},
		"let into a private thread": {
			do: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t", Private: true, Invite: []string{"Tsumugi"}})
				w.must(err)
			},
			want: "THREAD_CREATE name=t; THREAD_MEMBERS_UPDATE member_count=2"},
		"thread archived, and opened by a word": {
			set: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t"})
				w.must(err)
			},
			do:   func(w *world) { archive(w, "t"); w.Say("t", "ben", "x") },
			want: "THREAD_UPDATE name=t; THREAD_UPDATE name=t; MESSAGE_CREATE type=0"},
		"thread gone": {
			set: func(w *world) {
				_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t"})
				w.must(err)
			},
			do: func(w *world) { w.must(w.DeleteChannel("t")) }, want: "THREAD_DELETE type=11"},
		"bulk": {
			set:  func(w *world) { w.Say("hall", "ana", "1"); w.Say("hall", "ana", "2") },
			do:   func(w *world) { ms := w.Messages("hall"); w.must(w.BulkDelete("hall", []string{ms[0].ID, ms[1].ID})) },
			want: "MESSAGE_DELETE_BULK"},
		"guild renamed": {do: func(w *world) { n := "Tea"; w.must(w.ChangeGuild("", simdiscord.GuildChange{Name: &n})) }, want: "GUILD_UPDATE name=Tea"},
		"removed":       {do: func(w *world) { w.must(w.RemoveBot("")); w.Say("hall", "ana", "unheard") }, want: "GUILD_DELETE"},
		"removed and invited": {
			do:   func(w *world) { w.must(w.RemoveBot("")); w.must(w.InviteBot("", nil)) },
			want: "GUILD_DELETE; GUILD_CREATE name=Tea House unavailable=false"},
		"outage": {
			do: func(w *world) {
				for _, down := range []bool{true, false} {
					w.must(w.ChangeGuild("", simdiscord.GuildChange{Outage: &down}))
					w.Say("hall", "ana", "x")
				}
			},
			want: "GUILD_DELETE unavailable=true; GUILD_CREATE name=Tea House unavailable=false; MESSAGE_CREATE type=0"},
		"second guild": {do: func(w *world) { _, err := w.CreateGuild("Annex"); w.must(err) }, want: "GUILD_CREATE name=Annex unavailable=false"},
		"role": {
			do: func(w *world) {
				_, err := w.CreateRole("", simdiscord.RoleSpec{Name: "r"})
				w.must(err)
				n := "s"
				w.must(w.ChangeRole("", "r", simdiscord.RoleChange{Name: &n}))
				w.must(w.DeleteRole("", "s"))
			},
			want: "GUILD_ROLE_CREATE role.name=r; GUILD_ROLE_UPDATE role.name=s; GUILD_ROLE_DELETE"},
		"the bot's own nickname": {
			do:   func(w *world) { n := "Mu"; w.must(w.ChangeMember("", "Tsumugi", simdiscord.MemberChange{Nick: &n})) },
			want: "GUILD_MEMBER_UPDATE nick=Mu"},
		"others' without the intent": {
			do:   func(w *world) { n := "Be"; w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Nick: &n})) },
			want: ""},
		"others' with the intent": {intents: members,
			do: func(w *world) {
				n := "Be"
				w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Nick: &n}))
				w.must(w.Leave("", "ben"))
				w.must(w.Join("", "ben"))
			},
			want: "GUILD_MEMBER_UPDATE nick=Be; GUILD_MEMBER_REMOVE; GUILD_MEMBER_ADD nick=null"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{NoLimits: true, GuildMembersEnabled: true})
			if c.set != nil {
				c.set(w)
			}
			conn := w.gateway()
			conn.login(guildsAndMessages | c.intents)
			conn.until("GUILD_CREATE")
			c.do(w)
			if got := w.hears(conn, "name", "nick", "type", "unavailable", "newly_created", "role.name", "threads.0.name", "member_count"); strip(got) != c.want {
				t.Errorf("heard %q, want %q", got, c.want)
			}
		})
	}
}

// strip leaves out the types of channels, which no case asks for, and a guild's count of members.
func strip(heard string) string {
	var lines []string
	for _, line := range strings.Split(heard, "; ") {
		if channel := strings.HasPrefix(line, "CHANNEL_") || strings.HasPrefix(line, "THREAD_") && !strings.HasPrefix(line, "THREAD_DELETE"); channel {
			line = cut(line, " type=")
		}
		if !strings.HasPrefix(line, "THREAD_MEMBERS") {
			line = cut(line, " member_count=")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func cut(line, field string) string {
	before, after, found := strings.Cut(line, field)
	if !found {
		return line
	}
	_, rest, more := strings.Cut(after, " ")
	if more {
		rest = " " + rest
	}
	return before + rest
}

// TestGuildCreateKnowsThreads: what a new session is told holds every channel's newest message and the open threads it may see.
func TestGuildCreateKnowsThreads(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	m := w.Say("lounge", "ana", "x")
	seen, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "seen"})
	w.must(err)
	word := w.Say(seen.ID, "ben", "y")
	for _, name := range []string{"closed", "archived"} {
		_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: name, Private: name == "closed"})
		w.must(err)
	}
	archive(w, "archived")
	c := w.gateway()
	c.login(guildsAndMessages)
	g := c.until("GUILD_CREATE")
	var v struct {
		Channels []struct {
			ID   string
			Last string `json:"last_message_id"`
		}
		Threads []struct {
			ID   string
			Last string `json:"last_message_id"`
		}
	}
	answer{text: g.D}.into(t, &v)
	if len(v.Channels) != 2 || v.Channels[0].Last != m.ID || len(v.Threads) != 1 || v.Threads[0].ID != seen.ID || v.Threads[0].Last != word.ID {
		t.Errorf("told %+v", v)
	}
}

// TestShardsHearTheirGuild: of two shards each hears one guild, and the first alone hears direct messages.
func TestShardsHearTheirGuild(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, Shards: 2})
	other, err := w.CreateGuild("Annex")
	w.must(err)
	for shard, guild := range []string{other.ID, w.State().Guild.ID} {
		c := w.gateway()
		c.send(strings.Replace(identify("simulated", guildsAndMessages), `"intents"`, `"shard":[`+string(rune('0'+shard))+`,2],"intents"`, 1))
		ready := c.until("READY")
		if ready.field("guilds.0.id") != guild || strings.Count(ready.field("guilds"), `"id"`) != 1 {
			t.Errorf("shard %d: %s", shard, ready.field("guilds"))
		}
		if g := c.next(); g.T != "GUILD_CREATE" || g.field("id") != guild {
			t.Errorf("shard %d: %s %s", shard, g.T, g.field("id"))
		}
		w.Say("general", "ana", "annex")
		w.Say("hall", "ana", "home")
		if g := c.next(); g.T != "MESSAGE_CREATE" || g.field("guild_id") != guild {
			t.Errorf("shard %d hears %s %s", shard, g.T, g.D)
		}
	}
}

// TestRemovedGuildIsNotInReady: one that had an outage is, and stays unavailable.
func TestRemovedGuildIsNotInReady(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	other, err := w.CreateGuild("Annex")
	w.must(err)
	down := true
	w.must(w.ChangeGuild("Annex", simdiscord.GuildChange{Outage: &down}))
	w.must(w.RemoveBot(""))
	c := w.gateway()
	c.send(identify("simulated", guildsAndMessages))
	if g := c.until("READY"); g.field("guilds") != `[{"id":"`+other.ID+`","unavailable":true}]` {
		t.Errorf("guilds %s", g.field("guilds"))
	}
	if heard := w.hears(c); heard != "" {
		t.Errorf("heard %s", heard)
	}
	down = false
	w.must(w.ChangeGuild("Annex", simdiscord.GuildChange{Outage: &down}))
	if g := c.next(); g.T != "GUILD_CREATE" || g.field("id") != other.ID {
		t.Errorf("after the outage: %s", g.T)
	}
}

// TestGuildsIntentBringsNoMessages: with guilds alone threads are heard of, and not what is said about them.
func TestGuildsIntentBringsNoMessages(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	c := w.gateway()
	c.login(guildsOnly)
	c.until("GUILD_CREATE")
	_, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "t"})
	w.must(err)
	w.must(w.DeleteChannel("t"))
	for _, want := range []string{"THREAD_CREATE", "THREAD_DELETE"} {
		if g := c.next(); g.T != want {
			t.Errorf("heard %s, want %s", g.T, want)
		}
	}
}
