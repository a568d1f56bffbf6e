package shared_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

// triggers is every kind of event that starts a function, and how its sample in events/ is checked.
var triggers = map[string]func(*testing.T, []byte){
	"relay.json":              schedule,
	"ingress.json":            records(queue.Ingress, spoken),
	"turns.json":              records(queue.Turns, job),
	"replies.json":            records(queue.Replies, job),
	"commands.json":           records(queue.Commands, errand),
	"dead-ingress.json":       records(queue.Dead(queue.Ingress), spoken),
	"dead-turns.json":         records(queue.Dead(queue.Turns), job),
	"dead-replies.json":       records(queue.Dead(queue.Replies), job),
	"dead-commands.json":      records(queue.Dead(queue.Commands), errand),
	"registrar-create.json":   request,
	"registrar-update.json":   request,
	"registrar-delete.json":   request,
	"registrar-schedule.json": schedule,
	"schedule.json":           schedule,

	"interaction-ping.json":        posted,
	"interaction-stop.json":        posted,
	"interaction-kill-base64.json": posted,
}

func TestEveryTriggerHasASample(t *testing.T) {
	list, err := os.ReadDir(filepath.Join(root, "events"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if triggers[f.Name()] == nil {
			t.Errorf("events/%s belongs to no trigger: a sample that nothing decodes goes stale", f.Name())
		}
	}
	for name, check := range triggers {
		t.Run(name, func(t *testing.T) { check(t, []byte(read(t, "events/"+name))) })
	}
}

// strict decodes text into v and refuses fields that v does not have.
func strict(t *testing.T, text []byte, v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// records checks a batch of a queue, and each record of it with check.
func records(name string, check func(*testing.T, queue.Received)) func(*testing.T, []byte) {
	return func(t *testing.T, text []byte) {
		var e events.SQSEvent
		strict(t, text, &e)
		if len(e.Records) == 0 {
			t.Fatal("there is no record")
		}
		for _, m := range e.Records {
			if !strings.HasSuffix(m.EventSourceARN, ":"+name+".fifo") {
				t.Errorf("%s is not of queue %s", m.EventSourceARN, name)
			}
			r := queue.FromRecord(m)
			if err := queue.CheckMessage(r.Message); err != nil {
				t.Errorf("SQS would not have taken it: %v", err)
			}
			if r.Sent.IsZero() || r.Attrs[queue.AttrTrace] == "" {
				t.Errorf("record %s lacks the time of its send or its trace header", r.ID)
			}
			check(t, r)
		}
	}
}

// spoken checks a record of ingress.
func spoken(t *testing.T, r queue.Received) {
	var e struct {
		V int `json:"v"`
		chat.Event
	}
	strict(t, []byte(r.Body), &e)
	var again chat.Event
	if err := queue.Decode(r.Body, &again); err != nil || again != e.Event {
		t.Errorf("the queue reads it as %+v (%v)", again, err)
	}
	if r.Group != string(e.Channel) {
		t.Errorf("group %s is not the channel %s", r.Group, e.Channel)
	}
	made, ok := chat.SnowflakeTime(string(e.ID))
	if d := made.Sub(e.At); !ok || d.Abs() > time.Second {
		t.Errorf("message %s was made at %s by its id, at %s by its field", e.ID, made, e.At)
	}
}

// job checks a record of turns or replies.
func job(t *testing.T, r queue.Received) {
	var j struct {
		V int `json:"v"`
		chat.Job
	}
	strict(t, []byte(r.Body), &j)
	var again chat.Job
	if err := queue.Decode(r.Body, &again); err != nil || again != j.Job {
		t.Errorf("the queue reads it as %+v (%v)", again, err)
	}
	if r.Group != string(j.Channel) || r.Dedup != j.Dedup() {
		t.Errorf("group %s and deduplication id %s are not those of %+v", r.Group, r.Dedup, j.Job)
	}
}

// errand checks a record of commands.
func errand(t *testing.T, r queue.Received) {
	var i struct {
		V int `json:"v"`
		chat.Interaction
	}
	strict(t, []byte(r.Body), &i)
	var again chat.Interaction
	if err := queue.Decode(r.Body, &again); err != nil || !reflect.DeepEqual(again, i.Interaction) {
		t.Errorf("the queue reads it as %+v (%v)", again, err)
	}
	if r.Group != string(i.ID) || r.Dedup != string(i.ID) {
		t.Errorf("group %s and deduplication id %s are not those of %+v", r.Group, r.Dedup, i.Interaction)
	}
	made, ok := chat.SnowflakeTime(string(i.ID))
	if d := r.Sent.Sub(made); !ok || d.Abs() > 5*time.Second {
		t.Errorf("it was sent %s after it was made: Discord waits three seconds", d)
	}
}

// posted checks what the HTTP API hands on of a request of Discord. Its signature is by the key of the samples.
func posted(t *testing.T, text []byte) {
	var e events.APIGatewayV2HTTPRequest
	strict(t, text, &e)
	body := []byte(e.Body)
	if e.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(e.Body); err != nil {
			t.Fatal(err)
		}
	}
	for name := range e.Headers {
		if name != strings.ToLower(name) {
			t.Errorf("header %s: an HTTP API gives their names in lower case", name)
		}
	}
	at := e.Headers["x-signature-timestamp"]
	signature, err := hex.DecodeString(e.Headers["x-signature-ed25519"])
	key := ed25519.NewKeyFromSeed([]byte("the key of the samples in events")).Public().(ed25519.PublicKey)
	if err != nil || !ed25519.Verify(key, append([]byte(at), body...), signature) {
		t.Errorf("the signature is not by the key of the samples (%v)", err)
	}
	if s := strconv.FormatInt(e.RequestContext.TimeEpoch/1000, 10); s != at || e.Headers["content-length"] != strconv.Itoa(len(body)) {
		t.Errorf("signed at %s, received at %s; %d bytes", at, s, len(body))
	}
	if !json.Valid(body) {
		t.Errorf("no JSON: %s", body)
	}
}

// request checks a request of CloudFormation to a custom resource.
func request(t *testing.T, text []byte) {
	var e struct {
		cfn.Event
		ServiceToken string
	}
	strict(t, text, &e)
	if e.RequestType == "" || e.ResponseURL == "" || e.StackID == "" || e.RequestID == "" || e.LogicalResourceID == "" ||
		(e.PhysicalResourceID == "") != (e.RequestType == cfn.RequestCreate) || e.ResourceProperties["Endpoint"] == nil {
		t.Errorf("this is no request: %+v", e)
	}
}

// schedule checks the tick of a schedule.
func schedule(t *testing.T, text []byte) {
	var e events.CloudWatchEvent
	strict(t, text, &e)
	if e.Source != "aws.events" || e.Time.IsZero() {
		t.Errorf("this is no tick of a schedule: %+v", e)
	}
}
