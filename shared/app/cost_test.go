package app_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	"tsumugi/shared/telemetry"
	"tsumugi/shared/turn"
)

// The promises of issue 4.
const (
	dearestThousandTurns = 0.08 // dollars
	dearestMillionHeard  = 2.5
)

// TestBenchCost is what a turn whose model streams for eight seconds costs on AWS, and what a message costs that nobody
// answers. It plays them over the twins on a fake clock, counts what the drivers of AWS would be charged for, and fails where
// a promise is broken. cost_prices_test.go has the prices.
//
// Where fewer functions are called than one in a second, Lambda traces every call, and not one in twenty: the line with all
// traced is that. AWS gives the first 100,000 traces of a month away.
func TestBenchCost(t *testing.T) {
	old := slog.Default()
	defer slog.SetDefault(old)
	var turn, several, heard, alone *bill
	synctest.Test(t, func(t *testing.T) { turn = costOf(t, 1, 1, aTurn) })
	synctest.Test(t, func(t *testing.T) { several = costOf(t, 3, 20, aTurn) })
	synctest.Test(t, func(t *testing.T) { heard = costOf(t, 1, 1, chatter(queue.MaxBatch)) })
	synctest.Test(t, func(t *testing.T) { alone = costOf(t, 1, 1, chatter(1)) })
	bench("aws_cost_per_1000_turns_usd", 1000*turn.dollars(), "usd")
	bench("aws_cost_per_1000_turns_of_three_personas_usd", 1000*several.dollars(), "usd") // who said what before is asked for
	bench("aws_dynamo_write_units_per_turn", turn.writes, "units")
	bench("aws_dynamo_read_units_per_turn", turn.reads, "units")
	bench("aws_head_bytes", float64(turn.head), "bytes")
	bench("aws_sqs_requests_per_turn", turn.requests, "requests")
	bench("aws_lambda_gbs_per_turn", turn.gbSeconds, "GB-s")
	bench("aws_log_bytes_per_turn", turn.logBytes, "bytes")
	bench("aws_cost_per_1m_ignored_usd", 1e6*heard.dollars()/queue.MaxBatch, "usd")
	bench("aws_dynamo_write_units_per_ignored", heard.writes/queue.MaxBatch, "units")
	bench("aws_dynamo_read_units_per_ignored", heard.reads/queue.MaxBatch, "units")
	bench("aws_sqs_requests_per_ignored", heard.requests/queue.MaxBatch, "requests")
	bench("aws_lambda_gbs_per_ignored", heard.gbSeconds/queue.MaxBatch, "GB-s")
	bench("aws_log_bytes_per_ignored", heard.logBytes/queue.MaxBatch, "bytes")
	bench("aws_cost_per_1m_ignored_alone_usd", 1e6*alone.dollars(), "usd")
	bench("aws_cost_per_1000_turns_all_traced_usd", 1000*(turn.dollars()+(1-sampled)*turn.invocations*priceTrace), "usd")
	bench("aws_cost_per_1000_commands_http_usd", 1000*priceHTTP, "usd")
	fixed, parts := 0.0, monthly(template(t))
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		bench("aws_fixed_monthly_"+name+"_usd", parts[name], "usd")
		fixed += parts[name]
	}
	bench("aws_fixed_monthly_usd", fixed, "usd")
	if got := 1000 * turn.dollars(); got > dearestThousandTurns {
		t.Errorf("a thousand turns cost $%.4f, more than $%.2f:\n  %s", got, dearestThousandTurns, strings.Join(turn.notes, "\n  "))
	}
	if got := 1e6 * heard.dollars() / queue.MaxBatch; got > dearestMillionHeard {
		t.Errorf("a million ignored messages cost $%.2f, more than $%.2f:\n  %s", got, dearestMillionHeard, strings.Join(heard.notes, "\n  "))
	}
}

func bench(name string, value float64, unit string) {
	fmt.Println("bench", name, strconv.FormatFloat(value, 'g', 5, 64), unit)
}

// costWorld is the product over the twins, with every function's bill counted.
type costWorld struct {
	*bill
	sim    *simdiscord.Server
	queues billedQueue
}

// costOf is the bill of what do does, in a world of so many personas that has answered so often before.
func costOf(t *testing.T, personas, answers int, do func(*testing.T, *costWorld)) *bill {
	pass(time.Until(time.Date(2026, time.November, 3, 9, 0, 0, 0, time.UTC))) // the bubble's clock begins in 2000
	b := &bill{}
	slog.SetDefault(app.Logger(b))
	sim := simdiscord.New(discordtest.Watch(t, simdiscord.Options{MessageContentEnabled: true, NoLimits: true}))
	defer sim.Close()
	d := kvtest.Memory()
	set := guild.Settings{Own: true}
	for n := range personas {
		p := persona.Demo()
		if n > 0 {
			p.ID, p.Name, p.Triggers, p.Main = fmt.Sprint("other", n), fmt.Sprint("Other", n), nil, false
		}
		set.Personas = append(set.Personas, p)
	}
	if err := store.NewBook(d).Seed(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	w := &costWorld{bill: b, sim: sim, queues: billedQueue{queuetest.Memory(receives), b}}
	client := discord.New(discord.Options{Token: "simulated", BaseURL: "http://localhost/api/v10", Self: chat.UserID(sim.State().Bot.ID),
		HTTPClient: &http.Client{Transport: faraway{sim.Direct()}}})
	ports := app.Ports{KV: billedStore{d, b, &sync.Mutex{}}, Queues: w.queues, Discord: client, Voice: turn.Voice{Model: unhurried{}, Name: "a model of some name", Provider: "openrouter"}, Recorder: telemetry.Latency{Namespace: telemetry.Namespace("house")}}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	mb := memories(template(t))
	for name, h := range map[string]queue.BatchHandler{queue.Ingress: app.NewAdmission(ports), queue.Turns: app.NewPlanning(ports),
		queue.Replies: app.NewGeneration(ports)} {
		s := queue.Source{Driver: w.queues, Queue: name, Handler: b.invoked(mb[functionOf[name]], h), Concurrency: 4, Batch: 1}
		if name == queue.Ingress {
			s.Batch = queue.MaxBatch
			s.Handler = b.invoked(mb[functionOf[name]], w.hidden(h))
		}
		running.Go(func() {
			if err := s.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	for range answers { // the channel's first words make items that are there from then on
		aTurn(t, w)
	}
	b.forget()
	do(t, w)
	stop()
	running.Wait()
	return b
}

// forget begins the bill anew.
func (b *bill) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes, b.reads, b.requests, b.invocations, b.gbSeconds, b.logBytes, b.recorded, b.notes = 0, 0, 0, 0, 0, 0, 0, nil
}

// hidden hides a batch as admission's first act, in one request, as package app/aws has it.
func (w *costWorld) hidden(h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		pass(takesQueue)
		w.queues.request(0)
		return h(ctx, e)
	}
}

// heard relays messages as one batch and lets everything come of them that will.
func (w *costWorld) heard(t *testing.T, said ...chat.Event) {
	t.Helper()
	var ms []queue.Message
	for _, e := range said {
		m, err := queue.OfEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	if err := queue.SendAll(t.Context(), w.queues, queue.Ingress, ms); err != nil {
		t.Fatal(err)
	}
	pass(time.Minute)
	synctest.Wait()
}

// said posts a message, and gives the gateway's event of it.
func (w *costWorld) said(t *testing.T, text string) chat.Event {
	t.Helper()
	state := w.sim.State()
	m := w.sim.Say("hall", "ana", text)
	if m.ID == "" {
		t.Fatal("nothing was said")
	}
	return chat.Event{What: chat.Said, ID: chat.EventID(m.ID), Channel: chat.ChannelID(m.ChannelID), Guild: state.Guild.ID,
		Author: chat.Author{ID: chat.UserID(m.Author.ID), Name: m.Author.Username}, Text: text, At: m.Timestamp.Time}
}

// aTurn is a person's question and its answer.
func aTurn(t *testing.T, w *costWorld) {
	e := w.said(t, "what is the harbour like tonight, and are the boats back?")
	e.MentionsUs = true
	w.heard(t, e)
	all := w.sim.Messages("hall")
	last := all[len(all)-1]
	if last.Author.ID != w.sim.State().Bot.ID || !strings.HasSuffix(last.Content, "fully.") {
		t.Fatalf("the turn came to %q", last.Content)
	}
}

// chatter is n messages that nobody answers, of each ten nine that people say to each other and one to another bot. They come
// from ten channels: a relay's batch is what was said within an instant.
func chatter(n int) func(*testing.T, *costWorld) {
	return func(t *testing.T, w *costWorld) {
		var all []chat.Event
		for i := range n {
			e := w.said(t, "the boats are late, and there is more rain to come")
			if i%10 == 9 {
				e.Text = "!play the shipping forecast"
			}
			e.Channel = chat.ChannelID(strconv.Itoa(1000 + i))
			all = append(all, e)
		}
		w.heard(t, all...)
	}
}

// unhurried is a model that streams 800 characters, about 200 tokens, for eight seconds.
type unhurried struct{}

// Stream says its piece.
func (unhurried) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Delta, error] {
	const deltas, words = 80, "one word. "
	return func(yield func(llm.Delta, error) bool) {
		for i := range deltas {
			pass(8 * time.Second / deltas)
			text := words
			if i == deltas-1 {
				text = "hopefully."
			}
			if ctx.Err() != nil || !yield(llm.Delta{Text: text}, nil) {
				return
			}
		}
		yield(llm.Delta{Done: &llm.Done{Reason: llm.Stopped}}, nil)
	}
}

// TestTheMeterCountsAsDynamoDBDoes holds the meter to DynamoDB's rules for request units.
func TestTheMeterCountsAsDynamoDBDoes(t *testing.T) {
	at := func(sort string) kv.Key { return kv.Key{Space: store.SpaceChannels, Partition: "p", Sort: sort} }
	put := func(sort string, bytes int) kv.Op {
		return kv.Op{Verb: kv.Put, Key: at(sort), Attrs: kv.Attrs{"text": strings.Repeat("x", bytes)}}
	}
	set := func(sort string, attr string, to int64, conds ...kv.Cond) kv.Op {
		return kv.Op{Verb: kv.Update, Key: at(sort), Set: kv.Attrs{attr: to}, If: conds}
	}
	synctest.Test(t, func(t *testing.T) {
		b := &bill{}
		s := billedStore{kvtest.Memory(), b, &sync.Mutex{}}
		write := func(ops ...kv.Op) func() { return func() { _ = s.Write(t.Context(), ops...) } }
		for _, c := range []struct {
			what          string
			do            func()
			writes, reads float64
		}{
			{"a small item", write(put("a", 10)), 1, 0},
			{"an item of more than a kilobyte", write(put("b", 1100)), 2, 0},
			{"a small change of it", write(set("b", "n", 1)), 2, 0},
			{"what it was counts when it shrinks", write(put("b", 10)), 2, 0},
			{"two in a transaction", write(put("c", 10), set("a", "n", 1)), 4, 0},
			{"a condition in a transaction", write(put("c", 10), kv.Op{Verb: kv.Check, Key: at("a"), If: []kv.Cond{kv.Is("n", int64(1))}}), 4, 0},
			{"a refused condition", write(set("a", "n", 2, kv.Is("n", int64(7)))), 1, 0},
			{"a deletion", write(kv.Op{Verb: kv.Delete, Key: at("c")}), 1, 0},
			{"something due", write(set("a", kv.DueAt, 5)), 2, 0},
			{"due at another time", write(set("a", kv.DueAt, 6)), 3, 0},
			{"a change of something due", write(set("a", "n", 9)), 1, 0},
			{"no longer due, in a transaction", write(kv.Op{Verb: kv.Update, Key: at("a"), Remove: []string{kv.DueAt}}, put("d", 5000)), 13, 0},
			{"items, and one that is not there", func() { _, _ = s.BatchGet(t.Context(), at("a"), at("d"), at("nobody")) }, 0, 4},
			{"a query, by what it finds together", func() { _, _ = s.Query(t.Context(), kv.Query{Space: store.SpaceChannels, Partition: "p"}) }, 0, 2},
			{"one item", func() { _, _ = s.Get(t.Context(), at("a")) }, 0, 1},
		} {
			b.forget()
			c.do()
			if b.writes != c.writes || b.reads != c.reads {
				t.Errorf("%s: %v write units and %v read units, want %v and %v", c.what, b.writes, b.reads, c.writes, c.reads)
			}
		}
	})
}
