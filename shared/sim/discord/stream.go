package discord

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// watched is the data of one server-sent event.
type watched struct {
	Channel string          `json:"channel"`
	Message *controlMessage `json:"message,omitempty"`
	ID      string          `json:"id,omitempty"`
	User    string          `json:"user,omitempty"`
	State   string          `json:"state,omitempty"`
	*Modal
	EphemeralTo string `json:"ephemeral_to,omitempty"`
}

// watcher is one reader of the event stream. A reader that falls behind is cut off and starts again from the history.
type watcher struct {
	lines chan []byte
	late  chan struct{}
}

// watch tells every reader. The lock is held.
func (s *Server) watch(name string, data watched) {
	if len(s.watchers) == 0 {
		return
	}
	text, err := json.Marshal(data)
	if err != nil {
		s.opt.Log.Error("encode stream", "name", name, "err", err)
		return
	}
	line := fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, text)
	for w := range s.watchers {
		select {
		case w.lines <- line:
		default:
			delete(s.watchers, w)
			close(w.late)
		}
	}
}

// serveEvents is GET /sim/events.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	me := &watcher{lines: make(chan []byte, 256), late: make(chan struct{})}
	s.mu.Lock()
	s.watchers[me] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.watchers, me)
		s.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	flush := http.NewResponseController(w)
	fmt.Fprint(w, "retry: 500\n\n")
	alive := time.NewTicker(20 * time.Second)
	defer alive.Stop()
	for flush.Flush() == nil {
		line := []byte(": alive\n\n")
		select {
		case line = <-me.lines:
		case <-alive.C:
		case <-me.late:
			return
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		}
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}
