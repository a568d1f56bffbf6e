package xray_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/telemetry/xray"
)

// secret is in everything that must not be told.
const secret = "xyzzysecret"

// table is a client of a server that answers each call so.
func table(t *testing.T, status int, body string) (*dynamodb.Client, *http.Header) {
	t.Helper()
	var asked http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	c := aws.Config{Region: "eu-west-1", BaseEndpoint: &s.URL, Retryer: func() aws.Retryer { return aws.NopRetryer{} },
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "s"}, nil
		})}
	if err := (xray.Tracer{}).Instrument(&c); err != nil {
		t.Fatal(err)
	}
	return dynamodb.NewFromConfig(c), &asked
}

func get(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("channels"),
		Key: map[string]types.AttributeValue{"k": &types.AttributeValueMemberS{Value: secret}}})
	return err
}

func TestACallOfAWSIsASubsegment(t *testing.T) {
	d, r := open(t)
	c, asked := table(t, http.StatusOK, "{}")
	_, err := work(invoked(t, header), r, func(ctx context.Context) error { return get(ctx, c) })
	all := d.got()
	if err != nil || len(all) != 1 || all[0].names() != "replies(generation(sink(DynamoDB)))" {
		t.Fatal(err, all)
	}
	call, _ := all[0].find("DynamoDB")
	if call.Namespace != "aws" || call.AWS["operation"] != "GetItem" || call.HTTP.Response.Status != http.StatusOK {
		t.Errorf("%+v", call)
	}
	if got, want := asked.Get("X-Amzn-Trace-Id"), "Root="+root+";Parent="+call.ID+";Sampled=1"; got != want {
		t.Errorf("the call carries %q, want %q", got, want)
	}
	if strings.Contains(d.raw.String(), secret) {
		t.Errorf("a key was told: %s", &d.raw)
	}
}

func TestARefusalOfAWSIsItsCode(t *testing.T) {
	d, r := open(t)
	c, _ := table(t, http.StatusBadRequest, `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"`+secret+`"}`)
	_, _ = work(invoked(t, header), r, func(ctx context.Context) error { return get(ctx, c) })
	all := d.got()
	if len(all) != 1 {
		t.Fatal(all)
	}
	call, _ := all[0].find("DynamoDB")
	if call.Cause == nil || len(call.Cause.Exceptions) != 1 || call.Cause.Exceptions[0].Type != "ConditionalCheckFailedException" || call.Cause.Exceptions[0].Message != "" {
		t.Errorf("%+v", call.Cause)
	}
	if strings.Contains(d.raw.String(), secret) {
		t.Errorf("the text of the error was told: %s", &d.raw)
	}
}

// Outside of a delivery, as in the sweeper, a call lies right under Lambda's segment.
func TestACallOutsideOfADelivery(t *testing.T) {
	d, _ := open(t)
	c, _ := table(t, http.StatusOK, "{}")
	if err := get(invoked(t, header), c); err != nil {
		t.Error(err)
	}
	if all := d.got(); len(all) != 1 || all[0].Name != "DynamoDB" || all[0].ParentID != parent || all[0].TraceID != root {
		t.Errorf("%+v", all)
	}
}

func TestCallsThatAreNotTraced(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	for name, lambda := range map[string]string{"not sampled": off, "no header": "", "malformed": "Root"} {
		t.Run(name, func(t *testing.T) {
			d, r := open(t)
			c, _ := table(t, http.StatusOK, "{}")
			hc := &http.Client{Transport: xray.Tracer{}.Transport(http.DefaultTransport)}
			calls := func(ctx context.Context) error { return errors.Join(get(ctx, c), fetch(ctx, hc, s.URL)) }
			_, err := work(invoked(t, lambda), r, calls)
			if err = errors.Join(err, calls(invoked(t, lambda))); err != nil {
				t.Error(err)
			}
			if all := d.got(); len(all) != 0 {
				t.Errorf("%+v", all)
			}
		})
	}
	t.Run("too many", func(t *testing.T) {
		d, r := open(t)
		c, _ := table(t, http.StatusOK, "{}")
		_, err := work(invoked(t, header), r, func(ctx context.Context) error {
			for range 150 {
				if err := get(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
		if n := strings.Count(d.gotRaw(), `"operation":"GetItem"`); err != nil || n != 98 {
			t.Error(err, n)
		}
	})
}

// gotRaw is what has come, as it came.
func (d *daemon) gotRaw() string {
	d.got()
	return d.raw.String()
}

func fetch(ctx context.Context, c *http.Client, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := c.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The address of a call names channels, messages, people, and carries tokens; none of it is told, and nobody outside is told of
// the trace.
func TestARequestTellsItsHostAndStatus(t *testing.T) {
	status := http.StatusOK
	var asked http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	for _, c := range []struct {
		path, want             string
		status                 int
		error, throttle, fault bool
	}{
		{"/api/v10/channels/1478315999232000000/messages/1478315999232000001", "/api/v10/channels/-/messages/-", 200, false, false, false},
		{"/api/v10/channels/1478315999232000000/typing", "/api/v10/channels/-/typing", 204, false, false, false},
		{"/api/v10/webhooks/1478315999232000000/" + secret + "/messages/@original?wait=" + secret, "/api/v10/webhooks/-/-/messages/@original", 404, true, false, false},
		{"/api/v10/interactions/1478315999232000000/" + secret + "/callback", "/api/v10/interactions/-/-/callback", 429, true, true, false},
		{"/v1/chat/completions?key=" + secret, "/v1/chat/completions", 503, false, false, true},
		{"/" + secret + "/chat/completions", "/-/chat/completions", 200, false, false, false},
		{"/channels/%2e%2e/" + secret + "%2fmessages", "/channels/-/-", 200, false, false, false},
	} {
		d, r := open(t)
		status = c.status
		hc := &http.Client{Transport: xray.Tracer{}.Transport(http.DefaultTransport)}
		_, err := work(invoked(t, header), r, func(ctx context.Context) error { return fetch(ctx, hc, s.URL+c.path) })
		all := d.got()
		host := strings.TrimPrefix(s.URL, "http://")
		if err != nil || len(all) != 1 || all[0].names() != "replies(generation(sink("+host+")))" {
			t.Fatal(c.path, err, all)
		}
		call, _ := all[0].find(host)
		if call.Namespace != "remote" || call.HTTP.Request.Method != http.MethodPost || call.HTTP.Request.URL != s.URL+c.want || call.HTTP.Response.Status != c.status ||
			call.Error != c.error || call.Throttle != c.throttle || call.Fault != c.fault {
			t.Errorf("%s: %+v %+v %+v", c.path, call, call.HTTP.Request, call.HTTP.Response)
		}
		if strings.Contains(d.raw.String(), secret) || strings.Contains(d.raw.String(), "14783159992") {
			t.Errorf("%s: told %s", c.path, &d.raw)
		}
		if got := asked.Get("X-Amzn-Trace-Id"); got != "" {
			t.Errorf("%s: the trace is told to a stranger: %s", c.path, got)
		}
	}
}

func TestARequestThatFails(t *testing.T) {
	for _, c := range []struct {
		err   error
		fault bool
	}{{errors.New("dial " + secret), true}, {context.Canceled, false}} {
		d, r := open(t)
		hc := &http.Client{Transport: xray.Tracer{}.Transport(failing{c.err})}
		_, _ = work(invoked(t, header), r, func(ctx context.Context) error { return fetch(ctx, hc, "http://model.example/v1/models") })
		all := d.got()
		if len(all) != 1 {
			t.Fatal(all)
		}
		call, ok := all[0].find("model.example")
		if !ok || call.Fault != c.fault || strings.Contains(d.raw.String(), secret) {
			t.Errorf("%+v in %s", call, &d.raw)
		}
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }
