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

// lateBy is how long after its time-out a call may still land (reference/protocol.md, section 2).
const lateBy = 15 * time.Second

// patient is how often one attempt tries what Discord throttles or does not answer.
const patient = 8

var errThrottled = errors.New("discord keeps refusing the call for now")

// part is the record of part k in what is known of the turn.
func (r *run) part(k int) *chat.Part {
	for i := range r.st.Parts {
		if r.st.Parts[i].K == k {
			return &r.st.Parts[i]
		}
	}
	r.st.Parts = append(r.st.Parts, chat.Part{K: k})
	return &r.st.Parts[len(r.st.Parts)-1]
}

// ref is where a recorded part is.
func (r *run) ref(p *chat.Part) chat.Ref {
	return chat.Ref{Channel: r.k.Hold.Channel, Message: p.Message, Hook: p.Hook}
}

// ensure makes part k exist in Discord and in the record, with content as its first words unless an earlier attempt has
// begun it with others. It decides as reference/protocol.md, section 4, "look".
func (r *run) ensure(ctx context.Context, k int, content string) (err error) {
	p := r.part(k)
	if p.Message != "" {
		return nil
	}
	r.lead(ctx, k)
	ctx, end := chat.Stage(ctx, chat.StageSink)
	defer end(&err)
	for tries := 0; p.Message == ""; tries++ {
		if tries == patient {
			return errThrottled
		}
		stamped, err := r.intend(ctx, p, content)
		if err != nil {
			return err
		}
		if p.Message != "" {
			break // found
		}
		if err := r.create(ctx, p, stamped); err != nil {
			return err
		}
	}
	return nil
}

// intend leads to a create that may start now: a new intent, or an earlier one that is young enough to rely on its nonce.
// An older one, or one with a face, which has no use of a nonce, is looked for in the channel first. It returns when the attempt was stamped.
func (r *run) intend(ctx context.Context, p *chat.Part, content string) (time.Time, error) {
	switch now := time.Now(); {
	case p.Intent == nil, r.void[p.K]:
		return now, r.newIntent(ctx, p, content, now)
	case !p.Intent.Face && now.Sub(p.Intent.At) <= chat.NonceTrust:
		err := r.turns.Stamp(ctx, r.k.Hold, p.K, now)
		if err == nil {
			p.Intent.Tried = now
			return now, nil
		}
		if !errors.Is(err, chat.ErrTooOld) {
			return now, err
		}
	}
	if err := r.find(ctx, p); err != nil || p.Message != "" {
		return time.Time{}, err
	}
	now := time.Now()
	return now, r.newIntent(ctx, p, content, now)
}

func (r *run) newIntent(ctx context.Context, p *chat.Part, content string, now time.Time) error {
	h := r.k.Hold
	if p.Intent != nil && !now.After(p.Intent.At) {
		now = p.Intent.At.Add(time.Millisecond) // of the same instant it would have the same nonce
	}
	in := chat.Intent{Content: content, Nonce: chat.Nonce(h.Event.ID, h.Head.Turn, p.K, now), Face: r.masks(), At: now, Tried: now}
	if err := r.turns.Intend(ctx, h, p.K, in, p.Intent); err != nil {
		return r.unlessSignalled(ctx, err)
	}
	p.Intent = &in
	delete(r.void, p.K)
	r.fresh[p.K] = true
	return nil
}

// unlessSignalled sees the signal for which the store refused to go on.
func (r *run) unlessSignalled(ctx context.Context, err error) error {
	if !errors.Is(err, chat.ErrSignalled) {
		return err
	}
	if err := r.k.Look(ctx); err != nil {
		return err
	}
	return errStopped
}

// create posts exactly what the intent says, and records the id before anything else. It starts within CreateWithin of the
// stamp and under a fresh beat, or not at all. When there is no answer the turn is tried again later, never blindly.
func (r *run) create(ctx context.Context, p *chat.Part, stamped time.Time) error {
	if err := r.k.Ready(ctx); err != nil {
		return err
	}
	if time.Since(stamped) > chat.CreateWithin {
		return nil // paused for too long: judge again
	}
	r.pace.Sent(time.Now())
	mark, rows := r.rows(p.K)
	post := chat.Post{Channel: r.k.Hold.Channel, Content: p.Intent.Content, Rows: rows, Nonce: p.Intent.Nonce, ReplyTo: r.reply(p.K), Ping: r.ping(p.Intent.Content)}
	if p.Intent.Face {
		post.As, post.Nonce, post.ReplyTo = r.mask.face, "", ""
	}
	if err := r.posted(&post); err != nil {
		r.void[p.K] = errors.Is(err, errNoSticker)
		return err
	}
	made, err := r.discord.Create(ctx, post)
	switch chat.FailureOf(err) {
	case "":
		if r.shown[p.K] = p.Intent.Content; p.K == 0 {
			chat.Mark(ctx, "first visible")
			if r.k.Hold.First.Shown.IsZero() {
				r.k.Hold.First.Shown = time.Now()
			}
		}
		if r.k.Hold.Fresh { // else it may be a message that an earlier attempt made
			r.feet.known[p.K] = mark
		}
		return r.record(ctx, p, made)
	case chat.Rejected, chat.Vanished:
		r.remember(ctx, err)
		if !r.fresh[p.K] { // of an earlier attempt's intent something may have landed before
			if lost := r.find(ctx, p); lost != nil && !errors.As(lost, new(*conclusion)) || p.Message != "" {
				return lost
			}
		}
		r.void[p.K] = true
		if post.Sticker != "" && codeOf(err) != unknownChannel && codeOf(err) != unknownMessage {
			return errNoSticker
		}
		return refused(err, "send_refused")
	case chat.NoHook:
		return r.unmask(ctx, p, err)
	case chat.Throttled:
		if p.Intent.Face { // the intent is not to be looked for
			r.void[p.K] = true
		}
		return r.await(ctx, err) // nothing happened
	}
	return err
}

// reply is the message that the first part replies to.
func (r *run) reply(k int) chat.MessageID {
	if k > 0 {
		return ""
	}
	return r.replyTo
}

// await waits out a short throttle; a long one is for a later attempt.
func (r *run) await(ctx context.Context, err error) error {
	var f *chat.Failure
	if !errors.As(err, &f) || f.After > chat.CreateWithin {
		return err
	}
	return sleep(ctx, max(f.After, 50*time.Millisecond))
}

func (r *run) record(ctx context.Context, p *chat.Part, m chat.Ref) error {
	if err := r.turns.Record(ctx, r.k.Hold, p.K, m); err != nil {
		return err
	}
	p.Message, p.Hook = m.Message, m.Hook
	chat.Posted(ctx, m.Message)
	return nil
}

// find looks for a message that an earlier attempt made and could not record. It reads when every call of that attempt has
// landed or failed, and adopts only a message of ours with exactly the intent's words that no part of any turn has.
func (r *run) find(ctx context.Context, p *chat.Part) error {
	if err := sleep(ctx, time.Until(p.Intent.Tried.Add(chat.Settle))); err != nil {
		return err
	}
	after := chat.MessageID(r.k.Hold.Event.ID) // by Discord's clock; ours may be ahead of it, and nothing of the turn is older
	for {
		if err := r.k.Ready(ctx); err != nil {
			return err
		}
		page, err := r.discord.After(ctx, r.k.Hold.Channel, after, 100)
		if chat.FailureOf(err) == chat.Vanished || chat.FailureOf(err) == chat.Rejected {
			return &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "channel_unreadable"}, err: err}
		}
		if err != nil {
			return err
		}
		if err := r.adopt(ctx, p, page); err != nil || p.Message != "" || len(page) < 100 {
			return err
		}
		after = page[len(page)-1].ID
	}
}

func (r *run) adopt(ctx context.Context, p *chat.Part, page []chat.Message) error {
	var ids []chat.MessageID
	hooks := map[chat.MessageID]chat.HookID{}
	for _, m := range page {
		if m.Author.Us && !m.Edited && said(m) == p.Intent.Content && p.Intent.Face == (m.Hook != "") {
			ids, hooks[m.ID] = append(ids, m.ID), m.Hook
		}
	}
	if len(ids) == 0 {
		return nil
	}
	taken, err := r.turns.Whose(ctx, r.k.Hold.Channel, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, is := taken[id]; is || r.own(id) {
			continue
		}
		err := r.record(ctx, p, chat.Ref{Channel: r.k.Hold.Channel, Message: id, Hook: hooks[id]})
		if errors.Is(err, chat.ErrTaken) {
			continue
		}
		r.shown[p.K] = p.Intent.Content
		slog.InfoContext(ctx, "adopted a message", "part", p.K)
		return err
	}
	return nil
}

// edit brings part k to content. final edits are made until they are done; others may be skipped, the next one repairs.
func (r *run) edit(ctx context.Context, k int, content string, final bool) error {
	p := r.part(k)
	mark, rows := r.rows(k)
	for tries := 0; r.shown[k] != content || !r.stands(k, mark); tries++ {
		if tries == patient {
			return errThrottled
		}
		if err := r.k.Ready(ctx); err != nil {
			return err
		}
		begun := time.Now()
		r.pace.Sent(begun)
		err := r.discord.Edit(ctx, r.ref(p), chat.Shown{Content: content, Rows: rows})
		switch chat.FailureOf(err) {
		case "":
			r.shown[k], r.at[k], r.feet.known[k] = content, begun, mark
			return nil
		case chat.Vanished, chat.Rejected, chat.NoHook:
			if codeOf(err) == unknownMessage {
				delete(r.shown, k) // it shows nothing any more
			}
			if r.settling && chat.FailureOf(err) == chat.NoHook {
				r.shown[k] = content // no edit that is on its way can land any more
				return nil
			}
			if unchangeable(err) {
				return r.renew(ctx, k, content, err)
			}
			return refused(err, "edit_refused")
		case chat.Throttled:
			r.limited(err)
			if !final {
				return nil
			}
			if err := r.await(ctx, err); err != nil {
				return err
			}
		default:
			delete(r.shown, k)
			delete(r.feet.known, k) // it may have happened: nobody knows what people see
			if f := (*chat.Failure)(nil); errors.As(err, &f) && f.Status == 0 {
				if err := r.unanswered(ctx, k, begun); err != nil {
					return err
				}
			}
			if !final {
				return nil
			}
			if tries == 3 {
				return err
			}
			if err := sleep(ctx, time.Second); err != nil {
				return err
			}
		}
	}
	return nil
}

// unanswered notes an edit that may still land, also for a later attempt.
func (r *run) unanswered(ctx context.Context, k int, begun time.Time) error {
	r.late[k] = begun
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), chat.Call) // it is told even when this process is leaving
	defer done()
	return r.turns.Late(ctx, r.k.Hold, k, begun)
}

// outlast repeats the last edit of every part that had an edit without an answer, once that edit can no longer land: it
// would put older words over the final ones.
func (r *run) outlast(ctx context.Context) error {
	for k, begun := range r.late {
		content, known := r.shown[k]
		over := begun.Add(chat.Call + lateBy)
		if !known || r.part(k).Dropped || r.at[k].After(over) {
			continue
		}
		if err := sleep(ctx, time.Until(over)); err != nil {
			return err
		}
		delete(r.shown, k)
		if err := r.edit(ctx, k, content, true); err != nil {
			return err
		}
	}
	return nil
}

// resolve settles every open intent by reading, not by creating: a stopped or failing turn must not leave a message that no
// record knows.
func (r *run) resolve(ctx context.Context) error {
	for i := range r.st.Parts {
		if p := &r.st.Parts[i]; p.Intent != nil && p.Message == "" && !p.Dropped && !r.void[p.K] {
			if err := r.find(ctx, p); err != nil {
				return err
			}
			r.void[p.K] = p.Message == ""
		}
	}
	return nil
}

// screen is what people see of the turn: the words of its recorded parts as they stand in the channel. What had to be read
// may still be changed by an edit on its way, so it does not count as shown: settle edits it once more.
func (r *run) screen(ctx context.Context) (string, error) {
	slices.SortFunc(r.st.Parts, func(a, b chat.Part) int { return a.K - b.K })
	var texts []string
	for _, p := range r.st.Parts {
		if p.Message == "" || p.Dropped {
			continue
		}
		text, known := r.shown[p.K]
		if !known {
			if err := r.k.Ready(ctx); err != nil {
				return "", err
			}
			page, err := r.discord.After(ctx, r.k.Hold.Channel, before(p.Message), 1)
			switch chat.FailureOf(err) {
			case "":
			case chat.Rejected: // no permission to read: what is there stays, and is not known
				r.blind = true
				continue
			case chat.Vanished:
				return "", &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "channel_gone"}, err: err}
			default:
				return "", err
			}
			if len(page) == 0 || page[0].ID != p.Message {
				continue // a moderator deleted it
			}
			text = said(page[0])
			r.read[p.K] = text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, r.joined), nil
}

// settle edits the parts that screen had to read to what it read, and below the last of them it puts what stands there in the end.
func (r *run) settle(ctx context.Context) error {
	r.settling = true
	defer func() { r.settling = false }()
	for _, p := range r.st.Parts {
		if _, ok := r.visible(p); ok {
			r.feet.tail, r.feet.over = p.K, true
		}
	}
	for _, p := range r.st.Parts {
		if text, ok := r.visible(p); ok && !stickerTag.MatchString(text) {
			if err := r.edit(ctx, p.K, text, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// visible is what a part shows, as far as screen has found it there.
func (r *run) visible(p chat.Part) (string, bool) {
	if p.Message == "" || p.Dropped {
		return "", false
	}
	if text, ok := r.read[p.K]; ok {
		return text, true
	}
	text, ok := r.shown[p.K]
	return text, ok
}

// before is the id just below a message's.
func before(id chat.MessageID) chat.MessageID {
	digits := []byte(id)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] > '0' {
			digits[i]--
			break
		}
		digits[i] = '9'
	}
	return chat.MessageID(digits)
}

// sleep waits, or returns why the context ended.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
