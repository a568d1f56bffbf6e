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

// refusedBeyondHead tells that a fenced write was refused by another item than the head.
func refusedBeyondHead(err error) bool {
	var refused *kv.ConditionError
	return errors.As(err, &refused) && refused.Op != 0
}

// State reads the head, which has the turn's parts, and its text.
func (s *Channels) State(ctx context.Context, h *chat.Hold) (chat.TurnState, error) {
	sort := turnSort(h.Event.ID, h.Head.Turn)
	got, err := s.read(ctx, h.Channel, "head", sort)
	if err != nil {
		return chat.TurnState{}, err
	}
	if !sameHold(headOf(got["head"]), h.Head) {
		return chat.TurnState{}, fmt.Errorf("read turn %d of event %s: %w", h.Head.Turn, h.Event.ID, chat.ErrLost)
	}
	if err := knows(h, got["head"]); err != nil {
		return chat.TurnState{}, err
	}
	h.Head.Rev = headOf(got["head"]).Rev
	text := got[sort]
	return chat.TurnState{HasText: text.Has("text"), Text: text.String("text"), Ending: chat.Row(text.String("ending")),
		Reason: text.String("why"), Parts: slices.Clone(h.Parts)}, nil
}

// SaveText decides the text, or returns what was decided.
func (s *Channels) SaveText(ctx context.Context, h *chat.Hold, text string, end chat.Ending) (chat.TurnState, error) {
	op := kv.Op{Verb: kv.Update, Key: key(h.Channel, turnSort(h.Event.ID, h.Head.Turn)), If: []kv.Cond{kv.Missing("text")},
		Set: kv.Attrs{"text": text, "ending": string(end.Row), "why": end.Reason, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		held := kv.Op{Verb: kv.Check, Key: key(h.Channel, "head"), If: holding(was)}
		if end.Row == chat.Answered {
			if h.Signal.Kind != chat.NoSignal {
				return was, nil, chat.ErrSignalled
			}
			held.If = append(held.If, kv.Missing("sigKind"))
		}
		return was, []kv.Op{held, op}, nil
	})
	switch {
	case refusedBeyondHead(err):
		return s.State(ctx, h)
	case err != nil:
		return chat.TurnState{}, fmt.Errorf("store the text of turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
	}
	return chat.TurnState{Text: text, HasText: true, Ending: end.Row, Reason: end.Reason}, nil
}

// Whose reads the owners of messages. The parts of the current turn have no items yet: the head knows them.
func (s *Channels) Whose(ctx context.Context, c chat.ChannelID, ids []chat.MessageID) (map[chat.MessageID]chat.Owner, error) {
	owners := make(map[chat.MessageID]chat.Owner, len(ids))
	for all := range slices.Chunk(ids, 99) {
		sorts := []string{"head"}
		for _, id := range all {
			sorts = append(sorts, messageKey(c, id).Sort)
		}
		got, err := s.read(ctx, c, sorts...)
		if err != nil {
			return nil, err
		}
		now, err := current(c, got["head"])
		if err != nil {
			return nil, err
		}
		for sort, item := range got {
			if id, is := strings.CutPrefix(sort, "message#"); is {
				owners[chat.MessageID(id)] = ownerOf(item)
			}
		}
		for _, op := range now {
			if id := chat.MessageID(strings.TrimPrefix(op.Key.Sort, "message#")); slices.Contains(all, id) {
				owners[id] = ownerOf(kv.Item{Attrs: op.Attrs})
			}
		}
	}
	return owners, nil
}

// current is what the messages of the head's turn will be recorded as.
func current(c chat.ChannelID, head kv.Item) ([]kv.Op, error) {
	parts, err := partsOf(head)
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	h := headOf(head)
	p, err := decode[chat.Plan](head, "plan")
	if err != nil {
		return nil, err
	}
	return messages(c, h, p.Turns[h.Turn].Persona, parts), nil
}

func ownerOf(item kv.Item) chat.Owner {
	return chat.Owner{Event: chat.EventID(item.String("event")), Turn: int(item.Int("turn")), Part: int(item.Int("part")), Persona: item.String("persona")}
}
