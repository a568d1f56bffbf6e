package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"tsumugi/shared/llm"
)

// decoder turns the events of one stream into deltas. It does no I/O.
type decoder struct {
	limit  int // of text and thinking together, in bytes
	size   int
	text   bool // some text has come
	finish llm.Reason
	done   bool // the terminal event has come
	usage  llm.Usage
	halves halves
	calls  calls
}

// terminal tells whether the reply is complete, even if [DONE] never comes: some servers forget it.
func (d *decoder) terminal() bool { return d.done || d.finish != "" }

// end is the last delta.
func (d *decoder) end() llm.Delta {
	reason := d.finish
	if reason == "" {
		reason = llm.Stopped // [DONE] without a finish reason
	}
	asked := d.calls.all()
	switch {
	case reason == llm.CallsTools && len(asked) == 0:
		reason = llm.Stopped // it asks for nothing
	case reason == llm.Stopped && len(asked) > 0:
		reason = llm.CallsTools // some servers do not say so
	case reason != llm.CallsTools:
		asked = nil // cut off or refused: not to be carried out
	}
	return llm.Delta{Done: &llm.Done{Reason: reason, Usage: d.usage, Calls: asked}}
}

// event takes one event. An error ends the stream.
func (d *decoder) event(e llm.Event) (llm.Delta, error) {
	data := strings.TrimSpace(e.Data)
	switch {
	case e.Comment || data == "":
		return llm.Delta{}, nil
	case data == "[DONE]":
		d.done = true
		return llm.Delta{}, nil
	case e.Name == "error":
		return llm.Delta{}, d.failed(readFailure([]byte(data)))
	}
	var c chunk
	if err := json.Unmarshal([]byte(data), &c); err != nil && !oneField(err) {
		if e.Unended {
			return llm.Delta{}, &llm.Error{Kind: llm.Cut}
		}
		// The decoder's own words may quote the data, so they are not kept.
		return llm.Delta{}, &llm.Error{Kind: llm.Malformed, Err: errors.New("chunk is not the wire format")}
	}
	return d.chunk(c, []byte(data))
}

// oneField tells whether err is only a field of an unexpected type: the rest was read, and a server's odd usage numbers must
// not cost somebody's reply.
func oneField(err error) bool {
	var t *json.UnmarshalTypeError
	return errors.As(err, &t) && t.Field != ""
}

func (d *decoder) chunk(c chunk, raw []byte) (llm.Delta, error) {
	if c.Usage != nil {
		d.usage = c.Usage.words() // the newest numbers win
	}
	if present(c.Error) || c.Object == "error" || len(c.Choices) == 0 && present(c.Message) && (present(c.Code) || present(c.Type)) {
		return llm.Delta{}, d.failed(readFailure(raw))
	}
	var out llm.Delta
	for _, ch := range c.Choices {
		if ch.Index != 0 {
			continue // one reply was asked for
		}
		if err := d.choice(ch, &out); err != nil {
			return out, err
		}
	}
	if d.size += len(out.Text) + len(out.Thinking); d.size > d.limit {
		return llm.Delta{}, &llm.Error{Kind: llm.Malformed, Err: fmt.Errorf("reply over %d bytes", d.limit)}
	}
	return out, nil
}

// choice takes text before the finish reason: the chunk that carries the one may carry the other.
func (d *decoder) choice(ch choice, out *llm.Delta) error {
	from := ch.Delta
	if from == nil && ch.Message != nil && !d.text && len(d.calls.list) == 0 {
		from = ch.Message // a server that does not stream; after deltas it would be the same text again
	}
	if from != nil {
		text, thinking, err := from.parts(&d.halves)
		if err != nil {
			return &llm.Error{Kind: llm.Malformed, Err: errors.New("content is not the wire format")}
		}
		out.Text += text + from.Refusal
		out.Thinking += thinking
		for _, p := range from.ToolCalls {
			size, err := d.calls.add(p)
			if err != nil {
				return err
			}
			d.size += size
		}
		if from.Refusal != "" {
			d.finish = llm.Filtered
		}
	}
	out.Text += ch.Text
	d.text = d.text || out.Text != ""
	if present(ch.Error) {
		return d.failed(readErrorObject(ch.Error))
	}
	if ch.FinishReason == "" || d.finish == llm.Filtered {
		return nil
	}
	reason, kind := finished(ch.FinishReason)
	if kind != "" {
		return &llm.Error{Kind: kind, Code: cleanCode(ch.FinishReason)}
	}
	d.finish = reason
	return nil
}

// failed is the error of an error object within the stream. A refusal of content is a way to end, not an error.
func (d *decoder) failed(f failure) error {
	if f.refusesContent() {
		d.finish, d.done = llm.Filtered, true
		return nil
	}
	return &llm.Error{Kind: f.kind(http.StatusOK), Status: f.status, Code: f.code}
}

// decode reads a whole stream and gives each delta to yield, the final one included. It gives nil when the stream came to
// its terminal event or the consumer left. progress is called after each event: with true when it carried text, thinking or
// a piece of a tool call.
func (d *decoder) decode(r io.Reader, progress func(text bool), yield func(llm.Delta) bool) error {
	for e, err := range llm.Events(r, llm.MaxEvent) {
		if err != nil {
			if d.terminal() {
				break // the reply is complete; only its usage may be missing
			}
			if errors.Is(err, llm.ErrEventTooLarge) {
				return &llm.Error{Kind: llm.Malformed, Err: err}
			}
			return err
		}
		size := d.size
		delta, err := d.event(e)
		progress(d.size > size)
		if (err == nil || delta.Text != "") && !d.done && !yield(delta) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.done {
			break
		}
	}
	if !d.terminal() {
		return &llm.Error{Kind: llm.Cut}
	}
	yield(d.end())
	return nil
}

// whole reads a reply that is one JSON document: a server that does not stream, or an error with status 200.
func (d *decoder) whole(body []byte, yield func(llm.Delta) bool) error {
	delta, err := d.event(llm.Event{Data: string(body)})
	if err != nil {
		return err
	}
	if !d.terminal() {
		return &llm.Error{Kind: llm.Malformed, Err: errors.New("reply has no finish reason")}
	}
	if yield(delta) {
		yield(d.end())
	}
	return nil
}
