package turn

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/speech"
)

// feet is what stands below the parts of a turn where the server has controls: while text streams Stop, below the newest part, and in
// the end, below the last one, what people may have done with the reply.
type feet struct {
	tail  int            // the part that they stand below
	over  bool           // no more words are to come
	known map[int]string // what stands below each part, as far as this attempt knows; see rows
}

// bare is the mark of a part with nothing below it.
const bare = "bare"

// rows is what is to stand below part k, and a mark that tells it from what else may: none where the server has no controls and never
// had, so that nothing is said of them at all. A reply that is done again may be of a time when it had, and so may what an earlier attempt
// has shown.
func (r *run) rows(k int) (mark string, rows []chat.ActionRow) {
	on := r.place.Controls && r.turn().Notice == "" && (!r.k.Hold.Failing || r.redo() != nil)
	switch {
	case !on && r.redo() == nil && r.k.Hold.Fresh:
		return "", nil
	case !on, k != r.feet.tail:
		return bare, []chat.ActionRow{}
	case !r.feet.over:
		h := r.k.Hold
		return "stop", []chat.ActionRow{{Buttons: []chat.Button{r.button(chat.StopSpeaking, h.Event.ID, h.Head.Turn, chat.Plain)}}}
	}
	return r.controls()
}

// stands tells whether part k has below it what the mark says.
func (r *run) stands(k int, mark string) bool { return mark == "" || r.feet.known[k] == mark }

// controls are those of the reply as the turn leaves it.
func (r *run) controls() (mark string, rows []chat.ActionRow) {
	h := r.k.Hold
	e, turn := h.Event.ID, h.Head.Turn
	if redo := r.redo(); redo != nil {
		e, turn = redo.Event, redo.Turn
	}
	rows = []chat.ActionRow{{Buttons: []chat.Button{r.button(chat.Regenerate, e, turn, chat.Plain), r.button(chat.Continue, e, turn, chat.Plain),
		r.button(chat.RemoveReply, e, turn, chat.Danger)}}}
	if h.Reply == nil || len(h.Reply.Variants) < 2 {
		return "end", rows
	}
	at, before, after := h.Reply.Place()
	if after == 0 {
		after = -1 // an id of its own, though nobody can press it
	}
	to := func(label string, n int, off bool) chat.Button {
		return chat.Button{ID: chat.ControlID(chat.ShowVariant, e, turn, n), Label: label, Style: chat.Plain, Off: off}
	}
	place := fmt.Sprintf("%d/%d", at, len(h.Reply.Variants))
	return "end " + place, append(rows, chat.ActionRow{Buttons: []chat.Button{
		to("◀", before, before == 0), to(place, h.Reply.Current, true), to("▶", after, after < 0)}})
}

func (r *run) button(what chat.Doing, e chat.EventID, turn int, style chat.ButtonStyle) chat.Button {
	return chat.Button{ID: chat.ControlID(what, e, turn, 0), Label: r.say("reply.button." + string(what)), Style: style}
}

// goesOn tells whether display comes to the part behind part k as well, in the same pass: what stands below the newest part is not put
// below one that will not be the newest. open says that the last of the parts may have to wait for more words.
func (r *run) goesOn(ctx context.Context, parts []string, k int, is whole, open bool) bool {
	next := k + 1
	switch {
	case next == len(parts), alone(parts[next]): // a sticker can be given no other rows than its first
		return false
	case is == final, r.part(next).Message != "":
		return true
	case open && is == growing && next == len(parts)-1 && r.slight(next, strings.TrimSpace(speech.Open(parts[next]))):
		return false
	case r.typed && r.shown[k] != parts[k]: // the typing begins when it has come to the screen
		return false
	}
	return !r.typedUntil(ctx, next, parts[next]).After(time.Now())
}
