//go:build unix

package local_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	kvsqlite "tsumugi/shared/kv/sqlite"
	"tsumugi/shared/queue"
	queuesqlite "tsumugi/shared/queue/sqlite"
	simdiscord "tsumugi/shared/sim/discord"
	simmodel "tsumugi/shared/sim/model"
)

// say lets ana ask in the hall, where the bot must be mentioned.
func (w *world) say(text string) {
	w.t.Helper()
	if m := w.discord.Say("hall", "ana", "@"+w.discord.State().Bot.Name+" "+text); m.ID == "" {
		w.t.Fatal("nothing was said")
	}
}

// replies are the bot's messages in a channel, also those that were deleted.
func (w *world) replies(channel string) []simdiscord.Message {
	var ours []simdiscord.Message
	for _, m := range w.discord.AllMessages(channel) {
		if m.Author.ID == w.discord.State().Bot.ID {
			ours = append(ours, m)
		}
	}
	return ours
}

// reply waits until the n-th reply in the hall reads as wanted, and gives it.
func (w *world) reply(limit time.Duration, n int, want string) simdiscord.Message {
	w.t.Helper()
	var last simdiscord.Message
	eventually(w.t, limit, "reply "+want, func() bool {
		all := w.replies("hall")
		if len(all) >= n {
			last = all[n-1]
		}
		return last.Content == want
	})
	return last
}

// goesOn asks once more, and then looks at everything that was ever said: wanted is all of it.
func (w *world) goesOn(want ...string) {
	w.t.Helper()
	w.model.Script(simmodel.Rule{Reply: simmodel.Say("The lamps are lit.")})
	w.say("and now?")
	want = append(want, "The lamps are lit.")
	w.reply(recovery, len(want), want[len(want)-1])
	all := w.replies("hall")
	for i, m := range all {
		if i < len(want) && (m.Content != want[i] || m.Deleted) {
			w.t.Errorf("reply %d is %q (deleted %t), want %q", i, m.Content, m.Deleted, want[i])
		}
	}
	if len(all) != len(want) {
		w.t.Errorf("the bot wrote %d messages, want %d", len(all), len(want))
	}
}

// slowly streams the words a step each.
func slowly(every time.Duration, text string) simmodel.Reply {
	var r simmodel.Reply
	for _, word := range strings.SplitAfter(text, " ") {
		r.Steps = append(r.Steps, simmodel.Step{Wait: every, Text: word})
	}
	return r
}

// counting is a text that takes long to say; its words can be told apart.
const counting = "One boat came home. Two boats came home. Three boats came home. Four boats came home. Five boats came home. " +
	"Six boats came home. Seven boats came home. Eight boats came home. Nine boats came home. Ten boats came home."

// streaming asks, and waits until the reply has been edited and is not complete.
func (w *world) streaming(every time.Duration) simdiscord.Message {
	w.t.Helper()
	w.model.Script(simmodel.Rule{Reply: slowly(every, counting)})
	w.say("count the boats")
	var m simdiscord.Message
	eventually(w.t, soon, "an edited reply", func() bool {
		all := w.replies("hall")
		if len(all) == 0 {
			return false
		}
		m = all[0]
		return len(m.Edits) > 0
	})
	if m.Content == counting {
		w.t.Fatal("the reply was complete before anything could happen to it")
	}
	return m
}

func TestKilledWhileStreaming(t *testing.T) {
	w := newWorld(t, open())
	i := w.ready()
	begun := w.streaming(time.Second)
	i.kill()
	if got := w.replies("hall")[0].Content; got == counting {
		t.Fatal("the reply was complete when the process died")
	}
	w.model.Script(simmodel.Rule{Reply: slowly(10*time.Millisecond, counting)})
	w.ready()
	if m := w.reply(recovery, 1, counting); m.ID != begun.ID {
		t.Errorf("the reply went on in message %s, want %s", m.ID, begun.ID)
	}
	w.goesOn(counting)
}

// The message is in the ledger, and nobody has answered it.
func TestKilledAfterAdmission(t *testing.T) {
	w := newWorld(t, open())
	w.model.Script(simmodel.Rule{Reply: simmodel.Reply{Late: true}})
	i := w.ready()
	w.say("are you there?")
	i.until("admission", `"msg":"admitted"`)
	i.kill()
	if n := len(w.replies("hall")); n != 0 {
		t.Fatalf("%d replies before the process died", n)
	}
	w.model.Script(simmodel.Rule{Reply: simmodel.Say("I am here.")})
	w.ready()
	w.reply(recovery, 1, "I am here.")
	w.goesOn("I am here.")
}

// Everybody can read the reply, and the process did not get to know that: the answer of the edit is lost, and then it dies.
func TestKilledAfterTheLastEdit(t *testing.T) {
	const text = "The kettle is on the fire. Sit down."
	w := newWorld(t, open())
	w.model.Script(simmodel.Rule{Reply: simmodel.Reply{Steps: []simmodel.Step{
		{Text: "The kettle is on the fire."}, {Wait: time.Second, Text: " Sit down."},
	}}})
	if err := w.discord.Fault(simdiscord.Fault{Kind: simdiscord.FaultLost, Method: "PATCH", Count: -1}); err != nil {
		t.Fatal(err)
	}
	i := w.ready()
	w.say("may I come in?")
	begun := w.reply(soon, 1, text)
	i.kill()
	if strings.Contains(i.err.String(), "turn ended") {
		t.Fatal("the turn had ended when the process died")
	}
	w.discord.ClearFaults()
	i = w.ready()
	eventually(t, recovery, "the end of the turn", func() bool { return strings.Contains(i.err.String(), `"msg":"turn ended","row":"answered"`) })
	w.goesOn(text)
	if m := w.replies("hall")[0]; m.ID != begun.ID {
		t.Errorf("the reply is message %s, want %s", m.ID, begun.ID)
	}
	if n := len(w.model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times, want once a question", n)
	}
}

// What is left of a reply is short: it is said before the process ends.
func TestToldToStopNearTheEnd(t *testing.T) {
	w := newWorld(t, open())
	i := w.ready()
	w.model.Script(simmodel.Rule{Reply: simmodel.Reply{Steps: []simmodel.Step{
		{Text: "One boat came home."}, {Wait: 2 * time.Second, Text: " And then"}, {Wait: 3 * time.Second, Text: " the others."},
	}}})
	w.say("count the boats")
	w.reply(soon, 1, "One boat came home. And then")
	i.signal(syscall.SIGTERM)
	if code := i.exit(soon); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	w.reply(soon, 1, "One boat came home. And then the others.")
	w.ready()
	w.goesOn("One boat came home. And then the others.")
}

// What is left takes longer than the drain: it is handed over, and the next start need not wait for any time-out.
func TestToldToStopInTheMiddle(t *testing.T) {
	w := newWorld(t, open())
	i := w.ready()
	begun := w.streaming(time.Second)
	i.signal(syscall.SIGTERM)
	if code := i.exit(soon); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if got := w.replies("hall")[0].Content; got == counting {
		t.Fatal("the reply was complete before the drain was over")
	}
	w.model.Script(simmodel.Rule{Reply: slowly(10*time.Millisecond, counting)})
	w.handedOver()
	w.ready()
	if m := w.reply(recovery, 1, counting); m.ID != begun.ID {
		t.Errorf("the reply went on in message %s, want %s", m.ID, begun.ID)
	}
	w.goesOn(counting)
}

// handedOver looks into the queue of a process that has ended: the job must be there for whoever comes, now.
func (w *world) handedOver() {
	w.t.Helper()
	ctx := w.t.Context()
	db, err := kvsqlite.OpenFile(filepath.Join(w.data, "tsumugi.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	d, err := queuesqlite.Open(ctx, db, queuesqlite.Options{MaxReceives: 200})
	if err != nil {
		w.t.Fatal(err)
	}
	defer d.Close()
	got, err := d.Receive(ctx, queue.Replies, 10, time.Minute)
	if err != nil || len(got) != 1 {
		w.t.Fatalf("%d jobs wait for the next start: %v; want 1", len(got), err)
	}
	if err := d.Hide(ctx, queue.Replies, got[0].Receipt, 0); err != nil {
		w.t.Fatal(err)
	}
}

func TestToldToStopWhenIdle(t *testing.T) {
	w := newWorld(t, open())
	i := w.ready()
	i.signal(syscall.SIGINT)
	if code := i.exit(soon); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if strings.Contains(i.err.String(), `"level":"ERROR"`) {
		t.Error("an idle process complains when it is told to stop")
	}
}
