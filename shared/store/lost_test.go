package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/store"
)

// life is what becomes of one event, a step after the other, as its workers call the store.
type life struct {
	d     *desk
	event chat.Event
	job   chat.Job   // that the present worker was called with
	hold  *chat.Hold // of the present worker
	post  chat.Intent
}

// What a caller does after an unknown outcome.
type repair int

const (
	again   repair = iota // it is called again by its queue, and makes the same call
	stale                 // its worker gives up, and the redelivery of its job is stale and sends what is in the outbox
	waiting               // its worker gives up, and the redelivery of its job takes the channel
)

var steps = []struct {
	name   string
	repair repair
	do     func(l *life) (*chat.Job, error)
}{
	{"offer", again, func(l *life) (*chat.Job, error) {
		o, err := l.d.Offer(l.d.ctx(), l.event, calls())
		if err == nil && o.Send != nil {
			l.job = *o.Send
		}
		return nil, err
	}},
	{"acquire the planning", again, (*life).acquire},
	{"save the plan", stale, func(l *life) (*chat.Job, error) {
		plan := chat.Plan{Event: l.event.ID, At: time.Now(), Charges: []chat.Charge{{Counter: "turns", N: 1}},
			Turns: []chat.Turn{{Persona: "mira", Name: "mira"}}}
		j, err := l.d.SavePlan(l.d.ctx(), l.hold, plan)
		return &j, err
	}},
	{"acquire the turn", again, (*life).acquire},
	{"beat", again, func(l *life) (*chat.Job, error) {
		_, err := l.d.Beat(l.d.ctx(), place, l.event.ID, l.hold.Head.Fence, true)
		return nil, err
	}},
	{"give back", waiting, func(l *life) (*chat.Job, error) {
		j, err := l.d.Yield(l.d.ctx(), l.hold, chat.HandOver, 0)
		return &j, err
	}},
	{"acquire again", again, (*life).acquire},
	{"intend", again, func(l *life) (*chat.Job, error) { return nil, l.d.Intend(l.d.ctx(), l.hold, 0, l.post, nil) }},
	{"stamp", again, func(l *life) (*chat.Job, error) { return nil, l.d.Stamp(l.d.ctx(), l.hold, 0, time.Now()) }},
	{"record", again, func(l *life) (*chat.Job, error) {
		return nil, l.d.Record(l.d.ctx(), l.hold, 0, chat.Ref{Message: "77"})
	}},
	{"note an edit", again, func(l *life) (*chat.Job, error) { return nil, l.d.Late(l.d.ctx(), l.hold, 0, time.Now()) }},
	{"edit the event", again, func(l *life) (*chat.Job, error) { return nil, l.d.Edit(l.d.ctx(), l.event) }},
	{"save the text", again, func(l *life) (*chat.Job, error) {
		st, err := l.d.SaveText(l.d.ctx(), l.hold, "words", answered)
		if err == nil && st.Text != "words" {
			err = fmt.Errorf("the text became %q", st.Text)
		}
		return nil, err
	}},
	{"stop", again, func(l *life) (*chat.Job, error) {
		_, err := l.d.Stop(l.d.ctx(), place, "", ann, false)
		return nil, err
	}},
	{"end the turn", stale, func(l *life) (*chat.Job, error) { return l.d.EndTurn(l.d.ctx(), l.hold, answered) }},
	{"bury what was never offered", again, func(l *life) (*chat.Job, error) {
		e := l.event
		e.ID = "900"
		return nil, l.d.BuryEvent(l.d.ctx(), e, "poison")
	}},
}

func (l *life) acquire() (*chat.Job, error) {
	got, err := l.d.Acquire(l.d.ctx(), l.job, "owner")
	if err == nil && got.Hold == nil {
		return nil, fmt.Errorf("%+v is stale", l.job)
	}
	if err == nil {
		l.hold = got.Hold
	}
	return nil, err
}

// live makes the calls. After each that fails its caller does what it does in the product.
func (l *life) live() {
	l.post = chat.Intent{Content: "wo", Nonce: "n1", At: time.Now(), Tried: time.Now()}
	for _, s := range steps {
		next, err := s.do(l)
		switch {
		case err == nil:
		case !errors.Is(err, kvtest.ErrInjected):
			l.d.t.Fatalf("%s: %v, though nobody else was there", s.name, err)
		case s.repair == waiting:
			next = nil
		case s.repair == stale:
			got := must(l.d.Acquire(l.d.ctx(), l.job, "another"))(l.d)
			if got.Hold != nil {
				l.d.t.Fatalf("%s: done, and the channel is taken for it once more", s.name)
			}
			next = got.Send
		default:
			if next, err = s.do(l); err != nil {
				l.d.t.Fatalf("%s, repeated: %v", s.name, err)
			}
		}
		if next != nil {
			l.job = *next
		}
	}
}

// B127: whichever write's reply is lost, what it did is found again as one's own: never taken for another's, never done
// twice.
func TestEveryLostReplyIsFoundAgain(t *testing.T) {
	for n, last := 1, false; !last; n++ {
		t.Run(fmt.Sprint("write ", n), func(t *testing.T) {
			atDesk(t, func(d *desk) {
				writes := 0
				d.Channels = store.NewChannels(kvtest.Wrap(d.kv, func(c kvtest.Call) kvtest.Fault {
					if c.Verb != kvtest.Write {
						return kvtest.None
					}
					if writes++; writes == n {
						return kvtest.LostReply
					}
					return kvtest.None
				}))
				e := d.event(0, ann)
				(&life{d: d, event: e}).live()
				d.rows(chat.Answered, e)
				d.head(chat.Free, "", 0)
				if charged, message := d.item("head").Int("count#turns"), d.item("message#77"); charged != 1 || message.String("event") != string(e.ID) {
					t.Errorf("charged %d times, the message is %v", charged, message.Attrs)
				}
				last = writes < n
			})
		})
		if t.Failed() {
			return
		}
	}
}

// The store waits for a throttled engine for seconds, with its own tries alone, and leaves minutes to the queue.
func TestThrottlingIsHandedOnWithinSeconds(t *testing.T) {
	atDesk(t, func(d *desk) {
		h := d.speaking(d.event(0, ann))
		next := d.event(1, ben)
		for _, only := range []kvtest.Verb{"", kvtest.Write} {
			tries := 0
			driver := kvtest.Wrap(d.kv, func(c kvtest.Call) kvtest.Fault {
				if only == "" || c.Verb == only {
					tries++
					return kvtest.Throttling
				}
				return kvtest.None
			})
			s, book, relays := store.NewChannels(driver), store.NewBook(driver), store.NewRelays(driver, "bot")
			for name, call := range map[string]func(ctx context.Context) error{
				"offer": func(ctx context.Context) error { _, err := s.Offer(ctx, next, calls()); return err },
				"beat": func(ctx context.Context) error {
					_, err := s.Beat(ctx, place, h.Event.ID, h.Head.Fence, true)
					return err
				},
				"yield": func(ctx context.Context) error { _, err := s.Yield(ctx, h, chat.Retry, time.Second); return err },
				"kill":  func(ctx context.Context) error { _, err := s.Kill(ctx, place); return err },
				"intend": func(ctx context.Context) error {
					return s.Intend(ctx, h, 0, chat.Intent{Nonce: "n", At: time.Now()}, nil)
				},
				"bury": func(ctx context.Context) error { return s.BuryEvent(ctx, next, "poison") },
				"face": func(ctx context.Context) error { return book.SaveFace(ctx, "1", "2", nil) },
				"change": func(ctx context.Context) error {
					_, err := book.Change(ctx, "1", "2", guild.Change{ID: "3"}, func(s *guild.Settings, _ *guild.Channel, _ *guild.Change) error {
						s.Whole = true
						return nil
					})
					return err
				},
				"charge": func(ctx context.Context) error {
					_, err := store.NewMeter(driver).Charge(ctx, guild.Bill{Guild: "1", Event: "2", Day: day, Turns: 1, Caps: guild.Caps{Guild: 1}})
					return err
				},
				"keep": func(ctx context.Context) error {
					return relays.Keep(ctx, 0, chat.Shard{Owner: "me", Alive: time.Now()})
				},
				"overdue": func(ctx context.Context) error { _, err := s.Overdue(ctx, 10); return err },
			} {
				if name == "overdue" && only == kvtest.Write {
					continue // it writes nothing
				}
				tries = 0
				begin := time.Now()
				err := call(d.ctx())
				if waited := time.Since(begin); err == nil || waited < 100*time.Millisecond || waited > 10*time.Second || tries < 5 || tries > 40 {
					t.Errorf("%s, %q throttled: %v after %s and %d tries", name, only, err, waited, tries)
				}
				if errors.Is(err, chat.ErrLost) || chat.Dropped(err) || errors.Is(err, kv.ErrCondition) {
					t.Errorf("%s: %v gives the message up", name, err)
				}
				ctx, cancel := context.WithTimeout(d.ctx(), 50*time.Millisecond)
				begin = time.Now()
				if err := call(ctx); err == nil || time.Since(begin) > 100*time.Millisecond {
					t.Errorf("%s: %v, %s after its context ended", name, err, time.Since(begin))
				}
				cancel()
			}
		}
	})
}
