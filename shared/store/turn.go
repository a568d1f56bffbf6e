package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// SavePlan stores the plan with its charges, or adopts the one that is there without charging again.
func (s *Channels) SavePlan(ctx context.Context, h *chat.Hold, p chat.Plan) (chat.Job, error) {
	body, err := encode(p)
	if err != nil {
		return chat.Job{}, err
	}
	ttl := time.Now().Add(chat.LedgerLife).Unix()
	plan := []kv.Op{{Verb: kv.Put, Key: planKey(h.Channel, h.Event.ID), If: []kv.Cond{kv.Missing("")}, Attrs: kv.Attrs{"plan": body, kv.TTL: ttl}}}
	for _, c := range p.Charges {
		plan = append(plan, kv.Op{Verb: kv.Update, Key: key(h.Channel, "count#"+c.Counter), Add: map[string]int64{"n": c.N}})
	}
	turns := len(p.Turns)
	save := func() error {
		return s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
			is := turned(waits(was, chat.WaitsTurn, time.Now()), 0, was.From)
			is.Turns = turns
			return is, append([]kv.Op{changes(h.Channel, was, is, append(holding(was), sending(was))...)}, plan...), nil
		})
	}
	if err = save(); refusedBeyondHead(err) { // an earlier attempt saved it, and was not able to hand over
		got, readErr := s.read(ctx, h.Channel, "plan#"+string(h.Event.ID))
		if readErr != nil {
			return chat.Job{}, readErr
		}
		adopted, decodeErr := decode[chat.Plan](got["plan#"+string(h.Event.ID)], "plan")
		if decodeErr != nil {
			return chat.Job{}, decodeErr
		}
		plan, turns = nil, len(adopted.Turns)
		err = save()
	}
	if err != nil {
		return chat.Job{}, fmt.Errorf("save the plan of event %s: %w", h.Event.ID, err)
	}
	return h.Head.Job(h.Channel), nil
}

// refusedBeyondHead tells that a fenced write was refused by another item than the head.
func refusedBeyondHead(err error) bool {
	var refused *kv.ConditionError
	return errors.As(err, &refused) && refused.Op != 0
}

// State reads the turn and its parts in one query: the turn's key is the prefix of its parts'.
func (s *Channels) State(ctx context.Context, h *chat.Hold) (chat.TurnState, error) {
	sort := turnSort(h.Event.ID, h.Head.Turn)
	var st chat.TurnState
	q := kv.Query{Space: SpaceChannels, Partition: string(h.Channel), Prefix: sort}
	for {
		var page kv.Page
		err := patiently(ctx, func() (err error) {
			page, err = s.kv.Query(ctx, q)
			return err
		})
		if err != nil {
			return st, fmt.Errorf("read turn %d of event %s: %w", h.Head.Turn, h.Event.ID, err)
		}
		for _, item := range page.Items {
			if rest := strings.TrimPrefix(item.Key.Sort, sort); rest != "" {
				st.Parts = append(st.Parts, partOf(item, rest))
				continue
			}
			decided(item, &st)
		}
		if page.Next == "" {
			return st, nil
		}
		q.After = page.Next
	}
}

func decided(item kv.Item, st *chat.TurnState) {
	st.Status = chat.Row(item.String("status"))
	st.HasText, st.Text = item.Has("text"), item.String("text")
	st.Ending, st.Reason = chat.Row(item.String("ending")), item.String("why")
}

func partOf(item kv.Item, rest string) chat.Part {
	k, _ := strconv.Atoi(strings.TrimPrefix(rest, "#")) // our own key
	p := chat.Part{K: k, Message: chat.MessageID(item.String("message")), Dropped: item.Has("dropped"),
		Late: fromMillis(item.Int("late"))}
	if item.Has("nonce") {
		p.Intent = &chat.Intent{Content: item.String("content"), Nonce: item.String("nonce"),
			At: fromMillis(item.Int("at")), Tried: fromMillis(item.Int("tried")),
			First: chat.Firsts{Asked: fromMillis(item.Int("asked")), Heard: fromMillis(item.Int("heard"))}}
	}
	return p
}

func (s *Channels) partKey(h *chat.Hold, k int) kv.Key {
	return partKey(h.Channel, h.Event.ID, h.Head.Turn, k)
}

// write performs operations of a turn under condition F without changing the head.
func (s *Channels) write(ctx context.Context, h *chat.Hold, what string, ops ...kv.Op) error {
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		return was, append([]kv.Op{held(h.Channel, was)}, ops...), nil
	})
	if err != nil {
		return fmt.Errorf("%s of turn %d of event %s: %w", what, h.Head.Turn, h.Event.ID, err)
	}
	return nil
}

// Intend stores an intent where there is none, or in place of the one that was found not to have landed.
func (s *Channels) Intend(ctx context.Context, h *chat.Hold, k int, in chat.Intent, was *chat.Intent) error {
	conds := []kv.Cond{kv.Missing("nonce")}
	if was != nil {
		conds = []kv.Cond{kv.Is("nonce", was.Nonce)}
	}
	op := kv.Op{Verb: kv.Update, Key: s.partKey(h, k), If: append(conds, kv.Missing("message")),
		Set: kv.Attrs{"content": in.Content, "nonce": in.Nonce, "at": in.At.UnixMilli(), "tried": in.Tried.UnixMilli(),
			"asked": millis(in.First.Asked), "heard": millis(in.First.Heard), kv.TTL: in.At.Add(chat.LedgerLife).Unix()}}
	err := s.write(ctx, h, "store the intent", op)
	if !refusedBeyondHead(err) {
		return err
	}
	st, readErr := s.State(ctx, h) // our own, of an attempt whose reply was lost?
	for _, p := range st.Parts {
		if readErr == nil && p.K == k && p.Message == "" && p.Intent != nil && p.Intent.Nonce == in.Nonce {
			return nil
		}
	}
	return errors.Join(err, readErr)
}

// Stamp notes that a create is about to start, unless Discord may have forgotten the nonce. The age is judged on a read: an
// intent's time never changes, and the write is conditional on its nonce.
func (s *Channels) Stamp(ctx context.Context, h *chat.Hold, k int, now time.Time) error {
	op := kv.Op{Verb: kv.Update, Key: s.partKey(h, k), Set: kv.Attrs{"tried": now.UnixMilli()},
		If: []kv.Cond{kv.Missing("message")}}
	got, err := s.read(ctx, h.Channel, op.Key.Sort)
	if err != nil {
		return err
	}
	if at := fromMillis(got[op.Key.Sort].Int("at")); now.Sub(at) > chat.NonceTrust {
		return chat.ErrTooOld
	}
	op.If = append(op.If, as(got[op.Key.Sort], "nonce"))
	if err = s.write(ctx, h, "stamp the create", op); refusedBeyondHead(err) {
		return fmt.Errorf("%w: %w", chat.ErrTooOld, err) // not the intent that was judged: look again
	}
	return err
}

// Record stores the id of a part, and that the message is taken.
func (s *Channels) Record(ctx context.Context, h *chat.Hold, k int, id chat.MessageID) error {
	now := time.Now()
	part := kv.Op{Verb: kv.Update, Key: s.partKey(h, k), Set: kv.Attrs{"message": string(id)}, If: []kv.Cond{kv.Missing("message")}}
	taken := kv.Op{Verb: kv.Put, Key: messageKey(h.Channel, id), If: []kv.Cond{kv.Missing("")}, Attrs: kv.Attrs{
		"event": string(h.Event.ID), "turn": int64(h.Head.Turn), "part": int64(k), "persona": h.Plan.Turns[h.Head.Turn].Persona,
		kv.TTL: now.Add(messageLife).Unix()}}
	err := s.write(ctx, h, "record the message", part, taken)
	if !refusedBeyondHead(err) {
		return err
	}
	st, readErr := s.State(ctx, h)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if st.Recorded(k) == id {
		return nil
	}
	return fmt.Errorf("%w: %w", chat.ErrTaken, err)
}

// Late notes an edit without an answer.
func (s *Channels) Late(ctx context.Context, h *chat.Hold, k int, begun time.Time) error {
	return s.write(ctx, h, "note an edit", kv.Op{Verb: kv.Update, Key: s.partKey(h, k), Set: kv.Attrs{"late": begun.UnixMilli()}})
}

// Discard notes that a part's message is deleted.
func (s *Channels) Discard(ctx context.Context, h *chat.Hold, k int) error {
	return s.write(ctx, h, "discard a part", kv.Op{Verb: kv.Update, Key: s.partKey(h, k), Set: kv.Attrs{"dropped": int64(1)}})
}

// SaveText decides the text, or returns what was decided.
func (s *Channels) SaveText(ctx context.Context, h *chat.Hold, text string, end chat.Ending) (chat.TurnState, error) {
	op := kv.Op{Verb: kv.Update, Key: key(h.Channel, turnSort(h.Event.ID, h.Head.Turn)), If: []kv.Cond{kv.Missing("text")},
		Set: kv.Attrs{"text": text, "ending": string(end.Row), "why": end.Reason, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	err := s.write(ctx, h, "store the text", op)
	if refusedBeyondHead(err) {
		return s.State(ctx, h)
	}
	return chat.TurnState{Text: text, HasText: true, Ending: end.Row, Reason: end.Reason}, err
}

// Whose reads the owners of messages.
func (s *Channels) Whose(ctx context.Context, c chat.ChannelID, ids []chat.MessageID) (map[chat.MessageID]chat.Owner, error) {
	owners := make(map[chat.MessageID]chat.Owner, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), 100)
		sorts := make([]string, n)
		for i, id := range ids[:n] {
			sorts[i] = messageKey(c, id).Sort
		}
		got, err := s.read(ctx, c, sorts...)
		if err != nil {
			return nil, err
		}
		for sort, item := range got {
			owners[chat.MessageID(strings.TrimPrefix(sort, "message#"))] = chat.Owner{Event: chat.EventID(item.String("event")),
				Turn: int(item.Int("turn")), Part: int(item.Int("part")), Persona: item.String("persona")}
		}
		ids = ids[n:]
	}
	return owners, nil
}
