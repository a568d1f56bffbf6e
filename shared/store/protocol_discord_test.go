package store_test

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/turn"
)

// turnID names a turn.
type turnID struct {
	event chat.EventID
	turn  int
}

// shown is one message of the channel.
type shown struct {
	chat.Message
	by    *proc // who created it; nil for a person
	of    turnID
	nonce string
	made  time.Time
	gone  bool
}

// flight is a create that left and has not landed.
type flight struct {
	p        *proc
	post     chat.Post
	deadline time.Time
}

// twin is Discord: one channel, nonces that are remembered for some time, creates that may land late.
type twin struct {
	w        *world
	list     []*shown
	flying   []flight
	remember time.Duration
	made     uint64
}

// snowflake makes an id of now; ids grow.
func (d *twin) snowflake() chat.MessageID {
	d.made++
	n, _ := strconv.ParseUint(chat.Snowflake(time.Now()), 10, 64)
	return chat.MessageID(strconv.FormatUint(n+d.made, 10))
}

// landing is how long after its start a call may take effect: the one timing assumption of the protocol.
const landing = chat.Call + 15*time.Second

// perform is the effect of a create: a remembered nonce returns the earlier message.
func (d *twin) perform(p *proc, post chat.Post) chat.MessageID {
	for _, m := range d.list {
		if m.nonce == post.Nonce && m.nonce != "" && time.Since(m.made) <= d.remember && !m.gone {
			return m.ID
		}
	}
	m := &shown{by: p, of: turnID{p.job.Event, p.job.Turn}, nonce: post.Nonce, made: time.Now(), Message: chat.Message{
		ID: d.snowflake(), Text: post.Content, At: time.Now(), Author: chat.Author{ID: "900", Name: "bot", Bot: true, Us: true}}}
	d.list = append(d.list, m)
	return m.ID
}

// land lets the oldest flying create arrive.
func (d *twin) land() {
	f := d.flying[0]
	d.flying = d.flying[1:]
	id := d.perform(f.p, f.post)
	d.w.note("the late create of %s lands as %s", f.p.name, id)
}

func (d *twin) find(id chat.MessageID) *shown {
	for _, m := range d.list {
		if m.ID == id && !m.gone {
			return m
		}
	}
	return nil
}

// says puts a person's message into the channel.
func (d *twin) says(e chat.Event) {
	d.list = append(d.list, &shown{Message: chat.Message{ID: chat.MessageID(e.ID), Author: e.Author, Text: e.Text, At: e.At}})
}

// gatedDiscord is one process's way to Discord. Its calls end within their time-out, also when the process stalls.
type gatedDiscord struct{ p *proc }

func (g gatedDiscord) do(ctx context.Context, label string, effect func(d *twin) error) error {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	err := g.p.do(ctx, "discord "+label, func() error { return effect(g.p.w.discord) })
	if err == nil || chat.FailureOf(err) != chat.Unknown {
		return err
	}
	return &chat.Failure{Op: label, Kind: chat.Unknown, Err: err}
}

// Mask refuses: faces are not part of the model.
func (g gatedDiscord) Mask(context.Context, chat.ChannelID) error {
	return &chat.Failure{Op: "mask", Kind: chat.NoHook}
}

// Create posts, at once or later.
func (g gatedDiscord) Create(ctx context.Context, post chat.Post) (m chat.Ref, err error) {
	begin := time.Now()
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	f, err := g.p.enter(ctx, "discord create")
	if err == nil {
		err = f.before
	}
	d := g.p.w.discord
	switch {
	case err != nil:
	case f.fly:
		d.flying = append(d.flying, flight{g.p, post, begin.Add(landing)})
		err = f.after
		if err == nil {
			g.p.kill()
			err = errDead
		}
	default:
		g.p.w.judge.speaks(g.p, "creates")
		m = chat.Ref{Channel: post.Channel, Message: d.perform(g.p, post)}
		err = f.after
		if f.freeze > 0 {
			g.p.stall(f.freeze)
			if _, late := g.p.enter(context.WithoutCancel(ctx), "wakes in create"); late != nil {
				err = late
			}
		}
		if f.die {
			g.p.kill()
			err = errDead
		}
	}
	if err != nil {
		return chat.Ref{}, &chat.Failure{Op: "create", Kind: chat.Unknown, Err: err}
	}
	return m, nil
}

func vanished(op string) error {
	return &chat.Failure{Op: op, Kind: chat.Vanished, Status: 404, Code: 10008}
}

// Edit replaces a message of ours.
func (g gatedDiscord) Edit(ctx context.Context, ref chat.Ref, s chat.Shown) error {
	return g.do(ctx, "edit", func(d *twin) error {
		g.p.w.judge.speaks(g.p, "edits")
		m := d.find(ref.Message)
		if m == nil {
			return vanished("edit")
		}
		if of := (turnID{g.p.job.Event, g.p.job.Turn}); m.of != of {
			d.w.judge.broke(1, "turn %s wrote into the message of %s", d.w.turnName(of), d.w.turnName(m.of))
		}
		m.Text, m.Edited = s.Content, true
		return nil
	})
}

// Delete removes a message of ours.
func (g gatedDiscord) Delete(ctx context.Context, ref chat.Ref) error {
	return g.do(ctx, "delete", func(d *twin) error {
		g.p.w.judge.speaks(g.p, "deletes")
		if m := d.find(ref.Message); m != nil {
			m.gone = true
		}
		return nil
	})
}

// Typing shows nothing here.
func (g gatedDiscord) Typing(ctx context.Context, _ chat.ChannelID) error { return ctx.Err() }

// Before reads the messages before an id.
func (g gatedDiscord) Before(ctx context.Context, _ chat.ChannelID, id chat.MessageID, limit int) (out []chat.Message, err error) {
	err = g.do(ctx, "read before", func(d *twin) error {
		for _, m := range d.sorted() {
			if id == "" || older(m.ID, id) {
				out = append(out, m.Message)
			}
		}
		out = out[max(0, len(out)-limit):]
		return nil
	})
	return out, err
}

// After reads the messages after an id.
func (g gatedDiscord) After(ctx context.Context, _ chat.ChannelID, id chat.MessageID, limit int) (out []chat.Message, err error) {
	err = g.do(ctx, "read after", func(d *twin) error {
		for _, m := range d.sorted() {
			if older(id, m.ID) {
				out = append(out, m.Message)
			}
		}
		out = out[:min(limit, len(out))]
		return nil
	})
	return out, err
}

func older(a, b chat.MessageID) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

func (d *twin) sorted() []*shown {
	list := slices.DeleteFunc(slices.Clone(d.list), func(m *shown) bool { return m.gone })
	slices.SortFunc(list, func(a, b *shown) int {
		if older(a.ID, b.ID) {
			return -1
		}
		return 1
	})
	return list
}

// gatedModel writes other words at every attempt, so that a repeated generation never happens to agree with the first.
type gatedModel struct{ p *proc }

// For is the model, whoever asks.
func (g gatedModel) For(context.Context, string, *guild.Provider) (turn.Voice, error) {
	return turn.Voice{Model: g}, nil
}

// Provider has no word.
func (gatedModel) Provider(*guild.Provider) string { return "" }

// errOutage is a model that cannot answer now.
var errOutage = &llm.Error{Kind: llm.Overloaded, Status: 503}

// Stream says two sentences, a step at a time; or the world's words, if it has any.
func (g gatedModel) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		w := g.p.w
		n := 0
		says := func(step, text string) bool {
			err := g.p.do(ctx, "model "+step, func() error {
				if n == 0 {
					w.written++
					n = w.written
				}
				return nil
			})
			if err != nil {
				yield(llm.Delta{}, g.fault(err))
				return false
			}
			if w.words != "" {
				text = w.words
			} else {
				text = strings.ReplaceAll(text, "%d", strconv.Itoa(n))
			}
			if w.kind(g.p.job.Event) == 'L' && (n%2 == 1 || step == "begins") {
				text = strings.Repeat(text, 26) // every other attempt is a part or two longer
			}
			return yield(llm.Delta{Text: text}, nil)
		}
		ok := says("begins", "Attempt %d says a first sentence that is long enough to show. ")
		ok = ok && (w.words != "" || says("goes on", "Attempt %d then says a second one. ") && says("ends", "Attempt %d is done."))
		if ok {
			yield(llm.Delta{Done: &llm.Done{Reason: llm.Stopped}}, nil)
		}
	}
}

// fault makes an injected failure one of the model's; the end of the context is its own.
func (g gatedModel) fault(err error) error {
	if g.p.ctx.Err() != nil || err == errDead {
		return context.Canceled
	}
	return err
}

// Expressions are none here.
func (g gatedDiscord) Expressions(context.Context, string) (chat.Expressions, error) {
	return chat.Expressions{}, nil
}
