package cloud

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"sync"
	"time"
)

// maxCall bounds a request and an answer of a service.
const maxCall = 32 << 20

// Proxy stands between the functions and the stores. It reads a whole request before it does anything: an SDK that is
// answered while it still sends loses answers.
type Proxy struct {
	upstream map[string]*url.URL
	client   *http.Client
	lines    io.Writer
	messages *tracker

	mu      sync.Mutex
	records []Record
	faults  []*Fault
	changed map[string]chan struct{}
	writing error
}

// NewProxy forwards calls to the servers of the services; the one of "" takes those of all others. Each record is written to
// lines as a line of JSON, unless that is nil.
func NewProxy(upstream map[string]*url.URL, lines io.Writer) *Proxy {
	t := &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}
	return &Proxy{upstream: upstream, client: &http.Client{Transport: t}, lines: lines, messages: newTracker(), changed: map[string]chan struct{}{}}
}

// Records are the calls so far.
func (p *Proxy) Records() []Record {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.records)
}

// Err is what went wrong with the lines.
func (p *Proxy) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writing
}

// Fault lets a fault happen until it is used up or the returned function is called.
func (p *Proxy) Fault(f Fault) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	armed := &f
	if f.Count == 0 {
		armed.Count = -1
	}
	p.faults = append(p.faults, armed)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.faults = slices.DeleteFunc(p.faults, func(other *Fault) bool { return other == armed })
	}
}

// Changed says when a call has touched a queue, by its name.
func (p *Proxy) Changed(queue string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed[queue] == nil {
		p.changed[queue] = make(chan struct{}, 1)
	}
	return p.changed[queue]
}

// ServeHTTP carries one call.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCall))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	var rec Record
	rec.who(r.Header.Get("Authorization"))
	rec.describe(r.Header.Get("X-Amz-Target"), r.Method, r.URL.Path, body)
	f := p.strike(rec, body)
	rec.Fault = string(f.Kind)
	switch f.Kind {
	case "", Slow:
		pause(r, f.Delay)
		p.carry(w, r, rec, body)
	case Throttled, Denied:
		rec.Status = refuse(w, f.Kind, rec.Service)
		p.keep(rec)
	case Swallowed:
		rec.Status = http.StatusOK
		write(w, http.StatusOK, taken(body))
		p.keep(rec)
	case ReplyLost:
		p.carry(httptest.NewRecorder(), r, rec, body)
	case Unheard:
		p.keep(rec)
	}
	if f.Hit != nil {
		f.Hit()
	}
	if f.Kind == ReplyLost || f.Kind == Unheard {
		panic(http.ErrAbortHandler)
	}
}

// carry forwards a call and its answer.
func (p *Proxy) carry(w http.ResponseWriter, r *http.Request, rec Record, body []byte) {
	to := p.upstream[rec.Service]
	if to == nil {
		to = p.upstream[""]
	}
	on := r.Clone(r.Context())
	on.RequestURI, on.Body, on.ContentLength = "", io.NopCloser(bytes.NewReader(body)), int64(len(body))
	on.URL.Scheme, on.URL.Host = to.Scheme, to.Host
	answer, err := p.client.Do(on) //nolint:gosec // to the emulators that it was made for
	var text []byte
	if err == nil {
		defer answer.Body.Close()
		text, err = io.ReadAll(io.LimitReader(answer.Body, maxCall))
	}
	if err != nil {
		p.keep(rec)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	rec.answered(answer.StatusCode, text)
	if rec.Service == "sqs" && answer.StatusCode == http.StatusOK {
		p.messages.note(rec.Operation, body, text)
	}
	p.keep(rec)
	header := w.Header()
	for k, v := range answer.Header {
		header[k] = v
	}
	header.Del("Connection")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(text) // who asked may have left
}

// strike is the fault that happens to a call; the zero Fault does nothing.
func (p *Proxy) strike(r Record, body []byte) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		if f.Count == 0 || !f.fits(r, body) {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		f.Count--
		return *f
	}
	return Fault{}
}

// keep writes a call down and tells who polls its queue.
func (p *Proxy) keep(r Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range r.split() {
		p.records = append(p.records, one)
		if p.lines == nil {
			continue
		}
		line, err := json.Marshal(one)
		if err == nil {
			_, err = p.lines.Write(append(line, '\n'))
		}
		if err != nil {
			p.writing = err
		}
	}
	if r.Service != "sqs" || r.Operation == "ReceiveMessage" {
		return
	}
	for _, name := range r.Resources {
		if c := p.changed[path.Base(name)]; c != nil {
			select {
			case c <- struct{}{}:
			default:
			}
		}
	}
}

func pause(r *http.Request, d time.Duration) {
	if d == 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}

var _ http.Handler = (*Proxy)(nil)
