package shared_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

// triggers is every kind of event that starts a function, and how its sample in events/ is checked.
var triggers = map[string]func(*testing.T, []byte){
	"ingress.json":       records(queue.Ingress, spoken),
	"turns.json":         records(queue.Turns, job),
	"replies.json":       records(queue.Replies, job),
	"dead-ingress.json":  records(queue.Dead(queue.Ingress), spoken),
	"dead-turns.json":    records(queue.Dead(queue.Turns), job),
	"dead-replies.json":  records(queue.Dead(queue.Replies), job),
	"dead-commands.json": records(queue.Dead(queue.Commands), errand),
	"schedule.json":      schedule,
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
	if r.Group != string(i.ID) {
		t.Errorf("group %s is not the interaction %s", r.Group, i.ID)
	}
}

// schedule checks the minute's tick of the sweeper.
func schedule(t *testing.T, text []byte) {
	var e events.CloudWatchEvent
	strict(t, text, &e)
	if e.Source != "aws.events" || e.Time.IsZero() {
		t.Errorf("this is no tick of a schedule: %+v", e)
	}
}
