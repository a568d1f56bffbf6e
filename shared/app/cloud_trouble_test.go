package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/sim/cloud"
)

// ask begins a scene of the kettle and lets its words be said, without waiting for what comes of them.
func (s *sky) ask(t *testing.T) *open {
	t.Helper()
	st, err := parseStory(t.Name(), []byte(kettle))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.stageOn(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	o.more(t)
	return o
}

// more lets the words of the story be said.
func (o *open) more(t *testing.T) {
	t.Helper()
	for _, st := range o.story.events {
		if err := o.happen(t.Context(), st); err != nil {
			t.Fatal(err)
		}
	}
}

// answered demands the story's end.
func (o *open) answered(t *testing.T) {
	t.Helper()
	if err := o.settle(t.Context()); err != nil {
		t.Fatalf("%v\n  faults: %v", err, o.faults)
	}
	if err := o.verdict(t); err != nil {
		t.Fatal(err)
	}
}

// TestThrottledOnAWS: for half a minute DynamoDB and SQS refuse every call of everybody, in the middle of a reply as well.
// Ten minutes of it are played in the bubble, by TestStoriesThrottled.
func TestThrottledOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{})
	s.every(sweeping, "sweeper")
	speaking := make(chan struct{})
	var told sync.WaitGroup
	tell := func(text string, prepare func(*open)) {
		told.Go(func() {
			if _, err := s.tried(t, text, prepare); err != nil {
				t.Error(err)
			}
		})
	}
	tell(strings.Replace(kettle, "|Sit", "|{pause 10s}Sit", 1), func(o *open) {
		told.Go(func() {
			o.await(0, time.Minute, func() bool { return len(o.posts()) > 0 })
			close(speaking)
		})
	})
	<-speaking
	var ends []func()
	for _, service := range []string{"dynamodb", "sqs"} {
		ends = append(ends, s.proxy.Fault(cloud.Fault{Kind: cloud.Throttled, Service: service}))
	}
	for range 4 {
		tell(kettle, nil)
	}
	timer := time.NewTimer(30 * time.Second)
	<-timer.C
	for _, end := range ends {
		end()
	}
	told.Wait()
	throttled := map[string]int{}
	for _, r := range s.proxy.Records() {
		if r.Fault != "" {
			throttled[r.Role+" "+r.Service]++
		}
	}
	for _, who := range []string{"relay sqs", "generation dynamodb"} {
		if throttled[who] == 0 {
			t.Errorf("%s was never throttled: %v", who, throttled)
		}
	}
	if n := s.functions["undertaker"].Log().Count("dead letter"); n > 0 {
		t.Errorf("%d dead letters", n)
	}
}

// TestPoisonOnAWS: a message that can never be handled ends as a dead letter, and frees its channel; the others go on meanwhile.
// Its queue is deployed with three deliveries in place of two hundred. Poison that kills its worker is counted in the head, five
// minutes for five deaths, which is played in the bubble (story poison).
func TestPoisonOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{queue: func(q map[string]string) {
		q["RedrivePolicy"] = strings.Replace(q["RedrivePolicy"], "200", "3", 1)
	}})
	st, err := parseStory(t.Name(), []byte(strings.NewReplacer("\n-- model", "\nben: mira, are you there?\n-- model",
		"turn 1 mira · event 1 answered", "turn 1 mira · event 1 failed dead_letter · event 2 answered", "dead letters 0", "dead letters 1").Replace(kettle)))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.stageOn(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	end := s.proxy.Fault(cloud.Fault{Kind: cloud.Denied, Role: "planning", Service: "dynamodb", Holds: o.home})
	if err := o.happen(t.Context(), st.events[0]); err != nil {
		t.Fatal(err)
	}
	s.eventually(time.Minute, "planning fails", func() bool { return s.functions["planning"].Log().Count("message failed", o.home) > 0 })
	s.told(t, kettle, nil)
	if err := o.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	end()
	if err := o.happen(t.Context(), st.events[1]); err != nil {
		t.Fatal(err)
	}
	o.answered(t)
}

// TestBadInputOnAWS is what operators do to a running installation. The log names what mends it, and then what has waited is
// answered.
func TestBadInputOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	for name, c := range map[string]struct {
		role    string // whose log tells
		says    []string
		trouble func(*sky) (mend func())
	}{
		"a permission is missing": {"planning", []string{"dynamodb:", "allow"}, func(s *sky) func() {
			return s.proxy.Fault(cloud.Fault{Kind: cloud.Denied, Role: "planning", Service: "dynamodb"})
		}},
		"a queue is deleted": {"planning", []string{"deploy the stack again", "replies"}, func(s *sky) func() {
			s.must(s.emulator().Call(s.t.Context(), "sqs", "DeleteQueue", map[string]string{"QueueUrl": s.address(s.queue(queue.Replies))}, nil))
			return func() { s.queues() }
		}},
		"the token is reset": {"generation", []string{"DISCORD_TOKEN", "secret"}, func(s *sky) func() {
			put := func(token string) {
				for _, secret := range s.template.Secrets {
					s.must(s.emulator().Call(s.t.Context(), "secretsmanager", "PutSecretValue", map[string]string{"SecretId": s.secrets[secret.ARN], "SecretString": token}, nil))
				}
			}
			put("simulated.another.token") // the relay goes on with the session that it has
			return func() { put(botToken) }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSky(t, laying{})
			s.every(sweeping, "sweeper")
			mend := c.trouble(s)
			o := s.ask(t)
			s.eventually(time.Minute, fmt.Sprintf("the log of %s names %s", c.role, c.says), func() bool { return s.functions[c.role].Log().Count(c.says...) > 0 })
			if n := len(o.posts()); n > 0 {
				t.Errorf("%d posts before it was mended", n)
			}
			mend()
			o.answered(t)
		})
	}
}
