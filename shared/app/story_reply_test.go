package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/locale"
	simdiscord "tsumugi/shared/sim/discord"
)

// What people do with a reply of the bot, and what is kept of it.

var onPost = regexp.MustCompile(`^([\w-]+) (presses|applies) (.+) (?:on|to) post (\d+)$`)

// redo reads a line in which somebody uses a control of a post, or a command of its menu.
func (st *step) redo(rest string) bool {
	m := onPost.FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	st.verb, st.names, st.arg = "redo", []string{m[1], m[2]}, m[3]
	st.n, _ = strconv.Atoi(m[4])
	return true
}

// redoes lets somebody do so. The function that takes it dies of nothing: what is pressed again is another wish, and two of them come
// to other ends than one.
func (w *scene) redoes(ctx context.Context, st step) error {
	if s, ok := w.stage.(interface{ receives(context.Context) error }); ok {
		if err := s.receives(ctx); err != nil {
			return err
		}
	}
	m, err := w.post(st.n)
	if err != nil {
		return err
	}
	in := simdiscord.Invocation{User: st.names[0], Channel: m.ChannelID, Kind: "message", Command: st.arg, Target: m.ID}
	if st.names[1] == "presses" {
		at := slices.IndexFunc(controlsOf(m.Components), func(c control) bool { return c.Type == 2 && !c.Disabled && c.Label == st.arg })
		if at < 0 {
			return fmt.Errorf("below post %d stands no %s that can be pressed: %v", st.n, st.arg, buttonsOf(m))
		}
		in = simdiscord.Invocation{User: st.names[0], Channel: m.ChannelID, Kind: "component", Message: m.ID, CustomID: controlsOf(m.Components)[at].CustomID}
	}
	for range repeats {
		out, err := w.sim.Interact(ctx, in)
		if err != nil {
			return err
		}
		w.asked(out.ID)
		switch text := w.people.alone(in, out); {
		case out.State == "deferred":
			w.people.heard = append(w.people.heard, in.User+": …")
			return nil
		case out.State == "answered" && text != locale.Default.Say("refused.again"):
			w.people.heard = append(w.people.heard, in.User+": "+text)
			return nil
		}
		w.stage.pass(3 * time.Second)
	}
	return fmt.Errorf("%s of post %d is not answered", st.arg, st.n)
}

// alone is what a person reads in answer to an interaction, which nobody else may see.
func (p *people) alone(in simdiscord.Invocation, out simdiscord.Outcome) string {
	for _, m := range p.w.sim.MessagesAs(in.Channel, in.User) {
		if m.InteractionMetadata != nil && m.InteractionMetadata.ID == out.ID {
			if m.EphemeralTo == "" {
				p.w.fault("an answer to %s is there for everybody: %q", in.User, m.Content)
			}
			return m.Content
		}
	}
	return ""
}

// buttonsOf are the labels below a message, a row behind the other; what cannot be pressed stands in brackets.
func buttonsOf(m simdiscord.Message) string {
	var rows []string
	for _, raw := range m.Components {
		var row control
		if json.Unmarshal(raw, &row) != nil {
			continue
		}
		var labels []string
		for _, c := range row.Components {
			if c.Disabled {
				c.Label = "(" + c.Label + ")"
			}
			labels = append(labels, c.Label)
		}
		rows = append(rows, strings.Join(labels, " "))
	}
	return strings.Join(rows, " / ")
}

// buttons are those below the visible posts, a line each, by the post's number; posts without any have none.
func (w *scene) buttons() (all []string) {
	for n, m := range w.posts() {
		if b := buttonsOf(m); b != "" && !m.Deleted {
			all = append(all, fmt.Sprintf("%d: %s", n+1, b))
		}
	}
	return all
}

// reply takes what is kept of a reply that was done again.
func (j *judged) reply(item kv.Item) error {
	var r chat.Reply
	if !item.Has("reply") {
		return nil
	}
	if err := json.Unmarshal(item.Bytes("reply"), &r); err != nil {
		return err
	}
	if shown := r.Shown(); (shown == nil) != r.Deleted || len(r.Variants) > chat.MaxVariants {
		j.bad("of words %d is kept a reply that shows nothing of its %d variants", j.w.number(r.Event), len(r.Variants))
	}
	for i, v := range r.Variants {
		if v.By == "" || v.At.IsZero() || v.End == "" || i > 0 && v.N <= r.Variants[i-1].N || (v.Provider == "" || v.Model == "") && v.End == chat.Answered {
			j.bad("a variant lacks what it came from: %+v", v)
		}
	}
	j.kept = append(j.kept, r)
	return nil
}

// again sets the texts of the turns whose replies were done again to what is shown of them now. A turn that did so has no messages of
// its own, and what it came to is a variant.
func (j *judged) again() {
	for _, t := range j.turns {
		for _, r := range j.kept {
			if r.Event != t.event || r.Turn != t.index {
				continue
			}
			if t.text = ""; !r.Deleted {
				t.text = r.Shown().Text
			}
		}
		if t.redo && len(t.parts) > 0 {
			j.bad("a turn that did a reply again has %d messages of its own", len(t.parts))
		}
		if t.redo {
			t.text = ""
		}
	}
}
