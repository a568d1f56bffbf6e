package sqlite

import (
	"encoding/binary"
	"errors"
	"slices"

	"tsumugi/shared/kv"
)

// format is the first byte of an encoded item. Another value means that the file was written by a newer program.
const format = 1

// errFormat is what decode says of bytes that encode did not write.
var errFormat = errors.New("stored item is not readable by this version of the program")

// encode packs attributes: the format byte, then for each attribute its name (length, bytes), a letter for the type, and
// the value (an integer as varint; a length and bytes for the others). Names are sorted, so that equal items are equal
// bytes.
func encode(attrs kv.Attrs) []byte {
	names := make([]string, 0, len(attrs))
	size := 1
	for name, value := range attrs {
		names = append(names, name)
		size += len(name) + 2 + binary.MaxVarintLen64
		switch v := value.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	slices.Sort(names)
	b := append(make([]byte, 0, size), format)
	for _, name := range names {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
		switch v := attrs[name].(type) {
		case int64:
			b = binary.AppendVarint(append(b, 'i'), v)
		case string:
			b = append(binary.AppendUvarint(append(b, 's'), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(append(b, 'b'), uint64(len(v))), v...)
		}
	}
	return b
}

// decode is the inverse of encode. The attributes share no memory with b.
func decode(b []byte) (kv.Attrs, error) {
	if len(b) == 0 || b[0] != format {
		return nil, errFormat
	}
	attrs := kv.Attrs{}
	for b = b[1:]; len(b) > 0; {
		name, rest, ok := chunk(b)
		if !ok || len(rest) == 0 {
			return nil, errFormat
		}
		letter := rest[0]
		b = rest[1:]
		if letter == 'i' {
			n, used := binary.Varint(b)
			if used <= 0 {
				return nil, errFormat
			}
			attrs[string(name)], b = n, b[used:]
			continue
		}
		value, rest, ok := chunk(b)
		switch {
		case ok && letter == 's':
			attrs[string(name)] = string(value)
		case ok && letter == 'b':
			attrs[string(name)] = append([]byte{}, value...)
		default:
			return nil, errFormat
		}
		b = rest
	}
	return attrs, nil
}

// chunk cuts a length and so many bytes off b.
func chunk(b []byte) (head, rest []byte, ok bool) {
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return nil, nil, false
	}
	end := used + int(n)
	return b[used:end], b[end:], true
}
