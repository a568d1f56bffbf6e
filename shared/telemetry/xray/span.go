package xray

import (
	"context"
	"time"

	"github.com/aws/aws-xray-sdk-go/xray"

	"tsumugi/shared/chat"
)

// nothing is a span that is not traced.
type nothing struct{}

var _, _ chat.Span = nothing{}, span{}

// Stage traces nothing, as all that follows.
func (nothing) Stage(ctx context.Context, _ string) (context.Context, chat.Span) {
	return ctx, nothing{}
}

func (nothing) Ahead(string) chat.Span             { return nothing{} }
func (nothing) Called(chat.CallKind)               {}
func (nothing) Mark(context.Context, string)       {}
func (nothing) Timed(string) (done func())         { return func() {} }
func (nothing) Detail(string)                      {}
func (nothing) Planned([]string)                   {}
func (nothing) Posted(chat.MessageID)              {}
func (nothing) Outcome(chat.Row)                   {}
func (nothing) Ended(context.Context, chat.Sample) {}
func (nothing) End(string)                         {}

// span is a subsegment. It ends with the last of those within it, also when that is after its own end. What is begun ahead is
// seen where it was begun, and a call in the call's own subsegment.
type span struct {
	nothing
	*xray.Segment
}

// Stage begins a subsegment within it.
func (s span) Stage(ctx context.Context, name string) (context.Context, chat.Span) {
	if traced(ctx) {
		if ctx, stage, ok := begin(ctx, name); ok {
			return ctx, stage
		}
	}
	return ctx, nothing{}
}

// Mark notes how long after the begin it was.
func (s span) Mark(_ context.Context, name string) {
	s.RLock()
	began := s.StartTime
	s.RUnlock()
	s.note(name+" after ms", time.Now().UnixMilli()-int64(began*1000))
}

// Detail says how it went.
func (s span) Detail(words string) { s.note("detail", words) }

// Planned names the personas.
func (s span) Planned(personas []string) { s.note("plan", personas) }

// Outcome is the ledger's row.
func (s span) Outcome(r chat.Row) { s.annotate("row", string(r)) }

// Ended says how the turn came about.
func (s span) Ended(_ context.Context, t chat.Sample) { s.annotate("source", string(t.Source)) }

// expected are the words of what is no fault: somebody else goes on.
var expected = map[string]bool{"": true, "lost": true, "handover": true, "stopped": true, "stale": true}

// End closes it. Of a failure it has the word.
func (s span) End(failure string) {
	s.annotate("failure", failure)
	s.Lock()
	s.Error = s.Error || !expected[failure]
	s.Fault = s.Fault || failure == chat.Panicked
	s.Unlock()
	s.Close(nil)
}

// annotate says what traces can be searched by; nothing is said where there is nothing to say.
func (s span) annotate(key string, value any) {
	if value != "" {
		_ = s.AddAnnotation(key, value) // it takes words and numbers
	}
}

func (s span) note(key string, value any) { _ = s.AddMetadata(key, value) }
