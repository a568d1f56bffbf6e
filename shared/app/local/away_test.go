//go:build unix

package local_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tsumugi/shared/app"
	kvsqlite "tsumugi/shared/kv/sqlite"
	simdiscord "tsumugi/shared/sim/discord"
	simmodel "tsumugi/shared/sim/model"
)

// begun counts what the gateway's sessions began with: READY a new one, RESUMED an old one.
func (w *world) begun(event string) int {
	n := 0
	for _, d := range w.discord.Dispatches() {
		if d.Event == event {
			n++
		}
	}
	return n
}

// What is said while no process runs is answered by the next: Discord repeats it to a session that is resumed, and where the
// session is lost it is read from the channel.
func TestSaidWhileNobodyWasThere(t *testing.T) {
	for name, c := range map[string]struct {
		window time.Duration // how long Discord keeps a session
		end    func(*instance)
		ready  int // sessions that were begun in the end
	}{
		"killed, and back in time":   {time.Hour, (*instance).kill, 1},
		"stopped, and back in time":  {time.Hour, stop, 1},
		"killed, and back too late":  {time.Nanosecond, (*instance).kill, 2},
		"stopped, and back too late": {time.Nanosecond, stop, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, simdiscord.Options{MessageContentEnabled: true, ResumeWindow: c.window})
			w.model.Script(simmodel.Rule{Reply: simmodel.Say("I am here.")})
			i := w.ready()
			w.say("are you there?")
			answered := w.reply(soon, 1, "I am here.")
			w.kept(answered.ID)
			c.end(i)
			w.model.Script(simmodel.Rule{Reply: simmodel.Say("I was away.")})
			w.say("and now?")
			w.ready()
			w.reply(recovery, 2, "I was away.")
			if got := w.begun("READY"); got != c.ready {
				t.Errorf("%d sessions were begun, want %d", got, c.ready)
			}
			w.goesOn("I am here.", "I was away.")
		})
	}
}

// kept waits until the process has kept how far it is: it does so within a second.
func (w *world) kept(after string) {
	w.t.Helper()
	db, err := kvsqlite.Open(w.t.Context(), filepath.Join(w.data, "tsumugi.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	relays := app.NewRelays(app.Ports{KV: db}, token)
	eventually(w.t, soon, "the state of the session in the store", func() bool {
		s, err := relays.Shard(w.t.Context(), 0)
		return err == nil && s.Session.ID != "" && string(s.Watermark) >= after // of one length, or empty
	})
}

func stop(i *instance) {
	i.t.Helper()
	i.signal(syscall.SIGTERM)
	if code := i.exit(soon); code != 0 {
		i.t.Errorf("exit code %d, want 0", code)
	}
}
