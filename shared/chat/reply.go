package chat

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Doing is what people may have done with a reply that has ended.
type Doing string

// The controls of a reply.
const (
	Regenerate   Doing = "regenerate" // another answer to the same words takes its place; the earlier one is kept as a variant
	Continue     Doing = "continue"   // the persona goes on where it ended
	ShowVariant  Doing = "show"       // a variant that is kept is shown again
	RemoveReply  Doing = "delete"     // its messages go, and its variants with them
	StopSpeaking Doing = "stop"       // while it is spoken: it ends as it stands. It is no Redo
)

// AsksModel tells whether a model is needed for it; what needs none is done also where nobody may speak any more.
func (d Doing) AsksModel() bool { return d != ShowVariant && d != RemoveReply }

// Redo is one use of a control of a reply. It is a turn of its own, of the event that asked for it, and works on the messages of
// the turn whose reply it is.
type Redo struct {
	What    Doing   `json:"what"`
	Event   EventID `json:"event"` // and the turn that made the reply
	Turn    int     `json:"turn"`
	From    int     `json:"from"`              // the variant that was shown when it was asked for: when another is shown by its turn, somebody was faster, and no model is asked
	Variant int     `json:"variant,omitempty"` // to show
	Name    string  `json:"name"`              // of who spoke, and the label before its words, as the reply has them
	Label   string  `json:"label,omitempty"`
}

// Variant is one of the texts of a reply.
type Variant struct {
	N      int       `json:"n"` // counts from 1 and names it as long as it is kept
	Text   string    `json:"text"`
	End    Row       `json:"end"` // how its turn ended
	Reason string    `json:"reason,omitempty"`
	By     UserID    `json:"by"` // who asked for it
	At     time.Time `json:"at"`
	Voiced
}

// Voiced is what is known of the model that a text came from.
type Voiced struct {
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"` // the word for who serves it, as in Sample
	Tokens   int    `json:"tokens,omitempty"`   // of the text, as the provider counts them; 0 when it does not
}

// Reply is what a turn has said, as far as it can be done again: its variants, of which one is shown, and its messages. Until
// somebody uses a control it is not kept as such, but made of what the turn left.
type Reply struct {
	Event    EventID   `json:"event"`
	Turn     int       `json:"turn"`
	Asker    UserID    `json:"asker"` // whom it answers
	Kind     Kind      `json:"kind"`  // of the hold that it was spoken in
	Persona  string    `json:"persona"`
	Name     string    `json:"name"`
	Label    string    `json:"label,omitempty"`
	Variants []Variant `json:"variants,omitempty"` // the oldest first
	Current  int       `json:"current"`            // the N of the one that is shown
	Deleted  bool      `json:"deleted,omitempty"`

	Parts []Part `json:"-"` // its messages
	Rev   int64  `json:"-"` // of the item it is kept in; 0 while there is none

	// How it stands in its channel, where somebody asks for it by one of its messages.
	Speaking bool `json:"-"` // its turn has not ended: nothing else is known
	Coming   bool `json:"-"` // somebody has used a control of it, which is worked on or waits
}

// What is kept of one reply: so many variants, in so many bytes of its item, of which DynamoDB takes 400 KB.
const (
	MaxVariants = 16
	maxVariants = 350 << 10
)

// Shown is the variant that is shown; nil when there is none.
func (r *Reply) Shown() *Variant { return r.Variant(r.Current) }

// Variant is the one with the number; nil when it is not kept.
func (r *Reply) Variant(n int) *Variant {
	for i := range r.Variants {
		if r.Variants[i].N == n {
			return &r.Variants[i]
		}
	}
	return nil
}

// Place is which of the variants is shown, counted from 1, and the ones before and after it; 0 where there is none.
func (r *Reply) Place() (at, before, after int) {
	i := slices.IndexFunc(r.Variants, func(v Variant) bool { return v.N == r.Current })
	if i < 0 {
		return 0, 0, 0
	}
	if i > 0 {
		before = r.Variants[i-1].N
	}
	if i+1 < len(r.Variants) {
		after = r.Variants[i+1].N
	}
	return i + 1, before, after
}

// Keep adds a variant and shows it. Where there are too many, or they are too large together, the oldest go.
func (r *Reply) Keep(v Variant) {
	v.N = 1
	for _, old := range r.Variants {
		v.N = max(v.N, old.N+1)
	}
	r.Variants, r.Current = append(slices.Clone(r.Variants), v), v.N
	for len(r.Variants) > 1 && (len(r.Variants) > MaxVariants || r.size() > maxVariants) {
		r.Variants = r.Variants[1:]
	}
}

func (r *Reply) size() int {
	b, err := json.Marshal(r)
	if err != nil {
		return maxVariants + 1
	}
	return len(b)
}

// Remove leaves nothing of what was said.
func (r *Reply) Remove() { r.Deleted, r.Variants, r.Current = true, nil, 0 }

// Clone shares nothing with r that Keep and Remove change.
func (r *Reply) Clone() *Reply {
	c := *r
	return &c
}

// Replies finds the reply behind a message.
type Replies interface {
	// ReplyOf is the reply that a message of ours is part of, with its state in the channel. ErrMissing when the message is none
	// of ours, or is older than what is kept of it.
	ReplyOf(ctx context.Context, c ChannelID, m MessageID) (Reply, error)
}

// Custom ids of components lead back to what they are for, also in another process: the version of their form, the path of a
// command, one of its steps, for whom it is, and arguments, which hold no "|".

// customIDs is the version of their form.
const customIDs = "1"

// Anybody stands in a custom id where the step itself looks who may.
const Anybody = "0"

// ReplyPath is the path of the controls of replies.
const ReplyPath = "reply"

// CustomID makes a custom id. It stays below 100 characters where the arguments are two ids and a number.
func CustomID(path, step, owner string, args ...string) string {
	return strings.Join(append([]string{customIDs, path, step, owner}, args...), "|")
}

// ReadCustomID takes a custom id apart; false when it is not of this form.
func ReadCustomID(id string) (path, step, owner string, args []string, ok bool) {
	parts := strings.Split(id, "|")
	if len(parts) < 4 || parts[0] != customIDs {
		return "", "", "", nil, false
	}
	return parts[1], parts[2], parts[3], parts[4:], true
}

// ControlID is the custom id of a control of the reply; n is the variant that it shows.
func ControlID(what Doing, e EventID, turn, n int) string {
	args := []string{string(e), strconv.Itoa(turn)}
	if what == ShowVariant {
		args = append(args, strconv.Itoa(n))
	}
	return CustomID(ReplyPath, string(what), Anybody, args...)
}
