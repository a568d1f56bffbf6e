package turn

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

// A turn that does a reply again works on the messages of that reply: they are its parts from the start. What it comes to is another
// variant of the reply, kept in the transaction that ends the turn. How it may come out otherwise:
//
//	nothing is kept of the reply any more     failed reply_unknown; nothing changes
//	it was deleted, by whomever               interrupted reply_deleted
//	another variant is shown by now           interrupted reply_changed: somebody was faster
//	some of its messages are gone             the others become its parts, and what is missing is made anew
//	a stop, before a word was shown           interrupted; the reply stays as it was
//	a stop, later                             what is visible stays, as a variant
//	the model fails for good                  the notice stands below what is visible, as a variant: the one before is there to go back to
//	Discord takes no edit                     failed edit_refused; the variant that was shown stays the one that counts

// redo is what the turn does with an earlier reply; nil when it makes one of its own.
func (r *run) redo() *chat.Redo { return r.turn().Redo }

// recall reads the reply that the turn does again, and takes its messages over.
func (r *run) recall(ctx context.Context) error {
	redo, h := r.redo(), r.k.Hold
	if redo == nil {
		return nil
	}
	reply, err := r.turns.Reply(ctx, h.Channel, redo.Event, redo.Turn)
	if errors.Is(err, chat.ErrMissing) {
		return &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "reply_unknown"}, err: err}
	}
	if err != nil {
		return err
	}
	if len(r.st.Parts) == 0 {
		if reason := overtaken(&reply, redo); reason != "" {
			return &conclusion{end: chat.Ending{Row: chat.Interrupted, Reason: reason}, err: chat.ErrMissing}
		}
		parts, err := r.remaining(ctx, reply.Parts)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			reply.Remove()
			reply.Parts, h.Reply = nil, &reply
			return &conclusion{end: chat.Ending{Row: chat.Interrupted, Reason: "reply_deleted"}, err: chat.ErrMissing}
		}
		if err := r.turns.Adopt(ctx, h, parts); err != nil {
			return err
		}
		r.st.Parts = slices.Clone(h.Parts)
	}
	h.Reply, r.was = &reply, reply.Clone()
	if redo.What == chat.Continue {
		words, _ := parted(reply.Shown().Text)
		_, r.sofar = r.headed(withoutNotice(words))
	}
	return nil
}

// overtaken tells why there is nothing left to do with the reply; "" when there is.
func overtaken(reply *chat.Reply, redo *chat.Redo) string {
	switch {
	case reply.Deleted:
		return "reply_deleted"
	case redo.What.AsksModel() && reply.Current != redo.From, redo.What == chat.ShowVariant && reply.Variant(redo.Variant) == nil:
		return "reply_changed"
	}
	return ""
}

// remaining are those of the parts whose messages are there, numbered anew. Where the channel may not be read, all are taken to be.
func (r *run) remaining(ctx context.Context, parts []chat.Part) (there []chat.Part, err error) {
	var seen []chat.Message
	for _, p := range parts {
		if len(seen) == 0 || newer(string(p.Message), string(seen[len(seen)-1].ID)) {
			if err := r.k.Ready(ctx); err != nil {
				return nil, err
			}
			seen, err = r.discord.After(ctx, r.k.Hold.Channel, before(p.Message), 100)
			switch chat.FailureOf(err) {
			case "":
			case chat.Rejected:
				return parts, nil
			case chat.Vanished:
				return nil, &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "channel_gone"}, err: err}
			default:
				return nil, err
			}
		}
		if slices.ContainsFunc(seen, func(m chat.Message) bool { return m.ID == p.Message }) {
			p.K = len(there)
			there = append(there, p)
		}
	}
	return there, nil
}

// quietly does what needs no model. It takes a call or two, so nobody is asked whether it is to stop.
func (r *run) quietly(ctx context.Context) error {
	if r.k.Hold.Failing {
		return &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "poison"}, err: chat.ErrMissing}
	}
	if err := errors.Join(r.adapt(), r.dress(ctx)); err != nil {
		return err
	}
	reply, redo := r.k.Hold.Reply, r.redo()
	if redo.What == chat.RemoveReply {
		if err := r.withdraw(ctx, 0); err != nil {
			return err
		}
		reply.Remove()
		return r.end(ctx, chat.Ending{Row: chat.Answered, Reason: "reply_removed"})
	}
	v := reply.Variant(redo.Variant)
	if v == nil { // another attempt has found it, and nothing takes it away meanwhile
		return &conclusion{end: chat.Ending{Row: chat.Interrupted, Reason: "reply_changed"}, err: chat.ErrMissing}
	}
	reply.Current = v.N
	if err := r.stand(ctx, v.Text); err != nil {
		return err
	}
	return r.end(ctx, chat.Ending{Row: chat.Answered, Reason: "variant_shown"})
}

// stand brings Discord to a text that is decided.
func (r *run) stand(ctx context.Context, text string) error {
	if _, err := r.display(ctx, text, final); err != nil {
		return err
	}
	if err := r.withdraw(ctx, len(r.contents(text))); err != nil {
		return err
	}
	return r.outlast(ctx)
}

// vary makes the text, where it is to be another one, a variant of the reply that is done again.
func (r *run) vary(text string, end chat.Ending) {
	if r.was == nil {
		return
	}
	reply := r.was.Clone()
	if v := reply.Shown(); v == nil || v.Text != text {
		reply.Keep(chat.Variant{Text: text, End: end.Row, Reason: end.Reason, By: r.k.Hold.Event.Author.ID, At: time.Now(), Voiced: r.st.Voiced})
	}
	r.k.Hold.Reply = reply
}

// untouched tells whether what is on the screen is the reply as it was, which it then stays.
func (r *run) untouched(screen string) bool {
	if r.was == nil {
		return false
	}
	r.k.Hold.Reply = r.was.Clone()
	return strings.Join(r.contents(r.was.Shown().Text), r.joined) == screen
}

// leave ends a turn that has not changed the reply: all that may have to go is the button below it.
func (r *run) leave(ctx context.Context, end chat.Ending) error {
	if err := r.stand(ctx, r.was.Shown().Text); err != nil {
		return err
	}
	return r.end(ctx, end)
}

// kind is what the reply is for.
func (r *run) kind() chat.Kind {
	if reply := r.k.Hold.Reply; reply != nil {
		return reply.Kind
	}
	return r.k.Hold.Head.Kind
}

// trigger is the event that is answered.
func (r *run) trigger() chat.EventID {
	if redo := r.redo(); redo != nil {
		return redo.Event
	}
	return r.k.Hold.Event.ID
}

// edge is the message before which everything is that the turn may know of; "" for the end of the channel.
func (r *run) edge() chat.MessageID {
	if r.redo() == nil || len(r.st.Parts) == 0 {
		return ""
	}
	return r.st.Parts[0].Message
}

// again is the message that was answered, for another answer to it.
func (r *run) again(messages []chat.Message) (prompt.Line, error) {
	for _, m := range messages {
		if chat.EventID(m.ID) == r.redo().Event {
			return prompt.Line{ID: string(m.ID), Speaker: m.Author.Name, Text: words(m.Text, m.Extras), At: m.At}, nil
		}
	}
	return prompt.Line{}, errNothing
}

// spoken tells whether people see words of this turn already.
func (r *run) spoken() bool { return r.part(0).Message != "" && (r.redo() == nil || r.replaced) }

// along is words of the model as the turn says them: behind what was said already, where it goes on from that.
func (r *run) along(words string) string {
	words = speech.Cap(words, r.longest)
	if r.sofar == "" {
		return words
	}
	if words = strings.TrimSpace(words); words == "" {
		return r.sofar
	}
	return speech.Cap(r.sofar+gap(r.sofar, words)+words, guild.MaxReply)
}

// gap is what stands between what was said and how it goes on: a paragraph begins where a sentence had ended; within a sentence there is
// a blank, unless the writing has none or the first sign belongs to the word before it.
func gap(said, words string) string {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(said, "*_~\"'”’»)]` "))
	next, _ := utf8.DecodeRuneInString(words)
	switch {
	case strings.HasSuffix(said, "\n"):
		return ""
	case strings.ContainsRune(".!?…。!?", last), strings.HasSuffix(said, "```"):
		return "\n\n"
	case unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana), strings.ContainsRune(".,;:!?…)、。", next):
		return ""
	}
	return " "
}
