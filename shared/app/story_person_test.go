package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/locale"
	"tsumugi/shared/persona"
	simdiscord "tsumugi/shared/sim/discord"
)

// Bounds of a person's patience.
const (
	repeats  = 250              // uses of what was not answered, for a quarter of an hour
	thinking = 15 * time.Minute // of the sign that an answer is coming
)

// parts of Discord's components that people use.
type control struct {
	Type        int       `json:"type"`
	CustomID    string    `json:"custom_id"`
	Label       string    `json:"label"`
	Disabled    bool      `json:"disabled"`
	Placeholder string    `json:"placeholder"`
	Options     []item    `json:"options"`
	Components  []control `json:"components"`
	Component   *control  `json:"component"`
}

type item struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// walked are the controls and all below them.
func walked(all []control) (out []control) {
	for _, c := range all {
		out = append(out, c)
		out = append(out, walked(c.Components)...)
		if c.Component != nil {
			out = append(out, walked([]control{*c.Component})...)
		}
	}
	return out
}

func controlsOf(raw []json.RawMessage) (out []control) {
	for _, r := range raw {
		var c control
		if json.Unmarshal(r, &c) == nil {
			out = append(out, walked([]control{c})...)
		}
	}
	return out
}

// people are those who use commands in a scene. What is not answered they use again, as people do.
type people struct {
	w      *scene
	forms  map[string]*simdiscord.Modal     // that is open before somebody
	opened map[string]simdiscord.Invocation // by what
	heard  []string                         // "ana: text", for each answer
}

var given = regexp.MustCompile(`(?:^| )([a-z_]+):`)

// optionsOf reads "name:Nox greeting:Hello there".
func optionsOf(text string) (command string, options map[string]any) {
	marks := given.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 {
		return strings.TrimSpace(text), nil
	}
	options = map[string]any{}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		value := any(unescape(strings.TrimSpace(text[m[1]:end])))
		switch value {
		case "true":
			value = true
		case "false":
			value = false
		}
		options[text[m[2]:m[3]]] = value
	}
	return strings.TrimSpace(text[:marks[0][0]]), options
}

// square is a picture, of nothing.
func square() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 300, 200))) // into memory
	return b.Bytes()
}

// does lets somebody do what a line of a story says.
func (p *people) does(ctx context.Context, user, what, arg string) error {
	in := simdiscord.Invocation{User: user, Channel: p.w.home}
	var err error
	switch what {
	case "uses":
		in.Kind = "command"
		in.Command, in.Options = optionsOf(arg)
		if name, ok := in.Options["channel"].(string); ok {
			in.Options["channel"] = p.w.place(name)
		}
		if name, ok := in.Options["picture"].(string); ok {
			in.Options["picture"] = map[string]any{"filename": name, "content": square()}
		}
	case "types":
		in.Kind = "autocomplete"
		in.Command, in.Options = optionsOf(arg)
	case "fills":
		in, err = p.filled(in, arg)
	case "presses":
		err = p.found(&in, func(c control) bool { return c.Type == 2 && !c.Disabled && c.Label == arg })
	case "chooses":
		err = p.choice(&in, arg)
	default:
		err = fmt.Errorf("nobody knows how to do this")
	}
	if err != nil {
		return err
	}
	return p.until(ctx, in)
}

// filled is the form that is open, with what is written into it: "name: Nox | description: A cat". The rest stays as it is.
func (p *people) filled(in simdiscord.Invocation, arg string) (simdiscord.Invocation, error) {
	form := p.forms[in.User]
	if form == nil {
		return in, fmt.Errorf("no form is open before %s", in.User)
	}
	in.Kind, in.Interaction, in.Fields = "modal", form.Interaction, map[string]any{}
	for _, pair := range strings.Split(arg, " | ") {
		name, value, ok := strings.Cut(pair, ":")
		if !ok || !slices.ContainsFunc(controlsOf(form.Components), func(c control) bool { return c.CustomID == strings.TrimSpace(name) }) {
			return in, fmt.Errorf("the form %q has no field %q", form.Title, name)
		}
		value = unescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); name == "description" { // a model that serves many scenes knows the personas of each by it
			value = p.w.dress(persona.Persona{Description: value}).Description
		}
		in.Fields[name] = value
	}
	return in, nil
}

// found looks for a control on what the person sees, the newest first.
func (p *people) found(in *simdiscord.Invocation, fits func(control) bool) error {
	seen := p.w.sim.MessagesAs(p.w.home, in.User)
	for _, m := range slices.Backward(seen) {
		if m.EphemeralTo == "" {
			continue
		}
		for _, c := range controlsOf(m.Components) {
			if fits(c) {
				in.Kind, in.Message, in.CustomID = "component", m.ID, c.CustomID
				return nil
			}
		}
	}
	return fmt.Errorf("%s sees nothing like it", in.User)
}

// choice chooses in a menu, by the label or the value of its items; in a menu of channels or roles by name.
func (p *people) choice(in *simdiscord.Invocation, arg string) error {
	for _, want := range strings.Split(arg, ", ") {
		value := ""
		err := p.found(in, func(c control) bool {
			for _, i := range c.Options {
				if i.Label == want || i.Value == want {
					value = i.Value
					return true
				}
			}
			value = want
			return c.Type >= 5 && c.Type <= 8
		})
		if err != nil {
			return err
		}
		in.Values = append(in.Values, value)
	}
	return nil
}

// until does it again until it is answered.
func (p *people) until(ctx context.Context, in simdiscord.Invocation) error {
	for try := 1; ; try++ {
		before, _ := p.shown(in, simdiscord.Outcome{})
		out, err := p.w.sim.Interact(ctx, in)
		if in.Kind == "modal" && errors.Is(err, simdiscord.ErrUnknown) && try > 1 { // a form that was sent is gone: the person opens it again
			if err = p.until(ctx, p.opened[in.User]); err == nil {
				in.Interaction = p.forms[in.User].Interaction
				continue
			}
		}
		if err != nil {
			return err
		}
		if in.Command == "respond" {
			p.w.asked(out.ID)
		}
		text, ok := p.answer(in, out, before)
		if ok {
			p.note(in, out, text)
			return nil
		}
		if try == repeats {
			return fmt.Errorf("%s %s is not answered: %s %s", in.Kind, in.Command+in.CustomID, out.State, out.Error)
		}
		p.w.stage.pass(3 * time.Second)
	}
}

// note keeps what the person has before them now.
func (p *people) note(in simdiscord.Invocation, out simdiscord.Outcome, text string) {
	p.heard = append(p.heard, in.User+": "+strings.ReplaceAll(text, "\n", `\n`))
	if out.Modal != nil {
		p.forms[in.User], p.opened[in.User] = out.Modal, in
	}
}

// answer waits for what becomes of an interaction; false when there is none. Where a later answer takes the place of a message, that
// stands there as it was before.
func (p *people) answer(in simdiscord.Invocation, out simdiscord.Outcome, before simdiscord.Message) (string, bool) {
	switch {
	case out.Modal != nil:
		return "form " + out.Modal.Title, true
	case in.Kind == "autocomplete":
		names := []string{}
		for _, c := range out.Choices {
			names = append(names, c.Name)
		}
		return "choices " + strings.Join(names, ", "), out.State == "answered"
	case out.State != "answered" && out.State != "deferred":
		return "", false
	}
	var text string
	ok := p.w.stage.await(time.Second, thinking, func() bool {
		m, found := p.shown(in, out)
		text = m.Content
		if out.State == "deferred" && m.ID == before.ID && m.Content == before.Content && reflect.DeepEqual(m.EditedTimestamp, before.EditedTimestamp) {
			return false
		}
		return found && m.Flags&(1<<7) == 0 && !strings.HasPrefix(text, "⏳") // which stands there meanwhile
	})
	return text, ok && text != locale.Default.Say("refused.again")
}

// shown is the message that an interaction made or changed.
func (p *people) shown(in simdiscord.Invocation, out simdiscord.Outcome) (simdiscord.Message, bool) {
	seen := p.w.sim.MessagesAs(p.w.home, in.User)
	for _, m := range slices.Backward(seen) {
		if m.InteractionMetadata != nil && m.InteractionMetadata.ID == out.ID {
			return m, true
		}
	}
	of := in.Message
	if in.Kind == "modal" {
		of = p.opened[in.User].Message
	}
	at := slices.IndexFunc(seen, func(m simdiscord.Message) bool { return m.ID == of })
	if at < 0 {
		return simdiscord.Message{}, false
	}
	return seen[at], true
}

var doing = regexp.MustCompile(`^([\w-]+) (?:(types) )?(?:/(.+)|(presses|fills|chooses) (.+))$`)

// use reads a line in which somebody uses a command, or a part of an answer.
func (st *step) use(rest string) bool {
	m := doing.FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	st.verb, st.names, st.arg = "use", []string{m[1], m[4]}, m[5]
	if m[3] != "" {
		st.names[1], st.arg = "uses", m[3]
		if m[2] != "" {
			st.names[1] = m[2]
		}
	}
	return true
}
