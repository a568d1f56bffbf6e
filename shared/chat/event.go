package chat

import (
	"strconv"
	"time"
)

// Ids are Discord's snowflakes in decimal, kept as text as Discord sends them. Three names keep them apart.
type (
	// ChannelID names a channel or thread, the partition of everything in package store.
	ChannelID string
	// UserID names a person, a bot or a webhook.
	UserID string
	// MessageID names a message of Discord.
	MessageID string
	// EventID names what admission decides on: for a message its MessageID. The ledger has one row for each.
	EventID string
)

// discordEpoch is the first millisecond of 2015 (Discord, API reference, "Snowflakes").
const discordEpoch = 1420070400000

// SnowflakeTime is the time at which Discord made the id; false when it is not a snowflake.
func SnowflakeTime(id string) (time.Time, bool) {
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n>>22 == 0 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch), true
}

// Snowflake is the smallest id that Discord could have made at t; SnowflakeTime reads it back.
func Snowflake(t time.Time) string {
	return strconv.FormatInt(max(t.UnixMilli()-discordEpoch, 0)<<22, 10)
}

// What is what an Event reports.
type What string

// The kinds of event that the relay forwards.
const (
	Said    What = "said"    // somebody wrote a message
	Edited  What = "edited"  // a message has new words
	Deleted What = "deleted" // a message is gone

	ChannelUpdated What = "channel-updated" // a channel or thread was renamed, archived, or its rights changed
	ChannelDeleted What = "channel-deleted" // a channel or thread is gone, with all its messages
	GuildUpdated   What = "guild-updated"   // the same of a guild; these two name no channel
	GuildDeleted   What = "guild-deleted"   // the bot was removed from it, or it is gone; not an outage
)

// OfMessage tells whether the event is about a message; otherwise it is about a channel or guild, and has no ID but theirs.
func (w What) OfMessage() bool { return w == Said || w == Edited || w == Deleted }

// Event is one thing that happened in Discord, in our words. It travels from the relay through the ingress queue, and is
// kept in the ledger row while it waits for its answer.
type Event struct {
	What    What      `json:"what"`
	ID      EventID   `json:"id"` // of the message, else channel, else guild that it is about
	Channel ChannelID `json:"channel,omitempty"`
	Guild   string    `json:"guild,omitempty"` // empty in direct messages
	DM      bool      `json:"dm,omitempty"`
	Author  Author    `json:"author,omitzero"`
	Text    string    `json:"text,omitempty"`
	// Extras says in brackets what a message has besides text: stickers, attachments, a poll, a voice message.
	Extras string `json:"extras,omitempty"`
	// ReplyTo is the message this one replies to, if any; ReplyToUs when we wrote that one.
	ReplyTo   MessageID `json:"replyTo,omitempty"`
	ReplyToUs bool      `json:"replyToUs,omitempty"`
	// MentionsUs tells that the bot itself is mentioned, not everyone and not a role of others.
	MentionsUs bool `json:"mentionsUs,omitempty"`
	// Withheld tells that Discord kept the content from us because the message content intent is off.
	Withheld bool      `json:"withheld,omitempty"`
	System   bool      `json:"system,omitempty"`  // a notice of Discord, not speech (anything but types 0 and 19)
	At       time.Time `json:"at"`                // when the message was written, or edited
	Received time.Time `json:"received,omitzero"` // by admission: the start that durations across processes count from
	// Admission is how long it took from there to decide on it; for whoever measures.
	Admission time.Duration `json:"admission,omitempty"`
	// Asked is set where a slash command asks for the words: its ID is the interaction's, its Author who used it, and it has no
	// Text. What is answered is the newest message before it.
	Asked *Asked `json:"asked,omitempty"`
}

// Asked is what a command asks for.
type Asked struct {
	Persona string `json:"persona,omitempty"` // id of who is to speak; "" leaves it to planning
	Redo    *Redo  `json:"redo,omitempty"`    // what is to be done with a reply of it; nil asks for a new one
}

// Kind is how the event comes to be answered when nothing is interrupted for it.
func (e Event) Kind() Kind {
	if e.Asked != nil {
		return Command
	}
	return Ordinary
}

// Author is who wrote a message.
type Author struct {
	ID      UserID `json:"id"`
	Name    string `json:"name"` // as shown in the channel
	Bot     bool   `json:"bot,omitempty"`
	Webhook bool   `json:"webhook,omitempty"`
	Us      bool   `json:"us,omitempty"` // the bot account itself, or a webhook of ours
}

// Kind is how an event came to be answered; it is kept in the head while it is.
type Kind string

// The kinds of hold.
const (
	Ordinary Kind = "message"
	StopAsk  Kind = "stop"      // the answer to a stop
	FollowUp Kind = "follow-up" // it interrupted the answer before it
	Command  Kind = "command"   // started by a command or a control of a reply; follow-ups do not interrupt it
)

// Row is the state of an event in the ledger. From Answered on it is final and never changes again.
type Row string

// The rows of the ledger.
const (
	Granted     Row = "granted"     // the channel is its
	Mailed      Row = "mailed"      // it waits in the mailbox
	Answered    Row = "answered"    // every planned turn was spoken
	Interrupted Row = "interrupted" // stopped, killed or followed up
	Ignored     Row = "ignored"     // nobody was to answer
	Refused     Row = "refused"     // somebody might have answered, but a rule said no
	Failed      Row = "failed"      // it could not be answered; kept as a dead item or told to the person
	Superseded  Row = "superseded"  // a newer follow-up took its place
	Cleared     Row = "cleared"     // /kill emptied the mailbox
	Gone        Row = "deleted"     // its author deleted it while it waited
)

// Final tells whether a row never changes again.
func (r Row) Final() bool { return r != "" && r != Granted && r != Mailed }

// Wish is what admission wants of the channel for an event; the channel's state decides what becomes of it.
type Wish struct {
	Reply    bool   // somebody would answer it on a free channel
	Stop     bool   // as a whole it asks to stop
	FollowUp bool   // a person's words, so they may interrupt the answer to that person's last ones
	Reason   string // when it gets no reply: the stable reason code of the disposition
	Refuse   bool   // the reason is a refusal, not an ignored message
	Closed   bool   // the place is closed: nothing is answered there, not even a stop
}

// Disposition is the seed's word for what became of an event at admission.
type Disposition string

// The dispositions of the seed (chat pipeline, stage 02).
const (
	Run     Disposition = "run"
	Queued  Disposition = "queued"
	Ignore  Disposition = "ignore"
	Blocked Disposition = "blocked"
)

// Offered is the result of an offer: the row that now stands, why, and what has to be sent.
type Offered struct {
	Row    Row
	Reason string // a stable reason code
	Repeat bool   // the ledger had the row already
	Send   *Job   // what is in the channel's outbox, if anything
}

// Disposition gives the seed's word for the result.
func (o Offered) Disposition() Disposition {
	switch o.Row {
	case Granted:
		return Run
	case Mailed:
		return Queued
	case Refused:
		return Blocked
	}
	return Ignore
}
