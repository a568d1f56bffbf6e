package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// A reply that is done again gets an item of its own, at the first time: all its variants, which one is shown, and its messages. Only
// the transaction that ends a turn writes it, so it is conditional on the hold as everything is; and on itself as it was read. Until
// then a reply is what its turn left: the row of its event knows who spoke, under which fence the text was written, and the messages.

func replySort(e chat.EventID, turn int) string { return fmt.Sprintf("reply#%s#%02d", e, turn) }

// Reply reads what a turn has said.
func (s *Channels) Reply(ctx context.Context, c chat.ChannelID, e chat.EventID, turn int) (chat.Reply, error) {
	got, err := s.read(ctx, c, "event#"+string(e), replySort(e, turn))
	if err != nil {
		return chat.Reply{}, err
	}
	r, err := s.replyOf(ctx, c, e, turn, got)
	if err != nil {
		return chat.Reply{}, fmt.Errorf("reply of turn %d of event %s: %w", turn, e, err)
	}
	return r, nil
}

// replyOf makes the reply of its own item, else of the row of its event and the text. The plan is still in the head while a later
// turn of it is spoken.
func (s *Channels) replyOf(ctx context.Context, c chat.ChannelID, e chat.EventID, turn int, got map[string]kv.Item) (r chat.Reply, err error) {
	item, row := got[replySort(e, turn)], got["event#"+string(e)]
	if item.Has("reply") {
		if r, err = decode[chat.Reply](item, "reply"); err != nil {
			return r, err
		}
		r.Rev = item.Int("rev")
		r.Parts, err = partsOf(item)
		return r, err
	}
	n := fmt.Sprintf("#%02d", turn)
	planned := row
	if head := got["head"]; !row.Has("plan") && headOf(head).Event == e {
		planned = head
	}
	p, err := decode[chat.Plan](planned, "plan")
	if err != nil {
		return r, err
	}
	fence := row.Int("text" + n)
	if turn < 0 || turn >= len(p.Turns) || fence == 0 || p.Turns[turn].Redo != nil {
		return r, chat.ErrMissing
	}
	sort := textSort(e, turn, fence)
	texts, err := s.read(ctx, c, sort)
	if err != nil {
		return r, err
	}
	var st chat.TurnState
	if err := saidIn(texts[sort], &st); err != nil {
		return r, err
	}
	who := p.Turns[turn]
	r = chat.Reply{Event: e, Turn: turn, Asker: chat.UserID(row.String("user")), Kind: chat.Kind(row.String("kind")), Persona: who.Persona, Name: who.Name, Label: who.Label}
	r.Keep(chat.Variant{Text: st.Text, End: st.Ending, Reason: st.Reason, By: r.Asker, Voiced: st.Voiced,
		At: time.Unix(texts[sort].Int(kv.TTL), 0).Add(-chat.LedgerLife)})
	where := row
	if item.Has("parts") { // whoever did it again was buried
		where, n = item, ""
	}
	if r.Parts, err = partsIn(where, "parts"+n); err == nil && len(r.Parts) == 0 {
		err = chat.ErrMissing
	}
	return r, err
}

// ReplyOf reads the reply behind a message: that of a turn that has ended, or the one that is being spoken.
func (s *Channels) ReplyOf(ctx context.Context, c chat.ChannelID, m chat.MessageID) (chat.Reply, error) {
	got, err := s.read(ctx, c, "head", messageKey(c, m).Sort)
	if err != nil {
		return chat.Reply{}, err
	}
	head := headOf(got["head"])
	item, ended := got[messageKey(c, m).Sort]
	if !ended {
		parts, err := partsOf(got["head"])
		if err == nil && !slices.ContainsFunc(parts, func(p chat.Part) bool { return p.Message == m }) {
			err = chat.ErrMissing
		}
		if err != nil {
			return chat.Reply{}, fmt.Errorf("reply of message %s: %w", m, err)
		}
		return chat.Reply{Event: head.Event, Turn: head.Turn, Asker: head.User, Speaking: true}, nil
	}
	e, turn := chat.EventID(item.String("event")), int(item.Int("turn"))
	more, err := s.read(ctx, c, "event#"+string(e), replySort(e, turn))
	if err != nil {
		return chat.Reply{}, err
	}
	more["head"] = got["head"]
	r, err := s.replyOf(ctx, c, e, turn, more)
	if err == nil {
		r.Coming, err = s.coming(ctx, c, head, e, turn)
	}
	if err != nil {
		return chat.Reply{}, fmt.Errorf("reply of message %s: %w", m, err)
	}
	return r, nil
}

// coming tells whether a use of a control of the reply is worked on, or waits.
func (s *Channels) coming(ctx context.Context, c chat.ChannelID, h chat.Head, e chat.EventID, turn int) (bool, error) {
	if h.Phase == chat.Free {
		return false, nil
	}
	sorts := []string{"event#" + string(h.Event)}
	if h.Waiting > 0 {
		ids, err := s.waiting(ctx, c)
		if err != nil {
			return false, err
		}
		for _, id := range ids {
			sorts = append(sorts, "event#"+string(id))
		}
	}
	rows, err := s.read(ctx, c, sorts...)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		if b := row.Bytes("body"); b != nil {
			var asks chat.Event
			if json.Unmarshal(b, &asks) == nil && asks.Asked != nil && asks.Asked.Redo != nil && asks.Asked.Redo.Event == e && asks.Asked.Redo.Turn == turn {
				return true, nil
			}
		}
	}
	return false, nil
}

// errAdopted says that the turn has its messages.
var errAdopted = errors.New("the turn has its messages")

// Adopt writes the messages into the head, where those of every turn are.
func (s *Channels) Adopt(ctx context.Context, h *chat.Hold, parts []chat.Part) error {
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		if len(h.Parts) > 0 {
			return was, nil, errAdopted
		}
		body, err := encodeParts(parts)
		if err != nil {
			return was, nil, err
		}
		is := was
		is.Rev++
		op := changes(h.Channel, was, is, append(holding(was), kv.Is("rev", was.Rev))...)
		op.Set["parts"] = body
		return is, []kv.Op{op}, nil
	})
	if errors.Is(err, errAdopted) { // by an earlier attempt, or by this one, its reply lost
		return nil
	}
	if err != nil {
		return fmt.Errorf("adopt the messages of event %s: %w", h.Event.ID, err)
	}
	h.Parts = slices.Clone(parts)
	return nil
}

// again is what a turn that does a reply again has to write besides; nothing for others.
func (s *Channels) again(h *chat.Hold) ([]kv.Op, error) {
	if h.Reply == nil {
		return nil, nil
	}
	op, err := s.keeps(h)
	return []kv.Op{op}, err
}

// keeps writes the reply as its turn leaves it, with the turn's messages.
func (s *Channels) keeps(h *chat.Hold) (kv.Op, error) {
	body, err := encode(h.Reply)
	if err != nil {
		return kv.Op{}, err
	}
	parts := h.Parts
	if len(parts) == 0 { // none of them was there
		parts = h.Reply.Parts
	}
	op := kv.Op{Verb: kv.Put, Key: key(h.Channel, replySort(h.Reply.Event, h.Reply.Turn)), If: []kv.Cond{kv.Missing("rev")},
		Attrs: kv.Attrs{"reply": body, "rev": h.Reply.Rev + 1, kv.TTL: time.Now().Add(chat.LedgerLife).Unix()}}
	if h.Reply.Rev > 0 {
		op.If = []kv.Cond{kv.Is("rev", h.Reply.Rev)}
	}
	op.Attrs["parts"], err = encodeParts(shownParts(parts))
	return op, err
}

// shownParts are the parts whose messages are there.
func shownParts(parts []chat.Part) (shown []chat.Part) {
	for _, p := range parts {
		if p.Message != "" && !p.Dropped {
			shown = append(shown, chat.Part{K: p.K, Message: p.Message, Hook: p.Hook})
		}
	}
	return shown
}

// owned is whose the messages of a turn are: its own, or the reply's that it does again.
func owned(h chat.Head, p *chat.Plan) (persona string, e chat.EventID, turn int) {
	e, turn = h.Event, h.Turn
	if p == nil || h.Turn >= len(p.Turns) {
		return "", e, turn
	}
	t := p.Turns[h.Turn]
	if t.Redo != nil {
		e, turn = t.Redo.Event, t.Redo.Turn
	}
	return t.Persona, e, turn
}
