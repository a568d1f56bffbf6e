package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/llm"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
	"tsumugi/shared/turn"
)

// The promises of issue 6.
const (
	mostBehind = 1300 * time.Millisecond // at p99, with up to fewStreams
	fewStreams = 40

	word, theEnd = "word ", "the end."

	warmingUp = time.Minute // in which a crowd that comes all at once may be refused
)

// TestBenchCrowd lets many processes of generation speak in as many channels of one Discord, which has all the limits that were
// observed on it: by how far people see less than the model has said, what is refused, and whether each text is there in the end.
// The whole of it, ten simulated minutes of three crowds, is played by make bench and under STORIES_FULL.
func TestBenchCrowd(t *testing.T) {
	old := slog.Default()
	defer slog.SetDefault(old)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	sizes, length := []int{fewStreams, 100}, 180*time.Second
	if os.Getenv("TSUMUGI_BENCH") == "1" || os.Getenv("STORIES_FULL") != "" {
		sizes, length = []int{fewStreams, 70, 100}, 10*time.Minute
	}
	few := time.Duration(0)
	for _, n := range sizes {
		var w *crowd
		synctest.Test(t, func(t *testing.T) { w = gather(t, n, length) })
		p99 := percentile(w.behind, 99)
		t.Logf("%d streams: %d replies, %d edits, %d calls, p99 %v behind, p50 %v, most calls in a second %d, 429s %v", n, w.replies, w.edits, w.calls,
			p99, percentile(w.behind, 50), w.busiest(), w.refused)
		switch {
		case n == fewStreams:
			few = p99
			if p99 > mostBehind {
				t.Errorf("with %d streams people are %v behind at p99, more than %v", n, p99, mostBehind)
			}
			bench("edit_lag_p99_ms", float64(p99.Microseconds())/1000, "ms")
			bench("edits_per_reply", float64(w.edits)/float64(w.replies), "edits")
			bench("discord_calls_per_reply", float64(w.calls)/float64(w.replies), "calls")
		case p99 > max(few, mostBehind)*time.Duration(n)/fewStreams:
			t.Errorf("with %d streams people are %v behind at p99, and with %d %v: that grows faster than the crowd", n, p99, fewStreams, few)
		}
		for at, scope := range w.refused {
			if at > warmingUp {
				t.Errorf("with %d streams Discord refused a call after %v (%s)", n, at, scope)
			}
		}
	}
}

func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)*p/100]
}

// crowd is many processes of generation, and one of each other role.
type crowd struct {
	t     *testing.T
	sim   *simdiscord.Server
	queue queue.Driver
	began time.Time

	mu      sync.Mutex
	behind  []time.Duration // for each piece of text, how long people waited for it
	refused map[time.Duration]string
	seconds map[int]int
	edits   int
	calls   int
	replies int
	at      map[string]*speaking // by channel
}

// speaking is the reply that a process is speaking.
type speaking struct {
	said  []piece
	shown int // bytes that people see; those of the first message are nobody's wait: it comes when it says something
	first int
}

type piece struct {
	at  time.Time
	end int // of the text with it
}

func gather(t *testing.T, n int, length time.Duration) *crowd {
	pass(time.Until(time.Date(2026, time.November, 3, 9, 0, 7, 0, time.UTC)))
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("room-%d", i))
	}
	w := &crowd{t: t, sim: simdiscord.New(discordtest.Sample(t, simdiscord.Options{Channels: names, MessageContentEnabled: true, CallsKept: 10})), queue: queuetest.Memory(receives),
		refused: map[time.Duration]string{}, seconds: map[int]int{}, at: map[string]*speaking{}, began: time.Now()}
	defer w.sim.Close()
	d := kvtest.Memory()
	if err := store.NewBook(d).Seed(t.Context(), guild.Settings{Own: true, Personas: []persona.Persona{persona.Demo()}}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	source := func(name string, h queue.BatchHandler) {
		running.Go(func() {
			if err := (queue.Source{Driver: w.queue, Queue: name, Handler: h, Concurrency: 2 * n}).Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	ports := app.Ports{KV: d, Queues: w.queue}
	source(queue.Ingress, app.NewAdmission(ports))
	source(queue.Turns, app.NewPlanning(ports))
	processes := map[string]queue.BatchHandler{}
	var people sync.WaitGroup
	for i, name := range names {
		m := w.sim.Say(name, "ana", "@"+w.sim.State().Bot.Name+" hello")
		processes[m.ChannelID] = w.process(d, i, m.ChannelID)
		people.Go(func() { w.talks(ctx, name, rand.New(rand.NewPCG(uint64(i), 1)), m, length) })
	}
	source(queue.Replies, func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		var j chat.Job
		if err := queue.Decode(e.Records[0].Body, &j); err != nil {
			return events.SQSEventResponse{}, err
		}
		return processes[string(j.Channel)](ctx, e)
	})
	people.Wait()
	stop()
	running.Wait()
	return w
}

// process is one of generation, with all that a process has of its own.
func (w *crowd) process(d kv.Driver, number int, channel string) queue.BatchHandler {
	client := discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", Self: chat.UserID(w.sim.State().Bot.ID),
		HTTPClient: &http.Client{Transport: watchedWire{w.sim.Direct(), w, channel}}})
	return app.NewGeneration(app.Ports{KV: d, Queues: w.queue, Discord: client, Voice: turn.Voice{Model: talker{w, channel, int64(number), new(atomic.Int64)}}})
}

// talks says something again and again, each time that the last answer is whole.
func (w *crowd) talks(ctx context.Context, name string, random *rand.Rand, m simdiscord.Message, length time.Duration) {
	pass(time.Duration(random.Float64() * float64(20*time.Second)))
	for {
		w.mu.Lock()
		w.at[m.ChannelID] = &speaking{}
		w.mu.Unlock()
		said, err := queue.OfEvent(chat.Event{What: chat.Said, ID: chat.EventID(m.ID), Channel: chat.ChannelID(m.ChannelID), Guild: w.sim.State().Guild.ID,
			Author: chat.Author{ID: chat.UserID(m.Author.ID), Name: m.Author.Username}, Text: m.Content, MentionsUs: true, At: m.Timestamp.Time})
		if err == nil {
			err = w.queue.Send(ctx, queue.Ingress, said)
		}
		if err != nil {
			w.t.Error(err)
			return
		}
		if !w.answered(name, m) || time.Since(w.began) > length {
			return
		}
		pass(time.Duration(random.Float64() * float64(3*time.Second)))
		m = w.sim.Say(name, "ana", "@"+w.sim.State().Bot.Name+" and then?")
	}
}

// answered waits for the answer, which must be as the model gave it.
func (w *crowd) answered(name string, m simdiscord.Message) bool {
	for range 1000 {
		pass(200 * time.Millisecond)
		all := w.sim.Messages(name)
		last := all[len(all)-1]
		if last.Author.ID == w.sim.State().Bot.ID && newerID(last.ID, m.ID) && strings.HasSuffix(last.Content, theEnd) {
			w.mu.Lock()
			defer w.mu.Unlock()
			said := w.at[m.ChannelID].said
			if last.Content != strings.Repeat(word, len(said)-1)+theEnd {
				w.t.Errorf("in %s is to be seen %q, and that is not what was said", name, last.Content)
			}
			w.replies++
			return true
		}
	}
	w.t.Errorf("nobody answers in %s", name)
	return false
}

// busiest is the most calls of one second of Discord.
func (w *crowd) busiest() int {
	most := 0
	for at, n := range w.seconds {
		if time.Duration(at)*time.Second > warmingUp {
			most = max(most, n)
		}
	}
	return most
}

// talker is a model that talks for a quarter of a minute to a minute, a word or two at a time.
type talker struct {
	w       *crowd
	channel string
	number  int64
	times   *atomic.Int64
}

// Stream says its piece.
func (m talker) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		deltas := 90 + int(m.times.Add(1)*67+m.number*31)%280 // at most 1,850 characters, which are one message
		for i := range deltas {
			pass(150 * time.Millisecond)
			text := word
			if i == deltas-1 {
				text = theEnd
			}
			m.w.mu.Lock()
			s := m.w.at[m.channel]
			end := len(text)
			if len(s.said) > 0 {
				end += s.said[len(s.said)-1].end
			}
			s.said = append(s.said, piece{time.Now(), end})
			m.w.mu.Unlock()
			if ctx.Err() != nil || !yield(llm.Delta{Text: text}, nil) {
				return
			}
		}
		yield(llm.Delta{Done: &llm.Done{Reason: llm.Stopped}}, nil)
	}
}

// watchedWire is the connection of a process, 20 ms long.
type watchedWire struct {
	http.RoundTripper
	w       *crowd
	channel string
}

// RoundTrip makes a call and notes what came of it.
func (h watchedWire) RoundTrip(r *http.Request) (*http.Response, error) {
	const way = 20 * time.Millisecond
	var body struct {
		Content string `json:"content"`
	}
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(b))
		if err := json.Unmarshal(b, &body); err != nil {
			return nil, err
		}
	}
	pass(way)
	resp, err := h.RoundTripper.RoundTrip(r)
	if err == nil {
		h.w.note(h.channel, r.Method, len(body.Content), resp)
	}
	pass(way)
	return resp, err
}

func (w *crowd) note(channel, method string, shown int, resp *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	now := time.Now()
	w.seconds[int(now.Sub(w.began)/time.Second)]++
	if resp.StatusCode == http.StatusTooManyRequests {
		w.refused[now.Sub(w.began)] = resp.Header.Get("X-RateLimit-Scope")
	}
	if shown == 0 || resp.StatusCode >= 300 {
		return
	}
	s := w.at[channel]
	if method == http.MethodPatch {
		w.edits++
	}
	if s.first == 0 {
		s.first = shown
	}
	for _, p := range s.said {
		if end := p.end - 1; end > s.shown && end <= shown && end > s.first && now.Sub(w.began) > warmingUp { // the space at the end is not shown
			w.behind = append(w.behind, now.Sub(p.at))
		}
	}
	s.shown = max(s.shown, shown)
}
