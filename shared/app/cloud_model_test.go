package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/llm"
	"tsumugi/shared/llm/llmtest"
	"tsumugi/shared/persona"
	simmodel "tsumugi/shared/sim/model"
	"tsumugi/shared/store"
)

// stagehand is the model of all scenes of a sky, a server of its own. A persona's card says in a line which scene it belongs to;
// the head of the channel that somebody speaks in says which turn it is.
type stagehand struct {
	url string

	mu     sync.Mutex
	scenes []*scene
}

func newStagehand(t testing.TB) *stagehand {
	h := &stagehand{}
	h.url = serve(t, h)
	return h
}

var sign = regexp.MustCompile(`\[\[scene (\d+)\]\]`)

// enter takes a scene, whose personas dress as told.
func (h *stagehand) enter(s *scene) func(persona.Persona) persona.Persona {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.scenes = append(h.scenes, s)
	n := len(h.scenes) - 1
	return func(p persona.Persona) persona.Persona {
		p.Description = strings.TrimSpace(p.Description + fmt.Sprintf("\n[[scene %d]]", n))
		return p
	}
}

// find gives the scene that a request comes from.
func (h *stagehand) find(body []byte) *scene {
	m := sign.FindSubmatch(body)
	if m == nil {
		return nil
	}
	var n int
	if _, err := fmt.Sscan(string(m[1]), &n); err != nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.scenes[n]
}

// speaking finds the turn that a request is for. Where two channels speak at once the words that are answered tell.
func (w *scene) speaking(ctx context.Context, body []byte) (turnKey, bool) {
	var all []turnKey
	for _, c := range []string{w.lounge, w.hall} {
		head, err := w.store.Get(ctx, kv.Key{Space: store.SpaceChannels, Partition: c, Sort: "head"})
		if err == nil && head.String("phase") == string(chat.Speaking) {
			all = append(all, turnKey{chat.EventID(head.String("event")), int(head.Int("turn")), ""})
		}
	}
	for _, key := range all {
		m, err := w.words(w.number(key.event))
		text, _ := json.Marshal(m.Content)
		if len(all) == 1 || err == nil && bytes.Contains(body, text[1:len(text)-1]) {
			return key, true
		}
	}
	return turnKey{}, false
}

// ServeHTTP answers an ask by the scene's script.
func (h *stagehand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s := h.find(body)
	if err != nil || s == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	key, ok := s.speaking(r.Context(), body)
	if r.Context().Err() != nil {
		return // who asked has died
	}
	if !ok {
		s.fault("the model was asked while nobody speaks")
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var in struct{ Messages []simmodel.Message }
	if err := json.Unmarshal(body, &in); err != nil {
		s.fault("the model was asked something that is not JSON: %v", err)
	}
	var said []llm.Message
	for _, m := range in.Messages {
		said = append(said, llm.Message{Role: llm.Role(m.Role), Name: m.Name, Text: m.Content})
	}
	key.call = callOf(llm.Request{Messages: said})
	steps, err := s.model.find(key, said)
	if err != nil {
		s.fault("%v", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	simmodel.New(simmodel.Options{Script: []simmodel.Rule{{Reply: wired(steps)}}}).ServeHTTP(w, r)
	if r.Context().Err() == nil {
		s.model.ended(key)
	}
}

// failures are the statuses that say the kinds of failure.
var failures = map[llm.Kind]int{llm.Overloaded: 503, llm.RateLimited: 429, llm.Unauthorized: 401, llm.Invalid: 400, llm.NotFound: 404,
	llm.Unreachable: 502} // the connection was made; that it is refused is tried by the client's own tests

// wired is a script as a server says it.
func wired(steps []llmtest.Step) simmodel.Reply {
	r := simmodel.Reply{End: simmodel.Clean}
	for i, st := range steps {
		switch e, failed := st.Err.(*llm.Error); {
		case failed && i == 0:
			return simmodel.Reply{Status: failures[e.Kind], Body: `{"error":{"message":"no","type":"error"}}`}
		case failed:
			r.Steps = append(r.Steps, simmodel.Step{Wait: st.Pause, Raw: "data: {\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}\n\n"})
		case st.Done != nil:
			r.End = simmodel.Done
			r.Finish = map[llm.Reason]string{llm.Stopped: "stop", llm.Length: "length", llm.Filtered: "content_filter"}[st.Done.Reason]
		default:
			r.Steps = append(r.Steps, simmodel.Step{Wait: st.Pause, Text: st.Text})
		}
	}
	return r
}

// hurry takes the pauses out of what is asked for from now on.
func (a *author) hurry() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.writing {
		for i, ask := range s.asks {
			s.asks[i] = slices.Clone(ask) // the one before is being said
			for j := range ask {
				s.asks[i][j].Pause = 0
			}
		}
	}
}
