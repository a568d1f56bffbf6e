package turn

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/locale"
	"tsumugi/shared/prompt"
)

// say is a notice in the language of the place.
func (r *run) say(key string, fill ...any) string {
	return locale.Pick(r.place.Language).Say(key, fill...)
}

// notice ends a turn with a sentence for the person, under what is visible already. An earlier attempt may have got as far
// as showing the same sentence.
func (r *run) notice(ctx context.Context, text, reason string) (saying, error) {
	seen, err := r.screen(ctx)
	if err != nil {
		return saying{}, err
	}
	label := r.head()
	text = "-# " + text
	if seen = strings.TrimRight(strings.TrimSuffix(seen, text), "\n"); seen != "" {
		text, label = seen+"\n"+text, ""
	}
	text = label + text
	return saying{text, chat.Ending{Row: chat.Failed, Reason: reason}}, nil
}

// told is the whole of a turn that only tells the person why there is no answer: because the plan says so, or because the turn was
// started too often. No model is asked.
func (r *run) told(ctx context.Context) (saying, error) {
	if err := r.adapt(); err != nil {
		return saying{}, err
	}
	if err := r.welcome(); err != nil {
		return saying{}, err
	}
	if err := r.dress(ctx); err != nil {
		return saying{}, err
	}
	why := r.turn().Notice
	if notices[why] == "" { // the turn failed too often, or another version has more words
		why = "poison"
	}
	return r.notice(ctx, r.say(notices[why]), why)
}

// notices are the words of a plan that say why there is no answer.
var notices = map[string]string{
	"poison":         "notice.poison",
	guild.DailyLimit: "notice.daily_limit",
	guild.NoProvider: "notice.no_provider",
	guild.SpendCap:   "notice.spend_cap",
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
	if text, reason := r.unanswerable(err); reason != "" {
		slog.WarnContext(ctx, "turn cannot be spoken", "reason", reason, "error", err)
		return r.notice(ctx, text, reason)
	}
	var e *llm.Error
	if !errors.As(err, &e) {
		return saying{}, err // not the model's: a signal, Discord, the store, or a key that cannot be read
	}
	slog.WarnContext(ctx, "model failed", "kind", string(e.Kind), "status", e.Status, "code", e.Code, "error", e)
	if r.k.Hold.Head.Retries < patience(e.Kind) && e.RetryAfter <= longestWait {
		return saying{}, chat.Defer(err, e.RetryAfter)
	}
	return r.notice(ctx, r.complaint(e.Kind), "model_"+string(e.Kind))
}

// complaint tells a person what is wrong with the model, and who can mend it.
func (r *run) complaint(kind llm.Kind) string {
	switch kind {
	case llm.RateLimited:
		return r.say("notice.rate_limited")
	case llm.Overloaded:
		return r.say("notice.overloaded")
	case llm.TimedOut, llm.Cut:
		return r.say("notice.cut")
	case llm.Unauthorized, llm.NotFound, llm.Unreachable:
	default:
		kind = llm.Invalid
	}
	if p := r.place.Provider; p != nil {
		return r.say("notice.provider."+string(kind), "provider", harmless(p.Name), "model", harmless(p.Model))
	}
	return r.say("notice.operator." + string(kind))
}

// unanswerable tells what a person may read where a turn cannot be spoken as things are set, and why; "" where that is not so.
func (r *run) unanswerable(err error) (text, reason string) {
	name := ""
	if p := r.place.Provider; p != nil {
		name = harmless(p.Name)
	}
	switch {
	case errors.Is(err, prompt.ErrInput):
		return r.say("notice.too_long"), "prompt_too_long"
	case errors.Is(err, prompt.ErrBudget):
		return r.say("notice.card_too_large"), "prompt_too_long"
	case errors.Is(err, guild.ErrUnsealable):
		return r.say("notice.key_lost", "provider", name), "key_lost"
	case errors.Is(err, ErrAddress):
		return r.say("notice.address", "provider", name), "address_refused"
	case errors.Is(err, errNothing):
		return r.say("notice.nothing_to_answer"), "nothing_to_answer"
	case errors.Is(err, ErrNoVoice):
		return r.say("notice.no_provider"), guild.NoProvider
	}
	return "", ""
}

// markup takes their meaning from the characters that format a line, mention somebody or make a link.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "`", "\\`", "@", "@\u200b", "<", `\<`, "[", `\[`, "://", `\://`)

// harmless is a name that an admin gave, for a sentence of ours.
func harmless(name string) string { return markup.Replace(strings.Join(strings.Fields(name), " ")) }
