package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/locale"
)

// Patience with interactions that come over the gateway.
const (
	answerIn      = 3 * time.Second // Discord takes no first answer later
	answersAtOnce = 16
	answersOpen   = 256                    // at work, waiting for that, or being refused
	answerWait    = time.Second            // for one of the places at work
	answerPause   = 200 * time.Millisecond // before the second attempt
	answerLeast   = 300 * time.Millisecond // that one attempt needs
)

const routeCallback = "/interactions/{interaction}/{token}/callback"

// codeAnswered is of an interaction that has its first answer.
const codeAnswered = 40060

var errNoAge = errors.New("nobody knows how old the interaction is, or how to answer it")

// responder answers the interactions that come over the gateway, beside its readers. Whoever uses a command waits for nobody
// else's, up to a bound.
type responder struct {
	rest   *Client
	answer func(context.Context, chat.Interaction) chat.Answer // nil: an endpoint has them
	places chan struct{}
	open   atomic.Int32
	tasks  sync.WaitGroup
}

func newResponder(g *Gateway) *responder {
	return &responder{rest: g.REST, answer: g.OnInteraction, places: make(chan struct{}, answersAtOnce)}
}

// interaction takes an interaction that came. It does not wait. One that Discord would not let us answer any more, as those that a
// resume repeats, changes nothing: whoever used it was told that it failed, and does it again.
func (l *link) interaction(ctx context.Context, d json.RawMessage) error {
	r := l.s.r.responder
	if r.answer == nil {
		return nil
	}
	i, ping, err := decodeInteraction(d)
	made, ok := chat.SnowflakeTime(string(i.ID))
	switch {
	case ping || err != nil:
		return err
	case !ok || i.Token == "":
		return errNoAge
	}
	switch age := r.rest.clock.age(made); {
	case age < answerIn:
		r.take(ctx, i, answerIn-max(age, 0), r.ask)
	case l.ready.Load() && time.Since(l.idle) < answerIn:
		// It did not wait here. Our clock went wrong since Discord told the time last, which the answer corrects, or Discord
		// brings it too late and takes no answer.
		r.take(ctx, i, answerIn, func(_ context.Context, i chat.Interaction) chat.Answer { return apology(i) })
	default:
		slog.InfoContext(ctx, "an interaction came too late to be answered", "event", string(i.ID), "age", age.Round(time.Millisecond).String())
	}
	return nil
}

// take begins an answer, which is given within the time that is left also when the context ends meanwhile.
func (r *responder) take(ctx context.Context, i chat.Interaction, left time.Duration, ask func(context.Context, chat.Interaction) chat.Answer) {
	if r.open.Add(1) > answersOpen {
		r.open.Add(-1)
		slog.ErrorContext(ctx, "too many interactions at once: one is not answered", "event", string(i.ID))
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), left)
	r.tasks.Go(func() {
		defer r.open.Add(-1)
		defer done()
		a := apology(i)
		if r.enter(ctx) {
			a = ask(ctx, i)
			<-r.places
		} else {
			slog.WarnContext(ctx, "an interaction is refused: too many are at work", "event", string(i.ID))
		}
		if err := r.rest.respond(ctx, i, callbackOf(i, a)); err != nil {
			slog.WarnContext(ctx, "an interaction was not answered", "event", string(i.ID), "error", err)
		}
	})
}

// enter takes a place at work; false when there is none for too long.
func (r *responder) enter(ctx context.Context) bool {
	ctx, done := context.WithTimeout(ctx, answerWait)
	defer done()
	select {
	case r.places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// ask has an answer in any case: a panic ends nobody else's, as on HTTP.
func (r *responder) ask(ctx context.Context, i chat.Interaction) (a chat.Answer) {
	defer func() {
		if p := recover(); p != nil { // its value may hold anything
			slog.ErrorContext(ctx, "the answer to an interaction failed by a defect", "event", string(i.ID), "error", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			a = apology(i)
		}
	}()
	return r.answer(ctx, i)
}

// apology asks to try again.
func apology(i chat.Interaction) chat.Answer {
	return chat.Answer{Text: locale.Pick(i.Locale, i.GuildLocale).Say("refused.again"), Ephemeral: true}
}

// respond gives the first answer to an interaction. What may succeed is tried once more while there is time: Discord takes one
// answer, and says so where it has it already. The interaction's token stands in place of the bot's.
func (c *Client) respond(ctx context.Context, i chat.Interaction, body callback) error {
	r := request{op: "answer interaction", method: http.MethodPost, route: routeCallback, major: string(i.ID),
		path: "/interactions/" + string(i.ID) + "/" + i.Token + "/callback", body: body}
	err := c.attempt(ctx, r)
	wait := max(after(err), answerPause)
	end, bounded := ctx.Deadline()
	if worthAgain := chat.FailureOf(err) == chat.Unknown || chat.FailureOf(err) == chat.Throttled; !worthAgain || bounded && time.Until(end) < wait+answerLeast {
		return err
	}
	if pause(ctx, wait) != nil {
		return err
	}
	again := c.once(ctx, r, "", nil)
	if f, ok := errors.AsType[*chat.Failure](again); ok && f.Code == codeAnswered && chat.FailureOf(err) == chat.Unknown {
		return nil // the first attempt did it
	}
	return again
}

// attempt is the first attempt, which leaves time for another.
func (c *Client) attempt(ctx context.Context, r request) error {
	if end, bounded := ctx.Deadline(); bounded {
		var done context.CancelFunc
		ctx, done = context.WithTimeout(ctx, max(time.Until(end)/2, answerLeast))
		defer done()
	}
	return c.once(ctx, r, "", nil)
}
