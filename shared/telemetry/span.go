package telemetry

import (
	"context"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
)

// attempt is one worker's work on one delivery. Its calls outside every stage count for its first stage.
type attempt struct {
	t     *Timelines
	about chat.Attempt
	loose *calls

	// Under the lock of Timelines.
	line   *timeline // nil before the first stage
	number int       // from 1, among the attempts at the same
	stages []*stage
	ahead  []waiting
}

// waiting is calls that wait for their stage.
type waiting struct {
	name string
	*calls
}

// span is a stage; where it is nil, calls that wait for one, or for which there was no room.
type span struct {
	*attempt
	stage *stage
	calls *calls
}

var _, _ chat.Span = (*attempt)(nil), (*span)(nil)

// Stage begins a stage of the attempt.
func (a *attempt) Stage(ctx context.Context, name string) (context.Context, chat.Span) {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	now := time.Now()
	if a.line == nil {
		a.line, a.number = a.t.open(a.about, now)
	}
	if !a.line.room() {
		return ctx, &span{a, nil, a.loose}
	}
	s := &stage{name: clipped(name), attempt: a.number, begin: now, calls: a.counts(name)}
	if a.about.Queue == chat.QueueReplies {
		s.turn = a.about.Turn + 1
	}
	a.line.stages = append(a.line.stages, s)
	a.stages = append(a.stages, s)
	return ctx, &span{a, s, s.calls}
}

// room takes the place of one entry, if there is one.
func (l *timeline) room() bool {
	if l.entries == Entries {
		return false
	}
	l.entries++
	return true
}

// counts gives the counters of a stage that begins.
func (a *attempt) counts(name string) *calls {
	if len(a.stages) == 0 {
		return a.loose
	}
	for i, w := range a.ahead {
		if w.name == name {
			a.ahead = slices.Delete(a.ahead, i, i+1)
			return w.calls
		}
	}
	return &calls{}
}

// Ahead counts calls for the next stage of the name.
func (a *attempt) Ahead(name string) chat.Span {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	if len(a.ahead) == Entries {
		return &span{a, nil, a.loose}
	}
	w := waiting{name, &calls{}}
	a.ahead = append(a.ahead, w)
	return &span{a, nil, w.calls}
}

// Called counts a call.
func (a *attempt) Called(k chat.CallKind) { a.loose[k].Add(1) }

// Called counts a call.
func (s *span) Called(k chat.CallKind) { s.calls[k].Add(1) }

// Mark is of no use outside a stage.
func (a *attempt) Mark(context.Context, string) {}

// Mark notes a moment.
func (s *span) Mark(_ context.Context, name string) {
	now := time.Now()
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	if s.stage != nil && s.line.room() {
		s.stage.marks = append(s.stage.marks, mark{clipped(name), now})
	}
}

// Timed is of no use here: a timeline's measures are its stages.
func (a *attempt) Timed(string) func() { return func() {} }

// Ended is of no use here.
func (a *attempt) Ended(context.Context, chat.Sample) {}

// Detail is of no use outside a stage.
func (a *attempt) Detail(string) {}

// Detail says how the stage went.
func (s *span) Detail(words string) {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	if s.stage != nil {
		s.stage.detail = clipped(words)
	}
}

// Planned keeps who is to speak.
func (a *attempt) Planned(personas []string) {
	a.tell(func(line *timeline) { line.plan = slices.Clone(personas[:min(len(personas), Entries)]) })
}

// Posted keeps which messages belong to the trigger.
func (a *attempt) Posted(m chat.MessageID) {
	a.tell(func(line *timeline) { a.t.posted(line, m) })
}

// Outcome keeps the ledger's row; one that is final stays, for somebody may have read an earlier one and tell of it late.
func (a *attempt) Outcome(r chat.Row) {
	a.tell(func(line *timeline) {
		if r.Final() || !line.outcome.Final() {
			line.outcome = r
		}
	})
}

func (a *attempt) tell(what func(*timeline)) {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	if a.line != nil {
		what(a.line)
	}
}

// End ends the attempt: what waited for a stage that never came counts for the first, and a failure that no stage had is
// put down to the last.
func (a *attempt) End(failure string) {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	for _, w := range a.ahead {
		a.loose.add(w.calls)
	}
	a.ahead = nil
	failed := slices.ContainsFunc(a.stages, func(s *stage) bool { return s.failure != "" })
	if n := len(a.stages); n > 0 && !failed {
		a.stages[n-1].failure = clipped(failure)
	}
}

// End ends the stage.
func (s *span) End(failure string) {
	now := time.Now()
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	if s.stage != nil {
		s.stage.took, s.stage.ended, s.stage.failure = now.Sub(s.stage.begin), true, clipped(failure)
	}
}

// clipped bounds what a worker says.
func clipped(s string) string {
	if len(s) > words {
		s = strings.ToValidUTF8(s[:words], "")
	}
	return s
}
