package queue

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of one call and of one message's parts (SQS developer guide, quotas).
const (
	MaxBatch = 10  // messages of one Receive
	maxAttrs = 10  // attributes of one message; the trace header is a system attribute and does not count
	maxID    = 128 // characters of a group and of a deduplication id
	maxName  = 256 // characters of an attribute's name
)

// Names lists every queue, each followed by its dead-letter queue.
func Names() []string {
	return []string{
		Ingress, Ingress + DeadSuffix,
		Turns, Turns + DeadSuffix,
		Replies, Replies + DeadSuffix,
		Commands, Commands + DeadSuffix,
	}
}

// Dead gives the dead-letter queue of a queue; "" when the queue is one itself, for that has none.
func Dead(name string) string {
	if strings.HasSuffix(name, DeadSuffix) {
		return ""
	}
	return name + DeadSuffix
}

// CheckName refuses a queue that does not exist with ErrNoQueue.
func CheckName(name string) error {
	for _, known := range Names() {
		if name == known {
			return nil
		}
	}
	return ErrNoQueue
}

// CheckReceive refuses arguments of Receive that SQS would refuse, with ErrInvalid.
func CheckReceive(max int, d time.Duration) error {
	if max < 1 || max > MaxBatch {
		return fmt.Errorf("%w: receive of %d messages", ErrInvalid, max)
	}
	return CheckHide(d)
}

// CheckHide refuses a visibility time-out that SQS would refuse, with ErrInvalid.
func CheckHide(d time.Duration) error {
	if d < 0 || d > MaxHide {
		return fmt.Errorf("%w: visibility time-out of %s", ErrInvalid, d)
	}
	return nil
}

// CheckMessage refuses a message that SQS would refuse, with ErrInvalid or ErrTooLarge. Every driver asks it before it
// sends, so that a message that works on a laptop also works in the cloud.
func CheckMessage(m Message) error {
	if !validID(m.Group) {
		return fmt.Errorf("%w: group", ErrInvalid)
	}
	if !validID(m.Dedup) {
		return fmt.Errorf("%w: deduplication id", ErrInvalid)
	}
	if m.Body == "" || !validText(m.Body) {
		return fmt.Errorf("%w: body", ErrInvalid)
	}
	return checkSize(m)
}

// checkSize holds the attributes and the size of the message; the trace header weighs nothing.
func checkSize(m Message) error {
	size, count := len(m.Body), 0
	for name, value := range m.Attrs {
		if value == "" || !validText(value) {
			return fmt.Errorf("%w: value of an attribute", ErrInvalid)
		}
		if name == AttrTrace {
			continue
		}
		if !validName(name) {
			return fmt.Errorf("%w: name of an attribute", ErrInvalid)
		}
		count++
		size += len(name) + len("String") + len(value)
	}
	if count > maxAttrs {
		return fmt.Errorf("%w: %d attributes", ErrInvalid, count)
	}
	if size > MaxBody {
		return ErrTooLarge
	}
	return nil
}

// validID tells whether s is a group or deduplication id: 1 to 128 visible ASCII characters.
func validID(s string) bool {
	if s == "" || len(s) > maxID {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// validName tells whether s may name an attribute.
func validName(s string) bool {
	lower := strings.ToLower(s)
	if s == "" || len(s) > maxName || strings.HasPrefix(lower, "aws.") || strings.HasPrefix(lower, "amazon.") {
		return false
	}
	if s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		digit := c >= '0' && c <= '9'
		if !letter && !digit && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// validText tells whether SQS carries s: valid UTF-8 of the characters that XML 1.0 allows.
func validText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return false
		}
	}
	return true
}
