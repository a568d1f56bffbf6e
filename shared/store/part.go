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

// The parts of the current turn are kept in the head. They are a few, each is small once it has its message, and every
// change of them is conditional on the head in any case: in the same item that condition costs nothing.

// partItem is a part as the head has it.
type partItem struct {
	K       int    `json:"k"`
	Content string `json:"c,omitempty"` // of the intent, until the part has its message
	Nonce   string `json:"n,omitempty"`
	Face    bool   `json:"f,omitempty"`
	At      int64  `json:"a,omitempty"`
	Tried   int64  `json:"t,omitempty"`
	Message string `json:"m,omitempty"`
	Hook    string `json:"h,omitempty"`
	Dropped bool   `json:"d,omitempty"`
	Late    int64  `json:"l,omitempty"`
}

// partsOf reads the parts of a head.
func partsOf(head kv.Item) ([]chat.Part, error) { return partsIn(head, "parts") }

// partsIn reads the parts that an attribute has.
func partsIn(head kv.Item, attr string) ([]chat.Part, error) {
	b := head.Bytes(attr)
	if b == nil {
		return nil, nil
	}
	var items []partItem
	if err := json.Unmarshal(b, &items); err != nil {
		return nil, fmt.Errorf("decode the parts of %s: %w", head.Key, err)
	}
	parts := make([]chat.Part, len(items))
	for i, p := range items {
		parts[i] = chat.Part{K: p.K, Message: chat.MessageID(p.Message), Hook: chat.HookID(p.Hook), Dropped: p.Dropped, Late: fromMillis(p.Late)}
		if p.Nonce != "" {
			parts[i].Intent = &chat.Intent{Content: p.Content, Nonce: p.Nonce, Face: p.Face, At: fromMillis(p.At), Tried: fromMillis(p.Tried)}
		}
	}
	return parts, nil
}

func encodeParts(parts []chat.Part) ([]byte, error) {
	items := make([]partItem, len(parts))
	for i, p := range parts {
		items[i] = partItem{K: p.K, Message: string(p.Message), Hook: string(p.Hook), Dropped: p.Dropped, Late: millis(p.Late)}
		if in := p.Intent; in != nil {
			items[i].Content, items[i].Nonce, items[i].Face = in.Content, in.Nonce, in.Face
			items[i].At, items[i].Tried = millis(in.At), millis(in.Tried)
		}
	}
	return encode(items)
}

// errDone says that a part is as it shall be.
var errDone = errors.New("the part is as it shall be")

// part changes part k under condition F and the condition that the parts are as they are known. change makes the change, or
// says errDone, or why it may not be; it is asked again when the parts turn out to be others. What the hold knows of the
// turn's first moments is kept with it.
func (s *Channels) part(ctx context.Context, h *chat.Hold, what string, k int, change func(p *chat.Part) error, conds ...kv.Cond) error {
	var parts []chat.Part
	err := s.fenced(ctx, h, func(was chat.Head) (chat.Head, []kv.Op, error) {
		parts = slices.Clone(h.Parts)
		i := slices.IndexFunc(parts, func(p chat.Part) bool { return p.K == k })
		if i < 0 {
			i, parts = len(parts), append(parts, chat.Part{K: k})
		}
		if err := change(&parts[i]); errors.Is(err, errDone) {
			return was, nil, nil
		} else if err != nil {
			return was, nil, err
		}
		body, err := encodeParts(parts)
		if err != nil {
			return was, nil, err
		}
		is := was
		is.Rev++
		is.Asked, is.Heard = h.First.Asked, h.First.Heard
		op := changes(h.Channel, was, is, slices.Concat(holding(was), []kv.Cond{kv.Is("rev", was.Rev)}, conds)...)
		op.Set["parts"] = body
		return is, []kv.Op{op}, nil
	})
	if err != nil {
		return fmt.Errorf("%s of turn %d of event %s: %w", what, h.Head.Turn, h.Event.ID, err)
	}
	h.Parts = parts
	return nil
}

// Intend stores an intent where there is none, or in place of the one that was found not to have landed.
func (s *Channels) Intend(ctx context.Context, h *chat.Hold, k int, in chat.Intent, was *chat.Intent) error {
	var conds []kv.Cond
	first := k == 0 && was == nil
	if first {
		conds = []kv.Cond{kv.Missing("sigKind")}
	}
	return s.part(ctx, h, "store the intent", k, func(p *chat.Part) error {
		switch {
		case p.Message == "" && p.Intent != nil && p.Intent.Nonce == in.Nonce:
			return errDone // our own, of an attempt whose reply was lost
		case p.Message != "", (p.Intent == nil) != (was == nil), was != nil && p.Intent.Nonce != was.Nonce:
			return kv.ErrCondition
		case first && h.Signal.Kind != chat.NoSignal:
			return chat.ErrSignalled
		}
		p.Intent = &in
		return nil
	}, conds...)
}

// Stamp notes that a create is about to start, unless Discord may have forgotten the nonce.
func (s *Channels) Stamp(ctx context.Context, h *chat.Hold, k int, now time.Time) error {
	return s.part(ctx, h, "stamp the create", k, func(p *chat.Part) error {
		if p.Intent == nil || p.Message != "" || now.Sub(p.Intent.At) > chat.NonceTrust {
			return chat.ErrTooOld // or not the intent that was judged: look again
		}
		in := *p.Intent
		in.Tried = now
		p.Intent = &in
		return nil
	})
}

// Record stores the message of a part, whose intent is done with. The turn's other parts are the only ones that may have the
// message without its having an item.
func (s *Channels) Record(ctx context.Context, h *chat.Hold, k int, m chat.Ref) error {
	return s.part(ctx, h, "record the message", k, func(p *chat.Part) error {
		switch {
		case p.Message == m.Message:
			return errDone
		case p.Message != "", slices.ContainsFunc(h.Parts, func(other chat.Part) bool { return other.Message == m.Message }):
			return chat.ErrTaken
		}
		p.Message, p.Hook, p.Intent = m.Message, m.Hook, nil
		return nil
	})
}

// Late notes an edit without an answer.
func (s *Channels) Late(ctx context.Context, h *chat.Hold, k int, begun time.Time) error {
	return s.part(ctx, h, "note an edit", k, func(p *chat.Part) error {
		p.Late = begun
		return nil
	})
}

// Retire gives a part's message the next number of those that lost their place.
func (s *Channels) Retire(ctx context.Context, h *chat.Hold, k int) error {
	return s.part(ctx, h, "retire a part", k, func(p *chat.Part) error {
		if p.Message == "" {
			return errDone
		}
		p.K = chat.Retired
		for _, other := range h.Parts {
			p.K = max(p.K, other.K+1)
		}
		return nil
	})
}

// Discard notes that a part's message is deleted.
func (s *Channels) Discard(ctx context.Context, h *chat.Hold, k int) error {
	return s.part(ctx, h, "discard a part", k, func(p *chat.Part) error {
		p.Dropped = true
		return nil
	})
}
