package discord

// maxNesting is how deep a payload is read. Discord's own have about half of it, and discordgo reads a message within a message
// once for each that it is in.
const maxNesting = 32

// flat is the payload with null for each value that lies deeper than maxNesting; the payload itself where there is none. What
// is no JSON stays none.
func flat(raw []byte) []byte {
	var out []byte
	depth, kept, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth == maxNesting+1 {
				out = append(append(out, raw[kept:i]...), "null"...)
				kept = len(raw)
			}
		case c == '}' || c == ']':
			if depth--; depth == maxNesting {
				kept = i + 1
			}
		}
	}
	if out == nil {
		return raw
	}
	return append(out, raw[kept:]...)
}
