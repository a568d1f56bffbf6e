package discord

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The accidents that wait for an event, or happen at once. A gateway fault that says nothing of Event, After, Count or Probability
// happens now to every connection of its shard; any other waits for its events and happens to the connections that get them.

// oversized is how long an oversized frame is where the fault does not say, and oversizedMost the longest: it is made at once, and
// whoever reads frames has a bound below that.
const (
	oversized     = 4 << 20
	oversizedMost = 128 << 20
)

// now says whether an accident of a connection waits for nothing.
func (f Fault) now() bool { return f.Event == "" && f.After == 0 && f.Count == 0 && f.Probability == 0 }

// on says whether a fault is for this session's shard.
func (f Fault) on(n *session) bool {
	return f.Shard == nil || n != nil && n.shard[0] == int64(*f.Shard)
}

// about says whether a gateway fault waits for an event of this name.
func (f Fault) about(event string) bool {
	return f.Event == event || f.Event == "" && strings.HasPrefix(event, "MESSAGE_")
}

// disturb causes an accident on every connection of the fault's shard, now. The lock is held.
func (s *Server) disturb(f Fault) {
	for _, c := range slices.Clone(s.gateway.conns) {
		if f.on(c.session) {
			s.befall(c, f)
		}
	}
}

// befall causes an accident on one connection. The lock is held.
func (s *Server) befall(c *conn, f Fault) {
	switch f.Kind {
	case FaultDrop:
		c.push(frame{drop: true})
	case FaultReconnect:
		c.push(control(opReconnect, nil))
	case FaultClose:
		c.push(frame{close: f.Code, why: "fault"})
	case FaultInvalid:
		c.push(control(opInvalid, f.Resumable))
		if c.session != nil && !f.Resumable {
			delete(s.gateway.sessions, c.session.id)
			c.session.conn, c.session = nil, nil
		}
	case FaultHalfOpen:
		c.dead = true
	case FaultOversized:
		size := f.Bytes
		if size <= 0 {
			size = oversized
		}
		// Without a number: that of the last event would stand for it where that was lost, and none would ask for it again.
		c.push(frame{text: fmt.Appendf(nil, `{"op":0,"t":"OVERSIZED","s":null,"d":{"padding":"%s"}}`, bytes.Repeat([]byte("x"), size))})
	case FaultGarbled:
		c.push(frame{text: []byte(`{"op":0,"t":"MESSAGE_CREATE","s":`)})
	case FaultNull:
		c.push(frame{text: []byte(`null`)})
	}
}

// switchOff takes the message content intent from the application while it is in use. Discord closes such a connection with 4003
// first, and refuses the next IDENTIFY with 4014 (discord-api-docs issue 6970). The lock is held.
func (s *Server) switchOff() {
	s.opt.MessageContentEnabled = false
	for _, n := range s.gateway.each() {
		if n.intents&intentContent == 0 {
			continue
		}
		delete(s.gateway.sessions, n.id)
		if c := n.conn; c != nil {
			c.push(frame{close: closeNotAuthenticated, why: "Not authenticated."})
			n.conn, c.session = nil, nil
		}
	}
}

// fate is what the faults have decided on for one event.
type fate struct {
	missing, lost, twice, reordered, delayed Fault
	accidents                                []Fault
}

// decide uses up the faults that wait for this event and have one of its sessions on their shard.
func (s *Server) decide(event string, to []*session) fate {
	take := func(kind FaultKind) Fault {
		return s.take(func(f *Fault) bool {
			return f.Kind == kind && f.about(event) && slices.ContainsFunc(to, f.on)
		})
	}
	if len(s.faults) == 0 {
		return fate{}
	}
	d := fate{
		missing: take(FaultMissing), lost: take(FaultLostEvent), twice: take(FaultDuplicate),
		reordered: take(FaultReorder), delayed: take(FaultDelay),
	}
	for _, kind := range []FaultKind{FaultOversized, FaultGarbled, FaultNull, FaultReconnect, FaultInvalid, FaultClose, FaultHalfOpen, FaultDrop} {
		if f := take(kind); f.Kind != "" {
			d.accidents = append(d.accidents, f)
		}
	}
	return d
}

// hits says whether a fault was decided on and is for this session.
func (f Fault) hits(n *session) bool { return f.Kind != "" && f.on(n) }

// hand gives one session an event as fate will have it.
func (s *Server) hand(n *session, name string, text []byte, d fate) {
	switch {
	case d.missing.hits(n):
		s.tally(n, name, text, 0, WayMissing)
	case d.lost.hits(n):
		s.give(n, name, text, true)
	case d.reordered.hits(n):
		n.held = append(n.held, held{name, text, max(d.reordered.Next, 1)})
	case d.delayed.hits(n):
		n.late++
		s.later(time.Duration(d.delayed.DelayMS)*time.Millisecond, func() {
			n.late--
			s.give(n, name, text, false)
		})
	default:
		s.give(n, name, text, false)
		if d.twice.hits(n) {
			s.give(n, name, text, false)
		}
	}
	for _, f := range d.accidents {
		if f.on(n) && n.conn != nil {
			s.befall(n.conn, f)
		}
	}
}

// held is an event that waits for others to overtake it.
type held struct {
	name string
	text []byte
	next int // so many more
}

// give is the next event of a session. Those that it overtakes come nearer, and are given when enough have passed. A lost one has
// its number and is replayed, but does not reach the connection.
func (s *Server) give(n *session, name string, text []byte, lost bool) {
	way := WaySent
	if lost {
		way = WayLost
	}
	seq := n.emit(name, text, lost)
	s.tally(n, name, text, seq, way)
	waiting := n.held[:0:0]
	var due []held
	for _, h := range n.held {
		if h.next--; h.next > 0 {
			waiting = append(waiting, h)
		} else {
			due = append(due, h)
		}
	}
	n.held = waiting
	for _, h := range due {
		s.tally(n, h.name, h.text, n.emit(h.name, h.text, false), WaySent)
	}
}

// release gives every session what is still held back for it.
func (s *Server) release() {
	for _, n := range s.gateway.each() {
		due := n.held
		n.held = nil
		for _, h := range due {
			s.give(n, h.name, h.text, false)
		}
	}
}

// appointment is something that will be done later.
type appointment struct{ timer *time.Timer }

// later does something after a while, with the lock held. Close waits for it, or cancels it. The lock is held.
func (s *Server) later(d time.Duration, do func()) {
	if s.closed {
		return
	}
	s.busy.Add(1)
	a := &appointment{}
	s.gateway.waiting[a] = struct{}{}
	a.timer = time.AfterFunc(d, func() {
		defer s.busy.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.gateway.waiting, a)
		if !s.closed {
			do()
		}
	})
}

// cancel takes back what was to be done later. The lock is held.
func (s *Server) cancel() {
	for a := range s.gateway.waiting {
		if a.timer.Stop() {
			s.busy.Done()
		}
	}
}
