package discord

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// entries reads the entries of a form.
func (f *filling) entries(m *Modal, fields map[string]any) ([]map[string]any, error) {
	out := []map[string]any{}
	used := 0
	filled := func(c *component) (map[string]any, error) {
		v := map[string]any{"type": c.Type, "custom_id": *c.CustomID}
		if c.ID != nil {
			v["id"] = *c.ID
		}
		value, is := fields[*c.CustomID]
		if is {
			used++
		}
		if err := f.enter(c, value, v); err != nil {
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
			inner, err := filled(top.Component)
			if err != nil {
				return nil, err
			}
			v["component"] = inner
		case top.Type == componentRow:
			list := []map[string]any{}
			for k := range top.Components {
				inner, err := filled(&top.Components[k])
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

// enter reads one entry into what the application gets of it.
func (f *filling) enter(c *component, value any, into map[string]any) (err error) {
	switch c.Type {
	case componentText:
		into["value"], err = c.entered(value)
	case componentUpload:
		into["values"], err = f.uploaded(c, value)
	case componentRadio:
		into["value"], err = c.picked(texts(value))
	case componentChecks:
		into["values"], err = c.ticked(texts(value))
	case componentCheck:
		into["value"] = value != nil && spoken(value) == "true"
	default:
		into["values"], err = f.choose(c.optional(), texts(value))
	}
	return err
}

// picked is the one option that was chosen of a group, or nil.
func (c *component) picked(values []string) (any, error) {
	if len(values) == 0 && !c.needed() {
		return nil, nil
	}
	if len(values) != 1 {
		return nil, fmt.Errorf("one is to be chosen: %w", ErrRefused)
	}
	return values[0], c.offers(values)
}

// ticked are the boxes of a group that were ticked.
func (c *component) ticked(values []string) ([]string, error) {
	least, most := c.bounds()
	if c.MaxValues == nil {
		most = len(c.Options) // docs: it defaults to the number of options
	}
	if n := len(values); n > most || n < least && (n > 0 || c.needed()) {
		return nil, fmt.Errorf("between %d and %d are to be chosen: %w", least, most, ErrRefused)
	}
	return list(values), c.offers(values)
}

// offers says which of the values is no option.
func (c *component) offers(values []string) error {
	for i, v := range values {
		if !slices.ContainsFunc(c.Options, func(o selectOption) bool { return o.Value == v }) || slices.Contains(values[:i], v) {
			return fmt.Errorf("value %q: %w", v, ErrUnknown)
		}
	}
	return nil
}

// needed says whether a part of a form must be filled in (docs: it is unless it says otherwise).
func (c *component) needed() bool { return c.Required == nil || *c.Required }

// optional is a select of a form as it is when it need not be filled in.
func (c *component) optional() *component {
	if c.needed() {
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
	switch {
	case n == 0 && c.needed():
		return "", fmt.Errorf("it is required: %w", ErrRefused)
	case n == 0:
		return "", nil
	case n < least || n > most:
		return "", fmt.Errorf("too short or too long: %w", ErrRefused)
	}
	return text, nil
}
