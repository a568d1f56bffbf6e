package stack

import (
	"fmt"
	"regexp"
	"strconv"
)

// value is what a parameter has, with CloudFormation's checks.
func (p Parameter) value(given string, is bool) (any, error) {
	if !is {
		if p.Default == nil {
			return nil, fmt.Errorf("parameter %s has no default and is not given", p.Name)
		}
		given = fmt.Sprint(p.Default)
	}
	if p.AllowedPattern != "" {
		pattern, err := regexp.Compile(`^(?:` + p.AllowedPattern + `)$`)
		if err != nil {
			return nil, fmt.Errorf("pattern of parameter %s: %w", p.Name, err)
		}
		if !pattern.MatchString(given) {
			return nil, fmt.Errorf("parameter %s %s", p.Name, p.ConstraintDescription)
		}
	}
	if len(p.AllowedValues) > 0 && !p.allowed(given) {
		return nil, fmt.Errorf("parameter %s %s", p.Name, p.ConstraintDescription)
	}
	if p.Type != "Number" {
		return given, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || p.MinValue != nil && n < *p.MinValue || p.MaxValue != nil && n > *p.MaxValue {
		return nil, fmt.Errorf("parameter %s %s", p.Name, p.ConstraintDescription)
	}
	return n, nil
}

func (p Parameter) allowed(v string) bool {
	for _, a := range p.AllowedValues {
		if fmt.Sprint(a) == v {
			return true
		}
	}
	return false
}
