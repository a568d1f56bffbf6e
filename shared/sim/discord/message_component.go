package discord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Types of components.
const (
	componentRow         = 1
	componentButton      = 2
	componentString      = 3
	componentText        = 4
	componentUser        = 5
	componentRole        = 6
	componentMentionable = 7
	componentChannel     = 8
	componentSection     = 9
	componentDisplay     = 10
	componentThumbnail   = 11
	componentGallery     = 12
	componentFile        = 13
	componentSeparator   = 14
	componentContainer   = 17
	componentLabel       = 18
	componentUpload      = 19 // files
	componentRadio       = 21 // one of several
	componentChecks      = 22 // any of several
	componentCheck       = 23 // yes or no
)

// Styles of buttons that send no interaction.
const (
	styleLink    = 5
	stylePremium = 6
)

// component is any component, of a message or a modal.
type component struct {
	Type          int             `json:"type"`
	ID            *int            `json:"id"`
	CustomID      *string         `json:"custom_id"`
	Style         int             `json:"style"`
	Label         string          `json:"label"`
	Description   string          `json:"description"`
	Placeholder   string          `json:"placeholder"`
	Content       string          `json:"content"`
	Value         *string         `json:"value"`
	URL           *string         `json:"url"`
	SKU           *string         `json:"sku_id"`
	Emoji         json.RawMessage `json:"emoji"`
	Disabled      bool            `json:"disabled"`
	Required      *bool           `json:"required"`
	Options       []selectOption  `json:"options"`
	MinValues     *int            `json:"min_values"`
	MaxValues     *int            `json:"max_values"`
	MinLength     *int            `json:"min_length"`
	MaxLength     *int            `json:"max_length"`
	ChannelTypes  []int           `json:"channel_types"`
	DefaultValues []struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"default_values"`
	Components []component `json:"components"`
	Component  *component  `json:"component"`
	Accessory  *component  `json:"accessory"`
}

// selectOption is one line of a string select.
type selectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description"`
	Default     bool   `json:"default"`
}

func (c *component) selects() bool {
	return c.Type == componentString || c.Type >= componentUser && c.Type <= componentChannel
}

// bounds is how many values a select takes. Both default to one.
func (c *component) bounds() (least, most int) {
	least, most = 1, 1
	if c.MinValues != nil {
		least = *c.MinValues
	}
	if c.MaxValues != nil {
		most = *c.MaxValues
	}
	return least, most
}

// walk shows every component of a tree, a parent before its children.
func walk(all []component, see func(*component)) {
	for i := range all {
		c := &all[i]
		see(c)
		walk(c.Components, see)
		for _, inner := range []*component{c.Component, c.Accessory} {
			if inner != nil {
				walk([]component{*inner}, see)
			}
		}
	}
}

// decoded reads components that were checked when they came.
func decoded(raw []json.RawMessage) []component {
	out := make([]component, 0, len(raw))
	for _, text := range raw {
		var c component
		if json.Unmarshal(text, &c) == nil {
			out = append(out, c)
		}
	}
	return out
}

// inspection checks the components of one message or modal; some rules hold over all of them.
type inspection struct {
	modal bool
	ids   map[int]bool
	named map[string]bool
	count int
	text  int
}

func newInspection(modal bool) *inspection {
	return &inspection{modal: modal, ids: map[int]bool{}, named: map[string]bool{}}
}

func (v *inspection) top(raw []json.RawMessage, path string, most int) *fieldError {
	if len(raw) > most {
		return tooLong(path, most)
	}
	for i, text := range raw {
		at := dotted(path, strconv.Itoa(i))
		var c component
		if err := json.Unmarshal(text, &c); err != nil {
			bad := wrongType(err)
			bad.path = dotted(at, bad.path)
			return bad
		}
		if bad := v.check(at, &c, 0); bad != nil {
			return bad
		}
	}
	return nil
}

// allowed lists what may stand in a parent of this type; 0 is the message or modal itself.
func (v *inspection) allowed(parent int) []int {
	choices := []int{componentString, componentUser, componentRole, componentMentionable, componentChannel}
	plain := []int{componentSection, componentDisplay, componentGallery, componentFile, componentSeparator}
	switch {
	case parent == 0 && v.modal:
		return []int{componentRow, componentDisplay, componentLabel}
	case parent == 0:
		return append(plain, componentRow, componentContainer)
	case parent == componentContainer:
		return append(plain, componentRow)
	case parent == componentSection:
		return []int{componentDisplay}
	case parent == componentLabel:
		return append(choices, componentText, componentUpload, componentRadio, componentChecks, componentCheck)
	case parent == componentRow && v.modal:
		return []int{componentText}
	case parent == componentRow:
		return append(choices, componentButton)
	}
	return nil
}

// check checks one component in a parent of this type, and what stands in it.
func (v *inspection) check(at string, c *component, parent int) *fieldError {
	if allowed := v.allowed(parent); !slices.Contains(allowed, c.Type) {
		slices.Sort(allowed)
		return &fieldError{dotted(at, "type"), "BASE_TYPE_CHOICES", fmt.Sprintf("Value must be one of %v.", allowed)}
	}
	if v.count++; v.count > componentMost {
		return &fieldError{"components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed 40."}
	}
	if c.ID != nil && *c.ID != 0 {
		if v.ids[*c.ID] {
			return &fieldError{dotted(at, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"}
		}
		v.ids[*c.ID] = true
	}
	if c.CustomID != nil {
		if v.named[*c.CustomID] {
			return &fieldError{dotted(at, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"}
		}
		v.named[*c.CustomID] = true
	}
	switch {
	case c.Type == componentRow:
		return v.row(at, c)
	case c.Type == componentButton:
		return c.button(at)
	case c.selects():
		return first(c.choice(at), v.inForm(at, c))
	case c.Type >= componentUpload && c.Type <= componentCheck:
		return c.group(at)
	case c.Type == componentText:
		return c.input(at, parent == componentLabel)
	}
	return v.layout(at, c)
}

// row checks an action row: up to five buttons, or one of anything else.
func (v *inspection) row(at string, c *component) *fieldError {
	if n := len(c.Components); n < 1 || n > 5 {
		return &fieldError{dotted(at, "components"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."}
	}
	width := 0
	for i := range c.Components {
		in := &c.Components[i]
		if bad := v.check(dotted(at, "components", strconv.Itoa(i)), in, componentRow); bad != nil {
			return bad
		}
		if width++; in.Type != componentButton {
			width += 4
		}
		if width > 5 {
			return &fieldError{dotted(at, "components", strconv.Itoa(i)), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width"}
		}
	}
	return nil
}

// layout checks a label and the components that only show something.
func (v *inspection) layout(at string, c *component) *fieldError {
	v.text += utf8.RuneCountInString(c.Content)
	switch c.Type {
	case componentDisplay:
		return between(dotted(at, "content"), c.Content, 1, 4000)
	case componentLabel:
		if c.Component == nil {
			return &fieldError{dotted(at, "component"), "BASE_TYPE_REQUIRED", "This field is required"}
		}
		return first(between(dotted(at, "label"), c.Label, 1, 45), between(dotted(at, "description"), c.Description, 0, 100),
			v.check(dotted(at, "component"), c.Component, componentLabel))
	case componentSection:
		if c.Accessory == nil {
			return &fieldError{dotted(at, "accessory"), "BASE_TYPE_REQUIRED", "This field is required"}
		}
		if n := len(c.Components); n < 1 || n > 3 {
			return &fieldError{dotted(at, "components"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 3 in length."}
		}
		if bad := v.accessory(dotted(at, "accessory"), c.Accessory); bad != nil {
			return bad
		}
	}
	for i := range c.Components {
		if bad := v.check(dotted(at, "components", strconv.Itoa(i)), &c.Components[i], c.Type); bad != nil {
			return bad
		}
	}
	return nil
}

// accessory checks what stands beside a section: a button or a picture.
func (v *inspection) accessory(at string, c *component) *fieldError {
	switch c.Type {
	case componentThumbnail:
		v.count++
		return nil
	case componentButton:
		return v.check(at, c, componentRow)
	}
	return &fieldError{dotted(at, "type"), "BASE_TYPE_CHOICES", "Value must be one of [2 11]."}
}

// customID checks the id by which an application knows its component again.
func (c *component) customID(at string) *fieldError {
	if c.CustomID == nil || *c.CustomID == "" {
		return &fieldError{dotted(at, "custom_id"), "BASE_TYPE_REQUIRED", "This field is required"}
	}
	return between(dotted(at, "custom_id"), *c.CustomID, 0, 100)
}

// button checks a button: its style decides between custom_id, url and sku_id, and it shows something.
func (c *component) button(at string) *fieldError {
	if c.Style < 1 || c.Style > stylePremium {
		return &fieldError{dotted(at, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}."}
	}
	if c.CustomID != nil && c.URL != nil {
		return &fieldError{at, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified"}
	}
	has := func(field string, given, wanted bool) *fieldError {
		switch {
		case wanted && !given:
			return &fieldError{dotted(at, field), "BASE_TYPE_REQUIRED", "This field is required"}
		case given && !wanted:
			return &fieldError{dotted(at, field), "BUTTON_COMPONENT_FIELD_INVALID", "A button of this style cannot have this field"}
		}
		return nil
	}
	bad := first(has("url", c.URL != nil, c.Style == styleLink), has("sku_id", c.SKU != nil, c.Style == stylePremium),
		has("custom_id", c.CustomID != nil, c.Style < styleLink), between(dotted(at, "label"), c.Label, 0, 80))
	switch {
	case bad != nil:
		return bad
	case c.Style < styleLink:
		bad = c.customID(at)
	case c.Style == styleLink && (!link(*c.URL) || utf8.RuneCountInString(*c.URL) > 512):
		return &fieldError{dotted(at, "url"), "URL_TYPE_INVALID_URL", "Not a well formed URL."}
	}
	if bad == nil && c.Style != stylePremium && c.Label == "" && (len(c.Emoji) == 0 || string(c.Emoji) == "null") {
		bad = &fieldError{at, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji"}
	}
	return bad
}

// choice checks a select of any kind.
func (c *component) choice(at string) *fieldError {
	least, most := c.bounds()
	bad := first(c.customID(at), between(dotted(at, "placeholder"), c.Placeholder, 0, 150))
	switch {
	case bad != nil:
		return bad
	case least < 0 || least > 25:
		return &fieldError{dotted(at, "min_values"), "NUMBER_TYPE_RANGE", "int value should be between 0 and 25."}
	case most < 1 || most > 25:
		return &fieldError{dotted(at, "max_values"), "NUMBER_TYPE_RANGE", "int value should be between 1 and 25."}
	case least > most:
		return &fieldError{dotted(at, "min_values"), "SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX", "The minimum of values exceeds the maximum"}
	case len(c.DefaultValues) > most || len(c.DefaultValues) > 0 && len(c.DefaultValues) < least:
		return &fieldError{dotted(at, "default_values"), "SELECT_COMPONENT_INVALID_DEFAULT_VALUES", "The number of default values is not what may be chosen"}
	case c.Type != componentString && len(c.Options) > 0:
		return &fieldError{dotted(at, "options"), "SELECT_COMPONENT_OPTIONS_INVALID", "Only a string select has options"}
	case c.Type != componentString:
		return nil
	}
	return c.lines(at, least, most)
}

// lines checks the options of a string select.
func (c *component) lines(at string, least, most int) *fieldError {
	at = dotted(at, "options")
	if n := len(c.Options); n < 1 || n > 25 {
		return &fieldError{at, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length."}
	}
	if least > len(c.Options) || most > len(c.Options) {
		return &fieldError{at, "SELECT_COMPONENT_OPTIONS_TOO_FEW", "There are fewer options than values to choose"}
	}
	chosen := 0
	for i, o := range c.Options {
		in := dotted(at, strconv.Itoa(i))
		if bad := first(between(dotted(in, "label"), o.Label, 1, 100), between(dotted(in, "value"), o.Value, 1, 100),
			between(dotted(in, "description"), o.Description, 0, 100)); bad != nil {
			return bad
		}
		if slices.ContainsFunc(c.Options[:i], func(b selectOption) bool { return b.Value == o.Value }) {
			return &fieldError{dotted(in, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"}
		}
		if o.Default {
			chosen++
		}
	}
	if chosen > most {
		return &fieldError{at, "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "There are more default options than may be chosen"}
	}
	return nil
}

// input checks a text input of a modal; in a label it has no label of its own.
func (c *component) input(at string, labelled bool) *fieldError {
	least := 1
	if labelled {
		least = 0
	}
	value := ""
	if c.Value != nil {
		value = *c.Value
	}
	bad := first(c.customID(at), between(dotted(at, "label"), c.Label, least, 45), between(dotted(at, "placeholder"), c.Placeholder, 0, 100),
		between(dotted(at, "value"), value, 0, 4000))
	switch {
	case bad != nil:
		return bad
	case c.Style != 1 && c.Style != 2:
		return &fieldError{dotted(at, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}."}
	case c.MinLength != nil && (*c.MinLength < 0 || *c.MinLength > 4000):
		return &fieldError{dotted(at, "min_length"), "NUMBER_TYPE_RANGE", "int value should be between 0 and 4000."}
	case c.MaxLength != nil && (*c.MaxLength < 1 || *c.MaxLength > 4000):
		return &fieldError{dotted(at, "max_length"), "NUMBER_TYPE_RANGE", "int value should be between 1 and 4000."}
	}
	return nil
}

// completed gives a component the fields that Discord shows always, and the children beyond "components" their ids.
func completed(fields map[string]json.RawMessage, next *int) {
	var kind int
	if json.Unmarshal(fields["type"], &kind) != nil {
		return
	}
	set := func(name, value string) {
		if old := fields[name]; len(old) == 0 || string(old) == "null" {
			fields[name] = json.RawMessage(value)
		}
	}
	switch {
	case kind == componentString || kind >= componentUser && kind <= componentChannel:
		set("min_values", "1")
		set("max_values", "1")
	case kind == componentContainer:
		set("accent_color", "null")
		set("spoiler", "false")
	}
	for _, name := range []string{"accessory", "component"} {
		if inner := fields[name]; len(inner) > 0 && string(inner) != "null" {
			if one := numbered([]json.RawMessage{inner}, next); len(one) == 1 {
				fields[name] = one[0]
			}
		}
	}
}
