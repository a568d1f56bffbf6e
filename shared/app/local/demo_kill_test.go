//go:build unix

package local_test

import (
	"encoding/json"
	"testing"
)

// posts are the bot's messages in the lounge of the process's own simulated Discord.
func (i *instance) posts() (posts []struct {
	ID, Content string
	Author      struct{ Bot bool }
	Edits       []struct{ Content string }
}) {
	i.t.Helper()
	if err := json.Unmarshal([]byte(i.read("lounge")), &posts); err != nil {
		i.t.Fatal(err)
	}
	n := 0
	for _, p := range posts {
		if p.Author.Bot {
			posts[n] = p
			n++
		}
	}
	return posts[:n]
}

// As somebody sees it who has typed make run and nothing else: the simulated Discord outlives the process as the real one
// does, so the reply that was cut off goes on in its own message.
func TestKilledInTheDemo(t *testing.T) {
	w := newWorld(t, open())
	env := map[string]string{"TSUMUGI_DATA": w.data, "TSUMUGI_ADDR": "127.0.0.1:0"}
	first := launch(t, env)
	first.until("ready", `"msg":"ready"`)
	first.say("lounge", "ana", "tell me a story about the harbour")
	eventually(t, soon, "an edited reply", func() bool {
		posts := first.posts()
		return len(posts) == 1 && len(posts[0].Edits) > 0
	})
	begun := first.posts()[0]
	first.kill()

	second := launch(t, env)
	second.until("ready", `"msg":"ready"`)
	if posts := second.posts(); len(posts) != 1 || posts[0].ID != begun.ID {
		t.Fatalf("after the restart the lounge shows %+v, it showed %+v", posts, begun)
	}
	eventually(t, recovery, "the end of the turn", func() bool { return second.ends() > 0 })
	posts := second.posts()
	if len(posts) != 1 || posts[0].ID != begun.ID || len(posts[0].Content) <= len(begun.Content) {
		t.Errorf("the reply ended as %+v; begun was %+v", posts, begun)
	}
	second.say("lounge", "ben", "and now?")
	eventually(t, soon, "the next reply", func() bool { return second.ends() > 1 })
	if posts := second.posts(); len(posts) != 2 {
		t.Errorf("%d replies, want 2", len(posts))
	}
}
