package chat

import (
	"context"
	"time"
)

// Source is how a turn came about, for those who compare how long turns take.
type Source string

// The sources.
const (
	SourceMessage    Source = "message"     // somebody wrote, and the channel was free
	SourceQueue      Source = "queue"       // it waited in the mailbox
	SourcePersonaJob Source = "persona_job" // it follows another turn of its plan
	SourceRetry      Source = "retry"       // an attempt before failed or died
	SourceManual     Source = "manual"      // a command
	SourceStop       Source = "stop"        // the answer to a stop
)

// sourceOf is the source of the turn that the head is at. A turn that was only handed over was begun once.
func sourceOf(h Head) Source {
	switch {
	case h.Retries > 0, h.Starts > 1:
		return SourceRetry
	case h.Turn > 0:
		return SourcePersonaJob
	case h.Kind == StopAsk:
		return SourceStop
	case h.Boxed:
		return SourceQueue
	case h.Kind == Command:
		return SourceManual
	}
	return SourceMessage
}

// Firsts are the moments of a turn that people wait for; zero until they come. A hold that is given back keeps the first two
// in its head, for whoever goes on with the turn.
type Firsts struct {
	Asked time.Time // a model is asked
	Heard time.Time // it streams the first sign of an answer; never, where a later call was the first to get one
	Shown time.Time // a message of the turn is in Discord
}

// Ask notes that a model is asked now. The function returned is to be called at each sign of that call's answer.
func (f *Firsts) Ask() (heard func()) {
	if !f.Asked.IsZero() {
		return func() {}
	}
	f.Asked = time.Now()
	return func() {
		if f.Heard.IsZero() {
			f.Heard = time.Now()
		}
	}
}

// Sample is what is known of a turn that has ended, besides what its stages took.
type Sample struct {
	Source    Source
	Written   time.Time      // the words that it answers, by Discord's clock; zero when unknown
	From      time.Time      // when it became somebody's task; what its moments count from
	Admission *time.Duration // of its event; nil when unknown
	Plan      *time.Duration // of its plan
	Firsts

	// What the turn says of itself; "" and false where it did not come to that.
	Provider  string // of the model that was asked first, or else would have been
	Humanizer string // how it divides its words into messages
	Documents bool   // the context had a part of a document
	Reused    bool   // the history came from the turn before
	Reviewed  bool   // its words were held back until they had been looked at
}

// Sample is what the hold says of its turn. It is to be taken before the turn ends.
func (h *Hold) Sample() Sample {
	s := Sample{Source: sourceOf(h.Head), From: h.Head.From, Firsts: h.First, Written: h.Event.At}
	if at, ok := SnowflakeTime(string(h.Event.ID)); ok {
		s.Written = at
	}
	if !h.Event.Received.IsZero() { // or admission did not measure it
		s.Admission = &h.Event.Admission
	}
	if h.Plan != nil {
		s.Plan = &h.Plan.Took
	}
	return s
}

// What is measured within the stage context, see Timed.
const (
	TimeHistoryFetch = "history fetch" // the channel's messages are read
	TimeHistory      = "history"       // they become lines of the prompt; waits for the reading
	TimePrompt       = "prompt"        // the scene becomes a request
)

// Timed measures a piece of work within a stage, until the function returned is called:
//
//	defer chat.Timed(ctx, chat.TimePrompt)()
func Timed(ctx context.Context, name string) (done func()) {
	if s := spanOf(ctx); s != nil {
		return s.Timed(name)
	}
	return func() {}
}

// Ended says that the worker has ended a turn, which nobody else has.
func Ended(ctx context.Context, t Sample) {
	if s := spanOf(ctx); s != nil {
		s.Ended(ctx, t)
	}
}
