package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// The stages of the chat pipeline, as far as a worker passes them; where two lie within each other (the sink within the
// generation) a call counts for the inner one. The stage normalize has no time of its own: the relay has done it before the
// event is on a queue.
const (
	StageAdmission   = "admission"    // may it enter, and what the channel makes of it
	StageDisposition = "disposition"  // what follows from that: the channel's job is sent
	StageLock        = "channel lock" // the head is acquired; the beats that keep it alive count here too
	StagePlan        = "plan"
	StageContext     = "context"    // the scene is gathered and becomes a prompt
	StageSink        = "sink"       // one Discord message of the turn comes to be, and on record
	StageGeneration  = "generation" // one stream of the model, and the edits that show it
	StageEffects     = "effects"    // text stored, last edits
	StageRelease     = "release"    // the turn is saved, and the channel goes to whoever is next; or it is given back
)

// CallKind is what a worker calls outside itself.
type CallKind int

// The kinds of call. CallKinds is how many they are.
const (
	CallStore CallKind = iota
	CallQueue
	CallDiscord
	CallModel
	CallKinds
)

// Attempt is a worker's work on one delivery.
type Attempt struct {
	Queue   string
	Event   EventID
	Channel ChannelID
	Turn    int // on replies
}

// Recorder is told what workers are doing: package telemetry keeps it, X-Ray may be told as well. It learns ids of events,
// channels, messages and personas, and fixed words; whoever tells it anything must not tell it message text, prompts, user
// ids, or the text of an error. A Recorder is used by many goroutines at once, never blocks on anything outside the
// process, keeps a bounded amount however much it is told, and never fails: what it cannot keep it forgets.
type Recorder interface {
	// Begin is told that a worker begins on a delivery. The context returned is the worker's.
	Begin(ctx context.Context, a Attempt) (context.Context, Span)
}

// Span is a stretch of a worker's work: an attempt, or a stage of it. It may be told something from several goroutines at
// once, also after its end: what a worker began beside its work counts where it was begun.
type Span interface {
	// Stage begins a stage within the span. The context returned is that of the work in the stage.
	Stage(ctx context.Context, name string) (context.Context, Span)
	// Ahead is for what a worker begins before the stage that needs it: calls told to the span returned count for the
	// attempt's next stage of the name.
	Ahead(name string) Span
	// Called counts one call that begins now. A call told to an attempt counts for its first stage.
	Called(k CallKind)
	// Mark notes a moment within the stage.
	Mark(ctx context.Context, name string)
	// Timed measures a piece of work within the stage, until the function returned is called. It may end after the stage.
	Timed(name string) (done func())
	// Detail says how the stage went, in place of what it said before.
	Detail(words string)
	// Planned names the personas that were chosen to speak, by id.
	Planned(personas []string)
	// Posted notes that a Discord message belongs to the event; it may be told again.
	Posted(m MessageID)
	// Outcome is the ledger's row for the event, as it now is.
	Outcome(r Row)
	// Ended is told of a turn that this attempt has ended.
	Ended(ctx context.Context, t Sample)
	// End ends the span, exactly once; failure is a Word, "" when all went well.
	End(failure string)
}

type (
	recorderKey struct{}
	spanKey     struct{}
)

// Recording makes workers under the context tell r what they do. Where nobody is told, telling costs a look at the context.
func Recording(ctx context.Context, r Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

// Trace runs a worker on a delivery as an attempt that the context's recorder is told of, also when the worker panics.
func Trace(ctx context.Context, a Attempt, do func(context.Context) error) error {
	r, ok := ctx.Value(recorderKey{}).(Recorder)
	if !ok {
		return do(ctx)
	}
	ctx, s := r.Begin(ctx, a)
	failure := Panicked // unless do returns
	defer func() { s.End(failure) }()
	err := do(within(ctx, s))
	failure = Word(err)
	return err
}

// Stage begins a stage of the work under the context. It is ended by a defer, with the error that the function returns:
//
//	ctx, end := chat.Stage(ctx, chat.StagePlan)
//	defer end(&err)
func Stage(ctx context.Context, name string) (context.Context, func(err *error)) {
	s := spanOf(ctx)
	if s == nil {
		return ctx, func(*error) {}
	}
	ctx, s = s.Stage(ctx, name)
	return within(ctx, s), func(err *error) { s.End(Word(*err)) }
}

// Ahead gives the context of work that is begun before its stage, as Span.Ahead has it.
func Ahead(ctx context.Context, name string) context.Context {
	if s := spanOf(ctx); s != nil {
		return within(ctx, s.Ahead(name))
	}
	return ctx
}

// Called counts one call of the outside.
func Called(ctx context.Context, k CallKind) {
	if s := spanOf(ctx); s != nil {
		s.Called(k)
	}
}

// Mark notes a moment within the stage; name is a fixed word.
func Mark(ctx context.Context, name string) {
	if s := spanOf(ctx); s != nil {
		s.Mark(ctx, name)
	}
}

// Detail says how the stage went: reason codes and ids of personas, joined by blanks, without repetitions and empty ones.
func Detail(ctx context.Context, words ...string) {
	s := spanOf(ctx)
	if s == nil {
		return
	}
	var said []string
	for _, w := range words {
		if w != "" && !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	s.Detail(strings.Join(said, " "))
}

// Planned says who was chosen to speak.
func Planned(ctx context.Context, turns []Turn) {
	s := spanOf(ctx)
	if s == nil {
		return
	}
	ids := make([]string, len(turns))
	for i, t := range turns {
		ids[i] = t.Persona
	}
	s.Planned(ids)
}

// Posted notes that a Discord message is part of the answer to the event.
func Posted(ctx context.Context, m MessageID) {
	if s := spanOf(ctx); s != nil && m != "" {
		s.Posted(m)
	}
}

// Outcome notes the ledger's row for the event.
func Outcome(ctx context.Context, r Row) {
	if s := spanOf(ctx); s != nil {
		s.Outcome(r)
	}
}

func spanOf(ctx context.Context) Span { s, _ := ctx.Value(spanKey{}).(Span); return s }

func within(ctx context.Context, s Span) context.Context { return context.WithValue(ctx, spanKey{}, s) }

// errPanicked is what became of a worker that panicked.
var errPanicked = errors.New("worker panicked")

// Panicked is the Word of a worker that panicked.
const Panicked = "panic"

// Word is what kind of failure err is, in a word or two that are safe to show to anybody; "" for nil. An error may bring its
// word along, in a method Word; the outermost counts. The text of an error is never looked at.
func Word(err error) string {
	if err == nil {
		return ""
	}
	for _, known := range []struct {
		err  error
		word string
	}{
		{ErrLost, "lost"}, {ErrHandOver, "handover"}, {errPanicked, Panicked}, {ErrRaced, "raced"}, {ErrTooOld, "too old"}, {ErrSignalled, "stopped"}, {ErrTaken, "taken"},
	} {
		if errors.Is(err, known.err) {
			return known.word
		}
	}
	var w interface{ Word() string }
	switch {
	case errors.As(err, &w):
		return w.Word()
	case errors.Is(err, ErrMissing):
		return "missing"
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return "error"
}
