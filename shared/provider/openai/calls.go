package openai

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"tsumugi/shared/llm"
)

// maxCalls bounds how many calls one reply may ask for.
const maxCalls = 64

// callPart is a piece of a tool call, as a delta or a whole message carries it.
type callPart struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string; some servers send the object itself
	} `json:"function"`
}

// calls puts the pieces of tool calls together. Pieces of parallel calls come interleaved, told apart by their index; some
// servers give every call the index 0, or none, or no id.
type calls struct {
	list []*call
	at   map[int]*call // by index, the call that is being written
}

type call struct {
	llm.Call
	half half
}

// add takes one piece and returns its size.
func (c *calls) add(p callPart) (int, error) {
	to := c.to(p)
	if to == nil {
		return 0, &llm.Error{Kind: llm.Malformed, Err: errors.New("reply asks for too many tool calls")}
	}
	arguments := strings.TrimSpace(string(p.Function.Arguments))
	switch {
	case arguments == "" || arguments == "null":
		arguments = ""
	case arguments[0] == '"':
		text, err := to.half.text(p.Function.Arguments)
		if err != nil {
			return 0, &llm.Error{Kind: llm.Malformed, Err: errors.New("tool call is not the wire format")}
		}
		arguments = text
	}
	if to.Name == "" || p.Function.Name != to.Name { // some servers repeat the whole name in each piece, others send it in pieces
		to.Name += p.Function.Name
	}
	to.Arguments += arguments
	return len(arguments) + len(p.Function.Name), nil
}

// to finds the call that a piece belongs to, and begins one where it belongs to none; nil when there are too many.
func (c *calls) to(p callPart) *call {
	index := 0
	switch {
	case p.Index != nil:
		index = *p.Index
	case p.ID != "" && len(c.list) > 0 && c.list[len(c.list)-1].ID != p.ID, len(c.list) == 0:
		index = len(c.list)
	default:
		index = len(c.list) - 1
	}
	now := c.at[index]
	if now != nil && !now.over(p) {
		if now.ID == "" {
			now.ID = p.ID
		}
		return now
	}
	if len(c.list) == maxCalls {
		return nil
	}
	begun := &call{Call: llm.Call{ID: p.ID}}
	if now != nil && p.Function.Name == "" {
		begun.Name = now.Name // another call of the same tool, from a server that names it once
	}
	if c.at == nil {
		c.at = map[int]*call{}
	}
	c.list, c.at[index] = append(c.list, begun), begun
	return begun
}

// over tells whether a piece with this call's index begins another call: it has another id; or there are no ids to tell, what
// was written is complete, and the piece starts anew. With one id, two documents are one call, and a bad one.
func (c *call) over(p callPart) bool {
	if p.ID != "" && c.ID != "" {
		return p.ID != c.ID
	}
	if c.ID != "" || p.ID != "" && c.Arguments == "" {
		return false
	}
	anew := p.Function.Name != "" || strings.HasPrefix(strings.TrimLeft(string(p.Function.Arguments), "\" \t\r\n"), "{")
	return anew && c.Arguments != "" && json.Valid([]byte(c.Arguments))
}

// all are the calls in the order in which they began, each with an id.
func (c *calls) all() []llm.Call {
	var out []llm.Call
	for i, one := range c.list {
		if one.ID == "" {
			one.ID = "call_" + strconv.Itoa(i+1)
		}
		out = append(out, one.Call)
	}
	return out
}

// half holds back half of a character: JSON writes those beyond the basic plane as two escapes, and some servers cut between
// them. Decoded alone each half is lost.
type half struct{ high string }

// text decodes a JSON string that continues the ones before it.
func (h *half) text(raw json.RawMessage) (string, error) {
	s := strings.TrimSpace(string(raw))
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", errors.New("not a string")
	}
	s = s[1 : len(s)-1]
	if h.high != "" && s != "" {
		s, h.high = h.high+s, ""
	}
	if at := len(s) - 6; at >= 0 && highSurrogate(s[at:]) && !escaped(s[:at]) {
		s, h.high = s[:at], s[at:]
	}
	var text string
	err := json.Unmarshal([]byte(`"`+s+`"`), &text)
	return text, err
}

// highSurrogate tells whether s is the escape of a character's first half.
func highSurrogate(s string) bool {
	n, err := strconv.ParseUint(s[2:], 16, 16)
	return s[0] == '\\' && s[1] == 'u' && err == nil && n >= 0xd800 && n < 0xdc00
}

// escaped tells whether what follows s is part of an escape that s begins: an odd number of backslashes ends it.
func escaped(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }
