package speech

import "strings"

const (
	leastOverlap  = 8    // bytes that are no coincidence
	oldestOverlap = 4096 // bytes of the words before that may be said again
)

// Continued is before and what was said after it, without the words at the start of after that repeat the end of before, as
// models do that are asked to go on. It is for the one place where a reply is continued, not for what a stream brings: there
// the same words again are meant, as dashes and laughter are. A repetition of one short piece is taken for that here too.
//
// While after is not whole, what may yet be a repetition is held back.
func Continued(before, after string, whole bool) string {
	tail := before[max(0, len(before)-oldestOverlap):]
	if !whole && len(after) < len(tail) {
		for at := range len(tail) - len(after) {
			if tail[at:at+len(after)] == after && !laughter(tail[at:]) {
				return before
			}
		}
	}
	for n := min(len(tail), len(after)); n >= leastOverlap; n-- {
		if strings.HasSuffix(tail, after[:n]) && !laughter(after[:n]) {
			return before + after[n:]
		}
	}
	return before + after
}

// laughter tells whether text is one piece of up to four bytes again and again, or says nothing.
func laughter(text string) bool {
	for n := 1; n <= 4 && n <= len(text)/2; n++ {
		if text[n:] == text[:len(text)-n] {
			return true
		}
	}
	return !strings.ContainsFunc(text, telling)
}
