package discord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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
	c       *channel
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

// attachment takes the description of a file.
func (f *filling) attachment(value any) (any, error) {
	raw, err := json.Marshal(value)
	var a Attachment
	if err != nil || json.Unmarshal(raw, &a) != nil || a.Filename == "" || a.Size < 0 {
		return nil, fmt.Errorf("no file with a name: %w", ErrRefused)
	}
	a.ID = f.s.ids.next(time.Now())
	if a.URL == "" {
		a.URL = "https://attachments.invalid/" + f.c.id + "/" + a.ID
	}
	a.ProxyURL = a.URL
	put(&f.found.Attachments, a.ID, a)
	return a.ID, nil
}

// entity finds a user, role or channel by name or id, as selects and options of this kind offer them.
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
		if err == nil && c.kind != channelDM && (len(types) == 0 || slices.Contains(types, c.kind)) {
			put(&f.found.Channels, c.id, any(map[string]any{
				"id": c.id, "name": c.name, "type": c.kind, "permissions": f.s.standing(c, f.s.bot.ID), "guild_id": f.s.guildOf(c),
			}))
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

// entries reads the entries of a form.
func (f *filling) entries(m *Modal, fields map[string]any) ([]map[string]any, error) {
	out := []map[string]any{}
	used := 0
	enter := func(c *component) (map[string]any, error) {
		v := map[string]any{"type": c.Type, "custom_id": *c.CustomID}
		if c.ID != nil {
			v["id"] = *c.ID
		}
		value, is := fields[*c.CustomID]
		if is {
			used++
		}
		var err error
		if c.Type == componentText {
			v["value"], err = c.entered(value)
		} else {
			v["values"], err = f.choose(c.optional(), texts(value))
		}
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", *c.CustomID, err)
		}
		return v, nil
	}
	for _, top := range decoded(m.Components) {
		v := map[string]any{"type": top.Type}
		if top.ID != nil {
			v["id"] = *top.ID
		}
		switch {
		case top.Component != nil:
			inner, err := enter(top.Component)
			if err != nil {
				return nil, err
			}
			v["component"] = inner
		case top.Type == componentRow:
			list := []map[string]any{}
			for k := range top.Components {
				inner, err := enter(&top.Components[k])
				if err != nil {
					return nil, err
				}
				list = append(list, inner)
			}
			v["components"] = list
		}
		out = append(out, v)
	}
	if used < len(fields) {
		return nil, fmt.Errorf("a field of the form: %w", ErrUnknown)
	}
	return out, nil
}

// optional is a select of a form as it is when it need not be filled in.
func (c *component) optional() *component {
	if c.Required == nil || *c.Required {
		return c
	}
	free := *c
	none := 0
	free.MinValues = &none
	return &free
}

// texts reads one text or a list of them.
func texts(value any) []string {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		out := []string{}
		for _, one := range v {
			out = append(out, spoken(one))
		}
		return out
	case []string:
		return v
	}
	return []string{spoken(value)}
}

// entered reads what was typed into a text input; where nothing was, its own value stands.
func (c *component) entered(value any) (string, error) {
	text := ""
	switch {
	case value != nil:
		text = spoken(value)
	case c.Value != nil:
		text = *c.Value
	}
	n, least, most := utf8.RuneCountInString(text), 0, 4000
	if c.MinLength != nil {
		least = *c.MinLength
	}
	if c.MaxLength != nil {
		most = *c.MaxLength
	}
	required := c.Required == nil || *c.Required
	switch {
	case n == 0 && required:
		return "", fmt.Errorf("it is required: %w", ErrRefused)
	case n == 0:
		return "", nil
	case n < least || n > most:
		return "", fmt.Errorf("too short or too long: %w", ErrRefused)
	}
	return text, nil
}
