package cloud_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tsumugi/shared/sim/cloud"
)

func TestRequestsBecomeCalls(t *testing.T) {
	const tables, queues = "arn:aws:dynamodb:eu-west-1:123456789012:table/", "arn:aws:sqs:eu-west-1:123456789012:"
	for _, c := range []struct {
		target, body string
		want         []string // operation and resource
	}{
		{"DynamoDB_20120810.GetItem", `{"TableName":"house-memory"}`, []string{"GetItem " + tables + "house-memory"}},
		{"DynamoDB_20120810.Query", `{"TableName":"house-channels","IndexName":"due"}`, []string{"Query " + tables + "house-channels/index/due"}},
		{"DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"house-memory":{},"house-channels":{}}}`,
			[]string{"BatchGetItem " + tables + "house-channels", "BatchGetItem " + tables + "house-memory"}},
		{"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"a"}},{"ConditionCheck":{"TableName":"b"}}]}`,
			[]string{"TransactWriteItems.Put " + tables + "a", "TransactWriteItems.ConditionCheck " + tables + "b"}},
		{"AmazonSQS.SendMessage", `{"QueueUrl":"http://127.0.0.1:1/123456789012/house-turns.fifo"}`, []string{"SendMessage " + queues + "house-turns.fifo"}},
		{"secretsmanager.GetSecretValue", `{"SecretId":"arn:aws:secretsmanager:eu-west-1:123456789012:secret:house-DiscordTokenSecret-ZyXwVu"}`,
			[]string{"GetSecretValue arn:aws:secretsmanager:eu-west-1:123456789012:secret:house-DiscordTokenSecret"}},
	} {
		calls, err := cloud.Recorded("sweeper", c.target, []byte(c.body), house())
		if err != nil {
			t.Errorf("%s: %v", c.target, err)
		}
		var got []string
		for _, call := range calls {
			if call.Role != "sweeper" {
				t.Errorf("%+v is not of the sweeper", call)
			}
			got = append(got, call.Operation+" "+call.Resource)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.target, got)
		}
	}
	for target, body := range map[string]string{"AmazonEC2.RunInstances": "{}", "AmazonSQS.SendMessage": "no JSON"} {
		if calls, err := cloud.Recorded("sweeper", target, []byte(body), house()); err == nil {
			t.Errorf("%s is %+v", target, calls)
		}
	}
}

// used makes up the calls that need just what the template permits, as lines of JSON.
func used(t *testing.T, out *cloud.Template) []cloud.Call {
	t.Helper()
	var calls []cloud.Call
	for _, f := range out.Functions {
		for _, g := range f.Grants {
			service, action, _ := strings.Cut(g.Action, ":")
			if service == "logs" || service == "xray" || service == "kms" || action == "ReceiveMessage" || action == "DeleteMessage" || action == "GetQueueAttributes" {
				continue // AWS does these
			}
			if action == "ConditionCheckItem" {
				action = "TransactWriteItems.ConditionCheck"
			}
			if service == "secretsmanager" {
				g.Resource = g.Resource[:strings.LastIndex(g.Resource, "-")]
			}
			line, err := json.Marshal(cloud.Call{Role: f.Dir, Service: service, Operation: action, Resource: g.Resource})
			if err != nil {
				t.Fatal(err)
			}
			var call cloud.Call
			if err := json.Unmarshal(line, &call); err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call)
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
	send := cloud.Call{Role: "relay", Service: "sqs", Operation: "SendMessageBatch", Resource: queues + "house-turns.fifo"}
	strange, nobody := send, send
	strange.Operation, nobody.Role = "PurgeQueue", "barber"
	unused := slices.DeleteFunc(slices.Clone(calls), func(c cloud.Call) bool { return c.Role == "relay" && c.Service == "sqs" })
	for _, c := range []struct {
		calls []cloud.Call
		want  string
	}{
		{append(slices.Clone(calls), send), "relay calls sqs:SendMessage on " + queues + "house-turns.fifo, and may not"},
		{append(slices.Clone(calls), strange), "relay calls sqs.PurgeQueue, whose permission is in no table"},
		{append(slices.Clone(calls), nobody), "barber calls AWS, and is no function of the template"},
		{unused, "relay may sqs:SendMessage on " + queues + "house-ingress.fifo, and never did"},
	} {
		if lines := out.Differences(c.calls); !slices.Equal(lines, []string{c.want}) {
			t.Errorf("%q, not %q", lines, c.want)
		}
	}
}

func TestWhatAWSDoesMustBePermitted(t *testing.T) {
	without := strings.ReplaceAll(string(text(t)), "sqs:ReceiveMessage, ", "")
	out, err := cloud.Read([]byte(without), house())
	if err != nil {
		t.Fatal(err)
	}
	lines := out.Differences(used(t, out))
	if len(lines) != 8 || !strings.Contains(lines[0], "admission may not sqs:ReceiveMessage") { // four sources, and the dead letters of each
		t.Errorf("%q", lines)
	}
}
