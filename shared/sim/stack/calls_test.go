package stack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/sim/stack"
)

// name is what a request names a resource by.
func name(arn string) string {
	if strings.Contains(arn, ":secret:") {
		return strings.Replace(arn[:len(arn)-len("a1B2c3")], "house", "hut", 1) + "ZyXwVu" // another stack, and another account's letters
	}
	_, table, ok := strings.Cut(arn, ":table/")
	if ok {
		return strings.Replace(table, "house", "barn", 1)
	}
	return arn[strings.LastIndex(arn, ":")+1:]
}

// used makes up the calls that need just what the template permits, as lines of JSON.
func used(t *testing.T, out *stack.Template) []stack.Call {
	t.Helper()
	var calls []stack.Call
	for _, f := range out.Functions {
		for _, g := range f.Grants {
			service, action, _ := strings.Cut(g.Action, ":")
			if service == "logs" || service == "xray" || strings.Contains(g.Condition, "secretsmanager.") || action == "ReceiveMessage" || action == "DeleteMessage" ||
				action == "GetQueueAttributes" && f.Dir != "commands" {
				continue // AWS does these
			}
			call := stack.Call{Role: f.Dir, Service: service, Operation: action, Resources: []string{name(g.Resource)}}
			if service == "kms" {
				call.Resources = []string{"arn:aws:kms:eu-west-1:123456789012:key/0f1e-2d3c"} // whatever AWS has drawn
			}
			if action == "ConditionCheckItem" {
				call.Operation, call.Kinds = "TransactWriteItems", []string{"ConditionCheck", "Put"}
			}
			line, err := json.Marshal(call)
			if err != nil {
				t.Fatal(err)
			}
			var again stack.Call
			if err := json.Unmarshal(line, &again); err != nil {
				t.Fatal(err)
			}
			calls = append(calls, again)
		}
	}
	return calls
}

func TestCallsAreComparedWithPermissions(t *testing.T) {
	out := read(t, house("ModelKey", "key"))
	calls := used(t, out)
	if lines := out.Differences(calls); len(lines) > 0 {
		t.Fatalf("what is granted and used differs:\n%s", strings.Join(lines, "\n"))
	}
	const queues = "arn:aws:sqs:eu-west-1:123456789012:"
	send := stack.Call{Role: "relay", Service: "sqs", Operation: "SendMessageBatch", Resources: []string{"house-turns.fifo"}}
	strange, nobody := send, send
	strange.Operation, nobody.Role = "PurgeQueue", "barber"
	empty := send
	empty.Resources = nil
	unused := slices.DeleteFunc(slices.Clone(calls), func(c stack.Call) bool { return c.Role == "relay" && c.Service == "sqs" })
	for _, c := range []struct {
		calls []stack.Call
		want  string
	}{
		{append(slices.Clone(calls), send), "relay calls sqs:SendMessage on " + queues + "house-turns.fifo, and may not"},
		{append(slices.Clone(calls), strange), "relay calls sqs.PurgeQueue [], whose permission is in no table"},
		{append(slices.Clone(calls), empty), "relay calls sqs.SendMessageBatch [], whose permission is in no table"},
		{append(slices.Clone(calls), nobody), "barber calls AWS, and is no function of the template"},
		{unused, "relay may sqs:SendMessage on " + queues + "house-ingress.fifo, and never did"},
	} {
		if lines := out.Differences(c.calls); !slices.Equal(lines, []string{c.want}) {
			t.Errorf("%q, not %q", lines, c.want)
		}
	}
}

func TestWhatIsRareMustBePermitted(t *testing.T) {
	without := strings.ReplaceAll(string(text(t)), "dynamodb:Query, dynamodb:PutItem, dynamodb:UpdateItem, dynamodb:DeleteItem]", "dynamodb:PutItem, dynamodb:UpdateItem, dynamodb:DeleteItem]")
	out, err := stack.Read([]byte(without), house())
	if err != nil {
		t.Fatal(err)
	}
	lines := out.Differences(used(t, out))
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "sweeper may not dynamodb:Query") || !strings.HasPrefix(lines[1], "undertaker may not dynamodb:Query") {
		t.Errorf("%q", lines)
	}
}

func TestWhatAWSDoesMustBePermitted(t *testing.T) {
	without := strings.ReplaceAll(string(text(t)), "sqs:ReceiveMessage, ", "")
	out, err := stack.Read([]byte(without), house())
	if err != nil {
		t.Fatal(err)
	}
	lines := out.Differences(used(t, out))
	if len(lines) != 8 || !strings.Contains(lines[0], "admission may not sqs:ReceiveMessage") { // four sources, and the dead letters of each
		t.Errorf("%q", lines)
	}
}
