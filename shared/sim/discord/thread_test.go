package discord_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

func threadsOf(channel string) string { return "/channels/" + channel + "/threads" }

// TestThreadOnAMessage: it has the message's id, begins with a reference to it, and stands on it once.
func TestThreadOnAMessage(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true})
	hall := w.State().Hall
	m := w.Say("hall", "ana", "the weather")
	a := w.rest("POST", messages(hall)+"/"+m.ID+"/threads", `{"name":" Weather ","auto_archive_duration":60}`)
	if a.status != 201 || a.id() != m.ID || a.field("type") != "11" || a.field("name") != "Weather" || a.field("parent_id") != hall ||
		a.field("owner_id") != w.State().Bot.ID || a.field("thread_metadata.auto_archive_duration") != "60" || a.field("member.user_id") != w.State().Bot.ID {
		t.Fatalf("thread %d %s", a.status, a.text)
	}
	w.rest("POST", messages(hall)+"/"+m.ID+"/threads", `{"name":"again"}`).denied(t, 400, 160004)
	source := w.rest("GET", messages(hall)+"/"+m.ID, "")
	if source.field("flags") != "32" || source.field("thread.id") != m.ID {
		t.Errorf("the message it stands on: %s", source.text)
	}
	first := w.rest("GET", messages(m.ID), "")
	if first.field("0.type") != "21" || first.field("0.message_reference.channel_id") != hall || first.field("0.referenced_message.content") != "the weather" {
		t.Errorf("its first message: %s", first.text)
	}
	if n := len(w.Messages("hall")); n != 1 {
		t.Errorf("the parent holds %d messages", n)
	}
	w.rest("POST", messages(m.ID), `{"content":"rain"}`)
	if c := w.rest("GET", "/channels/"+m.ID, ""); c.field("message_count") != "1" || c.field("total_message_sent") != "1" || c.field("member_count") != "1" {
		t.Errorf("counts %s", c.text)
	}
	w.must(w.DeleteChannel(m.ID))
	if source := w.rest("GET", messages(hall)+"/"+m.ID, ""); source.field("flags") != "0" || source.field("thread") != "" {
		t.Errorf("after the thread: %s", source.text)
	}
}

// TestThreadForms is a table of what opens a thread and what does not.
func TestThreadForms(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	w.lay(simdiscord.ChannelSpec{Name: "rooms", Type: 4}, simdiscord.ChannelSpec{Name: "voice", Type: 2, Parent: "rooms"},
		simdiscord.ChannelSpec{Name: "news", Type: 5}, simdiscord.ChannelSpec{Name: "forum", Type: 15, Tags: []string{"red", "blue"}})
	st := w.State()
	news, voice, forum := st.Channel("news"), st.Channel("voice"), st.Channel("forum")
	hall, dm := st.Hall, w.Say("dm:ana", "ana", "x")
	system, err := w.Post("hall", simdiscord.Saying{Author: "ben", Type: 7})
	w.must(err)
	red := w.rest("GET", "/channels/"+forum, "").field("available_tags.0.id")
	tags := func(n int) string {
		return `,"applied_tags":["` + strings.Join(strings.Split(strings.Repeat(red+" ", n-1)+red, " "), `","`) + `"]`
	}
	const post = `{"name":"t","message":{"content":"x"}`
	for _, c := range []struct {
		name, path, body string
		status, code     int
		field, value     string
	}{
		{name: "without a type it is private", path: threadsOf(hall), body: `{"name":"t"}`, status: 201, field: "type", value: "12"},
		{name: "public", path: threadsOf(hall), body: `{"name":"t","type":11}`, status: 201, field: "thread_metadata.auto_archive_duration", value: "1440"},
		{name: "not invitable", path: threadsOf(hall), body: `{"name":"t","invitable":false}`, status: 201, field: "thread_metadata.invitable", value: "false"},
		{name: "name of 100", path: threadsOf(hall), body: `{"name":"` + strings.Repeat("é", 100) + `"}`, status: 201},
		{name: "name of 101", path: threadsOf(hall), body: `{"name":"` + strings.Repeat("n", 101) + `"}`, status: 400, code: 50035},
		{name: "no name", path: threadsOf(hall), body: `{"type":11}`, status: 400, code: 50035},
		{name: "a name of blanks", path: threadsOf(hall), body: `{"name":"  "}`, status: 400, code: 50035},
		{name: "archived after 61 minutes", path: threadsOf(hall), body: `{"name":"t","auto_archive_duration":61}`, status: 400, code: 50035},
		{name: "slowmode of a week", path: threadsOf(hall), body: `{"name":"t","rate_limit_per_user":604800}`, status: 400, code: 50035},
		{name: "announcement thread in a text channel", path: threadsOf(hall), body: `{"name":"t","type":10}`, status: 400, code: 50024},
		{name: "announcement thread", path: threadsOf(news), body: `{"name":"t","type":10}`, status: 201, field: "type", value: "10"},
		{name: "private in an announcement channel", path: threadsOf(news), body: `{"name":"t"}`, status: 400, code: 50024},
		{name: "in a voice channel", path: threadsOf(voice), body: `{"name":"t","type":11}`, status: 400, code: 50024},
		{name: "in direct messages", path: threadsOf(dm.ChannelID), body: `{"name":"t","type":11}`, status: 400, code: 50024},
		{name: "on a direct message", path: messages(dm.ChannelID) + "/" + dm.ID + "/threads", body: `{"name":"t"}`, status: 400, code: 50024},
		{name: "on a system message", path: messages(hall) + "/" + system.ID + "/threads", body: `{"name":"t"}`, status: 400, code: 50068},
		{name: "post", path: threadsOf(forum), body: post + "}", status: 201, field: "message.content", value: "x"},
		{name: "post without a message", path: threadsOf(forum), body: `{"name":"t"}`, status: 400, code: 50035},
		{name: "post of nothing", path: threadsOf(forum), body: `{"name":"t","message":{}}`, status: 400, code: 50006},
		{name: "post with a tag", path: threadsOf(forum), body: post + tags(1) + "}", status: 201, field: "applied_tags.0", value: red},
		{name: "post with a tag of nowhere", path: threadsOf(forum), body: post + `,"applied_tags":["4"]}`, status: 400, code: 50035},
		{name: "post with six tags", path: threadsOf(forum), body: post + tags(6) + "}", status: 400, code: 50035},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(w.State().Channels)
			a := w.rest("POST", c.path, c.body)
			if c.status != 201 {
				a.denied(t, c.status, c.code)
				if now := len(w.State().Channels); now != before {
					t.Errorf("%d channels were made", now-before)
				}
				return
			}
			if a.status != 201 || c.field != "" && a.field(c.field) != c.value {
				t.Errorf("%d %s, want %s %q", a.status, a.text, c.field, c.value)
			}
		})
	}
}

// TestForumPost: the first message has the thread's id and is in no other channel; the forum itself takes none.
func TestForumPost(t *testing.T) {
	w := open(t, simdiscord.Options{})
	w.lay(simdiscord.ChannelSpec{Name: "forum", Type: 15})
	forum := w.State().Channel("forum")
	a := w.rest("POST", threadsOf(forum), `{"name":"t","message":{"content":"hi <@`+w.State().User("ana")+`>"}}`)
	if a.field("message.id") != a.id() || a.field("message.channel_id") != a.id() || a.field("message.mentions.0.username") != "ana" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if n := len(w.Messages(forum)); n != 0 {
		t.Errorf("the forum holds %d messages", n)
	}
	if c := w.rest("GET", "/channels/"+forum, ""); c.field("last_message_id") != a.id() {
		t.Errorf("the forum's newest post: %s", c.text)
	}
	if e := w.rest("PATCH", messages(a.id())+"/"+a.id(), `{"content":"changed"}`); e.status != 200 {
		t.Errorf("edit of the first message: %d %s", e.status, e.text)
	}
}

// TestThreadNotices: a thread on no message is told of in the parent, a private one is not; a new name is told of in the thread.
func TestThreadNotices(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	hall := w.State().Hall
	public := w.rest("POST", threadsOf(hall), `{"name":"seen","type":11}`).id()
	w.rest("POST", threadsOf(hall), `{"name":"unseen"}`)
	ms := w.Messages("hall")
	if len(ms) != 1 || ms[0].Type != 18 || ms[0].Content != "seen" || ms[0].MessageReference.ChannelID != public || ms[0].MessageReference.MessageID != "" {
		t.Errorf("the parent: %+v", ms)
	}
	if a := w.rest("PATCH", "/channels/"+public, `{"name":"renamed"}`); a.field("name") != "renamed" {
		t.Errorf("%d %s", a.status, a.text)
	}
	if ms := w.Messages(public); len(ms) != 1 || ms[0].Type != 4 || ms[0].Content != "renamed" {
		t.Errorf("the thread: %+v", ms)
	}
}

// TestArchive is what may be done with a thread that is archived or locked.
func TestArchive(t *testing.T) {
	const on, off = `{"archived":true}`, `{"archived":false}`
	patch := func(body string) [3]string { return [3]string{"PATCH", "", body} }
	say := [3]string{"POST", "/messages", `{"content":"x"}`}
	edit := [3]string{"PATCH", "/messages/{m}", `{"content":"y"}`}
	for name, c := range map[string]struct {
		manages bool
		set     func(w *world, id string)
		do      [3]string
		code    int    // 0 where it is done
		after   string // archived and locked, after it
	}{
		"a word opens it":                {set: archive, do: say, after: "false false"},
		"an edit does not":               {set: archive, do: edit, code: 50083, after: "true false"},
		"its owner archives it":          {do: patch(on), after: "true false"},
		"its owner opens it":             {set: archive, do: patch(off), after: "false false"},
		"a name while archived":          {set: archive, do: patch(`{"name":"n"}`), code: 50083, after: "true false"},
		"a name and open":                {set: archive, do: patch(`{"name":"n","archived":false}`), after: "false false"},
		"its owner may not lock":         {do: patch(`{"locked":true}`), code: 50013, after: "false false"},
		"nor slow it":                    {do: patch(`{"rate_limit_per_user":5}`), code: 50013, after: "false false"},
		"a locked one stays shut":        {set: lock, do: say, code: 160005, after: "true true"},
		"locked, its owner may not open": {set: lock, do: patch(off), code: 50013, after: "true true"},
		"locked, nor edit":               {set: lock, do: edit, code: 50083, after: "true true"},
		"who manages threads locks":      {manages: true, do: patch(`{"locked":true,"archived":true}`), after: "true true"},
		"who manages threads speaks":     {manages: true, set: lock, do: say, after: "false true"},
		"who manages threads opens":      {manages: true, set: lock, do: patch(off), after: "false true"},
		"null leaves the duration":       {do: patch(`{"auto_archive_duration":null}`), after: "false false"},
		"a duration that is none":        {do: patch(`{"auto_archive_duration":5}`), code: 50035, after: "false false"},
		"a name of 101":                  {do: patch(`{"name":"` + strings.Repeat("n", 101) + `"}`), code: 50035, after: "false false"},
		"an empty name":                  {do: patch(`{"name":""}`), code: 50035, after: "false false"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{NoLimits: true})
			id := w.rest("POST", threadsOf(w.State().Hall), `{"name":"t","type":11}`).id()
			mine := w.rest("POST", messages(id), `{"content":"x"}`).id()
			if c.manages {
				w.grant("MANAGE_THREADS")
			}
			if c.set != nil {
				c.set(w, id)
			}
			a := w.rest(c.do[0], "/channels/"+id+strings.ReplaceAll(c.do[1], "{m}", mine), c.do[2])
			if c.code != 0 && a.field("code") != fmt.Sprint(c.code) || c.code == 0 && a.status != 200 {
				t.Errorf("%d %s, want code %d", a.status, a.text, c.code)
			}
			now := w.rest("GET", "/channels/"+id, "")
			if got := now.field("thread_metadata.archived") + " " + now.field("thread_metadata.locked"); got != c.after {
				t.Errorf("archived and locked are %s, want %s", got, c.after)
			}
		})
	}
}

func archive(w *world, id string) { shut(w, id, false) }
func lock(w *world, id string)    { shut(w, id, true) }

func shut(w *world, id string, locked bool) {
	yes := true
	_, err := w.ChangeChannel(id, simdiscord.ChannelChange{Archived: &yes, Locked: &locked})
	w.must(err)
}

// TestArchivedByItself: a thread nobody writes to is archived when its time is over, and only then.
func TestArchivedByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{NoLimits: true})
		st := w.State()
		id := w.rest("POST", threadsOf(st.Hall), `{"name":"t","type":11,"auto_archive_duration":60}`).id()
		active := func() string {
			return w.rest("GET", "/guilds/"+st.Guild.ID+"/threads/active", "").field("threads.0.id")
		}
		time.Sleep(59 * time.Minute)
		w.Say(id, "ana", "still here")
		time.Sleep(59 * time.Minute)
		if active() != id {
			t.Error("archived 59 minutes after the last word")
		}
		time.Sleep(time.Minute)
		if active() != "" {
			t.Error("active an hour after the last word")
		}
		w.Say(id, "ben", "again")
		if active() != id {
			t.Error("a word did not open it")
		}
	})
}

// TestThreadsInheritTheirParent: overwrites are the parent's, and another permission stands for that to send.
func TestThreadsInheritTheirParent(t *testing.T) {
	for name, c := range map[string]struct {
		deny string
		code string
	}{
		"SEND_MESSAGES means nothing there": {"SEND_MESSAGES", ""},
		"SEND_MESSAGES_IN_THREADS does":     {"SEND_MESSAGES_IN_THREADS", "50013"},
		"an unseen parent":                  {"VIEW_CHANNEL", "50001"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, simdiscord.Options{NoLimits: true})
			id := w.rest("POST", threadsOf(w.State().Hall), `{"name":"t","type":11}`).id()
			w.deny("hall", "@everyone", c.deny)
			if a := w.rest("POST", messages(id), `{"content":"x"}`); a.field("code") != c.code {
				t.Errorf("%d %s, want %q", a.status, a.text, c.code)
			}
		})
	}
}

// TestPrivateThreads are for their members and for those who manage threads.
func TestPrivateThreads(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	closed, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "closed", Private: true})
	w.must(err)
	let, err := w.StartThread("hall", simdiscord.ThreadSpec{Author: "ben", Name: "let in", Private: true, Invite: []string{"Tsumugi"}})
	w.must(err)
	w.rest("GET", "/channels/"+closed.ID, "").denied(t, 403, 50001)
	if a := w.rest("POST", messages(let.ID), `{"content":"x"}`); a.status != 200 {
		t.Errorf("invited: %d %s", a.status, a.text)
	}
	if _, err := w.Post(closed.ID, simdiscord.Saying{Author: "chiyo", Content: "x"}); err == nil {
		t.Error("chiyo spoke in a private thread of ben's")
	}
	active := w.rest("GET", "/guilds/"+w.State().Guild.ID+"/threads/active", "")
	if active.field("threads.0.id") != let.ID || strings.Contains(string(active.text), closed.ID) || active.field("members.0.id") != let.ID {
		t.Errorf("active %s", active.text)
	}
	w.grant("MANAGE_THREADS")
	if a := w.rest("GET", "/channels/"+closed.ID, ""); a.status != http.StatusOK {
		t.Errorf("who manages threads: %d %s", a.status, a.text)
	}
}
