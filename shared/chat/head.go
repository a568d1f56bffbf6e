package chat

import (
	"fmt"
	"time"
)

// The constants of the channel protocol. Everything that keeps two workers apart in Discord, which has no fencing, hangs
// on their order: a create may start 5 s after its stamp, a call lasts at most Call and lands at most 15 s later, so it is
// over within Settle; a worker whose beat is younger than Fresh can make a call that ends before DeadLimit; DeadLimit is
// shorter than Visibility, so an ordinary redelivery finds the beat dead.
const (
	BeatEvery     = 10 * time.Second
	WatchEvery    = time.Second            // while text streams, so that a stop is seen at once
	PauseEvery    = 250 * time.Millisecond // while the work does nothing but wait
	DeadLimit     = 45 * time.Second
	Visibility    = 60 * time.Second
	Call          = 10 * time.Second // time-out of one Discord call
	CreateWithin  = 5 * time.Second
	Fresh         = DeadLimit - Call - 5*time.Second
	NonceTrust    = 60 * time.Second
	Settle        = 30 * time.Second
	TellHookEvery = 24 * time.Hour // between two words in one channel about its webhook
	SweepAfter    = time.Minute    // first resend by the sweeper; doubles each time
	SweepAtMost   = time.Hour
	Poison        = 5  // starts without an end before a turn fails
	MailboxCap    = 40 // waiting events of one channel
	FollowUps     = 3  // in one chain
	LedgerLife    = 49 * time.Hour
	TooOld        = 48 * time.Hour // of an event, by its snowflake; below LedgerLife, or a row would not outlive its event
	BackoffMax    = 60 * time.Second
)

// Phase is the state of a channel.
type Phase string

// The phases of the head.
const (
	Free      Phase = "free"
	WaitsPlan Phase = "waits-plan"
	Planning  Phase = "planning"
	WaitsTurn Phase = "waits-turn"
	Speaking  Phase = "speaking"
)

// Waiting tells whether the head waits for a worker to acquire it.
func (p Phase) Waiting() bool { return p == WaitsPlan || p == WaitsTurn }

// Held tells whether a worker holds the head.
func (p Phase) Held() bool { return p == Planning || p == Speaking }

// Held phases follow waiting ones.
var heldAfter = map[Phase]Phase{WaitsPlan: Planning, WaitsTurn: Speaking}

// Taken is the phase that acquiring a waiting phase leads to.
func (p Phase) Taken() Phase { return heldAfter[p] }

// GivenBack is the waiting phase that a held phase yields to.
func (p Phase) GivenBack() Phase {
	for w, h := range heldAfter {
		if h == p {
			return w
		}
	}
	return p
}

// Queue is the queue whose messages serve the phase; "" when the channel is free.
func (p Phase) Queue() string {
	switch p {
	case WaitsPlan, Planning:
		return QueueTurns
	case WaitsTurn, Speaking:
		return QueueReplies
	}
	return ""
}

// The queues that the head sends to. They are the names of package queue, repeated here because words import nothing; the
// assembly's test compares them.
const (
	QueueTurns   = "turns"
	QueueReplies = "replies"
)

// Head is the state machine of one channel (see the package's picture). A channel that was never used has the zero Head
// with phase Free.
type Head struct {
	Phase Phase
	Event EventID // the event being answered; empty when free
	User  UserID  // who wrote it
	Guild string  // that the channel is in; empty in direct messages
	Kind  Kind
	Turn  int // index of the turn that waits or speaks
	Turns int // how many the plan has

	Fence int64  // of the last acquire; only grows
	Owner string // invocation that acquired

	Next bool  // something has to be sent: the message naming the current plan or turn
	N    int64 // its send number; only grows, is never reset

	Due     time.Time // when the sweeper looks; zero when free
	Sweeps  int       // resends since the phase changed
	Starts  int       // acquires since the last end
	Begun   bool      // the current turn was acquired at least once
	Retries int       // yields for a retry since the current turn began
	Since   time.Time // when the event got the channel

	Boxed bool      // the event came out of the mailbox
	From  time.Time // when the current turn became somebody's task: received, out of the mailbox, or handed on by the turn before
	Asked time.Time // the current turn's first moments, as far as its last hold has written them down (Firsts)
	Heard time.Time

	Box       int64 // grows with every change of the mailbox
	Waiting   int   // events in the mailbox
	Tail      int64 // last position given in the mailbox
	FollowUps int   // follow-ups accepted in this chain

	LastPersona string // who spoke last
	Rev         int64  // grows with every change of the parts or the text of the current turn
	Text        int64  // fence under which the current turn's text was written; 0 while none is decided
}

// Job names what the head is at, for the queue of its phase.
func (h Head) Job(c ChannelID) Job {
	return Job{Queue: h.Phase.Queue(), Channel: c, Guild: h.Guild, Event: h.Event, Turn: h.Turn, N: h.N}
}

// Names tells whether the job names exactly what the head is at.
func (h Head) Names(j Job) bool {
	return h.Phase != Free && h.Phase.Queue() == j.Queue && h.Event == j.Event && (h.Phase.Queue() == QueueTurns || h.Turn == j.Turn)
}

// Job is a message of the turns or replies queue. It confers no authority: it names an event and, on replies, a turn, and
// whoever gets it must acquire.
type Job struct {
	Queue   string    `json:"-"`
	Channel ChannelID `json:"channel"`
	Guild   string    `json:"guild,omitempty"` // so that a worker can read its settings while it acquires
	Event   EventID   `json:"event"`
	Turn    int       `json:"turn"`
	N       int64     `json:"n"`
}

// Dedup is the deduplication id of the job: every send has a number of its own, a repeated send has the same.
func (j Job) Dedup() string { return fmt.Sprintf("%s#%d", j.Event, j.N) }

// SignalKind is why a hold is asked to end early.
type SignalKind string

// The signals. A stop outranks a follow-up; kill and deleted have no answer of their own.
const (
	NoSignal       SignalKind = ""
	SignalFollowUp SignalKind = "follow-up"
	SignalStop     SignalKind = "stop"
	SignalKill     SignalKind = "kill"
	SignalDeleted  SignalKind = "deleted"
)

// Final tells whether a further stop for the same hold is pointless.
func (k SignalKind) Final() bool { return k != NoSignal && k != SignalFollowUp }

// Signal is a request to end the hold of an event early. It is addressed to the hold, whatever the fence.
type Signal struct {
	Hold EventID
	Kind SignalKind
	By   EventID // the event that asked; empty for commands
	At   time.Time
}

// For tells whether the signal is meant for the hold of the event.
func (s Signal) For(e EventID) bool { return s.Kind != NoSignal && s.Hold == e }

// Beat is the sign of life of the worker that holds the channel, and the signal for it. Only a beat of the head's own
// fence says anything.
type Beat struct {
	Fence      int64
	AliveAt    time.Time
	ProgressAt time.Time // when work last went on; for people who look into a channel, nothing is decided by it
	Signal     Signal
}

// Dead tells whether the holder with this fence has stopped beating.
func (b Beat) Dead(fence int64, now time.Time) bool {
	return b.Fence == fence && now.Sub(b.AliveAt) > DeadLimit
}
