package discord

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Types of components that the rules here tell apart.
const (
	componentRow     = 1
	componentButton  = 2
	componentSelect  = 3
	componentUsers   = 5 // and up to componentPlaces: selects of things of the guild
	componentPlaces  = 8
	componentText    = 10
	componentMost    = 40 // in a message of the newer layout, nested ones counted
	componentRows    = 5
	componentWide    = 5 // buttons in a row
	componentID      = 100
	componentLabel   = 80
	componentLetters = 4000 // over all texts of a message
	styleLink        = 5
	stylePremium     = 6
)

// component is the part of a component that the rules look at.
type component struct {
	Type       int               `json:"type"`
	Style      int               `json:"style"`
	Label      string            `json:"label"`
	Content    string            `json:"content"`
	CustomID   *string           `json:"custom_id"`
	URL        string            `json:"url"`
	Components []json.RawMessage `json:"components"`
	Accessory  json.RawMessage   `json:"accessory"`
}

// interactive says whether pressing it would call an application.
func (p *component) interactive() bool {
	switch {
	case p.Type == componentButton:
		return p.Style != styleLink
	case p.Type == componentSelect, p.Type >= componentUsers && p.Type <= componentPlaces:
		return true
	}
	return false
}

// tally is what is counted over all components of a message.
type tally struct {
	all, letters int
	ids          map[string]bool
	interactive  bool
}

// walk counts components and what is in them, and checks each.
func (t *tally) walk(list []json.RawMessage, path string) *fieldError {
	for i, raw := range list {
		if e := t.one(raw, path+"."+strconv.Itoa(i)); e != nil {
			return e
		}
	}
	return nil
}

func (t *tally) one(raw json.RawMessage, path string) *fieldError {
	var p component
	if json.Unmarshal(raw, &p) != nil || p.Type == 0 {
		return &fieldError{path, "UNION_TYPE_CHOICES", "Value of field \"type\" must be a type of component."}
	}
	t.all++
	t.letters += utf8.RuneCountInString(p.Content)
	t.interactive = t.interactive || p.interactive()
	if utf8.RuneCountInString(p.Label) > componentLabel && p.Type == componentButton {
		return tooLong(path+".label", componentLabel)
	}
	if p.Type == componentRow && (len(p.Components) == 0 || len(p.Components) > componentWide) {
		return &fieldError{path + ".components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."}
	}
	if p.interactive() && p.Style != stylePremium {
		if p.CustomID == nil || *p.CustomID == "" {
			return &fieldError{path + ".custom_id", "BASE_TYPE_REQUIRED", "This field is required"}
		}
		if utf8.RuneCountInString(*p.CustomID) > componentID {
			return tooLong(path+".custom_id", componentID)
		}
		if t.ids[*p.CustomID] {
			return &fieldError{path + ".custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"}
		}
		t.ids[*p.CustomID] = true
	}
	if e := t.walk(p.Components, path+".components"); e != nil || p.Accessory == nil || string(p.Accessory) == "null" {
		return e
	}
	return t.one(p.Accessory, path+".accessory")
}

// checkComponents checks a draft's components. The newer layout takes 40 in all with 4,000 characters of text; what the older
// one takes depends on the message too, see classic.
func (d *draft) checkComponents(newer bool) *fieldError {
	if d.Components == nil {
		return nil
	}
	t := tally{ids: map[string]bool{}}
	if e := t.walk(*d.Components, "components"); e != nil {
		return e
	}
	switch {
	case t.all > componentMost:
		return &fieldError{"components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed 40."}
	case newer && t.letters > componentLetters:
		return &fieldError{"components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The displayable text cannot exceed 4000 characters."}
	}
	return nil
}

// classic holds the components of a message without IS_COMPONENTS_V2 to five rows.
func classic(list []json.RawMessage) *fieldError {
	if len(list) > componentRows {
		return &fieldError{"components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."}
	}
	for i, raw := range list {
		var p component
		if json.Unmarshal(raw, &p) != nil || p.Type != componentRow {
			return &fieldError{"components." + strconv.Itoa(i), "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1,)."}
		}
	}
	return nil
}

// hookComponents applies the rules of webhooks: one of an application may send any component; any other sends none unless the
// caller says with_components, and then none that would call an application.
func (s *Server) hookComponents(q *request, h *webhook, d *draft) *reply {
	wanted, bad := q.flag("with_components")
	if bad != nil {
		return bad
	}
	switch {
	case d.Components == nil || h.application != "":
		return nil
	case !wanted:
		d.Components = nil
		return nil
	}
	t := tally{ids: map[string]bool{}}
	if e := t.walk(*d.Components, "components"); e != nil {
		no := invalidForm(e)
		return &no
	}
	if t.interactive {
		no := invalidForm(&fieldError{"components", "COMPONENT_INTERACTIVE_WEBHOOK", "Webhooks without an application cannot send interactive components."})
		return &no
	}
	return nil
}
