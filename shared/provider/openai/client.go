package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"tsumugi/shared/llm"
)

const (
	maxReply     = 4 << 20  // of text and thinking
	maxErrorBody = 64 << 10 // read of an error's body
	afterFinish  = 5 * time.Second
	drainTime    = 50 * time.Millisecond
)

// Options says which server a Client talks to. Only BaseURL is required.
type Options struct {
	// BaseURL is the server's address, http or https, with or without the version (/v1) and without user information. A
	// query is kept.
	BaseURL string
	// Key is sent as a bearer token, and to this host alone; may be empty for a local server.
	Key string
	// Current gives the key in place of Key, where it may change while the process runs: for "" the current one, and for one
	// that the server refused another, or the same when there is no other. It must be quick but for the latter. When it fails
	// the stream ends with its error, which is none of the model's.
	Current func(ctx context.Context, refused string) (string, error)
	// Model is asked when a request names none.
	Model string
	// HTTPClient makes the requests. Its timeout should be 0, since the watchdogs below know better; its redirect policy is
	// replaced. Nil means one of the Client's own.
	HTTPClient *http.Client
	// Through is what every request goes through, for whoever watches them; nil for nothing.
	Through func(http.RoundTripper) http.RoundTripper
	// FirstToken bounds the wait for the first text, from the moment of the request, and each later pause without text, be it
	// kept alive by comments or not. 0 means 300 s.
	FirstToken time.Duration
	// Idle bounds the wait for the next byte once text has come. Comments count as bytes. 0 means 120 s.
	Idle time.Duration
	// MaxReply bounds text and thinking together, in bytes. 0 means 4 MiB.
	MaxReply int
}

// Client is an llm.Model. It is safe for many goroutines.
type Client struct {
	options Options
	address string // of the chat call
	listing string // of the list of models
	http    *http.Client
	own     *http.Transport // nil when the HTTP client is the caller's
	learned learned
}

var _ llm.Model = (*Client)(nil)

// New refuses an address or a key that can never work. Its errors hold neither.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	for _, c := range []byte(o.Key) {
		if c <= ' ' || c >= 0x7f {
			return nil, errors.New("model key: holds a blank or a character that no key has")
		}
	}
	if o.FirstToken <= 0 {
		o.FirstToken = 300 * time.Second
	}
	if o.Idle <= 0 {
		o.Idle = 120 * time.Second
	}
	if o.MaxReply <= 0 {
		o.MaxReply = maxReply
	}
	if o.Current == nil {
		o.Current = func(context.Context, string) (string, error) { return o.Key, nil }
	}
	c := &Client{options: o, address: endpoint(base, "chat/completions"), listing: endpoint(base, "models")}
	hc := o.HTTPClient
	if hc == nil {
		c.own = newTransport()
		hc = &http.Client{Transport: c.own}
	}
	mine := *hc // what follows must not leak into the caller's client
	if o.Through != nil {
		mine.Transport = o.Through(cmp.Or[http.RoundTripper](mine.Transport, http.DefaultTransport))
	}
	mine.CheckRedirect = sameHost
	c.http = &mine
	return c, nil
}

// Close closes idle connections. Streams that run are ended by their contexts.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 15 * time.Second,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true, // a compressed stream arrives late
	}
}

// sameHost follows a redirect only where the key and the prompt may go: to the same host, not down to plain http, as the
// same request.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || next.URL.Host != first.URL.Host || next.Method != first.Method ||
		first.URL.Scheme == "https" && next.URL.Scheme != "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

// Stream asks the server.
func (c *Client) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		if r.Model == "" {
			r.Model = c.options.Model
		}
		err := c.stream(ctx, r, func(d llm.Delta) bool { return yield(d, nil) })
		if err != nil {
			yield(llm.Delta{}, err)
		}
	}
}

// stream asks once, and again for each optional parameter that the server refuses by name. It gives nil when the stream came
// to its end or the consumer left; what was yielded last tells which.
func (c *Client) stream(ctx context.Context, r llm.Request, yield func(llm.Delta) bool) error {
	left := c.learned.of(r.Model)
	for {
		key, err := c.options.Current(ctx, "")
		if err != nil {
			return &keyError{err}
		}
		body, err := encode(r, left)
		if err != nil {
			return &llm.Error{Kind: llm.Invalid, Err: err}
		}
		refused, err := c.once(ctx, body, &key, yield)
		if refused == nil {
			return withoutKey(err, key)
		}
		// Each round leaves out a parameter that was there, so there are at most as many rounds as parameters, and one for
		// the other name of max_tokens.
		left = refused(left)
		c.learned.note(r.Model, left)
	}
}

// once makes one request. Its first result is set when the same request without a parameter should be tried. key is then the
// one that was sent last.
func (c *Client) once(parent context.Context, body []byte, key *string, yield func(llm.Delta) bool) (func(without) without, error) {
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	w := newWatch(stop, c.options.FirstToken, c.options.Idle)
	resp, err := c.ask(ctx, key, func() (*http.Response, error) { return c.send(ctx, w, body, *key) })
	if err != nil {
		return nil, failed(parent, ctx, llm.Unreachable, err)
	}
	defer resp.Body.Close()
	in := w.reader(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return c.refusal(parent, resp, in, body, yield)
	}
	d := decoder{limit: c.options.MaxReply}
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "application/json":
		err = c.whole(&d, in, yield)
	case "text/html":
		return nil, &llm.Error{Kind: llm.Malformed, Status: resp.StatusCode, Err: errors.New("the address serves a web page")}
	default:
		err = d.decode(in, func(text bool) {
			if text {
				w.advance()
			}
			if d.finish != "" {
				// The reply is complete: wait for its usage and [DONE], but not as for text.
				w.text, w.silence = true, min(w.silence, afterFinish)
			}
		}, yield)
	}
	if err != nil {
		return nil, failed(parent, ctx, llm.Cut, err)
	}
	if d.done {
		drain(w, in)
	}
	return nil, nil
}

// ask sends a request with the key, and once more with another when the server refuses this one and there is another; key is
// then that one.
func (c *Client) ask(ctx context.Context, key *string, send func() (*http.Response, error)) (*http.Response, error) {
	resp, err := send()
	if err != nil || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
		return resp, err
	}
	other, err := c.options.Current(ctx, *key)
	if err == nil && other == *key {
		return resp, nil // what the server says of it is the error that counts
	}
	resp.Body.Close()
	if err != nil { // nobody knows whether there is another
		return nil, &keyError{err}
	}
	*key = other
	return send()
}

// keyError means that Current failed. It is none of the model's.
type keyError struct{ err error }

func (e *keyError) Error() string { return "key of the model: " + e.err.Error() }
func (e *keyError) Unwrap() error { return e.err }

func (c *Client) send(ctx context.Context, w *watch, body []byte, key string) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	w.during(func() { resp, err = c.http.Do(req) })
	return resp, err
}

// refusal turns a status other than 200 into what it means.
func (c *Client) refusal(parent context.Context, resp *http.Response, in io.Reader, sent []byte, yield func(llm.Delta) bool) (func(without) without, error) {
	body, _ := io.ReadAll(io.LimitReader(in, maxErrorBody)) // the status says enough when the body breaks off
	if parent.Err() != nil {
		return nil, ended(parent)
	}
	f := readFailure(body)
	if name := f.refused(resp.StatusCode, sent); name != "" {
		return func(w without) without {
			w = w.and(name)
			w.renamed = w.renamed || name == maxTokens && mentions(f.message, "max_completion_tokens")
			return w
		}, nil
	}
	if f.refusesContent() {
		yield(llm.Delta{Done: &llm.Done{Reason: llm.Filtered}})
		return nil, nil
	}
	return nil, f.refusal(resp)
}

// whole reads a reply that did not come as a stream.
func (c *Client) whole(d *decoder, in io.Reader, yield func(llm.Delta) bool) error {
	body, err := io.ReadAll(io.LimitReader(in, llm.MaxEvent+1))
	if err != nil {
		return err
	}
	if len(body) > llm.MaxEvent {
		return &llm.Error{Kind: llm.Malformed, Err: llm.ErrEventTooLarge}
	}
	return d.whole(body, yield)
}

// drain reads the little that follows [DONE], so that the connection can serve the next request.
func drain(w *watch, in io.Reader) {
	w.text, w.silence, w.left = true, drainTime, drainTime
	_, _ = io.CopyN(io.Discard, in, 4<<10) // failing here only costs the connection
}

// failed says what an error of the transport means; errors that know their kind stay as they are.
func failed(parent, ctx context.Context, kind llm.Kind, err error) error {
	var known *llm.Error
	var key *keyError
	switch {
	case parent.Err() != nil:
		return ended(parent)
	case errors.As(err, &known), errors.As(err, &key):
		return err
	case errors.Is(context.Cause(ctx), errSilent):
		return &llm.Error{Kind: llm.TimedOut}
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		kind = llm.TimedOut
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // the address may hold a secret in its query
	}
	return &llm.Error{Kind: kind, Err: err}
}

func ended(ctx context.Context) error { return fmt.Errorf("ask model: %w", ctx.Err()) }
