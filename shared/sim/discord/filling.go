package discord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// resolved is what an interaction tells about the users, roles, channels, messages and files that its values name.
type resolved struct {
	Users       map[string]User       `json:"users,omitempty"`
	Members     map[string]any        `json:"members,omitempty"`
	Roles       map[string]any        `json:"roles,omitempty"`
	Channels    map[string]any        `json:"channels,omitempty"`
	Messages    map[string]Message    `json:"messages,omitempty"`
	Attachments map[string]Attachment `json:"attachments,omitempty"`
}

func (r *resolved) empty() bool {
	return len(r.Users)+len(r.Roles)+len(r.Channels)+len(r.Messages)+len(r.Attachments) == 0
}

// put adds to a map that may not be there yet.
func put[V any](into *map[string]V, key string, value V) {
	if *into == nil {
		*into = map[string]V{}
	}
	(*into)[key] = value
}

func (r *resolved) message(id string, m Message) { put(&r.Messages, id, m) }

// optionValue is a value of an option, or a subcommand with its own.
type optionValue struct {
	Name    string        `json:"name"`
	Type    int           `json:"type"`
	Value   any           `json:"value,omitempty"`
	Options []optionValue `json:"options,omitempty"`
	Focused bool          `json:"focused,omitempty"`
}

// filling turns what a person enters into what an application gets, under the rules of Discord's client.
type filling struct {
	s       *Server
	i       *interaction
	c       *channel
	base    string // the address of this server, for files
	typing  bool   // the command is not sent yet: it may be incomplete
	focused string // the option being typed
	focus   int    // its type
	found   resolved
}

func (f *filling) addUser(u *User) {
	put(&f.found.Users, u.ID, *u)
	if part := f.s.partOf(f.c, u); part != nil {
		put(&f.found.Members, u.ID, part)
	}
}

// descend follows the words of a subcommand and fills in its options.
func (f *filling) descend(options []option, path []string, values map[string]any) ([]optionValue, error) {
	nested := len(options) > 0 && options[0].Type <= optionGroup
	switch {
	case nested && len(path) == 0:
		return nil, fmt.Errorf("no subcommand: %w", ErrRefused)
	case !nested && len(path) > 0:
		return nil, fmt.Errorf("subcommand %q: %w", path[0], ErrUnknown)
	case !nested:
		return f.values(options, values)
	}
	for _, o := range options {
		if o.Name == path[0] {
			inner, err := f.descend(o.Options, path[1:], values)
			return []optionValue{{Name: o.Name, Type: o.Type, Options: inner}}, err
		}
	}
	return nil, fmt.Errorf("subcommand %q: %w", path[0], ErrUnknown)
}

// values reads the values in the order of the options.
func (f *filling) values(options []option, values map[string]any) ([]optionValue, error) {
	for name := range values {
		if !slices.ContainsFunc(options, func(o option) bool { return o.Name == name }) {
			return nil, fmt.Errorf("option %q: %w", name, ErrUnknown)
		}
	}
	if f.typing && f.focused == "" {
		for _, o := range options {
			if _, is := values[o.Name]; is && o.Autocomplete {
				f.focused = o.Name
			}
		}
	}
	var out []optionValue
	completes := false
	for _, o := range options {
		value, is := values[o.Name]
		focused := f.typing && o.Name == f.focused
		switch {
		case focused && !o.Autocomplete:
			return nil, fmt.Errorf("option %q does not complete itself: %w", o.Name, ErrRefused)
		case focused:
			completes, f.focus = true, o.Type
			text := ""
			if is {
				text = spoken(value)
			}
			out = append(out, optionValue{Name: o.Name, Type: o.Type, Value: text, Focused: true}) // as typed, whatever the type is
			continue
		case !is && o.Required && !f.typing:
			return nil, fmt.Errorf("option %q is required: %w", o.Name, ErrRefused)
		case !is:
			continue
		}
		v, err := f.value(&o, value)
		if err != nil {
			return nil, fmt.Errorf("option %q: %w", o.Name, err)
		}
		out = append(out, optionValue{Name: o.Name, Type: o.Type, Value: v})
	}
	if f.typing && !completes {
		return nil, fmt.Errorf("no option completes itself: %w", ErrRefused)
	}
	return out, nil
}

// value reads one value by the type of its option.
func (f *filling) value(o *option, value any) (any, error) {
	switch o.Type {
	case optionString, optionInteger, optionNumber:
		return f.scalar(o, value)
	case optionBoolean:
		b, err := strconv.ParseBool(spoken(value))
		if err != nil {
			return nil, fmt.Errorf("not true or false: %w", ErrRefused)
		}
		return b, nil
	case optionAttachment:
		return f.attachment(value)
	case optionUser:
		return f.entity(componentUser, nil, spoken(value))
	case optionRole:
		return f.entity(componentRole, nil, spoken(value))
	case optionMentionable:
		return f.entity(componentMentionable, nil, spoken(value))
	}
	return f.entity(componentChannel, o.ChannelTypes, spoken(value))
}

// scalar reads a text or number and holds it to choices and bounds.
func (f *filling) scalar(o *option, value any) (any, error) {
	text := spoken(value)
	var out any = text
	var within bool
	if o.Type == optionString {
		n := utf8.RuneCountInString(text)
		within = n > 0 && n <= 6000 && (o.MinLength == nil || n >= *o.MinLength) && (o.MaxLength == nil || n <= *o.MaxLength)
	} else {
		number, err := strconv.ParseFloat(text, 64)
		if _, whole := strconv.ParseInt(text, 10, 64); err != nil || o.Type == optionInteger && whole != nil {
			return nil, fmt.Errorf("not a number of its kind: %w", ErrRefused)
		}
		const far = 1 << 53
		within = number >= -far && number <= far && (o.MinValue == nil || number >= float(*o.MinValue)) && (o.MaxValue == nil || number <= float(*o.MaxValue))
		out = json.Number(text)
	}
	if !within {
		return nil, fmt.Errorf("too short, too long, too small or too great: %w", ErrRefused)
	}
	if len(o.Choices) == 0 {
		return out, nil
	}
	for _, c := range o.Choices {
		if fmt.Sprint(c.Value) == text || c.Name == text {
			return c.Value, nil
		}
	}
	return nil, fmt.Errorf("none of the choices: %w", ErrRefused)
}

func float(n json.Number) float64 {
	f, err := n.Float64()
	if err != nil {
		return 0
	}
	return f
}

// entity finds a user, role or channel by name or id, as selects and options of this kind offer them: of the same guild, and seen by
// the person.
func (f *filling) entity(kind int, types []int, ref string) (string, error) {
	if kind == componentUser || kind == componentMentionable {
		if u := f.s.user(strings.TrimPrefix(ref, "@")); u != nil {
			f.addUser(u)
			return u.ID, nil
		}
	}
	if kind == componentRole || kind == componentMentionable {
		if id, view := f.s.roleView(f.c, ref); view != nil {
			put(&f.found.Roles, id, view)
			return id, nil
		}
	}
	if kind == componentChannel {
		c, err := f.s.channel(strings.TrimPrefix(ref, "#"))
		if err == nil && c.guild != nil && c.guild == f.c.guild && f.s.sees(c, f.i.user.ID) && (len(types) == 0 || slices.Contains(types, c.kind)) {
			put(&f.found.Channels, c.id, f.s.partial(c, f.i.user))
			return c.id, nil
		}
	}
	return "", fmt.Errorf("%q: %w", ref, ErrUnknown)
}

// choose reads the values of a select.
func (f *filling) choose(c *component, values []string) ([]string, error) {
	least, most := c.bounds()
	if len(values) < least || len(values) > most {
		return nil, fmt.Errorf("between %d and %d values may be chosen: %w", least, most, ErrRefused)
	}
	out := []string{}
	for _, v := range values {
		id := v
		if c.Type == componentString {
			if !slices.ContainsFunc(c.Options, func(o selectOption) bool { return o.Value == v }) {
				return nil, fmt.Errorf("value %q: %w", v, ErrUnknown)
			}
		} else {
			var err error
			if id, err = f.entity(c.Type, c.ChannelTypes, v); err != nil {
				return nil, err
			}
		}
		if slices.Contains(out, id) {
			return nil, fmt.Errorf("value %q is chosen twice: %w", v, ErrRefused)
		}
		out = append(out, id)
	}
	return out, nil
}
