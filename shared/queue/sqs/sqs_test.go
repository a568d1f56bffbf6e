package sqs_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/sqs"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqs"
)

const prefix = "https://sqs.eu-west-1.amazonaws.com/123456789012/tsumugi-"

func newClient(change ...func(*sdk.Options)) *sdk.Client {
	return sdk.New(sdk.Options{
		Region: "eu-west-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	}, change...)
}

// call is a request as it left.
type call struct {
	action string
	body   map[string]any
}

// wire is a network that writes down what is sent, and answers with the next reply; the last one stays.
type wire struct {
	calls   []call
	replies []reply
}

type reply struct {
	status int
	body   string
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	c := call{action: r.Header.Get("X-Amz-Target")}
	if err := json.NewDecoder(r.Body).Decode(&c.body); err != nil {
		return nil, err
	}
	r.Body.Close()
	w.calls = append(w.calls, c)
	now := w.replies[0]
	if len(w.replies) > 1 {
		w.replies = w.replies[1:]
	}
	if now.status == 0 {
		return nil, io.ErrUnexpectedEOF // the reply is lost
	}
	return &http.Response{StatusCode: now.status, Body: io.NopCloser(strings.NewReader(now.body)), Request: r,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}}, nil
}

// over gives a driver over a wire.
func over(replies ...reply) (*sqs.Driver, *wire) {
	w := &wire{replies: replies}
	return sqs.New(newClient(func(o *sdk.Options) {
		o.HTTPClient = &http.Client{Transport: w}
		o.DisableMessageChecksumValidation = true
	}), prefix), w
}

func fine() reply { return reply{200, `{}`} }

// equal compares by JSON, which is what counts on a wire.
func equal(t *testing.T, got any, want string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		t.Fatal(err)
	}
	a, errA := json.Marshal(got)
	b, errB := json.Marshal(v)
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("sent\n%s, want\n%s", a, b)
	}
}

func TestSendCarriesTheTraceAsTheSystems(t *testing.T) {
	d, w := over(fine())
	m := queue.Message{Group: "42", Dedup: "7#1", Body: `{"v":1}`, Attrs: map[string]string{queue.AttrTrace: "Root=1-2-3", "k": "v"}}
	if err := d.Send(t.Context(), queue.Ingress, m); err != nil {
		t.Fatal(err)
	}
	if w.calls[0].action != "AmazonSQS.SendMessage" {
		t.Errorf("action %s", w.calls[0].action)
	}
	equal(t, w.calls[0].body, `{"QueueUrl":"`+prefix+`ingress.fifo","MessageBody":"{\"v\":1}","MessageGroupId":"42","MessageDeduplicationId":"7#1",
		"MessageAttributes":{"k":{"DataType":"String","StringValue":"v"}},
		"MessageSystemAttributes":{"AWSTraceHeader":{"DataType":"String","StringValue":"Root=1-2-3"}}}`)
}

func TestEveryQueueHasItsAddress(t *testing.T) {
	d, w := over(fine())
	for _, name := range queue.Names() {
		if err := d.Delete(t.Context(), name, "handle"); err != nil {
			t.Fatal(err)
		}
		if got := w.calls[len(w.calls)-1].body["QueueUrl"]; got != prefix+name+".fifo" {
			t.Errorf("%s is looked for at %v", name, got)
		}
	}
}

func TestHideRoundsUp(t *testing.T) {
	for d, want := range map[time.Duration]float64{
		0: 0, 1: 1, time.Second: 1, time.Second + 1: 2, 59*time.Second + 600*time.Millisecond: 60, queue.MaxHide: 43200,
	} {
		driver, w := over(fine())
		if err := driver.Hide(t.Context(), queue.Turns, "handle", d); err != nil {
			t.Fatal(err)
		}
		if got := w.calls[0].body["VisibilityTimeout"]; got != want || w.calls[0].body["ReceiptHandle"] != "handle" {
			t.Errorf("%s is sent as %v", d, got)
		}
	}
}

func TestReceiveReadsEverything(t *testing.T) {
	d, w := over(reply{200, `{"Messages":[{"MessageId":"m1","ReceiptHandle":"h1","Body":"b1","Attributes":{"MessageGroupId":"g","MessageDeduplicationId":"d",
		"ApproximateReceiveCount":"3","SentTimestamp":"1772366400311","AWSTraceHeader":"Root=1-2-3"},
		"MessageAttributes":{"k":{"DataType":"String","StringValue":"v"},"AWSTraceHeader":{"DataType":"String","StringValue":"no trace"},"bin":{"DataType":"Binary","BinaryValue":"AAA="}}},
		{"MessageId":"m2","ReceiptHandle":"h2","Body":"b2"}]}`})
	got, err := d.Receive(t.Context(), queue.Turns, 7, 90*time.Second)
	if err != nil || len(got) != 2 {
		t.Fatalf("received %v, %v", got, err)
	}
	first := got[0]
	if first.Group != "g" || first.Dedup != "d" || first.Body != "b1" || first.ID != "m1" || first.Receipt != "h1" || first.Receives != 3 ||
		first.Sent.UnixMilli() != 1772366400311 || !maps.Equal(first.Attrs, map[string]string{queue.AttrTrace: "Root=1-2-3", "k": "v"}) {
		t.Errorf("read %+v", first)
	}
	if second := got[1]; second.Receives != 1 || second.Attrs != nil || !second.Sent.IsZero() {
		t.Errorf("read %+v out of a message that says little", second)
	}
	sent := w.calls[0].body
	if id, _ := sent["ReceiveRequestAttemptId"].(string); len(id) < 20 {
		t.Errorf("the attempt is called %q", id)
	}
	delete(sent, "ReceiveRequestAttemptId")
	equal(t, sent, `{"QueueUrl":"`+prefix+`turns.fifo","MaxNumberOfMessages":7,"VisibilityTimeout":90,"MessageAttributeNames":["All"],
		"MessageSystemAttributeNames":["MessageGroupId","MessageDeduplicationId","ApproximateReceiveCount","SentTimestamp","AWSTraceHeader"]}`)
}

func TestRefusalsBecomeTheContractsErrors(t *testing.T) {
	const expired = `Value AQEB for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`
	for name, c := range map[string]struct {
		code, message string
		want          error
	}{
		"handle of FIFO has expired":  {"com.amazonaws.sqs#InvalidParameterValue", expired, queue.ErrReceipt},
		"the same of an older server": {"InvalidParameterValueException", expired, queue.ErrReceipt},
		"handle is none":              {"com.amazonaws.sqs#ReceiptHandleIsInvalid", "The input receipt handle is invalid.", queue.ErrReceipt},
		"message is visible":          {"com.amazonaws.sqs#MessageNotInflight", "", queue.ErrReceipt},
		"queue was deleted":           {"com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.", queue.ErrNoQueue},
		"contents":                    {"com.amazonaws.sqs#InvalidMessageContents", "", queue.ErrInvalid},
		"another parameter":           {"com.amazonaws.sqs#InvalidParameterValue", "Value 43201 for parameter VisibilityTimeout is invalid.", nil},
		"permission is missing":       {"AccessDenied", "not authorized to perform: sqs:changemessagevisibility", nil},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(map[string]string{"__type": c.code, "message": c.message})
			if err != nil {
				t.Fatal(err)
			}
			d, w := over(reply{400, string(text)})
			err = d.Hide(t.Context(), queue.Turns, "AQEB", time.Second)
			known := slices.ContainsFunc([]error{queue.ErrReceipt, queue.ErrNoQueue, queue.ErrInvalid, queue.ErrTooLarge}, func(e error) bool { return errors.Is(err, e) })
			if err == nil || known != (c.want != nil) || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if c.want != nil && strings.Contains(err.Error(), "AQEB") {
				t.Errorf("the error repeats the handle: %v", err)
			}
			if len(w.calls) != 1 {
				t.Errorf("%d calls for what will not change", len(w.calls))
			}
		})
	}
}

func TestThrottlingIsTriedAgainAndStaysPlain(t *testing.T) {
	busy := reply{400, `{"__type":"com.amazonaws.sqs#RequestThrottled","message":"slow down"}`}
	m := queue.Message{Group: "g", Dedup: "d", Body: "b"}
	synctest.Test(t, func(t *testing.T) {
		d, w := over(busy, reply{503, ``}, fine())
		if err := d.Send(t.Context(), queue.Turns, m); err != nil || len(w.calls) != 3 {
			t.Errorf("%v after %d calls", err, len(w.calls))
		}
		d, _ = over(busy)
		err := d.Send(t.Context(), queue.Turns, m)
		if err == nil || errors.Is(err, queue.ErrInvalid) || !strings.HasPrefix(err.Error(), "send to turns: ") {
			t.Errorf("got %v", err)
		}
	})
}

func TestNothingIsSentThatWouldBeRefused(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	d, w := over(fine())
	m := queue.Message{Group: "g", Dedup: "d", Body: "b"}
	_, receive := d.Receive(t.Context(), queue.Turns, 11, 0)
	for name, c := range map[string]struct{ got, want error }{
		"queue":   {d.Send(t.Context(), "nowhere", m), queue.ErrNoQueue},
		"message": {d.Send(t.Context(), queue.Turns, queue.Message{Group: "g", Dedup: "d"}), queue.ErrInvalid},
		"size":    {d.Send(t.Context(), queue.Turns, queue.Message{Group: "g", Dedup: "d", Body: strings.Repeat("x", queue.MaxBody+1)}), queue.ErrTooLarge},
		"hide":    {d.Hide(t.Context(), queue.Turns, "h", queue.MaxHide+1), queue.ErrInvalid},
		"receive": {receive, queue.ErrInvalid},
		"context": {d.Send(ended, queue.Turns, m), context.Canceled},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
	if len(w.calls) != 0 {
		t.Errorf("sent %v", w.calls)
	}
}

func TestWaitPacesAPoller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := over(fine())
		for limit, want := range map[time.Duration]time.Duration{time.Hour: time.Second, time.Millisecond: time.Millisecond} {
			begin := time.Now()
			if d.Wait(t.Context(), queue.Turns, limit); time.Since(begin) != want {
				t.Errorf("waited %s of %s", time.Since(begin), limit)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		begin := time.Now()
		if d.Wait(ended, queue.Turns, time.Hour); time.Since(begin) != 0 {
			t.Error("waited although the context had ended")
		}
	})
}

func TestTheGaugeReadsOneAttribute(t *testing.T) {
	d, w := over(reply{200, `{"Attributes":{"ApproximateNumberOfMessages":"17"}}`}, fine())
	if n, err := d.Waiting(t.Context(), queue.Turns); n != 17 || err != nil {
		t.Errorf("%d wait: %v", n, err)
	}
	if got := w.calls[0]; got.action != "AmazonSQS.GetQueueAttributes" || got.body["QueueUrl"] != prefix+"turns.fifo" || len(got.body["AttributeNames"].([]any)) != 1 {
		t.Errorf("asked %+v", got)
	}
	if _, err := d.Waiting(t.Context(), queue.Turns); err == nil {
		t.Error("no number is taken for one")
	}
}
