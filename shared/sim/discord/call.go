package discord

import (
	"slices"
	"time"
)

// Call is one REST call that the simulator received.
type Call struct {
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	// Path has no token in it: that of a webhook or an interaction is left out.
	Path string `json:"path"`
	// Route is the pattern of the table, empty where nothing matched.
	Route   string `json:"route"`
	Channel string `json:"channel,omitempty"`
	// Status is what was answered, or would have been where the answer was lost; 0 where nothing was done.
	Status int       `json:"status"`
	Bytes  int       `json:"bytes"`
	Fault  FaultKind `json:"fault,omitempty"`
	// Body is the JSON that was sent (of an upload the payload_json), its first 64 KiB; only Go callers see it.
	Body []byte `json:"-"`
}

// keptBody is how much of a call's body is remembered.
const keptBody = 64 << 10

// record remembers a call and forgets the oldest beyond the bound. The scope is that of a refusal by a rate limit.
func (s *Server) record(c Call, scope string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misdeed(c.Status, scope, time.Now())
	s.calls = append(s.calls, c)
	if len(s.calls) >= 2*s.opt.CallsKept {
		s.calls = append([]Call(nil), s.calls[len(s.calls)-s.opt.CallsKept:]...)
	}
}

// Calls returns the newest REST calls, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls[max(0, len(s.calls)-s.opt.CallsKept):])
}
