package turn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
)

// Discord's codes that a turn decides on. A create answers unknownMessage when the message that its nonce made was deleted
// meanwhile.
const (
	unknownChannel     = 10003
	unknownMessage     = 10008
	tooOldToEdit       = 30046 // older than an hour, and edited more often than Discord wants that
	missingAccess      = 50001
	emptyWords         = 50006
	missingPermissions = 50013
	invalidForm        = 50035
	threadArchived     = 50083
	threadLocked       = 160005
	autoMod            = 200000 // a rule of the server blocks the words
	autoModTitle       = 200001
	harmfulLink        = 240000
)

// verdict is what a refusal means for the turn.
type verdict struct {
	end chat.Ending
	// told is the key of what people read in place of the words, where Discord refused the words and not the place. Elsewhere
	// nothing can be said.
	told string
}

// verdicts are the refusals that say more than that nothing may be shown.
var verdicts = map[int]verdict{
	unknownChannel: {chat.Ending{Row: chat.Failed, Reason: "channel_gone"}, ""},
	unknownMessage: {chat.Ending{Row: chat.Interrupted, Reason: "reply_deleted"}, ""}, // by a moderator, who does not want it again
	threadLocked:   {chat.Ending{Row: chat.Failed, Reason: "thread_locked"}, ""},
	threadArchived: {chat.Ending{Row: chat.Failed, Reason: "thread_locked"}, ""},
	emptyWords:     {chat.Ending{Row: chat.Failed, Reason: "words_refused"}, "notice.words_refused"},
	invalidForm:    {chat.Ending{Row: chat.Failed, Reason: "words_refused"}, "notice.words_refused"},
	autoMod:        {chat.Ending{Row: chat.Failed, Reason: "automod"}, "notice.automod"},
	autoModTitle:   {chat.Ending{Row: chat.Failed, Reason: "automod"}, "notice.automod"},
	harmfulLink:    {chat.Ending{Row: chat.Failed, Reason: "automod"}, "notice.automod"},
}

// codeOf is Discord's code in an error; 0 for none.
func codeOf(err error) int {
	if f := (*chat.Failure)(nil); errors.As(err, &f) {
		return f.Code
	}
	return 0
}

// shut are the refusals that are the channel's and not the message's: the next message would be refused too.
var shut = map[int]bool{unknownChannel: true, missingAccess: true, missingPermissions: true}

// errShut is the failure of a turn in a channel that lately refused to be written to.
var errShut = errors.New("the channel refused a moment ago")

// welcome ends the turn before anything is asked of Discord or a model, where Discord would refuse what comes of it. Who uses
// a command may have mended it, and is told by its answer: there it is tried.
func (r *run) welcome() error {
	if r.place.Refusing == 0 || r.k.Hold.Head.Kind == chat.Command {
		return nil
	}
	return &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "recent_send_refused"},
		err: fmt.Errorf("code %d: %w", r.place.Refusing, errShut)}
}

// remember tells all processes that the channel refuses, or does so no longer. What cannot be told is found out again.
func (r *run) remember(ctx context.Context, err error) {
	code, h := codeOf(err), r.k.Hold
	var failed error
	switch {
	case r.opt.Refusals == nil:
	case shut[code]:
		slog.WarnContext(ctx, "the channel refuses to be written to", "code", code, "for", chat.RefusedFor.String())
		failed = r.opt.Refusals.Refuse(ctx, h.Event.Guild, h.Channel, code)
	case err == nil && r.place.Refusing != 0:
		failed = r.opt.Refusals.Accept(ctx, h.Event.Guild, h.Channel)
	}
	if failed != nil {
		slog.WarnContext(ctx, "that a channel refuses could not be noted", "error", failed)
	}
}

// refused ends the turn because Discord will never do a call; reason is for a refusal that says no more than that.
func refused(err error, reason string) *conclusion {
	v, known := verdicts[codeOf(err)]
	if !known {
		v.end = chat.Ending{Row: chat.Failed, Reason: reason}
	}
	return &conclusion{end: v.end, err: err, told: v.told}
}

// unchangeable tells whether a refused edit says that the message itself can be changed no more.
func unchangeable(err error) bool {
	return codeOf(err) == tooOldToEdit || chat.FailureOf(err) == chat.NoHook
}

// renew puts a message in the place of one that nobody can change any more: that one is deleted, and content is posted anew.
func (r *run) renew(ctx context.Context, k int, content string, cause error) error {
	if r.renewed[k] {
		return refused(cause, "edit_refused")
	}
	r.renewed[k] = true
	if err := r.retire(ctx, k); err != nil {
		return err
	}
	if err := r.withdraw(ctx, chat.Retired); err != nil {
		return err
	}
	for _, p := range r.st.Parts {
		if p.K >= chat.Retired {
			delete(r.shown, p.K)
		}
	}
	return r.ensure(ctx, k, content)
}

// retire takes the message of part k out of its place, so that another one may be posted there. It is to be deleted.
func (r *run) retire(ctx context.Context, k int) error {
	words, known := r.shown[k]
	if err := r.turns.Retire(ctx, r.k.Hold, k); err != nil {
		return err
	}
	r.st.Parts = append(r.st.Parts[:0:0], r.k.Hold.Parts...)
	for _, p := range r.st.Parts {
		if p.K >= chat.Retired && known {
			r.shown[p.K] = words
		}
	}
	delete(r.shown, k)
	delete(r.feet.known, k)
	delete(r.late, k)
	return nil
}

// freshAfter is how long a message has to grow before it is posted anew.
const freshAfter = 30 * time.Second

// freshen makes room for a fresh message in the place of the last one, where it has grown for so long that people may have read its
// beginning and gone: of edits Discord tells nobody. The old one stays until the new one is there (see finish).
func (r *run) freshen(ctx context.Context, k int) error {
	p := r.part(k)
	if !r.place.Fresh || p.Message == "" || r.streamed < freshAfter {
		return nil
	}
	if at, ok := chat.SnowflakeTime(string(p.Message)); !ok || time.Since(at) < freshAfter {
		return nil
	}
	return r.retire(ctx, k)
}

// retell tells people that their server does not let the words be shown, under what is visible already.
func (r *run) retell(ctx context.Context, over *conclusion) error {
	if err := r.resolve(ctx); err != nil {
		return err
	}
	say, err := r.notice(ctx, r.say(over.told), over.end.Reason)
	if err != nil {
		return err
	}
	if r.st.HasText {
		if err := r.revise(ctx, say); err != nil {
			return err
		}
	}
	if err := r.finish(ctx, say); err != nil {
		return err
	}
	return r.end(ctx, chat.Ending{Row: r.st.Ending, Reason: r.st.Reason})
}

// revise replaces the text that was decided.
func (r *run) revise(ctx context.Context, say saying) error {
	if err := r.turns.Revise(ctx, r.k.Hold, say.text, say.end); err != nil {
		return err
	}
	r.st.Text, r.st.HasText, r.st.Ending, r.st.Reason = say.text, true, say.end.Row, say.end.Reason
	return nil
}

// witness saves what people see of a turn that Discord lets nobody bring to its text.
func (r *run) witness(ctx context.Context, end chat.Ending) error {
	if r.manner.joined == "" {
		if err := r.adapt(); err != nil {
			return err
		}
	}
	for k, begun := range r.late { // an edit on its way may still change it
		if over := begun.Add(chat.Call + lateBy); !r.at[k].After(over) {
			if err := sleep(ctx, time.Until(over)); err != nil {
				return err
			}
			delete(r.shown, k)
		}
	}
	text, err := r.screen(ctx)
	if gone := (*conclusion)(nil); errors.As(err, &gone) {
		text, err = "", nil // with its channel
	}
	asWas := err == nil && r.untouched(text)
	switch {
	case err != nil, asWas, r.blind && r.st.HasText, r.st.HasText && text == r.st.Text:
	case r.st.HasText:
		err = r.revise(ctx, saying{text, end})
	case text != "":
		err = r.decide(ctx, saying{text, end})
	}
	if err == nil && !asWas && text != "" && r.st.HasText {
		r.vary(r.st.Text, end)
	}
	return err
}
