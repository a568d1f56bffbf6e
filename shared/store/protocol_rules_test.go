package store_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// rule is one sentence of the protocol: the name under which the model turns it off, what the model finds then (the number
// of the invariant, and the shortest trace as a scenario on the real repositories and workers), and how it is turned off
// here.
type rule struct {
	name   string
	breaks int
	bounds string
	off    change
	run    func(w *world)
}

// TestEveryRuleIsNeeded replays the model's counterexample for each rule: with the rule it comes to a good end, without it
// the named invariant breaks. Some of the model's scenarios use a sink without nonces; here Discord has forgotten the nonce
// instead, because more than a minute has passed.
func TestEveryRuleIsNeeded(t *testing.T) {
	rules := slices.Concat(rulesOfTheHead(), rulesOfTheReply(), rulesOfTheText())
	if len(rules) != 33 {
		t.Errorf("%d rules, the model has 33", len(rules))
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			inWorld(t, parse(r.bounds), change{}, func(w *world) {
				r.run(w)
				w.rest()
				if len(w.judge.faults) > 0 {
					t.Errorf("with the rule, I%d breaks: %s\n%s", w.judge.faults[0].n, w.judge.faults[0].why, w.story())
				}
			})
			inWorld(t, parse(r.bounds), r.off, func(w *world) {
				r.run(w)
				w.rest()
				if !w.judge.breaks(r.breaks) {
					t.Errorf("without the rule, I%d holds; broken is %v\n%s", r.breaks, w.judge.faults, w.story())
				}
			})
		})
	}
}

// crashAfterWrite kills a process after the next write that it makes at or after the step.
func (w *world) crashAfterWrite(p *proc, step string) {
	w.past(p, step)
	if !p.ended {
		w.crash(p)
	}
}

// rulesOfTheHead are the rules of offers, holds, the outbox, the mailbox and signals.
func rulesOfTheHead() []rule {
	return []rule{
		{"no-outbox", 3, "events=M sweeper=0", bending(func(_ *proc, op *kv.Op) {
			if op.Key.Sort == "head" {
				delete(op.Set, "next")
			}
		}), func(w *world) {
			w.arrive()
			w.deadBefore(w.deliver(ingress), "sends")
		}},
		{"message-confers-authority", 4, "events=P", bendHolds(forced(func(*world, chat.Job) bool { return true }), false), func(w *world) {
			w.offer()
			w.finish(w.resend()) // the first message is merely slow: now there are two
			w.planIt()
			p := w.speaker()
			w.to(p, "creates")
			w.past(w.deliver(chat.QueueTurns), "acquires")
			w.past(p, "creates")
		}},
		{"offer-steals", 3, "events=M,B", change{offers: func(p *proc, inner chat.Offers) chat.Offers { return thief{inner, p} }}, func(w *world) {
			w.offer()
			w.offer()
		}},
		{"steal-alive", 4, "events=M", change{kv: func(_ *proc, d kv.Driver) kv.Driver {
			return bent{Driver: d, read: ancient, write: func(ops []kv.Op) [][]kv.Op {
				if ops[0].Set["owner"] != nil {
					without(&ops[0], "aliveAt")
				}
				return [][]kv.Op{ops}
			}}
		}}, lostReceipt},
		{"beat-apart", 4, "events=M", change{kv: func(p *proc, d kv.Driver) kv.Driver {
			return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
				switch op := &ops[0]; {
				case op.Set["owner"] != nil && p.queue == chat.QueueReplies:
					delete(op.Set, "aliveAt")
				case named(*op) == "head:beat": // the first beat is still on its way
					return nil
				}
				return [][]kv.Op{ops}
			}}
		}}, lostReceipt},
		{"takeover-any", 2, "events=P", takeoverAny(), func(w *world) {
			w.offer()
			w.planIt()
			sweeper := w.resend()
			w.to(sweeper, "sends")
			w.finish(w.speaker())
			p := w.speaker() // of the second turn
			w.past(p, "acquires")
			w.crash(p)
			w.lose(chat.QueueReplies)
			w.finish(w.speaker()) // too early: stale
			w.finish(sweeper)     // the late duplicate of the first turn's message
			w.pass(chat.DeadLimit + time.Second)
			w.finish(w.speaker())
		}},
		{"no-send-counter", 3, "events=M sweeper=0", change{outbox: func(p *proc, _ chat.Outbox) chat.Outbox { return countless{outbox{p}} }}, func(w *world) {
			p := w.begin()
			w.to(p, "goes on")
			w.leave(p)
		}},
		{"ledger-marked-last", 3, "events=M", splitting(func(op kv.Op) bool {
			return strings.HasPrefix(op.Key.Sort, "event#") && op.Verb == kv.Put
		}), func(w *world) {
			w.arrive()
			w.crashAfterWrite(w.deliver(ingress), "writes")
		}},
		{"ledger-after-release", 3, "events=M", splitting(func(op kv.Op) bool {
			row, _ := op.Set["row"].(string)
			return strings.HasPrefix(op.Key.Sort, "event#") && chat.Row(row).Final()
		}), func(w *world) { w.crashAfterWrite(w.begin(), "ends the turn") }},
		{"release-blind", 3, "events=M,B", bending(func(_ *proc, op *kv.Op) {
			if op.Key.Sort == "head" && op.Set["phase"] != nil {
				without(op, "box")
			}
		}), func(w *world) {
			p := w.begin()
			w.to(p, "ends the turn")
			w.offer()
			w.past(p, "ends the turn")
		}},
		{"no-fence", 4, "events=M", noFence(), func(w *world) {
			p := w.begin()
			w.to(p, "stores an intent")
			p.stall(1000 * time.Hour)
			w.past(w.again(), "acquires")
			w.wake(p)
			w.past(p, "creates")
		}},
		{"charge-apart", 5, "events=M", chargeApart(), func(w *world) {
			w.offer()
			w.deadBefore(w.deliver(chat.QueueTurns), "saves the plan")
		}},
		{"signal-by-fence", 6, "events=M,S", signalByFence(), func(w *world) {
			w.offer()
			w.planIt()
			w.offer() // the stop, while the turn waits
		}},
		{"stop-response-at-release", 6, "events=M,S", change{kv: func(_ *proc, d kv.Driver) kv.Driver {
			return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
				if ops[0].Set["sigKind"] != nil {
					ops = drop(ops, "mail#0")
				}
				return [][]kv.Op{ops}
			}}
		}}, func(w *world) {
			p := w.begin()
			w.to(p, "ends the turn") // it has looked for the signal for the last time
			w.offer()
		}},
		{"follow-up-before-stop", 4, "events=M,S,F", followUpFirst(), func(w *world) {
			p := w.begin()
			w.to(p, "stores an intent")
			w.offer()
			w.offer()
		}},
		{"undertaker-frees-any", 4, "events=M", change{repair: func(p *proc, inner chat.Repairs) chat.Repairs { return gravedigger{inner, p} }}, func(w *world) {
			w.offer()
			p := w.deliver(chat.QueueTurns)
			w.lose(chat.QueueTurns)
			w.moveToDead(chat.QueueTurns)
			w.finish(p)
			p = w.speaker()
			w.to(p, "creates")
			w.finish(w.undertake())
			w.past(p, "creates")
		}},
		{"retry-keeps-hold", 3, "events=M sweeper=0", bendHolds(nil, true), func(w *world) {
			w.at(w.begin(), "generates", fate{before: errOutage})
		}},
		{"no-stale-resend", 3, "events=M sweeper=0", bendHolds(func(ctx context.Context, _ *proc, inner chat.Holds, j chat.Job, owner string) (chat.Acquired, error) {
			got, err := inner.Acquire(ctx, j, owner)
			got.Send = nil
			return got, err
		}, false), func(w *world) {
			w.offer()
			w.deadBefore(w.deliver(chat.QueueTurns), "sends")
		}},
	}
}

// ancient makes every beat look dead.
func ancient(_ []kv.Key, items []kv.Item) {
	for _, item := range items {
		if item.Has("aliveAt") {
			item.Attrs["aliveAt"] = int64(1)
		}
	}
}

// lostReceipt: the message comes back while its worker lives. The beat before its own is old.
func lostReceipt(w *world) {
	w.offer()
	w.planIt()
	w.pass(chat.DeadLimit + 5*time.Second)
	p := w.speaker()
	w.to(p, "creates")
	w.lose(chat.QueueReplies)
	w.past(w.speaker(), "acquires")
	w.past(p, "creates")
}

// takeoverAny lets a message take over whatever its queue's dead worker held. The turn's own guard against a second save
// goes with it: it is the same rule's second belt.
func takeoverAny() change {
	c := bendHolds(forced(func(w *world, j chat.Job) bool {
		dead := time.Since(time.UnixMilli(w.get("head").Int("aliveAt"))) > chat.DeadLimit
		return w.phase().Held() && w.phase().Queue() == j.Queue && dead
	}), false)
	c.kv = bending(func(_ *proc, op *kv.Op) {
		if strings.HasPrefix(op.Key.Sort, "event#") {
			without(op, "turn#00")
		}
	}).kv
	return c
}

// noFence takes the fence off every write but those that acquire.
func noFence() change {
	return change{kv: func(p *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, read: func(keys []kv.Key, items []kv.Item) {
			if len(keys) == 1 && len(items) == 1 && keys[0].Sort == "head" {
				items[0].Attrs["fence"] = p.fence
			}
		}, write: func(ops []kv.Op) [][]kv.Op {
			if ops[0].Key.Sort == "head" && ops[0].Set["owner"] == nil {
				without(&ops[0], "fence", "phase", "event", "turn")
			}
			return [][]kv.Op{ops}
		}}
	}}
}

// chargeApart charges when planning is acquired.
func chargeApart() change {
	return change{kv: func(p *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
			if ops[0].Add = nil; ops[0].Set["owner"] != nil && p.queue == chat.QueueTurns {
				ops[0].Add = map[string]int64{"count#turns": 1}
			}
			return [][]kv.Op{ops}
		}}
	}}
}

// signalByFence addresses signals to the fence that the head had. Who acquires has a new one.
func signalByFence() change {
	return change{kv: func(p *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
			if without(&ops[0], "sigHold", "sigKind"); ops[0].Set["sigKind"] != nil {
				ops[0].Set["sigFence"] = p.w.get("head").Int("fence")
			}
			return [][]kv.Op{ops}
		}, read: func(keys []kv.Key, items []kv.Item) {
			for _, item := range items {
				if item.Key.Sort == "head" && (len(keys) > 1 || item.Int("sigFence") != item.Int("fence")) {
					delete(item.Attrs, "sigKind")
				}
			}
		}}
	}}
}

// followUpFirst gives the follow-up a place before the answer to a stop.
func followUpFirst() change {
	const usual, first = "mail#1", "mail#-"
	return change{kv: func(_ *proc, d kv.Driver) kv.Driver {
		return bending(func(_ *proc, op *kv.Op) {
			if op.Key.Sort == usual {
				op.Key.Sort = first
			}
		}).kv(nil, d)
	}}
}

// rulesOfTheReply are the rules by which one visible message comes to exist.
func rulesOfTheReply() []rule {
	saw := func(p *proc, h *chat.Hold) bool {
		return h.Signal.Kind != chat.NoSignal || p.w.get("head").String("sigHold") == string(h.Event.ID)
	}
	return []rule{
		{"stop-forgets-intent", 1, "events=M,S", bendTurns(func(p *proc, b *bentTurns) {
			b.state = func(h *chat.Hold, st *chat.TurnState) {
				if saw(p, h) {
					unrecorded(st, func(*chat.Intent) *chat.Intent { return nil })
				}
			}
		}), func(w *world) {
			w.dies(w.begin(), "creates")
			w.offer()
		}},
		{"no-deadline", 4, "events=M", bendTurns(func(_ *proc, b *bentTurns) {
			b.beat = func(sig chat.Signal, err error) (chat.Signal, error) {
				if errors.Is(err, chat.ErrLost) {
					err = nil
				}
				return sig, err
			}
		}), func(w *world) {
			p := w.begin()
			w.freeze(p, "stores the text")
			w.past(w.again(), "acquires")
			w.wake(p)
			w.past(p, "edits")
		}},
		{"create-without-recheck", 1, "events=M", bendTurns(func(_ *proc, b *bentTurns) {
			b.state = func(_ *chat.Hold, st *chat.TurnState) {
				unrecorded(st, func(in *chat.Intent) *chat.Intent {
					in.At = time.Now() // as it was when it was last looked at
					return in
				})
			}
			b.stamp = func(_ *chat.Hold, _ int, err error) error {
				if errors.Is(err, chat.ErrTooOld) {
					return nil
				}
				return err
			}
		}), func(w *world) {
			w.dies(w.begin(), "creates")
			w.pass(2 * time.Minute) // the nonce is forgotten
		}},
		{"no-settle", 1, "events=M,S", bendTurns(func(_ *proc, b *bentTurns) {
			b.state = func(_ *chat.Hold, st *chat.TurnState) {
				unrecorded(st, func(in *chat.Intent) *chat.Intent {
					in.Tried = in.Tried.Add(-time.Hour)
					return in
				})
			}
		}), func(w *world) {
			p := w.begin()
			w.at(p, "creates", fate{fly: true, after: errReply})
			w.finish(p)
			w.offer()
			w.pass(2 * time.Second)
			w.past(w.speaker(), "ends the turn") // where it looks at once, the create has not landed
		}},
		{"no-intent", 1, "events=M", bendTurns(func(_ *proc, b *bentTurns) {
			b.nothing = true
			b.state = func(_ *chat.Hold, st *chat.TurnState) {
				unrecorded(st, func(*chat.Intent) *chat.Intent { return nil })
			}
		}), func(w *world) { w.dies(w.begin(), "creates") }},
		{"repeat-with-new-words", 1, "events=M", bendTurns(func(p *proc, b *bentTurns) {
			b.state = func(_ *chat.Hold, st *chat.TurnState) {
				unrecorded(st, func(in *chat.Intent) *chat.Intent {
					in.Content = p.name + " has words of its own, long enough to be shown."
					return in
				})
			}
		}), func(w *world) {
			w.deadBefore(w.begin(), "creates")
			w.dies(w.soon(), "creates")
			w.pass(2 * time.Minute)
		}},
		{"intent-overwritten", 1, "events=M", bendTurns(func(p *proc, b *bentTurns) {
			b.stamp = func(_ *chat.Hold, _ int, err error) error {
				parts := regexp.MustCompile(`"c":"[^"]*"`).ReplaceAll(p.w.get("head").Bytes("parts"), []byte(`"c":"`+p.name+` would have said something else."`))
				p.w.poke("head", kv.Attrs{"parts": parts})
				return err
			}
		}), func(w *world) {
			w.dies(w.begin(), "creates")
			w.deadBefore(w.soon(), "creates")
			w.pass(2 * time.Minute)
		}},
		{"adopt-any", 1, "events=M,B", adoptAny(), func(w *world) {
			w.words = "The same words, however often one asks."
			p := w.begin()
			w.offer() // the second waits while the first is answered, so that its own id is the older one
			w.finish(p)
			w.planIt()
			w.deadBefore(w.speaker(), "creates")
			w.pass(2 * time.Minute)
		}},
		{"record-late", 1, "events=M", change{turns: func(_ *proc, inner chat.Turns) chat.Turns {
			return late{inner, map[int]chat.Ref{}}
		}}, func(w *world) {
			p := w.begin()
			w.past(p, "creates")
			w.past(p, "goes on")
			w.pass(3 * time.Second) // the pace of edits
			w.dies(p, "edits")
			w.pass(2 * time.Minute)
		}},
		{"save-before-final-edit", 1, "events=M", change{turns: func(_ *proc, inner chat.Turns) chat.Turns { return &hasty{Turns: inner} }}, func(w *world) {
			w.deadBefore(w.begin(), "edits")
		}},
	}
}

// unrecorded changes the intents of the parts that have no message.
func unrecorded(st *chat.TurnState, with func(*chat.Intent) *chat.Intent) {
	for i := range st.Parts {
		if p := &st.Parts[i]; p.Message == "" && p.Intent != nil {
			p.Intent = with(p.Intent)
		}
	}
}

// adoptAny adopts any message of ours with the right words: nobody knows whose messages are.
func adoptAny() change { return bendTurns(func(_ *proc, b *bentTurns) { b.whose = true }) }
