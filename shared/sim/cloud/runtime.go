package cloud

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxPayload bounds what a function may answer (Lambda's limit of a synchronous invocation).
const maxPayload = 6 << 20

// instance is one process of a function and the Runtime API that it polls.
type instance struct {
	f       *Function
	name    string
	process *Process
	server  *http.Server
	ready   chan struct{} // closed when process is set
	work    chan *invocation
	began   time.Time
	polled  chan struct{} // closed by the first poll
	first   sync.Once

	mu  sync.Mutex
	now *invocation // what it works on
}

type invocation struct {
	id       string
	payload  []byte
	trace    string
	begun    chan time.Time // gets the deadline when the process has taken it
	answered chan outcome
}

type outcome struct {
	body []byte
	err  error
}

func newInstance(f *Function, name string, l net.Listener) *instance {
	i := &instance{f: f, name: name, ready: make(chan struct{}), polled: make(chan struct{}), work: make(chan *invocation, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", i.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", i.response)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", i.failure)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", i.failure)
	i.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = i.server.Serve(l) }() // until close
	return i
}

func (i *instance) close() { _ = i.server.Close() } // nobody waits for what it would still say

func (i *instance) current() *invocation {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.now
}

func (i *instance) set(inv *invocation) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now = inv
}

// run gives the process one invocation and waits for what becomes of it. A process that overruns its time is killed, and so
// is one whose caller leaves: nobody could take its answer.
func (i *instance) run(ctx context.Context, payload []byte) ([]byte, error) {
	inv := &invocation{id: uuid(), payload: payload, trace: "Root=1-" + strconv.FormatInt(time.Now().Unix(), 16) + "-" + hexes(12) + ";Parent=" + hexes(8) + ";Sampled=1",
		begun: make(chan time.Time, 1), answered: make(chan outcome, 1)}
	i.set(inv)
	defer i.set(nil)
	i.work <- inv
	begun, limit := inv.begun, time.NewTimer(initLimit)
	defer limit.Stop()
	for {
		select {
		case deadline := <-begun:
			begun = nil
			limit.Reset(time.Until(deadline))
		case got := <-inv.answered:
			return got.body, got.err
		case <-i.process.ended:
			return nil, fmt.Errorf("request %s: %w", inv.id, ErrExited)
		case <-limit.C:
			i.process.Kill()
			return nil, fmt.Errorf("request %s: %w", inv.id, ErrTimedOut)
		case <-ctx.Done():
			i.process.Kill()
			return nil, ctx.Err()
		}
	}
}

// next answers a poll with the next invocation. Between two the process is frozen.
func (i *instance) next(w http.ResponseWriter, r *http.Request) {
	<-i.ready
	i.first.Do(func() { i.f.started(time.Since(i.began)); close(i.polled) })
	var inv *invocation
	select {
	case inv = <-i.work:
	default:
		i.process.freeze()
		select {
		case inv = <-i.work:
			i.process.thaw()
		case <-r.Context().Done():
			return
		}
	}
	deadline := time.Now().Add(i.f.o.Timeout)
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Lambda-Runtime-Aws-Request-Id": inv.id,
		"Lambda-Runtime-Deadline-Ms": strconv.FormatInt(deadline.UnixMilli(), 10), "Lambda-Runtime-Trace-Id": inv.trace,
		"Lambda-Runtime-Invoked-Function-Arn": i.f.ARN(),
	} {
		w.Header().Set(k, v)
	}
	inv.begun <- deadline
	_, _ = w.Write(inv.payload) // a process that has died is found by its end
}

func (i *instance) response(w http.ResponseWriter, r *http.Request) {
	i.answer(w, r, func(body []byte) outcome { return outcome{body: body} })
}

func (i *instance) failure(w http.ResponseWriter, r *http.Request) {
	i.answer(w, r, func(body []byte) outcome { return outcome{err: reported(body)} })
}

func (i *instance) answer(w http.ResponseWriter, r *http.Request, read func([]byte) outcome) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPayload))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	inv := i.current()
	if inv == nil || !strings.Contains(r.URL.Path, "/init/") && r.PathValue("id") != inv.id {
		w.WriteHeader(http.StatusForbidden) // as Lambda answers for a request that is over
		return
	}
	w.WriteHeader(http.StatusAccepted)
	select {
	case inv.answered <- read(body):
	default: // it has answered already
	}
}
