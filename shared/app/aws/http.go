package aws

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
)

// ownBody gives each request a body that nobody else closes. smithy-go closes the body of a request as soon as the answer begins,
// while net/http may still be finishing with it and then gives up the connection, and the answer with it (measured with servers
// that answer at once: up to one in a hundred answers of more than one read). A ReceiveMessage or a Query that was lost so would
// only be repeated, but it costs time, and a plain write would have to find out what became of it.
type ownBody struct{ to aws.HTTPClient }

// Do sends the request.
func (o ownBody) Do(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return o.to.Do(r)
	}
	text, err := io.ReadAll(r.Body) // ours, from memory
	if err != nil {
		return nil, err
	}
	if err := r.Body.Close(); err != nil {
		return nil, err
	}
	own := r.Clone(r.Context())
	own.Body = io.NopCloser(bytes.NewReader(text))
	return o.to.Do(own)
}

// HTTPHandler is what Lambda calls with a request of an HTTP API.
type HTTPHandler func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// overHTTP lets a handler answer what an HTTP API hands to a function. The body is given as it came over the wire, for a
// signature covers its bytes.
func overHTTP(h http.Handler) HTTPHandler {
	return func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		body := []byte(e.Body)
		if e.IsBase64Encoded {
			var err error
			if body, err = base64.StdEncoding.DecodeString(e.Body); err != nil {
				return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusBadRequest, Body: "the body is not base64"}, nil
			}
		}
		r := &http.Request{
			Method: e.RequestContext.HTTP.Method, URL: &url.URL{Path: e.RawPath, RawQuery: e.RawQueryString}, Host: e.RequestContext.DomainName,
			Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
		}
		for name, value := range e.Headers { // their names come in lower case, and Set does not mind
			r.Header.Set(name, value)
		}
		w := &written{header: http.Header{}}
		h.ServeHTTP(w, r.WithContext(ctx))
		out := events.APIGatewayV2HTTPResponse{StatusCode: w.status, Headers: map[string]string{}, Body: w.body.String()}
		if !utf8.Valid(w.body.Bytes()) { // a picture
			out.Body, out.IsBase64Encoded = base64.StdEncoding.EncodeToString(w.body.Bytes()), true
		}
		for name := range w.header {
			out.Headers[name] = w.header.Get(name)
		}
		return out, nil
	}
}

// written keeps what a handler answers: a few words, or the picture of a persona.
type written struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header gives the headers to be set.
func (w *written) Header() http.Header { return w.header }

// WriteHeader keeps the first status, as net/http does.
func (w *written) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write keeps the body.
func (w *written) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}
