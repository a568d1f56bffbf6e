package discord

import "fmt"

// The rules of what stands in forms only.

// inForm checks what a select may not say in a form.
func (v *inspection) inForm(at string, c *component) *fieldError {
	switch {
	case !v.modal:
		return nil
	case c.Disabled:
		return &fieldError{dotted(at, "disabled"), "COMPONENT_DISABLED_INVALID", "Components of a modal cannot be disabled"}
	}
	return c.wanting(at)
}

// wanting checks that what must be filled in asks for something (docs: the note on min_values).
func (c *component) wanting(at string) *fieldError {
	if c.needed() && c.MinValues != nil && *c.MinValues == 0 {
		return &fieldError{dotted(at, "min_values"), "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1 where the component is required."}
	}
	return nil
}

// group checks files to be uploaded, and boxes to be ticked.
func (c *component) group(at string) *fieldError {
	least, most := c.bounds()
	switch bad := first(c.customID(at), c.wanting(at)); {
	case bad != nil:
		return bad
	case c.Type == componentCheck:
		return nil
	case c.Type != componentRadio && (least < 0 || least > 10):
		return &fieldError{dotted(at, "min_values"), "NUMBER_TYPE_RANGE", "int value should be between 0 and 10."}
	case c.Type != componentRadio && (most < 1 || most > 10):
		return &fieldError{dotted(at, "max_values"), "NUMBER_TYPE_RANGE", "int value should be between 1 and 10."}
	case c.MaxValues != nil && least > most:
		return &fieldError{dotted(at, "min_values"), "SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX", "The minimum of values exceeds the maximum"}
	case c.Type == componentUpload:
		return nil
	}
	fewest := map[int]int{componentRadio: 2, componentChecks: 1}[c.Type]
	if n := len(c.Options); n < fewest || n > 10 {
		return &fieldError{dotted(at, "options"), "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between %d and 10 in length.", fewest)}
	}
	if c.Type == componentRadio {
		return c.lines(at, 0, 1)
	}
	return c.lines(at, 0, len(c.Options))
}
