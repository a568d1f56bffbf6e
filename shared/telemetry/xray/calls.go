package xray

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-xray-sdk-go/instrumentation/awsv2"
	"github.com/aws/aws-xray-sdk-go/strategy/exception"
	"github.com/aws/aws-xray-sdk-go/xray"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"tsumugi/shared/chat"
)

// Instrument sets the SDK up for Lambda, and makes the clients of the configuration trace their calls.
func (Tracer) Instrument(c *aws.Config) error {
	if err := Open(""); err != nil {
		return err
	}
	c.APIOptions = append(c.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("TsumugiTraced", func(ctx context.Context, in middleware.InitializeInput,
			next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			if !traced(ctx) {
				ctx = muted(ctx)
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
	awsv2.AWSV2Instrumentor(&c.APIOptions)
	return nil
}

// muted hides the trace from the SDK.
func muted(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, xray.ContextKey, (*xray.Segment)(nil))
	return context.WithValue(ctx, xray.LambdaTraceHeaderKey, nil) //nolint:staticcheck // the key is the SDK's
}

// Transport makes a transport trace its requests: method, host, the known words of the path, and the status. The SDK's own
// would note the whole address, and send the trace header to whoever is asked.
func (Tracer) Transport(base http.RoundTripper) http.RoundTripper { return transport{base} }

type transport struct{ base http.RoundTripper }

// RoundTrip makes one request. Its subsegment ends with the head of the answer.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !traced(r.Context()) {
		return t.base.RoundTrip(r)
	}
	_, s, ok := begin(r.Context(), r.URL.Host)
	if !ok {
		return t.base.RoundTrip(r)
	}
	defer s.Close(nil)
	s.Lock()
	s.Namespace = "remote"
	*s.GetHTTP() = xray.HTTPData{Request: &xray.RequestData{Method: r.Method, URL: shape(r.URL)}}
	s.Unlock()
	resp, err := t.base.RoundTrip(r)
	s.Lock()
	defer s.Unlock()
	if err != nil {
		s.Fault = !errors.Is(err, context.Canceled)
		return resp, err
	}
	s.HTTP.Response = &xray.ResponseData{Status: resp.StatusCode}
	s.Error, s.Throttle, s.Fault = resp.StatusCode/100 == 4, resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode >= 500
	return resp, err
}

// routes are the words of paths that name no one and no thing.
var routes = []string{"api", "v1", "v10", "channels", "messages", "typing", "webhooks", "interactions", "callback", "applications", "commands", "gateway",
	"bot", "users", "guilds", "members", "threads", "reactions", "@me", "@original", "chat", "completions", "models"}

// shape is an address without what tells it from others of its kind: ids, tokens, and every word that is not known.
func shape(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	for i, p := range parts {
		if !slices.Contains(routes, p) {
			parts[i] = "-"
		}
	}
	return u.Scheme + "://" + u.Host + "/" + strings.Join(parts, "/")
}

// wordless is what the SDK makes of an error: its word, or the code of AWS. The text of an error may repeat what was sent.
type wordless struct{}

var _ exception.FormattingStrategy = wordless{}

func (wordless) Error(string) *exception.XRayError { return &exception.XRayError{Type: "error"} }
func (wordless) Errorf(string, ...any) *exception.XRayError {
	return &exception.XRayError{Type: "error"}
}
func (wordless) Panic(string) *exception.XRayError { return &exception.XRayError{Type: chat.Panicked} }
func (wordless) Panicf(string, ...any) *exception.XRayError {
	return &exception.XRayError{Type: chat.Panicked}
}

// ExceptionFromError makes an entry of it.
func (wordless) ExceptionFromError(err error) exception.Exception {
	word := chat.Word(err)
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		word = api.ErrorCode()
	}
	return exception.Exception{ID: xray.NewSegmentID(), Type: word}
}
