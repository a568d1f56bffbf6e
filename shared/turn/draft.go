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
)

// Limits of a review (chat pipeline, section 7.2).
const (
	draftTime  = 120 * time.Second // of all of it
	mostReview = 2
)

// spent is what a turn has asked of models, those words included that nobody sees.
type spent struct {
	asks int
	llm.Usage
}

func (s *spent) add(u llm.Usage) {
	s.asks++
	s.Prompt += u.Prompt
	s.Completion += u.Completion
	s.Cached += u.Cached
}

// drafted lets a reply that nobody has seen be reviewed, and once be written anew. Whatever fails delivers what there is: only a
// signal, and the end of this process or of its hold, end the turn.
func (r *run) drafted(ctx context.Context, p prompt.Prompt, reply prompt.Reply) (prompt.Reply, error) {
	brief, done := context.WithTimeout(ctx, draftTime)
	defer done()
	for n := 1; n <= mostReview; n++ {
		raw, err := r.ask(brief, "review", p.Reviewing(reply.Text, r.place.Drafting.Instructions), prompt.MaxVerdict)
		review := prompt.ReadReview(raw)
		if err != nil || review.Verdict != prompt.Revise || n == mostReview {
			return reply, r.undrafted(ctx, err)
		}
		raw, err = r.ask(brief, "revision", p.Revising(reply.Text, review.Findings), 4*r.longest)
		if err != nil {
			return reply, r.undrafted(ctx, err)
		}
		better := prompt.Finish(p, raw)
		if better.Empty {
			return reply, nil
		}
		reply = better
	}
	return reply, nil
}

// undrafted is what of the failure of a review ends the turn.
func (r *run) undrafted(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errStopped):
		return err
	}
	slog.WarnContext(ctx, "reply was not reviewed", "error", err)
	return nil
}

var errLong = errors.New("the model wrote far too much")

// ask asks the voice for something that nobody sees, of at most so many bytes.
func (r *run) ask(ctx context.Context, what string, req llm.Request, most int) (raw string, err error) {
	ctx, end := chat.Stage(ctx, chat.StageGeneration)
	defer end(&err)
	chat.Detail(ctx, what)
	var pumping sync.WaitGroup
	defer pumping.Wait()
	live, cancel := context.WithCancel(ctx)
	defer cancel()
	steps := make(chan step, 64)
	pumping.Go(func() { r.pump(live, req, steps) })
	r.k.Streaming(true)
	defer r.k.Streaming(false)
	var said strings.Builder
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-r.k.Signalled():
			chat.Mark(ctx, string(r.k.Signal().Kind))
			return "", errStopped
		case s, ok := <-steps:
			switch {
			case !ok:
				return "", &llm.Error{Kind: llm.Cut}
			case s.err != nil:
				return "", s.err
			}
			r.k.Progress()
			if said.WriteString(s.delta.Text); said.Len() > most {
				return "", errLong
			}
			if s.delta.Done != nil {
				r.spent.add(s.delta.Done.Usage)
				return said.String(), nil
			}
		}
	}
}
