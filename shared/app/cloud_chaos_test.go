package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/sim/cloud"
	simdiscord "tsumugi/shared/sim/discord"
)

// chaos is a run of a plan in an installation of its own.
type chaos struct {
	sky   *sky
	rooms []*chaoticRoom
	ctx   context.Context

	deaths atomic.Int64
	busy   sync.WaitGroup

	mu   sync.Mutex
	ends []func() // of armed faults
	log  []string
}

// chaoticRoom is a room of the plan with its channel.
type chaoticRoom struct {
	chaosRoom
	open *open
}

// TestChaosOnAWS lets everything happen at once that the other tests let happen one by one: in eight channels several people
// talk for a minute, while a schedule that is drawn from a seed kills processes of every role, the relay too, throttles
// DynamoDB and SQS, loses calls, answers and messages, slows calls and delivers events twice. When all is over every message
// has its replies, once and in order, or a row that says why not.
func TestChaosOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	seed := seedOf(t, "TSUMUGI_CHAOS_SEED", 1)
	plan := newChaosPlan(seed)
	// What dies before it was able to hide its message again waits for the queue's own time-out, which is here a minute and not
	// six, or ninety.
	s := newSky(t, laying{tick: chaosTick, queue: func(q map[string]string) { q["VisibilityTimeout"] = "60" }})
	c := &chaos{sky: s, ctx: t.Context()}
	for n, r := range plan.rooms {
		st, err := r.story(fmt.Sprint("room ", n))
		s.must(err)
		o, err := s.stageOn(t.Context(), st)
		s.must(err)
		c.rooms = append(c.rooms, &chaoticRoom{r, o})
	}
	s.every(sweeping, "sweeper")
	c.play(plan)
	wrong := c.judge(t)
	t.Logf("seed %d: %d deaths", seed, c.deaths.Load())
	if len(wrong) > 0 {
		t.Errorf("repeat it with TSUMUGI_CHAOS_SEED=%d\n%s\n\nwhat happened:\n%s", seed, strings.Join(wrong, "\n"), strings.Join(c.log, "\n"))
	}
	if c.deaths.Load() < 4 {
		t.Errorf("only %d processes died", c.deaths.Load())
	}
}

// play lets people talk and accidents happen, each at its time, and waits until nothing is left to do.
func (c *chaos) play(p *chaosPlan) {
	began := time.Now()
	for _, r := range c.rooms {
		c.busy.Go(func() {
			for _, w := range r.words {
				lapse(time.Until(began.Add(w.at)))
				m, err := c.sky.sim.Post(r.open.home, simdiscord.Saying{Author: w.who, Content: w.text})
				if err != nil {
					r.open.fault("nobody could speak: %v", err)
					return
				}
				r.open.mu.Lock()
				r.open.said = append(r.open.said, m)
				r.open.mu.Unlock()
			}
		})
	}
	for _, m := range p.mishaps {
		lapse(time.Until(began.Add(m.at)))
		c.note(m.name)
		m.do(c)
	}
	c.busy.Wait()
	lapse(time.Until(began.Add(chaosTalk)))
	for _, end := range c.ends {
		end()
	}
	c.note("the end of all accidents")
	within(500*time.Millisecond, chaosSettled, c.quiet)
	c.note("the end")
}

// note writes down what happened, and when.
func (c *chaos) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, time.Now().Format("15:04:05.000 ")+what)
}

// arm lets a fault lie in wait, until all accidents end.
func (c *chaos) arm(f cloud.Fault) {
	c.ends = append(c.ends, c.sky.proxy.Fault(f))
}

// died counts the dead.
func (c *chaos) died(role string, n int) {
	c.deaths.Add(int64(n))
	c.note(fmt.Sprintf("dead: %d of %s", n, role))
}

// kill ends one process of a function, the time after one was seen at work.
func (c *chaos) kill(role string, after time.Duration) {
	c.busy.Go(func() {
		f, seen, n := c.sky.functions[role], false, 0
		within(2*time.Millisecond, 10*time.Second, func() bool {
			f.Kill(func([]byte) bool { seen = true; return false })
			return seen
		})
		lapse(after)
		within(2*time.Millisecond, 5*time.Second, func() bool {
			first := true
			n = f.Kill(func([]byte) bool { defer func() { first = false }(); return first })
			return n > 0
		})
		c.died(role, n)
	})
}

// again delivers words of a room once more, if they were said, past the queue's deduplication.
func (c *chaos) again(room, n int) {
	o := c.rooms[room].open
	m, err := o.words(n)
	if err != nil {
		return
	}
	c.busy.Go(func() {
		if !within(time.Second, 30*time.Second, func() bool { return o.again(c.ctx, m) == nil }) {
			o.fault("words %d could not be delivered again", n)
		}
	})
}

// quiet tells whether everything that was said has its final row, nobody holds or waits for a channel, and nothing is queued.
func (c *chaos) quiet() bool {
	for _, r := range c.rooms {
		if !r.open.quiet(c.ctx) {
			return false
		}
		rows, err := r.rows(c.ctx)
		if err != nil || len(rows) < len(r.words) {
			return false
		}
		for _, row := range rows {
			if !chat.Row(row.String("row")).Final() {
				return false
			}
		}
	}
	return len(c.queued()) == 0
}

// queued says what is in the queues, dead letters too.
func (c *chaos) queued() (wrong []string) {
	const counts = "ApproximateNumberOfMessages"
	for _, q := range c.sky.template.Queues {
		var got struct{ Attributes map[string]string }
		err := c.sky.emulator().Call(c.ctx, "sqs", "GetQueueAttributes", map[string]any{"QueueUrl": c.sky.address(q.Name),
			"AttributeNames": []string{"All"}}, &got)
		visible, hidden := got.Attributes[counts], got.Attributes[counts+"NotVisible"]
		if err != nil || visible != "0" || hidden != "0" {
			wrong = append(wrong, fmt.Sprintf("queue %s has %s messages and %s hidden ones (%v)", q.Name, visible, hidden, err))
		}
	}
	return wrong
}

// rows are the ledger's rows of a room, by the number of their words.
func (r *chaoticRoom) rows(ctx context.Context) (map[int]kv.Item, error) {
	items, err := r.open.items(ctx, r.open.home)
	rows := map[int]kv.Item{}
	for _, item := range items {
		if id, is := strings.CutPrefix(item.Key.Sort, "event#"); is {
			rows[r.open.number(chat.EventID(id))] = item
		}
	}
	return rows, err
}

// judge says what is wrong with the end.
func (c *chaos) judge(t *testing.T) (wrong []string) {
	wrong = append(wrong, c.queued()...)
	if n := c.sky.functions["undertaker"].Log().Count("dead letter"); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%d dead letters", n))
	}
	tally := map[string]int{} // of dispositions
	for n, r := range c.rooms {
		got, err := r.open.judge(t.Context())
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("room %d: %v", n, err))
			continue
		}
		rows, err := r.rows(t.Context())
		c.sky.must(err)
		bad := append(slices.Clone(got.wrong), r.dispositions(got, rows, tally)...)
		bad = append(bad, r.order(got, rows)...)
		for _, w := range bad {
			wrong = append(wrong, fmt.Sprintf("room %d, channel %s: %s", n, r.open.home, w))
		}
	}
	t.Log("dispositions ", tally)
	return wrong
}

// dispositions demands of each row what its words are to have.
func (r *chaoticRoom) dispositions(got *end, rows map[int]kv.Item, tally map[string]int) (wrong []string) {
	for i, w := range r.words {
		n, row := i+1, rows[i+1]
		what := strings.TrimSpace(row.String("kind") + " " + row.String("row") + " " + row.String("reason"))
		tally[what]++
		var turns []*turnSaved
		for _, t := range got.turns {
			if r.open.number(t.event) == n {
				turns = append(turns, t)
			}
		}
		bad := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("words %d (%s: %s) are %s: ", n, w.who, w.text, what)+fmt.Sprintf(format, args...))
		}
		switch final := row.String("row") + " " + row.String("reason"); {
		case chat.Row(row.String("row")) == chat.Answered:
			if len(turns) != len(r.cast) && (row.String("kind") == string(chat.Ordinary) || len(turns) != 1) {
				bad("%d turns of %d personas", len(turns), len(r.cast)) // what goes before the others is for who spoke last
			}
		case final == "interrupted follow-up", final == "interrupted stop", final == "superseded superseded_follow_up":
			if !slices.ContainsFunc(r.words[n:], func(later said) bool { return later.who == w.who }) {
				bad("and the same person said nothing more")
			}
		case slices.Contains([]string{"ignored stop_nothing_to_stop", "ignored locked_stop_by_another", "ignored locked_stop_requested"}, final):
			if w.text != "stop" || len(turns) > 0 {
				bad("%d turns; it must be a stop and have none", len(turns))
			}
		default:
			bad("which no words here may be")
		}
		for _, t := range turns {
			_, words := headed(t.text, t.label)
			text, whole := words, strings.Join(r.answer(t.persona, n), "")
			if t.status == string(chat.Answered) && text != whole || !strings.HasPrefix(whole, strings.TrimSpace(text)) {
				bad("its turn %d has the text %q", t.index, t.text)
			}
		}
	}
	return wrong
}

// order demands that replies stand in the order of what they answer, but for those that go before everybody who waits: what
// the same person says next, and the answer to a stop.
func (r *chaoticRoom) order(got *end, rows map[int]kv.Item) (wrong []string) {
	type post struct {
		id    string
		words int
		turn  int
	}
	var posts []post
	for _, t := range got.turns {
		for _, p := range t.parts {
			posts = append(posts, post{p.message, r.open.number(t.event), t.index})
		}
	}
	slices.SortFunc(posts, func(a, b post) int { return byID(a.id, b.id) })
	last := post{}
	for _, p := range posts {
		if rows[p.words].String("kind") != string(chat.Ordinary) {
			continue
		}
		if p.words < last.words || p.words == last.words && p.turn < last.turn {
			wrong = append(wrong, fmt.Sprintf("the reply to words %d, post %s, stands behind that to words %d, post %s", p.words, p.id, last.words, last.id))
		}
		last = p
	}
	return wrong
}
