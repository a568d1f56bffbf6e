package chat

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Plan is who speaks on an event, in which order. It is written once and adopted by every later attempt.
type Plan struct {
	Event   EventID   `json:"event"`
	Turns   []Turn    `json:"turns"`
	Charges []Charge  `json:"charges,omitempty"`
	At      time.Time `json:"at"`
	// Took is how long it took to make; for whoever measures.
	Took time.Duration `json:"took"`
}

// Turn is one persona speaking once.
type Turn struct {
	Persona string `json:"persona"`          // id
	Name    string `json:"name"`             // as it was when the plan was made
	Label   string `json:"label,omitempty"`  // stands before its words, where Discord shows them under another's name
	Notice  string `json:"notice,omitempty"` // set when the turn only tells the person that there is no answer: why
	// Own tells that only a provider of the guild may speak the turn: what the operator allows on its own model was not asked.
	Own bool `json:"own,omitempty"`
	// Redo is set when the turn makes no reply of its own: what it does with an earlier one.
	Redo *Redo `json:"redo,omitempty"`
}

// Charge is added to a counter of the channel in the transaction that saves the plan, so an event is charged once however
// often it is planned.
type Charge struct {
	Counter string `json:"counter"`
	N       int64  `json:"n"`
}

// Retired is the number of the first part whose message lost its place to another one: it is no part of the text.
const Retired = 1000

// Part is one Discord message of a turn.
type Part struct {
	K       int
	Intent  *Intent
	Message MessageID // once it is recorded
	Hook    HookID    // of the webhook that posted it; "" for the bot account
	Dropped bool      // a later attempt did not need it and deleted it
	Late    time.Time // begin of an edit that was not answered and may still land; zero when there was none
}

// Intent is stored before a create and says what it will post, so that a repeat posts exactly that.
type Intent struct {
	Content string
	Nonce   string
	Face    bool      // it goes through a webhook, which takes no nonce: whether it landed is known by looking only
	At      time.Time // when the intent was made
	Tried   time.Time // when a create was last about to start
}

// Nonce derives the nonce of a part's n-th intent. It differs for every part, kind and intent (a shared one would make
// Discord return the earlier message) and has 24 characters; Discord takes 25.
func Nonce(e EventID, turn, k int, at time.Time) string {
	h := sha256.New()
	h.Write([]byte(e))
	for _, n := range []int64{int64(turn), int64(k), at.UnixNano()} {
		_ = binary.Write(h, binary.BigEndian, n) // a hash never fails
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
}

// TurnState is what earlier attempts of a turn left behind.
type TurnState struct {
	Text    string
	HasText bool // the text is decided; every later attempt shows and saves exactly it
	Ending  Row  // how the turn was going to end when its text was stored
	Reason  string
	Voiced  Voiced // what the text came from, as far as it was noted
	Parts   []Part
}

// Recorded is the id of part k, or "".
func (s TurnState) Recorded(k int) MessageID {
	for _, p := range s.Parts {
		if p.K == k {
			return p.Message
		}
	}
	return ""
}

// Ending is how a turn ends.
type Ending struct {
	Row    Row    // Answered, Interrupted or Failed
	Reason string // a stable reason code, for the ledger and the log
}

// Owner is what a recorded Discord message of ours is part of.
type Owner struct {
	Event   EventID
	Turn    int
	Part    int
	Persona string
	Hook    HookID // that posted it; "" for the bot account
}

// Hold is a worker's claim on a channel. Head is as the worker last read or wrote it; the fence in it is what every write
// is conditional on.
type Hold struct {
	Channel ChannelID
	Head    Head
	Event   Event
	Plan    *Plan     // on replies, or when an earlier attempt at planning has saved it
	Failing bool      // started too often without an end: only the failure path runs
	Fresh   bool      // nobody started this turn before, so there is nothing to look for
	Signal  Signal    // as it was in the transaction that acquired
	Waiting []EventID // events in the mailbox when it was acquired; they get turns of their own
	First   Firsts    // of the turn
	Parts   []Part    // of the turn, as last read or written
	Voiced  Voiced    // what the text comes from; kept with it
	Reply   *Reply    // that the turn does again; as the turn leaves it, it is kept when the turn ends
}

// Acquired is the outcome of an acquire.
type Acquired struct {
	Hold *Hold // nil: the message is stale, or what it names is held by a live worker
	Send *Job  // then: what is still in the outbox and is to be sent again before the message is deleted
}

// YieldKind is why a worker gives the head back without an end.
type YieldKind int

// The two yields.
const (
	Retry    YieldKind = iota // it tries again after a backoff; the start is taken back
	HandOver                  // a fresh invocation continues at once
)

// Overdue is a channel that the sweeper looks at.
type Overdue struct {
	Channel ChannelID
	Head    Head
}
