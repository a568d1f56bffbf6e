package telemetry

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// The lines of a Latency.
const (
	turnLine = "chat_turn_latency"
	hopsLine = "hops_exhausted"
)

// Latency is a chat.Recorder that logs how long each turn took, once, by whoever ended it: one line with every field of the
// metric chat_turn_latency, each time. Of its numbers only those in declared become metrics of CloudWatch, where each costs.
// It also measures each job that was not sent because its chain of messages is too long.
//
// A duration that never began and a moment that was never reached are -1. Durations overlap. What spans processes is by wall
// clocks, the rest by the process's own. A turn that several processes worked on has the first moments of all of them, and
// the durations of the one that ended it.
type Latency struct{ Namespace string }

var _ chat.Recorder = Latency{}

// declared are the numbers that are metrics of CloudWatch, by provider.
var declared = []string{"dispatch_ms", "provider_ttfb_ms", "first_message_ms", "context_ms"}

// Values of the dimensions; any other is the last of its set.
var (
	providers = []string{"anthropic", "bedrock", "custom", "deepseek", "google", "novelai", "nvidia", "openrouter", "vertex", "vertexexpress",
		"zai", "zaicoding", "unknown"}
	humanizers = []string{"none", "light", "medium", "heavy", "custom", "unknown"}
)

// Begin listens to an attempt.
func (l Latency) Begin(ctx context.Context, _ chat.Attempt) (context.Context, chat.Span) {
	return ctx, &measured{namespace: l.Namespace}
}

// measured is an attempt, and every stage of it: what is measured is measured once an attempt.
type measured struct {
	namespace string

	mu        sync.Mutex
	stretches []*stretch
	over      bool // the turn has ended: what still runs beside it counts no more
}

// stretch is a piece of work.
type stretch struct {
	name  string
	begin time.Time
	took  time.Duration
	ended bool
}

var _ chat.Span = (*measured)(nil)

// Stage measures the stage.
func (m *measured) Stage(ctx context.Context, name string) (context.Context, chat.Span) {
	return ctx, &measuredStage{m, m.Timed(name)}
}

// measuredStage is a stage, which only its end tells from the attempt.
type measuredStage struct {
	*measured
	done func()
}

// End ends the stage.
func (s *measuredStage) End(string) { s.done() }

// Timed measures a piece of work.
func (m *measured) Timed(name string) (done func()) {
	s := &stretch{name: name, begin: time.Now()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.stretches) < Entries {
		m.stretches = append(m.stretches, s)
	}
	return func() {
		took := time.Since(s.begin)
		m.mu.Lock()
		defer m.mu.Unlock()
		s.took, s.ended = took, true
	}
}

// took is the sum of the pieces of the name, those included that still run; -1 when none began. The lock is held.
func (m *measured) took(name string) int64 {
	sum, began := time.Duration(0), false
	for _, s := range m.stretches {
		switch {
		case s.name != name:
			continue
		case s.ended:
			sum += s.took
		default:
			sum += time.Since(s.begin)
		}
		began = true
	}
	if !began {
		return -1
	}
	return sum.Milliseconds()
}

// Ended logs the turn.
func (m *measured) Ended(ctx context.Context, t chat.Sample) {
	m.mu.Lock()
	if m.over {
		m.mu.Unlock()
		return
	}
	m.over = true
	numbers := m.numbers(t)
	m.mu.Unlock()

	provider := oneOf(providers, t.Provider)
	var metrics []Metric
	var line []slog.Attr
	for _, n := range numbers {
		line = append(line, slog.Int64(n.name, n.value))
		if n.value != -1 && slices.Contains(declared, n.name) {
			metrics = append(metrics, Metric{Name: n.name, Unit: "Milliseconds"})
		}
	}
	line = append(line, slog.String("provider", provider), slog.String("humanizer", oneOf(humanizers, t.Humanizer)),
		slog.String("source", string(t.Source)), slog.String("rag", either(t.Documents, "yes", "no")),
		slog.String("history", either(t.Reused, "reused", "rest")), slog.String("drafting", either(t.Reviewed, "yes", "no")))
	if len(metrics) > 0 {
		line = append(line, declare(m.namespace, time.Now(), []string{"provider"}, metrics))
	}
	slog.LogAttrs(ctx, slog.LevelInfo, turnLine, line...)
}

// number is one of the metric's.
type number struct {
	name  string
	value int64
}

// numbers are all of them, in the order in which they are described. The lock is held.
func (m *measured) numbers(t chat.Sample) []number {
	gateway := int64(-1)
	if !t.Written.IsZero() && !t.From.IsZero() {
		gateway = t.From.Sub(t.Written).Milliseconds()
	}
	return []number{
		{"gateway_ms", gateway}, // between two clocks: it may be negative
		{"admission_ms", known(t.Admission)},
		{"plan_ms", known(t.Plan)},
		{"context_ms", m.took(chat.StageContext)},
		{"dispatch_ms", between(t.From, t.Asked)},
		{"provider_ttfb_ms", between(t.Asked, t.Heard)},
		{"first_message_ms", between(t.From, t.Shown)},
		{"history_fetch_ms", m.took(chat.TimeHistoryFetch)}, // begun before the context, it may be longer than what waits for it
		{"assets_ms", -1},                                   // nothing loads them yet
		{"history_build_ms", m.took(chat.TimeHistory)},
		{"participant_ms", -1}, // as above, down to the reunion
		{"naming_ms", -1},
		{"reunion_ms", -1},
		{"native_ms", m.took(chat.TimePrompt)},
		{"reaction_fetches", 0}, // as above, to the end
		{"reply_fetches", 0},
		{"image_fetches", 0},
		{"image_ms", 0},
	}
}

// between is the time from one moment to another, -1 when one of them never came. Two clocks may disagree by a little.
func between(from, to time.Time) int64 {
	if from.IsZero() || to.IsZero() {
		return -1
	}
	return max(to.Sub(from).Milliseconds(), 0)
}

// known is a duration, -1 when it is not known.
func known(d *time.Duration) int64 {
	if d == nil {
		return -1
	}
	return d.Milliseconds()
}

// oneOf is the word, or the last of the set when it is none of it.
func oneOf(set []string, word string) string {
	if slices.Contains(set, word) {
		return word
	}
	return set[len(set)-1]
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// Mark measures a job that was not sent.
func (m *measured) Mark(ctx context.Context, name string) {
	if name == chat.MarkHops {
		slog.LogAttrs(ctx, slog.LevelInfo, hopsLine, slog.Int(hopsLine, 1), declare(m.namespace, time.Now(), nil, []Metric{{Name: hopsLine, Unit: "Count"}}))
	}
}

// Ahead is of no use here, as what follows.
func (m *measured) Ahead(string) chat.Span { return m }

// Called is of no use here.
func (*measured) Called(chat.CallKind) {}

// Detail is of no use here.
func (*measured) Detail(string) {}

// Planned is of no use here.
func (*measured) Planned([]string) {}

// Posted is of no use here.
func (*measured) Posted(chat.MessageID) {}

// Outcome is of no use here.
func (*measured) Outcome(chat.Row) {}

// End is of no use here.
func (*measured) End(string) {}
