package kv

import (
	"fmt"
	"unicode/utf8"
)

// Limits that Validate holds every driver to, so that what one engine takes the other takes too (DynamoDB, service quotas).
const (
	MaxPartition = 2048    // bytes of Key.Partition
	MaxSort      = 1024    // bytes of Key.Sort
	MaxKeys      = 100     // keys of one BatchGet
	MaxWrite     = 4 << 20 // bytes of all items of one Write
)

// Bytes that Size adds to what the caller can see. integerSize is the most that DynamoDB counts for an int64; keyNames
// covers the names of the key attributes and the due index's helper. Size thus never falls below DynamoDB's own count.
const (
	integerSize = 12
	keyNames    = 9
)

// reserved are attribute names that the DynamoDB driver needs for itself.
var reserved = map[string]bool{"pk": true, "sk": true, "duep": true}

// Size is the size of the item in bytes as MaxItem counts it: partition, sort key, attribute names and values, 12 for an
// integer, and 9 for the item. The space does not count.
func Size(item Item) int {
	return keyNames + len(item.Key.Partition) + len(item.Key.Sort) + sizeOf(item.Attrs)
}

func sizeOf(attrs Attrs) int {
	n := 0
	for name, value := range attrs {
		n += len(name)
		switch v := value.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		default:
			n += integerSize
		}
	}
	return n
}

// Validate tells whether a driver may try the Write: nil, or ErrInvalid or ErrTooLarge with the operation's index and key.
//
// Beyond the counts it demands: keys that are UTF-8, not empty and within MaxPartition and MaxSort; one op an item; only
// the fields of the verb; an Update that changes something and names each attribute once; a Check that has conditions;
// attribute names that are not empty and not "pk", "sk" or "duep"; values of the three types, strings in UTF-8, TTL and
// DueAt integers; Less only with a string or an integer.
func Validate(ops []Op) error {
	if len(ops) == 0 || len(ops) > MaxOps {
		return fmt.Errorf("write of %d ops: %w", len(ops), ErrInvalid)
	}
	seen := make(map[Key]bool, len(ops))
	total := 0
	for i, op := range ops {
		if seen[op.Key] {
			return fmt.Errorf("write op %d of %s: second op on one item: %w", i, op.Key, ErrInvalid)
		}
		seen[op.Key] = true
		if fault := op.fault(); fault != "" {
			return fmt.Errorf("write op %d of %s: %s: %w", i, op.Key, fault, ErrInvalid)
		}
		size := Size(Item{op.Key, op.Attrs}) + sizeOf(op.Set)
		if total += size; size > MaxItem || total > MaxWrite {
			return fmt.Errorf("write op %d of %s: %w", i, op.Key, ErrTooLarge)
		}
	}
	return nil
}

// ValidateKeys is Validate for Get and BatchGet: at most MaxKeys keys, none twice.
func ValidateKeys(keys []Key) error {
	if len(keys) > MaxKeys {
		return fmt.Errorf("get %d keys: %w", len(keys), ErrInvalid)
	}
	seen := make(map[Key]bool, len(keys))
	for _, key := range keys {
		fault := key.fault()
		if fault == "" && seen[key] {
			fault = "key asked for twice"
		}
		if fault != "" {
			return fmt.Errorf("get %s: %s: %w", key, fault, ErrInvalid)
		}
		seen[key] = true
	}
	return nil
}

// Validate is Validate for Query. Prefix and After may be any UTF-8; After need not be the key of an item.
func (q Query) Validate() error {
	fault := Key{q.Space, q.Partition, "-"}.fault()
	switch {
	case fault != "":
	case q.Limit < 0:
		fault = "limit is negative"
	case !utf8.ValidString(q.Prefix) || !utf8.ValidString(q.After):
		fault = "prefix or start is not UTF-8"
	}
	if fault != "" {
		return fmt.Errorf("query %s/%s: %s: %w", q.Space, q.Partition, fault, ErrInvalid)
	}
	return nil
}

// ValidateDue is Validate for Due: a space and a limit of at least 1.
func ValidateDue(space string, limit int) error {
	if space == "" || limit < 1 {
		return fmt.Errorf("due %q limit %d: %w", space, limit, ErrInvalid)
	}
	return nil
}

func (k Key) fault() string {
	switch {
	case k.Space == "" || k.Partition == "" || k.Sort == "":
		return "empty part of a key"
	case len(k.Partition) > MaxPartition || len(k.Sort) > MaxSort:
		return "key is too long"
	case !utf8.ValidString(k.Space) || !utf8.ValidString(k.Partition) || !utf8.ValidString(k.Sort):
		return "key is not UTF-8"
	}
	return ""
}

func (op Op) fault() string {
	if fault := op.Key.fault(); fault != "" {
		return fault
	}
	change := len(op.Set) + len(op.Remove) + len(op.Add)
	switch {
	case op.Verb < Put || op.Verb > Check:
		return "unknown verb"
	case op.Verb != Put && len(op.Attrs) > 0:
		return "only Put takes Attrs"
	case op.Verb != Update && change > 0:
		return "only Update takes Set, Remove and Add"
	case op.Verb == Update && change == 0:
		return "update changes nothing"
	case op.Verb == Check && len(op.If) == 0:
		return "check has no condition"
	}
	for _, attrs := range []Attrs{op.Attrs, op.Set} {
		for name, value := range attrs {
			if fault := attrFault(name, value); fault != "" {
				return fault
			}
		}
	}
	if fault := op.changeFault(change); fault != "" {
		return fault
	}
	for _, c := range op.If {
		if fault := c.fault(); fault != "" {
			return fault
		}
	}
	return ""
}

// changeFault looks at the names of an Update.
func (op Op) changeFault(n int) string {
	if op.Verb != Update {
		return ""
	}
	names := make(map[string]bool, n)
	for name := range op.Set {
		names[name] = true
	}
	for name := range op.Add {
		names[name] = true
		if fault := nameFault(name); fault != "" {
			return fault
		}
	}
	for _, name := range op.Remove {
		names[name] = true
		if fault := nameFault(name); fault != "" {
			return fault
		}
	}
	if len(names) != n {
		return "update names an attribute twice"
	}
	return ""
}

func nameFault(name string) string {
	if name == "" || reserved[name] || !utf8.ValidString(name) {
		return fmt.Sprintf("attribute name %q", name)
	}
	return ""
}

func attrFault(name string, value any) string {
	if fault := nameFault(name); fault != "" {
		return fault
	}
	s, isString := value.(string)
	_, isInt := value.(int64)
	_, isBytes := value.([]byte)
	switch {
	case !isString && !isInt && !isBytes:
		return fmt.Sprintf("attribute %q is a %T", name, value)
	case (name == TTL || name == DueAt) && !isInt:
		return fmt.Sprintf("attribute %q is not an integer", name)
	case isString && !utf8.ValidString(s):
		return fmt.Sprintf("attribute %q is not UTF-8", name)
	}
	return ""
}

func (c Cond) fault() string {
	if c.Test == Absent {
		if c.Value != nil {
			return "absent takes no value"
		}
		if c.Attr == "" {
			return ""
		}
		return nameFault(c.Attr)
	}
	if c.Test != Equals && c.Test != Less {
		return "unknown test"
	}
	// A condition may compare TTL and DueAt with any type (it just does not hold), so the name is looked at alone.
	if fault := nameFault(c.Attr); fault != "" {
		return fault
	}
	if fault := attrFault("value", c.Value); fault != "" {
		return "condition: " + fault
	}
	if _, isBytes := c.Value.([]byte); isBytes && c.Test == Less {
		return "less compares no bytes"
	}
	return ""
}
