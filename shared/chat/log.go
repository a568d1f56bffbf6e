package chat

import (
	"context"
	"log/slog"
	"slices"
)

type logKey struct{}

// With adds keys to every line that is logged under the context. Five are used everywhere: event, channel, plan, turn and
// fence. Never message text, prompts or user ids. A key that is set again replaces its value.
func With(ctx context.Context, args ...any) context.Context {
	old, _ := ctx.Value(logKey{}).([]slog.Attr)
	attrs := slices.Clone(old)
	r := slog.Record{}
	r.Add(args...)
	r.Attrs(func(a slog.Attr) bool {
		attrs = slices.DeleteFunc(attrs, func(b slog.Attr) bool { return a.Key == b.Key })
		attrs = append(attrs, a)
		return true
	})
	return context.WithValue(ctx, logKey{}, attrs)
}

// WithJob adds the keys that a job tells. A plan goes by the name of its event, which has but one.
func WithJob(ctx context.Context, j Job) context.Context {
	ctx = With(ctx, "event", string(j.Event), "channel", string(j.Channel))
	if j.Queue == QueueReplies {
		ctx = With(ctx, "plan", string(j.Event), "turn", j.Turn)
	}
	return ctx
}

// LogHandler adds the context's keys to every record.
func LogHandler(h slog.Handler) slog.Handler { return contextHandler{h} }

type contextHandler struct{ slog.Handler }

// Handle adds the keys of the context.
func (h contextHandler) Handle(ctx context.Context, r slog.Record) error {
	attrs, _ := ctx.Value(logKey{}).([]slog.Attr)
	r.AddAttrs(attrs...)
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the wrapping.
func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the wrapping.
func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name)}
}
