// Package queue is the contract for FIFO queues, and the one place where a queue's batch becomes calls of a handler. What
// lives here: the contract, versioned bodies, the batch rules of SQS FIFO. What must not live here: what a message means
// to a worker (verbs), and any engine (one subdirectory each).
//
// A queue is held to package queuetest.
package queue

import (
	"context"
	"errors"
	"time"
)

// Names of the queues. Each has a dead-letter queue: its name with DeadSuffix.
const (
	Ingress    = "ingress"
	Turns      = "turns"
	Replies    = "replies"
	Commands   = "commands" // its group is the interaction: what is slow for one person holds up nobody else
	DeadSuffix = "-dead"
)

// Limits of SQS FIFO that every driver keeps (SQS developer guide, quotas).
const (
	MaxBody = 1 << 20         // bytes of one message with its attributes
	Window  = 5 * time.Minute // a deduplication id is remembered so long, also after its message was deleted
	MaxHide = 12 * time.Hour  // longest visibility time-out
)

// Message is one message to send. Body is at most MaxBody bytes; Group and Dedup are 1 to 128 characters. A Dedup belongs to
// one group: whether another may use it too is for each queue to say (on AWS, a setting of the template).
type Message struct {
	Group string            // messages of one group are delivered in order and one batch at a time
	Dedup string            // a second Send of the same id within Window is accepted and dropped
	Body  string            //
	Attrs map[string]string // at most ten; AttrTrace is carried as SQS's AWSTraceHeader
}

// The attributes that carry a message's chat.Chain.
const (
	AttrTrace = "AWSTraceHeader" // the trace header of X-Ray
	AttrHops  = "hops"           // in decimal
)

// Received is a message in flight.
type Received struct {
	Message
	ID       string    // of the message; the same at every delivery
	Receipt  string    // handle of this delivery; a later delivery invalidates it
	Receives int       // deliveries so far, this one included
	Sent     time.Time // when it was sent
}

// Sender puts messages on a queue.
type Sender interface {
	// Send appends the message to its group. It is idempotent by Dedup within Window. An error leaves the outcome
	// unknown; sending again with the same Dedup is safe within Window.
	Send(ctx context.Context, queue string, m Message) error
}

// Hider changes the visibility time-out of a message in flight.
type Hider interface {
	// Hide makes the delivered message visible again after d from now (0: at once), unless it is deleted before. A group
	// with a message in flight gives nothing. A handle whose time has run out gives ErrReceipt.
	Hide(ctx context.Context, queue, receipt string, d time.Duration) error
}

// Driver is a set of FIFO queues.
type Driver interface {
	Sender
	Hider
	// Receive takes up to max (1 to 10) messages and hides them for d. It may mix groups; the messages of one group come
	// in order and together block their group until each is deleted or visible again. A message that was received more
	// than the queue's maximum goes to the dead-letter queue instead, with its group, body and attributes. It returns at
	// once, with none when there is none.
	Receive(ctx context.Context, queue string, max int, d time.Duration) ([]Received, error)
	// Delete removes a delivered message. A handle whose time has run out gives ErrReceipt and deletes nothing; deleting
	// twice is fine.
	Delete(ctx context.Context, queue, receipt string) error
	// Wait returns when a message of the queue may have become available, or after d, or when the context ends. It is a
	// hint for pollers.
	Wait(ctx context.Context, queue string, d time.Duration)
}

// Gauge tells how much waits. Every engine is one besides being a Driver.
type Gauge interface {
	// Waiting is how many messages of the queue are not in flight, those included that stand behind one which is. Where the
	// queues are elsewhere it is about that many, and as of up to a minute ago.
	Waiting(ctx context.Context, queue string) (int, error)
}

// Errors of a driver, wrapped with operation and queue.
var (
	ErrReceipt  = errors.New("receipt handle has expired")
	ErrTooLarge = errors.New("message is larger than 1 MiB")
	ErrInvalid  = errors.New("message is malformed")
	ErrNoQueue  = errors.New("queue does not exist")
)
