package discord

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// Exchange is one REST call and what came of it, for Options.Observe. Everything in it is a copy.
type Exchange struct {
	// Call is what Calls remembers. Status is 0 where nothing was done; where Call.Fault is FaultLost the answer below is the one
	// that was lost.
	Call
	// Target is the path and query as they came, still escaped.
	Target string
	// Asked and Sent are the header and the whole body of the request.
	Asked http.Header
	Sent  []byte
	// Header and Answer are the reply's; Answer is empty where there was no body.
	Header http.Header
	Answer []byte
}

// exchange is one REST call on its way: where the answer goes, and what is remembered of it.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	sent []byte
	call Call
}

// answer writes a reply and remembers the call.
func (s *Server) answer(x *exchange, a reply) {
	text, err := encode(a.body)
	if err != nil {
		a.status, text = http.StatusInternalServerError, nil
	}
	if text != nil {
		x.w.Header().Set("Content-Type", "application/json")
		x.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	}
	s.writeAnswer(x, a.status, text)
}

// writeAnswer sends an answer as it is and remembers the call, in the other order: whoever has the answer finds the call.
func (s *Server) writeAnswer(x *exchange, status int, text []byte) {
	x.call.Status = status
	s.remembered(x, text)
	x.w.WriteHeader(status)
	x.w.Write(text)
}

// lose remembers a call whose caller gets no answer, though this one was made, and ends the connection.
func (s *Server) lose(x *exchange, a reply) {
	text, err := encode(a.body)
	if err == nil {
		x.call.Status = a.status
	}
	if text != nil {
		x.w.Header().Set("Content-Type", "application/json")
	}
	s.remembered(x, text)
	abort()
}

// remembered records a call and shows it to the observer.
func (s *Server) remembered(x *exchange, text []byte) {
	s.record(x.call, x.w.Header().Get("X-RateLimit-Scope"))
	if s.opt.Observe == nil {
		return
	}
	s.opt.Observe(Exchange{
		Call: x.call, Target: x.r.URL.RequestURI(), Asked: x.r.Header.Clone(), Sent: slices.Clone(x.sent),
		Header: x.w.Header().Clone(), Answer: slices.Clone(text),
	})
}

// encode writes a body as Discord does, without escapes for HTML; nil stays nil.
func encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(body)
	return text.Bytes(), err
}

// abort closes the connection without an answer: net/http's way, which also ends an HTTP/2 stream and logs nothing.
func abort() { panic(http.ErrAbortHandler) }
