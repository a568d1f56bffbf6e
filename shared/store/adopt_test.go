package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// Channels that the version of 2026-11-29 (commit bd7c055) has left when its process was killed, and once when it was told to
// stop. They are what it wrote, but for the name of the channel: each file is the items of one channel, and the time.
func fixtures(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/earlier/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// left puts the items of a file into the desk's store, a minute after they were written.
func (d *desk) left(file string) {
	d.t.Helper()
	var f struct {
		Now   int64
		Items []struct {
			Key   string
			Attrs map[string]any
		}
	}
	text, err := os.ReadFile(file)
	d.ok(err)
	read := json.NewDecoder(strings.NewReader(string(text)))
	read.UseNumber()
	d.ok(read.Decode(&f))
	d.pass(time.Until(time.UnixMilli(f.Now).Add(time.Minute)))
	for _, item := range f.Items {
		attrs := kv.Attrs{}
		for name, v := range item.Attrs {
			switch v := v.(type) {
			case json.Number:
				n, err := v.Int64()
				d.ok(err)
				attrs[name] = n
			case map[string]any:
				attrs[name] = []byte(v["bytes"].(string))
			default:
				attrs[name] = v
			}
		}
		d.ok(d.kv.Write(d.ctx(), kv.Op{Verb: kv.Put, Key: kv.Key{Space: store.SpaceChannels, Partition: string(place), Sort: item.Key}, Attrs: attrs}))
	}
}

// found are the items whose keys have the prefix.
func (d *desk) found(prefix string) []kv.Item {
	d.t.Helper()
	page, err := d.kv.Query(d.ctx(), kv.Query{Space: store.SpaceChannels, Partition: string(place), Prefix: prefix})
	d.ok(err)
	return page.Items
}

// successor is the version of now on what was left: workers that the sweeper calls, and a Discord that knows nonces.
type successor struct {
	*desk
	s      *store.Channels
	screen map[string]chat.MessageID // by nonce
	plans  map[chat.EventID]int      // that were made
	model  int                       // turns that words were made for
	when   string                    // for errors
}

func succeed(d *desk, fault func(kvtest.Call) kvtest.Fault) *successor {
	w := &successor{desk: d, s: store.NewChannels(kvtest.Wrap(d.kv, fault)), screen: map[string]chat.MessageID{}, plans: map[chat.EventID]int{}}
	for _, item := range d.found("turn#") {
		if item.Has("nonce") { // also of what was on its way when the process died
			w.create(item.String("nonce"), item.String("message"))
		}
	}
	return w
}

func (w *successor) create(nonce, id string) chat.MessageID {
	if _, is := w.screen[nonce]; !is {
		if id == "" {
			id = fmt.Sprint(2000000000000000000 + len(w.screen))
		}
		w.screen[nonce] = chat.MessageID(id)
	}
	return w.screen[nonce]
}

// work does all there is to do, from the sweeper on.
func (w *successor) work() error {
	overdue, err := w.s.Overdue(w.ctx(), 10)
	if err != nil || len(overdue) == 0 {
		return err
	}
	j, err := w.s.Resend(w.ctx(), overdue[0])
	for err == nil && j != nil {
		j, err = w.handle(*j)
	}
	return err
}

func (w *successor) handle(j chat.Job) (*chat.Job, error) {
	got, err := w.s.Acquire(w.ctx(), j, fmt.Sprint(time.Now().UnixNano()))
	if err != nil || got.Hold == nil {
		return got.Send, err
	}
	if j.Queue == chat.QueueReplies {
		return w.speak(got.Hold)
	}
	if got.Hold.Signal.Kind != chat.NoSignal {
		return w.s.EndPlan(w.ctx(), got.Hold, chat.Ending{Row: chat.Interrupted, Reason: string(got.Hold.Signal.Kind)})
	}
	next, err := w.s.SavePlan(w.ctx(), got.Hold, chat.Plan{Turns: []chat.Turn{{Persona: "mira", Name: "Mira"}}})
	if err == nil {
		w.plans[j.Event]++
	}
	return &next, err
}

func (w *successor) speak(h *chat.Hold) (*chat.Job, error) {
	st, err := w.s.State(w.ctx(), h)
	if err != nil {
		return nil, err
	}
	end := answered
	if h.Signal.Kind != chat.NoSignal {
		end = chat.Ending{Row: chat.Interrupted, Reason: string(h.Signal.Kind)}
	}
	if !st.HasText && end == answered {
		w.model++
		if len(st.Parts) == 0 {
			in := chat.Intent{Content: "one", Nonce: chat.Nonce(h.Event.ID, h.Head.Turn, 0, time.Now()), At: time.Now(), Tried: time.Now()}
			if err := w.s.Intend(w.ctx(), h, 0, in, nil); err != nil {
				return nil, err
			}
			st.Parts = []chat.Part{{Intent: &in}}
		}
	}
	for _, p := range st.Parts {
		if p.Message == "" && p.Intent != nil {
			if err := w.s.Record(w.ctx(), h, p.K, chat.Ref{Message: w.create(p.Intent.Nonce, "")}); err != nil {
				return nil, err
			}
		}
	}
	if st, err = w.s.SaveText(w.ctx(), h, "what was said", end); err != nil {
		return nil, err
	}
	return w.s.EndTurn(w.ctx(), h, chat.Ending{Row: st.Ending, Reason: st.Reason})
}

// judge looks at the channel when all is done.
func (w *successor) judge(plannedBefore []kv.Item) {
	w.t.Helper()
	w.head(chat.Free, "", 0)
	known := map[chat.MessageID]bool{}
	turns := map[string]int{}
	for _, item := range w.found("message#") {
		known[chat.MessageID(strings.TrimPrefix(item.Key.Sort, "message#"))] = true
		turns[fmt.Sprint(item.String("event"), item.Int("turn"))]++
	}
	if len(known) != len(w.screen) {
		w.t.Errorf("%d messages are known, and %d on the screen%s", len(known), len(w.screen), w.when)
	}
	for nonce, id := range w.screen {
		if !known[id] {
			w.t.Errorf("message %s (%s) is on the screen and nobody's%s", id, nonce, w.when)
		}
	}
	for turn, n := range turns {
		if n != 1 {
			w.t.Errorf("turn %s has %d messages%s", turn, n, w.when)
		}
	}
	for _, item := range plannedBefore {
		if e := chat.EventID(strings.TrimPrefix(item.Key.Sort, "plan#")); w.plans[e] > 0 {
			w.t.Errorf("event %s was planned again%s", e, w.when)
		}
	}
	for _, item := range w.found("event#") {
		row, spoken := chat.Row(item.String("row")), turns[fmt.Sprint(strings.TrimPrefix(item.Key.Sort, "event#"), 0)]
		if !row.Final() || row == chat.Failed || (row == chat.Answered) != (spoken == 1) && row != chat.Interrupted {
			w.t.Errorf("%s ended %s with %d replies%s", item.Key.Sort, row, spoken, w.when)
		}
	}
}

// What was being answered, and what waited, is answered once: a message that is on the screen goes on, a text that was decided
// stands, a plan is not made again, a stop is heard.
func TestGoesOnAfterAnEarlierVersion(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			calls := 0
			atDesk(t, func(d *desk) {
				d.left(file)
				before, text := d.found("plan#"), slices.ContainsFunc(d.found("turn#"), func(i kv.Item) bool { return i.Has("text") && !i.Has("status") })
				w := succeed(d, func(c kvtest.Call) kvtest.Fault { calls = c.N; return kvtest.None })
				d.ok(w.work())
				w.judge(before)
				if text && w.model > 0 {
					t.Error("a text was made though one was decided")
				}
				if strings.HasPrefix(filepath.Base(file), "stop-asked") && (len(d.rowsOf(chat.Interrupted)) != 1 || len(d.rowsOf(chat.Answered)) != 1) {
					t.Error("the stop was not heard, or not answered")
				}
			})
			for at := 1; at <= min(calls, 20); at++ { // and wherever the first one dies that goes on with it
				for _, fault := range []kvtest.Fault{kvtest.Broken, kvtest.LostReply} {
					atDesk(t, func(d *desk) {
						d.left(file)
						before := d.found("plan#")
						w := succeed(d, func(c kvtest.Call) kvtest.Fault {
							if c.N == at {
								return fault
							}
							return kvtest.None
						})
						for range 4 {
							_ = w.work() // its end is the next one's business
							d.pass(5 * time.Minute)
						}
						w.when = fmt.Sprintf(", after fault %d of call %d", fault, at)
						w.judge(before)
					})
				}
			}
		})
	}
}

// An undertaker frees such a channel as any other, and what is on the screen
// stays known.
func TestBuriesAHoldOfAnEarlierVersion(t *testing.T) {
	for _, file := range fixtures(t) {
		atDesk(t, func(d *desk) {
			d.left(file)
			before := d.found("message#")
			list := must(d.Overdue(d.ctx(), 1))(d)
			j := list[0].Head.Job(place)
			must(d.Bury(d.ctx(), j, "poison"))(d)
			if got := d.row(chat.Event{ID: j.Event}); got != chat.Failed {
				t.Errorf("%s: the event ended %q", file, got)
			}
			w := succeed(d, func(kvtest.Call) kvtest.Fault { return kvtest.None })
			for len(d.rowsOf(chat.Granted)) > 0 {
				d.pass(5 * time.Minute)
				d.ok(w.work())
			}
			d.head(chat.Free, "", 0)
			if after := d.found("message#"); len(after) < len(before) {
				t.Errorf("%s: %d messages are known, want %d", file, len(after), len(before))
			}
		})
	}
}

// rowsOf are the events that ended in a way.
func (d *desk) rowsOf(row chat.Row) []kv.Item {
	d.t.Helper()
	return slices.DeleteFunc(d.found("event#"), func(i kv.Item) bool { return chat.Row(i.String("row")) != row })
}
