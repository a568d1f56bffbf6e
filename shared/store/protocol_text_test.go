package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// rulesOfTheText are the rules that came when what belongs to a hold went into its head: the text written apart and named
// by the head, signals judged by the writes that they forbid, and messages that get their items when their turn ends.
func rulesOfTheText() []rule {
	stopBetween := func(w *world) {
		w.to(w.begin(), "stores the text")
		w.offer() // the stop: the text is written, and not yet named
	}
	return []rule{
		{"signal-looked-for", 6, "events=M,S", bending(func(_ *proc, op *kv.Op) {
			if op.Set["text"] != nil {
				without(op, "sigKind")
			}
		}), stopBetween},
		{"refused-text-stands", 6, "events=M,S", change{kv: func(_ *proc, d kv.Driver) kv.Driver {
			return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
				if ofText(ops[0]) && slices.ContainsFunc(ops[0].If, func(c kv.Cond) bool { return c.Attr == "ending" }) {
					return nil
				}
				return [][]kv.Op{ops}
			}}
		}}, stopBetween},
		{"text-without-fence", 1, "events=M", change{kv: func(p *proc, d kv.Driver) kv.Driver { return common{d, p} }}, func(w *world) {
			p := w.begin()
			w.to(p, "writes the text")
			p.stall(1000 * time.Hour)
			q := w.again()
			w.past(q, "stores the text")
			w.wake(p)
			w.past(p, "writes the text")
			w.past(p, "writes the text") // where it is everybody's
		}},
		{"listed-early", 1, "events=M", listedEarly(), func(w *world) {
			w.dies(w.begin(), "lists a message")
			w.pass(2 * time.Minute)
		}},
		{"buried-unlisted", 1, "events=M", change{kv: func(_ *proc, d kv.Driver) kv.Driver {
			return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
				if slices.ContainsFunc(ops, func(op kv.Op) bool { return strings.HasPrefix(op.Key.Sort, "dead#") }) {
					ops = drop(ops, "message#")
				}
				return [][]kv.Op{ops}
			}}
		}}, func(w *world) {
			p := w.begin()
			w.past(p, "records")
			w.crash(p)
			w.pass(chat.Visibility + time.Second)
			w.moveToDead(chat.QueueReplies)
			w.finish(w.undertake())
		}},
	}
}

func ofText(op kv.Op) bool { return op.Verb == kv.Put && strings.HasPrefix(op.Key.Sort, "turn#") }

// common is a store in which all attempts at a turn write one text.
type common struct {
	kv.Driver
	p *proc
}

// Write writes the text that the head names, too.
func (c common) Write(ctx context.Context, ops ...kv.Op) error {
	err := c.Driver.Write(ctx, ops...)
	named := c.p.w.get("head").Int("text")
	if err != nil || !ofText(ops[0]) || named == 0 {
		return err
	}
	op := ops[0]
	op.Key.Sort, op.If = fmt.Sprintf("%s#%d", op.Key.Sort[:strings.LastIndex(op.Key.Sort, "#")], named), nil
	return c.Driver.Write(ctx, op)
}

// listedEarly gives a message its item when its id is recorded, in a write before.
func listedEarly() change {
	return change{kv: func(p *proc, d kv.Driver) kv.Driver {
		return bent{Driver: d, write: func(ops []kv.Op) [][]kv.Op {
			parts, _ := ops[0].Set["parts"].([]byte)
			var lists [][]kv.Op
			for _, m := range messageID.FindAllSubmatch(parts, -1) {
				item := ops[0].Key
				item.Sort = "message#" + string(m[1])
				lists = append(lists, []kv.Op{{Verb: kv.Put, Key: item, Attrs: kv.Attrs{"event": string(p.job.Event)}}})
			}
			return append(lists, ops)
		}}
	}}
}
