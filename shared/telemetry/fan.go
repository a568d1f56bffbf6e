package telemetry

import (
	"context"

	"tsumugi/shared/chat"
)

// All tells each of its recorders everything, in their order.
type All []chat.Recorder

var _ chat.Recorder = All(nil)

// Begin begins with each.
func (a All) Begin(ctx context.Context, about chat.Attempt) (context.Context, chat.Span) {
	f := make(fan, len(a))
	for i, r := range a {
		ctx, f[i] = r.Begin(ctx, about)
	}
	return ctx, f
}

// fan is a span of each recorder.
type fan []chat.Span

var _ chat.Span = fan(nil)

// Stage begins a stage with each.
func (f fan) Stage(ctx context.Context, name string) (context.Context, chat.Span) {
	stage := make(fan, len(f))
	for i, s := range f {
		ctx, stage[i] = s.Stage(ctx, name)
	}
	return ctx, stage
}

// Ahead gives a span of each.
func (f fan) Ahead(name string) chat.Span {
	ahead := make(fan, len(f))
	for i, s := range f {
		ahead[i] = s.Ahead(name)
	}
	return ahead
}

// Timed measures with each.
func (f fan) Timed(name string) (done func()) {
	all := make([]func(), len(f))
	for i, s := range f {
		all[i] = s.Timed(name)
	}
	return func() {
		for _, done := range all {
			done()
		}
	}
}

// Called tells each.
func (f fan) Called(k chat.CallKind) { f.each(func(s chat.Span) { s.Called(k) }) }

// Mark tells each.
func (f fan) Mark(ctx context.Context, name string) { f.each(func(s chat.Span) { s.Mark(ctx, name) }) }

// Detail tells each.
func (f fan) Detail(words string) { f.each(func(s chat.Span) { s.Detail(words) }) }

// Planned tells each.
func (f fan) Planned(personas []string) { f.each(func(s chat.Span) { s.Planned(personas) }) }

// Posted tells each.
func (f fan) Posted(m chat.MessageID) { f.each(func(s chat.Span) { s.Posted(m) }) }

// Outcome tells each.
func (f fan) Outcome(r chat.Row) { f.each(func(s chat.Span) { s.Outcome(r) }) }

// Ended tells each.
func (f fan) Ended(ctx context.Context, t chat.Sample) {
	f.each(func(s chat.Span) { s.Ended(ctx, t) })
}

// End ends each.
func (f fan) End(failure string) { f.each(func(s chat.Span) { s.End(failure) }) }

func (f fan) each(tell func(chat.Span)) {
	for _, s := range f {
		tell(s)
	}
}
