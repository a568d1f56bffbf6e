package turn

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
)

// finish stores the text and brings Discord to it, before the turn ends: in this order, so that what people see always ends
// equal to what is saved. The first part exists before the text is stored; a signal that came before that ends the turn as
// it stands, and the store sees to it that none is missed.
func (r *run) finish(ctx context.Context, say saying) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageEffects)
	defer end(&err)
	if !r.st.HasText {
		if r.mask.lost {
			say.text = r.unmasked(say.text)
		}
		if parts := r.contents(say.text); len(parts) > 0 {
			err := r.ensure(ctx, 0, parts[0])
			if errors.Is(err, errUnmasked) {
				say.text = r.unmasked(say.text)
				err = r.ensure(ctx, 0, r.contents(say.text)[0])
			}
			if errors.Is(err, errNoSticker) { // and it was all
				err = refused(err, "sticker_refused")
			}
			if err != nil {
				return err
			}
		}
		if r.k.Signal().Kind != chat.NoSignal && say.end.Row == chat.Answered {
			return errStopped
		}
		if err := r.decide(ctx, say); err != nil {
			return err
		}
		if r.st.Ending == chat.Answered && r.redo() == nil { // what is done again is looked at where it is
			words, _ := parted(r.st.Text)
			if err := r.freshen(ctx, len(r.contents(words))-1); err != nil {
				return err
			}
		}
	}
	if err := r.queueUp(ctx); err != nil {
		return err
	}
	r.vary(r.st.Text, chat.Ending{Row: r.st.Ending, Reason: r.st.Reason})
	return r.stand(ctx, r.st.Text)
}

// decide stores the text, or takes over what an earlier attempt stored.
func (r *run) decide(ctx context.Context, say saying) error {
	st, err := r.turns.SaveText(ctx, r.k.Hold, say.text, say.end)
	if err != nil {
		return r.unlessSignalled(ctx, err)
	}
	r.st.Text, r.st.HasText, r.st.Ending, r.st.Reason, r.st.Voiced = st.Text, true, st.Ending, st.Reason, st.Voiced
	return nil
}

// withdraw deletes the parts of an earlier attempt that the text does not need.
func (r *run) withdraw(ctx context.Context, needed int) error {
	for i := range r.st.Parts {
		p := &r.st.Parts[i]
		if p.K < needed || p.Dropped {
			continue
		}
		if p.Message == "" && p.Intent != nil && !r.void[p.K] {
			if err := r.find(ctx, p); err != nil {
				return err
			}
		}
		if p.Message == "" {
			continue
		}
		if err := r.k.Ready(ctx); err != nil {
			return err
		}
		r.pace.Sent(time.Now())
		switch err := r.discord.Delete(ctx, r.ref(p)); chat.FailureOf(err) {
		case "", chat.Vanished:
		case chat.Rejected: // it stays, and people see it
			return refused(err, "delete_refused")
		default:
			return err
		}
		if err := r.turns.Discard(ctx, r.k.Hold, p.K); err != nil {
			return err
		}
		p.Dropped = true
	}
	return nil
}

// stop ends a turn that a signal asks to end: what is visible stays and is saved, nothing is added. Where nothing is
// visible there is no text to save.
func (r *run) stop(ctx context.Context) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageEffects)
	defer end(&err)
	if err := r.adapt(); err != nil {
		return err
	}
	if r.st.HasText { // what is missing of it may have to be posted
		if err := r.dress(ctx); err != nil {
			return err
		}
	}
	spoken := 0 // parts that this attempt has words of its own in
	for k := range r.shown {
		if k < chat.Retired {
			spoken = max(spoken, k+1)
		}
	}
	if err := r.withdraw(ctx, chat.Retired); err != nil {
		return err
	}
	if err := r.resolve(ctx); err != nil {
		return err
	}
	if spoken > 0 { // what follows them are another attempt's words
		if err := r.withdraw(ctx, spoken); err != nil {
			return err
		}
	}
	ending := chat.Ending{Row: chat.Interrupted, Reason: string(r.k.Signal().Kind)}
	text, err := r.screen(ctx)
	if err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(text) == "":
		return r.end(ctx, ending)
	case !r.st.HasText && r.untouched(text):
		return r.leave(ctx, ending)
	}
	if !r.st.HasText {
		if err := r.decide(ctx, saying{text, ending}); err != nil {
			return err
		}
	}
	r.vary(r.st.Text, ending)
	if r.st.Text != text { // an earlier attempt decided on more
		if _, err := r.display(ctx, r.st.Text, final); err != nil {
			return err
		}
	} else if err := r.settle(ctx); err != nil {
		return err
	}
	if err := r.outlast(ctx); err != nil {
		return err
	}
	return r.end(ctx, ending)
}

// end saves the turn and sends what comes next.
func (r *run) end(ctx context.Context, ending chat.Ending) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageRelease)
	defer end(&err)
	if slices.ContainsFunc(r.st.Parts, func(p chat.Part) bool { return p.Message != "" }) {
		r.remember(ctx, nil)
	}
	sample := r.sample()
	next, err := r.turns.EndTurn(ctx, r.k.Hold, ending)
	if err != nil {
		return err
	}
	chat.Ended(ctx, sample)
	chat.Detail(ctx, string(ending.Row), ending.Reason)
	if next == nil || next.Event != r.k.Hold.Event.ID {
		chat.Outcome(ctx, ending.Row)
	}
	slog.InfoContext(ctx, "turn ended", "row", string(ending.Row), "reason", ending.Reason,
		"asks", r.spent.asks, "prompt", r.spent.Prompt, "completion", r.spent.Completion, "cached", r.spent.Cached)
	if next == nil {
		return nil
	}
	return r.out.Send(ctx, *next)
}

// sample is what this turn says for those who compare turns. A message that an earlier attempt posted was shown when Discord
// made it.
func (r *run) sample() chat.Sample {
	s := r.k.Hold.Sample()
	s.Provider, s.Humanizer = r.voices.Provider(r.place.Provider), r.style
	s.Reviewed = r.reviewed
	if s.Shown.IsZero() {
		s.Shown, _ = chat.SnowflakeTime(string(r.st.Recorded(0)))
	}
	return s
}

// conclude ends a turn whose words cannot be shown. What an open intent may have posted is recorded first, as far as the
// channel can be read; what people see is what is saved.
func (r *run) conclude(ctx context.Context, over *conclusion) error {
	slog.WarnContext(ctx, "turn cannot be shown", "reason", over.end.Reason, "error", over.err)
	if err, unreadable := r.resolve(ctx), (*conclusion)(nil); err != nil && !errors.As(err, &unreadable) {
		return r.k.Retry(ctx, err)
	}
	if err := r.witness(ctx, over.end); err != nil {
		return r.k.Retry(ctx, err)
	}
	if err := r.end(ctx, over.end); err != nil {
		return r.k.Retry(ctx, err)
	}
	return nil
}
