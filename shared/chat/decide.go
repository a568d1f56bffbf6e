package chat

import "time"

// Move is what an offer does to a channel.
type Move int

// The moves of an offer.
const (
	MoveNone     Move = iota // only the ledger row: ignored or refused
	MoveGrant                // the channel is free: it is the event's
	MoveMail                 // it waits in order
	MoveStop                 // the hold is asked to end, the answer to the stop waits in front
	MoveFollowUp             // the hold is asked to end, the event waits behind a stop and before the rest
)

// Decide is the busy policy: what an event wants, on a channel as it was read (chat pipeline, sections 1.3 and 1.4, under
// the rules of DESIGN section 5). It returns the move and the reason code of the disposition. stopWaits tells whether the
// answer to a stop is in the mailbox already.
func Decide(h Head, b Beat, stopWaits bool, e Event, w Wish, now time.Time) (Move, string) {
	busy := h.Phase != Free
	mine := busy && h.User == e.Author.ID && h.Kind != StopAsk
	stopping := busy && b.Signal.For(h.Event) && b.Signal.Kind.Final()
	switch {
	case now.Sub(e.At) > TooOld:
		return MoveNone, "too_old"
	case w.Closed && busy:
		return MoveNone, "locked_rejected_by_whitelist"
	case w.Closed:
		return MoveNone, "rejected_by_whitelist_pre_lock"
	case w.Stop && !busy:
		return MoveNone, "stop_nothing_to_stop"
	case w.Stop && !mine:
		return MoveNone, "locked_stop_by_another"
	case w.Stop && (stopping || stopWaits):
		return MoveNone, "locked_stop_requested"
	case w.Stop:
		return MoveStop, "locked_natural_stop_requested"
	case !busy && w.Reply:
		return MoveGrant, "run"
	case !busy:
		return MoveNone, w.Reason
	case mine && w.FollowUp && h.Turns > 0 && h.Kind != Command && h.FollowUps < FollowUps:
		return MoveFollowUp, "locked_follow_up_queued"
	case w.Reply && h.Waiting >= MailboxCap:
		return MoveNone, "mailbox_full"
	case w.Reply:
		return MoveMail, "locked_busy_queued"
	}
	return MoveNone, w.Reason
}

// RefusalOf tells whether a reason code of a MoveNone is a refusal of something that would have been answered.
func RefusalOf(reason string, w Wish) bool {
	return reason == "too_old" || reason == "mailbox_full" || w.Refuse
}
