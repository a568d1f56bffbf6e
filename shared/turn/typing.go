package turn

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tsumugi/shared/chat"
)

// How long it takes to type a message (chat pipeline, section 4.6).
const (
	perCharacter = 10 * time.Millisecond
	typedLeast   = 750 * time.Millisecond
	typedMost    = 4 * time.Second
	breathLeast  = 250 * time.Millisecond // before the typing begins
	breathMost   = 1500 * time.Millisecond
	hurry        = time.Minute // before this process has to leave, nothing is typed any more
)

// typedUntil is until when part k is being typed: for as long as its words take after the last ones came to the screen. The first
// message comes at once, and so does one whose writer must leave soon.
func (r *run) typedUntil(ctx context.Context, k int, content string) time.Time {
	if !r.typed || k == 0 || r.said.IsZero() || r.part(k).Message != "" {
		return time.Time{}
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < hurry {
		return time.Time{}
	}
	return r.said.Add(breath(r.k.Hold.Event.ID, r.k.Hold.Head.Turn, k) + keys(content))
}

// keys is how long the words of a message take to type.
func keys(content string) time.Duration {
	d := min(max(perCharacter*time.Duration(utf8.RuneCountInString(content)), typedLeast), typedMost)
	if strings.Contains(content, "```") {
		d += d / 4
	}
	return d
}

// breath is the pause between two messages. It is nobody's clock: whoever repeats the turn takes the same.
func breath(e chat.EventID, turn, part int) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(string(e) + "/" + strconv.Itoa(turn) + "/" + strconv.Itoa(part))) // it never fails
	n := h.Sum64()
	d := breathLeast + time.Duration(n>>2%uint64(breathMost-breathLeast+1))
	if n%4 == 0 {
		d += d / 2
	}
	return d
}

// typeOut shows a reply whose end is known message by message, each after its time, before anything is decided: a signal ends it
// with what is on the screen.
func (r *run) typeOut(ctx context.Context, text string) error {
	defer r.k.Pausing(false)
	for r.typed {
		until, err := r.display(ctx, text, complete)
		if err != nil || until.IsZero() {
			return err
		}
		r.k.Pausing(true)
		t := time.NewTimer(time.Until(until))
		select {
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-r.k.Signalled():
			chat.Mark(ctx, string(r.k.Signal().Kind))
			err = errStopped
		case <-t.C:
		}
		if t.Stop(); err != nil {
			return err
		}
	}
	return nil
}
