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
	// FaultStatus answers Status (a 5xx, or any other) before anything was done, with Code as its JSON error code.
	FaultStatus FaultKind = "status"
	// FaultRateLimit answers 429 with RetryAfter; Global marks the bot's whole limit; Bare leaves out every header and answers
	// HTML, as Cloudflare does; Shared marks the scope that does not count as an invalid request.
	FaultRateLimit FaultKind = "429"
	// FaultSlow waits DelayMS before the change is made.
	FaultSlow FaultKind = "slow"
	// FaultTimeout does nothing and never answers: the caller has to leave.
	FaultTimeout FaultKind = "timeout"
	// FaultTimeoutAfter makes the change and never answers.
	FaultTimeoutAfter FaultKind = "timeout-after"
)

// The accidents of the gateway. Those of a connection (drop to null) happen at once to every connection of the shard, unless the
// fault names an Event, After, Count or Probability: then they follow the events that it hits. The others wait for theirs.
const (
	// FaultDrop cuts every connection without a close frame.
	FaultDrop FaultKind = "drop"
	// FaultReconnect sends op 7 to every connection.
	FaultReconnect FaultKind = "reconnect"
	// FaultInvalid sends op 9 to every connection; without Resumable the session is gone.
	FaultInvalid FaultKind = "invalid"
	// FaultClose closes every connection with Code.
	FaultClose FaultKind = "close"
	// FaultHalfOpen leaves a connection open and dead: nothing is sent any more, and nothing that comes is heard.
	FaultHalfOpen FaultKind = "half-open"
	// FaultOversized sends a frame of Bytes (0: 4 MiB), FaultGarbled one that is no JSON, FaultNull one that is null.
	FaultOversized FaultKind = "oversized"
	FaultGarbled   FaultKind = "garbled"
	FaultNull      FaultKind = "null"
	// FaultDuplicate sends an event of the name Event (empty: any message event) twice, with two sequence numbers.
	FaultDuplicate FaultKind = "duplicate"
	// FaultMissing never sends it, and no sequence number tells.
	FaultMissing FaultKind = "missing"
	// FaultLostEvent gives it a sequence number, but it does not arrive; a RESUME that asks for it replays it.
	FaultLostEvent FaultKind = "lost-event"
	// FaultReorder holds it back until the session has had Next (0: 1) more events.
	FaultReorder FaultKind = "reorder"
	// FaultDelay sends it after DelayMS; later events overtake it.
	FaultDelay FaultKind = "delay"
	// FaultWithholdAcks leaves heartbeats unanswered, as a dead peer does.
	FaultWithholdAcks FaultKind = "withhold-acks"
	// FaultSlowHello says HELLO after DelayMS, FaultNoHello never; the next connection is hit.
	FaultSlowHello FaultKind = "slow-hello"
	FaultNoHello   FaultKind = "no-hello"
	// FaultNoReady takes an IDENTIFY, and sends neither READY nor any other event on that connection.
	FaultNoReady FaultKind = "no-ready"
	// FaultNoSessions lets GET /gateway/bot say that no IDENTIFY is left today, and that DelayMS are left of the day.
	FaultNoSessions FaultKind = "no-sessions"
	// FaultIntentOff switches the message content intent off while it is in use: 4003 first, then 4014.
	FaultIntentOff FaultKind = "intent-off"
	// FaultToken gives the application another token, as the button of the developer portal does: every session ends.
	FaultToken FaultKind = "token"
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
	// Event and Shard narrow a gateway fault, for example to MESSAGE_CREATE and 0.
	Event string `json:"event,omitempty"`
	Shard *int   `json:"shard,omitempty"`
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
	Next        int     `json:"next,omitempty"`
	Bytes       int     `json:"bytes,omitempty"`
}

// Fault arms an accident, or causes it now where it waits for nothing. A fault that could never happen is refused.
func (s *Server) Fault(f Fault) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch f.Kind {
	case FaultLost, FaultRefused, FaultRateLimit, FaultSlow, FaultTimeout, FaultTimeoutAfter:
	case FaultStatus:
		if f.Status < 400 || f.Status > 599 {
			return fmt.Errorf("arm fault %s: status %d is no error: %w", f.Kind, f.Status, ErrRefused)
		}
	case FaultDuplicate, FaultMissing, FaultLostEvent, FaultReorder, FaultDelay, FaultWithholdAcks, FaultSlowHello, FaultNoHello,
		FaultNoReady, FaultNoSessions:
	case FaultDrop, FaultReconnect, FaultInvalid, FaultClose, FaultHalfOpen, FaultOversized, FaultGarbled, FaultNull:
		if f.Bytes < 0 || f.Bytes > oversizedMost {
			return fmt.Errorf("arm fault %s: a frame of %d bytes, and the most is %d: %w", f.Kind, f.Bytes, oversizedMost, ErrRefused)
		}
		if f.now() {
			s.disturb(f)
			return nil
		}
	case FaultIntentOff:
		s.switchOff()
		return nil
	case FaultToken:
		s.resetToken()
		return nil
	case FaultOff:
		s.faults = nil
		s.release()
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

// ClearFaults disarms everything, and lets go the events that wait to be overtaken.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
	s.release()
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
		case FaultLost, FaultRefused, FaultStatus, FaultRateLimit, FaultSlow, FaultTimeout, FaultTimeoutAfter:
		default:
			return false
		}
		return (f.Method == "" || strings.EqualFold(f.Method, rt.method)) && (f.Route == "" || f.Route == rt.pattern) &&
			(f.Channel == "" || f.Channel == channel)
	})
}

// takeFor uses up one hit of a fault of this kind on the shard. The lock is held.
func (s *Server) takeFor(kind FaultKind, n *session) Fault {
	return s.take(func(f *Fault) bool { return f.Kind == kind && f.on(n) })
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
