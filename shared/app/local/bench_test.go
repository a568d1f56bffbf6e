//go:build unix

package local_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/app/local"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	kvsqlite "tsumugi/shared/kv/sqlite"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	queuesqlite "tsumugi/shared/queue/sqlite"
	simdiscord "tsumugi/shared/sim/discord"
	simmodel "tsumugi/shared/sim/model"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
	"tsumugi/shared/turn"
)

// TestBench measures. It is a test and no benchmark, because what it reports are not times of one operation.
func TestBench(t *testing.T) {
	if os.Getenv("TSUMUGI_BENCH") != "1" {
		t.Skip("measures for two minutes; make bench runs it")
	}
	old := slog.Default()
	defer slog.SetDefault(old)
	slog.SetDefault(app.Logger(io.Discard)) // a process writes its log, and pays for it
	for _, b := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"start", benchStart}, {"rss", benchMemory}, {"first_visible", benchFirstVisible},
		{"roundtrips", func(t *testing.T) { synctest.Test(t, benchRoundtrips) }},
		{"ingest", benchIngest}, {"turn", benchTurn},
	} {
		t.Run(b.name, b.run)
	}
}

func report(name string, value float64, unit string) {
	fmt.Println("bench", name, strconv.FormatFloat(value, 'f', -1, 64), unit)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// rig is the product without its process: the handlers of all queues behind real event sources.
type rig struct {
	*meter
	sim   *simdiscord.Server
	relay func(context.Context, chat.Event) error
	asked chan []span // gets the calls before each request of the model
}

// newRig runs the event sources on these engines until the test ends.
func newRig(t *testing.T, latency time.Duration, store kv.Driver, queues queue.Driver, o simdiscord.Options) *rig {
	t.Helper()
	o.MessageContentEnabled, o.NoLimits = true, true
	r := &rig{meter: newMeter(latency), sim: simdiscord.New(o), asked: make(chan []span, 1<<12)}
	t.Cleanup(r.sim.Close)
	client := discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10",
		HTTPClient: &http.Client{Transport: r.sim.Direct()}, Self: chat.UserID(r.sim.State().Bot.ID)})
	q := meteredQueue{queues, r.meter}
	ports := app.Ports{KV: meteredStore{store, r.meter}, Queues: q, Discord: meteredDiscord{client, r.meter},
		Voice: turn.Voice{Model: meteredModel{simmodel.Demo(0), func() { r.asked <- r.taken() }}}, Recorder: telemetry.New()}
	r.relay = func(ctx context.Context, e chat.Event) error {
		m, err := queue.OfEvent(e)
		if err != nil {
			return err
		}
		return q.Send(ctx, queue.Ingress, m)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, s := range local.Sources(ports, q) {
		running.Go(func() {
			if err := s.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return r
}

// settle gives the installation its persona.
func settle(t *testing.T, d kv.Driver) {
	t.Helper()
	err := store.NewBook(d).Seed(t.Context(), guild.Settings{Own: true, Personas: []persona.Persona{persona.Demo()}})
	if err != nil {
		t.Fatal(err)
	}
}

// onDisk opens the engines as a process does.
func onDisk(t *testing.T) (kv.Driver, queue.Driver) {
	t.Helper()
	d, err := kvsqlite.Open(t.Context(), filepath.Join(t.TempDir(), "bench.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	q, err := queuesqlite.Open(t.Context(), d.Writer(), queuesqlite.Options{MaxReceives: 200})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	settle(t, d)
	return d, q
}

// send relays events and waits until all of them are done with on the queue.
func (r *rig) send(t *testing.T, until string, events ...chat.Event) {
	t.Helper()
	for _, e := range events {
		if err := r.relay(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	ctx, done := context.WithTimeout(t.Context(), 10*time.Minute)
	defer done()
	if err := r.wait(ctx, until, len(events)); err != nil {
		t.Fatal(err)
	}
}

// mention posts a message that addresses the bot, and gives the gateway's event of it.
func (r *rig) mention(t *testing.T, channel string) chat.Event {
	t.Helper()
	m := r.sim.Say(channel, "ana", "@"+r.sim.State().Bot.Name+" what is the harbour like tonight?")
	if m.ID == "" {
		t.Fatal("nothing was said")
	}
	return chat.Event{What: chat.Said, ID: chat.EventID(m.ID), Channel: chat.ChannelID(m.ChannelID), Guild: r.sim.State().Guild.ID,
		Author: chat.Author{ID: chat.UserID(m.Author.ID), Name: m.Author.Username}, Text: m.Content, MentionsUs: true, At: m.Timestamp.Time}
}

// benchIngest takes messages that nobody answers, the most of what a bot hears, to their rows in the ledger.
func benchIngest(t *testing.T) {
	const channels, each = 1000, 10
	d, q := onDisk(t)
	r := newRig(t, 0, d, q, simdiscord.Options{})
	var events []chat.Event
	first, err := strconv.ParseInt(chat.Snowflake(time.Now()), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(channels * each) {
		events = append(events, chat.Event{What: chat.Said, ID: chat.EventID(strconv.FormatInt(first+n, 10)),
			Channel: chat.ChannelID(strconv.FormatInt(first-1-n%channels, 10)), Guild: "1", Author: chat.Author{ID: "2", Name: "ben"},
			Text: "the boats are late, and there is more rain to come", At: time.Now()})
	}
	began, used := time.Now(), processor(t)
	r.send(t, queue.Ingress, events...)
	report("ingest_cpu_us", float64((processor(t)-used).Microseconds())/float64(len(events)), "us")
	report("ingest_msgs_per_s", float64(len(events))/time.Since(began).Seconds(), "msgs/s")
}

// benchTurn is what a whole turn costs the processor when nobody else needs any time.
func benchTurn(t *testing.T) {
	const rounds = 8
	var names []string
	for n := range 50 {
		names = append(names, fmt.Sprintf("room-%d", n))
	}
	d, q := onDisk(t)
	r := newRig(t, 0, d, q, simdiscord.Options{Channels: names})
	var used time.Duration
	for range rounds {
		var events []chat.Event
		for _, name := range names {
			events = append(events, r.mention(t, name))
		}
		began := processor(t)
		r.send(t, queue.Replies, events...)
		used += processor(t) - began
	}
	r.answered(t, rounds, names...)
	report("turn_cpu_us", float64(used.Microseconds())/float64(rounds*len(names)), "us")
}

// processor is the time that this process has used of the processor.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchRoundtrips counts calls, on a fake clock and engines in memory: every call takes the same time, so what can happen
// at once does, and what cannot makes a chain.
func benchRoundtrips(t *testing.T) {
	d := kvtest.Memory()
	settle(t, d)
	r := newRig(t, 10*time.Millisecond, d, queuetest.Memory(5), simdiscord.Options{})
	r.send(t, queue.Replies, r.mention(t, "hall"))
	before, after := <-r.asked, r.taken()
	chain := sequential(before)
	t.Logf("before the model is asked: %s", strings.Join(chain, ", "))
	report("roundtrips_to_dispatch", float64(len(chain)), "calls")
	report("outside_calls_to_dispatch", float64(len(before)), "calls")
	writes := 0
	for _, s := range append(before, after...) {
		if s.name == "kv write" {
			writes++
		}
	}
	report("store_writes_per_turn", float64(writes), "writes")
	r.answered(t, 1, "hall")
}

// answered fails where there are not so many replies in each channel: a turn that is refused is quick and says nothing.
func (r *rig) answered(t *testing.T, n int, channels ...string) {
	t.Helper()
	for _, c := range channels {
		replies := 0
		for _, m := range r.sim.Messages(c) {
			if m.Author.ID == r.sim.State().Bot.ID {
				replies++
			}
		}
		if replies != n {
			t.Fatalf("%d replies in %s, want %d", replies, c, n)
		}
	}
}

// benchFirstVisible is what a person waits for when the model answers at once, by Discord's clock.
func benchFirstVisible(t *testing.T) {
	w := makeWorld(t, simdiscord.Options{MessageContentEnabled: true, NoLimits: true})
	w.model.Script(simmodel.Rule{Reply: simmodel.Say("Good evening. ", "The lamps are lit.")})
	i := w.ready()
	var waited []time.Duration
	for n := 1; n <= 30; n++ {
		w.say("good evening")
		asked := w.discord.Messages("hall")
		eventually(t, soon, "the end of the turn", func() bool { return strings.Count(i.err.String(), `"msg":"turn ended"`) == n })
		replies := w.replies("hall")
		waited = append(waited, replies[n-1].Timestamp.Sub(asked[len(asked)-1].Timestamp.Time))
	}
	report("first_visible_ms", float64(median(waited).Microseconds())/1000, "ms")
}

// benchStart runs what "make run" runs, from the start of the program to its word that it is ready.
func benchStart(t *testing.T) {
	binary(t)
	var took []time.Duration
	for range 5 {
		began := time.Now()
		i := launch(t, map[string]string{"TSUMUGI_DATA": t.TempDir(), "TSUMUGI_ADDR": "127.0.0.1:0"})
		eventually(t, soon, "health", func() bool {
			status, _, _ := i.get("/healthz")
			return status == http.StatusOK
		})
		took = append(took, time.Since(began))
		i.kill()
	}
	report("start_ms", float64(median(took).Microseconds())/1000, "ms")
}

// benchMemory lets the program with its own simulated Discord answer 200 times.
func benchMemory(t *testing.T) {
	const each = 40
	model := simmodel.New(simmodel.Options{Script: []simmodel.Rule{{Reply: simmodel.Say("The harbour is quiet tonight, and the lamps are lit.")}}})
	i := launch(t, map[string]string{"TSUMUGI_DATA": t.TempDir(), "TSUMUGI_ADDR": "127.0.0.1:0", "TSUMUGI_MODEL_URL": serve(t, model)})
	i.until("ready", `"msg":"ready"`)
	channels := map[string]string{"lounge": "ana", "hall": "ben", "dm:ana": "ana", "dm:ben": "ben", "dm:chiyo": "chiyo"}
	for n := 1; n <= each; n++ {
		for channel, author := range channels {
			i.say(channel, author, "Mira, how is the harbour?")
		}
		eventually(t, soon, "the replies", func() bool { return strings.Count(i.err.String(), `"msg":"turn ended"`) == n*len(channels) })
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.cmd.Process.Pid))
	if err != nil {
		t.Skipf("the memory of a process is read from /proc: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	report("rss_mb", float64(kb)/1024, "MB")
}
