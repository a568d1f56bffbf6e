package discord

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
)

// Direct returns a RoundTripper that calls the server in the caller's own goroutine: no socket, no goroutine, whatever the host.
// It is for benches and for testing/synctest. REST and the control API work through it; the gateway and the event stream need a
// listener. An accident that closes the connection is io.ErrUnexpectedEOF.
func (s *Server) Direct() http.RoundTripper { return direct{s} }

type direct struct{ server *Server }

// RoundTrip answers a request.
func (d direct) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	out := &recorded{header: http.Header{}, status: http.StatusOK}
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			answer, err = nil, io.ErrUnexpectedEOF
			if gone := r.Context().Err(); gone != nil {
				err = gone
			}
		default: // as net/http does: the connection dies, the process lives, and the log says where
			d.server.opt.Log.Error("simulator panicked", "cause", cause, "stack", string(debug.Stack()))
			answer, err = nil, fmt.Errorf("%s %s: simulator panicked: %v", r.Method, redacted(r.URL.Path), cause)
		}
	}()
	d.server.ServeHTTP(out, in)
	return &http.Response{
		Status: strconv.Itoa(out.status) + " " + http.StatusText(out.status), StatusCode: out.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: out.header, Request: r,
		Body: io.NopCloser(&out.body), ContentLength: int64(out.body.Len()),
	}, nil
}

// recorded is an answer being written.
type recorded struct {
	header http.Header
	body   bytes.Buffer
	status int
}

// Header is the answer's header.
func (w *recorded) Header() http.Header { return w.header }

// Write adds to the body.
func (w *recorded) Write(p []byte) (int, error) { return w.body.Write(p) }

// WriteHeader sets the status.
func (w *recorded) WriteHeader(status int) { w.status = status }
