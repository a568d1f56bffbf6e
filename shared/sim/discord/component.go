package discord

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// How many components stand in a message: rows in the older layout; in the newer one, of IS_COMPONENTS_V2, all of them, nested ones
// counted, and how much text they show.
const (
	componentRows    = 5
	componentMost    = 40
	componentLetters = 4000
)

// interactive says whether using the component would call an application.
func (c *component) interactive() bool {
	return c.Type == componentButton && c.Style != styleLink || c.selects()
}

// checkComponents checks a draft's components. What the older layout takes depends on the message too, see classic.
func (d *draft) checkComponents(newer bool) *fieldError {
	if d.Components == nil {
		return nil
	}
	v := newInspection(false)
	bad := v.top(*d.Components, "components", componentMost)
	if bad == nil && newer && v.text > componentLetters {
		bad = &fieldError{"components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The displayable text cannot exceed 4000 characters."}
	}
	return bad
}

// classic holds the components of a message without IS_COMPONENTS_V2 to five rows.
func classic(list []json.RawMessage) *fieldError {
	for i, c := range decoded(list) {
		if c.Type != componentRow {
			return &fieldError{"components." + strconv.Itoa(i), "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1,)."}
		}
	}
	if len(list) > componentRows {
		return &fieldError{"components", "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between 1 and %d in length.", componentRows)}
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
	calls := false
	walk(decoded(*d.Components), func(p *component) { calls = calls || p.interactive() })
	if calls {
		no := invalidForm(&fieldError{"components", "COMPONENT_INTERACTIVE_WEBHOOK", "Webhooks without an application cannot send interactive components."})
		return &no
	}
	return nil
}
