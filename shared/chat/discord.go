package chat

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Discord is what a turn may do there, with the bot account and with faces of its own. Every call has a time-out of Call,
// pings nobody but the one named in Ping, and fails with a *Failure.
type Discord interface {
	// Create posts a message with its nonce enforced: within a few minutes a repeat under the same nonce returns the
	// earlier message and makes none (Discord, "Create Message"). A reply whose target is gone is posted as a plain
	// message. With a face it goes through a webhook: that can neither reply nor be told apart by a nonce, so a repeat posts
	// again. NoHook when there is no webhook to wear a face with.
	Create(ctx context.Context, p Post) (Ref, error)
	// Edit replaces what a message of ours shows. NoHook when the webhook that posted it is gone: nobody can edit it any more.
	Edit(ctx context.Context, m Ref, s Shown) error
	// Delete removes a message of ours; one that is gone already is fine.
	Delete(ctx context.Context, m Ref) error
	// Mask makes ready to wear faces in the channel. NoHook, with Discord's code, when that cannot be done here as things are;
	// it asks Discord seldom for what was refused.
	Mask(ctx context.Context, c ChannelID) error
	// Typing shows the typing sign for ten seconds.
	Typing(ctx context.Context, c ChannelID) error
	// Before reads up to limit (at most 100) messages older than the id, the newest last; all of them when the id is "".
	Before(ctx context.Context, c ChannelID, id MessageID, limit int) ([]Message, error)
	// After reads up to limit (at most 100) messages newer than the id, the newest last.
	After(ctx context.Context, c ChannelID, id MessageID, limit int) ([]Message, error)
	// Expressions are those of a server, at most ExpressionsLife old.
	Expressions(ctx context.Context, guild string) (Expressions, error)
}

// Pacer is what a Discord may be besides.
type Pacer interface {
	// EditWait is how long an edit of the message would have to wait now for its rate limit; 0 when it may go. It is a hint
	// for edits that may be skipped, and makes no call.
	EditWait(m Ref) time.Duration
}

// RefusedFor is how long a channel that refused to be written to is left alone.
const RefusedFor = 15 * time.Minute

// Refusals remembers over all processes which channels refuse to be written to. Without it people who keep calling the bot
// there would have it asked again and again, and drive it over Discord's limit of invalid requests.
type Refusals interface {
	// Refuse notes that the channel of a guild refused a message with Discord's code, for RefusedFor.
	Refuse(ctx context.Context, guild string, c ChannelID, code int) error
	// Accept forgets it.
	Accept(ctx context.Context, guild string, c ChannelID) error
}

// Invalids counts over all processes the requests that Discord holds against us: answers of 401 and 403, and of 429 that
// are not shared with others. After ten thousand in ten minutes it answers nobody at our address any more.
type Invalids interface {
	// Invalid adds n, which may be 0, and tells how many there were in the last ten minutes.
	Invalid(ctx context.Context, n int) (int, error)
}

// HookID names a webhook of Discord.
type HookID string

// Ref is where a message of ours is, and who can change it.
type Ref struct {
	Channel ChannelID
	Message MessageID
	Hook    HookID // the webhook that posted it; "" for the bot account
}

// Shown is what a message shows.
type Shown struct {
	Content string      // 1 to 2,000 characters
	Rows    []ActionRow // below it; nil leaves those that are there, and an empty one removes them
}

// Post is a message to create.
type Post struct {
	Channel ChannelID
	Content string // 1 to 2,000 characters; none with a Sticker
	Sticker string // the ID of a sticker of the server, for the bot account
	Rows    []ActionRow
	Nonce   string // at most 25 characters
	ReplyTo MessageID
	Ping    UserID // the one person who may be notified; nobody when empty
	As      *Face  // who seems to write it; nil for the bot account
}

// Face is who a message seems to be from. What Discord would refuse of it is changed or left out by whoever posts.
type Face struct {
	Name   string
	Avatar string // a public address of the picture; "" for none
}

// ExpressionsLife is for how long emoji and stickers of a server are remembered.
const ExpressionsLife = 10 * time.Minute

// Message is a message read from Discord.
type Message struct {
	ID     MessageID
	Author Author
	Hook   HookID // of ours that posted it; "" for the bot account, and for others
	Text   string
	Extras string // as in Event
	System bool
	At     time.Time
	Edited bool
}

// FailureKind says what a failed call of Discord means.
type FailureKind string

// The kinds of failure.
const (
	Rejected  FailureKind = "rejected"  // it will never be done: permission, shape, AutoMod; nothing happened
	Vanished  FailureKind = "vanished"  // the message or the channel is gone; nothing happened
	Throttled FailureKind = "throttled" // not now, nothing happened; After says when
	NoHook    FailureKind = "no hook"   // there is no webhook of ours that could do it; nothing happened
	Unknown   FailureKind = "unknown"   // no answer, or an error of the server: it may have happened
)

// Failure is a failed call of Discord.
type Failure struct {
	Op     string // what was tried
	Kind   FailureKind
	Status int           // HTTP status; 0 when there was none
	Code   int           // Discord's JSON error code; 0 when there was none
	After  time.Duration // for Throttled: when it may be tried again
	Global bool          // for Throttled: the limit is for all calls of the bot
	Err    error         // the cause, if it is safe to log
}

// Error gives operation, kind and Discord's code.
func (f *Failure) Error() string {
	s := fmt.Sprintf("discord %s: %s (status %d, code %d)", f.Op, f.Kind, f.Status, f.Code)
	if f.Status == 0 { // there was no answer to speak of
		s = fmt.Sprintf("discord %s: no answer", f.Op)
		if f.Kind == Throttled {
			s = fmt.Sprintf("discord %s: not sent", f.Op)
		}
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Word gives the kind, for traces.
func (f *Failure) Word() string { return "discord " + string(f.Kind) }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// FailureOf is the kind of the failure in err; "" for nil, and Unknown for an error that says nothing.
func FailureOf(err error) FailureKind {
	if err == nil {
		return ""
	}
	var f *Failure
	if errors.As(err, &f) {
		return f.Kind
	}
	return Unknown
}
