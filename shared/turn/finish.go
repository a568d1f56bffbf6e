package turn

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/llm"
	"tsumugi/shared/prompt"
)

// finish stores the text and brings Discord to it, before the turn ends: in this order, so that what people see always ends
// equal to what is saved. The first part exists before the text is stored; a signal that came before that ends the turn as
// it stands, and the store sees to it that none is missed.
func (r *run) finish(ctx context.Context, say saying) (err error) {
	ctx, end := chat.Stage(ctx, chat.StageEffects)
	defer end(&err)
	parts := contents(say.text)
	if !r.st.HasText {
		if len(parts) > 0 {
			if err := r.ensure(ctx, 0, parts[0]); err != nil {
				return err
			}
		}
		if r.k.Signal().Kind != chat.NoSignal && say.end.Row == chat.Answered {
			return errStopped
		}
		if err := r.decide(ctx, say); err != nil {
			return err
		}
	}
	if err := r.display(ctx, r.st.Text, true); err != nil {
		return err
	}
	if err := r.withdraw(ctx, len(contents(r.st.Text))); err != nil {
		return err
	}
	return r.outlast(ctx)
}

// decide stores the text, or takes over what an earlier attempt stored.
func (r *run) decide(ctx context.Context, say saying) error {
	st, err := r.turns.SaveText(ctx, r.k.Hold, say.text, say.end)
	if err != nil {
		return r.unlessSignalled(ctx, err)
	}
	r.st.Text, r.st.HasText, r.st.Ending, r.st.Reason = st.Text, true, st.Ending, st.Reason
	return nil
}

// withdraw deletes the parts of an earlier attempt that the text does not need.
func (r *run) withdraw(ctx context.Context, needed int) error {
	for i := range r.st.Parts {
		p := &r.st.Parts[i]
		if p.K < needed || p.Dropped {
			continue
		}
		if p.Message == "" && p.Intent != nil {
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
		switch err := r.discord.Delete(ctx, r.k.Hold.Channel, p.Message); chat.FailureOf(err) {
		case "", chat.Vanished, chat.Rejected: // gone, or not to be had
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
	spoken := 0 // parts that this attempt has words of its own in
	for k := range r.shown {
		spoken = max(spoken, k+1)
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
	if strings.TrimSpace(text) == "" {
		return r.end(ctx, ending)
	}
	if !r.st.HasText {
		if err := r.decide(ctx, saying{text, ending}); err != nil {
			return err
		}
	}
	if r.st.Text != text { // an earlier attempt decided on more
		if err := r.display(ctx, r.st.Text, true); err != nil {
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
	slog.InfoContext(ctx, "turn ended", "row", string(ending.Row), "reason", ending.Reason)
	if next == nil {
		return nil
	}
	return r.out.Send(ctx, *next)
}

// sample is what this turn says for those who compare turns. A message that an earlier attempt posted was shown when Discord
// made it.
func (r *run) sample() chat.Sample {
	s := r.k.Hold.Sample()
	s.Provider, s.Humanizer = r.opt.Provider, r.style
	if s.Shown.IsZero() {
		s.Shown, _ = chat.SnowflakeTime(string(r.st.Recorded(0)))
	}
	return s
}

// conclude ends a turn whose words cannot be shown. What an open intent may have posted is recorded first, as far as the
// channel can be read.
func (r *run) conclude(ctx context.Context, over *conclusion) error {
	slog.WarnContext(ctx, "turn cannot be shown", "reason", over.end.Reason, "error", over.err)
	if err, unreadable := r.resolve(ctx), (*conclusion)(nil); err != nil && !errors.As(err, &unreadable) {
		return r.k.Retry(ctx, err)
	}
	if err := r.end(ctx, over.end); err != nil {
		return r.k.Retry(ctx, err)
	}
	return nil
}

// notice ends a turn with a sentence for the person, under what is visible already. An earlier attempt may have got as far
// as showing the same sentence.
func (r *run) notice(ctx context.Context, text, reason string) (saying, error) {
	seen, err := r.screen(ctx)
	if err != nil {
		return saying{}, err
	}
	label := r.turn().Label
	text = "-# " + text
	if seen = strings.TrimSuffix(strings.TrimSuffix(seen, text), "\n"); seen != "" {
		text, label = seen+"\n"+text, ""
	}
	text = label + text
	return saying{text, chat.Ending{Row: chat.Failed, Reason: reason}}, nil
}

// poisoned is the whole of a turn that was started too often: no model is asked.
func (r *run) poisoned(ctx context.Context) (saying, error) {
	return r.notice(ctx, "I tried several times and could not answer this. Please ask again; if it keeps happening, tell an admin of this server.", "poison")
}

// longestWait is the longest that a person waits for a model without a word.
const longestWait = 5 * time.Minute

// patience is how many retries a failure of a model is worth; the backoff doubles up to a minute, so 4 are a quarter of a
// minute and 18 a quarter of an hour.
func patience(kind llm.Kind) int {
	switch kind {
	case llm.RateLimited, llm.Overloaded:
		return 18
	case llm.Unreachable, llm.TimedOut, llm.Cut:
		return 4
	}
	return 0
}

// failed judges the end of a stream by an error: try again later, or tell the person what is wrong and who can mend it.
func (r *run) failed(ctx context.Context, err error) (saying, error) {
	var e *llm.Error
	if !errors.As(err, &e) {
		return saying{}, err // not the model's: a signal, Discord, the store, or a key that cannot be read
	}
	slog.WarnContext(ctx, "model failed", "kind", string(e.Kind), "status", e.Status, "code", e.Code, "error", e)
	if r.k.Hold.Head.Retries < patience(e.Kind) && e.RetryAfter <= longestWait {
		return saying{}, chat.Defer(err, e.RetryAfter)
	}
	return r.notice(ctx, sentence(e.Kind), "model_"+string(e.Kind))
}

// sentence tells a person what is wrong with the model, and who can mend it.
func sentence(kind llm.Kind) string {
	switch kind {
	case llm.Unauthorized:
		return "The model's provider refuses my key. Whoever runs this bot needs to check TSUMUGI_MODEL_KEY."
	case llm.NotFound:
		return "The model is not found at its provider. Whoever runs this bot needs to check TSUMUGI_MODEL and TSUMUGI_MODEL_URL."
	case llm.Unreachable:
		return "I cannot reach the model. Whoever runs this bot needs to check TSUMUGI_MODEL_URL, and that the model server runs."
	case llm.RateLimited:
		return "The model's provider asks me to slow down for longer than I can wait. Please try again later."
	case llm.Overloaded:
		return "The model's provider is overloaded. Please try again later."
	case llm.TimedOut, llm.Cut:
		return "The model broke off. Please try again."
	}
	return "The model's provider did not understand me. Whoever runs this bot finds the reason in the log."
}

// unanswerable tells what a person may read of a prompt that cannot be made.
func unanswerable(err error) (string, bool) {
	switch {
	case errors.Is(err, prompt.ErrInput):
		return "That message is too long for the model I speak with. Please send a shorter one.", true
	case errors.Is(err, prompt.ErrBudget):
		return "My character card does not fit into the model I speak with. Whoever runs this bot needs a model with more context.", true
	}
	return "", false
}
