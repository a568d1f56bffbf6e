package discord

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// controlMessage is a message with what only the control side shows.
type controlMessage struct {
	Message
	Edits   []Edit   `json:"edits"`
	Pinged  []string `json:"pinged"`
	Deleted bool     `json:"deleted,omitempty"`
	// Reactors holds who made which reaction.
	Reactors []reactors `json:"reactors,omitempty"`
	// EphemeralTo is the only user who sees the message.
	EphemeralTo string `json:"ephemeral_to,omitempty"`
}

// control dresses a stored message. The lock is held.
func (s *Server) control(m *Message) *controlMessage {
	v := dress(s.shown(s.byID[m.ChannelID], m))
	return &v
}

func dress(m Message) controlMessage {
	return controlMessage{
		Message: m, Edits: list(m.Edits), Pinged: list(m.Pinged), Deleted: m.Deleted, Reactors: m.reactors(), EphemeralTo: m.EphemeralTo,
	}
}

// loopback says whether a Host header names this machine. Any other name was rebound by somebody's DNS.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// foreign says why a changing request must not be obeyed: another site's page could send it.
func foreign(r *http.Request) string {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, r.Host) {
			return "another site may not control this"
		}
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Method != http.MethodDelete && (err != nil || kind != "application/json") {
		return "the Content-Type must be application/json"
	}
	return ""
}

// refuse answers an error of the control side.
func refuse(w http.ResponseWriter, status int, why string) {
	show(w, status, map[string]string{"error": why})
}

// show answers JSON.
func show(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "encode answer", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n'))
}

// settle answers what came of a change.
func settle(w http.ResponseWriter, body any, err error) {
	switch {
	case errors.Is(err, ErrUnknown):
		refuse(w, http.StatusNotFound, err.Error())
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	case body == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		show(w, http.StatusOK, body)
	}
}

// serveControl answers /sim/…; the package comment lists what there is.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		if why := foreign(r); why != "" {
			refuse(w, http.StatusForbidden, why)
			return
		}
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/sim/"), "/")
	where := r.Method + " " + parts[0]
	if s.controlGuild(w, r, parts) {
		return
	}
	switch {
	case len(parts) == 1:
		s.controlPlain(w, r, where)
	case len(parts) == 3 && parts[0] == "channels" && parts[2] == "messages":
		s.controlMessages(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "channels" && parts[2] == "webhooks":
		s.controlHooks(w, r, parts[1])
	case len(parts) == 5 && parts[0] == "channels" && parts[2] == "messages" && parts[4] == "reactions":
		s.controlReactions(w, r, parts[1], parts[3])
	case len(parts) == 4 && parts[0] == "channels" && parts[2] == "messages":
		s.controlMessage(w, r, parts[1], parts[3])
	default:
		refuse(w, http.StatusNotFound, "no such control")
	}
}

// controlPlain answers the paths of one word.
func (s *Server) controlPlain(w http.ResponseWriter, r *http.Request, where string) {
	switch where {
	case "GET state":
		show(w, http.StatusOK, s.State())
	case "GET calls":
		show(w, http.StatusOK, list(s.Calls()))
	case "GET limits":
		show(w, http.StatusOK, s.Limits())
	case "GET dispatches":
		show(w, http.StatusOK, list(s.Dispatches()))
	case "GET events":
		s.serveEvents(w, r)
	case "GET explain":
		s.serveExplain(w, r.URL.Query().Get("message"))
	case "GET faults":
		show(w, http.StatusOK, s.Armed())
	case "DELETE faults":
		s.ClearFaults()
		w.WriteHeader(http.StatusNoContent)
	case "POST faults":
		var f Fault
		if understand(w, r, &f) {
			settle(w, nil, s.Fault(f))
		}
	case "POST dms":
		var body struct{ User string }
		if understand(w, r, &body) {
			id, err := s.OpenDM(body.User)
			settle(w, DM{id, body.User}, err)
		}
	case "POST typing":
		var body struct{ Channel, User string }
		if understand(w, r, &body) {
			settle(w, nil, s.Type(body.Channel, body.User))
		}
	default:
		if !s.controlInteractions(w, r, where) {
			refuse(w, http.StatusNotFound, "no such control")
		}
	}
}

// controlMessages answers for a channel's messages.
func (s *Server) controlMessages(w http.ResponseWriter, r *http.Request, ref string) {
	switch r.Method {
	case http.MethodGet:
		s.mu.Lock()
		_, err := s.channel(ref)
		s.mu.Unlock()
		views := []controlMessage{}
		for _, m := range s.seen(ref, r.URL.Query().Get("as"), r.URL.Query().Get("deleted") == "1") {
			views = append(views, dress(m))
		}
		settle(w, views, err)
	case http.MethodPost:
		var say Saying
		if understand(w, r, &say) {
			m, err := s.Post(ref, say)
			settle(w, dress(m), err)
		}
	default:
		refuse(w, http.StatusMethodNotAllowed, "GET and POST only")
	}
}

// controlMessage answers for one message.
func (s *Server) controlMessage(w http.ResponseWriter, r *http.Request, ref, id string) {
	switch r.Method {
	case http.MethodPatch:
		var body struct{ Content string }
		if understand(w, r, &body) {
			m, err := s.Edit(ref, id, body.Content)
			settle(w, dress(m), err)
		}
	case http.MethodDelete:
		settle(w, nil, s.Delete(ref, id))
	default:
		refuse(w, http.StatusMethodNotAllowed, "PATCH and DELETE only")
	}
}

// understand reads a JSON body strictly, so that a misspelt field is an error and not a surprise.
func understand(w http.ResponseWriter, r *http.Request, into any) bool {
	return understandUpTo(1<<20, w, r, into)
}

// understandUpTo is understand for a body of so many bytes at most.
func understandUpTo(most int64, w http.ResponseWriter, r *http.Request, into any) bool {
	dec := json.NewDecoder(io.LimitReader(r.Body, most))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "read body: "+err.Error())
		return false
	}
	return true
}
