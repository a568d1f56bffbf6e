package cloud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/sim/cloud"
)

// serve is the test's bootstrap: it takes whatever event comes, as aws-lambda-go reads it.
func serve(ctx context.Context, payload json.RawMessage) (any, error) {
	var kind struct {
		Records        json.RawMessage
		RequestContext json.RawMessage
		ResponseURL    string
	}
	var a ask
	if err := errors.Join(json.Unmarshal(payload, &kind), json.Unmarshal(payload, &a)); err != nil {
		return nil, err
	}
	switch {
	case kind.Records != nil:
		return batch(payload)
	case kind.RequestContext != nil:
		return request(payload)
	case kind.ResponseURL != "":
		return nil, resource(ctx, payload)
	}
	return handle(ctx, a)
}

// batch does as the bodies say.
func batch(payload []byte) (any, error) {
	var e events.SQSEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, err
	}
	var out events.SQSEventResponse
	for _, r := range e.Records {
		fmt.Println("record", r.Body, r.Attributes["MessageGroupId"], r.Attributes["AWSTraceHeader"], r.EventSourceARN, *r.MessageAttributes["hops"].StringValue)
		switch r.Body {
		case "bad":
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		case "nonsense":
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: "nobody"})
		case "fatal":
			return nil, errors.New("fatal")
		}
	}
	return out, nil
}

func request(payload []byte) (any, error) {
	var r events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &r); err != nil {
		return nil, err
	}
	return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusTeapot, Headers: map[string]string{"X-Kind": "tea"}, Cookies: []string{"a=b"},
		Body: fmt.Sprint(r.RequestContext.HTTP.Method, " ", r.RawPath, " ", r.RawQueryString, " ", r.Headers["x-said"], " ", r.IsBase64Encoded, " ", r.Body)}, nil
}

func resource(ctx context.Context, payload []byte) error {
	var e cfn.Event
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	if e.ResourceProperties["Mute"] != nil {
		return nil
	}
	body := fmt.Sprintf(`{"Status":"SUCCESS","PhysicalResourceId":"one","Data":{"Was":%q,"Did":%q}}`, e.PhysicalResourceID, e.RequestType)
	q, err := http.NewRequestWithContext(ctx, http.MethodPut, e.ResponseURL, strings.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// shelf is a queue with one batch on it.
type shelf struct {
	mu      sync.Mutex
	bodies  []string
	deleted []string
	asked   chan struct{} // a second receive
	once    sync.Once
	given   bool
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	_, _ = body.ReadFrom(r.Body) // what is missing is not JSON, and fails the test
	s.mu.Lock()
	defer s.mu.Unlock()
	switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
	case "ReceiveMessage":
		if s.given {
			s.once.Do(func() { close(s.asked) })
			fmt.Fprint(w, "{}")
			return
		}
		s.given = true
		var out struct{ Messages []map[string]any }
		for i, text := range s.bodies {
			out.Messages = append(out.Messages, map[string]any{"MessageId": fmt.Sprint("m", i), "ReceiptHandle": fmt.Sprint("h", i), "Body": text,
				"Attributes":        map[string]string{"MessageGroupId": "group", "MessageDeduplicationId": fmt.Sprint("d", i), "AWSTraceHeader": "Root=1-2-3"},
				"MessageAttributes": map[string]any{"hops": map[string]string{"DataType": "String", "StringValue": "7"}}})
		}
		_ = json.NewEncoder(w).Encode(out) // as above
	case "DeleteMessageBatch":
		var in struct {
			Entries []struct{ ReceiptHandle string }
		}
		_ = json.Unmarshal(body.Bytes(), &in) // as above
		for _, e := range in.Entries {
			s.deleted = append(s.deleted, e.ReceiptHandle)
		}
		fmt.Fprint(w, "{}")
	}
}

func TestMappingDeletesWhatIsDone(t *testing.T) {
	for name, c := range map[string]struct {
		bodies  []string
		partial bool
		want    string
	}{
		"everything is done":               {[]string{"good", "good"}, true, "h0 h1"},
		"what failed stays":                {[]string{"good", "bad", "good"}, true, "h0 h2"},
		"an error keeps the whole batch":   {[]string{"good", "fatal"}, true, ""},
		"nonsense keeps the whole batch":   {[]string{"good", "nonsense"}, true, ""},
		"without reports all is done":      {[]string{"good", "bad"}, false, "h0 h1"},
		"all failed, and nothing is asked": {[]string{"bad"}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{bodies: c.bodies, asked: make(chan struct{})}
			server := httptest.NewServer(s)
			defer server.Close()
			f := function(t, nil)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				cloud.Mapping{Function: f, Endpoint: server.URL, Role: "generation", Queue: "http://sqs.invalid/123456789012/house-replies.fifo", Batch: 10,
					Concurrency: 1, Partial: c.partial}.Run(ctx)
			}()
			<-s.asked // with one invocation at a time, the first batch is done with
			stop()
			<-ended
			if got := strings.Join(s.deleted, " "); got != c.want {
				t.Errorf("deleted %q, want %q", got, c.want)
			}
			if f.Log().Count("record "+c.bodies[0]+" group Root=1-2-3 arn:aws:sqs:eu-west-1:123456789012:house-replies.fifo 7") == 0 {
				t.Errorf("the function was given %s", f.Log())
			}
		})
	}
}

func TestHTTPAPI(t *testing.T) {
	f := function(t, nil)
	for name, c := range map[string]struct {
		base64 bool
		body   string
		want   string
	}{
		"text":            {false, "hello", "POST /tea a=1 yes false hello"},
		"text in base64":  {true, "hello", "POST /tea a=1 yes true aGVsbG8="},
		"what is no text": {false, "\xff\x00", "POST /tea a=1 yes true /wA="},
	} {
		t.Run(name, func(t *testing.T) {
			q := httptest.NewRequest(http.MethodPost, "/tea?a=1", strings.NewReader(c.body))
			q.Header.Set("X-Said", "yes")
			w := httptest.NewRecorder()
			cloud.HTTPAPI{Function: f, Base64: c.base64}.ServeHTTP(w, q)
			if w.Code != http.StatusTeapot || w.Body.String() != c.want || w.Header().Get("X-Kind") != "tea" || w.Header().Get("Set-Cookie") != "a=b" {
				t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
			}
		})
	}
	f.Close()
	w := httptest.NewRecorder()
	cloud.HTTPAPI{Function: f}.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("a function that fails: %d", w.Code)
	}
}

func TestCustomResource(t *testing.T) {
	f := function(t, nil)
	got, err := cloud.Resource(t.Context(), f, "Update", "one", map[string]any{"A": "b"})
	if err != nil || got.Status != "SUCCESS" || got.PhysicalResourceID != "one" || got.Data["Was"] != "one" || got.Data["Did"] != "Update" {
		t.Errorf("%+v: %v", got, err)
	}
	if got, err := cloud.Resource(t.Context(), f, "Create", "", map[string]any{"Mute": true}); err == nil {
		t.Errorf("a resource that nobody answers for: %+v", got)
	}
}

func TestSchedule(t *testing.T) {
	f := function(t, nil)
	if err := cloud.Fire(t.Context(), f, "minute"); err != nil {
		t.Error(err)
	}
	f.Close()
	if err := cloud.Fire(t.Context(), f, "minute"); err == nil {
		t.Error("a closed function is started")
	}
}
