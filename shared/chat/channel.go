package chat

import (
	"context"
	"time"
)

// The contracts of the channel protocol. All of them are kept by package store; a verb names only the one it uses. Every
// method that writes is one transaction and may be repeated: after a crash, a lost reply or a redelivery the same call
// finds its own work done. Errors that are not named are the store's and mean "try again later".

// Offers is admission's side of a channel.
type Offers interface {
	// Offer decides what becomes of an event on its channel as it now is, and writes the ledger row together with the
	// effect. An event whose row exists keeps it (Repeat); what is still in the outbox comes back in Send, and the caller
	// sends it before it lets go of the event. ErrRaced after too many lost races.
	Offer(ctx context.Context, e Event, w Wish) (Offered, error)
	// Edit gives an event that waits, or whose turn has not begun, its new words. Others are left alone.
	Edit(ctx context.Context, e Event) error
	// Delete takes a deleted message out: a waiting one is not answered, one being answered is interrupted, one never
	// offered gets its ledger row so that a late delivery finds it.
	Delete(ctx context.Context, e Event) error
}

// Controls is what commands may do to a channel from outside.
type Controls interface {
	// Stop asks the current hold to end, if it is the user's own or force is set; false when there is none. Where an event is
	// named, only the hold of that event.
	Stop(ctx context.Context, c ChannelID, e EventID, by UserID, force bool) (bool, error)
	// Kill ends the current hold and clears the mailbox; it returns how many waiting events were cleared.
	Kill(ctx context.Context, c ChannelID) (int, error)
}

// Holds is what every worker of a channel does.
type Holds interface {
	// Acquire takes the head for the job's worker: when it waits for exactly this job, or is held for exactly it by a
	// fence whose beat is dead. It raises the fence, counts a start and writes the first beat in the same transaction.
	// Otherwise the job is stale. owner is unique to the invocation.
	Acquire(ctx context.Context, j Job, owner string) (Acquired, error)
	// Beat writes the sign of life of the fence, with progress when told so, and returns the signal addressed to the
	// hold. ErrLost when the head has another fence.
	Beat(ctx context.Context, c ChannelID, e EventID, fence int64, progress bool) (Signal, error)
	// Watch reads the signal addressed to the hold, without a sign of life. ErrLost when the head has another fence.
	Watch(ctx context.Context, c ChannelID, e EventID, fence int64) (Signal, error)
	// Yield gives the head back to its waiting phase. For a Retry the job comes back after the backoff by itself (the
	// caller defers its message); for a HandOver the caller sends the job returned. ErrLost.
	Yield(ctx context.Context, h *Hold, kind YieldKind, backoff time.Duration) (Job, error)
}

// Owners knows who spoke.
type Owners interface {
	// Whose tells which of the messages are parts of turns that have ended. Those of the turn that is being spoken are known
	// to its worker, and there is never another one.
	Whose(ctx context.Context, c ChannelID, ids []MessageID) (map[MessageID]Owner, error)
}

// Plans is planning's side.
type Plans interface {
	Holds
	Owners
	// SavePlan stores the plan with its charges, or adopts the one that is there, and hands over to its first turn; the
	// caller sends the job. A plan has at least one turn. ErrLost.
	SavePlan(ctx context.Context, h *Hold, p Plan) (Job, error)
	// EndPlan ends the hold without a turn. The job, if any, is the next event's and is to be sent. ErrLost.
	EndPlan(ctx context.Context, h *Hold, end Ending) (*Job, error)
}

// Turns is generation's side. All methods but Whose and Reply return ErrLost when the fence is not the hold's any more.
type Turns interface {
	Holds
	Owners
	// State reads what earlier attempts left.
	State(ctx context.Context, h *Hold) (TurnState, error)
	// Intend stores the intent of part k. was is the intent that it replaces, nil for the first; it must be replaced only
	// after the channel was read and nothing was found. The turn's very first is refused with ErrSignalled when a signal for
	// the hold was accepted before.
	Intend(ctx context.Context, h *Hold, k int, in Intent, was *Intent) error
	// Stamp notes that a create of part k is about to start; ErrTooOld when the intent is older than NonceTrust.
	Stamp(ctx context.Context, h *Hold, k int, now time.Time) error
	// Record stores the message of part k. One that any part has recorded is refused with ErrTaken.
	Record(ctx context.Context, h *Hold, k int, m Ref) error
	// Late notes that an edit of part k, begun then, was not answered: a later attempt must have the last word after it.
	Late(ctx context.Context, h *Hold, k int, begun time.Time) error
	// Discard notes that part k's message was deleted because the turn ended without it.
	Discard(ctx context.Context, h *Hold, k int) error
	// Retire takes the message of part k out of its place, because Discord lets nobody change it any more: it becomes a part
	// from Retired on, which is to be deleted, and part k may be made anew.
	Retire(ctx context.Context, h *Hold, k int) error
	// TellHook tells whether people in the channel are to be told by this turn why personas wear no faces there: once in
	// TellHookEvery, and for the same event always the same.
	TellHook(ctx context.Context, h *Hold) (bool, error)
	// Reply reads the reply that a turn has made before, for one that does it again. ErrMissing when nothing is kept of it.
	Reply(ctx context.Context, c ChannelID, e EventID, turn int) (Reply, error)
	// Adopt makes the messages of the hold's Reply the turn's own. It is done once, before the first call of Discord.
	Adopt(ctx context.Context, h *Hold, parts []Part) error
	// SaveText decides the text of the turn and how it ends, or returns what was decided before. The text of an answer is
	// refused with ErrSignalled when a signal for the hold was accepted before.
	SaveText(ctx context.Context, h *Hold, text string, end Ending) (TurnState, error)
	// Revise replaces the text that was decided and how the turn ends, because Discord refuses to show it: what is saved is
	// what people see.
	Revise(ctx context.Context, h *Hold, text string, end Ending) error
	// EndTurn saves the turn and, in the same transaction, hands over to the next turn or ends the hold with the ledger's
	// final row and gives the channel to the front of the mailbox. The job, if any, is to be sent. A turn that did not end
	// as Answered ends its plan. Where the turn did a reply again, the hold's Reply is kept with it, and the messages stay that
	// reply's.
	EndTurn(ctx context.Context, h *Hold, end Ending) (*Job, error)
}

// Repairs is the sweeper's and the undertaker's side. They obey the same conditions as everybody.
type Repairs interface {
	// Overdue lists channels whose due time has come, the longest overdue first. It is a hint.
	Overdue(ctx context.Context, limit int) ([]Overdue, error)
	// Resend gives an overdue channel a new send number, if it is still as it was listed and waits, or its holder is dead;
	// the caller sends the job. Nil when there is nothing to do.
	Resend(ctx context.Context, o Overdue) (*Job, error)
	// Bury ends the hold that a dead job names exactly, if it waits or its holder is dead; the event fails and is kept as
	// a dead item. Otherwise the letter says nothing. The job returned, if any, is what is in the outbox, and is to be sent.
	Bury(ctx context.Context, j Job, reason string) (*Job, error)
	// BuryEvent records an event that admission could never offer as failed, and keeps it as a dead item; nothing when it
	// was offered after all.
	BuryEvent(ctx context.Context, e Event, reason string) error
}

// Outbox sends jobs to the queues of the channel's workers.
type Outbox interface {
	// Send puts the job on its queue under its deduplication id. Repeating it is harmless.
	Send(ctx context.Context, j Job) error
}

// Delivery is a queue message in a worker's hands.
type Delivery interface {
	// Hide makes the message visible to others again after d from now, unless it is deleted before.
	Hide(ctx context.Context, d time.Duration) error
}
