package guild

import (
	"context"

	"tsumugi/shared/chat"
)

// DirectMessages is what all direct messages together are called where guilds are counted or listed. No guild is called so.
const DirectMessages = "dm"

// Meter counts turns against caps, and how often people are told that one is reached.
type Meter interface {
	// Charge grants an event as many turns as are left in its day and counts them, in one transaction: once for each event, however
	// often it is called; repeated, it grants what it granted. A refusal counts nothing. Concurrent charges never go over a cap.
	// Without caps it grants everything, and neither reads nor writes.
	Charge(ctx context.Context, b Bill) (Granted, error)
	// Tell tells whether people in a channel are to be told for the event why nobody answers: once an hour for each reason, and
	// for the same event always the same.
	Tell(ctx context.Context, guild string, channel chat.ChannelID, event chat.EventID, reason string) (bool, error)
}

// Bill is what an event is charged with.
type Bill struct {
	Guild string // or DirectMessages
	Event chat.EventID
	Day   string // of UTC: "2026-12-31"
	Turns int    // that are wanted; at least 1
	Caps  Caps
}

// Caps are turns in a day, of UTC; 0 for no cap.
type Caps struct {
	Guild         int // of the guild, whichever model speaks
	OperatorGuild int // of the guild, on the operator's model
	Operator      int // of all guilds together, on the operator's model
}

// Granted is what a charge came to.
type Granted struct {
	Turns int    // may be spoken
	Over  string // with none: DailyLimit or SpendCap
}

// Why nobody answers, though somebody would: stable reason codes, and the names of the notices that tell it.
const (
	NoProvider = "no_provider" // the operator's model is not for this guild, and it has none of its own
	SpendCap   = "spend_cap"   // the operator's model has spoken as often as it may today
	DailyLimit = "daily_limit" // the guild's own limit is reached
)
