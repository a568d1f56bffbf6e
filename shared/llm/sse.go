package llm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxEvent is the usual limit for one event, in bytes. A reply of a megabyte on one line is legitimate; more than this is not.
const MaxEvent = 8 << 20

// ErrEventTooLarge says that one event is larger than the reader's limit.
var ErrEventTooLarge = errors.New("event too large")

// Event is one server-sent event, or one comment line.
type Event struct {
	Name    string // of the event field; "" when there is none
	Data    string // the data lines, joined by a newline; for a comment its text
	Comment bool   // a comment: it says nothing but that the other side is alive
	Unended bool   // the stream ended before the blank line that ends an event: Data may be cut
}

// Events reads server-sent events until the end of r. It ends with an error when r fails or when one event, its fields and
// line ends included, has more than limit bytes (0 means MaxEvent); an end of r is never an error here, because only the
// wire format knows its terminal event. Lines end with CR, LF or CRLF; a lone CR ends its line at once, without waiting for
// the next byte. Lines are decoded as a whole, so characters split between reads stay whole. Events without a data line are
// dropped as the standard says, and what stands before the end of r without its blank line is delivered as Unended. The
// sequence reads r and can be used once.
func Events(r io.Reader, limit int) iter.Seq2[Event, error] {
	if limit <= 0 {
		limit = MaxEvent
	}
	return func(yield func(Event, error) bool) {
		s := splitter{limit: limit, first: true}
		buf := make([]byte, 16<<10)
		for idle := 0; ; {
			n, err := r.Read(buf)
			more, tooLarge := s.feed(buf[:n], yield)
			switch {
			case !more:
				return
			case tooLarge != nil:
				yield(Event{}, tooLarge)
				return
			case err == io.EOF:
				s.finish(yield)
				return
			case err != nil:
				yield(Event{}, fmt.Errorf("read event: %w", err))
				return
			case n > 0:
				idle = 0
			default:
				// As bufio does: a reader that returns nothing for ever must not spin.
				if idle++; idle > 100 {
					yield(Event{}, fmt.Errorf("read event: %w", io.ErrNoProgress))
					return
				}
			}
		}
	}
}

// splitter cuts bytes into lines and lines into events. It keeps what is unfinished between two reads.
type splitter struct {
	limit  int
	size   int    // bytes of the current event so far, line included
	line   []byte // the current line without its end
	data   []byte // data lines of the current event
	name   string
	seen   bool // the current event has a data line
	first  bool // the current line is the first of the stream, which may start with a byte order mark
	skipLF bool // the last byte was a CR: an LF now belongs to it
}

// feed consumes p. It gives false when the consumer has left.
func (s *splitter) feed(p []byte, yield func(Event, error) bool) (bool, error) {
	for len(p) > 0 {
		if s.skipLF {
			s.skipLF = false
			if p[0] == '\n' {
				p = p[1:]
				continue
			}
		}
		end := lineEnd(p)
		part, ended := p, end >= 0
		if ended {
			part = p[:end]
			s.skipLF = p[end] == '\r'
			p = p[end+1:]
			s.size++
		} else {
			p = nil
		}
		if s.size += len(part); s.size > s.limit {
			return true, fmt.Errorf("read event: %w: over %d bytes", ErrEventTooLarge, s.limit)
		}
		s.line = append(s.line, part...)
		if ended && !s.endLine(yield) {
			return false, nil
		}
	}
	return true, nil
}

// lineEnd is the place of the first CR or LF in p, or -1.
func lineEnd(p []byte) int {
	lf := bytes.IndexByte(p, '\n')
	if lf >= 0 {
		p = p[:lf]
	}
	if cr := bytes.IndexByte(p, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// endLine takes the current line as complete. It gives false when the consumer has left.
func (s *splitter) endLine(yield func(Event, error) bool) bool {
	line := s.line
	s.line = s.line[:0]
	if s.first {
		s.first = false
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(line) == 0 {
		return s.dispatch(false, yield)
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "":
		// A comment may stand inside an event. It must not count against that event: keep-alives can be many.
		s.size -= len(line) + 1
		return yield(Event{Data: string(value), Comment: true}, nil)
	case "data":
		if s.seen {
			s.data = append(s.data, '\n')
		}
		s.data = append(s.data, value...)
		s.seen = true
	case "event":
		s.name = string(value)
	}
	return true
}

// dispatch ends the current event.
func (s *splitter) dispatch(unended bool, yield func(Event, error) bool) bool {
	e, seen := Event{Name: s.name, Data: string(s.data), Unended: unended}, s.seen
	s.name, s.data, s.seen, s.size = "", s.data[:0], false, 0
	return !seen || yield(e, nil)
}

// finish delivers what stands before the end of the stream.
func (s *splitter) finish(yield func(Event, error) bool) {
	if len(s.line) > 0 && !s.endLine(yield) {
		return
	}
	s.dispatch(true, yield)
}
