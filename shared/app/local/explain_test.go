//go:build unix

package local_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"tsumugi/shared/telemetry"
)

// What the page asks for when somebody wants to know why: of a message that nobody answered, and of one that has its reply.
func TestMessagesExplainThemselves(t *testing.T) {
	i := alone(t)
	i.say("hall", "ana", "did you see the boat?")
	i.until("admission", `"disposition":"ignore"`)
	if line := i.explained("hall", 0); line.Outcome != "ignored" || len(line.Stages) != 1 || line.Stages[0].Detail != "ignore non_trigger" ||
		line.Stages[0].Calls.Store == 0 {
		t.Errorf("ignored: %+v", line)
	}
	i.say("lounge", "ana", "hello")
	eventually(t, soon, "the end of the turn", func() bool { return i.ends() > 0 })
	line := i.explained("lounge", 0)
	if line.Outcome != "answered" || line.Plan == "" || len(line.Replies) != 1 || len(line.Stages) < 7 || line.Total == 0 {
		t.Errorf("answered: %+v", line)
	}
	if reply := i.explained("lounge", 1); reply.Event != line.Event {
		t.Errorf("the reply belongs to %s, not to %s", reply.Event, line.Event)
	}
	if status, _, _ := i.get("/sim/explain?message=1"); status != http.StatusNotFound {
		t.Errorf("a message that nobody knows: status %d", status)
	}
}

// explained is what the page gets for a channel's n-th message.
func (i *instance) explained(channel string, n int) (line telemetry.Timeline) {
	i.t.Helper()
	var messages []struct{ ID string }
	if err := json.Unmarshal([]byte(i.read(channel)), &messages); err != nil || len(messages) <= n {
		i.t.Fatalf("%s has no message %d: %v", channel, n, err)
	}
	status, _, body := i.get("/sim/explain?message=" + messages[n].ID)
	if err := json.Unmarshal([]byte(body), &line); err != nil || status != http.StatusOK {
		i.t.Fatalf("status %d, %v: %s", status, err, body)
	}
	return line
}
