package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
	"tsumugi/shared/prompt"
)

// early is what a turn reads while it acquires.
type early struct {
	place       *chat.Early[guild.Place]
	history     *chat.Early[[]chat.Message]
	expressions *chat.Early[chat.Expressions]
}

func (s *Speaker) begin(ctx context.Context, j chat.Job) early {
	e := early{
		place:   chat.Begin(func() (guild.Place, error) { return s.lib.Place(ctx, j.Guild, j.Channel) }),
		history: chat.Begin(func() ([]chat.Message, error) { return s.latest(ctx, j.Channel, "") }),
	}
	known := e
	e.expressions = chat.Begin(func() (chat.Expressions, error) { return s.expressions(ctx, known, j) })
	return e
}

// latest reads the channel's newest messages, or the newest before one of them.
func (s *Speaker) latest(ctx context.Context, c chat.ChannelID, before chat.MessageID) ([]chat.Message, error) {
	defer chat.Timed(ctx, chat.TimeHistoryFetch)()
	return s.discord.Before(ctx, c, before, window)
}

// wait is called before the turn returns, so that no read outlives it.
func (e early) wait() {
	_, _ = e.place.Wait()
	_, _ = e.history.Wait()
	_, _ = e.expressions.Wait()
}

// gather makes the turn's prompt from the place, the history and the event.
func (r *run) gather(ctx context.Context) (p prompt.Prompt, err error) {
	ctx, end := chat.Stage(ctx, chat.StageContext)
	defer end(&err)
	h := r.k.Hold
	chat.Detail(ctx, r.turn().Persona)
	if err := r.adapt(); err != nil {
		return prompt.Prompt{}, err
	}
	if err := r.welcome(); err != nil {
		return prompt.Prompt{}, err
	}
	cast := r.place.Cast
	speaker, ok := cast.ByID(h.Plan.Turns[h.Head.Turn].Persona)
	if !ok {
		return prompt.Prompt{}, &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "persona_missing"}, err: chat.ErrMissing}
	}
	if r.place.Provider == nil && r.turn().Own { // it was removed since the turn was planned
		return prompt.Prompt{}, fmt.Errorf("gather turn %d: the guild's provider is gone: %w", h.Head.Turn, ErrNoVoice)
	}
	if r.voice, err = r.voices.For(ctx, h.Event.Guild, r.place.Provider); err != nil {
		return prompt.Prompt{}, fmt.Errorf("gather turn %d: %w", h.Head.Turn, err)
	}
	h.Voiced = chat.Voiced{Model: r.voice.Name, Provider: r.voice.Provider}
	lines, input, err := r.history(ctx, cast, speaker)
	if err != nil {
		return prompt.Prompt{}, err
	}
	defer chat.Timed(ctx, chat.TimePrompt)()
	scene := prompt.Scene{
		Persona: speaker, Asker: prompt.Speaker{Name: input.Speaker}, History: lines, Input: input, Kind: kindOf(r.kind()), Begun: r.sofar,
		Prompt: r.place.Prompt, Now: time.Now(), Limit: r.opt.Context, Reserve: r.opt.Reserve, Model: r.voice.Name,
	}
	r.express(&scene)
	return prompt.Build(scene)
}

// adapt takes the manner of the place. Where the turn has failed often already, the installation's will do.
func (r *run) adapt() error {
	place, err := r.early.place.Wait()
	if err != nil && !r.k.Hold.Failing {
		return fmt.Errorf("place of turn %d: %w", r.k.Hold.Head.Turn, err)
	}
	r.manner = mannerOf(place, r.turn().Persona, r.opt)
	return nil
}

func kindOf(k chat.Kind) prompt.Kind {
	switch k {
	case chat.StopAsk:
		return prompt.AnswerStop
	case chat.FollowUp:
		return prompt.AnswerFollowUp
	}
	return prompt.AnswerMessage
}

// words is a message as a model reads it: its text, and in brackets what it has besides.
func words(text, extras string) string { return strings.TrimSpace(text + " " + extras) }

// errNothing means that a command asks for an answer where nobody has said anything.
var errNothing = errors.New("nobody has spoken here")

// input is what is answered: the event, or where a command asks for an answer, the newest message of a person before that.
func (r *run) input(messages []chat.Message) (prompt.Line, error) {
	h := r.k.Hold
	if r.redo() != nil && r.kind() != chat.Command {
		return r.again(messages)
	}
	if r.kind() != chat.Command {
		return prompt.Line{ID: string(h.Event.ID), Speaker: h.Event.Author.Name, Text: words(h.Event.Text, h.Event.Extras), At: h.Event.At}, nil
	}
	for _, m := range slices.Backward(messages) {
		said := words(m.Text, m.Extras)
		if m.System || m.Author.Us || m.Author.Bot || m.Author.Webhook || said == "" || newer(string(m.ID), string(r.trigger())) || slices.Contains(h.Waiting, chat.EventID(m.ID)) {
			continue
		}
		return prompt.Line{ID: string(m.ID), Speaker: m.Author.Name, Text: said, At: m.At}, nil
	}
	return prompt.Line{}, fmt.Errorf("gather turn %d: %w", h.Head.Turn, errNothing)
}

// history is what is answered, and what was said before it: everything older, and what we ourselves said since. Messages of
// people that came later, or that wait for a turn of their own, would be answered twice.
func (r *run) history(ctx context.Context, cast persona.Cast, speaker persona.Persona) ([]prompt.Line, prompt.Line, error) {
	defer chat.Timed(ctx, chat.TimeHistory)()
	messages, err := r.messages(ctx)
	if err != nil {
		return nil, prompt.Line{}, err
	}
	input, err := r.input(messages)
	if err != nil {
		return nil, input, err
	}
	r.know(messages)
	r.asker = r.asked(messages, input)
	owner, err := r.owners(ctx, cast, messages)
	if err != nil {
		return nil, input, err
	}
	asked := r.kind() == chat.Command
	var lines []prompt.Line
	for _, m := range messages {
		ours, later := m.Author.Us, newer(string(m.ID), input.ID)
		if later && (!ours || asked && !r.own(m.ID)) {
			r.replyTo, r.answers = chat.MessageID(input.ID), input.Speaker // the talk went on: say what is being answered
		}
		switch {
		case m.System, string(m.ID) == input.ID, slices.Contains(r.k.Hold.Waiting, chat.EventID(m.ID)), !ours && later, r.own(m.ID):
			continue
		}
		line := prompt.Line{ID: string(m.ID), Speaker: m.Author.Name, Text: words(m.Text, m.Extras), At: m.At}
		if ours {
			line.Persona = true
			line.Text = r.lexicon.Undress(withoutNotice(withoutReply(line.Text)))
			if p, ok := cast.ByID(owner[m.ID].Persona); ok {
				line.Text = strings.TrimPrefix(line.Text, cast.Label(p)) // Discord needs it, a model would copy it
				if p.ID != speaker.ID {
					line.Persona, line.Other, line.Speaker = false, true, p.Name
				}
			}
		}
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-r.past):], input, nil
}

// withoutNotice takes the small print off the end of a message of ours: it was for people, and no persona said it.
func withoutNotice(text string) string {
	for {
		at := strings.LastIndexByte(text, '\n') + 1
		if !strings.HasPrefix(text[at:], "-# ") {
			return text
		}
		text = strings.TrimRight(text[:at], "\n")
	}
}

// withoutReply takes off the line that says what a message with a face answers.
func withoutReply(text string) string {
	if line, rest, more := strings.Cut(text, "\n"); more && strings.HasPrefix(line, replyMark) {
		return rest
	}
	return text
}

// messages reads the channel; what was read beside acquiring is used by the first attempt.
func (r *run) messages(ctx context.Context) ([]chat.Message, error) {
	if messages, err := r.early.history.Wait(); err == nil && r.k.Hold.Fresh && r.edge() == "" {
		return messages, nil
	}
	if err := r.k.Ready(ctx); err != nil {
		return nil, err
	}
	messages, err := r.latest(ctx, r.k.Hold.Channel, r.edge())
	switch chat.FailureOf(err) {
	case "":
		return messages, nil
	case chat.Rejected: // no permission to read the history: the persona answers what it was told
		return nil, nil
	case chat.Unknown:
		if r.k.Hold.Head.Retries >= historyTries {
			return nil, nil // as well without
		}
	case chat.Vanished:
		return nil, &conclusion{end: chat.Ending{Row: chat.Failed, Reason: "channel_gone"}, err: err}
	}
	return nil, err
}

// owners tells which persona spoke our messages; with one persona there is nothing to ask.
func (r *run) owners(ctx context.Context, cast persona.Cast, messages []chat.Message) (map[chat.MessageID]chat.Owner, error) {
	if len(cast.Personas) < 2 {
		return nil, nil
	}
	var ours []chat.MessageID
	for _, m := range messages {
		if m.Author.Us {
			ours = append(ours, m.ID)
		}
	}
	return r.turns.Whose(ctx, r.k.Hold.Channel, ours)
}

// own tells whether the message is a part of this very turn, left by an earlier attempt.
func (r *run) own(id chat.MessageID) bool {
	return slices.ContainsFunc(r.st.Parts, func(p chat.Part) bool { return p.Message == id })
}

// newer compares snowflakes.
func newer(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }
