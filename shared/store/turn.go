package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// SavePlan stores the plan with its charges, or adopts the one that is there without charging again. Both are kept in the
// head, which has to be written anyway: the plan until the hold ends, and then in the event's row.
func (s *Channels) SavePlan(ctx context.Context, h *chat.Hold, p chat.Plan) (chat.Job, error) {
	body, err := encode(kept(p))
	if err != nil {
		return chat.Job{}, err
	}
	charges := map[string]int64{}
	for _, c := range p.Charges {
		charges["count#"+c.Counter] += c.N
	}
	err = s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		is := turned(waits(was, chat.WaitsTurn, time.Now()), 0, was.From)
		is.Turns = len(p.Turns)
		if h.Plan != nil { // an earlier attempt saved it, and was not able to hand over
			is.Turns = len(h.Plan.Turns)
			return is, []kv.Op{changes(h.Channel, was, is, append(holding(was), sending(was))...)}, nil
		}
		op := changes(h.Channel, was, is, append(holding(was), sending(was), kv.Missing("plan"))...)
		op.Set["plan"], op.Add = body, charges
		return is, []kv.Op{op}, nil
	})
	if err != nil {
		return chat.Job{}, fmt.Errorf("save the plan of event %s: %w", h.Event.ID, err)
	}
	return h.Head.Job(h.Channel), nil
}

// kept is the plan without what its place says already.
func kept(p chat.Plan) chat.Plan {
	p.Event, p.Charges = "", nil
	return p
}

// State reads the head, which has the turn's parts, and then the text, if one is decided.
func (s *Channels) State(ctx context.Context, h *chat.Hold) (chat.TurnState, error) {
	got, err := s.read(ctx, h.Channel, "head")
	if err != nil {
		return chat.TurnState{}, err
	}
	head := headOf(got["head"])
	if !sameHold(head, h.Head) {
		return chat.TurnState{}, fmt.Errorf("read turn %d of event %s: %w", h.Head.Turn, h.Event.ID, chat.ErrLost)
	}
	if err := knows(h, got["head"]); err != nil {
		return chat.TurnState{}, err
	}
	h.Head.Rev, h.Head.Text = head.Rev, head.Text
	st := chat.TurnState{Parts: slices.Clone(h.Parts)}
	if head.Text == 0 {
		return st, nil
	}
	return st, s.text(ctx, h, head.Text, &st)
}

// text reads the text that was written under the fence.
func (s *Channels) text(ctx context.Context, h *chat.Hold, fence int64, st *chat.TurnState) error {
	sort := textSort(h.Event.ID, h.Head.Turn, fence)
	got, err := s.read(ctx, h.Channel, sort)
	if err != nil {
		return err
	}
	if err := saidIn(got[sort], st); err != nil {
		return fmt.Errorf("text of turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	return nil
}

// saidIn is what the item of a text says.
func saidIn(item kv.Item, st *chat.TurnState) error {
	if !item.Has("text") {
		return chat.ErrMissing
	}
	st.HasText, st.Text, st.Ending, st.Reason = true, item.String("text"), chat.Row(item.String("ending")), item.String("why")
	st.Voiced = chat.Voiced{Model: item.String("model"), Provider: item.String("provider"), Tokens: int(item.Int("tokens"))}
	return nil
}

// SaveText decides the text, or returns what was decided. The text is written first, under the fence, so that nobody else
// writes the same item; it counts when the head says under which fence the text is that counts. Only that is conditional on
// the hold, so that the text, the largest of what is written, need not be part of a transaction. A worker that lost its hold
// in between leaves an item behind that nobody reads.
func (s *Channels) SaveText(ctx context.Context, h *chat.Hold, text string, end chat.Ending) (chat.TurnState, error) {
	st := chat.TurnState{HasText: true, Text: text, Ending: end.Row, Reason: end.Reason, Voiced: h.Voiced}
	err := s.writeText(ctx, h, &st)
	if err == nil {
		err = s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
			if was.Text != 0 { // by an earlier attempt, or by this one, its reply lost
				return was, nil, nil
			}
			is, conds := was, append(holding(was), kv.Is("rev", was.Rev), kv.Missing("text"))
			is.Text, is.Rev = h.Head.Fence, was.Rev+1
			if st.Ending == chat.Answered {
				if h.Signal.Kind != chat.NoSignal {
					return was, nil, chat.ErrSignalled
				}
				conds = append(conds, kv.Missing("sigKind"))
			}
			return is, []kv.Op{changes(h.Channel, was, is, conds...)}, nil
		})
	}
	if err == nil && h.Head.Text != h.Head.Fence {
		err = s.text(ctx, h, h.Head.Text, &st)
	}
	if err != nil {
		return chat.TurnState{}, fmt.Errorf("store the text of turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	return st, nil
}

// writeText writes what may become the turn's text. The same hold may have done so before: that stands if the head names it.
// If not, it was refused because of a signal, and must give way to what is on the screen, or the head would name the answer
// after all.
func (s *Channels) writeText(ctx context.Context, h *chat.Hold, st *chat.TurnState) error {
	sort := textSort(h.Event.ID, h.Head.Turn, h.Head.Fence)
	op := kv.Op{Verb: kv.Put, Key: key(h.Channel, sort), If: []kv.Cond{kv.Missing("")},
		Attrs: kv.Attrs{"text": st.Text, "ending": string(st.Ending), "why": st.Reason, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	voiced(op.Attrs, st.Voiced)
	for try := 0; ; try++ {
		err := s.kv.Write(ctx, op)
		if err == nil {
			return nil
		}
		if errors.Is(err, kv.ErrCondition) {
			got, readErr := s.read(ctx, h.Channel, "head", sort)
			item := got[sort]
			switch {
			case readErr != nil:
				return readErr
			case headOf(got["head"]).Text == h.Head.Fence, item.String("text") == st.Text && item.String("ending") == string(st.Ending):
				return saidIn(item, st)
			}
			op.If = []kv.Cond{as(item, "text"), as(item, "ending")}
		}
		if try == attempts || pause(ctx, try) != nil {
			return err
		}
	}
}

// Revise writes the text anew in the transaction that makes it count: one that was decided may be read by whoever takes the
// hold over, so that it must not change under a fence that is not the head's any more.
func (s *Channels) Revise(ctx context.Context, h *chat.Hold, text string, end chat.Ending) error {
	op := kv.Op{Verb: kv.Put, Key: key(h.Channel, textSort(h.Event.ID, h.Head.Turn, h.Head.Fence)),
		Attrs: kv.Attrs{"text": text, "ending": string(end.Row), "why": end.Reason, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	voiced(op.Attrs, h.Voiced)
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		is := was
		is.Text, is.Rev = h.Head.Fence, was.Rev+1
		return is, []kv.Op{changes(h.Channel, was, is, append(holding(was), kv.Is("rev", was.Rev))...), op}, nil
	})
	if err != nil {
		return fmt.Errorf("revise the text of turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	return nil
}

// voiced adds what a text came from, as far as it is known.
func voiced(to kv.Attrs, v chat.Voiced) {
	if v.Model != "" {
		to["model"] = v.Model
	}
	if v.Provider != "" {
		to["provider"] = v.Provider
	}
	if v.Tokens > 0 {
		to["tokens"] = int64(v.Tokens)
	}
}

// few is how many messages are asked for one by one.
const few = 4

// Whose reads the owners of messages. Of many it reads the range that they are in, from the newest down: the items are small,
// and a range costs by what it holds together, while each item that is asked for by itself costs as much as 4 KB.
func (s *Channels) Whose(ctx context.Context, c chat.ChannelID, ids []chat.MessageID) (map[chat.MessageID]chat.Owner, error) {
	owners := make(map[chat.MessageID]chat.Owner, len(ids))
	if len(ids) <= few {
		sorts := make([]string, len(ids))
		for i, id := range ids {
			sorts[i] = messageKey(c, id).Sort
		}
		got, err := s.read(ctx, c, sorts...)
		for _, item := range got {
			addOwner(owners, item)
		}
		return owners, err
	}
	first := messageKey(c, slices.Min(ids)).Sort
	q := kv.Query{Space: SpaceChannels, Partition: string(c), Prefix: "message#", Reverse: true, Limit: len(ids)}
	for {
		page, err := s.page(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("read the messages of channel %s: %w", c, err)
		}
		for _, item := range page.Items {
			if id := chat.MessageID(strings.TrimPrefix(item.Key.Sort, "message#")); slices.Contains(ids, id) {
				addOwner(owners, item)
			}
		}
		if page.Next == "" || page.Next <= first {
			return owners, nil
		}
		q.After = page.Next
	}
}

func addOwner(owners map[chat.MessageID]chat.Owner, item kv.Item) {
	owners[chat.MessageID(strings.TrimPrefix(item.Key.Sort, "message#"))] = chat.Owner{Event: chat.EventID(item.String("event")),
		Turn: int(item.Int("turn")), Part: int(item.Int("part")), Persona: item.String("persona"), Hook: chat.HookID(item.String("hook"))}
}

// current is what the messages of the head's turn will be recorded as, as far as the head can be read: what frees a channel
// must not fail for it.
func current(c chat.ChannelID, head kv.Item) []kv.Op {
	h, p := headOf(head), &chat.Plan{}
	if plan, err := decode[chat.Plan](head, "plan"); err == nil {
		p = &plan
	}
	parts, _ := partsOf(head)
	ops := messages(c, h, p, parts)
	if _, e, turn := owned(h, p); len(ops) > 0 && e != h.Event { // what was made for a reply that was done again would be forgotten
		if body, err := encodeParts(shownParts(parts)); err == nil {
			ops = append(ops, kv.Op{Verb: kv.Update, Key: key(c, replySort(e, turn)), Set: kv.Attrs{"parts": body, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}})
		}
	}
	return ops
}
