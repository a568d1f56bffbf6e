package chat

import (
	"context"
	"errors"
	"log/slog"
)

// sweepBatch is how many channels one sweep looks at; the next sweep goes on.
const sweepBatch = 100

// Sweep sends again what was lost: jobs of channels that have waited past their due time, and of those whose holder died.
// It returns how many it sent. One channel's trouble does not keep it from the others.
func Sweep(ctx context.Context, r Repairs, out Outbox) (int, error) {
	overdue, err := r.Overdue(ctx, sweepBatch)
	if err != nil {
		return 0, err
	}
	sent := 0
	var failed []error
	for _, o := range overdue {
		was := o.Head.Job(o.Channel)
		ctx := With(WithJob(ctx, was), "fence", o.Head.Fence)
		a := Attempt{Queue: was.Queue, Event: was.Event, Channel: was.Channel, Turn: was.Turn}
		failed = append(failed, Trace(ctx, a, func(ctx context.Context) error {
			j, err := r.Resend(ctx, o)
			if err != nil || j == nil {
				return err
			}
			if err = out.Send(ctx, *j); err == nil {
				sent++
				slog.InfoContext(ctx, "swept", "queue", j.Queue, "phase", string(o.Head.Phase))
			}
			return err
		}))
	}
	return sent, errors.Join(failed...)
}

// BuryJob is the undertaker's work on a dead letter of the turns or replies queue: the hold that it names ends as failed,
// and the channel goes to whoever waits.
func BuryJob(ctx context.Context, r Repairs, out Outbox, j Job) error {
	ctx = WithJob(ctx, j)
	next, err := r.Bury(ctx, j, "dead_letter")
	if err != nil {
		return err
	}
	slog.WarnContext(ctx, "dead letter handled", "queue", j.Queue)
	if next == nil {
		return nil
	}
	return out.Send(ctx, *next)
}

// BuryEvent is the undertaker's work on a dead letter of the ingress queue.
func BuryEvent(ctx context.Context, r Repairs, e Event) error {
	ctx = With(ctx, "event", string(e.ID), "channel", string(e.Channel))
	if e.What != Said {
		slog.WarnContext(ctx, "dropped a dead letter", "what", string(e.What))
		return nil
	}
	if err := r.BuryEvent(ctx, e, "dead_letter"); err != nil {
		return err
	}
	slog.WarnContext(ctx, "buried a dead letter", "queue", "ingress")
	return nil
}
