package model

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/llm"
)

// maxRequest bounds what a request may send, in bytes.
const maxRequest = 16 << 20

// Options says what a Server serves.
type Options struct {
	// Script is asked in order; the first rule that fits answers.
	Script []Rule
	// Otherwise answers what no rule fits. Nil refuses it with status 400 and code no_rule_fits.
	Otherwise llm.Model
	// Models is what GET …/models lists. Nil means one model, scripted.
	Models []string
}

// Request is a request that came.
type Request struct {
	Header   http.Header
	Body     json.RawMessage
	Model    string
	Messages []Message
}

// Message is one message of a Request.
type Message struct {
	Role    string `json:"role"`
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Server is the scripted model server, an http.Handler.
type Server struct {
	otherwise llm.Model
	models    []string
	mux       *http.ServeMux

	mu       sync.Mutex
	script   []Rule
	requests []Request
	live     int
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{otherwise: o.Otherwise, models: o.Models, script: slices.Clone(o.Script), mux: http.NewServeMux()}
	if s.models == nil {
		s.models = []string{"scripted"}
	}
	s.mux.HandleFunc("POST /sim/script", s.replace)
	s.mux.HandleFunc("GET /sim/requests", s.list)
	s.mux.HandleFunc("/", s.wire)
	return s
}

// ServeHTTP answers the wire under any prefix, and the control calls under /sim/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Server) wire(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.complete(w, r)
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		type model struct {
			ID     string `json:"id"`
			Object string `json:"object"`
		}
		list := []model{}
		for _, id := range s.models {
			list = append(list, model{id, "model"})
		}
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	default:
		refuse(w, http.StatusNotFound, "not_found")
	}
}

// Requests gives the chat requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Live is the number of chat requests that are being answered.
func (s *Server) Live() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// Script replaces the script.
func (s *Server) Script(rules ...Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = slices.Clone(rules)
}

func (s *Server) replace(w http.ResponseWriter, r *http.Request) {
	// A web page elsewhere can post anything but this type without asking first.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "json_wanted")
		return
	}
	var rules []Rule
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&rules); err != nil {
		refuse(w, http.StatusBadRequest, "invalid_script")
		return
	}
	s.Script(rules...)
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	bodies := []json.RawMessage{}
	for _, q := range s.Requests() {
		bodies = append(bodies, q.Body)
	}
	writeJSON(w, http.StatusOK, bodies)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	q := Request{Header: r.Header.Clone(), Body: body}
	var in struct {
		Model    string    `json:"model"`
		Messages []Message `json:"messages"`
	}
	if err != nil || json.Unmarshal(body, &in) != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error")
		return
	}
	q.Model, q.Messages = in.Model, in.Messages
	reply, found := s.begin(q)
	defer s.end()
	switch {
	case found:
		play(r.Context(), w, reply)
	case s.otherwise != nil:
		relay(r.Context(), w, s.otherwise, q)
	default:
		refuse(w, http.StatusBadRequest, "no_rule_fits")
	}
}

func (s *Server) begin(q Request) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live++
	s.requests = append(s.requests, q)
	for i, rule := range s.script {
		if !rule.fits(q) {
			continue
		}
		if rule.Once {
			s.script = slices.Delete(s.script, i, i+1)
		}
		return rule.Reply, true
	}
	return Reply{}, false
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live--
}

// play writes one reply.
func play(ctx context.Context, w http.ResponseWriter, r Reply) {
	if r.Late {
		<-ctx.Done()
		return
	}
	for k, v := range r.Header {
		w.Header().Set(k, v)
	}
	if r.RetryDate != 0 {
		w.Header().Set("Retry-After", time.Now().Add(r.RetryDate).UTC().Format(http.TimeFormat))
	}
	if r.Body != "" || r.Status != 0 && r.Status != http.StatusOK {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(max(r.Status, http.StatusOK))
		_, _ = io.WriteString(w, r.Body) // the client has left if this fails
		return
	}
	out := newStream(w, r)
	for _, step := range r.Steps {
		for n := 0; step.Times < 0 || n < max(step.Times, 1); n++ {
			if wait(ctx, step.Wait) != nil || out.write(step.bytes()) != nil {
				return
			}
		}
	}
	switch r.End {
	case Done:
		_ = out.write(r.ending()) // as above
	case Lost:
		if conn, _, err := out.flush.Hijack(); err == nil { // what was written is flushed; the rest of the body never comes
			_ = conn.Close()
		}
	case Open:
		<-ctx.Done()
	}
}

// relay answers with what another model says.
func relay(ctx context.Context, w http.ResponseWriter, m llm.Model, q Request) {
	r := llm.Request{Model: q.Model}
	for _, msg := range q.Messages {
		r.Messages = append(r.Messages, llm.Message{Role: llm.Role(msg.Role), Name: msg.Name, Text: msg.Content})
	}
	out := newStream(w, Reply{})
	for d, err := range m.Stream(ctx, r) {
		var bytes string
		switch {
		case err != nil:
			bytes = event(`{"error":{"message":"the model failed","type":"server_error"}}`)
		case d.Done != nil:
			finish := map[llm.Reason]string{llm.Length: "length", llm.Filtered: "content_filter"}[d.Done.Reason]
			bytes = Reply{Finish: finish, Usage: &Usage{d.Done.Usage.Prompt, d.Done.Usage.Completion, d.Done.Usage.Cached}}.ending()
		default:
			bytes = Step{Text: d.Text, Thinking: d.Thinking}.bytes()
		}
		if out.write(bytes) != nil {
			return
		}
	}
}

// stream writes events and flushes each.
type stream struct {
	w        io.Writer
	flush    *http.ResponseController
	lineEnd  string
	eachByte bool
}

func newStream(w http.ResponseWriter, r Reply) stream {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := stream{w: w, flush: http.NewResponseController(w), lineEnd: r.LineEnd, eachByte: r.EachByte}
	_ = out.flush.Flush() // a client that has left shows at the first write
	return out
}

func (o stream) write(s string) error {
	if o.lineEnd != "" {
		s = strings.ReplaceAll(s, "\n", o.lineEnd)
	}
	step := len(s)
	if o.eachByte {
		step = 1
	}
	for i := 0; i < len(s); i += step {
		if _, err := io.WriteString(o.w, s[i:i+step]); err != nil {
			return err
		}
		if err := o.flush.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": "refused by the scripted model", "type": "invalid_request_error", "code": code}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has left if this fails
}
