package discord

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Way is what became of an event on its way to a session.
type Way string

// The ways of an event.
const (
	// WaySent is an event that was given to the session, at once or after others.
	WaySent Way = "sent"
	// WayLost is an event that has its number and is replayed by a RESUME, but did not reach the connection.
	WayLost Way = "lost"
	// WayMissing is an event that Discord never sent.
	WayMissing Way = "missing"
)

// Dispatch is one event and one session that was to have it.
type Dispatch struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Shard   int       `json:"shard"`
	Of      int       `json:"of"`            // shards, as the session said
	Seq     int64     `json:"seq,omitempty"` // 0 where the event is missing
	Event   string    `json:"event"`
	// Channel and Message are what the event is about, where it is about a message.
	Channel string `json:"channel,omitempty"`
	Message string `json:"message,omitempty"`
	Way     Way    `json:"way"`
}

// tally remembers an event, and forgets the oldest beyond the bound. The lock is held.
func (s *Server) tally(n *session, name string, text []byte, seq int64, way Way) {
	d := Dispatch{
		Time: time.Now(), Session: n.id, Shard: int(n.shard[0]), Of: int(n.shard[1]), Seq: seq, Event: name, Way: way,
	}
	if strings.HasPrefix(name, "MESSAGE_") {
		var about struct {
			ID      string `json:"id"`
			Message string `json:"message_id"` // of reactions
			Channel string `json:"channel_id"`
		}
		if json.Unmarshal(text, &about) == nil {
			d.Channel, d.Message = about.Channel, about.ID
			if about.ID == "" {
				d.Message = about.Message
			}
		}
	}
	s.gateway.dispatches = append(s.gateway.dispatches, d)
	if len(s.gateway.dispatches) >= 2*s.opt.DispatchesKept {
		s.gateway.dispatches = slices.Clone(s.gateway.dispatches[len(s.gateway.dispatches)-s.opt.DispatchesKept:])
	}
}

// Dispatches returns the newest events by the sessions that were to have them, oldest first, READY and RESUMED included. An event
// that waits to be overtaken, or is delayed, is not among them yet; ClearFaults lets the first kind go. What a RESUME replays is
// not counted again.
func (s *Server) Dispatches() []Dispatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.gateway.dispatches[max(0, len(s.gateway.dispatches)-s.opt.DispatchesKept):])
}
