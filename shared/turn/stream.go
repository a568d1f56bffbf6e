package turn

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/llm"
	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

const (
	editEvery   = 1200 * time.Millisecond // at least, between two edits of one stream
	typingEvery = 8 * time.Second         // Discord shows it for ten
	lookEvery   = 100 * time.Millisecond  // until there is something to show
	emptyTries  = 3                       // streams of a model that says nothing
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
		if text, ok := unanswerable(err); ok {
			return r.notice(ctx, text, "prompt_too_long")
		}
		return saying{}, err
	}
	for try := 1; ; try++ {
		raw, done, err := r.stream(ctx, p)
		if err != nil {
			return r.failed(ctx, err)
		}
		reply := prompt.Finish(p, raw)
		switch {
		case !reply.Empty:
			return saying{r.turn().Label + speech.Cap(speech.Safe(reply.Text), r.opt.MaxReply), chat.Ending{Row: chat.Answered, Reason: string(done.Reason)}}, nil
		case done.Reason == llm.Filtered:
			return r.notice(ctx, "The model's provider would not let me answer that.", "model_refused")
		case try == emptyTries:
			return r.notice(ctx, "The model gave me nothing to say. Please try again.", "empty_response")
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
	for d, err := range r.model.Stream(ctx, req) {
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
	pumping.Go(func() { r.pump(live, p.Request, steps) })
	quiet := r.typing(live)
	defer quiet()

	r.active.Add(1)
	defer r.active.Add(-1)
	r.k.Streaming(true)
	defer r.k.Streaming(false)
	v := view{run: r, prompt: p, heard: heard, quiet: quiet, next: time.NewTimer(time.Hour)}
	defer v.next.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", llm.Done{}, context.Cause(ctx)
		case <-r.k.Signalled():
			chat.Mark(ctx, string(r.k.Signal().Kind))
			return "", llm.Done{}, v.interrupted(ctx)
		case <-v.next.C:
			if err := v.show(ctx); err != nil {
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
				return v.raw.String(), *s.delta.Done, nil
			}
			if err := v.take(ctx, s.delta); err != nil {
				return "", llm.Done{}, err
			}
			if v.raw.Len() > 4*r.opt.MaxReply { // far more than will be shown: enough
				return v.raw.String(), llm.Done{Reason: llm.Length}, nil
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
	quiet   func()      // ends the typing sign
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
	switch now := time.Now(); {
	case v.begun() && !v.dirty:
		v.dirty = true
		v.next.Reset(v.pace.Next(now, int(v.active.Load())).Sub(now))
	case v.begun():
	case v.raw.Len() > v.looked+v.looked/8: // not at every delta, or many small ones that show nothing would cost their square
		return v.show(ctx)
	case !v.dirty:
		v.dirty = true
		v.next.Reset(lookEvery)
	}
	return nil
}

// begun tells whether people see something already.
func (v *view) begun() bool { return v.part(0).Message != "" }

func (v *view) refresh() {
	v.looked = v.raw.Len()
	v.visible = speech.Safe(prompt.Visible(v.prompt, v.raw.String()))
}

// show brings Discord to what is certain so far. Where an edit would have to wait for a rate limit it is made later, with
// the newest words, so that the stream is not held up.
func (v *view) show(ctx context.Context) error {
	if p, ok := v.discord.(chat.Pacer); ok && v.begun() {
		if wait := p.EditWait(v.k.Hold.Channel); wait > 0 {
			v.next.Reset(wait)
			return nil
		}
	}
	v.dirty = false
	if v.refresh(); !v.begun() && !speech.Ready(v.visible) {
		return nil // it says nothing yet
	}
	v.quiet()
	v.pace.Sent(time.Now())
	return v.display(ctx, v.turn().Label+speech.Cap(v.visible, v.opt.MaxReply), false)
}

// typing shows the typing sign, beside the stream so that it holds nothing up, until the function returned is called: before
// something is there to read, or the sign would stand under it. It is an ornament: its failures are nobody's concern.
func (r *run) typing(ctx context.Context) (quiet func()) {
	ctx, cancel := context.WithCancel(ctx)
	var calls sync.WaitGroup
	if r.part(0).Message == "" {
		calls.Go(func() {
			for r.k.Ready(ctx) == nil {
				_ = r.discord.Typing(ctx, r.k.Hold.Channel)
				if sleep(ctx, typingEvery) != nil {
					return
				}
			}
		})
	}
	return func() {
		cancel()
		calls.Wait()
	}
}

// interrupted ends a stream on a signal. A stop keeps what was said so far; a follow-up keeps what is on the screen.
func (v *view) interrupted(ctx context.Context) error {
	if v.k.Signal().Kind == chat.SignalStop && v.begun() {
		v.refresh()
		if err := v.display(ctx, v.turn().Label+speech.Cap(v.visible, v.opt.MaxReply), true); err != nil {
			return err
		}
	}
	return errStopped
}

// display brings the parts of the turn to text. All but the last are as they will stay; the last is shown open-ended while
// the stream goes on.
func (r *run) display(ctx context.Context, text string, final bool) error {
	parts := contents(text)
	for k, content := range parts {
		last := k == len(parts)-1
		if last && !final {
			content = strings.TrimSpace(speech.Open(content))
		}
		if err := r.ensure(ctx, k, content); err != nil {
			return err
		}
		if err := r.edit(ctx, k, content, final || !last); err != nil {
			return err
		}
	}
	return nil
}

// contents cuts text into what Discord will show; it trims messages, so they are trimmed before they are compared.
func contents(text string) []string {
	var parts []string
	for _, part := range speech.Split(text, partLimit) {
		if part = strings.TrimSpace(part); !speech.Blank(part) {
			parts = append(parts, part)
		}
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
