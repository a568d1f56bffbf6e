package queue_test

import (
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

func TestWhatACommandAsksForEntersOnceBehindWhatWasSaid(t *testing.T) {
	q := queuetest.Memory(5)
	in := queue.Entrance{Sender: q}
	e := chat.Event{What: chat.Said, ID: "1234567890123456789", Channel: "7", Guild: "1", Asked: &chat.Asked{Persona: "mira"}}
	for range 2 { // Discord may post an interaction twice
		if err := in.Enter(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	got, err := q.Receive(t.Context(), queue.Ingress, 10, time.Minute)
	if err != nil || len(got) != 1 || got[0].Group != "7" {
		t.Fatalf("%+v: %v", got, err)
	}
	var out chat.Event
	if err := queue.Decode(got[0].Body, &out); err != nil || out.Asked == nil || *out.Asked != *e.Asked || out.ID != e.ID {
		t.Errorf("it came as %+v: %v", out, err)
	}
}
