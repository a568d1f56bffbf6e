package turn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
	"tsumugi/shared/speech"
)

// Options are the choices of an installation. Zero values have defaults.
type Options struct {
	Context  int // tokens of the model's context; default 8192
	Reserve  int // tokens kept for the reply; default 1024
	History  int // messages of history; default 80. A place may have its own
	MaxReply int // characters of one reply; default 20,000. A place may have its own

	Crowd    chat.Crowd    // knows the streams of all processes; nil: there is no other process
	Refusals chat.Refusals // remembers the channels that refuse to be written to; nil: nobody does
	// Avatar is the public address of a persona's picture in a guild; "" for none. nil: there are none.
	Avatar func(guild string, p persona.Persona) string
}

const (
	partLimit    = 1950 // characters of one Discord message; below 2,000, so that a fence can be closed
	history      = 80
	historyTries = 5   // attempts that wait for a history which cannot be read
	window       = 100 // messages of one read; what is left out of history does not shorten it
	maxReply     = guild.MaxReply
)

// Speaker speaks turns.
type Speaker struct {
	turns   chat.Turns
	discord chat.Discord
	voices  Voices
	lib     guild.Library
	out     chat.Outbox
	opt     Options
	streams streams // of this process
}

// New makes a speaker.
func New(turns chat.Turns, discord chat.Discord, voices Voices, lib guild.Library, out chat.Outbox, opt Options) *Speaker {
	if opt.History <= 0 {
		opt.History = history
	}
	if opt.MaxReply <= 0 {
		opt.MaxReply = maxReply
	}
	return &Speaker{turns: turns, discord: discord, voices: voices, lib: lib, out: out, opt: opt}
}

// Handle works on a message of the replies queue. It may be called again for the same job: what an earlier attempt left is
// found and continued, never doubled.
func (s *Speaker) Handle(ctx context.Context, j chat.Job, d chat.Delivery) error {
	early := s.begin(chat.Ahead(ctx, chat.StageContext), j)
	defer early.wait()
	return chat.Work(ctx, s.turns, s.out, j, d, func(ctx context.Context, k *chat.Keeper) error {
		r := &run{Speaker: s, k: k, early: early, shown: map[int]string{}, read: map[int]string{}, at: map[int]time.Time{}, late: map[int]time.Time{},
			void: map[int]bool{}, fresh: map[int]bool{}, renewed: map[int]bool{}, feet: feet{known: map[int]string{}}, pace: speech.NewPace(editEvery)}
		r.pace.Among(s.streams.known(), 0)
		err := r.speak(ctx)
		if errors.Is(err, errStopped) {
			err = r.stop(ctx)
		}
		var over *conclusion
		if errors.As(err, &over) && over.told != "" && k.Signal().Kind == chat.NoSignal {
			if err = r.retell(ctx, over); errors.As(err, new(*conclusion)) {
				err = over // not even that may be said
			}
		}
		switch {
		case err == nil:
			return nil
		case errors.As(err, &over):
			return r.conclude(ctx, over)
		case errors.Is(context.Cause(ctx), chat.ErrHandOver):
			return k.HandOver(ctx)
		case errors.Is(err, chat.ErrLost):
			return err
		}
		slog.WarnContext(ctx, "turn will be tried again", "error", err)
		return k.Retry(ctx, err)
	})
}

// run is one attempt at a turn.
type run struct {
	*Speaker
	k        *chat.Keeper
	early    early
	st       chat.TurnState    // what earlier attempts and this one have stored
	shown    map[int]string    // content of each part as far as this attempt knows it
	read     map[int]string    // content of parts that it only read; see screen
	at       map[int]time.Time // when content was last shown
	late     map[int]time.Time // begin of an edit of the part that was not answered; see outlast
	void     map[int]bool      // Discord refused the create of the part's intent: nothing of it has landed
	fresh    map[int]bool      // this attempt made the intent of the part
	renewed  map[int]bool      // the part was made anew; see renew
	blind    bool              // something that people see could not be read
	pace     *speech.Pace
	spent    spent
	reviewed bool          // the words were held back for a review
	streamed time.Duration // the model spoke
	said     time.Time     // when this attempt last brought words to the screen
	replyTo  chat.MessageID
	answers  string // who wrote that
	mask     mask
	settling bool // what is shown is brought to what was read; see settle
	voice    Voice
	lexicon  speech.Lexicon
	asker    chat.UserID // who wrote what is answered
	open     bool        // the words that are shown now will change
	manner               // once the place is known
	sign     sign
	feet     feet
	sofar    string      // what the turn goes on from; see redo
	was      *chat.Reply // that the turn does again, as it found it; see redo
	replaced bool        // people see words of this turn in the place of the reply's
}

// saying is what a turn has come to: its text and how it ends.
type saying struct {
	text string
	end  chat.Ending
}

// conclusion ends a turn at once: what would be said cannot be shown.
type conclusion struct {
	end  chat.Ending
	err  error
	told string // key of what can be said of it; "" for not a further word
}

func (c *conclusion) Error() string { return "turn ends: " + c.end.Reason + ": " + c.err.Error() }
func (c *conclusion) Unwrap() error { return c.err }
func (c *conclusion) Word() string  { return c.end.Reason }

// speak gives the turn its one reply. The order at the end is fixed: text stored, last edit, turn ended.
func (r *run) speak(ctx context.Context) error {
	if err := r.look(ctx); err != nil {
		return err
	}
	if err := r.recall(ctx); err != nil {
		return err
	}
	if !r.k.Hold.Fresh { // an earlier attempt may have left a message that another one was to replace
		if err := r.withdraw(ctx, chat.Retired); err != nil {
			return err
		}
	}
	var say saying
	var err error
	switch redo := r.redo(); {
	case redo != nil && !redo.What.AsksModel():
		return r.quietly(ctx)
	case r.k.Signal().Kind != chat.NoSignal:
		return errStopped
	case r.st.HasText: // an earlier attempt decided it
		say, err = saying{r.st.Text, chat.Ending{Row: r.st.Ending, Reason: r.st.Reason}}, r.adapt()
		if err == nil {
			err = r.dress(ctx)
		}
	case r.k.Hold.Failing, r.turn().Notice != "":
		say, err = r.told(ctx)
	default:
		if err = r.withdraw(ctx, chat.Retired); err == nil {
			err = r.dress(ctx)
		}
		if err == nil {
			err = r.reopen(ctx)
		}
		if err == nil {
			say, err = r.generate(ctx)
		}
	}
	if err != nil {
		return err
	}
	if err := r.finish(ctx, say); err != nil {
		return err
	}
	return r.end(ctx, chat.Ending{Row: r.st.Ending, Reason: r.st.Reason})
}

// turn is what the plan says of this turn.
func (r *run) turn() chat.Turn { return r.k.Hold.Plan.Turns[r.k.Hold.Head.Turn] }

// reopen settles a first post that an earlier attempt began, before the model is asked: its stream would have to wait.
func (r *run) reopen(ctx context.Context) error {
	if p := r.part(0); p.Intent != nil && p.Message == "" {
		if err := r.ensure(ctx, 0, p.Intent.Content); !errors.Is(err, errUnmasked) {
			return err
		}
	}
	return nil // or the first words will be others
}

// look reads what earlier attempts left. A turn that nobody began has nothing to look for.
func (r *run) look(ctx context.Context) error {
	if r.k.Hold.Fresh {
		return nil
	}
	st, err := r.turns.State(ctx, r.k.Hold)
	r.st = st
	for _, p := range st.Parts {
		chat.Posted(ctx, p.Message)
		if !p.Late.IsZero() {
			r.late[p.K] = p.Late
		}
	}
	return err
}
