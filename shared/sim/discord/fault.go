package discord

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// FaultKind names an accident.
type FaultKind string

// The accidents of REST calls.
const (
	// FaultLost closes the connection after the change was made: the caller cannot know.
	FaultLost FaultKind = "lost"
	// FaultRefused closes the connection before anything was done.
	FaultRefused FaultKind = "refused"
	// FaultStatus answers Status (a 5xx, or any other) before anything was done.
	FaultStatus FaultKind = "status"
	// FaultRateLimit answers 429 with RetryAfter; Global marks the bot's whole limit; Bare leaves out every header and answers
	// HTML, as Cloudflare does; Shared marks the scope that does not count as an invalid request.
	FaultRateLimit FaultKind = "429"
	// FaultSlow waits DelayMS before the change is made.
	FaultSlow FaultKind = "slow"
)

// The accidents of the gateway. Drop, reconnect and invalid happen at once to every connection; the others wait for their event.
const (
	// FaultDrop cuts every connection without a close frame.
	FaultDrop FaultKind = "drop"
	// FaultReconnect sends op 7 to every connection.
	FaultReconnect FaultKind = "reconnect"
	// FaultInvalid sends op 9 to every connection; without Resumable the session is gone.
	FaultInvalid FaultKind = "invalid"
	// FaultClose closes every connection with Code.
	FaultClose FaultKind = "close"
	// FaultDuplicate sends an event of the name Event (empty: any message event) twice.
	FaultDuplicate FaultKind = "duplicate"
	// FaultMissing never sends it.
	FaultMissing FaultKind = "missing"
	// FaultWithholdAcks leaves heartbeats unanswered, as a dead peer does.
	FaultWithholdAcks FaultKind = "withhold-acks"
	// FaultOff disarms every fault.
	FaultOff FaultKind = "off"
)

// Fault is an accident and what it waits for.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Method, Route (a pattern of GET /sim/state) and Channel narrow a REST fault; empty means any.
	Method  string `json:"method,omitempty"`
	Route   string `json:"route,omitempty"`
	Channel string `json:"channel,omitempty"`
	// Event narrows a gateway fault, for example MESSAGE_CREATE.
	Event string `json:"event,omitempty"`
	// After lets so many matches pass first. Count is how many it then hits: 0 means 1, below 0 means until disarmed.
	After int `json:"after,omitempty"`
	Count int `json:"count,omitempty"`
	// Probability hits only some matches (above 0, below 1); Options.Seed makes it repeatable.
	Probability float64 `json:"probability,omitempty"`
	Status      int     `json:"status,omitempty"`
	RetryAfter  float64 `json:"retry_after,omitempty"` // seconds
	Bare        bool    `json:"bare,omitempty"`
	Global      bool    `json:"global,omitempty"`
	Shared      bool    `json:"shared,omitempty"`
	DelayMS     int     `json:"delay_ms,omitempty"`
	Resumable   bool    `json:"resumable,omitempty"`
	Code        int     `json:"code,omitempty"`
}

// Fault arms an accident, or causes it now where it waits for nothing. A fault that could never happen is refused.
func (s *Server) Fault(f Fault) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch f.Kind {
	case FaultLost, FaultRefused, FaultRateLimit, FaultSlow:
	case FaultStatus:
		if f.Status < 400 || f.Status > 599 {
			return fmt.Errorf("arm fault %s: status %d is no error: %w", f.Kind, f.Status, ErrRefused)
		}
	case FaultDuplicate, FaultMissing, FaultWithholdAcks:
	case FaultDrop, FaultReconnect, FaultInvalid, FaultClose:
		s.disturb(f)
		return nil
	case FaultOff:
		s.faults = nil
		return nil
	default:
		return fmt.Errorf("arm fault %q: %w", f.Kind, ErrUnknown)
	}
	if f.Route != "" && !slices.ContainsFunc(s.routes, func(rt route) bool { return rt.pattern == f.Route }) {
		return fmt.Errorf("arm fault on route %s: %w", f.Route, ErrUnknown)
	}
	if f.Count == 0 {
		f.Count = 1
	}
	s.faults = append(s.faults, &f)
	return nil
}

// ClearFaults disarms everything.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Armed returns the faults that still wait.
func (s *Server) Armed() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Fault{}
	for _, f := range s.faults {
		list = append(list, *f)
	}
	return list
}

// takeFault returns the REST fault that hits this call; the zero Fault hits nothing.
func (s *Server) takeFault(rt *route, channel string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take(func(f *Fault) bool {
		switch f.Kind {
		case FaultLost, FaultRefused, FaultStatus, FaultRateLimit, FaultSlow:
		default:
			return false
		}
		return (f.Method == "" || strings.EqualFold(f.Method, rt.method)) && (f.Route == "" || f.Route == rt.pattern) &&
			(f.Channel == "" || f.Channel == channel)
	})
}

// takeEventFault returns the gateway fault of this kind that hits an event.
func (s *Server) takeEventFault(kind FaultKind, event string) bool {
	hit := s.take(func(f *Fault) bool {
		return f.Kind == kind && (f.Event == event || f.Event == "" && strings.HasPrefix(event, "MESSAGE_"))
	})
	return hit.Kind != ""
}

// take uses up one hit of the first fault that matches. The lock is held.
func (s *Server) take(matches func(*Fault) bool) Fault {
	for i, f := range s.faults {
		if !matches(f) {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		if f.Probability > 0 && s.random.Float64() >= f.Probability {
			continue
		}
		hit := *f
		if f.Count > 0 {
			if f.Count--; f.Count == 0 {
				s.faults = slices.Delete(s.faults, i, i+1)
			}
		}
		return hit
	}
	return Fault{}
}

// wait is the fault's retry_after as a duration.
func (f Fault) wait() time.Duration { return time.Duration(f.RetryAfter * float64(time.Second)) }

// limit writes the headers of a made-up 429.
func (f Fault) limit(h http.Header) {
	if !f.Bare {
		retryHeaders(h, f.wait(), f.scope())
	}
}

func (f Fault) scope() string {
	switch {
	case f.Global:
		return scopeGlobal
	case f.Shared:
		return scopeShared
	}
	return scopeUser
}

// answerLimited writes a made-up 429. A bare one is what a proxy in front of Discord sends: no JSON, nothing to obey.
func (s *Server) answerLimited(x *exchange, f Fault) {
	if !f.Bare {
		s.answer(x, limited(f.wait(), f.scope()))
		return
	}
	s.answerCloudflare(x)
}
