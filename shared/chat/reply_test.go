package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/chat"
)

func TestVariantsAreKeptAsFarAsThereIsRoom(t *testing.T) {
	var r chat.Reply
	for n := range 20 {
		r.Keep(chat.Variant{Text: fmt.Sprint(n)})
	}
	if at, before, after := r.Place(); len(r.Variants) != chat.MaxVariants || r.Shown().Text != "19" || at != chat.MaxVariants || before != 19 || after != 0 {
		t.Errorf("%d variants, %q is shown, at %d between %d and %d", len(r.Variants), r.Shown().Text, at, before, after)
	}
	if r.Variant(4) != nil || r.Variant(5) == nil {
		t.Error("a number names another variant when others are gone")
	}
	r.Current = 10
	r.Keep(chat.Variant{Text: "behind all"}) // also where an earlier one was shown
	if at, _, _ := r.Place(); at != len(r.Variants) || r.Shown().N != 21 {
		t.Errorf("at %d of %d, number %d", at, len(r.Variants), r.Shown().N)
	}
	was := r.Clone()
	for range 8 { // each takes five bytes for a character and more: the quotes are written out
		r.Keep(chat.Variant{Text: strings.Repeat("\u2028", 20_000)})
	}
	if len(r.Variants) != 2 || r.Shown().N != 29 {
		t.Errorf("%d large variants, number %d is shown", len(r.Variants), r.Shown().N)
	}
	if len(was.Variants) != chat.MaxVariants || was.Shown().N != 21 {
		t.Error("what was cloned has changed")
	}
	r.Remove()
	if at, before, after := r.Place(); !r.Deleted || r.Shown() != nil || at+before+after != 0 {
		t.Errorf("something is left: %+v", r)
	}
}

func TestCustomIDsOfControls(t *testing.T) {
	long := chat.EventID(strings.Repeat("9", 20))
	for _, what := range []chat.Doing{chat.Regenerate, chat.Continue, chat.ShowVariant, chat.RemoveReply, chat.StopSpeaking} {
		id := chat.ControlID(what, long, 12, 1234567)
		path, step, owner, args, ok := chat.ReadCustomID(id)
		if len(id) > 100 || !ok || path != chat.ReplyPath || step != string(what) || owner != chat.Anybody || args[0] != string(long) || args[1] != "12" {
			t.Errorf("%q is read as %q %q %q %q, %v", id, path, step, owner, args, ok)
		}
		if shows := len(args) == 3; shows != (what == chat.ShowVariant) {
			t.Errorf("%q names a variant: %v", id, shows)
		}
	}
	for _, id := range []string{"", "1", "1|reply", "1|reply|stop", "2|reply|stop|0|5|0", "|||", "reply|stop|0|5"} {
		if _, _, _, _, ok := chat.ReadCustomID(id); ok {
			t.Errorf("%q is taken for one of ours", id)
		}
	}
}
