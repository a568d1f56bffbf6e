package turn

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/llm"
	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

const (
	editEvery  = 1200 * time.Millisecond // at least, between two edits of one stream
	lookEvery  = 100 * time.Millisecond  // until there is something to show
	emptyTries = 3                       // streams of a model that says nothing
)

// errStopped means that a signal asks the turn to end.
var errStopped = stopped{}

type stopped struct{}

func (stopped) Error() string { return "the turn is asked to stop" }
func (stopped) Word() string  { return "stopped" }

// generate asks the model and shows what it says as it comes.
func (r *run) generate(ctx context.Context) (saying, error) {
	p, err := r.gather(ctx)
	if err != nil {
		if text, reason := r.unanswerable(err); reason != "" {
			slog.WarnContext(ctx, "turn cannot be spoken", "reason", reason, "error", err)
			return r.notice(ctx, text, reason)
		}
		return saying{}, err
	}
	defer r.hush()
	for try := 1; ; try++ {
		raw, done, err := r.stream(ctx, p)
		if err != nil {
			return r.failed(ctx, err)
		}
		r.k.Hold.Voiced.Tokens = done.Usage.Completion
		reply := prompt.Finish(p, raw)
		sticker := r.sticker(reply.Text)
		if words, _ := speech.Sticker(reply.Text, true); speech.Blank(words) && sticker == "" {
			reply.Empty = true
		}
		switch {
		case !reply.Empty:
			if r.place.Drafting.On {
				if reply, err = r.drafted(ctx, p, reply); err != nil {
					return saying{}, err
				}
				sticker = r.sticker(reply.Text)
			}
			say, err := r.confess(ctx, r.bounded(r.along(r.worded(reply.Text)), done.Reason))
			if err != nil {
				return saying{}, err
			}
			return r.stuck(say, sticker), r.typeOut(ctx, say.text)
		case done.Reason == llm.Filtered:
			return r.notice(ctx, r.say("notice.refused"), "model_refused")
		case try == emptyTries && reply.Other != "":
			say := r.bounded(r.along(r.worded(reply.Other)), done.Reason)
			return say, r.typeOut(ctx, say.text)
		case try == emptyTries:
			return r.notice(ctx, r.say("notice.empty"), "empty_response")
		}
		if err := sleep(ctx, time.Second); err != nil {
			return saying{}, err
		}
	}
}

// step is what the pump hands over.
type step struct {
	delta llm.Delta
	err   error
}

// pump reads the model beside the loop that shows its words, so that neither waits for the other. It ends with the stream
// or with the context.
func (r *run) pump(ctx context.Context, req llm.Request, steps chan<- step) {
	defer close(steps)
	for d, err := range r.voice.Model.Stream(ctx, req) {
		select {
		case steps <- step{d, err}:
		case <-ctx.Done():
			return
		}
	}
}

// stream shows one reply of the model while it comes: the first words when they say something, then edits at a pace. It
// returns what the model wrote.
func (r *run) stream(ctx context.Context, p prompt.Prompt) (raw string, done llm.Done, err error) {
	ctx, end := chat.Stage(ctx, chat.StageGeneration)
	defer end(&err)
	var pumping sync.WaitGroup
	defer pumping.Wait()
	live, cancel := context.WithCancel(ctx)
	defer cancel()
	steps := make(chan step, 64)
	heard := r.k.Hold.First.Ask()
	r.reviewed = r.place.Drafting.On
	pumping.Go(func() { r.pump(live, p.Request, steps) })
	if !r.spoken() {
		r.typing(ctx)
	}

	pumping.Go(func() { r.present(live) })
	begun := time.Now()
	defer func() { r.streamed = time.Since(begun) }()
	r.k.Streaming(true)
	defer r.k.Streaming(false)
	v := view{run: r, prompt: p, heard: heard, next: time.NewTimer(time.Hour)}
	defer v.next.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", llm.Done{}, context.Cause(ctx)
		case <-r.k.Signalled():
			chat.Mark(ctx, string(r.k.Signal().Kind))
			return "", llm.Done{}, v.interrupted(ctx)
		case <-v.next.C:
			if err := v.show(ctx); errors.Is(err, errFull) {
				return v.enough()
			} else if err != nil {
				return "", llm.Done{}, err
			}
		case s, ok := <-steps:
			switch {
			case !ok: // the contract promises a last delta; a model without one broke off
				return "", llm.Done{}, &llm.Error{Kind: llm.Cut}
			case s.err != nil:
				return "", llm.Done{}, s.err
			case s.delta.Done != nil:
				v.heard()
				v.raw.WriteString(s.delta.Text)
				chat.Detail(ctx, string(s.delta.Done.Reason))
				r.spent.add(s.delta.Done.Usage)
				return v.raw.String(), *s.delta.Done, nil
			}
			if err := v.take(ctx, s.delta); errors.Is(err, errFull) || v.raw.Len() > 4*r.longest { // far more than will be shown
				return v.enough()
			} else if err != nil {
				return "", llm.Done{}, err
			}
		}
	}
}

// view is what people see of a stream.
type view struct {
	*run
	prompt  prompt.Prompt
	raw     strings.Builder
	heard   func()      // notes a sign of the model
	next    *time.Timer // when the next edit may go; far away while there is nothing new
	dirty   bool
	visible string
	looked  int // bytes of raw that visible was made from
}

// take adds a delta. The first post goes out as soon as it says something.
func (v *view) take(ctx context.Context, d llm.Delta) error {
	v.k.Progress()
	v.heard()
	if d.Text == "" {
		return nil
	}
	if v.raw.Len() == 0 {
		chat.Mark(ctx, "first token")
	}
	v.raw.WriteString(d.Text)
	if v.held {
		return v.measure()
	}
	switch now := time.Now(); {
	case v.begun() && !v.dirty:
		v.dirty = true
		v.next.Reset(v.pace.Next(now).Sub(now))
	case v.begun():
	case v.raw.Len() > v.looked+v.looked/8: // not at every delta, or many small ones that show nothing would cost their square
		return v.show(ctx)
	case !v.dirty:
		v.dirty = true
		v.next.Reset(lookEvery)
	}
	return nil
}

// measure looks, now and then, whether words that are not shown yet are more than will be.
func (v *view) measure() error {
	if v.raw.Len() <= v.looked+v.looked/8+partLimit {
		return nil
	}
	if v.refresh(); len(v.contents(v.head()+v.along(v.visible))) > v.most {
		return errFull
	}
	return nil
}

// enough ends a stream of which no more can be shown.
func (v *view) enough() (raw string, done llm.Done, err error) {
	return v.raw.String(), llm.Done{Reason: llm.Length}, nil
}

// begun tells whether people see something already.
func (v *view) begun() bool { return v.part(0).Message != "" }

func (v *view) refresh() {
	v.looked = v.raw.Len()
	v.visible = v.written(prompt.Visible(v.prompt, v.raw.String()), false)
}

// show brings Discord to what is certain so far. Where an edit would have to wait for a rate limit it is made later, with
// the newest words, so that the stream is not held up.
func (v *view) show(ctx context.Context) error {
	if p, ok := v.discord.(chat.Pacer); ok && v.begun() {
		if wait := p.EditWait(v.newest()); wait > 0 {
			v.next.Reset(wait)
			return nil
		}
	}
	v.dirty = false
	if v.refresh(); !v.spoken() && !speech.Ready(v.visible) {
		return nil // it says nothing yet
	}
	if v.redo() != nil && !v.replaced { // the words come by an edit
		v.hush()
		v.replaced = true
	}
	until, err := v.display(ctx, v.head()+v.along(v.visible), growing)
	if v.k.Pausing(!until.IsZero()); !until.IsZero() && err == nil {
		v.dirty = true
		v.next.Reset(time.Until(until))
	}
	return err
}

// interrupted ends a stream on a signal. A stop keeps what was said so far, unless words are shown as a whole only; of messages
// that are typed those stay that were begun. A follow-up keeps what is on the screen.
func (v *view) interrupted(ctx context.Context) error {
	if v.k.Signal().Kind == chat.SignalStop && v.spoken() && !v.held {
		v.refresh()
		most := v.most
		for k := 1; v.typed && k < most; k++ {
			if v.part(k).Message == "" {
				most = k
			}
		}
		words, _ := v.fit(v.along(v.visible), most)
		if _, err := v.display(ctx, v.head()+speech.Close(words), final); err != nil {
			return err
		}
	}
	return errStopped
}

// whole is how much of a text there is.
type whole int

const (
	growing  whole = iota // more may follow
	complete              // all of it is known, and it is typed message by message
	final                 // it is decided
)

// display brings the parts of the turn to text. All but the last are as they will stay; the last is shown open-ended while
// the stream goes on, and where each message is a new one, as soon as it says something. Messages that are typed stop at the one
// that is being typed, with the time until which it is. What goes on for more messages than a turn may send is shown as far as
// it fits, with errFull.
func (r *run) display(ctx context.Context, text string, is whole) (typing time.Time, err error) {
	if r.mask.lost && !r.st.HasText { // the text may be from before
		text = r.unmasked(text)
	}
	typing, err = r.bring(ctx, text, is)
	if errors.Is(err, errUnmasked) {
		return r.bring(ctx, r.unmasked(text), is)
	}
	if errors.Is(err, errNoSticker) && r.st.HasText {
		if err = r.unstick(ctx); err == nil {
			return r.bring(ctx, r.st.Text, is)
		}
	}
	return typing, err
}

// bring is display, which may find that the persona has no face.
func (r *run) bring(ctx context.Context, text string, is whole) (typing time.Time, err error) {
	parts := r.contents(text)
	full := error(nil)
	if is == growing && len(parts) > r.most {
		parts, full = parts[:r.most], errFull
	}
	r.feet.over = is == final
	for k, content := range parts {
		open := is == growing && k == len(parts)-1 && full == nil
		if open {
			content = strings.TrimSpace(speech.Open(content))
			if r.slight(k, content) {
				r.announce(ctx)
				return time.Time{}, nil
			}
		}
		if until := r.typedUntil(ctx, k, content); is != final && until.After(time.Now()) {
			r.announce(ctx)
			return until, full
		}
		if k == 0 || !alone(content) {
			r.feet.tail = k
		}
		if r.goesOn(ctx, parts, k, is, full == nil) {
			r.feet.tail++
		}
		if err := r.show(ctx, k, content, !open); err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, full
}

// slight tells whether a message of its own would say too little yet.
func (r *run) slight(k int, content string) bool {
	return k > 0 && r.grain != speech.Whole && r.part(k).Message == "" && !speech.Ready(content)
}

// show brings part k to content.
func (r *run) show(ctx context.Context, k int, content string, final bool) error {
	switch {
	case alone(content):
		return r.stick(ctx, k, content)
	case r.stickered(k):
		return r.renew(ctx, k, content, errNoSticker)
	}
	was := r.shown[k]
	r.open = !final
	err := r.ensure(ctx, k, content)
	if r.open = false; err != nil {
		return err
	}
	err = r.edit(ctx, k, content, final)
	if r.shown[k] != was {
		r.said = time.Now()
	}
	return err
}

// contents cuts text into what Discord will show. What stands before the words stays with the first.
func (r *run) contents(text string) []string {
	text, sticker := parted(text)
	head, words := r.headed(text)
	parts := speech.Divide(head, words, r.grain, partLimit)
	if sticker != "" {
		parts = append(parts, sticker)
	}
	return parts
}

// limited slows this stream down.
func (r *run) limited(err error) {
	var f *chat.Failure
	if errors.As(err, &f) {
		r.pace.Limited(time.Now(), f.Global, f.After)
	}
}

// newest is the last message of the turn that is there: the one that grows.
func (r *run) newest() chat.Ref {
	last := chat.Part{K: -1}
	for _, p := range r.st.Parts {
		if p.Message != "" && !p.Dropped && p.K > last.K {
			last = p
		}
	}
	return r.ref(&last)
}
